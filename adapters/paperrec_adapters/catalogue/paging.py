"""Page after page of a catalogue: how many are asked for, what a page that is too short means, and where it ends."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from paperrec.errors import DeniedError, ServiceError, SettingsError
from paperrec.paper import Paper
from paperrec.ports import Batch, Coverage, Problem, Window

MOST = 1_000  # records, unless the locator says another number
_UTMOST = 10_000  # that a locator may say: what lies beyond is no reading list
_SHORT_TRIES = 2  # more requests for a page that is shorter than it must be
_MAX = re.compile(r"(?:^|[\s,])max=(\d{1,9})\s*$")


@dataclass(frozen=True, slots=True)
class Page:
    """One answer of a catalogue."""

    records: Sequence[Any]
    total: int | None  # records of all pages, as the service says; None: it does not
    following: str  # what asks for the next page; "": this was the last
    full: int = 0  # records that a page has which is not the last; 0: the service does as it likes


Parse = Callable[[Any], Paper | Problem | None]  # a record as a paper, or why it is left out; None: it is no new paper, and no fault


def most_of(rest: str) -> tuple[str, int]:
    """A locator's text without the `max=N` at its end, and how many records may be asked for.

    >>> most_of("graph kernels max=3000"), most_of("max. entropy")
    (('graph kernels', 3000), ('max. entropy', 1000))
    """
    found = _MAX.search(rest)
    if not found:
        return rest.strip(), MOST
    most = int(found.group(1))
    if not 1 <= most <= _UTMOST:
        raise SettingsError(f"max={most}: must be 1 to {_UTMOST:,}")
    return rest[: found.start()].strip(), most


def skipped(where: str) -> Problem:
    """Why a record without text is no paper."""
    return Problem(where, "neither title nor abstract; skipped", "no-text", left_out=True)


def gather(source: str, ask: Callable[[str], Page], parse: Parse, *, most: int, window: Window, first: str = "*") -> Batch:
    """All pages as papers, in the order in which they came, at most `most` records.

    A page that is too short is asked for again. What is missing in the end, and what broke off in the middle, is a problem.

    Parameters
    ----------
    source
        The locator.
    ask
        What gives the page that a cursor names.
    first
        The cursor of the first page.

    Raises
    ------
    ServiceError, DeniedError
        Nothing came.
    """
    found = _Found(most)
    cursor, why = first, ""
    while cursor and len(found.records) < min(most, found.total or most):
        try:
            cursor, is_new = found.take(ask, cursor)
        except (ServiceError, DeniedError) as error:
            if not found.records:
                raise
            cursor, is_new, why = "", True, str(error)
        if not is_new:
            break  # a catalogue that says the same again and again is at its end
    records = found.records[:most]
    parsed = [parse(record) for record in records]
    papers = tuple(one for one in parsed if isinstance(one, Paper))
    problems = [one for one in parsed if isinstance(one, Problem)]
    expected = min(most, found.total) if found.total is not None else None
    if why or (expected is not None and len(records) < expected):
        of = f" of {expected:,}" if expected is not None else ""
        why = why or "the service says that there are more, and does not give them; try again later"
        problems.append(Problem(source, f"{len(records):,}{of} records came: {why}", "incomplete", left_out=True))
    return Batch(papers, tuple(problems), (Coverage(source, found.total, len(records), len(papers), window.start, window.end),))


@dataclass(slots=True)
class _Found:
    """What came so far."""

    most: int
    records: list[Any] = field(default_factory=list)
    total: int | None = None
    _seen: set[bytes] = field(default_factory=set)
    _is_patient: bool = True

    def take(self, ask: Callable[[str], Page], cursor: str) -> tuple[str, bool]:
        """Take the page that a cursor names: what names the next one, and whether there was anything new in this one."""
        known, before = frozenset(self._seen), len(self.records)
        page = self._add(ask(cursor), frozenset())
        tries = _SHORT_TRIES if self._is_patient or not page.records else 0
        while tries and self._is_short(page, len(self.records) - before):
            # What came with the last try is not taken twice, and not lost: some cursors move on each time that they are asked
            again = self._add(ask(cursor), frozenset(self._seen - known))
            page, tries = again if again.following or not page.following else page, tries - 1
        # A service whose pages are always short is not asked three times for each of them
        self._is_patient = self._is_patient and not self._is_short(page, len(self.records) - before)
        return page.following, bool(self._seen - known)

    def _is_short(self, page: Page, n_came: int) -> bool:
        missing = min(self.most, self.total or 0) - len(self.records)
        return missing > 0 and (not n_came or not page.following or n_came < page.full)

    def _add(self, page: Page, but: frozenset[bytes]) -> Page:
        if page.total is not None:  # it moves while others write; what was promised once is missed when it does not come
            self.total = max(self.total or 0, page.total)
        for record in page.records:
            name = hashlib.sha256(repr(record).encode("utf-8", "surrogatepass")).digest()
            if name not in but:
                self._seen.add(name)
                self.records.append(record)
        return page

"""The reading list as one page that opens from a file: no script, no outside load, the same bytes for the same list."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from paperrec.errors import NoInputError, SettingsError, WriteError
from paperrec.files import exclusive, read_regular, replace_file
from paperrec.paper import Paper, identifiers
from paperrec.ports import Context, Written
from paperrec.recommendation import Feedback, Reason, Recommendation, shown_reasons
from paperrec.text import printable

MARK = "<!-- made by paperrec -->"
_LARGEST_PAGE = 100_000_000  # bytes
_SHOWN_AUTHORS = 6
_PLACES = {"arxiv": ("arXiv", "https://arxiv.org/abs/"), "doi": ("DOI", "https://doi.org/")}


@dataclass(frozen=True, slots=True)
class HtmlSink:
    """A page, replaced whole at each run; a file that is no page of ours is never replaced."""

    path: Path

    @classmethod
    def open(cls, rest: str, context: Context) -> Self:
        if not rest:
            raise SettingsError("html: names no file; write html:FILE")
        try:
            path = Path(rest).expanduser()
        except RuntimeError as error:
            raise SettingsError(f"html:{rest}: there is no home folder of this name") from error
        if any(read.holds(path) for read in context.inputs):
            raise SettingsError(f"html:{rest}: is a file that is read, and would be replaced; name another")
        return cls(path)

    def write(self, recommendations: Sequence[Recommendation], *, dry_run: bool = False) -> Written:
        """Write the page.

        Raises
        ------
        WriteError
            It cannot be written, or a file that is no page of ours stands there.
        """
        page = render(recommendations).encode()
        with exclusive(self.path):
            old = self._old()
            if not dry_run and page != old:
                replace_file(self.path, page, expected=old)
        count = len(recommendations)
        return Written(
            str(self.path), 0 if page == old else count, count if page == old else 0, diff=f"a page of {count} papers" if dry_run else ""
        )

    def feedback(self) -> Sequence[Feedback]:
        """Nothing: a page without a script tells nothing."""
        return ()

    def _old(self) -> bytes:
        try:
            if not self.path.exists():
                return b""
            old = read_regular(self.path, _LARGEST_PAGE)
        except OSError as error:  # a name too long, no right to look
            raise WriteError(f"{self.path}: cannot be written: {error.strerror}; nothing was written") from error
        except NoInputError as error:
            raise WriteError(f"{error}; nothing was written") from error
        if old and MARK.encode() not in old[:200]:
            raise WriteError(f"{self.path}: was not made by paperrec and is not replaced; name another file")
        return old


def render(recommendations: Sequence[Recommendation]) -> str:
    """The page as text."""
    from jinja2 import Environment, StrictUndefined  # 100 ms that other sinks need not pay

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    template = environment.from_string((files(__package__) / "list.html.j2").read_text(encoding="utf-8"))
    best = max((r.score for r in recommendations), default=0.0)
    return template.render(mark=MARK, papers=[_shown(r, best) for r in recommendations]) + "\n"


def _shown(recommendation: Recommendation, best: float) -> dict[str, Any]:
    """What the page shows of one recommendation, free of what no page may hold."""
    paper = recommendation.paper
    authors = [printable(author) for author in paper.authors]
    more = len(authors) - _SHOWN_AUTHORS
    return {
        "rank": recommendation.rank,
        "title": printable(paper.title),
        "derived": paper.title_derived,
        "authors": "; ".join(authors[:_SHOWN_AUTHORS]) + (f" and {more:,} more" if more > 0 else ""),
        "year": paper.year or "",
        "venue": printable(paper.venue),
        "key": printable(paper.key),
        "score": f"{recommendation.score:.1f} {recommendation.level}".strip(),
        "share": max(0, round(100 * recommendation.score / best)) if best > 0 else 0,
        "notes": [printable(text) for text in (recommendation.interest and f"for {recommendation.interest}", recommendation.note) if text],
        "reasons": [{"text": printable(r.text), "part": f"{r.part:+.1f}".replace("-", "−")} for r in _reasons(recommendation)],
        "abstract": printable(paper.abstract),
        "links": _links(recommendation),
    }


def _reasons(recommendation: Recommendation) -> tuple[Reason, ...]:
    """None, if it comes without reasons: then its score is no "smaller part"."""
    return shown_reasons(recommendation, 1) if recommendation.reasons else ()


def _links(recommendation: Recommendation) -> list[tuple[str, str]]:
    """(words, address) of the places where the paper can be opened; web addresses only."""
    paper = recommendation.paper
    named = identifiers(paper)
    links: list[tuple[str, str]] = []
    for kind, _, name in (n.partition(":") for n in named):
        words, place = _PLACES[kind]
        links.append((words, place + quote(printable(name), safe="/:;(),")))  # old DOIs hold # and <>, which would end the address
    if not set(identifiers(Paper(url=paper.url))) & set(named):  # else it is there already
        links.append(("Page", printable(paper.url)))
    links.append(("PDF", printable(paper.pdf)))
    return [(words, address) for words, address in links if address.lower().startswith(("http://", "https://"))]

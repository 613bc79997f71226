"""Papers from OpenAlex: by words, by venue, by author, by what they cite."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from paperrec.errors import DeniedError, ServiceError, SettingsError
from paperrec.paper import Paper
from paperrec.ports import Batch, Problem, Window
from paperrec_adapters.catalogue import (
    Catalogue,
    Line,
    Page,
    Service,
    gather,
    made,
    most_of,
    plain,
    rows,
    skipped,
    table,
    text,
    web_address,
    whole,
    year_of,
)

_SERVICE = Service("openalex", "https://api.openalex.org", 0.2, key="openalex_api_key")
_PAGE = 100  # records; developers.openalex.org, "page through results"
_FIELDS = (
    "id,doi,title,display_name,publication_date,publication_year,authorships,primary_location,best_oa_location"
    ",abstract_inverted_index,keywords"
)
_FILTERS = {"venue": "primary_location.source.id", "author": "authorships.author.id", "cites": "cites"}
_LETTERS = {"venue": "S", "author": "A", "cites": "W"}
_FORM = re.compile(r"(venue|author|cites)=(\S*)\s*")
_ID = re.compile(r"(?:https?://openalex\.org/)?([SAW]\d{1,12})", re.IGNORECASE)
_LONGEST_ABSTRACT = 20_000  # words; a position beyond it is a slip of the service
_AHEAD = timedelta(days=366)  # issues are dated ahead; what lies further in the future is an error
_OVERLAP = timedelta(days=14)  # between the day of publication and the day on which it is known here


class OpenAlexSource(Catalogue):
    """`openalex:QUERY`, with `venue=S..`, `author=A..`, `cites=W..` before the words, and `max=N` at the end."""

    def read_window(self, window: Window) -> Batch:
        """The works that match, newest first.

        Raises
        ------
        SettingsError
            There is neither a word nor an id to look for.
        ServiceError
            Nothing came: without a network, or with the budget of the day spent.
        """
        rest, most = most_of(self.rest)
        filters, words = _wanted(rest)
        line = Line.to(_SERVICE, self.context)
        filters["to_publication_date"] = f"{line.today + _AHEAD}"
        if window.start:  # the day on which a work came here may not be asked for without a paid plan
            filters["from_publication_date"] = f"{(window.start - _OVERLAP).date()}"

        def ask(cursor: str) -> Page:
            return _page(line, filters, words, cursor, min(most, _PAGE))

        return gather(f"openalex:{self.rest}", ask, _paper, most=most, window=window)


def _wanted(rest: str) -> tuple[dict[str, str], str]:
    """Filters and words of a locator."""
    filters: dict[str, str] = {}
    while found := _FORM.match(rest):
        kind, names = found.group(1), [_ID.fullmatch(name) for name in found.group(2).rstrip(",").split("|")]
        ids = [name.group(1).upper() for name in names if name]
        if len(ids) < len(names) or any(one[0] != _LETTERS[kind] for one in ids):
            raise SettingsError(f"openalex:{kind}=: wants an id of OpenAlex such as {_LETTERS[kind]}137773608; look it up at openalex.org")
        filters[_FILTERS[kind]] = "|".join(ids)
        rest = rest[found.end() :]
    if not filters and not rest:
        raise SettingsError("openalex: wants words to look for, or venue=ID, author=ID, cites=ID")
    return filters, rest


def _page(line: Line, filters: Mapping[str, str], words: str, cursor: str, rows_wanted: int) -> Page:
    params = {
        "search": words,
        "filter": ",".join(f"{name}:{value}" for name, value in filters.items()),
        "sort": "publication_date:desc",
        "select": _FIELDS,
        "per_page": str(rows_wanted),
        "cursor": cursor,
        "mailto": line.mailto,
        "api_key": line.key,  # the one way that its manual names; no error of ours shows an address
    }
    try:
        said = table(line.ask("/works", params))
    except DeniedError as error:
        # It says 403 for a wrong key and for too many requests alike
        what = (
            "the key is wrong, or its budget for today is spent"
            if line.key
            else "set OPENALEX_API_KEY; a key is free at openalex.org/settings/api"
        )
        raise ServiceError(f"{error}; {what}") from None
    if not isinstance(said.get("results"), list):
        raise ServiceError("openalex: the answer holds no list of works; try again later")
    meta = table(said.get("meta"))
    return Page(said["results"], whole(meta.get("count")), text(meta.get("next_cursor")), whole(meta.get("per_page")) or 0)


def _paper(record: Any) -> Paper | Problem:
    work = table(record)
    place, best = table(work.get("primary_location")), table(work.get("best_oa_location"))
    authors = [plain(table(table(entry).get("author")).get("display_name")) for entry in rows(work.get("authorships"))]
    found = made(
        key=text(work.get("id")).rpartition("/")[2],
        title=plain(work.get("title") or work.get("display_name")),
        abstract=_abstract(work.get("abstract_inverted_index")),
        authors=authors,
        year=year_of(work.get("publication_year"), work.get("publication_date")),
        venue=plain(table(place.get("source")).get("display_name")),
        doi=text(work.get("doi")),
        url=web_address(place.get("landing_page_url"), work.get("doi"), work.get("id")),
        pdf=web_address(best.get("pdf_url"), place.get("pdf_url")),
        keywords=[plain(table(word).get("display_name")) for word in rows(work.get("keywords"))],
    )
    return found or skipped(web_address(work.get("id")) or "openalex")


def _abstract(index: Any) -> str:
    """The text behind an inverted index, {"word": [0, 5]}.

    >>> _abstract({"are": [1, 4], "Lists": [0], "short.": [5], "far": [10**9, None, -1], "odd": None, "short;": [2], "they": [3]})
    'Lists are short; they are short.'
    """
    places = [
        (place, word)
        for word, places in table(index).items()
        for place in rows(places)
        if isinstance(place, int) and not isinstance(place, bool) and 0 <= place < _LONGEST_ABSTRACT
    ]
    return plain(" ".join(word for _, word in sorted(places)))

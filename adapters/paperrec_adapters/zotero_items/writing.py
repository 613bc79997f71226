"""A paper as a new item, such as Zotero's own translators make it, which the web and the desktop take alike."""

from typing import Any

from paperrec.paper import Paper, identifiers
from paperrec.text import derive_title
from paperrec_adapters.zotero_items.extra import DERIVED, PUBLISHED, arxiv_line
from paperrec_adapters.zotero_items.kinds import Kind, kind_of
from paperrec_adapters.zotero_items.names import creators_of
from paperrec_adapters.zotero_items.wording import LONGEST_FIELD, LONGEST_NAME, cut_bytes, cut_characters, inert, one_line

_NAMES = {"abstractNote": "abstract", "proceedingsTitle": "venue", "publicationTitle": "venue", "repository": "venue"}  # for people
_WHOLE = frozenset(("DOI", "archiveID", "url"))  # a part of these would name something else


def new_item(paper: Paper, *, collections: list[str], tag: str, extra: str, citation_key: str = "") -> tuple[dict[str, Any], list[str]]:
    """The data of the item, without a key, and a short line for each thing that had to be cut or left out.

    The paper's own keywords are not written: a tag that somebody adds later is then a person's.

    Parameters
    ----------
    collections
        Keys of the collections to file it in.
    tag
        "" for none.
    extra
        One line more for Extra.
    citation_key
        In plain ASCII; "" for none.
    """
    named = dict(name.split(":", 1) for name in identifiers(paper))
    doi, arxiv_id = one_line(named.get("doi", "")), named.get("arxiv", "")
    kind = kind_of(paper, doi, arxiv_id)
    fields, notes = _within_limits(_texts(paper, kind, doi, arxiv_id, extra))
    creators, about_creators = creators_of(paper.authors)
    item: dict[str, Any] = {"itemType": kind.item_type, **fields}
    if citation_key:  # every type that a paper becomes has the field since schema 39, and what is older than that takes no writes
        item["citationKey"] = citation_key
    if creators:
        item["creators"] = creators
    if written := one_line(tag):
        item["tags"] = [{"tag": cut_characters(written)}]
        if len(written) > LONGEST_NAME:
            notes.append(f"tag cut to {LONGEST_NAME} characters")
    if collections:
        item["collections"] = list(collections)
    return item, notes + about_creators


def _texts(paper: Paper, kind: Kind, doi: str, arxiv_id: str, extra: str) -> dict[str, str]:
    """The fields of text, empty ones too."""
    abstract = one_line(paper.abstract)
    title = one_line(paper.title) or derive_title(abstract)
    derived = bool(title) and (paper.title_derived or not one_line(paper.title))
    of_arxiv = kind.item_type == "preprint" and arxiv_id and not doi
    elsewhere = inert(one_line(kind.elsewhere))
    lines = (
        arxiv_line(arxiv_id, paper.arxiv_class),
        DERIVED if derived else "",
        one_line(extra),
        f"{PUBLISHED}: {elsewhere}" if elsewhere else "",
    )
    return {
        "title": inert(title),
        "abstractNote": abstract,
        **({kind.field: inert(one_line(kind.venue))} if kind.field else {}),
        "archiveID": f"arXiv:{arxiv_id}" if of_arxiv else "",
        "date": str(paper.year) if paper.year and 1000 <= paper.year < 2200 else "",
        "DOI": f"10.48550/arXiv.{arxiv_id}" if of_arxiv else doi,
        "url": _address(paper, arxiv_id, of_arxiv=bool(of_arxiv)),
        "extra": "\n".join(filter(None, lines)),
    }


def _address(paper: Paper, arxiv_id: str, *, of_arxiv: bool) -> str:
    """Where the paper can be read; never an address that would make another work of it."""
    page = f"http://arxiv.org/abs/{arxiv_id}" if arxiv_id else ""
    if of_arxiv:
        return page
    pdf = "" if identifiers(Paper(url=paper.pdf)) else paper.pdf
    return next((address for address in (paper.url, page, pdf) if _is_web(address)), "")


def _is_web(address: str) -> bool:
    return address.lower().startswith(("http://", "https://")) and one_line(address) == address and " " not in address


def _within_limits(fields: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    kept: dict[str, str] = {}
    notes = []
    for field, text in fields.items():
        cut = cut_bytes(text)
        name = _NAMES.get(field, field)
        if cut != text and field in _WHOLE:
            notes.append(f"{name} left out: longer than {LONGEST_FIELD:,} bytes")
            continue
        if cut != text:
            notes.append(f"{name} cut to {LONGEST_FIELD:,} bytes")
        if cut:
            kept[field] = cut
    return kept, notes

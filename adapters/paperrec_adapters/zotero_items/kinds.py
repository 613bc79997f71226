"""Which type of item a paper becomes, and which of its fields holds the venue."""

import re
from dataclasses import dataclass

from paperrec.paper import Paper

_PROCEEDINGS = re.compile(
    r"\b(?:proceedings|proc\.|conference|conf\.|workshops?|symposi(?:um|a)|symp\.|congress|colloquium|annual meeting)", re.IGNORECASE
)
_CONFERENCE = re.compile(
    r"\b(?:conference|conf|workshops?|symposi(?:um|a)|symp|congress|colloquium|annual|meeting|\d+(?:st|nd|rd|th)|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
# Journals that bear the name; they meet nowhere
_JOURNAL = re.compile(
    r"\b(?:academy|society|institution|endowment)\b|\broyal\b|\bproc(?:eedings|\.) of the (?:ieee|acm on\b.*)$|^proceedings of the acm on\b"
    r"|^proc\. (?:acm|am|edinb|inst|lond|natl|phys|r)\b|^proc\. ieee$",
    re.IGNORECASE,
)
# Meetings whose short name stands alone in records
_MEETING = re.compile(
    r"(?:AAAI|ACL|AISTATS|CHI|CIKM|COLING|COLT|CoNLL|CoRL|CVPR|EACL|ECCV|ECIR|EMNLP|FOCS|ICASSP|ICCV|ICDE|ICDM|ICLR|ICML|ICRA|IJCAI"
    r"|INTERSPEECH|IROS|KDD|MICCAI|NAACL|NeurIPS|NIPS|OSDI|PLDI|POPL|RecSys|SIGCOMM|SIGGRAPH|SIGIR|SIGMOD|SODA|SOSP|STOC|UAI|WACV|WSDM"
    r"|WWW)(?:[ '’-]*(?:\d\d)?\d\d)?|Advances in Neural Information Processing Systems\b.*"
)

# How a DOI of a preprint server begins
_SERVERS = {
    "10.2139/ssrn": "SSRN",
    "10.5281/zenodo": "Zenodo",
    "10.20944/preprints": "Preprints.org",
    "10.21203/rs": "Research Square",
    "10.22541/au": "Authorea",
    "10.22541/essoar": "ESS Open Archive",
    "10.26434/chemrxiv": "ChemRxiv",
    "10.31219/": "OSF Preprints",
    "10.31222/": "MetaArXiv",
    "10.31223/": "EarthArXiv",
    "10.31234/": "PsyArXiv",
    "10.31235/": "SocArXiv",
    "10.35542/": "EdArXiv",
    "10.36227/techrxiv": "TechRxiv",
    "10.48550/": "arXiv",
}
_OPENRXIV = re.compile(r"10\.1101/(?:\d{4}\.\d\d\.\d\d\.)?\d{5,8}\b|10\.64898/")  # what else begins with 10.1101 are journals
_NAMED = re.compile(r"\b\w{0,8}rxiv\b|^(?:corr|ssrn\b.*|research square|preprints(?:\.org)?|osf preprints|zenodo|authorea)$", re.IGNORECASE)
_SPELT = {name.lower(): name for name in ("arXiv", "bioRxiv", "medRxiv", "ChemRxiv", "engrXiv", *_SERVERS.values())} | {
    "corr": "arXiv",
    "preprints": "Preprints.org",
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of item, and the venue in the field that this type has for it."""

    item_type: str
    field: str = ""  # "" if there is no venue
    venue: str = ""
    elsewhere: str = ""  # a venue for which the type has no field


def kind_of(paper: Paper, doi: str, arxiv_id: str) -> Kind:
    """What a paper is to Zotero.

    A preprint with the name of its server, a paper of proceedings or an article, by what DOI and venue say. What has neither is no more
    than a document, Zotero's type for what is not known any closer.

    Parameters
    ----------
    paper
        Its venue and address are looked at.
    doi
        "" if the only one is arXiv's.
    arxiv_id
        "" if there is none.
    """
    server = _server(paper.venue)
    if arxiv_id and not doi:
        return _preprint("arXiv", paper, server)
    if _OPENRXIV.match(doi):
        told = f"{paper.venue} {paper.url}".lower()
        return _preprint("medRxiv" if "medrxiv" in told else "bioRxiv" if "biorxiv" in told else "openRxiv", paper, server)
    if by_doi := next((name for begin, name in _SERVERS.items() if doi.startswith(begin)), ""):
        return _preprint(by_doi, paper, server)
    if server and not (doi and server == "arXiv"):
        return Kind("preprint", "repository", server)
    if server:  # published: where, its record does not say
        return Kind("journalArticle")
    if is_proceedings(paper.venue):
        return Kind("conferencePaper", "proceedingsTitle", paper.venue)
    if paper.venue:
        return Kind("journalArticle", "publicationTitle", paper.venue)
    return Kind("journalArticle" if doi else "document")


def _preprint(repository: str, paper: Paper, server: str) -> Kind:
    return Kind("preprint", "repository", repository, "" if server else paper.venue)


def _server(venue: str) -> str:
    """The preprint server that a venue is, or ""."""
    if not (found := _NAMED.search(venue.strip())):
        return ""
    name = found.group().lower()
    return "SSRN" if name.startswith("ssrn") else _SPELT.get(name, found.group())


def is_proceedings(venue: str) -> bool:
    """Whether a venue is a meeting or its proceedings; some journals are called proceedings too.

    >>> [is_proceedings(v) for v in ("Proceedings of the 9th Workshop on X", "ICML 2024", "Proceedings of the IEEE", "J. of X")]
    [True, True, False, False]
    """
    if _MEETING.fullmatch(venue.strip()):
        return True
    return bool(_PROCEEDINGS.search(venue)) and (bool(_CONFERENCE.search(venue)) or not _JOURNAL.search(venue))

"""A title for an abstract that came without one."""

import re

_END = re.compile(r"[.!?][\"”’')\]]{0,3}\s+(?=[\"“‘(\[]?[A-Z0-9À-ÖØ-ÞΑ-ΩА-Я])|[。！？]")
_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|al|etc|cf|vs|resp|approx|ca|Fig|Figs|Eq|Eqs|Sec|Tab|Ref|Refs|No|Nos|Vol|pp|Dr|Prof|Mr|Mrs|Ms|St|Jr|Sr|Inc|Ltd|Co|U\.S|w\.r\.t|a\.k\.a)"
    r"|(?:^|[\s(\"“])[A-Z])\.$"
)


def _sentences(text: str) -> list[str]:
    """The sentences of a plain text; "et al.", "e.g.", "Fig. 3" and initials end none."""
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        stop = end.start() + len(end.group().rstrip())
        if not _NO_END.search(text, max(start, end.start() - 12), end.start() + 1):
            found.append(text[start:stop].strip())
            start = end.end()
    found.append(text[start:].strip())
    return [s for s in found if s]


def _cut(text: str, limit: int) -> str:
    """The text up to a word's end within `limit` characters, and an ellipsis if something is missing."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    if " " in head[limit // 2 :]:
        head = head[: head.rindex(" ")]
    return head.rstrip(" ,;:–—-(") + "…"


def first_sentence(text: str, limit: int = 200) -> str:
    """The first sentence of a plain text, cut at a word with "…" where it is longer than `limit` characters.

    >>> first_sentence("As Doe et al. show, e.g. in Fig. 3, sheep walk. They also run.")
    'As Doe et al. show, e.g. in Fig. 3, sheep walk.'
    """
    sentences = _sentences(" ".join(text.split()))
    return _cut(sentences[0], limit) if sentences else ""


# A name that a paper gives its own work: two capitals or a capital inside, letters and digits, parts joined by hyphens
_NAME = (
    r"(?:[A-Za-z0-9]{0,12}[A-Z][A-Za-z0-9]{0,20}[A-Z0-9][A-Za-z0-9]{0,20}|[A-Z][a-z]{1,14})(?:[-+][A-Za-z0-9]{1,16}){0,3}[₀-₉⁰-⁹⁺²³]{0,2}"
)
_SURE_NAME = re.compile(r"(?=.*(?:[A-Z].*[A-Z]|[a-z0-9][A-Z]|[A-Z]\d))[A-Za-z0-9+₀-₉⁰-⁹⁺²³-]{2,40}$")
_SAYS = "introduce present propose develop design contribute release describe formulate build call name term dub".replace(" ", "|")
_OWN = re.compile(
    r"\b(?:[Ww]e|[Tt]his (?:paper|work|article|study)|[Hh]ere,? we)\b(?:,? \w+ly)?(?: (?:then|also|further|first|here|therefore|thus))?"
    rf" (?:{_SAYS})s?\b"
)
_BRACKETED = re.compile(rf"\(({_NAME})\)")
_APPOSED = re.compile(rf"(?:^|[\s:,])({_NAME})(?:, (?=(?:an?|the|our|which)\b)|: (?=[a-z])| \((?=[A-Za-z]))")
_CALLED = "called|named|dubbed|termed|namely|coined|denoted|referred to as|call it|name it"
_DUBBED = re.compile(rf"\b(?:{_CALLED})(?: as)?,? [“\"']?({_NAME})[”\"']?(?=[\s,.;:]|$)(?! [A-Z(])")
_KIND = re.compile(rf"\s*((?:an?|the|our) [^,;:.]{{4,80}}?),? (?:{_CALLED})")
_FARTHEST = 90  # characters behind "we propose" where a name still is what is proposed
_SMALL_WORDS = frozenset(["a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "of", "on", "or", "the", "to", "via", "with"])
_CLAUSE_END = re.compile(r"[,;:.] |\.$| (?:that|which|where|whose|by|to|for|in|with|using|based)\b| –| —")


def derive_title(abstract: str, limit: int = 120) -> str:
    """A title for a plain-text abstract: the name that it gives its own work, with what the name stands for; else its first sentence.

    >>> derive_title("Sheep wander. We propose Herd Aware Routing (HAR), a planner for shepherds that saves steps.")
    'HAR: Herd Aware Routing'
    >>> derive_title("Sheep wander. We present FlockNet, a planner for shepherds that saves steps.")
    'FlockNet: a planner for shepherds that saves steps'
    """
    text = " ".join(abstract.split())
    sentences = _sentences(text)
    for sentence in sentences:
        if (own := _OWN.search(sentence)) and (title := _named(sentence[own.end() :], limit)):
            return title
    return _cut(sentences[0], limit).rstrip(".") if sentences else ""


def _named(said: str, limit: int) -> str:
    """The title in what follows "we propose": the first name in it that is named with certainty, or ""."""
    titles: list[tuple[int, str]] = []
    for found in _BRACKETED.finditer(said):
        name = found.group(1)
        if _SURE_NAME.match(name) and (expansion := _expansion(said[: found.start()], name)):
            if (start := found.start() - len(expansion)) < _FARTHEST:
                titles.append((start, f"{name}: {expansion}"))
            break
    for pattern in (_APPOSED, _DUBBED):
        for found in pattern.finditer(said, 0, _FARTHEST + 60):
            if found.start() < _FARTHEST and _SURE_NAME.match(found.group(1)) and (title := _with_gloss(found, said)):
                titles.append((found.start(), title))
                break
    return _cut(min(titles)[1], limit) if titles else ""


def _expansion(before: str, name: str) -> str:
    """The words right before "(NAME)" whose initials are the name's letters, or "" if they are not."""
    letters = [c.lower() for at, c in enumerate(name) if c.isupper() or c.isdigit() or (not at and name[1:2].isupper())]
    wanted, words, taken = list(letters), before.split(), list[str]()
    while words and wanted and len(taken) < 12:
        word = words.pop()
        taken.insert(0, word)
        bare = word.strip("“”\"',")
        if len(bare) > 1 and bare.isupper() and "".join(wanted).endswith(bare.lower()):
            del wanted[-len(bare) :]
            continue
        initials = [piece[0].lower() for piece in re.split(r"[-–/]", bare) if piece]
        if bare.lower() in _SMALL_WORDS and wanted[-1] != bare[0].lower():
            continue
        while wanted and wanted[-1] in initials:
            initials = initials[: len(initials) - 1 - initials[::-1].index(wanted[-1])]
            wanted.pop()
    while taken and taken[0].lower() in _SMALL_WORDS:
        taken.pop(0)
    named = len(wanted) <= len(letters) // 4 and (len(taken) > 1 or "-" in "".join(taken))
    return " ".join(taken).strip("“”\"', ") if named else ""


def _with_gloss(found: "re.Match[str]", said: str) -> str:
    """NAME with what the text says it is; "" where the bracket behind it shows that it is no name."""
    name, rest = found.group(1), said[found.end() :]
    if found.re is _DUBBED:
        kind = _KIND.match(said)
        return f"{name}: {kind.group(1)}" if kind else name
    if said[found.end() - 1] == "(":
        gloss = rest.partition(")")[0]
        return f"{name}: {gloss}" if 3 < len(gloss) < 80 and not _SURE_NAME.match(gloss) else ""
    if spelt := _expansion(said[: found.start(1)], name):
        return f"{name}: {spelt}"
    end = _CLAUSE_END.search(rest, 25)
    gloss = (rest[: end.start()] if end else rest).strip(" .,")
    return f"{name}, {gloss}" if gloss.startswith("which") else f"{name}: {gloss}"

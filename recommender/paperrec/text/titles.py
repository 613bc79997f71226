"""A title for an abstract that came without one."""

import re
from collections.abc import Iterator

from paperrec.text.names import name_in
from paperrec.text.sentences import cut, split_sentences

_LONGEST = 10_000  # characters of an abstract that are read for a title
_ADVERB = r"(?:,? (?:\w+ly|then|also|further|first|here|therefore|thus|hence|instead|now))?"
_WORK = rf"\b(?:[Ww]e|[Tt]his (?:paper|work|article|study|report)){_ADVERB}"
_PROPOSES = (
    r"(?:introduce|present|propose|develop|design|contribute|release|describe|formulate|build|devise|create|construct|call|name)s?\b"
)
# "We propose", "we fill the gap by proposing", "we study what fails and propose"
_OWN = re.compile(
    rf"{_WORK} {_PROPOSES}|{_WORK} \w[^.]{{0,120}}?\bby (?:introducing|presenting|proposing|developing|designing)\b"
    rf"|{_WORK} \w.{{1,250}}?\band{_ADVERB} {_PROPOSES}"
)
_FILLS = re.compile(
    rf"{_WORK} (?:address|tackle|instantiate|fill|close|bridge|reali[sz]e|implement|resolve|meet)(?:e?s)?\b[^.;]{{0,80}}?"
    r" (?:with|as|through|via)\b"
)
_OUR_NAMED = re.compile(
    r"\b[Oo]ur (?:\w+ )?(?:approach|method|framework|model|system|algorithm|solution|benchmark|dataset),(?= [^\s,]{2,40},)"
)
_STUDIES = re.compile(
    rf"{_WORK} (?:stud(?:y|ie)|examine|investigate|explore|analy[sz]e|consider|revisit|characteri[sz]e|provide|give|derive)s?\b"
    r"|\b[Oo]ur (?:\w+ ){0,2}contribution is\b"
)
_FINDS = re.compile(rf"{_WORK} (?:show|prove|find|demonstrate|establish|observe|argue|reveal|discover|conclude)s?{_ADVERB} that\b")

_SHORT_BRACKET = re.compile(r" \([^()\s]{1,30}\)")  # an acronym, a citation's number
_CLAUSE_END = re.compile(
    r"[;:] | [–—-] |—| \(|, (?:which|where|while|whose|who|when|that|by|so|thus|thereby|in|as|with|without|to|but|yet|namely|called|termed"
    r"|named|particularly|especially|including|e\.g|i\.e|an?|the|our|we|along|even|both|then"
    r"|\w+ing(?!,| and| or))\b|,? and (?:we|then|show|prove|develop|introduce|propose|present|demonstrate|study|obtain|provide)\b"
)
_SOFT_END = re.compile(
    r" (?:that|which|to|by|via|for|with|using|through|while|under|where|from|across|when|without|based on|toward|towards|in|on|over)\b"
)
_SHORTEST_CLAUSE = 25  # characters before a clause may end
_SHORTEST_TITLE = 28
_DANGLING = re.compile(r"(?: (?:an?|the|any|all|each|some|and|or|of|for|to|in|on|at|by|as|with|from|towards?|its|their))+$")
# What stands for something said before, or only begins a sentence, is no title
_DEPENDENT = re.compile(r"\b(?:this|these|those|such|it|them|they|former|latter)\b")
_NO_BEGINNING = re.compile(
    r"(?:to|for|in|on|under|with|when|if|by|while|although|as|at|from|there|its?|their|that|further|additional|some|several|[a-z]+ly)\b"
)
_EMPTY_BEGINNING = re.compile(r"(?:the )?(?:problem|task|question|setting|issue|use) of (?=\w)")


def derive_title(abstract: str, limit: int = 120) -> str:
    """A title for a plain-text abstract, at most `limit` characters long; never empty for a text that has a word.

    In this order: the name that the work gives to what it proposes, with what the name stands for or what it is; what the work says
    that it proposes or studies; what it says that it finds; its first sentence.

    >>> derive_title("Sheep wander. We propose Herd Aware Routing (HAR), a planner for shepherds that saves steps.")
    'HAR: Herd Aware Routing'
    >>> derive_title("Sheep wander. We present FlockNet, a planner for shepherds that saves steps.")
    'FlockNet: a planner for shepherds that saves steps'
    >>> derive_title("Sheep wander. Here we study the paths of sheep on steep hills, using bells.")
    'The paths of sheep on steep hills'
    """
    text = " ".join(abstract.split())[:_LONGEST]
    sentences = split_sentences(text)
    if not sentences:
        return ""
    for name, gloss in _names(text, sentences):
        is_what = re.search(rf"(?<![\w-]){re.escape(name)} is (?=an? )", text)
        return _with_gloss(name, gloss or (text[is_what.end() :] if is_what else ""), sentences, limit)
    return _said(sentences, limit) or cut(sentences[0], limit).rstrip(".") or text[:limit]


def _names(text: str, sentences: list[str]) -> Iterator[tuple[str, str]]:
    """Each name that the work gives to what it proposes, and what it says the name is ("" if nothing)."""
    position = 0
    for sentence in sentences:
        position = text.find(sentence, position)
        for opening in (_OWN, _FILLS, _OUR_NAMED):
            for found in opening.finditer(sentence):
                named = name_in(sentence[found.end() :].lstrip(" ,:"), at_once=opening is not _OWN)
                # A name that was spoken of before is another's; so may be one that fills a gap, unless the abstract goes on about it
                if named and not _times(named[0], text[: position + found.end()]) and (opening is not _FILLS or _times(named[0], text) > 1):
                    yield named


def _times(name: str, text: str) -> int:
    return len(re.findall(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text))


def _with_gloss(name: str, gloss: str, sentences: list[str], limit: int) -> str:
    room = limit - len(name) - 2
    if room < _SHORTEST_CLAUSE:
        return cut(name, limit)
    gloss = _clause(gloss, room)
    if not gloss:
        gloss = _said(sentences, room)
        if name in gloss:
            return gloss
        gloss = gloss[:1].lower() + gloss[1:] if gloss[1:2].islower() else gloss
    if not gloss:
        return name
    return f"{name}, {gloss}" if gloss.startswith("which") else f"{name}: {gloss}"


def _said(sentences: list[str], limit: int) -> str:
    """What the work says it proposes, studies or finds, worded as a title, or ""; an abstract that opens with it means it most."""
    for openings, among in (((_OWN, _STUDIES), sentences[:1]), ((_OWN,), sentences), ((_STUDIES,), sentences), ((_FINDS,), sentences)):
        for sentence in among:
            for found in (found for opening in openings for found in opening.finditer(sentence)):
                said = _EMPTY_BEGINNING.sub("", sentence[found.end() :].lstrip(" ,:"), count=1)
                title = _clause(said, limit)
                if len(title) >= _SHORTEST_TITLE and not _DEPENDENT.search(title) and not _NO_BEGINNING.match(title):
                    return title[0].upper() + title[1:] if title.split(" ", 1)[0].islower() else title
    return ""


def _clause(said: str, limit: int) -> str:
    """The beginning of a sentence's rest that can stand alone: up to a clause's end, or to a lesser joint where that is too long."""
    said = _SHORT_BRACKET.sub("", said)
    end = _CLAUSE_END.search(said, _SHORTEST_CLAUSE)
    clause = _DANGLING.sub("", (said[: end.start()] if end else said).strip(" .,;:"))
    if len(clause) <= limit:
        return clause
    joints = [joint.start() for joint in _SOFT_END.finditer(clause, limit * 2 // 3, limit + 1)]
    return _DANGLING.sub("", clause[: joints[-1]]) if joints else cut(clause, limit)

"""The name that a sentence gives to what it proposes, as in "we propose NAME, a ..." or "... Long Name (LN)"."""

import re

# Two capitals or a capital inside, letters and digits, parts joined by hyphens; a single capital alone is a word like any other
_NAME = (
    r"(?:[A-Za-z0-9]{0,12}[A-Z][A-Za-z0-9]{0,24}|[A-Za-z0-9]{1,24}(?=[-+][A-Za-z0-9]{0,12}[A-Z]))"
    r"(?:[-+][A-Za-z0-9]{1,16}){0,3}[+₀-₉⁰-⁹²³]{0,2}"
)
_SURE_NAME = re.compile(r"(?=.*(?:[A-Z].*[A-Z]|[a-z0-9][A-Z]|[A-Z].*[\d₀-₉⁰-⁹²³]))[A-Za-z0-9+₀-₉⁰-⁹²³-]{2,40}$")
# Common ground of the field: an abstract that spells one of these out does not propose it
_NOT_OWN = frozenset(
    """
    AI ML DL RL NLP CV LLM VLM MLLM VLA LM GNN GCN GAT CNN RNN LSTM GRU GAN VAE MLP DNN NN SVM PCA ICA SGD GPU CPU TPU KG KGE QA VQA RAG SFT
    RLHF RLVR DPO PPO GRPO MDP POMDP ICL CoT MoE KV KL ODE PDE SDE MCMC EM GP BO NAS HPO FL DP IoT API SQL OOD IID MSE ViT BERT GPT GPT-2
    GPT-3 GPT-4 CLIP T5 LLaMA ResNet SAM LoRA NeRF 3DGS ImageNet PEFT OCR ASR TTS NMT NER IR CTR SOTA FTRL UQ XAI EEG MRI CT
    """.split()
)
_CALLED = (
    r"(?:(?:which|that) )?(?:we (?:call|name|term|dub|refer to as|denote(?: by)?)|called|named|dubbed|termed|namely|coined|denoted(?: by)?"
    r"|referred to as|nicknamed|entitled)(?: as)?,?"
)
_BRACKETED = re.compile(rf"\((?:[Tt]he )?({_NAME})\)")
_APPOSED = re.compile(rf"(?<![^\s\"“‘(])({_NAME})[\"”’]?(?:, (?=(?:an?|the|our|which|one)\b)|: (?=[a-z])| \((?=[A-Za-z]))")
_BETWEEN_COMMAS = re.compile(rf"((?:an?|the|our) [^,]{{4,60}}), ({_NAME}),")
_DUBBED = re.compile(rf"\b{_CALLED} [\"“‘']?({_NAME})(?![\w-])(?! [A-Z(])")
_SPELT = re.compile(rf", ({_NAME})(?=[,;:]|\.$)")
_BARE = re.compile(rf"(?:the )?[\"“‘']?({_NAME})[\"”’']?(?=[.,;:]|$| (?:that|which|to|for|as|in|on|and|with|by)\b)")
_WORDS = re.compile(r"(?:the )?((?:[A-Z][\w-]{1,24} ){1,5}[A-Z][\w-]{1,24}|[A-Z][a-z]{2,14}), (?=an? )")
_FARTHEST = 100  # characters behind "we propose" where a name still is that of what is proposed
_READ = 400
_PREPOSITION = re.compile(r"\b(?:for|to|of|on|upon|with|from|using|in|by|over|than|via|that|which|and|against|like)\b")
_ENDS_CALLED = re.compile(rf"\b{_CALLED} ?$")
_SMALL_WORDS = frozenset("a an and as at by for from in into of on or the to via with".split())
_FOREIGN = re.compile(r"et al|\b(?:19|20)\d\d\b|^(?:see|e\.g|i\.e|cf|ours|code|Section|Sec|Fig|Table|Appendix)\b|http")
_INITIALS = re.compile(r"^\w|(?<=[-–/])\w|[A-Z0-9]")
_MOST_WORDS = 12


def name_in(said: str, at_once: bool = False) -> tuple[str, str] | None:
    """The name and what the text says it is or stands for ("" if nothing), in what follows "we propose"; None without a certain name.

    `at_once`: the name must come first, as after "we fill this gap with".

    >>> name_in("a planner for shepherds called FlockNet.")
    ('FlockNet', 'a planner for shepherds')
    >>> name_in("a way to herd sheep with BERT, a language model.")
    """
    said = said[:_READ]
    found = [*_by_initials(said), *_by_apposition(said), *_by_call(said), *_by_itself(said)]
    farthest = 4 if at_once else _FARTHEST
    near = [(start, not gloss, name, gloss) for start, name, gloss in found if start <= farthest and not _is_common(name)]
    return min(near)[2:] if near else None


def _is_common(name: str) -> bool:
    return name in _NOT_OWN or name.removesuffix("s") in _NOT_OWN


def _is_what_is_proposed(between: str) -> bool:
    """Whether only a kind of thing stands between "we propose" and the name: in "a way to train" the name is another's."""
    return not _PREPOSITION.search(between) or bool(_ENDS_CALLED.search(between))


def _by_initials(said: str) -> list[tuple[int, str, str]]:
    """`... Herd Aware Routing (HAR)` and `... Herd Aware Routing, HAR,`."""
    found: list[tuple[int, str, str]] = []
    for pattern in (_BRACKETED, _SPELT):
        for place in pattern.finditer(said):
            name = place.group(1)
            if not _SURE_NAME.match(name) or not (expansion := _expansion(said[: place.start()], name)):
                continue
            start = said.rfind(expansion, 0, place.start())
            if pattern is _SPELT or _is_what_is_proposed(said[:start]):
                found.append((start, name, expansion))
            break
    return found


def _by_apposition(said: str) -> list[tuple[int, str, str]]:
    """`NAME, a planner ...`, `NAME (Herd Aware Routing)`, `Herd Aware Routing HAR, a planner ...`."""
    for place in _APPOSED.finditer(said, 0, _FARTHEST + 60):
        name, start, gloss = place.group(1), place.start(1), said[place.end() :]
        if not _SURE_NAME.match(name):
            continue
        if expansion := _expansion(said[: place.start(1)], name):
            start, gloss = said.rfind(expansion, 0, start), expansion
        elif said[place.end() - 1] == "(":
            gloss = gloss.partition(")")[0]
            if _FOREIGN.search(gloss) or not 3 < len(gloss) < 80:
                return []
        return [(start, name, gloss)] if _is_what_is_proposed(said[:start]) else []
    if (kind := _BETWEEN_COMMAS.match(said)) and _SURE_NAME.match(kind.group(2)) and _is_what_is_proposed(kind.group(1)):
        return [(kind.start(2), kind.group(2), kind.group(1))]
    if words := _WORDS.match(said):
        return [(0, words.group(1), said[words.end() :])]
    return []


def _by_call(said: str) -> list[tuple[int, str, str]]:
    """`a planner called NAME`."""
    place = _DUBBED.search(said, 0, _FARTHEST + 60)
    if not place or not _SURE_NAME.match(place.group(1)):
        return []
    kind = said[: place.start()].strip(" ,")
    return [(place.start(), place.group(1), kind if re.match(r"(?:an?|the|our) \w{3}", kind) else "")]


def _by_itself(said: str) -> list[tuple[int, str, str]]:
    """`NAME.` and `NAME for ...`, with nothing yet about what it is."""
    bare = _BARE.match(said)
    return [(0, bare.group(1), "")] if bare and _SURE_NAME.match(bare.group(1)) else []


def _expansion(before: str, name: str) -> str:
    """The words right before a name whose initials are its letters, or "" if they are not."""
    letters = [c.lower() for at, c in enumerate(name) if c.isupper() or c.isdigit() or (not at and name[1:2].isupper())]
    wanted, words = list(letters), before.rstrip(" ,").split()[-_MOST_WORDS:]
    first = len(words)  # the earliest word that gave a letter
    for at in range(len(words) - 1, -1, -1):
        if not wanted or first - at > 2:
            break
        bare = words[at].strip("“”\"'‘’,()")
        if bare.lower() in _SMALL_WORDS and wanted[-1] != bare[0].lower():
            continue
        n_wanted = len(wanted)
        wanted = _without_initials(wanted, bare)
        if len(wanted) < n_wanted:
            first = at
    spelt = words[first:]
    begins = spelt and spelt[0].lstrip("“\"'‘(")[:1].lower() == letters[0]
    if not begins or len(wanted) > len(letters) // 4 or (len(spelt) < 2 and "-" not in spelt[0]):
        return ""
    return " ".join(spelt).strip("“”\"'‘’, ")


def _without_initials(wanted: list[str], word: str) -> list[str]:
    """The letters that are still to be found after a word has given its own, from the last on."""
    if len(word) > 1 and word.isupper() and "".join(wanted).endswith(word.lower()):
        return wanted[: -len(word)]
    initials = [c.lower() for c in _INITIALS.findall(word)]
    while wanted and wanted[-1] in initials:
        initials = initials[: len(initials) - 1 - initials[::-1].index(wanted[-1])]
        wanted = wanted[:-1]
    return wanted

"""What of a text may be shown: no character that steers a terminal, turns the reading direction or cannot be seen."""

import re

# Patterns that are compiled, and then kept by `re`, at the first text that needs them: few do, and a call for help never
# Escape sequences go whole: CSI, OSC and its kin up to their end, two-byte ones
ESCAPES = (
    "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]?"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])(?:[^\x07\x1b\x9c]{0,2048}(?:\x07|\x1b\\\\|\x9c))?"
    "|\x1b[ -/]{0,8}[0-~]?"
)
# Controls, the soft hyphen, bidi marks and isolates, invisible blanks, lone surrogates, no characters
_UNSEEN = "\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
# The two joiners stay behind letters of the scripts (and emoji) that are wrong without them
_JOINED = "\u0590-\u061b\u061d-\u180d\u180f-\u1fff\u2c00-\ud7ff\uf900-\ufe0f\U00010000-\U0010ffff"
INVISIBLE = f"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f{_UNSEEN}]|(?<![{_JOINED}])[\u200c\u200d]+"
_BREAKS = "[\t\n\x0b\x0c\r\x85\u2028\u2029]+"
SUSPECT = f"[\x00-\x1f\x7f-\x9f\u200c\u200d\u2028\u2029{_UNSEEN}]"


def printable(text: str) -> str:
    r"""What of a text may go to a terminal or a log: one line, without control, escape, bidi and invisible characters.

    >>> printable("red \x1b[31mnews\x1b]8;;https://example.org\x07\n\u202eabc")
    'red news abc'
    """
    if _is_harmless(text):
        return text
    return re.sub(INVISIBLE, "", re.sub(_BREAKS, " ", re.sub(ESCAPES, "", text)))


def visible(text: str) -> str:
    """The text without its escape sequences and invisible characters; its line breaks stay."""
    if _is_harmless(text):
        return text
    return re.sub(INVISIBLE, "", re.sub(ESCAPES, "", text))


def _is_harmless(text: str) -> bool:
    # Nothing that is suspect is printable to Python either, which tells it in half the time
    return text.isprintable() or not re.search(SUSPECT, text)

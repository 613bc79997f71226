"""One line with single blanks."""

import unicodedata


def tidy_line(text: str) -> str:
    """The text with composed letters, and one blank for each run of white space but none at its ends.

    >>> tidy_line(" two\\n  words ")
    'two words'
    """
    text = unicodedata.normalize("NFC", text)
    # The blank is the only white space that is printable
    if text.isprintable() and "  " not in text and not text.startswith(" ") and not text.endswith(" "):
        return text
    return " ".join(text.split())

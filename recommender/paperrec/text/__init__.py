"""Text from anywhere as plain Unicode words, and what of it may be shown where. Pure: no files, no clock.

Every public name is loaded on first use: what only prints does not pay for the tables of LaTeX.
"""

TYPE_CHECKING = False  # what type checkers take for true, without the cost of importing typing
if TYPE_CHECKING:
    from typing import Any

    from paperrec.text.plain import plain_text as plain_text
    from paperrec.text.printing import printable as printable
    from paperrec.text.sentences import first_sentence as first_sentence
    from paperrec.text.symbols import accent_commands as accent_commands
    from paperrec.text.titles import derive_title as derive_title

_HOMES = {
    "accent_commands": "symbols",
    "derive_title": "titles",
    "first_sentence": "sentences",
    "plain_text": "plain",
    "printable": "printing",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> "Any":
    if name not in _HOMES:
        raise AttributeError(f"module 'paperrec.text' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"paperrec.text.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)

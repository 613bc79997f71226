"""Reading .bib files, block by block, and adding to them without touching what is there."""

from typing import TYPE_CHECKING, Any

from paperrec_adapters.bibtex.source import BibtexSource

if TYPE_CHECKING:
    from paperrec_adapters.bibtex.sink import BibtexSink

__all__ = ["BibtexSink", "BibtexSource"]


def __getattr__(name: str) -> Any:
    if name == "BibtexSink":  # loaded when something is to be written
        from paperrec_adapters.bibtex.sink import BibtexSink

        return BibtexSink
    raise AttributeError(name)

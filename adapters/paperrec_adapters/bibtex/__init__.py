"""Reading .bib files: decoded, cut into blocks, each block for itself; nothing a file holds can cost more than itself."""

from paperrec_adapters.bibtex.source import BibtexSource

__all__ = ["BibtexSource"]

"""What bare words stand for, and how much text a file may grow by them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from paperrec_adapters.bibtex.limits import FEWEST_NAMES, MOST_ADDED, MOST_NAMES, MOST_NAMES_IN_ALL

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
MONTHS = {name: str(n) for n, month in enumerate(_MONTHS, 1) for name in (month, month[:3])}


@dataclass(slots=True)
class Allowance:
    """What one file may still grow by: without an end, 400 bytes could become gigabytes."""

    left: int = MOST_ADDED  # characters from macros and parents
    names_left: int = MOST_NAMES_IN_ALL

    def spend(self, n_characters: int) -> bool:
        """Take some of it; False if it is used up."""
        self.left -= n_characters
        return self.left > 0

    def n_names(self) -> int:
        """How many authors of the next entry may be read."""
        return min(MOST_NAMES, max(FEWEST_NAMES, self.names_left))


class Macros(Mapping[str, str]):
    """The months and a file's `@string`s, by name in lower case; when the allowance is used up, a name stands for itself."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._values = dict(MONTHS)

    def define(self, name: str, value: str) -> None:
        self._values[name.lower()] = value

    def __getitem__(self, name: str) -> str:
        value = self._values[name]
        return value if self._allowance.spend(len(value)) else name

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

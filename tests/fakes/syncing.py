"""A fake Zotero with a sink and a source on it, as one person's runs use them, and what others do there meanwhile."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fakes.zotero import FakeZotero, Fault, Library, Request
from paperrec.history import History
from paperrec.paper import Paper
from paperrec.ports import Batch, Context, Written
from paperrec.recommendation import Feedback
from paperrec.testing import recommendations
from paperrec_adapters.zotero import ZoteroSink, ZoteroSource

NOW = datetime(2026, 3, 1, 6, 30, tzinfo=UTC)
KEY = "k3yk3yk3y"
COLLECTION = "To read"
FIRST = Paper(key="a", title="Walks of sheep on steep slopes", abstract="We follow sheep.", authors=("Doe, Ann",), doi="10.5555/a")
SECOND = Paper(key="b", title="Goats in the mountains of Crete", abstract="We count goats.", authors=("Roe, Bo",), arxiv_id="2601.00002")


@dataclass(frozen=True, slots=True)
class Meanwhile(Fault):
    """Nothing goes wrong, but just before the request is answered somebody does something."""

    does: Callable[[], object] = lambda: None
    met: list[Request] = field(default_factory=list)

    def is_about(self, request: Request) -> bool:
        """Never; but the deed is done when the request's turn has come."""
        if Fault.is_about(self, request):
            self.met.append(request)
            if self.nth in (0, len(self.met)):
                self.does()
        return False


class Desk:
    """A fake Zotero and the runs against it, whose history and cache can be lost.

    Attributes
    ----------
    place
        The library, as a locator has it after "zotero:".
    """

    def __init__(self, zotero: FakeZotero, folder: Path) -> None:
        self.zotero, self.folder, self.n_lost = zotero, folder, 0
        self.web = zotero.state.dialect == "web"
        zotero.add_key(KEY)
        zotero.add_local_key(KEY)
        self.library: Library = zotero.library("users/1")
        self.place = "web" if self.web else "local"
        self.last_run = ""

    @property
    def state(self) -> Path:
        """The folder of history and cache."""
        return self.folder / f"state{self.n_lost}"

    @contextmanager
    def context(self, what: str = "sync", **wishes: str) -> Iterator[Context]:
        """What a run gives its adapters; `wishes` are services besides, or instead of, those that work."""
        services = {"zotero_url": self.zotero.url, "zotero_local_url": self.zotero.url, "web_pause_seconds": "0.001", "today": "2026-03-01"}
        keys = {"zotero_api_key": KEY, "zotero_local_key": KEY}
        with History.opened(self.state, NOW, what) as history:
            self.last_run = history.run
            yield Context(cache_dir=self.state / "cache", services={**services, **keys, **wishes}, journal=history)

    def write(self, *papers: Paper, collection: str = COLLECTION, dry_run: bool = False, **wishes: str) -> Written:
        """A run that recommends these papers."""
        with self.context(**wishes) as context:
            sink = ZoteroSink.open(f"{self.place}/collections/{collection}", context)
            return sink.write(recommendations(papers), dry_run=dry_run)

    def feedback(self, collection: str = COLLECTION, **wishes: str) -> dict[str, bool]:
        """What the next run hears: whether the user liked it, by title."""
        return {word.paper.title: word.relevant for word in self.words(collection, **wishes) if word.paper}

    def words(self, collection: str = COLLECTION, **wishes: str) -> tuple[Feedback, ...]:
        """What the next run hears."""
        with self.context(**wishes) as context:
            return tuple(ZoteroSink.open(f"{self.place}/collections/{collection}", context).feedback())

    def undo(self, run: str, *, collection: str = COLLECTION, dry_run: bool = False) -> Written:
        """Take a run back."""
        with self.context("undo") as context:
            return ZoteroSink.open(f"{self.place}/collections/{collection}", context).undo(run, dry_run=dry_run)

    def read(self, **wishes: str) -> Batch:
        """The library as a profile is made of it."""
        with self.context(**wishes) as context:
            return ZoteroSource.open(self.place, context).read()

    def lose_state(self) -> None:
        """Lose history and cache."""
        self.n_lost += 1

    def titles(self) -> list[str]:
        """Of the living items that are in a collection."""
        items = self.library.items.values()
        return sorted(i.data["title"] for i in items if i.data.get("collections") and not i.data.get("deleted"))

    def key_of(self, paper: Paper) -> str:
        """Key of the item with a paper's title."""
        return next(key for key, item in self.library.items.items() if item.data.get("title") == paper.title)

    def item(self, paper: Paper) -> dict[str, Any]:
        """The data of that item."""
        return self.library.items[self.key_of(paper)].data

    def collection(self, name: str = COLLECTION) -> str:
        """Key of the living collection of that name."""
        found = [k for k, c in self.library.collections.items() if c.data["name"] == name and not c.data.get("deleted")]
        return found[0] if len(found) == 1 else f"{len(found)} are called so"

    def n_writes(self) -> int:
        """How many writes came in so far."""
        return len(self.zotero.writes())

    def file_elsewhere(self, paper: Paper, name: str = "Mine") -> None:
        """What a person does who likes a paper."""
        shelf = self.library.put_collection(name)
        self.library.edit(self.key_of(paper), collections=[*self.item(paper)["collections"], shelf])

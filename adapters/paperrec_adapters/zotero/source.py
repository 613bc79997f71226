"""A Zotero library as papers."""

from dataclasses import dataclass
from typing import Self

from paperrec.errors import NoInputError, SettingsError
from paperrec.ports import Batch, Context, Problem
from paperrec_adapters.zotero.connecting import cache_of, connect
from paperrec_adapters.zotero.outcome import is_untouched
from paperrec_adapters.zotero.places import Place
from paperrec_adapters.zotero.plan import TAG
from paperrec_adapters.zotero.reading import read_library
from paperrec_adapters.zotero.snapshot import Children, collection_paths
from paperrec_adapters.zotero_items import is_paper, paper_of

_NO_TEXT = "neither title nor abstract; skipped"


@dataclass(frozen=True, slots=True)
class ZoteroSource:
    """A library on the web or on this computer, without the trash."""

    place: Place
    context: Context

    @classmethod
    def open(cls, rest: str, context: Context) -> Self:
        """The source behind `zotero:rest`; asks nobody yet."""
        place = Place.parse(rest)
        if place.collection:
            raise SettingsError(f"zotero:{rest}: a library is read whole; choose collections of it with --in")
        return cls(place, context)

    def read(self) -> Batch:
        """Every item that is a paper and has a title or an abstract, in the order of keys.

        Raises
        ------
        NoInputError
            There is none.
        DeniedError, ServiceError
            The library may not be read, or cannot.
        """
        service = connect(self.place, self.context)
        snapshot = read_library(service, cache_of(service, self.context))
        paths, tag = collection_paths(snapshot.collections), self.context.services.get("zotero_tag", TAG)
        papers, problems, n_untouched, children = [], [], 0, Children(snapshot.items)
        for key, item in sorted(snapshot.items.items()):
            if not is_paper(item["data"]):
                continue
            if is_untouched(item, children, tag):
                n_untouched += 1
                continue
            paper = paper_of(item, paths)
            if paper.title or paper.abstract:
                papers.append(paper)
            else:
                problems.append(Problem(f"{service.name}/items/{key}", f"{key}: {_NO_TEXT}", "no-text", left_out=True))
        if n_untouched:
            why = f"{n_untouched:,} recommended papers lie there untouched; they say nothing of your taste as yet"
            problems.append(Problem(service.name, why, "untouched"))
        if not papers:
            raise NoInputError(f"{service.name}: holds no paper with a title or an abstract, but {len(snapshot.items):,} other items")
        return Batch(tuple(papers), tuple(problems))

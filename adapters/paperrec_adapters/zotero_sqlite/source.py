"""The library in a database of Zotero as papers."""

from typing import Self

from paperrec.errors import NoInputError
from paperrec.ports import Batch, Context, Located, Problem
from paperrec.text import printable
from paperrec_adapters.zotero_items import PAPER_FIELDS, is_paper, paper_of
from paperrec_adapters.zotero_sqlite.items import collection_paths, read_items
from paperrec_adapters.zotero_sqlite.libraries import chosen_library
from paperrec_adapters.zotero_sqlite.locating import Place
from paperrec_adapters.zotero_sqlite.opening import opened

_NO_TEXT = "neither title nor abstract; skipped"


class ZoteroDatabaseSource(Located):
    """One library of a zotero.sqlite, read from a private copy, so that Zotero may run.

    `zotero-sqlite:` and `zotero-sqlite:auto` find the database that Zotero uses, `zotero-sqlite:PATH` names it or its folder. The library
    is the user's own, with `?groups/ID` behind the path that of a group, with `?users/ID` the user's if it is that user.
    """

    @classmethod
    def open(cls, rest: str, context: Context) -> Self:
        """The source behind `zotero-sqlite:rest`; looks for nothing yet.

        Raises
        ------
        SettingsError
            The library is named in no known form.
        """
        Place.parse(rest)
        return cls(rest, context)

    def read(self) -> Batch:
        """Every item that is a paper and has a title or an abstract, in the order of keys.

        Raises
        ------
        NoInputError
            There is none, or no database that can be read.
        DiskError, WriteError
            There is no room for the copy.
        """
        place = Place.parse(self.rest)
        database = place.database(self.context.services.get("zotero_db_path", ""))
        name = printable(str(database))
        with opened(database) as connection:
            library = chosen_library(connection, place, name)
            paths = collection_paths(connection, library.number)
            items = read_items(connection, library.number, paths, PAPER_FIELDS)
        papers, problems = [], []
        for item in items:
            if not is_paper(item["data"]):
                continue
            paper = paper_of(item, paths)
            if paper.title or paper.abstract:
                papers.append(paper)
            else:
                key = printable(item["key"])
                problems.append(Problem(f"{library.link}{key}", f"{key}: {_NO_TEXT}", "no-text", left_out=True))
        if not papers:
            raise NoInputError(f"{name}: holds no paper with a title or an abstract, but {len(items):,} other items")
        return Batch(tuple(papers), tuple(problems))

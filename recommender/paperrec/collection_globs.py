"""Which collections of the library count: globs on collection paths such as `PhD/Ch 2/**`."""

import difflib
import re
from collections.abc import Sequence

from paperrec.errors import SettingsError
from paperrec.paper import Paper


def matches(pattern: str, path: str) -> bool:
    """Whether a collection path fits a glob; `*` stays within one level, `**` spans levels, and `A/**` is A and all below it.

    >>> matches("PhD/**", "PhD"), matches("PhD/**", "PhD/Ch 2/old"), matches("PhD/*", "PhD/Ch 2/old")
    (True, True, False)
    """
    return re.fullmatch(_regex(pattern.strip("/")), path.strip("/")) is not None


def _regex(pattern: str) -> str:
    if pattern.endswith("/**"):
        return _regex(pattern[:-3]) + "(?:/.*)?"
    parts = re.split(r"(\*\*/?|\*|\?)", pattern)
    return "".join({"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}.get(p, re.escape(p)) for p in parts)


def in_collections(papers: Sequence[Paper], include: Sequence[str], exclude: Sequence[str]) -> tuple[Paper, ...]:
    """The papers that lie in a collection that `include` names (none given: all) and in none that `exclude` names.

    Raises
    ------
    SettingsError
        A glob fits no collection of the library; the near ones are listed.
    """
    paths = sorted({c for paper in papers for c in paper.collections})
    for pattern in (*include, *exclude):
        if pattern != "**" and not any(matches(pattern, path) for path in paths):
            near = difflib.get_close_matches(pattern, paths, 3, 0.4) or paths[:5]
            raise SettingsError(f"no collection fits {pattern!r}; " + (f"there are: {', '.join(near)}" if near else "the library has none"))

    def counts(paper: Paper) -> bool:
        inside = not include or any(g == "**" or any(matches(g, c) for c in paper.collections) for g in include)
        return inside and not any(matches(g, c) for g in exclude for c in paper.collections)

    return tuple(paper for paper in papers if counts(paper))

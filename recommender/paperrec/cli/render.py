"""How results look: the readable list and the JSON documents."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paperrec.cli.telling import counted, why_empty
from paperrec.cli.terminal import Terminal
from paperrec.documents import INTERESTS, RECOMMENDATIONS, paper_document, papers_document, problem_documents, recommendation_document
from paperrec.files import replace_file
from paperrec.paper import Paper, identifiers
from paperrec.ports import Batch
from paperrec.recommendation import Recommendation, shown_reasons
from paperrec.text import printable
from paperrec.workflow import Report

if TYPE_CHECKING:
    from rich.console import Console


# ------------------------------------------------------------------ results on stdout, or in a file


def emit(text: str, output: Path | None) -> None:
    """Write a result to the file, whole or not at all, or to stdout."""
    if output:
        replace_file(output, text.encode("utf-8", "backslashreplace"))
    else:
        sys.stdout.write(text)


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _json_lines(documents: Iterable[Any]) -> str:
    return "".join(json.dumps(d, ensure_ascii=False, allow_nan=False) + "\n" for d in documents)


def show(report: Report, form: str, output: Path | None, terminal: Terminal) -> None:
    """The recommendations in the format asked for."""
    chosen = report.choice.recommendations
    if form == "json":
        emit(_json(recommendations_document(report)), output)
    elif form == "jsonl":
        emit(_json_lines(map(recommendation_document, chosen)), output)
    else:
        _print_text(lambda console: _list(console, report), output, terminal)


def show_papers(batch: Batch, form: str, output: Path | None, terminal: Terminal) -> None:
    """What a source gave, in the format asked for."""
    if form == "json":
        emit(_json(papers_document(batch)), output)
    elif form == "jsonl":
        emit(_json_lines(map(paper_document, batch.papers)), output)
    else:
        _print_text(lambda console: _papers(console, batch), output, terminal)


def show_interests(batch: Batch, what: str, form: str, output: Path | None, terminal: Terminal) -> None:
    """The interests found in papers, in the format asked for; `what` they are is "texts", "collections" or "keywords"."""
    from paperrec.pipeline import canonical_papers
    from paperrec.serving import interests_in

    papers = canonical_papers(batch.papers)
    found = interests_in(papers, what)
    members = [
        [p for p, mine in zip(papers, found.of_papers.tolist(), strict=True) if mine == number] for number in range(len(found.names))
    ]
    documents = [
        {"name": name, "papers": [paper.key or paper.title for paper in group]} for name, group in zip(found.names, members, strict=True)
    ]
    if form == "text":
        _print_text(lambda console: _interests(console, documents), output, terminal)
    else:
        emit(_json({"schema": INTERESTS, "interests": documents}) if form == "json" else _json_lines(documents), output)


def recommendations_document(report: Report) -> dict[str, Any]:
    """What `paperrec recommend --json` prints."""
    library, funnel = report.library.batch, report.choice.funnel
    return {
        "schema": RECOMMENDATIONS,
        "library": {"papers": len(library.papers), "problems": len(library.problems)},
        "candidates": {
            "read": funnel.read,
            "owned": funnel.owned,
            "seen": funnel.seen,
            "duplicate": funnel.duplicate,
            "filtered": funnel.filtered,
            "ranked": funnel.ranked,
            "judged": funnel.judged,
            "muted": funnel.muted,
            "twins": funnel.twins,
        },
        "interests": [{"name": i.name, "papers": i.papers, "shown": i.shown} for i in report.choice.interests],
        "recommendations": [recommendation_document(r) for r in report.choice.recommendations],
        "problems": problem_documents(report.problems),
    }


# ------------------------------------------------------------------ the readable list


def _print_text(draw: Any, output: Path | None, terminal: Terminal) -> None:
    console = terminal.console(to_file=output is not None)
    with console.capture() as captured:
        draw(console)
    emit("\n".join(line.rstrip() for line in captured.get().split("\n")), output)


def _hanging(console: "Console", head: Any, text: Any, indent: int) -> None:
    """Print `text` behind `head`, wrapped lines as far in as the first."""
    from rich.table import Table

    grid = Table.grid(padding=0)
    grid.add_column(width=indent, no_wrap=True)
    grid.add_column()
    grid.add_row(head, text)
    console.print(grid)


def _list(console: "Console", report: Report) -> None:
    from rich.text import Text

    chosen = report.choice.recommendations
    if not chosen:
        console.print(why_empty(report.choice.funnel))
        return
    width = len(str(chosen[-1].rank)) + 2
    for recommendation in chosen:
        _entry(console, recommendation, width)
    if len(report.choice.interests) > 1:
        shares = "; ".join(f"{printable(interest.name)} {interest.shown}" for interest in report.choice.interests)
        console.print(Text(f"for your interests: {shares}"))
    shown, ranked = len(chosen), report.choice.funnel.ranked
    if shown < ranked:
        console.print(f"{shown} of {ranked} shown; -n 0 shows all")


def byline(paper: Paper) -> str:
    """Authors, year and venue as far as they are known; long author lists are cut."""
    authors = [printable(a) for a in paper.authors]
    who = "; ".join(authors if len(authors) <= 4 else [*authors[:3], f"and {len(authors) - 3:,} more"])
    return " · ".join(part for part in (who, str(paper.year or ""), printable(paper.venue)) if part)


def link(paper: Paper) -> str:
    """Where a person can open the paper, or ""."""
    if paper.url.startswith(("http://", "https://")):
        return printable(paper.url)
    if named := identifiers(paper):
        scheme, _, name = named[0].partition(":")
        return ("https://arxiv.org/abs/" if scheme == "arxiv" else "https://doi.org/") + printable(name)
    return ""


def _entry(console: "Console", recommendation: Recommendation, width: int) -> None:
    from rich.text import Text

    paper = recommendation.paper
    title = Text(printable(paper.title), style="bold")
    if paper.title_derived:
        title.append(" (title derived)", style="not bold dim")
    _hanging(console, f"{recommendation.rank}.", title, width)
    details = [part for part in (byline(paper), printable(paper.key)) if part]
    score = f"{recommendation.score:.1f} {recommendation.level}".strip()
    _hanging(console, "", Text(f"{score}  " + " · ".join(details), style="dim"), width)
    if recommendation.note:
        _hanging(console, "", Text(printable(recommendation.note), style="yellow"), width)
    for reason in shown_reasons(recommendation, 1) if len(recommendation.reasons) > 1 else ():
        part = Text(f"{'':{width}}{reason.part:+.1f}", style="green" if reason.part > 0 else "red")
        _hanging(console, part, printable(reason.text), width + 7)
    if where := link(paper):
        _hanging(console, "", Text(where, style=f"blue link {where}" if " " not in where else "blue"), width)
    console.print()


def _papers(console: "Console", batch: Batch) -> None:
    from rich.text import Text

    for paper in batch.papers:
        title = Text(printable(paper.title), style="bold")
        if paper.title_derived:
            title.append(" (title derived)", style="not bold dim")
        _hanging(console, "-", title, 2)
        details = [part for part in (byline(paper), "" if paper.abstract else "no abstract", printable(paper.key)) if part]
        _hanging(console, "", Text(" · ".join(details), style="dim"), 2)
    bare = sum(not p.abstract for p in batch.papers)
    console.print(f"{counted(len(batch.papers), 'paper')}, {bare:,} without an abstract; {counted(len(batch.problems), 'problem')}")


def _interests(console: "Console", documents: list[dict[str, Any]]) -> None:
    from rich.text import Text

    for document in documents:
        console.print(Text(printable(document["name"]), style="bold"), end="  ")
        console.print(Text(counted(len(document["papers"]), "paper"), style="dim"))
        keys = [printable(key) for key in document["papers"]]
        more = f", and {len(keys) - 5} more" if len(keys) > 5 else ""
        _hanging(console, "", Text(", ".join(keys[:5]) + more, style="dim"), 2)
    if not documents:
        console.print("No interests: no paper has words.")

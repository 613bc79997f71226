"""What is said beside a list, on stderr or in its place: what became of everything that was read."""

from typing import TYPE_CHECKING

from paperrec.cli.terminal import Terminal

if TYPE_CHECKING:
    from paperrec.choice import Funnel
    from paperrec.ports import Batch
    from paperrec.workflow import Report

# Every way out of the funnel: its field, and what is said of it among notes and in place of an empty list
_STAGES = (
    ("owned", "in your library", "in your library already"),
    ("judged", "judged before", "judged before"),
    ("seen", "recommended before", "recommended before (--all shows them)"),
    ("muted", "muted", "muted"),
    ("duplicate", "twice", "the same paper again"),
    ("twins", "nearly the same as a better one", "nearly the same as a better one"),
    ("filtered", "below the line", "below --min-score"),
)


def counted(n: int, thing: str) -> str:
    """`1 paper`, `2 papers`, `1,204 entries`."""
    plural = thing[:-1] + "ies" if thing.endswith("y") else thing + "s"
    return f"{n:,} {thing if n == 1 else plural}"


def tell(report: "Report", terminal: Terminal) -> None:
    """Say on stderr what was read, what was wrong with it, and what was written."""
    _tell_inputs(report, terminal)
    terminal.note(_read_line("library", report.library.batch, with_abstracts=True))
    terminal.note(_candidates_line(report.choice.funnel))
    for lever in report.unmet:
        terminal.note(f"{lever} met none of the {counted(report.choice.funnel.read, 'candidate')}")
    if report.choice.note:
        terminal.note(report.choice.note)
    for written in report.written:
        terminal.problems(written.problems)
        terminal.note(f"{written.place}: {counted(written.added, 'paper')} added, {written.present} there already")
        if written.diff:
            terminal.note("nothing is written in a dry run; this is what would be:")
            for line in written.diff.splitlines():
                terminal.note(line)
    for failure in report.unwritten:
        terminal.warn(str(failure.error))


def _tell_inputs(report: "Report", terminal: Terminal) -> None:
    """What could not be read, what was wrong with the rest, and to how many papers the user said yes or no."""
    for failure in report.unread:
        terminal.warn(str(failure.error))
    terminal.problems(report.problems)
    for what, reading in (("said yes to", report.words.liked), ("turned down", report.words.disliked)):
        if reading.batch.papers or reading.batch.problems:
            terminal.note(_read_line(what, reading.batch))


def _read_line(what: str, batch: "Batch", *, with_abstracts: bool = False) -> str:
    n = len(batch.papers)
    bare = sum(not p.abstract for p in batch.papers) if with_abstracts else 0
    left_out = sum(p.left_out for p in batch.problems)
    line = f"{what}: {n:,} of {counted(n + left_out, 'entry')} read" if left_out else f"{what}: {counted(n, 'paper')}"
    return line + (f", {bare:,} without an abstract" if bare else "")


def _candidates_line(funnel: "Funnel") -> str:
    parts = [f"{n:,} {note}" for field, note, _ in _STAGES if (n := getattr(funnel, field))]
    return "candidates: " + ", ".join((counted(funnel.read, "paper"), *parts))


def why_empty(funnel: "Funnel") -> str:
    """What stands in place of an empty list: where all candidates went."""
    if not funnel.read:
        return "Nothing to recommend: no candidate could be read."
    parts = [f"{n:,} {words}" for field, _, words in _STAGES if (n := getattr(funnel, field))]
    return f"Nothing to recommend: of {counted(funnel.read, 'candidate')}, {', '.join(parts)}."

"""From the options of a call to what is to be done."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paperrec.bounds import HALF_LIFE_DAYS
from paperrec.cli.options import Shared, number
from paperrec.errors import SettingsError

if TYPE_CHECKING:
    from paperrec.inputs import Input
    from paperrec.pipeline import Options
    from paperrec.settings import LeversTable, Settings, SteerTable
    from paperrec.steering import Steering


def collection_options(command: Any) -> Any:
    """Give a command the choice of collections."""
    those, others = "Only these collections of the library: 'PhD/**' (repeat).", "Not these collections of the library (repeat)."
    exclude = click.option("--not-in", "exclude", metavar="GLOB", multiple=True, help=others)
    return click.option("--in", "include", metavar="GLOB", multiple=True, help=those)(exclude(command))


def interests_option(command: Any) -> Any:
    """Give a command the choice of what interests are."""
    help_ = "What your interests are: found in texts, or your own groups.  [texts]"
    return click.option("--interests-from", type=click.Choice(["texts", "collections", "keywords"]), help=help_)(command)


def choosing_options(command: Any) -> Any:
    many: dict[str, Any] = {"multiple": True}
    for option in reversed(
        (
            click.argument("candidates", nargs=-1),
            click.option("--bib", metavar="FILE", help="Library from BibTeX or BibLaTeX: a file, a folder, or - (repeat).", **many),
            click.option("--zotero", metavar="WHICH", help="Library from Zotero: web, local, sqlite, users/ID, groups/ID or a path."),
            click.option("--library", metavar="LOCATOR", help="Library from any source, such as bib:FILE (repeat).", **many),
            collection_options,
            click.option("--encoding", metavar="NAME", envvar="PAPERREC_ENCODING", help="Encoding of the files, where the guess is wrong."),
            click.option("--offline", is_flag=True, help="Open no socket."),
        )
    ):
        command = option(command)
    return command


def steering_options(command: Any) -> Any:
    """Give a command the user's levers on the list."""
    many: dict[str, Any] = {"multiple": True}
    for option in reversed(
        (
            click.option("--boost", metavar="WORDS", help="More with these words, or of author:NAME or venue:NAME (repeat).", **many),
            click.option("--mute", metavar="WORDS", help="None with these words, or of author:NAME or venue:NAME (repeat).", **many),
            click.option("--like", "liked", metavar="LOCATOR", help="Papers you said yes to, such as bib:yes.bib (repeat).", **many),
            click.option("--dislike", "disliked", metavar="LOCATOR", help="Papers you turned down: less like these (repeat).", **many),
            click.option("--interest", metavar="NAME", help="For this interest alone; 'paperrec read --interests' names them."),
            interests_option,
            click.option("--half-life", type=number(HALF_LIFE_DAYS), metavar="DAYS", help="Older papers' words count half.  [365]"),
        )
    ):
        command = option(command)
    return command


def context_of(given: dict[str, Any], inputs: "tuple[Input, ...]", services: Mapping[str, str] | None = None) -> Any:
    """What a call gives its adapters."""
    from paperrec.ports import Context
    from paperrec.settings import cache_dir

    return Context(
        cache_dir=cache_dir(),
        offline=bool(given.get("offline")),
        encoding=given.get("encoding") or "",
        inputs=inputs,
        services=services or {},
    )


def plan_of(session: Shared, given: dict[str, Any], wishes: Mapping[str, str] | None = None) -> tuple[Any, Any]:
    """The plan of a call, and what it gives its adapters: options first, then settings, then defaults; `wishes` are for adapters."""
    from paperrec.inputs import Input
    from paperrec.locators import candidate_locators, inputs_of
    from paperrec.services import services_of
    from paperrec.settings import load_settings
    from paperrec.workflow import Plan

    settings = load_settings(session.config, session.profile)
    values = settings.values
    library, candidates = _library(session, given, settings), _candidates(session, given, settings)
    liked, disliked = given.get("liked") or tuple(values.liked), given.get("disliked") or tuple(values.disliked)
    named = (*library, *candidates, *liked, *disliked)
    if sum(name == "-" or name.endswith(":-") for name in named) > 1:
        raise SettingsError("-: standard input can be read only once; give all but one of its readers a file")
    inputs = (*inputs_of(named), *([Input(settings.path)] if settings.path else []))
    plan = Plan(
        library=library,
        candidates=candidate_locators(candidates),
        sinks=given.get("sinks") or (() if "sinks" not in given else tuple(values.sinks)),
        include=given["include"] or tuple(values.collections.get("in", ())),
        exclude=given["exclude"] or tuple(values.collections.get("not_in", ())),
        options=_options(given, settings),
        liked=candidate_locators(liked),
        disliked=candidate_locators(disliked),
        dry_run=bool(given.get("dry_run")),
        only_new=bool(given.get("only_new")),
    )
    given = given | {"encoding": given.get("encoding") or values.encoding}
    return plan, context_of(given, inputs, services_of(settings) | dict(wishes or {}))


def _library(session: Shared, given: dict[str, Any], settings: "Settings") -> tuple[str, ...]:
    """The locators of the library: as given, else of the settings, else of the environment."""
    from paperrec.locators import library_locator, zotero_locator
    from paperrec.services import default_zotero, foreign_names
    from paperrec.settings import config_path

    values = settings.values
    zotero = given["zotero"] or ("" if given["bib"] or given["library"] or values.library else default_zotero())
    asked = (*map(library_locator, given["bib"]), *([zotero_locator(zotero)] if zotero else []), *given["library"])
    if not (library := asked or tuple(values.library)):
        raise SettingsError(
            f"no library is given: name one with --bib FILE or --zotero web, or set library in {settings.path or config_path()}"
        )
    for note in foreign_names():
        session.terminal.note(note, level=1)
    return library


def _candidates(session: Shared, given: dict[str, Any], settings: "Settings") -> tuple[str, ...]:
    """The candidates as they were named: in the call, else in the settings; else the examples."""
    from paperrec.locators import bundled_examples

    if candidates := given["candidates"] or tuple(settings.values.candidates):
        return tuple(candidates)
    session.terminal.note("no candidates are given: ranking the examples that come with paperrec")
    folder = bundled_examples()
    return tuple(str(folder / name) for name in ("candidates.txt", "more-candidates.jsonl"))


def _options(given: dict[str, Any], settings: "Settings") -> "Options":
    from paperrec.pipeline import Options

    ranker = settings.values.ranker
    return Options(
        limit=settings.choose(given.get("limit"), "limit", 20),
        min_score=settings.choose(given.get("min_score"), "min_score", 0.0),
        n_reasons=settings.choose(given.get("explain"), "explain", 3),
        diversity=_first(given.get("diversity"), ranker.diversity, 0.0),
        half_life_days=_first(given.get("half_life"), ranker.half_life_days, 365.0),
        interest=given.get("interest") or "",
        interests_from=interests_from(given, settings),
        steering=_steering(given, settings.values.steer),
    )


def interests_from(given: dict[str, Any], settings: "Settings") -> str:
    """What interests are: as given, else in the settings, else groups of texts."""
    return str(_first(given.get("interests_from"), settings.values.ranker.interests, "texts"))


def _first(*values: Any) -> Any:
    return next(value for value in values if value is not None)


def _steering(given: dict[str, Any], table: "SteerTable") -> "Steering":
    """The levers of the call and of the settings together."""
    from paperrec.steering import Levers, Steering, levers_of

    def levers(words: Sequence[str], kept: "LeversTable") -> Levers:
        said = levers_of(words)
        return Levers((*kept.terms, *said.terms), (*kept.authors, *said.authors), (*kept.venues, *said.venues))

    return Steering(levers(given.get("boost") or (), table.boost), levers(given.get("mute") or (), table.mute))


def output_of(given: str, form: str | None) -> tuple[Path | None, str]:
    """The file that -o names (None: stdout), and the format: as asked for, else by the file's name."""
    from paperrec.files import expanded

    if given == "-":
        return None, form or "text"
    path = expanded(given)
    suffix = path.suffix.lower()
    if suffix in (".bib", ".html") and not form:
        raise SettingsError(f"-o {given}: write it with --to {suffix[1:]}:{given}")
    return path, form or {".json": "json", ".jsonl": "jsonl"}.get(suffix, "text")


def refuse_input(output: Path, inputs: "tuple[Input, ...]") -> None:
    """Refuse to print over a file that the run reads, or where the next run would read it."""
    if any(read.holds(output) for read in inputs):
        what = "is a file that is read" if output.exists() else "lies in a folder that is read"
        raise SettingsError(f"-o {output}: {what}; choose another (--to bib:FILE adds to a .bib without changing it)")

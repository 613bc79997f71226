"""What the tests of all catalogues share: case files, answers in JSON, a context that asks a server of ours and waits for nothing."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from fakes.scripted import Says, Scripted
from paperrec.ports import Context

CASES = Path(__file__).parents[1] / "data" / "catalogues"


def case(name: str) -> Says:
    """The answer in a case file."""
    return Says(body=(CASES / name).read_bytes())


def in_json(value: Any, status: int = 200, **headers: str) -> Says:
    """A value as an answer."""
    return Says(status, json.dumps(value).encode(), {name.replace("_", "-"): text for name, text in headers.items()})


def asking(name: str, server: Scripted, services: Mapping[str, str] | None = None, *, offline: bool = False) -> Context:
    """A context whose service `name` is the server; the day is 2026-12-07."""
    given = {f"{name}_url": server.url, "web_pause_seconds": "0.0001", "today": "2026-12-07", **(services or {})}
    return Context(offline=offline, services=given)


def params_of(server: Scripted) -> list[dict[str, str]]:
    """The parameters of each request, those of forms among them; one value each."""
    found = []
    for _, path, _, body in server.asked:
        given = parse_qs(urlsplit(path).query) | (parse_qs(body.decode()) if body[:1] not in (b"{", b"[") else {})
        found.append({name: values[0] for name, values in given.items()})
    return found

"""All that a Zotero knows: libraries, keys, write tokens; it can be written to a file and read from it."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from fakes.zotero.library import Library
from fakes.zotero.wire import Json, Refusal, Reply, Request

_TOKEN_HOURS = 12  # that a write token is remembered


@dataclass(slots=True)
class State:
    """What lies behind one fake."""

    dialect: str  # "web", "local7", "local10"
    now: Callable[[], datetime] = field(repr=False)
    libraries: dict[str, Library] = field(default_factory=dict)
    keys: dict[str, Json] = field(default_factory=dict)  # of the web: what /keys/current tells
    local_keys: dict[str, bool] = field(default_factory=dict)  # whether a key is good for more than one request
    tokens: dict[str, str] = field(default_factory=dict)  # when each was used, by key and token
    server_id: str = "fAkEzOtErO10"
    account: int = 1  # whose desktop it is

    def library(self, name: str) -> Library:
        """The library of that name, made if there is none."""
        if name not in self.libraries:
            self.libraries[name] = Library(name, self.now, counts_all=self.dialect == "local10")
        return self.libraries[name]

    def once(self, holder: str, request: Request, write: Callable[[], Reply]) -> Reply:
        """Write, unless the write token of the request was used before. One that was refused as a whole does not use it up."""
        if (token := request.header("Zotero-Write-Token")) is None:
            return write()
        if not 5 <= len(token) <= 32:
            raise Refusal(400, "Write token must be 5-32 characters in length")
        name, now = f"{holder} {token}", self.now()
        used = self.tokens.get(name)
        if used and now - datetime.fromisoformat(used) < timedelta(hours=_TOKEN_HOURS):
            raise Refusal(412, "Write token already used")
        reply = write()
        self.tokens[name] = now.isoformat()
        return reply

    def save(self, path: Path) -> None:
        """Write all of it, never half."""
        known = {
            "dialect": self.dialect,
            "libraries": [library.state() for library in self.libraries.values()],
            "keys": self.keys,
            "local_keys": self.local_keys,
            # The desktop remembers them no longer than it runs
            "tokens": self.tokens if self.dialect == "web" else {},
            "server_id": self.server_id,
            "account": self.account,
        }
        beside = path.with_name(path.name + ".new")
        beside.write_text(json.dumps(known), encoding="utf-8")
        os.replace(beside, path)  # noqa: PTH105 - the rename that is one step

    @classmethod
    def load(cls, path: Path, now: Callable[[], datetime]) -> "State":
        """What such a file holds."""
        known = json.loads(path.read_text(encoding="utf-8"))
        libraries = [Library.of_state(state, now) for state in known.pop("libraries")]
        return cls(**known, now=now, libraries={library.name: library for library in libraries})

"""From a place and the run's services to a library that can be asked: whose key it is, what it may, which Zotero answers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from paperrec.errors import DeniedError, ServiceError, SettingsError
from paperrec.ports import Context
from paperrec_adapters.web import Policy, Web, zotero_client
from paperrec_adapters.zotero.cache import SnapshotCache
from paperrec_adapters.zotero.places import Place
from paperrec_adapters.zotero.service import Service

WEB_ADDRESS = "https://api.zotero.org"
LOCAL_ADDRESS = "http://127.0.0.1:23119/api"
_WEB_BYTES = 60_000_000  # of one answer: a page may hold 100 notes of 500,000 characters, which the service takes
_LOCAL_SECONDS = 120.0  # for one answer: Zotero takes 12 s for 50 new items, and longer while it syncs
_LOCAL_BYTES = 1_000_000_000  # of one answer: a library of this computer comes whole, and 10,000 items make some 30 MB
_KEYS_PAGE = "zotero.org/settings/keys"


def connect(place: Place, context: Context) -> Service:
    """The library that a place names, after one request.

    Raises
    ------
    SettingsError
        The key has no form of a key, or there is none where one is needed.
    DeniedError
        The key was refused, or may not read this library.
    ServiceError
        Nobody answers, or not as Zotero does.
    """
    return _connect_local(place, context) if place.local else _connect_web(place, context)


def cache_of(service: Service, context: Context) -> SnapshotCache:
    """Where a library is kept between runs."""
    return SnapshotCache(context.cache_dir if service.owner else None, service.owner)


def _key(context: Context, name: str) -> str:
    key = context.services.get(name, "").strip()
    if key and not (key.isascii() and key.isalnum()):
        raise SettingsError(f"the Zotero key holds other signs than letters and digits; copy it again from {_KEYS_PAGE}")
    return key


def _policy(context: Context) -> Policy:
    pause = context.services.get("web_pause_seconds", "")
    return replace(Policy(pause_seconds=float(pause)) if pause else Policy(), most_bytes=_WEB_BYTES)


def _connect_web(place: Place, context: Context) -> Service:
    base = context.services.get("zotero_url", "").rstrip("/") or WEB_ADDRESS
    key = _key(context, "zotero_api_key")
    if not key:
        if not place.library:
            raise SettingsError(f"no Zotero key is given; make one at {_KEYS_PAGE} and set ZOTERO_API_KEY")
        owner = "\n".join((base, place.library))
        web = Web(_policy(context), offline=context.offline)
        return _service(web, base, place.library, {}, owner=owner, refusal="no key is given (set ZOTERO_API_KEY)")
    web = Web(_policy(context), secrets=(key,), offline=context.offline)
    headers = {"Zotero-API-Key": key}
    answer = web.get(f"{base}/keys/current", headers={**headers, "Zotero-API-Version": "3"})
    told = answer.json() if answer.status == 200 else None
    user, access = (told.get("userID"), told.get("access")) if isinstance(told, dict) else (None, None)
    if not isinstance(user, int) or not isinstance(access, dict):
        raise ServiceError(f"{base}: the answer ({answer.status}) is not what Zotero tells of a key; look at the address, and for a proxy")
    library = place.library or f"users/{user}"
    rights = _rights(library, user, access)
    if not rights.get("library"):
        raise DeniedError(f"zotero:{library}: the key may not read this library; give it access at {_KEYS_PAGE}")
    refusal = "" if rights.get("write") else f"the key is read-only: it has no write permission; give it one at {_KEYS_PAGE}"
    owner = "\n".join((base, library, str(user), repr(sorted(rights.items()))))
    return _service(web, base, library, headers, owner=owner, refusal=refusal)


def _rights(library: str, user: int, access: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a key may in a library. What it may not in one that is public is for the service to say."""
    kind, _, number = library.partition("/")
    if kind == "users":
        own = access.get("user") if number == str(user) else {"library": True}
        return own if isinstance(own, dict) else {}
    groups = access.get("groups")
    given = [groups.get(number), groups.get("all")] if isinstance(groups, dict) else []  # a word on this group outweighs that on all
    named = next((rights for rights in given if isinstance(rights, dict)), {})
    return {"library": True, "write": bool(named.get("write"))}


def _connect_local(place: Place, context: Context) -> Service:
    base = context.services.get("zotero_local_url", "").rstrip("/") or LOCAL_ADDRESS
    key = _key(context, "zotero_local_key")
    policy = replace(_policy(context), read_seconds=_LOCAL_SECONDS, most_bytes=_LOCAL_BYTES)
    web = Web(policy, secrets=(key,) if key else (), offline=context.offline)
    try:
        server = web.get(f"{base}/").headers.get("Zotero-Server-ID", "")
    except DeniedError as error:
        raise DeniedError("Zotero answers, but its local API is off: Settings > Advanced > Allow other applications ...") from error
    except ServiceError as error:
        if context.offline:
            raise
        raise ServiceError(f"no Zotero answers at {base}: start it, or use zotero:web or its database (--zotero sqlite)") from error
    if not server:
        refusal = "this Zotero only lets itself be read: version 10 or later, or zotero:web, is needed to write"
    else:
        refusal = "" if key else "no key of this Zotero is known: run paperrec authorize, and choose Always Allow"
    headers = {"Zotero-Server-ID": server, **({"Zotero-API-Key": key} if key else {})} if server else {}
    owner = "\n".join((base, place.library, server)) if server else ""
    return _service(web, base, place.library, headers, local=True, owner=owner, refusal=refusal)


def _service(web: Web, base: str, library: str, headers: Mapping[str, str], *, local: bool = False, owner: str, refusal: str) -> Service:
    from pyzotero.zotero import Zotero  # half a second, when nothing is cached by the system

    kind, _, number = library.partition("/")
    key, server = headers.get("Zotero-API-Key"), headers.get("Zotero-Server-ID", "")
    # What pyzotero does without the key it cannot lose; only reads go through it, and a local read needs none
    zotero = Zotero(
        number, kind.removesuffix("s"), None if local else key, local=local, client=zotero_client(web), server_id=server or None
    )
    zotero.endpoint = base
    return Service(web, zotero, base, library, {**headers, "Zotero-API-Version": "3"}, local, owner, server, refusal)

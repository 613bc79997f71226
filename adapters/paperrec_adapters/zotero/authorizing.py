"""A key for the Zotero on this computer: its owner is asked, in a window of Zotero's."""

import json

from paperrec.errors import DeniedError
from paperrec_adapters.zotero.service import Service

_APP = "paperrec"


def authorize(service: Service) -> str:
    """The key that the person at the screen gives; waits for the answer.

    Raises
    ------
    DeniedError
        He says no, or yes for one request only, which is not enough for a write and its check.
    ServiceError
        Zotero does not answer, or cannot be written at all.
    """
    if not service.local or not service.server:
        raise DeniedError(f"{service.name}: only a Zotero of version 10 or later, on this computer, gives such keys")
    headers = {"Zotero-Server-ID": service.server, "Content-Type": "application/json"}
    body = json.dumps({"appName": _APP}).encode()
    try:
        answer = service.web.send("POST", f"{service.base}/local/authorize", headers=headers, body=body, retry=False)
    except DeniedError:
        raise DeniedError(f"{service.name}: Zotero was told not to let paperrec write; ask again, and choose Always Allow") from None
    service.check(answer)
    told = answer.json()
    key = told.get("key") if isinstance(told, dict) else None
    if not isinstance(key, str) or not (key.isascii() and key.isalnum()):
        raise service.nonsense("no key")
    if not told.get("remember"):
        raise DeniedError(f"{service.name}: the key is good for one request only; ask again, and choose Always Allow")
    return key

"""Keys taken out of a text, in every form that they may stand in it."""

import base64
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

_SHORTEST = 6  # characters: what is shorter is no key, and taking it out would spoil every text


def hidden(text: str, secrets: Iterable[str]) -> str:
    """The text with `***` for each secret, as it stands, percent-coded, or in base64.

    >>> hidden("GET /?key=s3cr3t7 failed", ["s3cr3t7"])
    'GET /?key=*** failed'
    """
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) < _SHORTEST:
            continue
        packed = base64.b64encode(secret.encode()).decode()
        for form in (secret, quote(secret, safe=""), quote_plus(secret), packed, packed.rstrip("=")):
            text = text.replace(form, "***")
    return text

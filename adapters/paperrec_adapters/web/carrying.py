"""One request over the wire with requests, within bounds; none of its errors leaves this file, because they hold addresses and keys."""

import functools
import importlib.metadata
import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

import requests
import requests.utils
import urllib3.exceptions

from paperrec_adapters.web.answers import Policy
from paperrec_adapters.web.places import is_loopback

_CHUNK = 65_536
_NO_CERTIFICATE, _NO_ADDRESS = "shows no certificate that can be trusted", "is no address"
FINAL = frozenset({_NO_CERTIFICATE, _NO_ADDRESS})  # trouble that is not over at the next try


@functools.cache
def _agent() -> str:
    return f"paperrec/{importlib.metadata.version('paperrec')}"


class _Wire(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """None: where a redirect leads is looked at by us, and its body is not read without bounds on the way."""
        return None


def session() -> requests.Session:
    """A session that takes nothing from the environment by itself: a .netrc would add a password to what we send."""
    made = _Wire()
    made.trust_env = False
    made.headers.clear()
    return made


def carry(
    wire: requests.Session,
    policy: Policy,
    ends: float,
    request: tuple[str, str, Any, Mapping[str, str], bytes | None],
    more: Mapping[str, str],
) -> tuple[int, Mapping[str, str], bytes, str]:
    """Status, headers and unpacked body of the answer; and what went wrong, "" if nothing did: "too large", "no time", or other words."""
    method, url, params, headers, body = request
    left = ends - time.monotonic()
    if left <= 0:
        return 0, {}, b"", "no time"
    outside = not is_loopback(url)
    try:
        with wire.request(
            method,
            url,
            params=params,
            data=body,
            headers={"Accept": "*/*", **more, **headers, "User-Agent": _agent()},
            timeout=(min(policy.connect_seconds, left), min(policy.read_seconds, left)),
            allow_redirects=False,
            stream=True,
            proxies=requests.utils.get_environ_proxies(url) if outside else {},
            verify=os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or True,
        ) as answer:
            data, trouble = _read(answer, policy, ends)
            return answer.status_code, answer.headers, data, trouble
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
        return 0, {}, b"", _in_words(error)


def _read(answer: requests.Response, policy: Policy, ends: float) -> tuple[bytes, str]:
    """The body, and what went wrong with it. What comes is taken as it comes, lest a slow drip outlast every bound."""
    found = bytearray()
    while True:
        if chunk := answer.raw.read1(_CHUNK, decode_content=True):
            found += chunk
        if len(found) > policy.most_bytes:
            return b"", "too large"
        if not chunk:
            return bytes(found), ""
        if time.monotonic() > ends:
            return b"", "no time"


def _in_words(error: Exception) -> str:
    kinds: Sequence[tuple[tuple[type[BaseException], ...], str]] = (
        ((requests.exceptions.SSLError, urllib3.exceptions.SSLError), _NO_CERTIFICATE),
        ((requests.exceptions.ProxyError,), "cannot be reached through the proxy"),
        ((requests.exceptions.ConnectTimeout,), "does not answer"),
        ((requests.exceptions.Timeout, urllib3.exceptions.TimeoutError, TimeoutError), "stopped answering"),
        ((urllib3.exceptions.DecodeError, requests.exceptions.ContentDecodingError), "sent what cannot be unpacked"),
        ((urllib3.exceptions.ProtocolError, requests.exceptions.ChunkedEncodingError), "broke off in the middle"),
        ((requests.exceptions.InvalidURL, requests.exceptions.MissingSchema, requests.exceptions.InvalidSchema), _NO_ADDRESS),
    )
    found = next((words for types, words in kinds if isinstance(error, types)), "cannot be reached")
    text = str(error)
    if found == "cannot be reached" and ("resolve" in text or "getaddrinfo" in text or "Name or service" in text):
        return "is not known to the network (is there a connection?)"
    if isinstance(error, requests.exceptions.ConnectionError) and ("aborted" in text or "reset" in text):
        return "hung up"
    return found

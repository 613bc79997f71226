"""Where a request may go: hosts, origins, and which step from one address to another is refused."""

import ipaddress
import socket
from urllib.parse import urljoin, urlsplit

from paperrec.errors import ServiceError
from paperrec.text import printable

_PORTS = {"http": 80, "https": 443}


def host_of(url: str) -> str:
    """The host of an address, for people: no path, no query, no name or password."""
    try:
        return printable(urlsplit(url).hostname or "") or "an address without a host"
    except ValueError:
        return "a broken address"


def origin_of(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port: what two addresses share that are of one service."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or _PORTS.get(parts.scheme)


def is_loopback(url: str) -> bool:
    """Whether an address is of this computer."""
    return _kind(host_of(url)) == "loopback"


def check_hop(url: str, where: str) -> str:
    """The address that a redirect leads to.

    Raises
    ------
    ServiceError
        It leads to another kind of address, to an open line, or from outside to this computer or network.
    """
    try:
        target = urljoin(url, where)
        scheme, host, _ = origin_of(target)
    except ValueError:
        target = scheme = host = ""
    why = ""
    if scheme not in _PORTS or not host:
        why = "what is no web address"
    elif origin_of(url)[0] == "https" and scheme == "http":
        why = "an open line"
    elif _kind(host_of(url)) == "public" and _kind(host) != "public":
        why = "an address inside your network"
    if why:
        raise ServiceError(f"{host_of(url)}: sends on to {why} ({host_of(target)}), which is refused; look for a proxy")
    return target


def _kind(host: str) -> str:
    """ "loopback", "inside" (a private or link-local network) or "public"."""
    try:
        addresses = {ipaddress.ip_address(host)}
    except ValueError:
        if host == "localhost" or host.endswith(".localhost"):
            return "loopback"
        try:
            found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except OSError:
            return "public"  # the request will say that there is no such host
        addresses = {ipaddress.ip_address(str(address[4][0]).partition("%")[0]) for address in found}
    if any(address.is_loopback for address in addresses):
        return "loopback"
    return "public" if all(address.is_global for address in addresses) else "inside"

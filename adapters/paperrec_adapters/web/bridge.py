"""pyzotero's requests through ours: it gets our patience, our bounds and our silence, and none of its own."""

from typing import TYPE_CHECKING

from paperrec_adapters.web.secrets import hidden

if TYPE_CHECKING:
    import httpx2

    from paperrec_adapters.web.asking import Web

_OURS = frozenset({"accept-encoding", "connection", "content-length", "host", "transfer-encoding", "user-agent"})
# What it must not act on a second time, or what is no longer true of an unpacked body
_HIDDEN = frozenset({"backoff", "connection", "content-encoding", "content-length", "retry-after", "transfer-encoding"})


def zotero_client(web: "Web") -> "httpx2.Client":
    """A client to give to pyzotero; PaperrecErrors of ours pass through it."""
    import httpx2

    class Bridge(httpx2.BaseTransport):
        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            headers = {name: value for name, value in request.headers.items() if name.lower() not in _OURS}
            url = str(request.url)
            if request.method in ("GET", "HEAD"):
                answer = web.get(url, headers=headers)
                if answer.status == 200:
                    answer.json()  # the page of a network that wants a login is no data
            else:
                answer = web.send(request.method, url, headers=headers, body=request.read(), retry=True)
            kept = [(name, value) for name, value in answer.headers.items() if name.lower() not in _HIDDEN]
            body = answer.body
            if answer.status >= 400:  # it quotes a refusal in its errors, and a refusal may quote the key
                body = hidden(body.decode("utf-8", "replace"), web.secrets).encode()
            return httpx2.Response(answer.status, headers=kept, content=body, request=request)

        def close(self) -> None:
            """Stay open: pyzotero closes what it did not open."""

    return httpx2.Client(transport=Bridge(), trust_env=False)

"""The one HTTP policy: what is tried again, what is waited, where it ends, and that no key gets out."""

import base64
import gzip
import resource
import socket
import time
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any
from urllib.parse import quote

import pytest

from fakes.scripted import Says, scripted
from paperrec.errors import DeniedError, PaperrecError, ServiceError
from paperrec_adapters.web import Policy, Web, zotero_client

KEY = "CANARYKEY0123456789abcdef"
QUICK = Policy(pause_seconds=0.001, total_seconds=20)
PORTAL = Says(body=b"<html>Please log in</html>", headers={"Content-Type": "text/html"})


def web(policy: Policy = QUICK, **more: object) -> tuple[Web, list[float]]:
    """A conversation that notes how long it would wait."""
    waits: list[float] = []
    return Web(policy, (KEY,), sleep=waits.append, **more), waits  # type: ignore[arg-type]


# What is tried again


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 520])
def test_trouble_that_passes_is_not_seen(status: int) -> None:
    with scripted(Says(status, b"<html>busy</html>"), Says(body=b'{"a": 1}')) as server:
        assert web()[0].get(server.url).json() == {"a": 1}


@pytest.mark.parametrize("trouble", [Says(drops=True), Says(body=b'{"long": "answer"}', cut_at=5)])
def test_a_broken_connection_is_tried_again(trouble: Says) -> None:
    with scripted(trouble, Says(body=b"[1]")) as server:
        assert web()[0].get(server.url).json() == [1]


def test_a_write_is_sent_again_byte_for_byte() -> None:
    with scripted(Says(503), Says(drops=True), Says()) as server:
        headers = {"Zotero-Write-Token": "token1", "Content-Type": "application/json"}
        web()[0].send("POST", f"{server.url}/items", headers=headers, body=b"[1]", retry=True)
    assert len(server.asked) == 3
    assert all(asked == server.asked[0] for asked in server.asked)


def test_a_write_that_may_do_harm_is_sent_once() -> None:
    with scripted(Says(503)) as server, pytest.raises(ServiceError, match="asked once"):
        web()[0].send("POST", server.url, headers={}, body=b"", retry=False)
    assert len(server.asked) == 1


def test_after_the_last_try_one_line_says_what_came_and_how_often() -> None:
    with scripted(Says(503, b"<html>down</html>")) as server, pytest.raises(ServiceError) as error:
        web()[0].get(server.url)
    assert str(error.value) == "127.0.0.1: answers 503 (with a web page), asked 5 times; try again later"


@pytest.mark.parametrize("status", [200, 204, 304, 400, 404, 409, 412, 413, 428])
def test_what_says_something_is_given_back_at_once(status: int) -> None:
    with scripted(Says(status)) as server:
        assert web()[0].get(server.url).status == status
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [401, 403])
def test_a_refusal_is_final(status: int) -> None:
    with scripted(Says(status, b"Invalid key")) as server, pytest.raises(DeniedError, match=f"refused with {status}: Invalid key"):
        web()[0].get(server.url)
    assert len(server.asked) == 1


# How long is waited


def test_a_number_of_seconds_is_waited() -> None:
    with scripted(Says(429, headers={"Retry-After": "7"}), Says()) as server:
        asking, waits = web()
        asking.get(server.url)
    assert waits == [7.0]


def test_a_date_is_waited_for() -> None:
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=15), usegmt=True)
    with scripted(Says(503, headers={"Retry-After": until}), Says()) as server:
        asking, waits = web()
        asking.get(server.url)
    assert 12 < waits[0] <= 15


@pytest.mark.parametrize("told", ["1000000000", "inf", "Fri, 31 Dec 9999 23:59:59 GMT"])
@pytest.mark.parametrize("header", ["Retry-After", "Backoff"])
def test_nobody_makes_us_wait_for_ever(told: str, header: str) -> None:
    status = 503 if header == "Retry-After" else 200
    with scripted(Says(status, headers={header: told}), Says()) as server:
        asking, waits = web(Policy(pause_seconds=0.001))
        asking.get(server.url)
        asking.get(server.url)
    assert waits
    assert max(waits) <= 300


@pytest.mark.parametrize("told", ["nan", "soon", "-5", "", "99:99"])
def test_a_wait_that_makes_no_sense_is_as_if_it_were_not_told(told: str) -> None:
    with scripted(Says(503, headers={"Retry-After": told}), Says()) as server:
        asking, waits = web()
        asking.get(server.url)
    assert sum(waits) < 1


def test_backoff_with_a_good_answer_delays_the_next_request() -> None:
    with scripted(Says(headers={"Backoff": "9"}), Says()) as server:
        asking, waits = web()
        asking.get(server.url)
        assert not waits
        asking.get(server.url)
    assert 8 < waits[0] <= 9


def test_too_many_requests_without_a_time_are_waited_out_longer_than_other_trouble() -> None:
    pauses = []
    for status in (429, 503):
        with scripted(Says(status), Says()) as server:
            asking, waits = web()
            asking.get(server.url)
        pauses.append(waits[0])
    assert pauses[0] > 10 * pauses[1]


def test_a_wait_beyond_the_whole_time_ends_at_once() -> None:
    with scripted(Says(503, headers={"Retry-After": "200"})) as server, pytest.raises(ServiceError, match="waited for too long"):
        web(Policy(total_seconds=100))[0].get(server.url)


def test_a_slow_drip_ends_with_the_whole_time() -> None:
    began = time.monotonic()
    with scripted(Says(body=b"x" * 1000, drip_seconds=0.05)) as server, pytest.raises(ServiceError, match="took longer than 1 s"):
        web(Policy(total_seconds=1))[0].get(server.url)
    assert time.monotonic() - began < 5


# What is too much


def test_a_bomb_stops_at_the_bound_and_takes_no_memory() -> None:
    bomb = gzip.compress(b"\0" * 400_000_000, 9)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with (
        scripted(Says(body=bomb, headers={"Content-Encoding": "gzip"})) as server,
        pytest.raises(ServiceError, match="more than 20 MB"),
    ):
        web()[0].get(server.url)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000  # kB


def test_an_endless_body_stops_at_the_bound() -> None:
    with scripted(Says(body=b"x" * 65_536, endless=True)) as server, pytest.raises(ServiceError, match="more than 20 MB"):
        web()[0].get(server.url)


def test_packed_answers_are_unpacked() -> None:
    with scripted(Says(body=gzip.compress(b"[1, 2]"), headers={"Content-Encoding": "gzip"})) as server:
        assert web()[0].get(server.url).json() == [1, 2]


def test_a_packed_answer_that_is_none_is_told() -> None:
    with scripted(Says(body=b"no gzip", headers={"Content-Encoding": "gzip"})) as server, pytest.raises(ServiceError, match="unpacked"):
        web()[0].get(server.url)


def test_a_login_page_is_no_data() -> None:
    with scripted(PORTAL) as server, pytest.raises(ServiceError, match="does this network want a login"):
        web()[0].get(server.url).json()


# Where a request goes


def test_a_redirect_is_followed_without_the_key_to_another_origin() -> None:
    with scripted(Says(body=b"[1]")) as other, scripted(Says(302, headers={"Location": f"{other.url}/there"})) as server:
        headers = {"Zotero-API-Key": KEY, "X-Odd": f"id {KEY}", "Zotero-API-Version": "3"}
        assert web()[0].get(server.url, headers=headers).json() == [1]
    assert server.asked[0][2]["zotero-api-key"] == KEY
    assert KEY not in repr(other.asked)
    assert other.asked[0][2]["zotero-api-version"] == "3"


def test_a_redirect_at_one_origin_keeps_the_key() -> None:
    with scripted(Says(301, headers={"Location": "/there"}), Says()) as server:
        web()[0].get(server.url, headers={"Zotero-API-Key": KEY})
    assert [(path, headers.get("zotero-api-key")) for _, path, headers, _ in server.asked] == [("/", KEY), ("/there", KEY)]


def test_a_circle_of_redirects_ends() -> None:
    with scripted(Says(302, headers={"Location": "/again"})) as server, pytest.raises(ServiceError, match="without end"):
        web()[0].get(server.url)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "javascript:alert(1)", "http://["])
def test_a_redirect_to_what_is_no_web_address_is_refused(target: str) -> None:
    with scripted(Says(302, headers={"Location": target})) as server, pytest.raises(ServiceError):
        web()[0].get(server.url)
    assert len(server.asked) == 1


def test_a_write_is_carried_nowhere_else() -> None:
    with scripted(Says()) as other, scripted(Says(307, headers={"Location": other.url})) as server:
        with pytest.raises(ServiceError, match="another address"):
            web()[0].send("POST", server.url, headers={}, body=b"[]", retry=True)
        assert not other.asked


def test_a_proxy_is_not_asked_for_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(Says(status=500)) as proxy, scripted(Says()) as server:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        web()[0].get(server.url)
        assert not proxy.asked


def test_who_asks_is_told_in_words_that_zotero_takes_for_no_client() -> None:
    with scripted(Says()) as server:
        web()[0].get(server.url)
    agent = server.asked[0][2]["user-agent"]
    assert agent.startswith("paperrec/")
    assert not [word for word in ("Zotero", "Firefox", "Mozilla") if word in agent]


def test_offline_opens_no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda *args: opened.append(args))
    asking, _ = web(offline=True)
    with pytest.raises(ServiceError, match="because of --offline"):
        asking.get("https://api.zotero.org/keys/current")
    with pytest.raises(ServiceError, match="because of --offline"):
        asking.send("POST", "https://api.zotero.org/x", headers={}, body=b"", retry=True)
    assert not opened


def test_nobody_there_is_told_in_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(ServiceError) as error:
        web()[0].get(f"http://127.0.0.1:{port}/?key={KEY}")
    assert str(error.value) == "127.0.0.1: cannot be reached, asked 5 times; try again later"


# Keys


FORMS = (KEY, quote(KEY, safe=""), base64.b64encode(KEY.encode()).decode().rstrip("="))
FAULTS = (
    Says(403, f"Invalid key {KEY}".encode()),
    Says(403, f"Invalid key {base64.b64encode(KEY.encode()).decode()}".encode()),
    Says(500, f"\x1b[31mkey {KEY}\x1b]0;x\x07".encode()),
    Says(429, KEY.encode()),
    Says(body=f"<html>{KEY}</html>".encode()),
    Says(body=KEY.encode()),
    Says(302, headers={"Location": f"ftp://host/?key={KEY}"}),
    Says(302, headers={"Location": f"http://127.0.0.1:1/?key={KEY}"}),
    Says(drops=True),
    Says(body=b"{}", cut_at=1),
    Says(body=b"x", headers={"Content-Encoding": "gzip"}),
)


@pytest.mark.parametrize("fault", FAULTS)
def test_no_error_holds_the_key_in_any_form(fault: Says) -> None:
    with scripted(fault) as server, pytest.raises(PaperrecError) as error:
        web()[0].get(f"{server.url}/keys/{KEY}", params={"key": KEY}, headers={"Zotero-API-Key": KEY}).json()
    told = "".join(traceback.format_exception(error.value)) + repr(error.value) + repr(web()[0])
    assert not [form for form in FORMS if form in told]
    assert not [letter for letter in str(error.value) if ord(letter) < 32]


def test_a_key_with_a_line_break_is_told_without_it() -> None:
    with scripted(Says()) as server, pytest.raises(ServiceError, match="line break") as error:
        web()[0].get(server.url, headers={"Zotero-API-Key": f"{KEY}\n"})
    assert KEY not in "".join(traceback.format_exception(error.value))
    assert not server.asked


# pyzotero over it


def zotero(asking: Web, url: str) -> Any:
    from pyzotero.zotero import Zotero

    made = Zotero("1", "user", KEY, client=zotero_client(asking))
    made.endpoint = url
    return made


ITEM = b'[{"key": "AAAA2222", "version": 1, "data": {"key": "AAAA2222"}}]'
JSON = {"Content-Type": "application/json", "Total-Results": "1"}


@pytest.mark.parametrize(
    "trouble",
    [
        Says(429),
        Says(429, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
        Says(503, b"<html>", {"Retry-After": "1"}),
        Says(504),
        Says(drops=True),
        Says(body=ITEM, headers=JSON, cut_at=10),
    ],
)
def test_pyzotero_reads_through_trouble(trouble: Says) -> None:
    with scripted(trouble, Says(body=ITEM, headers=JSON)) as server:
        assert zotero(web()[0], server.url).items()[0]["key"] == "AAAA2222"


def test_pyzotero_sleeps_for_nobody() -> None:
    with scripted(Says(body=ITEM, headers={**JSON, "Backoff": "1000000000"}), Says(body=ITEM, headers=JSON)) as server:
        asking, waits = web(Policy(pause_seconds=0.001))
        reader = zotero(asking, server.url)
        began = time.monotonic()
        reader.items()
        reader.items()
    assert time.monotonic() - began < 5
    assert waits == [pytest.approx(300, abs=2)]


def test_pyzotero_is_given_no_login_page() -> None:
    with scripted(PORTAL) as server, pytest.raises(ServiceError, match="login"):
        zotero(web()[0], server.url).items()


def test_a_refusal_comes_through_pyzotero_as_ours_without_the_key() -> None:
    with scripted(Says(403, f"Invalid key {KEY}".encode())) as server, pytest.raises(DeniedError) as error:
        zotero(web()[0], server.url).items()
    assert KEY not in "".join(traceback.format_exception(error.value))


def test_pyzotero_can_be_thrown_away_without_closing_what_it_was_given() -> None:
    with scripted(Says(body=ITEM, headers=JSON)) as server:
        asking, _ = web()
        for _ in range(2):
            reader = zotero(asking, server.url)
            reader.items()
            del reader
        assert asking.get(server.url).status == 200

from __future__ import annotations

import errno
import io
import socket
import ssl
import urllib.error
import urllib.request
from email.message import Message
from http.client import RemoteDisconnected

import pytest

from assay.data.archives import transfer
from assay.data.archives.transfer import Failure, Policy, discard


@pytest.mark.parametrize(
    ("error", "passing", "unreachable", "message"),
    [
        (TimeoutError(), True, False, "no data for 5 s"),
        (ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"), True, False, "failed: connection reset"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), True, True, "unreachable"),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), True, True, "unreachable"),
        (socket.gaierror(-2, "Name or service not known"), True, True, "name or service not known"),
        (RemoteDisconnected(), True, False, "RemoteDisconnected"),
        (ssl.SSLCertVerificationError(1, "[SSL] self-signed certificate"), False, False, "untrusted certificate"),
    ],
)
def test_what_a_broken_connection_means(error, passing, unreachable, message):
    if isinstance(error, ssl.SSLCertVerificationError):
        error.verify_message = "self-signed certificate"
    found = transfer._network_failure(error, 5.0)
    assert (found.is_temporary, found.is_unreachable) == (passing, unreachable)
    assert message in str(found)


@pytest.mark.parametrize(
    ("code", "after", "passing", "stale", "wait"),
    [
        (404, None, False, False, 0),
        (401, None, False, False, 0),
        (416, None, True, True, 0),
        (429, "7", True, False, 7),
        (503, "Wed, 21 Oct 2026 07:28:00 GMT", True, False, 0),
        (503, "9" * 5000, True, False, 0),
        (503, "-1", True, False, 0),
        (302, None, False, False, 0),
    ],
)
def test_what_a_status_means(code, after, passing, stale, wait):
    headers = Message()
    if after is not None:
        headers["Retry-After"] = after
    with urllib.error.HTTPError("http://x/", code, "why", headers, io.BytesIO()) as error:
        found = transfer._refusal(error)
    assert (found.is_temporary, found.is_stale, found.wait) == (passing, stale, wait)


@pytest.mark.parametrize(
    ("old", "new", "followed"),
    [
        ("http://a/x", "http://b/y", True),
        ("http://a/x", "https://b/y", True),
        ("https://a/x", "https://b/y", True),
        ("https://a/x", "http://b/y", False),
        ("https://a/x", "ftp://b/y", False),
        ("https://a/x", "file:///etc/passwd", False),
        ("https://a/x", "//b/y", False),
    ],
)
def test_where_redirects_may_lead(old, new, followed):
    request = urllib.request.Request(old, headers={"Range": "bytes=5-"})  # noqa: S310 - nothing is opened
    body = io.BytesIO()
    if not followed:
        with pytest.raises(Failure, match="refused a redirect"):
            transfer._Redirects().redirect_request(request, body, 302, "", Message(), new)
        assert body.closed
    else:
        following = transfer._Redirects().redirect_request(request, body, 302, "", Message(), new)
        assert following is not None
        assert (following.full_url, following.get_header("Range")) == (new, "bytes=5-")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x"])
def test_the_opener_knows_no_other_schemes(url):
    with pytest.raises(urllib.error.URLError, match="unknown url type"):
        transfer._opener().open(url, timeout=1)


def test_pauses_double_and_end(monkeypatch, tmp_path):
    slept = []
    monkeypatch.setattr(transfer.time, "sleep", slept.append)
    waits = iter([0.0, 0.0, 30.0, 5000.0, 0.0])

    def fail(*_: object) -> bool:
        raise Failure("again", is_temporary=True, wait=next(waits))

    monkeypatch.setattr(transfer, "_attempt", fail)
    (tmp_path / "part").touch()
    with pytest.raises(Failure, match="again"):
        transfer.transfer("http://x/", tmp_path / "part", policy=Policy(tries=5, pause=2), task="x")
    assert slept == [2, 4, 30, 60]


def test_tries_are_counted_anew_when_something_came(monkeypatch, tmp_path):
    part = tmp_path / "part"
    part.touch()

    def cut(*_: object) -> bool:
        part.write_bytes(part.read_bytes() + bytes(10))
        if part.stat().st_size < 100:
            raise Failure("cut", is_temporary=True)
        return False

    monkeypatch.setattr(transfer, "_attempt", cut)
    policy = Policy(tries=2, pause=0, worthwhile=10)
    assert transfer.transfer("http://x/", part, policy=policy, task="x")
    assert part.stat().st_size == 100


def test_discarding(tmp_path):
    part = tmp_path / "part"
    discard(part)
    part.write_bytes(b"x")
    (tmp_path / "part.json").write_bytes(b"{}")
    discard(part)
    assert part.read_bytes() == b""
    assert [p.name for p in tmp_path.iterdir()] == ["part"]

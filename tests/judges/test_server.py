"""Addresses and names. What a server does wrong is in test_faults."""

from __future__ import annotations

import pytest

from assay.errors import ConfigError
from assay.judges.reply import Reply
from assay.judges.server import Server


@pytest.mark.parametrize(
    ("url", "host", "is_local"),
    [
        ("http://127.0.0.1:8000/v1", "127.0.0.1", True),
        ("http://localhost/v1/", "localhost", True),
        ("http://[::1]:8080/v1", "::1", True),
        ("http://127.9.9.9/v1", "127.9.9.9", True),
        ("https://API.example.org/v1", "api.example.org", False),
        ("http://10.0.0.3:8000", "10.0.0.3", False),
        ("http://localhost.example.org/v1", "localhost.example.org", False),
        ("http://0x7f000001/v1", "0x7f000001", False),
    ],
)
def test_addresses(url, host, is_local):
    server = Server(url, "m")
    assert (server.host, server.is_local) == (host, is_local)
    assert server.url == url.rstrip("/")
    assert repr(server) == f"Server({url.rstrip('/')!r}, 'm', 0.0)"


@pytest.mark.parametrize(
    "url",
    [
        *("", "localhost:8000", "ftp://localhost/v1", "file:///etc/passwd", "http://", "http:///v1", "127.0.0.1"),
        *("http://localhost:99999/v1", "http://localhost:x/v1", "http://local host/v1", "http://localhost/v1\r\nX: 1"),
        *("http://localhost/v1?key=1", "http://localhost/v1#a", "http://bücher.example/v1", "http://[::1/v1"),
    ],
)
def test_what_is_not_an_address(url):
    with pytest.raises(ConfigError) as caught:
        Server(url, "m")
    assert "is not the address of a server" in caught.value.message
    assert caught.value.hint == "for instance http://127.0.0.1:8000/v1"


def test_models(asking):
    asking.server.models = ["a", "b"]
    assert asking.judge.list_models() == ("a", "b")
    asking.server.models = None
    assert asking.judge.list_models() == ()
    asking.judge.disconnect()
    assert Server("http://127.0.0.1:9/v1", "m").list_models() == ()


def test_reported_models():
    server = Server("http://localhost/v1", "m")
    assert (server.reported_model, server.notes, server.accepts_schema) == ("", (), None)
    for key, name in ((b"1", "b"), (b"2", "a"), (b"3", ""), (b"4", "b")):
        assert server.note(key, Reply("x", model=name), is_structure_wanted=False)
        assert not server.note(key, Reply("x", model=name), is_structure_wanted=False)
    assert server.reported_model == "a+b"
    assert [note.text for note in server.notes] == ["replies come from several models: a (1), b (2)"]

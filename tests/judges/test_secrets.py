"""The key goes to the server, and nowhere else."""

from __future__ import annotations

import io
import json
import logging
import pickle
import sys
import traceback

import pytest

from assay.errors import AssayError, ConfigError, ServerError
from assay.judges.server import Server
from tests.chat_server import Step, error
from tests.judges.asking import SCHEMA, requests


def escaped(content: dict) -> bytes:
    return json.dumps(content).replace(KEY, "".join(f"\\u{ord(c):04x}" for c in KEY)).encode()


def error_with_escapes(status: int) -> Step:
    return Step(status=status, body=escaped({"error": {"message": f"odd: {KEY}"}}))


KEY = "sk-Distinctive0123456789abcdefXYZ"
ECHOES = {
    "nothing": lambda body: None,
    "the reply": lambda body: Step(text=f"echo {KEY}"),
    "an unreadable reply": lambda body: Step(text=f"{KEY}?"),
    "the model": lambda body: Step(fields={"model": KEY}),
    "a refusal": lambda body: Step(fields={"choices": [{"message": {"refusal": f"no {KEY}"}}]}),
    "401": lambda body: error(401, f"Incorrect API key provided: {KEY}"),
    "400": lambda body: error(400, f"odd: {KEY}"),
    "500": lambda body: error(500, f"odd: {KEY}"),
    "404": lambda body: error(404, f"no model for {KEY}"),
    "429": lambda body: error(429, f"limit of {KEY}", Retry_After="99999"),
    "401 with escapes": lambda body: error_with_escapes(401),
    "500 with escapes": lambda body: error_with_escapes(500),
    "a reply with escapes": lambda body: Step(body=escaped({"choices": [{"message": {"content": f"echo {KEY}"}}]})),
    "a redirect": lambda body: Step(status=302, headers={"Location": f"http://127.0.0.1:1/{KEY}"}, body=b""),
    "broken JSON": lambda body: Step(body=f'{{"{KEY}'.encode()),
}


@pytest.mark.parametrize("where", ECHOES)
@pytest.mark.parametrize("variable", ["ASSAY_JUDGE_KEY", "OPENAI_API_KEY"])
def test_the_key_is_nowhere(asking, where, variable, monkeypatch, tmp_path, capfd, caplog):
    monkeypatch.setenv(variable, KEY)
    monkeypatch.setattr(sys, "stderr", stderr := io.StringIO())
    caplog.set_level(logging.DEBUG)
    asking.server.refuse = ECHOES[where]
    seen = [repr(asking.judge), str(vars(asking.judge)), repr(asking.runtime())]
    try:
        seen.append(repr(asking.ask(requests(5), schema=SCHEMA, prices=(1, 1))))
    except AssayError as failure:
        seen += [str(failure), repr(failure), *traceback.format_exception(failure)]
        seen += [str(failure.__cause__), repr(failure.__cause__), repr(failure.__context__)]
    assert set(asking.server.keys) == {f"Bearer {KEY}"}
    judge = asking.judge
    seen += [repr(judge), str(vars(judge)), judge.reported_model, repr(judge.notes), *asking.said, *asking.warned]
    seen += [repr(asking.progress), repr(asking.spending), stderr.getvalue(), *capfd.readouterr(), caplog.text]
    seen.append(judge.digest(requests(1)[0], SCHEMA)[0].hex())
    seen.append(json.dumps(asking.server.requests))
    assert KEY not in "\n".join(seen)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(KEY.encode() in path.read_bytes() for path in files)


def test_the_key_does_not_change_what_is_found_in_the_cache(asking, monkeypatch):
    asking.ask(requests(3))
    monkeypatch.setenv("ASSAY_JUDGE_KEY", KEY)
    asking.ask(requests(3))
    assert len(asking.server.requests) == 3


def test_the_own_variable_comes_first(asking, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "theirs")
    asking.ask(requests(1))
    monkeypatch.setenv("ASSAY_JUDGE_KEY", "  ours\n")
    asking.ask(requests(2))
    assert asking.server.keys == ["Bearer theirs", "Bearer ours"]


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://api.openai.com/v1", "theirs"),
        ("https://eu.api.openai.com/v1", "theirs"),
        ("http://localhost:8000/v1", "theirs"),
        ("http://[::1]:8000/v1", "theirs"),
        ("https://openai.com.example.org/v1", ""),
        ("https://notopenai.com/v1", ""),
        ("https://example.org/v1", ""),
        ("http://192.168.0.7:8000/v1", ""),
    ],
)
def test_the_key_of_openai_goes_to_openai_and_to_this_computer(url, key, monkeypatch):
    monkeypatch.delenv("ASSAY_JUDGE_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "theirs")
    assert Server(url, "x")._key() == key
    monkeypatch.setenv("ASSAY_JUDGE_KEY", "ours")
    assert Server(url, "x")._key() == "ours"


@pytest.mark.parametrize("key", [f"{KEY} {KEY}", f"{KEY}\r\nX-Evil: 1", f"{KEY}é", f"“{KEY}”"])
def test_a_key_that_is_no_key(asking, key, monkeypatch):
    monkeypatch.setenv("ASSAY_JUDGE_KEY", key)
    with pytest.raises(ConfigError) as caught:
        asking.ask(requests(1))
    assert "the key in ASSAY_JUDGE_KEY has characters that no key has" in str(caught.value)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert asking.server.paths == []


@pytest.mark.parametrize("key", ["1", "echo", "EMPTY", "question", "not-needed"])
def test_a_key_that_is_a_word_does_not_change_replies(asking, key, monkeypatch):
    monkeypatch.setenv("ASSAY_JUDGE_KEY", key)
    asking.server.answer = lambda body: f"echo 81 EMPTY question not-needed {key}"
    (answer,) = asking.ask(requests(1))
    assert answer.text == f"echo 81 EMPTY question not-needed {key}"
    asking.server.refuse = lambda body: error(500, "hunter2 is odd")
    monkeypatch.setenv("ASSAY_JUDGE_KEY", "hunter2")
    with pytest.raises(ServerError, match=r"\[key\] is odd"):
        asking.ask(requests(9))


def test_no_key_no_header(asking):
    asking.ask(requests(1))
    assert asking.server.keys == [""]


def test_a_server_is_not_pickled_with_a_key(monkeypatch):
    monkeypatch.setenv("ASSAY_JUDGE_KEY", KEY)
    judge = Server("http://localhost/v1", "x")
    try:
        content = pickle.dumps(judge)
    except TypeError:
        content = b""
    assert KEY.encode() not in content


@pytest.mark.parametrize("url", ["http://user:sk-secret@localhost/v1", "https://sk-secret@example.org/v1"])
def test_an_address_with_a_password(url):
    with pytest.raises(ConfigError) as caught:
        Server(url, "x")
    assert "must not contain a name or password" in str(caught.value)
    assert "sk-secret" not in str(caught.value)

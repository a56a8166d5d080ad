"""`judge` with a server over HTTP, which does what a script says."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import assay
from assay.errors import AssayError, BudgetError
from assay.types.spending import Spending
from tests import chat_server as chat
from tests.judges.scripted import part

OUTPUTS = {"elm": ["Eins.", "Zwei zwei.", "Drei."], "oak": ["Ein.", "Zwei zwei.", "Three."]}


def texts():
    return assay.load(sources=["One.", "Two two.", "Three."], outputs=OUTPUTS, lp="en-de")


def answer(body):
    """All errors are the first character; a score that depends on the length."""
    prompt = body["messages"][-1]["content"]
    text = part(prompt, "candidate")
    if part(prompt, "errors") is None:
        return json.dumps({"errors": [{"text": text[0], "severity": "minor", "category": "error"}]})
    return json.dumps({"score": 10 * len(text)})


def score(server, cache, *options, **settings):
    spec = ",".join(["judge:protocol=esa", "model=made-up", f"endpoint={server.url}", *options])
    return assay.score(texts(), spec, resamples=0, cache=cache, **settings)[spec]


def test_a_run_and_a_second_one_that_asks_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_JUDGE_KEY", "very-secret")
    with chat.chat_server() as server:
        server.answer = answer
        found = score(server, tmp_path)
        assert found.segments["oak"].tolist() == [40, 100, 60]
        asked = len(server.requests)
        assert asked == 2 * 5  # five distinct outputs, in two stages
        again = score(server, tmp_path)
        assert len(server.requests) == asked
    assert str(again.segment_mean.signature) == str(found.segment_mean.signature)
    assert "very-secret" not in repr(found) + str(found.signature)
    assert "|reported_model.digest:made-up|" in str(found.signature)


def test_votes_are_asked_one_by_one(tmp_path):
    with chat.chat_server() as server:
        server.answer = answer
        found = score(server, tmp_path, "votes=3", "temperature=1")
        assert len(server.requests) == 3 * 2 * 5
    assert found.statistics.table[0, 0].tolist() == [50, 1, 0, 1]


@pytest.mark.warns("could not be read")
def test_a_reply_that_stays_broken(tmp_path):
    with chat.chat_server() as server:
        server.answer = lambda body: (
            "?" if part(body["messages"][-1]["content"], "candidate") == "Drei." else answer(body)
        )
        found = score(server, tmp_path, "retries=1")
        assert np.isnan(found.segments["elm"]).tolist() == [False, False, True]
        assert sum("Drei." in body["messages"][-1]["content"] for body in server.requests) == 2


def test_a_model_that_the_server_does_not_have(tmp_path):
    with chat.chat_server() as server:
        server.refuse = lambda body: chat.error(404, "The model `made-up` does not exist")
        with pytest.raises(AssayError, match="made-up"):
            score(server, tmp_path)


def test_a_server_that_is_down(tmp_path):
    with chat.chat_server() as server:
        pass
    with pytest.raises(AssayError, match=r"127\.0\.0\.1"):
        score(server, tmp_path)


@pytest.mark.warns("no reply to 1 of 5 questions: the server answered 400 Bad Request: too long")
def test_a_request_that_is_refused(tmp_path):
    """It was not read after three attempts: it has no reply at all."""
    with chat.chat_server() as server:
        server.answer = lambda body: "70"
        server.refuse = lambda body: chat.error(400, "too long") if "Drei." in str(body) else None
        spec = f"judge:protocol=da,model=made-up,endpoint={server.url}"
        found = assay.score(texts(), spec, resamples=0, cache=tmp_path)[spec]
    assert np.isnan(found.segments["elm"][2])


def test_the_budget_is_for_both_steps_of_esa(tmp_path):
    """The first step alone would be within the budget: nothing is sent, and nothing paid for in vain."""
    with chat.chat_server() as server:
        server.answer = answer
        spending = Spending(announce=(said := []).append)
        score(server, tmp_path / "paid", prices=(100, 100), spending=spending)
        cost = float(re.match(r"about ([\d.]+) USD for 10 requests", said[0])[1])
        first = float(re.match(r"about ([\d.]+) USD for 5 requests", said[1])[1])
        assert first < cost
        asked = len(server.requests)
        with pytest.raises(BudgetError):
            score(server, tmp_path / "not paid", prices=(100, 100), budget=0.9 * cost)
        assert len(server.requests) == asked

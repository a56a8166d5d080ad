"""Errors that metrics mark in rated outputs: which are computed, of what, and how they meet those in files."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import assay
from assay.errors import ConfigError, InputError, UnknownNameError
from assay.metaeval.computed_spans import SpanMetrics
from assay.types import TestSet
from tests.judges.scripted import part, scripted
from tests.study.test_meta_spans import DOCUMENTS, LENGTH, SEGMENTS, campaign

SPEC = "judge:protocol=mqm,model=m,endpoint=http://127.0.0.1:8000/v1"


def with_texts(unrated=()):
    """Segments with different texts, and some that nobody rated."""
    data = campaign()
    lines = [f"{chr(97 + k) * 10} {'x' * (LENGTH - 11)}" for k in range(SEGMENTS)]
    texts = TestSet({"A": lines}, sources=[f"s{k}" for k in range(SEGMENTS)], documents=DOCUMENTS, lp="en-de")
    (ratings,) = data.judgements
    judged = ratings.where([segment not in unrated for segment in ratings.segment.tolist()])
    return replace(data, testset=texts, judgements=(judged,))


def first_word(prompt, *_):
    word = part(prompt, "candidate").split()[0]
    return json.dumps({"errors": [{"text": word, "severity": "minor", "category": "style"}]})


def test_a_judge_stands_beside_metrics_whose_errors_are_in_files(monkeypatch):
    """It marks characters 0 to 10, as `good` does."""
    scripted(monkeypatch, first_word)
    table = assay.meta_spans(with_texts(), metrics=[SPEC])
    assert {row.metric for row in table} == {"good", "bad", SPEC}
    assert table.agreement(SPEC).value == table.agreement("good").value
    assert any(note.text.startswith("computed as judge|protocol:mqm|") for note in table.notes)
    assert {row.metric for row in assay.meta_spans(with_texts(), metrics=[SPEC, "good"])} == {"good", SPEC}


def test_only_rated_outputs_are_judged(monkeypatch):
    script = scripted(monkeypatch, first_word)
    table = assay.meta_spans(with_texts(unrated=(0, 5)), metrics=[SPEC])
    assert len(script.requests) == SEGMENTS - 2
    assert table.agreement(SPEC).n == 2 * (SEGMENTS - 2)


@pytest.mark.warns("could not be read|read only")
def test_outputs_without_a_readable_reply_were_not_read(monkeypatch):
    scripted(monkeypatch, lambda prompt, *_: "?" if part(prompt, "original") == "s3" else first_word(prompt))
    table = assay.meta_spans(with_texts(), metrics=[SPEC])
    assert table.agreement(SPEC).n == 2 * (SEGMENTS - 1)
    assert any("could not be read" in note.text for note in table.notes)


@pytest.mark.parametrize("spec", ["bleu", "judge:protocol=da,model=m,endpoint=http://127.0.0.1:1/v1"])
def test_metrics_that_mark_no_errors(monkeypatch, spec):
    scripted(monkeypatch, lambda *_: "50")
    with pytest.raises(ConfigError, match="marks no errors in the text"):
        assay.meta_spans(with_texts(), metrics=[spec])


def test_names_that_nothing_has():
    with pytest.raises(UnknownNameError, match="no metric that marked errors matches 'goood'"):
        SpanMetrics.from_names(["goood"], ["good", "bad"])


def test_texts_are_needed(monkeypatch):
    scripted(monkeypatch, first_word)
    with pytest.raises(InputError, match="has no texts"):
        assay.meta_spans(replace(with_texts(), testset=None), metrics=[SPEC])

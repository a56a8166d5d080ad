from __future__ import annotations

import dataclasses

import pytest

from assay.errors import InputError, NameClashError, UnknownNameError
from assay.study.entries import entries_of
from assay.study.meta import evaluate_metrics
from tests.study.campaigns_with_metrics import campaign, human, metric


def labels(entries):
    return {entry.label: sorted(entry.tables) for entry in entries}


def test_metrics_with_other_references_are_others():
    assert labels(entries_of(campaign())) == {
        "fair-all": ["system"],
        "good-refA": ["segment", "system"],
        "good-refB": ["system"],
        "poor-src": ["segment"],
    }
    stored = campaign(testset=None, scores=(human(), metric("m", 1.0, references=("all",))))
    (entry,) = entries_of(stored)
    assert (entry.label, entry.tables["system"].references) == ("m-all", ("refA", "refB"))
    several = campaign(references=("refA", "refB", "refC"), scores=(metric("m", 1.0, references=("refA", "refB")),))
    assert list(labels(entries_of(several))) == ["m-refA.refB"]


def test_one_reference_may_be_chosen():
    assert list(labels(entries_of(campaign(), references=("refZ", "refB")))) == ["good", "poor-src"]
    with pytest.raises(UnknownNameError, match="has no reference refZ"):
        entries_of(campaign(), references=("refZ",))


def test_metrics_are_computed_from_the_texts():
    found = {entry.label: entry for entry in entries_of(campaign(), metrics=("chrf", "bleu", "chrf"))}
    assert found["chrf-refA"].tables["segment"].values.shape == (7, 6)
    assert found["chrf-refA"].tables["system"].references == ("refA",)
    assert "refA" not in found["bleu-refA"].tables["system"].systems
    assert "refB" in found["bleu-refA"].tables["system"].systems
    chosen = {entry.label: entry for entry in entries_of(campaign(), metrics=("chrf",), references=("refB",))}
    assert chosen["chrf"].tables["system"].references == ("refB",)
    with pytest.raises(InputError, match="wmt99 de-en has no texts to compute chrf from"):
        entries_of(campaign(testset=None), metrics=("chrf",))


def test_scores_that_are_brought_along():
    brought = [metric("mine-refA", 1.0, references=()), metric("yours-all", 1.0, references=(), level="segment")]
    brought += [metric("theirs", 1.0, references=()), metric("free-src", 1.0, references=())]
    found = {entry.label: entry for entry in entries_of(campaign(), brought=brought)}
    assert found["mine-refA"].tables["system"].references == ("refA",)
    assert found["yours-all"].tables["segment"].references == ("refA", "refB")
    assert found["theirs"].tables["system"].references == found["free-src"].tables["system"].references == ()
    documents = dataclasses.replace(brought[0], name="documents", level="document", items=("d1",))
    assert "documents" not in labels(entries_of(campaign(), brought=[documents]))
    with pytest.raises(NameClashError, match="two metrics are called 'good-refA'"):
        entries_of(campaign(), brought=[metric("good-refA", 1.0)])


def test_scores_by_domain_stand_in_no_one_s_way():
    by_segment = metric("m", 1.0, level="segment")
    by_domain = dataclasses.replace(by_segment, level="domain", items=tuple("abcdef"))
    judged = campaign(scores=(human(), by_domain, by_segment, dataclasses.replace(by_domain, name="lonely")))
    assert labels(entries_of(judged)) == {"m-refA": ["segment"]}
    assert [row.metric for row in evaluate_metrics([judged], chance=0)] == ["m-refA"]

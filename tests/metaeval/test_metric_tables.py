from __future__ import annotations

import dataclasses

import pytest

from assay.errors import NameClashError, UnknownNameError
from assay.metaeval.metric_tables import find_reference, metric_tables
from assay.study.meta import meta
from tests.campaigns_with_metrics import campaign, human, metric


def levels(metrics):
    return {metric.name: [table.level for table in metric.tables] for metric in metrics}


def test_metrics_with_other_references_are_others():
    assert levels(metric_tables(campaign())) == {
        "fair-all": ["system"],
        "good-refA": ["system", "segment"],
        "good-refB": ["system"],
        "poor-src": ["segment"],
    }
    stored = campaign(testset=None, scores=(human(), metric("m", 1.0, references=("all",))))
    (only,) = metric_tables(stored)
    assert (only.name, only.system.references) == ("m-all", ("refA", "refB"))
    several = campaign(references=("refA", "refB", "refC"), scores=(metric("m", 1.0, references=("refA", "refB")),))
    assert list(levels(metric_tables(several))) == ["m-refA.refB"]


def test_one_reference_may_be_chosen():
    reference = find_reference(campaign(), ("refZ", "refB"))
    assert list(levels(metric_tables(campaign(), reference=reference))) == ["good", "poor-src"]
    with pytest.raises(UnknownNameError, match="has no reference refZ"):
        find_reference(campaign(), ("refZ",))


def test_external_scores():
    external = [metric("mine-refA", 1.0, references=()), metric("yours-all", 1.0, references=(), level="segment")]
    external += [metric("theirs", 1.0, references=()), metric("free-src", 1.0, references=())]
    found = {each.name: each for each in metric_tables(campaign(), external=external)}
    assert found["mine-refA"].system.references == ("refA",)
    assert found["yours-all"].segment.references == ("refA", "refB")
    assert found["theirs"].system.references == found["free-src"].system.references == ()
    documents = dataclasses.replace(external[0], name="documents", level="document", items=("d1",))
    assert "documents" not in levels(metric_tables(campaign(), external=[documents]))
    with pytest.raises(NameClashError, match="two system-level scores called 'good-refA'"):
        metric_tables(campaign(), external=[metric("good-refA", 1.0)])


def test_domain_scores_are_ignored():
    by_segment = metric("m", 1.0, level="segment")
    by_domain = dataclasses.replace(by_segment, level="domain", items=tuple("abcdef"))
    judged = campaign(scores=(human(), by_domain, by_segment, dataclasses.replace(by_domain, name="lonely")))
    assert levels(metric_tables(judged)) == {"m-refA": ["segment"]}
    assert [row.metric for row in meta([judged], random_metrics=0)] == ["m-refA"]

from __future__ import annotations

import dataclasses

import pytest

from assay.errors import InputError, NameClashError
from assay.metaeval.scores_by_level import ScoresByLevel, group_by_level
from tests.campaigns_with_metrics import metric


def test_tables_of_one_name_are_grouped_and_sorted():
    tables = [metric("b", 1.0), metric("a", 1.0), metric("b", 1.0, level="segment")]
    first, second = group_by_level(tables)
    assert (first.name, [table.level for table in first.tables]) == ("a", ["system"])
    assert (second.name, [table.level for table in second.tables]) == ("b", ["system", "segment"])


def test_document_scores_do_not_take_part():
    segments = metric("m", 1.0, level="segment")
    documents = dataclasses.replace(segments, level="document", items=tuple("abcdef"))
    assert list(group_by_level([documents])) == []


def test_two_tables_of_one_level_clash():
    with pytest.raises(NameClashError, match="two system-level scores called 'm'") as caught:
        list(group_by_level([metric("m", 1.0), metric("m", 2.0)], hint="rename one"))
    assert caught.value.hint == "rename one"


def test_a_missing_level_is_an_error():
    scores = ScoresByLevel("m", system=metric("m", 1.0))
    assert scores.at("system") is scores.system
    with pytest.raises(InputError, match="'m' has no segment scores"):
        scores.at("segment")


def test_some_systems():
    scores = ScoresByLevel("m", segment=metric("m", 1.0, level="segment")).take(("b", "a"))
    assert scores.segment.systems == ("b", "a")
    assert scores.system is None

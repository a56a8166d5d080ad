from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assay import compare, load
from assay.reports.blocks import Fold, PageTable
from assay.reports.cells import cell_text
from assay.reports.html.page import blocks_html
from assay.words.systems import pair_verdict
from tests.reports.html.parsed import parsed
from tests.reports.page.built import built
from tests.store import examples
from tests.store.examples import example


def test_scores_by_group_have_a_column_for_each_system():
    section, content = built("groups", example("score"))["groups"]
    assert section.heading == "Scores by part of the test set"
    assert {"domain:news", *example("score").systems} <= set(content.cells)


def test_differences_by_group_are_preferred():
    found = compare(examples.testset(), ["bleu"], by="domain", resamples=10)
    section, content = built("groups", example("score"), found)["groups"]
    assert section.heading == "Where do they differ?"
    assert "Better by" in content.cells
    pair = pair_verdict(found)
    assert f"{pair.first} and {pair.second} by part of the test set, BLEU" in content.text
    contrast = next(each for each in found.contrasts if {each.first, each.second} == {pair.first, pair.second})
    drawn = content.having("circle")
    assert len(drawn) == sum(not math.isnan(group.better_by) for group in contrast.groups)


def test_groups_are_turned_to_the_order_of_the_verdict():
    outputs = {"base": ["a b", "a b", "x y"], "new": ["a b", "a c", "a b"]}
    testset = load(outputs=outputs, references=["a b"] * 3, domains=["one", "two", "three"])
    for baseline in ("base", "new"):
        found = compare(testset, ["chrf"], baseline=baseline, by="domain", resamples=10)
        _, content = built("groups", found)["groups"]
        pair = pair_verdict(found)
        first = content.cells.index(pair.first)
        assert content.cells[first + 1] == pair.second
        row = content.cells.index("three")
        favour = float(content.cells[row + 5].replace("−", "-"))
        own, other = (float(content.cells[row + place]) for place in (3, 4))
        assert favour == pytest.approx(own - other, abs=0.06)


def test_the_other_pairs_are_folded():
    outputs = {"base": ["a b", "a b"], "new": ["a b", "a c"], "third": ["a c", "a c"]}
    testset = load(outputs=outputs, references=["a b"] * 2, domains=["one", "two"])
    found = compare(testset, ["chrf"], by="domain", resamples=10)
    _, content = built("groups", found)["groups"]
    assert len(content.having("details")) == 1
    assert "The other pairs (1 table)" in content.text


def test_documents_of_few_segments_are_folded():
    documents = ["long"] * 5 + ["short"] * 4 + ["single"]
    outputs = {"base": ["a b"] * 10, "new": ["a c"] * 10}
    testset = load(outputs=outputs, references=["a b"] * 10, documents=documents)
    section, content = built("groups", compare(testset, ["chrf"], by="document", resamples=10))["groups"]
    (fold,) = [block for block in section.blocks if isinstance(block, Fold)]
    assert fold.summary == ("2 documents with fewer than 5 segments",)
    assert not fold.is_open
    inside = parsed(blocks_html(fold.blocks)).cells
    assert {"short", "single"} <= set(inside)
    assert "long" not in inside
    assert "long" in content.cells
    long = replace(testset, documents=("a",) * 5 + ("b",) * 5)
    section, _ = built("groups", compare(long, ["chrf"], by="document", resamples=10))["groups"]
    assert not [block for block in section.blocks if isinstance(block, Fold)]


def test_each_grouping_has_a_table_and_a_long_one_is_folded():
    documents = [f"d{k // 5:02}" for k in range(100)]
    testset = load(
        outputs={"base": ["a b"] * 100, "new": ["a c"] * 50 + ["a b"] * 50},
        references=["a b"] * 100,
        documents=documents,
        domains=["one", "two"] * 50,
    )
    found = compare(testset, ["chrf"], by=["document", "domain"], resamples=10)
    section, _ = built("groups", found)["groups"]
    (shown,) = [block for block in section.blocks if isinstance(block, PageTable)]
    assert [cell_text(row[0]) for row in shown.grid.rows] == ["one", "two"] * 2
    (fold,) = [block for block in section.blocks if isinstance(block, Fold)]
    assert fold.summary == ("The largest differences by document",)
    assert "d00" in parsed(blocks_html(fold.blocks)).cells


def test_domains_need_not_be_asked_for():
    """Also where all pairs were compared: the pair of the verdict, by means of segment scores."""
    outputs = {"base": ["a b", "a b", "x y"], "new": ["a b", "a c", "a b"], "third": ["q", "a b", "a b"]}
    testset = load(outputs=outputs, references=["a b"] * 3, domains=["one", "two", "three"])
    found = compare(testset, ["chrf", "ter"], all_pairs=True, resamples=10)
    _, content = built("groups", found)["groups"]
    assert {"Domain", "one", "two", "three", "segment mean"} <= set(content.cells)


def test_nothing_without_groups():
    assert built("groups", compare(load(outputs={"a": ["x"], "b": ["y"]}, references=["x"]), ["chrf"])) == {}

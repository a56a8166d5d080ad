"""What terms a source demands, and which of them an output has."""

from __future__ import annotations

import pytest

import assay
from assay.metrics import metric
from assay.metrics.term_list_metric import found_terms


@pytest.fixture
def made(tmp_path):
    (tmp_path / "terms.tsv").write_text("central bank\tZentralbank|Notenbank\nbank\tBank\nshore\tBank|Ufer\n")
    testset = assay.load(
        sources=["A central bank, a bank, a bank on a shore.", "none", None],
        outputs={"x": ["Bank, Notenbank und Bank am Ufer", "Bank", "Bank"], "y": [None, "Bank", "Bank"]},
        lp="en-de",
    )
    return metric.create(f"term:list={tmp_path}/terms.tsv").prepare(testset), testset


def test_what_is_required(made):
    term, testset = made
    assert [(each.term, each.occurrences) for each in term.wanted(testset, 0).terms] == [
        (("central", "bank"), 1),
        (("bank",), 2),
        (("shore",), 1),
    ]
    assert term.wanted(testset, 1).terms == ()
    assert [(system, segment) for system, segment, _, _ in term.required(testset)] == [(0, 0)]


def test_what_is_found(made):
    term, testset = made
    ((_, _, wanted, words),) = term.required(testset)
    assert [(each.number, " ".join(each.translation)) for each in found_terms(wanted, words)] == [
        (1, "bank"),
        (0, "notenbank"),
        (1, "bank"),
        (2, "ufer"),
    ]

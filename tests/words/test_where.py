from __future__ import annotations

from dataclasses import replace

from assay.results import GroupDifference, GroupDifferences
from assay.words.systems import comparison_verdict
from assay.words.where import where
from tests.reports.page.comparisons import compared, comparison

ROWS = (("corpus", "news", 50, 2.0), ("corpus", "talk", 50, -0.5), ("corpus", "shop", 5, 9.0))
UNTESTED = "Not tested: parts may differ by chance."


def parts(*rows, first="new", second="base", metric="bleu"):
    groups = (
        GroupDifference("domain", name, aggregation, 30 + gain, 30.0, gain, n, is_small=n < 10)
        for aggregation, name, n, gain in rows
    )
    return GroupDifferences(first, second, metric, tuple(groups), 10)


def test_the_part_with_the_largest_difference_is_named_with_the_score():
    found = comparison_verdict(comparison(compared("bleu", 1.2), contrasts=(parts(*ROWS),))).answers[2]
    assert found.answer == "Largest in news, by BLEU"
    assert found.detail == f"BLEU in favour of new: +2.00 in news, -0.50 in talk. {UNTESTED}"


def test_scores_that_contradict_are_said_to():
    bleu = compared("bleu", 1.2)
    metrics = (bleu, replace(bleu, aggregation="segment"), compared("chrf", 0.8))
    contrasts = (
        parts(*ROWS, ("segment", "news", 50, 1.0), ("segment", "talk", 50, 0.5)),
        parts(("corpus", "news", 50, 0.1), ("corpus", "talk", 50, 0.4), metric="chrf"),
    )
    (found,) = where(comparison(*metrics, contrasts=contrasts), "new", "base")
    assert found.answer == "It depends on the score"
    assert found.detail == (
        "Largest in favour of new: news by BLEU and BLEU segment mean; talk by chrF. "
        f"BLEU: +2.00 in news, -0.50 in talk. {UNTESTED}"
    )
    (agreed,) = where(comparison(*metrics, contrasts=contrasts[:1]), "new", "base")
    assert agreed.answer == "Largest in news, by both scores"


def test_it_is_about_the_pair_of_the_verdict_in_its_order():
    other = parts(("corpus", "news", 50, -7.0), ("corpus", "talk", 50, 7.0), first="third")
    turned = parts(("corpus", "talk", 50, 0.5), ("corpus", "news", 50, -2.0), first="base", second="new")
    found = comparison_verdict(comparison(compared("bleu", 1.2), contrasts=(other, turned))).answers[2]
    assert found.detail.startswith("BLEU in favour of new: +2.00 in news, -0.50 in talk.")


def test_a_single_large_part_says_nothing():
    assert not list(where(comparison(compared("bleu", 1.2), contrasts=(parts(*ROWS[1:]),)), "new", "base"))

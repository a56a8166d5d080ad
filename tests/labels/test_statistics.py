from __future__ import annotations

from assay.agreement import Statistic, statistic
from assay.labels.statistics import agreement_label, statistic_label


def test_statistics_as_the_literature_writes_them():
    specs = ("pearson", "kendall:variant=c", "acc-star", "spa", "another")
    assert [statistic_label(spec) for spec in specs] == [
        "Pearson",
        "Kendall:variant=c",
        "acc*",
        "soft pairwise accuracy",
        "another",
    ]


def test_titles_of_axes():
    assert agreement_label("pearson") == "Pearson correlation with people"
    assert agreement_label("pairwise-accuracy") == "pairwise accuracy against people"
    assert agreement_label("another") == "another with people"


def test_every_statistic_has_a_kind():
    assert all(agreement_label(name) != f"{name} with people" for name in statistic.names())


def test_a_statistic_that_is_no_correlation_is_called_none():
    assert Statistic.agreement.format("Spearman's footrule") == "Spearman's footrule against people"

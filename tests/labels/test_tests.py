from __future__ import annotations

import pytest

from assay.comparison.differences import test_names as names_of_tests
from assay.labels.tests import significance_test_label
from assay.metric_tests import metric_test


@pytest.mark.parametrize(
    ("test", "label"),
    [
        ("randomisation", "approximate randomisation"),
        ("randomisation, better", "approximate randomisation, better"),
        ("sacrebleu bootstrap", "sacreBLEU's paired bootstrap"),
        ("koehn", "Koehn's bootstrap"),
        ("signed-rank:continuity=no", "Wilcoxon signed-rank:continuity=no"),
        ("perm-both", "permutation of systems and segments"),
        ("of-another-package", "of-another-package"),
    ],
)
def test_tests_have_the_names_of_the_literature(test, label):
    assert significance_test_label(test) == label


def test_no_test_is_shown_by_the_name_of_its_option():
    options = {"pair-outcomes"}  # it has no other name
    assert {
        name for name in (*names_of_tests(), *metric_test.names()) if significance_test_label(name) == name
    } == options

from __future__ import annotations

import numpy as np

from assay.metaeval.settings import merged, selection_settings
from assay.types import ScoreTable


def test_defaults_are_left_out():
    assert selection_settings() == {}
    better = ScoreTable("good", "system", ("a",), np.ones((1, 1)))
    worse = ScoreTable("ter", "system", ("a",), np.ones((1, 1)), digest="0123456789", higher_is_better=False)
    found = selection_settings(systems=["a|b", "c"], keep_references=True, metrics=["BLEU*"], external=[better, worse])
    assert found == {
        "systems": "a%7Cb+c",
        "metrics": "BLEU*",
        "scores": "good@53945584+ter@01234567",
        "lower_is_better": "ter",
        "keep_references": "yes",
    }


def test_other_scores_of_the_same_name_have_another_digest():
    tables = [ScoreTable("x", "system", ("a", "b"), np.array(values)) for values in ([[1.0], [2.0]], [[1.0], [3.0]])]
    first, second = (selection_settings(external=[table])["scores"] for table in tables)
    assert first != second
    assert first == selection_settings(external=[tables[0], tables[0]])["scores"]


def test_settings_of_several_pairs():
    pairs = [{"test": "rank-sum"}, {"test": "randomisation", "weights": "wmt22"}, {"test": "rank-sum"}]
    assert merged(pairs) == {"test": "rank-sum+randomisation", "weights": "wmt22"}
    assert merged([]) == {}

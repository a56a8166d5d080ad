from __future__ import annotations

import numpy as np

from assay.metaeval.settings import merged, selection_settings
from assay.types import ScoreTable


def test_defaults_are_left_out():
    assert selection_settings() == {}
    better = ScoreTable("good", "system", ("a",), np.ones((1, 1)))
    worse = ScoreTable("ter", "system", ("a",), np.ones((1, 1)), higher_is_better=False)
    found = selection_settings(systems=["a|b", "c"], keep_references=True, metrics=["BLEU*"], external=[better, worse])
    assert found == {
        "systems": "a%7Cb+c",
        "metrics": "BLEU*",
        "lower_is_better": "ter",
        "keep_references": "yes",
    }


def test_settings_of_several_pairs():
    pairs = [{"test": "rank-sum"}, {"test": "randomisation", "weights": "wmt22"}, {"test": "rank-sum"}]
    assert merged(pairs) == {"test": "rank-sum+randomisation", "weights": "wmt22"}
    assert merged([]) == {}

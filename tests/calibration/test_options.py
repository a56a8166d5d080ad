from __future__ import annotations

import pytest

from assay.calibration.options import PairOptions
from assay.errors import ConfigError

OPTIONS = {
    "test": "paired-t",
    "alpha": 0.05,
    "min_segments": 250,
    "metrics": ("bleu",),
    "agg": ("corpus",),
    "stored": (),
    "gold": None,
    "own_test": None,
    "exclude": (),
    "keep_references": False,
    "seed": 1,
}


def test_settings_name_what_is_not_the_default():
    assert PairOptions(**OPTIONS).settings == {
        "metrics": "bleu",
        "agg": "corpus",
        "test": "paired-t",
        "sides": "one",
        "alpha": "0.05",
        "min_segments": "250",
        "seed": "1",
    }
    changed = PairOptions(**OPTIONS | {"gold": "mqm", "exclude": ("a*", "b"), "keep_references": True}).settings
    assert (changed["gold"], changed["exclude"], changed["keep_references"]) == ("mqm", "a*+b", "yes")


@pytest.mark.parametrize(
    "changes",
    [{"agg": ("mean",)}, {"own_test": "t"}, {"alpha": 0.0}, {"metrics": ()}, {"min_segments": 1}],
)
def test_bad_options(changes):
    with pytest.raises(ConfigError):
        PairOptions(**OPTIONS | changes)

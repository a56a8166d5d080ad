"""EED by hand and against scores of its programs (scripts/eed_scores.py); tests/oracle has those of WMT19."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError
from assay.metrics import metric

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "eed.json").read_text(encoding="utf-8"))
SPECS = [key for key in GOLDEN[0] if key.startswith("eed")]


def eed(outputs, references, spec="eed"):
    return score(load(outputs={"x": outputs}, references=references), spec, resamples=0, agg="corpus,segment")[spec]


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
@pytest.mark.parametrize("spec", SPECS)
def test_the_programs(spec):
    rows = [row for row in GOLDEN if spec in row]
    references = {
        "A": [row["references"][0] for row in rows],
        "B": [row["references"][1] if len(row["references"]) > 1 else None for row in rows],
    }
    found = eed([row["output"] for row in rows], references, spec).segments["x"]
    # The authors' program divides in single precision.
    tolerance = 1e-6 if "rwth" in spec else 1e-14
    np.testing.assert_allclose(found, [row[spec] for row in rows], rtol=0, atol=tolerance)


def test_by_hand():
    """Of the gaps of " ab ", the first has no visit and the other four have one, so the coverage cost is 0.3."""
    assert eed(["ab"], ["ab"]).statistics.table[0, 0].tolist() == [0.3, 4.3]
    assert eed(["ab"], ["ab"], "eed:flavour=rwth").statistics.table[0, 0].tolist() == [0, 4]
    assert eed(["ab"], ["ab"], "eed:flavour=wmt19").statistics.table[0, 0].tolist() == [0, 4]


def test_jumps_cost_alpha():
    """A path reads " first " at the end of the output, jumps back, reads "second " there, and jumps to the end."""
    found = eed(["second first"], ["first second"], "eed:rho=0,alpha=0.25,deletion=1").statistics.table[0, 0]
    assert found.tolist() == [0.5 + 0.25, 14]


def test_the_corpus_score_is_of_sums_and_the_segment_mean_is_the_programs():
    found = eed(["ab", "axxxxx"], ["ab", "abcdef"])
    table = found.statistics.table[0]
    assert found.corpus["x"] == pytest.approx(table[:, 0].sum() / table[:, 1].sum())
    assert found.segment_mean["x"] == pytest.approx((table[:, 0] / table[:, 1]).mean())
    assert not found.higher_is_better
    assert metric.create("eed").default_aggregation == "segment"


def test_the_lowest_score_of_several_references_counts():
    both = eed(["abc d", None], {"A": ["xyz", "a"], "B": ["abc e", "a"], "C": [None, "a"]})
    assert both.segments["x"][0] == eed(["abc d"], ["abc e"]).segments["x"][0]
    assert both.statistics.scored[0].tolist() == [True, False]


def test_widths_of_characters_do_not_matter():
    output, reference = "the cat sat on the mat.", "a cat sat, on the mat"
    narrow = eed([output, "x"], [reference, "x"]).statistics.table[0, 0].tolist()
    for letter in "é中😀":
        wide = eed([output.replace("t", letter)], [reference.replace("t", letter)]).statistics.table[0, 0].tolist()
        assert wide == narrow


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("eed:flavour=torch", "expected torchmetrics, rwth or wmt19"),
        ("eed:language=de", "expected en or ja"),
        ("eed:rho=-1", "rho must be between 0 and 1,000,000, not -1"),
        ("eed:alpha=nan", "alpha must be between 0 and 1,000,000, not nan"),
    ],
)
def test_options_are_checked(spec, message):
    with pytest.raises(ConfigError, match=message):
        metric.create(spec)

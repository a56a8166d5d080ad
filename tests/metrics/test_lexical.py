from __future__ import annotations

import inspect
import os

import pytest

import assay
from assay.metrics import metric
from assay.metrics.feature_values import FeatureSet
from assay.metrics.lexical import Lexical
from assay.results.result import digest_of_tree
from assay.training.examples import collect_examples
from assay.training.held_out import accuracy
from assay.types.runtime import Runtime
from tests import archives


def test_what_is_said_of_it_is_what_was_found():
    """On WMT24 and WMT25 it is not shown to agree with people more often than chrF++."""
    tree = Lexical.trained().tree
    (tested,) = (each for each in tree["evaluations"] if (each["by"], each["level"]) == ("check", "segment"))
    assert tested["beyond_single"]["low"] < 0 < tested["beyond_single"]["high"]
    singles = {each["single"] for each in tree["held_out"] if each["by"] == "check"}
    assert singles == {"chrf++"}
    assert "no better than chrF++ alone" in inspect.getdoc(Lexical)
    assert tree["digest"] == digest_of_tree(tree)
    assert {each["campaign"] for each in tree["populations"]}.isdisjoint({"wmt24", "wmt25"})


def test_a_better_output_scores_higher():
    texts = assay.load(
        references=["the cat sat on the mat", "all dogs bark at night"],
        outputs={"good": ["the cat sat on a mat", "all dogs bark at night"], "bad": ["cat mat", "every animal sings"]},
    )
    run = assay.score(texts, "lexical", resamples=0)
    assert run["lexical"].segment_mean["good"] > run["lexical"].segment_mean["bad"]
    assert "|features:bleu:flavour=sacrebleu%2Ctok=13a" in str(run["lexical"].signature)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("ASSAY_DATA"), reason="ASSAY_DATA does not name the folder of the WMT archives")
def test_its_accuracy_on_wmt24_is_what_its_file_says():
    tree = Lexical.trained().tree
    stored = next(each for each in tree["held_out"] if (each["by"], each["lp"]) == ("check", "en-es"))
    campaign = assay.load_campaign(archives.unpacked("wmt24"), lp="en-es")
    features = FeatureSet.of(Lexical.trained().features)
    examples = collect_examples(
        campaign,
        features,
        gold=("esa",),
        learn="preferences",
        exclude=(),
        keep_references=False,
        max_preferences=20_000,
        seed=12345,
        runtime=Runtime(),
    )
    scores = Lexical.trained().model(examples.x)
    assert accuracy(scores, examples) == pytest.approx(stored["accuracy"], abs=1e-4)  # its numbers are rounded
    chrfpp = features.names.index("chrf++")
    assert accuracy(examples.x[:, chrfpp], examples) == pytest.approx(stored["accuracy_of_single"])
    assert metric.create("lexical").needs == {"reference"}

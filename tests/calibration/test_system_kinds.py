from __future__ import annotations

import numpy as np
import pytest

from assay.calibration.outcomes import observe
from assay.calibration.populations import populations
from assay.calibration.system_kinds import (
    KINDS,
    LLM_OVER_MT,
    MT_OVER_LLM,
    is_of_kinds,
    kind_of,
    pair_kinds,
    system_kinds,
)
from assay.calibration.system_pairs import SystemPairs
from assay.results.calibration import KIND_WORDS, SIGNIFICANT

KEY = ("m", "corpus")


@pytest.mark.parametrize(
    ("system", "campaign", "kind"),
    [
        ("Online-W", "wmt21.news", "MT"),
        *(("rbmt-4", f"wmt{year}", "MT") for year in (*range(12, 18), 19, 20, 22)),
        ("Claude-3.5", "wmt24", "LLM"),
        ("ONLINE-W", "wmt24", "MT"),
        ("AMI", "wmt24", "MT"),
        ("AMI", "wmt25", "LLM"),  # another system of the same team
        ("TranssionMT", "wmt24", "unknown"),
        ("TranssionMT", "wmt25", "combined"),
        ("HW-TSC", "wmt23", "MT"),
        ("HW-TSC", "wmt24", "combined"),
        ("GPT4-5shot", "", "LLM"),
        ("gpt-4o-mini", "mine", "LLM"),
        ("nllb-600M", "mine", "MT"),
        ("HW-TSC", "mine", "unknown"),
        *(
            (name, "", "MT")
            for name in ("DeepL", "Google-Translate", "google_translate", "Microsoft Translator", "Amazon")
        ),
        *((name, "", "MT") for name in ("OPUS-MT", "opus-mt-en-de", "M2M100", "m2m100_418M", "MADLAD-400", "NLLB-200")),
        ("madlad-400-8b-lm", "", "LLM"),
        ("base", "", "unknown"),
    ],
)
def test_kinds_of_systems(system, campaign, kind):
    assert kind_of(system, campaign) == kind


def test_every_entry_says_where_it_is_from():
    assert {each.kind for each in system_kinds()} == {"MT", "LLM", "combined", "unknown"}
    assert all(each.source and each.names for each in system_kinds())
    assert KIND_WORDS.keys() == set(KINDS)


def test_which_system_of_a_mixed_pair_scores_better():
    assert pair_kinds("GPT-4", "ONLINE-B") == LLM_OVER_MT == "LLM-over-MT"
    assert pair_kinds("ONLINE-B", "GPT-4") == MT_OVER_LLM == "MT-over-LLM"
    assert pair_kinds("Claude-4", "GPT-4") == "LLM"
    assert pair_kinds("base", "GPT-4") is None
    assert is_of_kinds("MT-over-LLM", "mixed")
    assert not is_of_kinds("LLM", "mixed")
    assert not is_of_kinds(None, "mixed")


def judged(*systems, differences):
    count = len(systems)
    p_values = np.tile([0.01, 0.99], (count, 1))  # people prefer the first
    names = {name for pair in systems for name in pair}
    return SystemPairs(
        "mine",
        "en-de",
        "esa",
        "ESA",
        None,
        systems,
        np.full(count, 300),
        dict.fromkeys(names, 400),
        np.ones(count),
        p_values,
        {KEY: np.array(differences)},
        {},
    )


def test_the_direction_of_a_mixed_pair_is_that_of_the_metric():
    pairs = judged(("GPT-4", "ONLINE-B"), ("GPT-4", "ONLINE-G"), ("GPT-4", "Claude-4"), differences=[1.0, -2.0, 3.0])
    found = {kinds: observe([pairs], KEY, SIGNIFICANT, "by-metric", 0.05, kinds=kinds) for kinds in KINDS}
    assert {kinds: observed.x.tolist() for kinds, observed in found.items()} == {
        "MT": [],
        "LLM": [3.0],
        "mixed": [1.0, 2.0],
        "MT-over-LLM": [2.0],
        "LLM-over-MT": [1.0],
    }
    assert found["MT-over-LLM"].opposite.tolist() == [1]  # the metric prefers the MT system, and people the LLM


def test_there_is_no_population_of_kinds_where_all_are_of_one_kind():
    alone = judged(("GPT-4", "Claude-4"), differences=[1.0])
    assert [each.kinds for each, _ in populations([alone])] == ["all", "all"]
    mixed = judged(("GPT-4", "Claude-4"), ("GPT-4", "NLLB"), differences=[1.0, 1.0])
    assert [each.kinds for each, _ in populations([mixed])] == ["all", "all", *KINDS[1:]]

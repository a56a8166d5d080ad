"""Equal to sacreBLEU on systems of three real language pairs, one of them into Chinese.

sacreBLEU needs seconds for a system, so only some systems are compared; with ASSAY_ALL_SYSTEMS set
(`make oracle-sacrebleu`) all are.
"""

from __future__ import annotations

import functools
import os

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF

from assay import load, score
from tests import archives

PAIRS = {
    ("wmt22", "en-de"): ("refA", "refB"),
    ("wmt19", "en-zh"): ("ref",),
    ("wmt22", "en-uk"): ("refA",),
}
# So that each system is a test of its own without looking into the archives when tests are collected.
SYSTEMS = {
    ("wmt22", "en-de"): 11,
    ("wmt19", "en-zh"): 12,
    ("wmt22", "en-uk"): 10,
}
CASES = [(*pair, i) for pair, count in SYSTEMS.items() for i in range(count)]
SAMPLED = [case for case in CASES if case[2] in (0, 5, 9)]


@pytest.fixture(scope="module")
def oracles(wmt_texts):
    """A function from a language pair to sacreBLEU's metrics, which count the n-grams of references once."""

    @functools.cache
    def made(campaign, lp):
        streams = list(wmt_texts(campaign, lp, PAIRS[campaign, lp])[0].values())
        return {
            "bleu": BLEU(tokenize="zh" if lp.endswith("zh") else "13a", references=streams),
            "bleu:tok=intl": BLEU(tokenize="intl", references=streams),
            "chrf": CHRF(references=streams),
            "chrf++": CHRF(word_order=2, references=streams),
        }

    return made


@pytest.mark.filterwarnings("ignore:scored against themselves:assay.AssayWarning")  # references are systems, too
@pytest.mark.parametrize(("campaign", "lp", "number"), CASES if os.environ.get("ASSAY_ALL_SYSTEMS") else SAMPLED)
def test_systems(wmt_texts, oracles, campaign, lp, number):
    references, outputs = wmt_texts(campaign, lp, PAIRS[campaign, lp])
    assert len(outputs) == SYSTEMS[campaign, lp]
    system, output = list(outputs.items())[number]
    cases = oracles(campaign, lp)
    run = score(load(outputs={system: output}, references=references, lp=lp), list(cases), agg="corpus", resamples=0)
    for spec, oracle in cases.items():
        expected = oracle._extract_corpus_statistics(output, None)
        np.testing.assert_array_equal(run[spec].statistics.table[0], expected)
        corpus = oracle._aggregate_and_compute([list(row) for row in expected]).score
        assert run[spec].corpus[system] == pytest.approx(corpus, abs=1e-9)
        of_segments = BLEU(effective_order=True) if isinstance(oracle, BLEU) else oracle
        segments = [of_segments._compute_score_from_stats(list(row)).score for row in expected]
        np.testing.assert_allclose(run[spec].segments[system], segments, rtol=0, atol=1e-9)


def test_stored_system_scores(wmt_texts):
    """The organisers' own BLEU and chrF of wmt22 zh-en, as they stored them."""
    references, outputs = wmt_texts("wmt22", "zh-en", ("refA",))
    run = score(load(outputs=outputs, references=references), ["bleu", "chrf"], agg="corpus", resamples=0)
    compared = 0
    for spec, name in (("bleu", "BLEU-refA"), ("chrf", "chrF-refA")):
        path = archives.unpacked("wmt22") / "metric-scores" / "zh-en" / f"{name}.sys.score"
        for line in path.read_text(encoding="utf-8").splitlines():
            system, value = line.split()
            if system in outputs and value != "None":
                assert run[spec].corpus[system] == pytest.approx(float(value), abs=1e-6), (spec, system)
                compared += 1
    assert compared >= 20

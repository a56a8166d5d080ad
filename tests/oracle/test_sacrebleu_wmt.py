"""Equal to sacreBLEU on every system of three real language pairs, one of them into Chinese."""

from __future__ import annotations

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
# So that every system is a test of its own without looking into the archives when tests are collected.
SYSTEMS = {
    ("wmt22", "en-de"): 11,
    ("wmt19", "en-zh"): 12,
    ("wmt22", "en-uk"): 10,
}


@pytest.mark.filterwarnings("ignore:scored against themselves:assay.AssayWarning")  # references are systems, too
@pytest.mark.parametrize(
    ("campaign", "lp", "number"), [(*pair, i) for pair, count in SYSTEMS.items() for i in range(count)]
)
def test_every_system(wmt_texts, campaign, lp, number):
    references, outputs = wmt_texts(campaign, lp, PAIRS[campaign, lp])
    assert len(outputs) == SYSTEMS[campaign, lp]
    system, output = list(outputs.items())[number]
    tok = "zh" if lp.endswith("zh") else "13a"
    streams = list(references.values())
    cases = {
        "bleu": BLEU(tokenize=tok),
        "bleu:tok=intl": BLEU(tokenize="intl"),
        "chrf": CHRF(),
        "chrf++": CHRF(word_order=2),
    }
    run = score(load(outputs={system: output}, references=references, lp=lp), list(cases), agg="corpus", resamples=0)
    for spec, oracle in cases.items():
        expected = oracle._extract_corpus_statistics(output, streams)
        np.testing.assert_array_equal(run[spec].statistics.table[0], expected)
        corpus = oracle._aggregate_and_compute([list(row) for row in expected]).score
        assert run[spec].corpus[system] == pytest.approx(corpus, abs=1e-9)
        if isinstance(oracle, BLEU):
            oracle.effective_order = True
        segments = [oracle._compute_score_from_stats(list(row)).score for row in expected]
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

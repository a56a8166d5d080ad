"""Values computed once with mteval-v13a, the Moses scorers and NLTK and kept, so that they hold without them.

The files print eight decimals (mteval) or six (Moses, which computes in single precision).
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from assay import _core, load, score
from assay.metrics import metric
from assay.text import make_tokenizer

FOLDER = Path(__file__).parents[1] / "golden"


def golden(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


INPUTS = golden("inputs")["sets"]
MTEVAL = golden("mteval")["results"]
TOKENS = golden("mteval_tokens")["results"]
MOSES = golden("moses")["results"]
RANDOM = golden("moses_random")
DECONSTRUCTED = golden("bleu_deconstructed")["results"]
NLTK = golden("nltk_nist")["results"]

PRINTED = 0.51e-8  # eight decimals
SINGLE = 1e-5


def options_of(flags):
    tok = "mteval" if "--international" not in flags else "mteval-intl-split" if "-e" in flags else "mteval-intl"
    return {"tok": tok, "lowercase": "no" if "-c" in flags else "yes"}


def scored(hyp, refs, spec):
    references = {f"ref{k}": column for k, column in enumerate(refs)}
    return score(load(outputs={"x": hyp}, references=references), spec, agg="corpus,segment", resamples=0)[spec]


def spec_of(name, options):
    return f"{name}:{','.join(f'{key}={value}' for key, value in options.items())}"


def tokens(line, flags):
    options = options_of(flags)
    change, core = make_tokenizer(options["tok"]).reader(lowercase=options["lowercase"] == "yes")
    return _core.tokenize(change(line) if change else line, core)


def case_id(case):
    return f"{case['set']}/{case.get('nrefs', 1)}/{case.get('options', '')}"


@pytest.mark.parametrize("case", TOKENS, ids=case_id)
def test_mteval_tokens(case):
    texts = INPUTS[case["set"]]
    for lines, expected in ((texts["hyp"], case["hyp"]), (texts["refs"][0], case["ref0"])):
        assert [" ".join(tokens(line, case["options"])) for line in lines] == expected


@pytest.mark.parametrize("case", MTEVAL, ids=case_id)
def test_mteval(case):
    texts, options = INPUTS[case["set"]], options_of(case["options"])
    refs = texts["refs"][: case["nrefs"]]
    bleu = scored(texts["hyp"], refs, spec_of("BLEU-MTEVAL", options))
    assert bleu.corpus["x"] == pytest.approx(case["bleu_system"], abs=PRINTED)
    np.testing.assert_allclose(bleu.segments["x"], case["bleu_segments"], rtol=0, atol=PRINTED)
    unsmoothed = scored(texts["hyp"], refs, spec_of("BLEU-MTEVAL", {**options, "smooth": "none"}))
    assert unsmoothed.corpus["x"] == pytest.approx(case["bleu_system_nosmoothing"], abs=PRINTED)
    nist = scored(texts["hyp"], refs, spec_of("NIST-MTEVAL", options))
    assert nist.corpus["x"] == pytest.approx(case["nist_system"], abs=PRINTED)
    np.testing.assert_allclose(nist.segments["x"], case["nist_segments"], rtol=0, atol=PRINTED)


@pytest.mark.parametrize("case", NLTK, ids=lambda case: case["set"])
def test_nltk_nist(case):
    texts = INPUTS[case["set"]]
    nist = scored(texts["hyp"], texts["refs"][:1], "nist:lowercase=no")
    assert nist.corpus["x"] == pytest.approx(case["corpus_nist"], abs=1e-9)


@pytest.mark.parametrize("case", MOSES, ids=case_id)
def test_moses(case):
    bleu = scored(case["tokenised_hyp"], case["tokenised_refs"], "BLEU-MOSES")
    assert bleu.corpus["x"] == pytest.approx(case["corpus"]["BLEU"], abs=SINGLE)
    own_form = metric.create("BLEU-MOSES").score(bleu.statistics.table[0])
    np.testing.assert_allclose(own_form, case["segment"]["BLEU"], rtol=0, atol=SINGLE)
    sentence = scored(case["tokenised_hyp"], case["tokenised_refs"], "SENTBLEU-MOSES")
    for segments in (bleu.segments["x"], sentence.segments["x"]):
        np.testing.assert_allclose(segments, case["segment"]["SENTBLEU"], rtol=0, atol=SINGLE)
    assert sentence.segment_mean["x"] == pytest.approx(np.mean(case["segment"]["SENTBLEU"]), abs=SINGLE)


@pytest.mark.parametrize("case", [case for case in MOSES if case["multi_bleu_perl"]], ids=case_id)
def test_multi_bleu(case):
    """BLEU = 19.37, 57.3/26.4/12.8/8.6 (BP=0.959, ratio=0.960, hyp_len=96, ref_len=100)."""
    bleu = scored(case["tokenised_hyp"], case["tokenised_refs"], "bleu:flavour=moses,percent=yes")
    totals = bleu.statistics.table[0].sum(axis=0)
    precisions = "/".join(f"{100 * m / c:.1f}" for m, c in zip(totals[2:6], totals[6:], strict=True))
    penalty = metric.create("BLEU-MOSES").formula.brevity_penalties(totals)
    assert case["multi_bleu_perl"] == (
        f"BLEU = {bleu.corpus['x']:.2f}, {precisions} (BP={penalty:.3f}, ratio={totals[0] / totals[1]:.3f}, "
        f"hyp_len={totals[0]}, ref_len={totals[1]})"
    )


def test_moses_on_random_pairs():
    bleu = scored(RANDOM["hyp"], [RANDOM["ref"]], "BLEU-MOSES")
    assert bleu.corpus["x"] == pytest.approx(RANDOM["corpus"]["BLEU"], abs=SINGLE)
    own_form = metric.create("BLEU-MOSES").score(bleu.statistics.table[0])
    np.testing.assert_allclose(own_form, RANDOM["segment"]["BLEU"], rtol=0, atol=SINGLE)


@pytest.mark.parametrize("case", DECONSTRUCTED, ids=lambda case: re.sub(r"\W+", "-", str(list(case.items())[:4])))
def test_deconstructed(case):
    texts = next(each for each in MOSES if each["set"] == "en" and each["nrefs"] == 1)
    mean = {"geom": "geometric", "arith": "arithmetic"}[case["mean"]]
    spec = (
        f"simpbleu:tok=space,smooth={case['smooth']},precision_weight={case['prec_weight']},mean={mean},"
        f"brevity={'yes' if case['brevity'] else 'no'}"
    )
    found = scored(texts["tokenised_hyp"], texts["tokenised_refs"], spec)
    assert found.corpus["x"] == pytest.approx(case["corpus_pooled"], abs=1e-9)
    assert found.segment_mean["x"] == pytest.approx(case["corpus_mean_of_segments"], abs=1e-9)
    np.testing.assert_allclose(found.segments["x"], case["segments"], rtol=0, atol=1e-9)

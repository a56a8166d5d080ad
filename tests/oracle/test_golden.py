"""Values computed once with sacreBLEU 2.6.0 and with the Moses scorer and kept, so that they hold without them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from assay import load, score
from assay.metrics import metric

FOLDER = Path(__file__).parents[1] / "golden"
INPUTS = json.loads((FOLDER / "inputs.json").read_text(encoding="utf-8"))["sets"]
RESULTS = json.loads((FOLDER / "sacrebleu.json").read_text(encoding="utf-8"))["results"]
CASES = [case for case in RESULTS if case["metric"].startswith(("BLEU", "chrF", "TER"))]


def spec_of(case):
    """Our spec for the golden file's description of the metric, read off the signature and the name."""
    signature = dict(item.split(":") for item in case["signature"].split("|"))
    lowercase = "yes" if signature["case"] == "lc" else "no"
    if case["metric"].startswith("BLEU"):
        smooth = re.sub(r"\[.*", "", signature["smooth"])
        return f"bleu:tok={signature['tok']},smooth={smooth},lowercase={lowercase}"
    if case["metric"].startswith("TER"):
        return (
            f"ter:normalized={signature['norm']},no_punct={'no' if signature['punct'] == 'yes' else 'yes'},"
            f"asian={signature['asian']},case_sensitive={'no' if lowercase == 'yes' else 'yes'}"
        )
    beta = re.search(r"(?:beta=|chrF)(\d)", case["metric"])
    return (
        f"chrf:char_order={signature['nc']},word_order={signature['nw']},whitespace={signature['space']},"
        f"eps_smoothing={'no' if signature['eff'] == 'yes' else 'yes'},lowercase={lowercase},beta={beta[1]}"
    )


def test_there_are_cases():
    assert len(CASES) > 40


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['metric']}/{case['set']}/{case['nrefs']}")
def test_golden(case):
    texts = INPUTS[case["set"]]
    references = {f"ref{k}": column for k, column in enumerate(texts["refs"][: case["nrefs"]])}
    run = score(load(outputs={"x": texts["hyp"]}, references=references), spec_of(case), agg="corpus", resamples=0)
    found = run[spec_of(case)]
    assert found.corpus["x"] == pytest.approx(case["corpus"], abs=1e-9)
    segments = found.segments["x"]
    if "without effective order" in case["metric"]:
        segments = metric.create(spec_of(case)).score(found.statistics.table[0])
    np.testing.assert_allclose(segments, case["segments"], rtol=0, atol=1e-9)
    assert found.sacrebleu_signature == case["signature"]


MOSES = json.loads((FOLDER / "moses.json").read_text(encoding="utf-8"))["results"]
RANDOM = json.loads((FOLDER / "moses_random.json").read_text(encoding="utf-8"))
MOSES.append({**RANDOM, "set": "random", "nrefs": 1, "tokenised_hyp": RANDOM["hyp"], "tokenised_refs": [RANDOM["ref"]]})
MOSES_CASES = [(case, name) for case in MOSES for name in ("TER", "WER", "PER", "CDER") if name in case["segment"]]


@pytest.mark.parametrize(
    ("case", "name"), MOSES_CASES, ids=[f"{name}/{case['set']}/{case['nrefs']}" for case, name in MOSES_CASES]
)
def test_moses(case, name):
    """In single precision and printed with six decimals there."""
    references = {f"ref{k}": column for k, column in enumerate(case["tokenised_refs"])}
    spec = f"{name}-MOSES"
    run = score(load(outputs={"x": case["tokenised_hyp"]}, references=references), spec, agg="corpus", resamples=0)
    assert run[spec].corpus["x"] == pytest.approx(case["corpus"][name], abs=1e-5)
    np.testing.assert_allclose(run[spec].segments["x"], case["segment"][name], rtol=0, atol=1e-5)


def test_the_two_ters_differ():
    """On 8 of the 60 random pairs; the golden file has sacreBLEU's values too, with case."""
    specs = ["ter:case_sensitive=yes", "ter-moses"]
    run = score(load(outputs={"x": RANDOM["hyp"]}, references=RANDOM["ref"]), specs, resamples=0)
    tercom, moses = (run[spec].segments["x"] for spec in specs)
    np.testing.assert_allclose(tercom, RANDOM["sacrebleu_ter_segments"], rtol=0, atol=1e-9)
    assert np.count_nonzero(abs(tercom / 100 - (1 - moses)) > 1e-6) == 8

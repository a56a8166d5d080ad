"""Values computed once with sacreBLEU 2.6.0 and kept, so that they hold without it."""

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
CASES = [case for case in RESULTS if case["metric"].startswith(("BLEU", "chrF"))]


def spec_of(case):
    """Our spec for the golden file's description of the metric, read off the signature and the name."""
    signature = dict(item.split(":") for item in case["signature"].split("|"))
    lowercase = "yes" if signature["case"] == "lc" else "no"
    if case["metric"].startswith("BLEU"):
        smooth = re.sub(r"\[.*", "", signature["smooth"])
        return f"bleu:tok={signature['tok']},smooth={smooth},lowercase={lowercase}"
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

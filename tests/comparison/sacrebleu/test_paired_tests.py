"""`assay.compare(…, compat="sacrebleu")` and sacreBLEU's own paired tests: the same p-values, bit for bit."""

from __future__ import annotations

import pytest
import sacrebleu.metrics as their_metrics
from sacrebleu.significance import PairedTest

import assay
from assay.errors import ConfigError
from assay.results import Outcome
from tests.compat.sacrebleu.oracle import corpus

TESTS = {"bootstrap": "bs", "randomisation": "ar"}


@pytest.fixture(scope="module")
def texts():
    outputs, references = corpus("compared", 40, 2)
    mixed = {
        f"s{k}": [b if i % k == 1 else a for i, (a, b) in enumerate(zip(outputs, references[k % 2], strict=True))]
        for k in (2, 3, 4)
    }
    return {"base": outputs, **mixed, "copy": outputs}, references


def loaded(texts):
    outputs, references = texts
    return assay.load(outputs=outputs, references={f"ref{k}": column for k, column in enumerate(references)})


def sacrebleus(texts, metric, test, resamples, systems):
    outputs, references = texts
    named_systems = [(name, outputs[name]) for name in systems]
    metrics = {"x": getattr(their_metrics, metric)(references=references)}
    _, scores = PairedTest(named_systems, metrics, None, TESTS[test], resamples)()
    del scores["System"]
    return [result.p_value for result in next(iter(scores.values()))[1:]]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("metric", ["BLEU", "CHRF", "TER"])
def test_p_values_of_sacrebleu(texts, metric, test):
    found = assay.compare(loaded(texts), metric.lower(), test=test, compat="sacrebleu", resamples=200)
    expected = sacrebleus(texts, metric, test, 200, list(texts[0]))
    assert [pair.p for pair in found.pairs] == expected
    assert found.pairs[0].test == f"sacrebleu {test}"
    assert [metric.aggregation for metric in found.metrics] == ["corpus"]


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS)
def test_all_pairs(texts, test):
    found = assay.compare(loaded(texts), "bleu", test=test, compat="sacrebleu", resamples=99, all_pairs=True)
    for pair in found.pairs:
        assert [pair.p] == sacrebleus(texts, "BLEU", test, 99, [pair.second, pair.first])


def test_a_copy_has_the_smallest_p_but_is_not_called_worse(texts):
    two = loaded(texts).with_systems(("base", "copy"))
    found = assay.compare(two, "bleu", test="bootstrap", compat="sacrebleu", resamples=99)
    assert found.pairs[0].p == 1 / 100
    assert found.pairs[0].outcome is Outcome.TIED
    assert any("rejects true null hypotheses too often" in note.text for note in found.notes)
    assert found.settings["compat"] == "sacrebleu"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"compat": "moses"}, "unknown program 'moses'"),
        ({"test": "koehn"}, "sacreBLEU does not have the test koehn"),
        ({"alternative": "better"}, "does not have the test randomisation, better"),
        ({"agg": "segment"}, "not segment means"),
        ({"unit": "document"}, "sacreBLEU compares segments"),
        ({"metrics": "cder"}, "sacreBLEU does not have cder"),
    ],
)
def test_what_sacrebleu_does_not_have(texts, options, message):
    with pytest.raises(ConfigError, match=message):
        assay.compare(loaded(texts), **{"metrics": "bleu", "compat": "sacrebleu", "resamples": 20} | options)

from __future__ import annotations

import pytest

from assay.reproduction import aggregation
from assay.runtime import Runtime
from tests.reproduction.rerun import needs_archives, numbers
from tests.study.test_correlate import campaign


@pytest.mark.slow
@needs_archives
def test_stored_values():
    found = numbers("aggregation", as_published=True)
    for quantity, value in {
        "BLEU with MQM, wmt22": 0.594,
        "m-BLEU with MQM, wmt22": 0.658,
        "chrF with MQM, wmt22": 0.630,
        "m-chrF with MQM, wmt22": 0.812,
        "BLEU with MQM, wmt22 zh-en, transposed references": -0.375,
        "BLEU with DA, wmt22, transposed references, mean": 0.327,
    }.items():
        assert found[quantity].ours.value == pytest.approx(value, abs=5e-4), quantity
    assert found["BLEU and x-BLEU, all systems"].ours.value > 0.999
    assert found["BLEU and x-BLEU, all systems"].published == ".53 (WMT23)"


def test_transposed_references_score_the_first_output_against_all_references():
    """As sacreBLEU does, which stops at the end of the shortest list."""
    sacrebleu = pytest.importorskip("sacrebleu")
    made = campaign(3)
    (reference,) = made.testset.references.values()
    tables = aggregation.score_with_transposed_references(made, Runtime())
    metrics = [sacrebleu.BLEU(), sacrebleu.CHRF()]
    for table, metric in zip(tables, metrics, strict=True):
        for name, (value,) in zip(table.systems, table.values.tolist(), strict=True):
            transposed = [[text] for text in reference]
            expected = metric.corpus_score(list(made.testset.outputs[name])[:1], transposed).score
            assert value == pytest.approx(expected), (metric, name)


def test_names_and_published_numbers():
    assert [aggregation._name(each) for each in ("m-bleu:tok=13a-refA", "x-chrf", "COMET")] == ["m-BLEU", "x-chrF", ""]
    assert aggregation._published(".53", ["wmt22"]) == ".53 (WMT23)"
    assert aggregation._published(".53", ["wmt23"]) == ".53"

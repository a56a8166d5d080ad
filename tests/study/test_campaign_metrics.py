from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.runtime import Runtime
from assay.study.campaign_metrics import campaign_metrics
from tests.campaigns_with_metrics import campaign


def computed(chosen, specs, references=()):
    metrics, _ = campaign_metrics(
        chosen, level="system", references=references, metrics=specs, external=(), runtime=Runtime()
    )
    return {metric.name: metric for metric in metrics}


def test_metrics_are_computed_from_the_texts():
    found = computed(campaign(), ("chrf", "bleu", "chrf"))
    assert found["chrf-refA"].segment.values.shape == (7, 6)
    assert found["chrf-refA"].system.references == ("refA",)
    assert "refA" not in found["bleu-refA"].system.systems
    assert "refB" in found["bleu-refA"].system.systems
    assert computed(campaign(), ("chrf",), ("refB",))["chrf"].system.references == ("refB",)
    with pytest.raises(InputError, match="wmt99 de-en has no texts to compute chrf from"):
        computed(campaign(testset=None), ("chrf",))

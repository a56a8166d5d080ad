from __future__ import annotations

import pytest

from assay.metrics import metric
from assay.testing import ContractError, check_metric
from tests.contract.broken import BROKEN, Sound

OURS = [
    "bleu",
    "bleu:tok=intl,smooth=floor",
    "bleu:tok=zh,smooth=add-k",
    "bleu:tok=char,smooth=none",
    "bleu:tok=none,lowercase=yes,max_order=2",
    "chrf",
    "chrf++",
    "chrf:eps_smoothing=yes,whitespace=yes",
    "chrf:beta=3,lowercase=yes,char_order=4",
]


@pytest.fixture
def registered(monkeypatch):
    """The test's own metrics carry a name while the test runs."""
    metric.names()  # read our own first, or they would be registered for this test only
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    for cls in (Sound, *BROKEN):
        metric(cls.__name__)(cls)


@pytest.mark.parametrize("spec", OURS)
def test_our_metrics_keep_the_contract(spec):
    check_metric(metric.create(spec))


def test_every_metric_is_checked():
    names = {spec.partition(":")[0] for spec in OURS}
    assert names >= set(metric.names()) - {"spbleu"}  # spbleu needs a model: tests/text/test_spm.py


def test_a_sound_metric_passes(registered):
    check_metric(Sound())


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_metrics_are_refused(broken, registered):
    with pytest.raises(ContractError) as caught:
        check_metric(broken())
    assert caught.value.rule == BROKEN[broken]

from __future__ import annotations

from dataclasses import dataclass

import pytest

from assay import load
from assay.metrics import metric
from assay.testing import ContractError, check_metric
from tests.contract.broken import BROKEN, Sound, words

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
    "bleu-mteval",
    "bleu-mteval:smooth=none,reference_length=shortest",
    "bleu-mteval-intl",
    "bleu-moses",
    "bleu-moses:reference_length=average,percent=yes",
    "sentbleu",
    "sentbleu-moses:smooth_value=0.5",
    "nist",
    "nist-mteval",
    "nist-mteval-intl",
    "nist:tok=none,lowercase=no,zero_history=no,max_order=3",
    "simpbleu",
    "simpbleu-prec",
    "simpbleu-recall",
    "simpbleu:mean=geometric,smooth=1,precision_weight=0.5",
    "ter",
    "ter:normalized=yes,no_punct=yes,asian=yes,case_sensitive=yes",
    *("ter-moses", "TER-MOSES", "ter-moses:case_sensitive=no"),
    *("wer", "wer-moses", "WER-MOSES", "wer:multi_ref=moses,tok=13a", "wer-moses:multi_ref=best,lowercase=yes"),
    *("per", "per-moses", "PER-MOSES", "per:tok=intl,lowercase=yes"),
    *("cder", "cder-moses", "CDER-MOSES", "cder:tok=char"),
    *("cer", "cer:whitespace=no,lowercase=yes"),
]


@dataclass(frozen=True)
class Noisy(Sound):
    """Sound up to rounding."""

    def statistics(self, testset, *, threads):
        return words(testset) * (1 + 1e-13 * len(testset))


@pytest.fixture
def registered(monkeypatch):
    """The test's own metrics carry a name while the test runs."""
    metric.names()  # read our own first, or they would be registered for this test only
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    for cls in (Sound, Noisy, *BROKEN):
        metric(cls.__name__)(cls)


@pytest.mark.parametrize("spec", OURS)
def test_our_metrics_keep_the_contract(spec):
    check_metric(metric.create(spec))


def test_every_metric_is_checked():
    names = {spec.partition(":")[0] for spec in OURS}
    assert names >= set(metric.names()) - {"spbleu"}  # spbleu needs a model: tests/text/test_spm.py


def test_a_sound_metric_passes(registered):
    check_metric(Sound())


def test_a_real_metric_may_round(registered):
    """A network in batches of another size differs in the last digits; that is no breach."""
    check_metric(Noisy())


def test_a_metric_without_a_name_is_told_so():
    with pytest.raises(ContractError, match="name: Noisy carries no name: register it with @metric"):
        check_metric(Noisy())


def test_other_test_sets():
    short = load(outputs={"x": ["a"]}, references=["a"])
    check_metric(metric.create("bleu"), short)
    check_metric(metric.create("chrf"), load(outputs={"x": ["a", "b"]}, references=["a", "b"], sources=["c", "d"]))


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_metrics_are_refused(broken, registered):
    with pytest.raises(ContractError) as caught:
        check_metric(broken())
    assert caught.value.rule == BROKEN[broken]

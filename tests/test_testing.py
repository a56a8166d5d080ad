from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError, InputError
from assay.metrics import metric
from assay.testing import ContractError, check_metric
from assay.types import TestSet
from tests.contract.broken import BROKEN, Float32, Sound, words

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
    "yisi-0",
    *("ensemble:metrics=chrf+ter", "ensemble:metrics=chrf+ter,scale=z"),
    *("markup", "markup:unit=segments", "markup:items=tags+numbers,extra=ignored"),
    *("lepor", "nlepor", "hlepor", "lepor:version=3.1,tok=13a", "hlepor:alignment=strict,weights=1:2:3"),
    *("lepor:alignment=perl-2013,recall_precision=1:9", "nlepor:max_order=2,order_weights=3:1,lowercase=no"),
    *("hjerson", "hjerson:error=missing", "hjerson:blocks=order,tok=13a,lowercase=yes"),
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
    *("character", "character:flavour=rwth,cap=no", "character:tok=char,lowercase=yes"),
    *("eed", "eed:flavour=rwth", "eed:flavour=wmt19", "eed:language=ja,rho=0.5,deletion=0.1"),
    "lexical",
]


@dataclass(frozen=True)
class Unregistered(Sound):
    """Sound, but not registered."""


@dataclass(frozen=True)
class Tagged(Sound):
    """Needs an annotation layer: the share of words whose tag is the reference's."""

    needs = frozenset({"reference", "pos"})

    def statistics(self, testset, runtime):
        layer = testset.annotations.get("pos", {})
        tags = {name: layer.get(name, (None,) * len(testset)) for name in testset.systems}
        references = {name: layer.get(name, column) for name, column in testset.references.items()}
        table = words(replace(testset, outputs=tags, references=references, annotations={}))
        return np.where(testset.scorable(self.needs)[..., np.newaxis], table, 0.0)


@pytest.fixture
def registered(monkeypatch):
    """The test's own metrics carry a name while the test runs."""
    metric.names()  # read our own first, or they would be registered for this test only
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    for cls in (Sound, Float32, Tagged, *BROKEN):
        metric(cls.__name__)(cls)


@pytest.mark.slow
@pytest.mark.parametrize("spec", OURS)
def test_our_metrics_keep_the_contract(spec):
    check_metric(metric.create(spec))


def test_every_metric_is_checked():
    names = {spec.partition(":")[0] for spec in OURS}
    # They need files or connectives, and are checked in tests/text/test_spm.py and in the tests of the metrics.
    elsewhere = {
        "spbleu",
        "ebleu",
        "bertscore",
        "meteor",
        "yisi",
        "yisi-1",
        "yisi-2",
        "yisi-srl",
        "yisi-1-srl",
        "meant",
        "umeant",
    }
    elsewhere |= {"comet", "unite", "cometkiwi", "bleurt", "metricx", "xcomet"}
    elsewhere |= {"act", "act5+6", "term", "term-consistency"}
    elsewhere |= {"judge"}  # it needs a server
    elsewhere |= {"hwcm", "depref-align", "depref-exact", "sempos", "sempos-upos"}  # they need annotations
    elsewhere |= {"label-counts", "spans"}
    assert names >= set(metric.names()) - elsewhere


def test_a_sound_metric_passes(registered):
    check_metric(Sound())


def test_a_metric_in_single_precision_passes_within_its_tolerance(registered):
    """A neural network rounds differently in other batches. The metric says how much, and that is allowed."""
    check_metric(Float32())


def test_without_a_tolerance_nothing_may_differ(registered, monkeypatch):
    monkeypatch.setattr(Float32, "tolerance", 0.0)
    with pytest.raises(ContractError, match="segment order: a row depends on the position of its segment"):
        check_metric(Float32())


def test_a_metric_without_a_name():
    with pytest.raises(ContractError, match="name: Unregistered has no name: register it with @metric"):
        check_metric(Unregistered())


def tagged():
    return TestSet(
        outputs={"x": ("a b", "c", "d"), "y": ("a", "c c", None)},
        references={"refA": ("a b", "c", "d")},
        annotations={
            "pos": {"x": ("DT NN", "VB", "NN"), "y": ("NN", "VB NN", None), "refA": ("DT NN", "VB", "JJ")},
            "lemma": {"x": ("a b", "c", "d")},
        },
    )


def test_needs_may_name_any_layer(registered):
    check_metric(Tagged(), tagged())
    run = score(tagged(), Tagged(), resamples=0)
    assert run["Tagged"].segments["x"].tolist() == [100, 100, 0]


def test_a_layer_must_be_there(registered):
    with pytest.raises(ContractError, match="value: it needs the annotation layer 'pos'; check it on a test set"):
        check_metric(Tagged())
    without = replace(tagged(), annotations={"lemma": tagged().annotations["lemma"]})
    with pytest.raises(InputError, match="Tagged needs the annotation layer 'pos', which the test set does not have"):
        score(without, Tagged())


def test_other_test_sets():
    short = load(outputs={"x": ["a"]}, references=["a"])
    check_metric(metric.create("bleu"), short)
    check_metric(metric.create("chrf"), load(outputs={"x": ["a", "b"]}, references=["a", "b"], sources=["c", "d"]))


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_metrics_are_refused(broken, registered):
    with pytest.raises(ContractError) as caught:
        check_metric(broken())
    assert caught.value.rule == BROKEN[broken]


def test_rules_can_be_skipped():
    @dataclass(frozen=True)
    class Upside(Sound):
        """A metric without a name in the registry that is wrong about its direction."""

        @property
        def higher_is_better(self):
            return False

    skipped = []
    for rule in ("name", "direction"):
        with pytest.raises(ContractError) as raised:
            check_metric(Upside(), skip=skipped)
        assert raised.value.rule == rule
        skipped.append(rule)
    with pytest.raises(ConfigError, match="skip"):
        check_metric(Upside(), skip=["directions"])

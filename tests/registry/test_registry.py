import dataclasses
from typing import Literal, Optional

import pytest

from assay.errors import ConfigError, PluginError
from assay.metrics import metric
from assay.metrics.bleu import Bleu
from assay.metrics.chrf import Chrf
from assay.metrics.nist import Nist
from assay.metrics.sentbleu import SentBleu
from assay.metrics.simpbleu import SimpBleu
from assay.registry import option_text, unescaped
from assay.text import tokenizer
from assay.text.spm import SACREBLEU_MODELS


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("bleu", Bleu()),
        ("bleu:tok=intl,smooth=floor", Bleu(tok="intl", smooth="floor")),
        ("bleu: tok = intl , smooth=floor", Bleu(tok="intl", smooth="floor")),
        ("bleu:smooth=floor,smooth_value=0.5", Bleu(smooth="floor", smooth_value=0.5)),
        ("bleu:smooth_value=none", Bleu()),
        ("bleu:lowercase=true,effective_order=1", Bleu(lowercase=True, effective_order=True)),
        ("chrf++", Chrf(word_order=2)),
        ("chrf:word_order=2,beta=3", Chrf(word_order=2, beta=3)),
        ("chrf++:word_order=1", Chrf(word_order=1)),
        ("spbleu:a%2Cb.model", Bleu(tok="spm:a%2Cb.model")),
        ("bleu:tok=spm:a b.model", Bleu(tok="spm:a%20b.model")),
        ("bleu:tok=spm:model=a=b.model,smooth=floor", Bleu(tok="spm:model=a=b.model", smooth="floor")),
        (
            "bleu:tok=(moses-en:language=de,aggressive=yes),smooth=floor",
            Bleu(tok="moses-de-aggressive", smooth="floor"),
        ),
    ],
)
def test_create(spec, value):
    assert metric.create(spec) == value


@pytest.mark.parametrize(
    ("value", "spec"),
    [
        (Bleu(), "bleu"),
        (Bleu(tok="intl", smooth="floor"), "bleu:tok=intl,smooth=floor"),
        (Chrf(word_order=2), "chrf++"),
        (Chrf(word_order=2, beta=2.5), "chrf++:beta=2.5"),
        (Chrf(lowercase=True), "chrf:lowercase=yes"),
        (Bleu(tok="spm"), "bleu:tok=flores101"),
        (Bleu(tok="spm:model=a%2Cb:c.model"), "bleu:tok=spm:a%2Cb:c.model"),
        (Bleu(tok="spm:(a.model"), "bleu:tok=spm:%28a.model"),
        (Nist(tok="spm:model=a=b.model"), "nist:tok=spm:model=a=b.model"),
    ],
)
def test_shortest_spec_round_trips(value, spec):
    assert metric.spec(value) == spec
    assert metric.create(spec) == value


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("chrf:char_order=2147483647", "'chrf:char_order=2147483647': char_order and word_order must be at most 100"),
        ("blue", "unknown metric 'blue'\ndid you mean 'bleu'?"),
        ("bleu:max_order=4,max_order=2", "'bleu:max_order=4,max_order=2' sets the option 'max_order' twice"),
        ("chrf+", "unknown metric 'chrf+'\ndid you mean 'chrf++'?"),
        ("bleu:tokk=13a", "metric 'bleu' has no option 'tokk'\ndid you mean 'tok'?"),
        ("bleu:tokenize=13a", "metric 'bleu' has no option 'tokenize'\ndid you mean 'tok'?"),
        ("bleu,smooth=floor", "unknown metric 'bleu,smooth=floor'\noptions follow a colon: bleu:smooth=floor"),
        ("bleu:tok=char:x=1", "tokeniser 'char' has no options"),
        ("quux", "unknown metric 'quux'\navailable: act, act5+6, bertscore, bleu, "),
        ("bleu:tok=13b", "unknown tokeniser '13b'\ndid you mean '13a'?"),
        ("bleu:smooth=flor", "'bleu:smooth=flor': unknown smoothing 'flor'; did you mean 'floor'?"),
        ("bleu:lowercase=perhaps", "'lowercase=perhaps' of 'bleu': expected yes or no"),
        ("bleu:max_order=four", "'max_order=four' of 'bleu': expected an integer"),
        ("bleu:max_order=0", "'bleu:max_order=0': max_order must be between 1 and 100, not 0"),
        ("bleu:smooth_value=1", "'bleu:smooth_value=1': smooth_value requires smooth=floor, add-k or add-all, "),
        ("bleu:tok", "'tok' in 'bleu:tok' is not an option\nwrite options as name=value"),
        ("chrf:beta=0", "'chrf:beta=0': beta must be positive and at most 1,000,000, not 0"),
        ("chrf:char_order=0", "'chrf:char_order=0': char_order and word_order must be non-negative and not both 0"),
        ("bleu:model=x", "metric 'bleu' has no option 'model'"),
        ("bleu:tok=INTL", "unknown tokeniser 'INTL'\ndid you mean 'intl'?"),
        ("bleu:flavour=mtevl", "'bleu:flavour=mtevl': unknown flavour of BLEU 'mtevl'; did you mean 'mteval'?"),
        (
            "bleu:flavour=moses,smooth=exp",
            "'bleu:flavour=moses,smooth=exp': flavour=moses does not support smooth=exp; available: none",
        ),
        (
            "bleu-mteval:effective_order=yes",
            "'bleu-mteval:effective_order=yes': effective_order requires flavour=sacre",
        ),
        (
            "sentbleu:smooth=none",
            "'sentbleu:smooth=none': sentbleu requires flavour=moses and smooth=add-all; use bleu for other settings",
        ),
        ("nist:max_order=9", "'nist:max_order=9': max_order must be between 1 and 8, not 9"),
        (
            "simpbleu:precision_weight=2",
            "'simpbleu:precision_weight=2': precision_weight must be between 0 and 1, not 2",
        ),
        ("simpbleu:mean=harmonic", "'simpbleu:mean=harmonic': unknown mean 'harmonic'"),
        ("simpbleu:smooth=-1", "'simpbleu:smooth=-1': smooth must be non-negative and finite, not -1"),
    ],
)
def test_errors_of_invalid_specs(spec, message):
    with pytest.raises(ConfigError) as caught:
        metric.create(spec)
    assert str(caught.value).startswith(message)


def test_names():
    assert {"bleu", "chrf", "chrf++", "spbleu"} <= set(metric.names())
    sacrebleu = {"13a", "intl", "char", "zh", "none", "ja-mecab", "ko-mecab", "spm", *SACREBLEU_MODELS}
    names = {name for name in tokenizer.names() if not name.startswith(("meteor-", "moses-"))}
    others = {"jieba", "newmm", "mteval", "mteval-intl", "mteval-intl-split", "space"}
    assert sacrebleu | others == names
    assert {"moses-en", "moses-de", "moses-ru-aggressive"} <= set(tokenizer.names())
    assert {"meteor-en", "meteor-cs-no-punct"} <= set(tokenizer.names())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BLEU", Bleu()),
        ("chrF++", Chrf(word_order=2)),
        ("BLEU-MTEVAL", Bleu(flavour="mteval")),
        ("BLEU-MTEVAL-INTL", Bleu(flavour="mteval", tok="mteval-intl")),
        ("BLEU-MOSES", Bleu(flavour="moses")),
        ("SENTBLEU-MOSES", SentBleu()),
        ("NIST-MTEVAL", Nist()),
        ("NIST-MTEVAL-INTL", Nist(tok="mteval-intl")),
        ("SIMPBLEU-PREC", SimpBleu()),
        ("SIMPBLEU-RECALL", SimpBleu(precision_weight=0, brevity=False)),
    ],
)
def test_names_as_papers_write_them(name, value):
    assert metric.create(name) == value


def test_case_tells_names_apart_where_it_must(monkeypatch):
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    other = type("Other", (Chrf,), {"__module__": "elsewhere"})
    metric("Chrf")(dataclasses.dataclass(frozen=True)(other))
    assert type(metric.create("Chrf")).__name__ == "Other"
    assert type(metric.create("chrf")) is Chrf


def test_a_name_is_given_once(monkeypatch):
    """Not even by a class of the same name elsewhere."""
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    twin = type("Bleu", (Chrf,), {"__module__": "elsewhere"})
    for cls in (Chrf, twin):
        with pytest.raises(PluginError, match="two metrics are called 'bleu'"):
            metric("bleu")(cls)


def test_options_may_be_optional_or_a_choice(monkeypatch):
    monkeypatch.setattr(metric, "_types", dict(metric._types))

    @metric("choosy")
    @dataclasses.dataclass(frozen=True)
    class Choosy(Chrf):
        mode: Literal["fast", "slow"] = "fast"
        limit: Optional[int] = None  # noqa: UP045
        fitted: tuple[float, ...] = dataclasses.field(default=(), compare=False)

    assert metric.create("choosy:mode=slow,limit=3") == Choosy(mode="slow", limit=3)
    assert metric.spec(Choosy(limit=2, fitted=(1.0,))) == "choosy:limit=2"
    for spec, message in (("choosy:mode=medium", "expected fast or slow"), ("choosy:fitted=1", "no option 'fitted'")):
        with pytest.raises(ConfigError, match=message):
            metric.create(spec)


@pytest.mark.parametrize(
    ("value", "text"), [(True, "yes"), (None, "none"), (2.0, "2"), (0.1, "0.1"), (1 / 3, repr(1 / 3)), ("a|b", "a%7Cb")]
)
def test_option_text(value, text):
    assert option_text(value) == text


@pytest.mark.parametrize("value", ["a|b:c,d%e", "ü 中", "plain", "100%", "%41"])
def test_escaping_round_trips(value):
    assert unescaped(option_text(value)) == value


def test_objects_are_returned_unchanged():
    made = Chrf(word_order=2)
    assert metric.create(made) is made


@pytest.mark.parametrize("name", ["COMET-22", "wmt22-comet-da", "XCOMET-XL", "BLEURT-20", "metricx-24", "moverscore"])
def test_metrics_that_other_programs_compute(name):
    with pytest.raises(ConfigError, match="unknown metric") as caught:
        metric.create(name)
    assert f"--scores {name}=FILE" in caught.value.hint
    assert "assay.load_scores" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "learned"),
    [
        ("wmt22-comet-da", "comet"),
        ("wmt23-cometkiwi-da-xl", "cometkiwi"),
        ("unite-mup", "unite"),
        ("XCOMET-XL", "xcomet"),
        ("BLEURT-20", "bleurt"),
    ],
)
def test_a_model_is_an_option_of_its_metric(name, learned):
    with pytest.raises(ConfigError, match="unknown metric") as caught:
        metric.create(name)
    assert f"{learned}:model=FOLDER" in caught.value.hint

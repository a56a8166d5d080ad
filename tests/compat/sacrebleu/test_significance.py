"""Paired tests of sacreBLEU 2.6.0 and of Assay: the same bits for the same seed."""

from __future__ import annotations

import inspect
import itertools

import numpy as np
import pytest
import sacrebleu.metrics as their_metrics
from sacrebleu import significance as theirs

from assay.compat import sacrebleu as our_metrics
from assay.compat.sacrebleu import significance as ours
from assay.errors import AlignmentError, ConfigError, InputError
from tests.archives import folder, texts
from tests.compat.sacrebleu.oracle import corpus, same_bits

pytestmark = same_bits

NEEDS_DATA = pytest.mark.skipif(folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives")
SEEDS = ["12345", "1", "987654321"]
OPTIONS = {
    "BLEU": [
        {},
        {"smooth_method": "floor"},
        {"smooth_method": "floor", "smooth_value": 0.3},
        {"smooth_method": "add-k"},
        {"smooth_method": "add-k", "smooth_value": 0.7},
        {"smooth_method": "add-k", "smooth_value": 2.6},
        {"smooth_method": "none"},
        {"effective_order": True, "max_ngram_order": 6},
        {"max_ngram_order": 1, "lowercase": True},
    ],
    "CHRF": [
        {},
        {"word_order": 2},
        {"beta": 3},
        {"beta": 1.3, "char_order": 4},
        {"eps_smoothing": True},
        {"eps_smoothing": True, "beta": 3, "word_order": 1},
        {"eps_smoothing": True, "char_order": 20, "word_order": 2, "whitespace": True},
        {"char_order": 0, "word_order": 2},
    ],
    "TER": [{}, {"normalized": True, "case_sensitive": True}],
}
CASES = [(name, options) for name, choices in OPTIONS.items() for options in choices]


def systems(name, size, references=2, count=3):
    """A baseline, one that is often the same, and others; the references."""
    outputs, refs = corpus(f"significance/{name}", size, references)
    mixed = [outputs] + [
        [b if i % k == 1 else a for i, (a, b) in enumerate(zip(outputs, refs[k % references], strict=True))]
        for k in range(2, count + 1)
    ]
    return [(f"s{k}", texts) for k, texts in enumerate(mixed)], refs


def both(named_systems, references, metric, options, **arguments):
    """The results of sacreBLEU's test and of Assay's, as plain values."""
    return [
        plain(
            *module.PairedTest(named_systems, {metric: getattr(metrics, metric)(**options)}, references, **arguments)()
        )
        for module, metrics in ((theirs, their_metrics), (ours, our_metrics))
    ]


def plain(signatures, scores):
    """Signatures, names, and every number with all its digits."""
    numbers = {
        name: [tuple(None if value is None else float(value) for value in vars(result).values()) for result in column]
        for name, column in scores.items()
        if name != "System"
    }
    return {name: str(signature) for name, signature in signatures.items()}, scores["System"], numbers


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "options"), CASES)
@pytest.mark.parametrize("test_type", ["bs", "ar"])
@pytest.mark.parametrize("size", [1, 30])
@pytest.mark.parametrize("references", [1, 2, 3])
def test_the_same_bits(monkeypatch, metric, options, test_type, size, references):
    monkeypatch.setenv("SACREBLEU_SEED", str(size + references))
    named_systems, refs = systems(f"{metric}/{size}", size, references)
    expected, found = both(named_systems, refs, metric, options, test_type=test_type, n_samples=90)
    assert found == expected


@pytest.mark.slow
@pytest.mark.parametrize("metric", list(OPTIONS))
@pytest.mark.parametrize(("resamples", "shown"), [(40, "bs:40|ar:95"), (0, "bs:1000|ar:95"), (-1, "ar:95")])
def test_intervals_of_randomisation(metric, resamples, shown):
    """The resamples of systems follow the swaps in one stream of random numbers; those of the baseline do not."""
    named_systems, refs = systems(f"{metric}/confidence", 31)
    arguments = {"test_type": "ar", "n_samples": 95, "n_ar_confidence": resamples}
    expected, found = both(named_systems, refs, metric, {}, **arguments)
    assert found == expected
    assert all(shown in signature for signature in found[0].values())


@pytest.mark.slow
def test_several_metrics_and_cached_references():
    named_systems, refs = systems("several", 25)
    for test_type in ("bs", "ar"):
        results = [
            plain(
                *module.PairedTest(
                    named_systems,
                    {"x": m.TER(references=refs), "y": m.BLEU(references=refs), "z": m.CHRF(references=refs)},
                    None,
                    test_type,
                    50,
                )()
            )
            for module, m in ((theirs, their_metrics), (ours, our_metrics))
        ]
        assert results[0] == results[1]
        assert list(results[1][2]) == ["TER", "BLEU", "chrF2"]


def test_scores_without_ngrams_make_resamples_double_precision():
    """For a resample without matches sacreBLEU returns a Python number, and NumPy then keeps all scores as doubles."""
    named_systems = [("a", ["x", "the cat"]), ("b", ["the dog", "y"]), ("c", ["", ""])]
    for (metric, options), reference in itertools.product(CASES, (["the cat", "the cat"], ["the dog", ""], ["", ""])):
        for test_type in ("bs", "ar"):
            expected, found = both(named_systems, [reference], metric, options, test_type=test_type, n_samples=60)
            assert found == expected


def test_a_copy_is_called_different():
    """sacreBLEU's rule counts resamples with a larger difference, and there is none: the smallest p of all."""
    (baseline, *_), refs = systems("copy", 20)
    for test_type, n in (("bs", 99), ("ar", 199)):
        pair = [baseline, ("copy", baseline[1])]
        expected, found = both(pair, refs, "BLEU", {}, test_type=test_type, n_samples=n)
        assert found == expected
        assert found[2]["BLEU"][1][1] == 1 / (n + 1)


@pytest.mark.slow
@NEEDS_DATA
@pytest.mark.parametrize(
    ("seed", "metric", "options"),
    [*((seed, "BLEU", {}) for seed in SEEDS), (SEEDS[0], "CHRF", {}), (SEEDS[1], "CHRF", {"word_order": 2})],
)
@pytest.mark.parametrize(("test_type", "samples"), [("bs", 500), ("ar", 1000)])
def test_two_systems_of_wmt22(monkeypatch, seed, metric, options, test_type, samples):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    references, outputs = texts("wmt22", "en-de", ("refA", "refB"))
    pair = [(name, outputs[name]) for name in ("Online-A", "Online-B")]
    streams = [references["refA"]] if seed == SEEDS[0] else list(references.values())
    expected, found = both(pair, streams, metric, options, test_type=test_type, n_samples=samples)
    assert found == expected


@pytest.mark.slow
@NEEDS_DATA
@pytest.mark.parametrize("test_type", ["bs", "ar"])
@pytest.mark.parametrize(("metric", "segments"), [("BLEU", 700), ("CHRF", 250), ("TER", 100)])
def test_nine_systems_of_wmt22(test_type, metric, segments):
    references, outputs = texts("wmt22", "en-de", ("refA",))
    named_systems = [(name, outputs[name][:segments]) for name in list(outputs)[:9]]
    streams = [references["refA"][:segments]]
    expected, found = both(named_systems, streams, metric, {}, test_type=test_type, n_samples=1000)
    assert found == expected
    p_values = [row[1] for row in next(iter(found[2].values()))]
    assert p_values[0] is None
    assert len(set(p_values)) > 3


@pytest.mark.parametrize("seed", ["0", "none", "None"])
def test_seeds_that_are_no_seeds(monkeypatch, seed):
    """With seed 0, sacreBLEU fixes only the interval of the baseline."""
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    named_systems, refs = systems("seed", 30)
    for test_type in ("bs", "ar"):
        arguments = {"test_type": test_type, "n_samples": 200, "n_ar_confidence": 200}
        expected, found = both(named_systems, refs, "BLEU", {}, **arguments)
        _, again = both(named_systems, refs, "BLEU", {}, **arguments)
        assert found[:2] == expected[:2]
        assert (found[2]["BLEU"][0] == again[2]["BLEU"][0] == expected[2]["BLEU"][0]) == (seed == "0")
        assert found[2]["BLEU"][1][2:] != again[2]["BLEU"][1][2:]


def test_the_number_of_threads_changes_nothing():
    named_systems, refs = systems("threads", 40)
    results = [
        plain(*ours.PairedTest(named_systems, {"x": our_metrics.BLEU()}, refs, "bs", 50, n_jobs=jobs)())
        for jobs in (0, 1, 3)
    ]
    assert results[0] == results[1] == results[2]


def test_a_baseline_alone():
    (baseline, *_), refs = systems("alone", 12)
    for test_type in ("bs", "ar"):
        expected, found = both([baseline], refs, "BLEU", {}, test_type=test_type, n_samples=20)
        assert found == expected


def test_results_have_the_fields_of_sacrebleus():
    fields = [list(inspect.signature(module.Result).parameters) for module in (theirs, ours)]
    assert fields[0] == fields[1]
    assert repr(ours.Result(1.5, 0.25)) == repr(theirs.Result(1.5, 0.25))
    arguments = [inspect.signature(module.PairedTest).parameters for module in (theirs, ours)]
    assert [(p.name, p.default) for p in arguments[0].values()] == [(p.name, p.default) for p in arguments[1].values()]


def test_intervals():
    for dtype in (np.float32, np.float64):
        scores = np.random.default_rng(3).normal(30, 1, 333).astype(dtype)
        assert ours.estimate_ci(scores) == theirs.estimate_ci(scores)


def test_errors(monkeypatch):
    named_systems, refs = systems("errors", 5)
    bleu = {"BLEU": our_metrics.BLEU()}
    with pytest.raises(ConfigError, match="test_type must be 'ar' or 'bs', not 'x'"):
        ours.PairedTest(named_systems, bleu, refs, "x")
    with pytest.raises(InputError, match="no systems"):
        ours.PairedTest([], bleu, refs)
    with pytest.raises(ConfigError, match="BLEU is not a metric of Assay"):
        ours.PairedTest(named_systems, {"BLEU": their_metrics.BLEU()}, refs)
    with pytest.raises(ConfigError, match="two metrics are called BLEU"):
        ours.PairedTest(named_systems, {"a": our_metrics.BLEU(), "b": our_metrics.BLEU(tokenize="intl")}, refs)
    with pytest.raises(AlignmentError, match="4 hypotheses of 'short', but references are 2 lists of 5"):
        ours.PairedTest([*named_systems, ("short", ["a"] * 4)], bleu, refs)
    with pytest.raises(TypeError, match="segment 2 of the hypotheses of 'gap' is None"):
        ours.PairedTest([*named_systems, ("gap", ["a", None, "c", "d", "e"])], bleu, refs)
    monkeypatch.setenv("SACREBLEU_SEED", "x")
    with pytest.raises(ConfigError, match="SACREBLEU_SEED is 'x'"):
        ours.PairedTest(named_systems, bleu, refs)

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from assay import load, score
from assay.aggregate.resample import Bootstrap
from assay.contracts import Metric
from assay.errors import ConfigError, PluginError
from assay.metrics import metric
from assay.metrics.bleu import Bleu
from assay.sample import generate
from assay.study.score import AGGREGATIONS
from assay.types import NoteKind, ScoreTable
from assay.types.runtime import Runtime


@pytest.fixture(scope="module")
def testset():
    campaign = generate("de")
    return load(
        outputs={name: campaign.output(name) for name in ("alder", "elm", "willow")},
        references=campaign.references,
        documents=campaign.documents,
        domains=campaign.domains,
        lp="en-de",
    )


@pytest.fixture(scope="module")
def run(testset):
    options = {"agg": AGGREGATIONS, "by": "domain,document,length"}
    return score(testset, ["bleu", "chrf"], **options, resamples=200, size=40, seed=9)


def test_corpus_and_segment_are_the_default(testset):
    assert list(score(testset, "bleu", resamples=5)["bleu"].aggregations) == ["corpus", "segment"]


def test_options_that_are_not_the_defaults(testset):
    def options(spec, lp="en-de"):
        return next(
            iter(score(dataclasses.replace(testset, lp=lp), spec, resamples=0).metrics.values())
        ).nondefault_options

    assert options("bleu") == options("chrf++") == options("bleu:tok=13a") == ()
    assert options("bleu", lp="en-zh") == (("tok", "zh"),)
    assert options("bleu:tok=intl,lowercase=yes") == (("tok", "intl"), ("lowercase", "yes"))
    assert options("bleu:tok=13a", lp="en-zh") == (("tok", "13a"),)  # not the default of this language
    assert options(ScoreTable("mine", "segment", testset.systems, np.ones((3, len(testset))))) is None


def test_corpus_is_the_score_of_the_sum(run):
    for spec in run:
        table = run[spec].statistics.table
        expected = metric.create(spec).score(table.sum(axis=1))
        np.testing.assert_allclose(list(run[spec].corpus.values()), expected, atol=1e-12)
        assert all(run[spec].corpus.estimate(s).n == 130 for s in run.systems)


def test_segment_is_the_mean_with_its_deviation_and_standard_error(run):
    for spec in run:
        for system in run.systems:
            values = run[spec].segments[system]
            found = run[spec].segment_mean.estimate(system)
            assert found.value == pytest.approx(values.mean(), abs=1e-12)
            assert found.standard_error == pytest.approx(values.std(ddof=1) / math.sqrt(130), abs=1e-12)
            assert found.standard_deviation == pytest.approx(values.std(ddof=1), abs=1e-12)
            assert math.isnan(run[spec].corpus.estimate(system).standard_deviation)


def test_bootstrap_is_the_mean_over_resampled_corpora(run):
    (weights,) = Bootstrap(200, 40, 9).blocks(130, runtime=Runtime(threads=1))
    for spec in run:
        sums = np.einsum("bi,sik->sbk", weights.astype(np.int64), run[spec].statistics.table)
        scores = metric.create(spec).score(sums)
        for system, row in zip(run.systems, scores, strict=True):
            found = run[spec].bootstrap.estimate(system)
            assert found.value == pytest.approx(row.mean(), abs=1e-9)
            assert (found.low, found.high) == tuple(pytest.approx(q) for q in np.quantile(row, [0.025, 0.975]))
            assert found.standard_error == pytest.approx(row.std(ddof=1))


def test_intervals_of_the_others_draw_all_segments(run):
    (weights,) = Bootstrap(200, None, 9).blocks(130, runtime=Runtime(threads=1))
    sums = np.einsum("bi,sik->sbk", weights.astype(np.int64), run["bleu"].statistics.table)
    corpus = Bleu().score(sums)
    means = np.einsum("bi,si->sb", weights, np.stack(list(run["bleu"].segments.values()))) / 130
    for number, system in enumerate(run.systems):
        for scores, rows in ((run["bleu"].corpus, corpus), (run["bleu"].segment_mean, means)):
            found = scores.estimate(system)
            assert (found.low, found.high) == tuple(pytest.approx(q) for q in np.quantile(rows[number], [0.025, 0.975]))
            assert found.low < found.value < found.high


def test_groups_are_scores_of_their_own_segments(run, testset):
    for label in ("domain:news", "document:tech-2"):
        kind, name = label.split(":")
        members = [i for i, other in enumerate(getattr(testset, f"{kind}s")) if other == name]
        alone = score(testset.take(members), "bleu", agg=AGGREGATIONS, resamples=200, size=40, seed=9)["bleu"]
        found = {s.aggregation: s for s in run["bleu"].groups if s.group == label}
        for name in ("corpus", "segment", "bootstrap"):
            assert found[name].estimates == alone.aggregations[name].estimates
    sizes = [
        s.estimate("alder").n for s in run["bleu"].groups if s.group.startswith("length:") and s.aggregation == "corpus"
    ]
    assert sum(sizes) == 130


def test_quality_falls_as_the_sample_promises(run):
    for spec in run:
        for scores in run[spec].aggregations.values():
            assert scores["alder"] > scores["elm"] > scores["willow"]


def test_signatures_tell_aggregations_apart(run):
    signatures = {name: str(scores.signature) for name, scores in run["bleu"].aggregations.items()}
    assert "agg:corpus|resamples:200|seed:9|confidence:0.95" in signatures["corpus"]
    assert "agg:bootstrap|resamples:200|size:40|seed:9" in signatures["bootstrap"]
    assert "effective_order:yes" in signatures["segment"]


def test_segments_absent_somewhere_are_left_out_for_all_and_counted():
    outputs = {"x": ["a b c d", None, "e f g h"], "y": ["a b c d", "q", "x y z w"]}
    whole = score(load(outputs=outputs, references=["a b c d", "q", "e f g h"]), "bleu", resamples=10)
    assert [whole["bleu"].corpus.estimate(s).n for s in "xy"] == [2, 2]
    assert whole["bleu"].corpus["x"] == 100
    assert np.isnan(whole["bleu"].segments["x"]).tolist() == [False, True, False]
    assert whole["bleu"].segments["y"][1] == 100
    missing, note = whole.notes
    assert (missing.kind, missing.severity, str(missing)) == (
        *(NoteKind.MISSING, "warning"),
        "x, line 2: 1 of 3 segments missing",
    )
    assert (note.kind, note.where, note.count) == (NoteKind.EXCLUDED, "bleu", 1)
    assert str(note) == "bleu: excluded 1 of 3 segments, which lack an output for x"
    assert not whole["bleu"].statistics.scored[0, 1]


@pytest.mark.warns("nothing was scored")
def test_nothing_scored_is_nan_with_a_reason():
    run = score(load(outputs={"x": [None, "a"], "y": ["a", None]}, references=["a", "a"]), "chrf", resamples=10)
    for scores in run["chrf"].aggregations.values():
        found = scores.estimate("x")
        assert math.isnan(found.value)
        assert (found.n, found.reason) == (0, "no segment was scored for all systems")
    row = run.to_dict()["rows"][0]
    assert (row["value"], row["low"], row["reason"]) == (None, None, "no segment was scored for all systems")


def test_a_single_defined_segment_has_no_interval():
    """WER is undefined where the reference is empty."""
    run = score(load(outputs={"x": ["a b", "c"]}, references=["a c", ""]), "wer")["wer"]
    assert run.corpus.estimate("x").low == 50
    found = run.segment_mean.estimate("x")
    assert (found.value, found.n, found.reason) == (50, 1, "a single segment has no interval")
    assert math.isnan(found.low)


@pytest.mark.parametrize("aggregation", ["corpus", "segment_mean"])
def test_a_single_segment_has_no_interval(aggregation):
    found = getattr(score(load(outputs={"x": ["a b"]}, references=["a c"]), "chrf")["chrf"], aggregation).estimate("x")
    assert found.value > 0
    assert all(map(math.isnan, (found.standard_error, found.low, found.high)))
    assert found.reason == "a single segment has no interval"


def test_no_resamples_no_intervals():
    run = score(load(outputs={"x": ["a b"]}, references=["a c"]), "chrf", resamples=0, agg="corpus,segment")
    assert math.isnan(run["chrf"].corpus.estimate("x").low)
    assert "resamples" not in str(run["chrf"].signature)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(testset, threads):
    first = score(testset, ["bleu", "chrf++"], resamples=50, by="document", runtime=Runtime(threads=1)).to_dict(
        segments=True
    )
    assert (
        score(testset, ["bleu", "chrf++"], resamples=50, by="document", runtime=Runtime(threads=threads)).to_dict(
            segments=True
        )
        == first
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"agg": "corpus,mean"}, "unknown aggregation 'mean'"),
        ({"agg": ""}, "no aggregation was given"),
        ({"agg": ()}, "no aggregation was given"),
        ({"by": "speaker"}, "unknown grouping 'speaker'"),
        ({"confidence": 95}, "confidence must be between 0 and 1"),
        ({"resamples": 0, "agg": "bootstrap"}, "the bootstrap aggregation needs at least one resample"),
        ({"resamples": 10.0}, "resamples must be an integer"),
        ({"resamples": 10**20}, "resamples must be an integer"),
        ({"size": 2**32}, "size must be an integer"),
        ({"metrics": []}, "no metric was given"),
    ],
)
def test_wrong_arguments(testset, arguments, message):
    with pytest.raises(ConfigError, match=message):
        score(testset, **arguments)


def test_an_absent_output_after_a_large_one():
    """An absent output once kept the symbols of the segment before it: memory beyond the table was written."""
    large = "".join(chr(0x4E00 + i) for i in range(9000))
    testset = load(outputs={"x": [large, None] * 20, "y": [large, "中"] * 20}, references=[large, "中" * 300] * 20)
    for spec in ("chrf", "chrf++", "bleu:tok=char", "chrf:char_order=7"):
        table = score(testset, spec, resamples=0, runtime=Runtime(threads=1))[spec].statistics.table
        assert not table[0, 1::2].any()
        np.testing.assert_array_equal(table[0, ::2], table[1, ::2])


def test_metrics_advise():
    chinese = load(outputs={"x": ["今天天气好。"]}, references=["今天天气很好。"])
    (note,) = score(chinese, "bleu", resamples=0).notes
    assert (note.kind, note.where) == (NoteKind.ADVICE, "bleu")
    assert note.text.endswith('use bleu:tok=zh or give the language pair (lp="en-zh")')
    assert score(chinese, ["bleu:tok=zh", "chrf"], resamples=0).notes == ()
    for lp in ("en-zh", "en-ZH", "eng-zho", "en-zh_CN", "eng_Latn-zho_Hans"):
        known = load(outputs={"x": ["今天天气好。"]}, references=["今天天气很好。"], lp=lp)
        assert "tok:zh" in str(score(known, "bleu", resamples=0)["bleu"].signature)


@pytest.mark.parametrize(
    ("spec", "instead"),
    [
        ("bleu:tok=13a", "bleu:tok=zh"),
        ("bleu-mteval", "bleu-mteval:tok=zh"),
        ("bleu-moses", "bleu-moses:tok=zh"),
        ("sentbleu", "sentbleu:tok=zh"),
        ("simpbleu:tok=13a", "simpbleu:tok=zh"),
        ("nist", "nist:tok=zh"),
        ("wer", "wer:tok=zh or wer:tok=char"),
        ("per-moses", "per-moses:tok=zh or per-moses:tok=char"),
        ("cder", "cder:tok=zh or cder:tok=char"),
        ("ter", "ter:normalized=yes,asian=yes"),
        ("ter-moses", "ter-moses:tok=zh or ter-moses:tok=char"),
    ],
)
def test_the_advice_for_text_without_spaces_can_be_followed(spec, instead):
    chinese = load(outputs={"x": ["今天天气好。"]}, references=["今天天气很好。"], lp="en-zh")
    name = spec.partition(":")[0]
    (note,) = score(chinese, spec, resamples=0).notes
    assert (note.kind, note.where) == (NoteKind.ADVICE, name)
    assert note.text.endswith(f"the references are written without spaces: use {instead}")
    for advised in instead.split(" or "):
        assert score(chinese, advised, resamples=0).notes == ()


@pytest.mark.parametrize("name", ["bleu", "sentbleu", "simpbleu", "nist", "wer"])
def test_the_advice_fits_the_language(name):
    japanese = load(outputs={"x": ["今日はいい天気です。"]}, references=["今日は良い天気です。"])
    note, *_ = score(japanese, name, resamples=0).notes
    assert f"use {name}:tok=ja-mecab" in note.text
    assert "en-zh" not in note.text
    english = load(outputs={"x": ["It is a nice day."]}, references=["今日は良い天気です。"])
    assert not [note for note in score(english, name, resamples=0).notes if "tok=" in note.text]


def test_fitted_weights_are_not_options(monkeypatch):
    """Weights stand in a field that takes no part in comparison, and only their digest in the signature."""
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))

    @metric("weighted")
    @dataclasses.dataclass(frozen=True)
    class Weighted(Bleu):
        weights: tuple[float, ...] = dataclasses.field(default=(), compare=False)

        def prepare(self, testset):
            return dataclasses.replace(super().prepare(testset), weights=(0.5, 0.25))

        @property
        def resources(self):
            return {"weights": "sha256-00"}

    found = score(load(outputs={"x": ["a b"]}, references=["a b"]), "weighted", resamples=0)["weighted"]
    assert "weights:" not in str(found.signature)
    assert "weights.digest:sha256-00" in str(found.signature)


def test_a_metric_needs_its_reference():
    with pytest.raises(ConfigError, match="bleu needs a reference"):
        score(load(outputs={"x": ["a"]}))


def test_metrics_can_be_values():
    testset = load(outputs={"x": ["a b c d e"]}, references=["a b c d f"])
    run = score(testset, Bleu(tok="none"))
    assert run["bleu:tok=none"].corpus["x"] == score(testset, "bleu:tok=none")["bleu:tok=none"].corpus["x"]


@pytest.mark.warns("scored against themselves")
def test_a_reference_is_not_scored_against_itself():
    testset = load(
        outputs={"x": ["a b", "c"], "refA": ["a b", "d"], "human": ["a b", "d"]}, references={"refA": ["a b", "d"]}
    )
    run = score(testset, "chrf", resamples=0)
    assert run.systems == ("x", "human")
    assert [(note.kind, str(note)) for note in run.notes] == [
        (NoteKind.EXCLUDED, "excluded systems that are also references: refA"),
        (NoteKind.SUSPECT, "human: identical to the reference refA"),
    ]
    alone = load(outputs={"refA": ["a b"]}, references={"refA": ["a b"]})
    assert score(alone, "chrf", resamples=0).systems == ("refA",)


def test_names_of_metrics_clash_in_any_order():
    testset = load(outputs={"x": ["a b"]}, references=["a b"])
    table = ScoreTable("bleu", "segment", ("x",), [[1.0]])
    for metrics in ([table, "bleu"], ["bleu", table], [Bleu(), "bleu", table]):
        with pytest.raises(ConfigError, match="two metrics are called 'bleu'"):
            score(testset, metrics, resamples=0)
    assert list(score(testset, ["bleu", "bleu:tok=auto"], resamples=0)) == ["bleu"]


@dataclasses.dataclass(frozen=True)
class Faulty(Metric):
    """A metric with one of several faults."""

    name = "faulty"
    fault: str = "none"

    @property
    def columns(self):
        return ("value", "count")

    def statistics(self, testset, runtime):
        if self.fault == "raises":
            raise OSError("no model")
        table = np.ones((len(testset.systems), len(testset), 2))
        if self.fault == "shape":
            return table[:, 1:]
        if self.fault == "infinite":
            table[0, 1] = np.inf
        return table * len(testset) if self.fault == "not additive" else table

    def score(self, totals):
        return totals[..., 0] / 0 if self.fault == "infinite score" else totals[..., 0] / totals[..., 1]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("raises", "failed: OSError: no model"),
        ("shape", "is faulty: the statistics have shape"),
        ("infinite", "is faulty: the statistic 'value' of system 'x', segment 2 is not finite"),
        ("infinite score", "is faulty: it returns an infinite score"),
        ("not additive", "is faulty: it is not additive"),
    ],
)
def test_a_faulty_metric_is_named(monkeypatch, fault, message):
    monkeypatch.setitem(metric._types, "faulty", (Faulty, {}))
    testset = load(outputs={"x": list("abcdefgh")}, references=list("abcdefgh"))
    assert score(testset, "faulty", resamples=0)["faulty"].corpus["x"] == 1
    with np.errstate(all="ignore"), pytest.raises(PluginError) as caught:
        score(testset, Faulty(fault), resamples=0)
    assert caught.value.message.startswith("the metric 'faulty:fault=")
    assert message in caught.value.message
    assert caught.value.hint


def test_misaligned_outputs_are_noted():
    reference = [f"This is the sentence {'very ' * (i % 7)}number {i * 37 % 101} of {i}." for i in range(60)]
    outputs = {"good": reference, "bad": reference[::-1]}
    notes = score(load(outputs=outputs, references={"refA": [text + "!" for text in reference]}), resamples=0).notes
    assert [(note.kind, note.place) for note in notes] == [(NoteKind.SUSPECT, "bad, line 1")]


def test_a_size_without_the_bootstrap_has_no_effect():
    testset = load(outputs=["a"], references=["a"])
    with pytest.raises(ConfigError, match="size has no effect without the bootstrap"):
        score(testset, "bleu", size=3)
    with pytest.raises(TypeError, match=r"score\(\) got an unexpected keyword argument 'lp'"):
        score(testset, "bleu", lp="en-de")

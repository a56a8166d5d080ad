from __future__ import annotations

import dataclasses

import pytest

from assay import diff, load, save_result, score
from assay.metrics import metric
from assay.metrics.function_metric import FunctionMetric
from assay.words.scores import changed_scores

REFERENCE = ["a b c d e", "f g h i", "j k l m"]


def make(metrics="bleu", outputs=None, **options):
    outputs = outputs or {"x": ["a b c d", "f g h i", "j"], "y": ["a b", "f", "j k l"]}
    keys = {"references", "lp", "sources"} & options.keys()
    columns = {"references": REFERENCE} | {key: options.pop(key) for key in keys}
    return score(load(outputs=outputs, **columns), metrics, resamples=5, **options)


def settings(*runs):
    return [(s.kind, s.name, s.first, s.second) for s in diff(*runs).settings]


def test_a_run_and_its_repetition_are_the_same():
    assert not diff(make(), make()).different


def test_options_that_differ_are_named_once():
    assert settings(make("bleu"), make("bleu:tok=intl")) == [("signature", "bleu / bleu:tok=intl tok", "13a", "intl")]
    assert settings(make(seed=1), make(seed=2)) == [("signature", "bleu seed", "1", "2")]


def test_several_metrics_of_a_name_are_not_guessed():
    found = settings(make(["bleu:tok=intl", "bleu:tok=char"]), make(["bleu:tok=zh"]))
    assert [(kind, what) for kind, what, _, _ in found] == [
        ("metric", "bleu:tok=intl"),
        ("metric", "bleu:tok=char"),
        ("metric", "bleu:tok=zh"),
    ]


def test_inputs_systems_and_segments():
    changed = make(outputs={"x": ["a b c d", "f g h i", "j"], "z": ["a", "b", "c"]}, lp="de-en")
    found = settings(make(), changed)
    assert [(kind, what) for kind, what, _, _ in found] == [
        ("test set", "lp"),
        ("input", "output 'y'"),
        ("input", "output 'z'"),
    ]
    shorter = make(outputs={"x": ["a b c d", "f g h i"]}, references=REFERENCE[:2])
    assert ("test set", "segments", "3", "2") in settings(make(), shorter)
    assert diff(make(), shorter).segments == ()


def test_aggregations_that_only_one_has():
    assert settings(make(agg="corpus,segment"), make(agg="corpus")) == [
        ("signature", "bleu agg segment", "scored", None)
    ]


def test_where_numbers_moved():
    found = diff(make("chrf"), make("chrf", outputs={"x": ["a b c d", "f g h", "j k"], "y": ["a b", "f", "j k l"]}))
    assert {(c.system, c.moved) for c in found.scores} == {("x", True), ("y", False)}
    x, y = found.segments
    assert (x.moved, y.moved, y.largest) == (2, 0, ())
    assert {segment for segment, _, _ in x.largest} == {2, 3}
    sizes = [abs(b - a) for _, a, b in x.largest]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("options", [{"by": "length"}, {"agg": "segment"}])
def test_groups_are_compared_too(options):
    assert not diff(make(**options), make(**options)).different
    assert len(diff(make(by="length"), make(by="length")).scores) > 6


def test_groups_that_only_one_has():
    found = diff(make(by="length"), make())
    assert found.different
    assert {(s.kind, s.second) for s in found.settings} == {("group", None)}
    assert {(s.first, s.second) for s in diff(make(), make(by="length")).settings} == {(None, "scored")}


def test_values_and_intervals_are_told_apart():
    found = diff(make(seed=1), make(seed=2))
    corpus = next(change for change in found.scores if change.aggregation == "corpus")
    assert (corpus.moved, corpus.interval_moved) == (False, True)
    kinds = {row["kind"] for row in found.rows() if row.get("aggregation") == "corpus"}
    assert kinds == {"interval"}
    assert found.to_dict()["scores_compared"] == 4
    assert "of 4 scores changed" in changed_scores(found)


def test_segments_that_become_undefined_moved_most():
    with_gap = {"x": ["a b c d", "f g h i", "j"], "y": ["a b", None, "j k l"]}
    _, y = diff(make("chrf"), make("chrf", outputs=with_gap)).segments
    assert y.largest[0][0] == 2
    assert y.largest[0][2] != y.largest[0][2]


def test_the_name_of_the_test_set_and_folders(tmp_path):
    one, other = make(), make()
    named = dataclasses.replace(other, inputs=dataclasses.replace(other.testset, name="wmt"))
    assert settings(one, named) == [("test set", "name", None, "wmt")]
    save_result(one, tmp_path / "one")
    assert not diff(one, tmp_path / "one").different
    assert repr(diff(one, one)) == "Difference(0 settings and 0 of 4 scores differ)"


def test_nothing_in_common():
    found = diff(make("bleu"), make("chrf"))
    assert found.scores == ()
    assert changed_scores(found) == "the runs have no score in common: nothing was compared"


def test_scores_of_a_network_may_differ_by_rounding(tmp_path, monkeypatch):
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    noise = iter((0.0, 8e-10))

    @metric("rounding")
    @dataclasses.dataclass(frozen=True)
    class Rounding(FunctionMetric):
        tolerance = 1e-5
        texts = ("output", "reference")
        function = staticmethod(lambda output, reference: len(output) / 10)

        def score(self, totals):
            return super().score(totals) + self.noise

        noise: float = dataclasses.field(default=0.0, compare=False)

        def prepare(self, testset):
            return dataclasses.replace(self, noise=next(noise))

    save_result(make("rounding"), tmp_path / "one")
    found = diff(tmp_path / "one", make("rounding"))
    assert found.scores[0].first.value != found.scores[0].second.value
    assert not found.different
    assert changed_scores(found) == (
        "0 of 4 scores changed, and 0 of their intervals (4 differ within the tolerance of the metric)"
    )

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.calibration.fitted_texts import fitted_texts
from assay.cli.group import _run
from assay.errors import AssayWarning, ConfigError, InputError, UnknownNameError
from assay.metrics import from_training, metric
from assay.types import Campaign, ScoreTable, TestSet
from tests.training.made_up import campaign, register


@pytest.fixture(autouse=True)
def _features(monkeypatch):
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    register()


def judged(count: int = 3, **settings: object) -> list[Campaign]:
    """Test sets in which people prefer the output with the higher truth, by chance."""
    return [
        campaign(f"test{number}", ("en-de", "en-cs")[number % 2], seed=number, **settings) for number in range(count)
    ]


def outputs(size: int = 40) -> TestSet:
    """Two outputs, of which the second one is better in the second half."""
    random = np.random.default_rng(8)
    first, second = random.normal(size=(2, size))
    second[size // 2 :] += 2.5
    texts = {
        name: [f"truth={value:.6f} noise=0.5" for value in values.tolist()]
        for name, values in (("a", first), ("b", second))
    }
    return TestSet(texts, lp="en-de")


def test_answers_from_judgements() -> None:
    texts = outputs()
    found = assay.prefer(texts, judged(), metrics="truth", at_least=0.7, resamples=100)
    assert (found.first, found.second, found.source, found.threshold) == ("a", "b", "own", 0.7)
    assert len(found) == 40
    assert [each.segment for each in found] == list(range(1, 41))
    for each in found:
        (scores,) = each.scores
        assert (scores.first > scores.second) == (each.probability > 0.5) or each.probability == 0.5
        expected = "first" if each.probability >= 0.7 else "second" if each.probability <= 0.3 else "abstain"
        assert each.answer in (expected, "outside")
    assert sum(each.answer == "second" for each in found.segments[20:]) > 15
    assert found.population.campaigns == ("test0", "test1", "test2")
    assert found.population.outputs == found.population.drawn == 3 * 60 * 10
    assert [each.by for each in found.evaluations] == ["campaign", "language pair"]
    sentences = " ".join(assay.reports.document(found).verdict.sentences)
    assert "truth says which output people probably prefer: that of a in " in sentences
    assert "These are shares of all answers, " in sentences
    assert "In held-out campaigns, " in sentences
    assert found.settings["data"] == "test0/en-de,test1/en-cs,test2/en-de"
    assert "It is fitted to 1,800 pairs of outputs of 180 segments that people judged (DA-z)" in sentences


def test_the_other_order_is_the_other_answer() -> None:
    texts = outputs()
    data = judged()
    there = assay.prefer(texts, data, metrics="truth", resamples=50)
    back = assay.prefer(texts.with_systems(("b", "a")), data, metrics="truth", resamples=50)
    for one, other in zip(there, back, strict=True):
        assert one.probability + other.probability == 1 or math.isnan(one.probability + other.probability)
        assert {"first": "second", "second": "first"}.get(one.answer, one.answer) == other.answer


def test_a_metric_whose_lower_scores_are_better() -> None:
    texts, data = outputs(), judged()
    higher, lower = (assay.prefer(texts, data, metrics=name, resamples=50) for name in ("truth", "cost"))
    assert [each.probability for each in higher] == [each.probability for each in lower]


def test_rankings_have_ties_and_preferences() -> None:
    found = assay.prefer(outputs(), judged(ranked=True), metrics="truth", at_least=0.7, resamples=50)
    assert found.population.protocols == ("rankings",)
    assert found.population.outputs == 3 * 60 * 10
    assert found.threshold == 0.7


def test_what_says_nothing_is_not_answered() -> None:
    found = assay.prefer(outputs(), judged(), metrics="noise", resamples=50, at_least=0.6)
    assert math.isnan(found.threshold)
    assert {each.answer for each in found} == {"abstain"}
    assert "No answer for any of the 40 segments" in " ".join(assay.reports.document(found).verdict.sentences)


def test_several_metrics_together() -> None:
    found = assay.prefer(outputs(), judged(), metrics=("truth", "noise"), resamples=50)
    assert set(found.evaluations[0].brier_alone) == {"truth", "noise"}
    first, second = found.fit.weights
    assert first > 5 * second
    row = next(found.rows())
    assert row["first_scores"].startswith("truth ")
    assert ", noise 0.5" in row["first_scores"]


def test_stored_scores_of_the_same_name() -> None:
    texts = outputs()
    data = []
    for each in judged():
        assert each.testset is not None
        values = np.array([[float(text.split()[0][6:]) for text in each.testset.outputs[s]] for s in each.systems])
        table = ScoreTable("mine", "segment", each.systems, values)
        data.append(replace(each, testset=None, scores=(*each.scores, table)))
    scores = np.array([[float(text.split()[0][6:]) for text in texts.outputs[name]] for name in texts.systems])
    mine = ScoreTable("mine", "segment", texts.systems, scores)
    found = assay.prefer(texts, data, metrics=mine, resamples=50)
    computed = assay.prefer(texts, judged(), metrics="truth", resamples=50)
    assert [each.answer for each in found] == [each.answer for each in computed]
    assert found.population.unit == "segment"
    with pytest.raises(InputError, match="no language pair has scores and judgements") as caught:
        assay.prefer(texts, data, metrics=replace(mine, name="other"))
    assert "no scores of segments by other" in str(caught.value.hint)


def test_without_judgements_a_fit_comes_with_assay() -> None:
    texts = TestSet(
        {"a": ["the cat sat on the mat", "a b c"], "b": ["the cat sat on a mat", "a b c"]},
        {"ref": ["the cat sat on the mat", "a b c"]},
    )
    found = assay.prefer(texts, at_least=0.5)
    assert (found.metrics, found.source) == (("chrf++",), "wmt")
    assert [each.answer for each in found] == ["first", "abstain"]
    assert assay.prefer(texts).threshold == 0.6  # the default of an answer without judgements
    unshown = assay.prefer(texts, at_least=0.7)
    assert math.isnan(unshown.threshold)
    said = " ".join(assay.reports.document(unshown).verdict.sentences)
    assert "Of these answers, 58.7 % [54.2, 66.2] were right, where no difference counts half, and people pref" in said
    with pytest.raises(ConfigError, match="no fit for 'ter' comes with Assay") as caught:
        assay.prefer(texts, metrics="ter")
    assert "learn_from" in str(caught.value.hint)
    with pytest.raises(ConfigError, match="no fit for several metrics together comes with Assay"):
        assay.prefer(texts, metrics=("chrf", "bleu"))


@pytest.mark.parametrize(
    ("texts", "options", "error", "message"),
    [
        (TestSet({"a": ["x"]}), {}, InputError, "two outputs are compared, and there is 1 system"),
        (TestSet({"a": ["x"], "b": ["y"], "c": ["z"]}), {}, InputError, "there are 3 systems"),
        (outputs(), {"at_least": 0.4}, ConfigError, "at_least must be at least 0.5 and less than 1, not 0.4"),
        (outputs(), {"exclude_judged": ("x*",)}, UnknownNameError, "no system matches 'x\\*'"),
    ],
)
def test_what_cannot_be_asked(texts, options, error, message) -> None:
    with pytest.raises(error, match=message):
        assay.prefer(texts, judged(1), metrics="truth", **options)


def test_the_command(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ref.de").write_text("the cat sat on the mat\na b c\n")
    Path("base.de").write_text("the cat sat on the mat\na b c\n")
    Path("new.de").write_text("the cat lay on a mat\na b c\n")
    code = _run(["prefer", "--ref", "ref.de", "base.de", "new.de", "--at-least", "0.5", "-o", "found.tsv"])
    assert code == 0
    rows = [line.split("\t") for line in Path("found.tsv").read_text().splitlines()]
    assert rows[0] == ["segment", "first_scores", "second_scores", "probability", "answer"]
    assert [row[-1] for row in rows[1:]] == ["first", "abstain"]
    assert _run(["prefer", "--ref", "ref.de", "base.de", "new.de", "--learn-lp", "en-de"]) == 2
    assert "--learn-lp needs --learn-from" in capsys.readouterr().err


def with_references(each: Campaign) -> Campaign:
    references = {"ref": [f"the reference of {each.label}, {number}" for number in range(each.segments)]}
    assert each.testset is not None
    return replace(each, references=("ref",), testset=replace(each.testset, references=references))


def test_segments_that_the_fit_has_seen_are_counted() -> None:
    data = [with_references(each) for each in judged()]
    assert data[1].testset is not None
    texts = data[1].testset.with_systems(("s0", "s1"))
    unseen = [f"{text} of new texts" if number < 20 else text for number, text in enumerate(texts.references["ref"])]
    found = assay.prefer(replace(texts, references={"mine": unseen}), data, metrics="truth", resamples=50)
    assert [(each.campaign, each.lp, each.segments) for each in found.in_sample] == [("test1", "en-cs", 40)]
    assert found.to_dict()["in_sample"] == [{"campaign": "test1", "lp": "en-cs", "segments": 40}]
    sentences = " ".join(assay.reports.document(found).verdict.sentences)
    assert (
        "Of the 60 segments, these have the reference of a judged segment that the probabilities are fitted to: 40 of "
        "test1 en-cs. For them, this is no prediction" in sentences
    )
    new = assay.prefer(replace(texts, references={"mine": unseen}), data[:1], metrics="truth", resamples=50)
    assert new.to_dict()["in_sample"] == []
    assert "no prediction" not in " ".join(assay.reports.document(new).verdict.sentences)


def test_segments_that_a_metric_was_trained_on_are_left_out() -> None:
    data = [with_references(each) for each in judged(3)]
    assert data[0].testset is not None
    texts = data[0].testset.with_systems(("s0", "s1"))
    trained = metric.spec(from_training(assay.train(data[:1], ["truth"], resamples=0)))
    with pytest.warns(AssayWarning, match="trained on judgements of the texts of 60 of 60 segments"):
        found = assay.prefer(texts, data, metrics=trained, resamples=50)
    assert found.population.campaigns == ("test1", "test2")
    notes = [note.text for note in found.notes]
    assert f"left out: test0 en-de ({trained} was trained on its judgements)" in notes
    assert any("trained on judgements of the texts of 60 of 60 segments (test0 en-de)" in text for text in notes)
    with pytest.raises(InputError, match="no language pair has scores and judgements"):
        assay.prefer(texts, data[:1], metrics=trained, resamples=50)


def test_without_references_the_name_is_compared() -> None:
    data = judged()
    assert data[0].testset is not None
    texts = replace(data[0].testset.with_systems(("s0", "s1")), name="test0")
    found = assay.prefer(texts, data, metrics="truth", resamples=50)
    assert found.to_dict()["in_sample"] == [{"campaign": "test0", "lp": "en-de", "segments": None}]
    said = "The probabilities are fitted to judgements of test0 en-de, by its name the same test set"
    assert said in " ".join(assay.reports.document(found).verdict.sentences)


def test_the_fit_that_comes_with_assay_knows_its_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    references = ["A reference that people judged outputs of.", "One that nobody has judged so far."]
    known = fitted_texts(with_references(judged(1)[0]), ())
    assert not len(known)
    one = Campaign("", "", 1, ("A",), ("r",), TestSet({"A": ["x"]}, {"r": references[:1]}))
    monkeypatch.setattr("assay.study.prefer.bundled_texts", lambda: {"wmt24 en-cs": fitted_texts(one, [0])})
    texts = TestSet({"a": ["One output.", "Two."], "b": ["Another.", "Three."]}, {"r": references}, lp="en-cs")
    found = assay.prefer(texts)
    assert [(each.label, each.segments) for each in found.in_sample] == [("wmt24 en-cs", 1)]
    assert "1 of wmt24 en-cs. For them, this is no prediction" in " ".join(
        assay.reports.document(found).verdict.sentences
    )

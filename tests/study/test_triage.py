from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.cli.group import _run
from assay.data.formats.mtme import Mtme
from assay.errors import AssayWarning, ConfigError, InputError, UnknownNameError
from assay.reports.labelled import caption_text
from assay.study.triage import read_new_scores
from assay.types import Campaign, ErrorSpan, Ratings, ScoreTable, TestSet

SEGMENTS, PER_DOCUMENT, SYSTEMS = 240, 4, ("A", "B")
ERROR = (ErrorSpan("", "major", 0, 2),)


def campaign(lp: str = "en-de", *, seed: int = 1, metrics: tuple[str, ...] = ("good",)) -> Campaign:
    """A rating finds an error with a probability that falls from 1 to 0 as the score rises from 0 to 1."""
    random = np.random.default_rng(seed)
    scores = random.random((2, SEGMENTS))
    cells = [(system, segment, rater) for system in (0, 1) for segment in range(SEGMENTS) for rater in (0, 1)]
    has_error = [random.random() > scores[system, segment] ** 0.25 for system, segment, _ in cells]
    ratings = Ratings(
        "esa",
        "ESA",
        ("r", "s"),
        SYSTEMS,
        np.array([rater for *_, rater in cells]),
        np.array([system for system, *_ in cells]),
        np.array([segment for _, segment, _ in cells]),
        np.array([60.0 if wrong else 95.0 for wrong in has_error]),
        errors=tuple(ERROR if wrong else () for wrong in has_error),
    )
    documents = [f"d{segment // PER_DOCUMENT}" for segment in range(SEGMENTS)]
    texts = TestSet({name: ["text"] * SEGMENTS for name in SYSTEMS}, documents=documents, lp=lp)
    tables = tuple(ScoreTable(name, "segment", SYSTEMS, scores) for name in metrics)
    return Campaign("test", lp, SEGMENTS, SYSTEMS, (), texts, tables, (ratings,))


def test_metrics_find_segments_without_errors() -> None:
    found = assay.meta_error_free([campaign(), campaign("en-cs", seed=2)], resamples=50)
    row = found.of("good-src", "en-de")
    assert row.n == 4 * SEGMENTS
    assert row.roc_area.low < row.roc_area.value < row.roc_area.high
    assert row.roc_area.value > 0.7
    assert row.brier < row.brier_base_rate
    assert 0 < row.threshold < 0.6
    assert row.f.value == pytest.approx(2 * row.precision * row.recall / (row.precision + row.recall))
    assert sum(each.n for each in row.bins) == row.n
    assert all(abs(each.predicted - each.observed) < 0.15 for each in row.bins if each.n > 60)
    mean = found.of("good-src")
    assert mean.roc_area.value == pytest.approx((row.roc_area.value + found.of("good-src", "en-cs").roc_area.value) / 2)
    people = found.of("human: another rater", "en-de")
    assert people.is_baseline
    assert people.precision == pytest.approx(people.recall)  # every rating is predicted by the other one
    assert list(dict.fromkeys(each.metric for each in found))[1:] == [
        "human: another rater",
        "everything is error-free",
    ]
    blind = found.of("everything is error-free", "en-de")
    assert blind.is_baseline
    assert (blind.recall, blind.precision) == (1.0, blind.base_rate)
    assert blind.f.value == pytest.approx(2 * blind.base_rate / (1 + blind.base_rate))
    assert (blind.roc_area.value, blind.pr_area.value) == (0.5, pytest.approx(blind.base_rate))


def test_means_over_pairs_have_intervals() -> None:
    pairs = [campaign(), campaign("en-cs", seed=2)]
    found = assay.meta_error_free(pairs, resamples=50)
    rows = [found.of("good-src", lp).roc_area for lp in ("en-de", "en-cs")]
    mean = found.of("good-src").roc_area
    assert (mean.low, mean.high) == (np.mean([each.low for each in rows]), np.mean([each.high for each in rows]))
    assert math.isnan(assay.meta_error_free(pairs, resamples=0).of("good-src").roc_area.low)


def random_scores(data: Campaign) -> Campaign:
    """The same with another metric, whose scores do not depend on the outputs."""
    values = np.random.default_rng(7).random((2, SEGMENTS))
    return replace(data, scores=(*data.scores, ScoreTable("random", "segment", SYSTEMS, values)))


def test_metrics_that_are_no_better_than_calling_everything_error_free_are_noted() -> None:
    found = assay.meta_error_free([random_scores(campaign()), random_scores(campaign("en-cs", seed=2))], resamples=0)
    (note,) = [note for note in found.notes if "no better by F than calling everything error-free" in note.text]
    assert note.text.endswith("on the same language pairs: random-src, human: another rater")


def test_metrics_that_read_references_are_named() -> None:
    data = campaign()
    assert data.testset is not None
    both = replace(data, testset=replace(data.testset, references={"refA": ["text"] * SEGMENTS}))
    found = assay.meta_error_free(both, metrics=("good", "chrf"), resamples=0)
    assert "task 3 of WMT26 allows no references: chrf-refA read one" in [note.text for note in found.notes]
    assert not any("WMT26" in note.text for note in assay.meta_error_free(both, metrics="good", resamples=0).notes)


def test_a_single_pair_has_no_threshold() -> None:
    row = assay.meta_error_free(campaign(), resamples=0).of("good-src", "en-de")
    assert math.isnan(row.threshold)
    assert row.f.reason == "thresholds and probabilities are fitted on other language pairs, and there is a single one"
    assert row.roc_area.value > 0.7


def test_segments_go_out_at_a_promised_rate() -> None:
    new = [0.99, 0.95, 0.272, 0.271, float("nan"), 1.2]
    result = assay.triage(campaign(), new, error_rate=0.2)
    assert result.error_rate.high <= 0.2 < result.base_rate
    assert result.threshold == pytest.approx(0.2718, abs=5e-5)  # (1 - x ** .25) is .28 there, and .12 on average above
    assert [each.decision for each in result] == ["release", "release", "release", "edit", "no score", "outside"]
    chances = [each.error_free for each in result]
    assert chances[0] > 0.8 > chances[3]
    assert np.isnan(chances[4:]).all()
    assert len(result.held_out) == 5
    assert sum(each.error_rate.n for each in result.systems) == result.error_rate.n
    assert not result.holds_out_pairs
    assert (result.population.systems, result.population.units, result.population.unit) == (2, 60, "document")
    sentences = " ".join(assay.reports.document(result).verdict.sentences)
    assert "can be released unedited if a rater may find errors in at most 20 % of them" in sentences
    assert "More judgements found errors than promised in none of 2 systems. B has the most: 12.9 % [9" in sentences
    assert "Cross-check: each part of the documents in turn was left out, and the threshold of the others" in sentences
    assert "applied to it. More judgements found errors than promised in none of them." in sentences
    assert (
        "960 ESA judgements ('esa') of 2 systems in 60 documents of test (en-de), with scores of good-src" in sentences
    )
    assert "1 new segment has a score beyond those that people judged" in sentences
    assert "of documents of more than 4 segments nothing is known" in sentences
    assert f"Each rating of a segment counts: {result.found_by_any.n} outputs have several" in sentences
    assert result.found_by_any.value > result.error_rate.value
    assert "It says nothing of other languages" in sentences


def test_what_no_score_can_promise_goes_nowhere() -> None:
    result = assay.triage(campaign(), [0.99, 0.5], error_rate=0.001)
    assert math.isnan(result.threshold)
    assert [each.decision for each in result] == ["edit", "edit"]
    assert assay.reports.document(result).verdict.text.startswith(
        "Nothing can be released unedited: no score of good-src"
    )


def test_pairs_are_held_out_in_turn() -> None:
    result = assay.triage([campaign(), campaign("en-cs", seed=2), campaign("en-is", seed=3)], error_rate=0.2)
    assert [each.part for each in result.held_out] == ["en-de", "en-cs", "en-is"]
    assert result.holds_out_pairs
    assert all(each.released > 650 for each in result.held_out)
    rates = [each.error_rate for each in result.held_out]
    assert all(0.09 < rate.low < rate.value < 0.15 < rate.high < 0.21 for rate in rates)
    assert [rate.high <= 0.2 for rate in rates] == [True, True, False]
    assert [result.shown(rate) for rate in rates] == ["kept", "kept", ""]
    assert [result.shown(replace(rate, high=0.2)) for rate in rates] == ["kept", "kept", "kept"]
    assert [result.shown(replace(rate, low=0.21)) for rate in rates] == ["broken", "broken", "broken"]


def test_the_seed_draws_what_is_held_out_and_nothing_else() -> None:
    first, second = (assay.triage(campaign(), error_rate=0.2, seed=seed) for seed in (1, 2))
    assert (first.threshold, first.error_rate) == (second.threshold, second.error_rate)
    assert [each.n for each in first.held_out] == [each.n for each in second.held_out]
    assert [each.threshold for each in first.held_out] != [each.threshold for each in second.held_out]


def test_what_has_no_value_is_no_column() -> None:
    result = assay.triage(campaign(), error_rate=0.001)
    (section,) = assay.reports.document(result).sections
    (grid,) = section.grids
    assert [column.title for column in grid.columns] == ["held out", "judgements", "released"]
    assert (
        "could not be cross-checked: with each part of the documents left out in turn, nothing in it was released"
        in " ".join(assay.reports.document(result).verdict.sentences)
    )


def test_the_table_of_a_single_pair_has_no_empty_columns_and_says_why() -> None:
    (section,) = assay.reports.document(assay.meta_error_free(campaign(), resamples=20)).sections
    (grid,) = section.grids
    titles = [column.title for column in grid.columns]
    assert "threshold" not in titles
    assert "Brier" not in titles
    assert {"language pair", "error-free", "error-free, %"} <= {*titles}
    assert any("and there is a single one" in caption_text(caption) for caption in grid.captions)
    two = assay.reports.document(assay.meta_error_free([campaign(), campaign("en-cs", seed=2)], resamples=20))
    columns = [column.title for column in two.sections[0].grids[0].columns]
    assert "threshold" not in columns  # of a mean over language pairs there is none
    assert {"F", "Brier", "Brier of the base rate"} <= {*columns}


def test_documents_of_several_pairs_count_once() -> None:
    result = assay.triage([campaign(), campaign("en-cs", seed=2)], error_rate=0.2)
    assert result.population.units == 60
    other = replace(campaign("en-cs", seed=2), name="other")
    assert assay.triage([campaign(), other], error_rate=0.2).population.units == 120


def with_errors(data: Campaign) -> Campaign:
    """The same where every rating of a well-scored output finds an error."""
    (ratings,) = data.judgements
    assert isinstance(ratings, Ratings)
    good = data.metrics[0].values[ratings.system, ratings.segment] > 0.4
    errors = tuple(ERROR if wrong else each for wrong, each in zip(good, ratings.errors, strict=True))
    return replace(data, judgements=(replace(ratings, errors=errors, score=np.where(good, 60.0, ratings.score)),))


def test_nothing_goes_out_if_a_language_pair_breaks_the_promise() -> None:
    pairs = [campaign(), campaign("en-cs", seed=2), with_errors(campaign("en-is", seed=3))]
    result = assay.triage(pairs, [0.99], error_rate=0.5)
    assert math.isnan(result.threshold)
    assert result.withheld < 1
    assert result.reason.startswith("people found more errors than promised in en-is (")
    assert "%), although all language pairs together keep the promise from a score of" in result.reason
    shown = {each.pair: result.shown(each.error_rate) for each in result.pairs}
    assert shown == {"en-de": "kept", "en-cs": "kept", "en-is": "broken"}
    own = {each.pair: each.own_threshold for each in result.pairs}
    assert [each for each, threshold in own.items() if math.isnan(threshold)] == ["en-is"]
    assert [each.decision for each in result] == ["edit"]
    titles = [section.title for section in assay.reports.document(result).sections]
    assert any(title.startswith("By language pair (") for title in titles)
    verdict = assay.reports.document(result).verdict.text
    assert verdict.startswith("Nothing can be released unedited")
    assert "in every language pair" in verdict
    sentences = " ".join(assay.reports.document(result).verdict.sentences)
    assert "By themselves, there is a threshold for en-de (" in sentences


def test_pairs_that_keep_the_promise_have_a_threshold() -> None:
    result = assay.triage([campaign(), campaign("en-cs", seed=2)], error_rate=0.2)
    assert not math.isnan(result.threshold)
    assert math.isnan(result.withheld)
    assert [each.pair for each in result.pairs] == ["en-de", "en-cs"]
    assert not assay.triage(campaign(), error_rate=0.2).pairs


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"new": [-5.0, -3.0, 0.5]},
            InputError,
            "67 % of the new scores are outside .* another metric, version or sign",
        ),
        ({"metrics": "best"}, UnknownNameError, "unknown metric 'best': it is not stored, and cannot be computed"),
    ],
)
def test_scores_that_do_not_belong(arguments: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        assay.triage(campaign(), **arguments)


def test_one_metric_decides() -> None:
    with pytest.raises(ConfigError, match="several metrics have scores") as caught:
        assay.triage(campaign(metrics=("good", "other")))
    assert caught.value.hint == "choose one with metrics: good-src, other-src"


def test_judgements_without_errors_name_those_with_them() -> None:
    data = campaign()
    (marked,) = data.judgements
    plain = replace(marked, name="da", errors=())
    with pytest.raises(InputError, match="'da' has no ratings with marked errors") as caught:
        assay.triage(replace(data, judgements=(plain, marked)), gold="da")
    assert caught.value.hint == 'choose them: gold="esa"'


def test_a_metric_that_is_computed_decides_beside_stored_ones() -> None:
    stored = campaign(metrics=("good", "other"))
    sources = replace(stored, testset=replace(stored.testset, references={"refA": ["text"] * SEGMENTS}))
    assert assay.triage(sources, metrics=("chrf",)).metric == "chrf-refA"


def predicted(name: str, *, beyond: int = 0, again: int = 0) -> Ratings:
    """A judge that marks an error where the score of `good` is low, some beyond the text, some outputs twice."""
    scores = campaign().metrics[0].values
    cells = [(system, segment) for system in (0, 1) for segment in range(SEGMENTS)]
    cells += cells[:again]
    errors = tuple(ERROR if scores[cell] < 0.5 else () for cell in cells)
    outside = (ErrorSpan("", "major", 0, 20),)
    return Ratings(
        name,
        "other",
        (name,),
        SYSTEMS,
        np.zeros(len(cells), dtype=int),
        np.array([system for system, _ in cells]),
        np.array([segment for _, segment in cells]),
        np.full(len(cells), np.nan),
        errors=(*[outside] * beyond, *errors[beyond:]),
        is_human=False,
    )


def test_predicted_errors_decide_if_they_are_named() -> None:
    data = replace(campaign(), predictions=(predicted("judge"),))
    with pytest.raises(ConfigError, match="several metrics have scores") as caught:
        assay.triage(data)
    assert caught.value.hint == "choose one with metrics: good-src, judge"
    result = assay.triage(data, error_rate=0.18, metrics="judge")
    assert (result.metric, result.threshold) == ("judge", 0.0)
    assert result.settings["weights"] == "esa-spans"
    assert {each.metric for each in assay.meta_error_free(data, metrics="judge", resamples=0)} == {
        "judge", "human: another rater", "everything is error-free"
    }  # fmt: skip


def test_external_scores_decide_beside_stored_ones() -> None:
    data = campaign(metrics=("good", "other"))
    mine = ScoreTable("mine", "segment", SYSTEMS, data.metrics[0].values)
    for options in ({}, {"metrics": "mine"}):
        result = assay.triage(data, error_rate=0.2, external={"en-de": [mine]}, **options)
        assert result.metric == "mine"
    both = assay.meta_error_free(data, metrics=("mine", "good"), external={"en-de": [mine]}, resamples=0)
    assert {each.metric for each in both if not each.is_baseline} == {"mine", "good-src"}
    computed = replace(data, testset=replace(data.testset, references={"refA": ["text"] * SEGMENTS}))
    assert assay.triage(computed, metrics="chrf", external={"en-de": [mine]}).metric == "chrf-refA"
    beside = assay.meta_error_free(computed, metrics="chrf", external={"en-de": [mine]}, resamples=0)
    assert {each.metric for each in beside if not each.is_baseline} == {"chrf-refA", "good-src", "mine", "other-src"}
    assert both.settings["level"] == "error-free"


def test_predictions_that_cannot_be_used_are_left_out_and_said() -> None:
    data = replace(campaign(), predictions=(predicted("judge", beyond=7, again=3),))
    with pytest.warns(AssayWarning, match="left out"):
        result = assay.meta_error_free(data, metrics="judge", resamples=0)
    assert result.of("judge", "en-de").n == 2 * (2 * SEGMENTS - 7)  # two ratings of each output
    notes = " ".join(note.text for note in result.notes)
    assert "left out: 7 ratings with errors outside the text" in notes
    clean = replace(data, predictions=(predicted("judge", again=3),))
    with pytest.warns(AssayWarning, match="left out: 3 outputs that 'judge' marked more than once"):
        assert assay.triage(clean, metrics="judge", error_rate=0.4).population.judgements == 2 * (2 * SEGMENTS - 3)


def test_scores_are_used_of_a_metric_that_also_marked_errors() -> None:
    data = replace(campaign(), predictions=(predicted("good-src"),))
    result = assay.triage(data, metrics="good-src", error_rate=0.2)
    assert 0 < result.threshold < 1
    assert "weights" not in result.settings
    texts = [note.text for note in result.notes]
    assert (
        'scores are used, and not the errors that they marked, of good-src; to use these: metrics="good-src-spans"'
        in texts
    )


def test_errors_and_scores_of_one_file_have_names_of_their_own() -> None:
    """As in a file of WMT26 with both tasks: the scores are called `good-src`, because no reference is known."""
    data = replace(campaign(), predictions=(predicted("good"),))
    assert assay.triage(data, metrics="good", error_rate=0.2).metric == "good-src"
    result = assay.triage(data, metrics="good-spans", error_rate=0.4)
    assert (result.metric, result.settings["weights"]) == ("good-spans", "esa-spans")
    assert result.threshold <= 0
    alone = assay.meta_error_free(data, resamples=0)
    assert [each.metric for each in alone if not each.is_baseline] == ["good-src"]
    assert any("of good; to use these" in note.text for note in alone.notes)
    both = assay.meta_error_free(data, metrics=("good", "good-spans"), resamples=0)
    assert {each.metric for each in both if not each.is_baseline} == {"good-spans", "good-src"}
    with pytest.raises(UnknownNameError, match="unknown metric 'goods'"):
        assay.triage(data, metrics="goods")


def test_a_least_score_beyond_the_scale_is_refused() -> None:
    for verb in (assay.triage, assay.meta_error_free):
        with pytest.raises(ConfigError, match=r"min_score=850: scores of ESA are at most 100"):
            verb(campaign(), min_score=850)


def test_new_scores_on_another_scale_are_noted() -> None:
    data = campaign()
    with pytest.warns(AssayWarning, match="are they of the same metric, on the same scale"):
        result = assay.triage(data, [0.01, 0.02, 0.03, 0.015], error_rate=0.2)
    assert [each.decision for each in result.segments] == ["edit"] * 4


def test_few_ratings_without_error_are_noted() -> None:
    data = campaign()
    (ratings,) = data.judgements
    assert isinstance(ratings, Ratings)
    rare = tuple(() if row % 137 == 0 else ERROR for row in range(len(ratings)))
    scores = np.where([not errors for errors in rare], 95.0, 60.0)
    found = assay.meta_error_free(replace(data, judgements=(replace(ratings, errors=rare, score=scores),)), resamples=0)
    assert found.of("good-src", "en-de").free == 8
    assert "only 8 of 960 ratings found no error: values and intervals are rough" in [note.text for note in found.notes]


def test_means_of_different_pairs_are_noted() -> None:
    other = campaign("en-cs", seed=2, metrics=("good", "rare"))
    found = assay.meta_error_free([campaign(), other, campaign("en-is", seed=3)], resamples=0)
    assert (found.of("good-src").pairs, found.of("good-src").units) == (3, 180)
    assert "means over fewer than 3 language pairs cannot be compared with the others: rare-src (1)" in [
        note.text for note in found.notes
    ]


def test_segments_are_not_called_documents() -> None:
    data = campaign()
    assert data.testset is not None
    result = assay.triage(replace(data, testset=replace(data.testset, documents=None)), error_rate=0.2)
    assert result.population.unit == "segment"
    text = " ".join(assay.reports.document(result).verdict.sentences)
    assert "of 2 systems in 240 segments of test" in text
    assert "The documents are not known: segments count as independent" in text
    assert "each part of the segments in turn was left out" in text


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    data = campaign()
    monkeypatch.chdir(tmp_path)
    texts = Campaign(data.name, data.lp, SEGMENTS, SYSTEMS, (), data.testset, data.scores)
    Mtme().write([texts], tmp_path)
    names = "system\tdocument\tsegment\tdomain\tannotator\twave\tcounted\tscore\tstart\tend\tminor\tmajor\terrors"
    (ratings,) = data.judgements
    assert isinstance(ratings, Ratings)
    rows = [
        f"{SYSTEMS[system]}\td{segment // PER_DOCUMENT}\t{segment + 1}\tnews\t{'rs'[rater]}\t{rater + 1}\t1\t{score:g}"
        f"\t1\t2\t0\t{len(errors)}\t{json.dumps([{'start_i': 0, 'end_i': 1, 'severity': 'major'}] * len(errors))}"
        for system, segment, rater, score, errors in zip(
            ratings.system, ratings.segment, ratings.rater, ratings.score, ratings.errors, strict=True
        )
    ]
    (tmp_path / "test" / "judgements").mkdir()
    (tmp_path / "test" / "judgements" / "en-de.esa.tsv").write_text("\n".join([names, *rows, ""]), encoding="utf-8")
    (tmp_path / "new.txt").write_text("0.95\n0.1\n", encoding="utf-8")
    assert _run(["triage", "test", "--new", "new.txt", "--error-rate", "0.2", "-o", "out.tsv"]) == 0
    lines = (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[-1] for line in lines] == ["decision", "release", "edit"]
    assert _run(["triage", "test", "--error-rate", "0.2"]) == 0
    assert "Held out in turn" in capsys.readouterr().out
    for form in ("a.json", "a.html", "a.tex", "a.md"):
        assert _run(["triage", "test", "--new", "new.txt", "--error-rate", "0.2", "-o", form]) == 0
        text = (tmp_path / form).read_text(encoding="utf-8")
        assert "release" in text
        assert "0.95" in text  # the score of the released segment
        assert _run(["meta", "test", "--level", "error-free", "--resamples", "20", "-o", form, "--force"]) == 0
        assert "good-src" in (tmp_path / form).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "message"),
    [("85\n95\nabc\n", "line 3: the score is not a number: 'abc'"), ("85\n85,5\n90\n", "line 2: .*: '85,5'")],
)
def test_the_line_of_new_scores_that_is_no_number_is_named(tmp_path, text, message):
    path = tmp_path / "new.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_new_scores(path)

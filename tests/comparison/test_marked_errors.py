from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.comparison.differences import ComparisonOptions
from assay.comparison.marked_errors import marked_errors
from assay.errors import ConfigError, InputError
from assay.results import MarkedErrors
from assay.types import ErrorSpan, Ratings, TestSet
from assay.types.runtime import Runtime
from tests.judges.scripted import part, scripted

SEGMENTS = 24
JUDGE = "judge:protocol=mqm,model=m,endpoint=http://127.0.0.1:8000/v1"
MAJOR, MINOR = ErrorSpan("accuracy", "major", 0, 3), ErrorSpan("fluency", "minor", 4, 7)
NEUTRAL = ErrorSpan("style", "neutral", 0, 3)


def texts(documents: int = 12) -> TestSet:
    """Ten words in every output."""
    return TestSet(
        {name: ["one two three four five six seven eight nine ten"] * SEGMENTS for name in ("new", "old")},
        references={"ref": ["one two"] * SEGMENTS},
        documents=[f"d{k * documents // SEGMENTS}" for k in range(SEGMENTS)],
        lp="de-en",
    )


def ratings(*of_systems: tuple[str, list[tuple[ErrorSpan, ...]]]) -> Ratings:
    """The errors of each segment of a system, by one rater each."""
    names = [name for name, _ in of_systems]
    rows = [(k, segment, errors) for k, (_, found) in enumerate(of_systems) for segment, errors in enumerate(found)]
    system, segment, errors = zip(*rows, strict=True)
    zeros = np.zeros(len(rows), dtype=int)
    return Ratings(
        "mqm", "MQM", ("r",), tuple(names), zeros, np.array(system), np.array(segment), zeros + np.nan, errors=errors
    )


def compared(judged: Ratings, testset: TestSet | None = None) -> MarkedErrors:
    options = ComparisonOptions(resamples=500)
    return marked_errors(judged, testset or texts(), "new", "old", options=options, runtime=Runtime())


def test_rates_by_hand() -> None:
    new = [(MAJOR,) if k % 4 == 0 else () for k in range(SEGMENTS)]
    old = [(MAJOR, MINOR, NEUTRAL) if k % 2 == 0 else (MINOR,) for k in range(SEGMENTS)]
    found = compared(ratings(("new", new), ("old", old)))
    rates = {kind.kind: (kind.first.value, kind.second.value) for kind in found.kinds}
    assert rates == {
        "all errors": pytest.approx((2.5, 15)),  # 6 and 36 errors in 240 words
        "major": pytest.approx((2.5, 5)),
        "minor": pytest.approx((0, 10)),
        "accuracy": pytest.approx((2.5, 5)),
        "fluency": pytest.approx((0, 10)),
    }
    kinds = {kind.kind: kind for kind in found.kinds}
    assert (kinds["major"].first_only, kinds["major"].second_only) == (0, 6)
    assert kinds["major"].second_segments == (3, 7, 11, 15, 19, 23)
    assert kinds["all errors"].difference.high < 0
    assert kinds["all errors"].p < 0.01
    assert kinds["all errors"].p_corrected >= kinds["all errors"].p
    assert [(each.segment, each.text, each.severity) for each in found.only_second] == [
        (3, "one", "major"), (7, "one", "major"), (11, "one", "major"), (15, "one", "major"), (19, "one", "major")
    ]  # fmt: skip
    assert not found.only_first
    assert (found.n, found.units, found.unit, found.length_unit) == (24, 12, "document", "words")


def test_severities_and_categories_of_one_name_stay_apart() -> None:
    new = ErrorSpan("minor", "major", 0, 3)
    old = ErrorSpan("major", "minor", 0, 3)
    found = compared(ratings(("new", [(new,)] * SEGMENTS), ("old", [(old,)] * SEGMENTS)))
    assert [(kind.by, kind.kind, kind.first.value, kind.second.value) for kind in found.kinds] == [
        ("", "all errors", 10, 10),
        ("severity", "major", 10, 0),
        ("severity", "minor", 0, 10),
        ("category", "major", 0, 10),
        ("category", "minor", 10, 0),
    ]


def test_a_category_may_be_called_all_errors() -> None:
    named = ErrorSpan("all errors", "minor", 0, 3)
    found = compared(ratings(("new", [(named, MINOR)] * SEGMENTS), ("old", [()] * SEGMENTS)))
    assert {(kind.by, kind.kind): kind.first.value for kind in found.kinds} == {
        ("", "all errors"): 20,
        ("severity", "minor"): 20,
        ("category", "all errors"): 10,
        ("category", "fluency"): 10,
    }


def test_signatures_of_other_intervals_and_p_values_differ() -> None:
    judged = ratings(("new", [()] * SEGMENTS), ("old", [(MINOR,)] * SEGMENTS))
    changed = [{}, {"confidence": 0.8}, {"seed": 3}, {"resamples": 400}]
    options = [ComparisonOptions(**{"resamples": 500, **each}) for each in changed]
    found = [marked_errors(judged, texts(), "new", "old", options=each, runtime=Runtime()) for each in options]
    assert len({tuple(each.settings.items()) for each in found}) == len(found)


def test_the_other_order_turns_the_sign() -> None:
    judged = ratings(("new", [()] * SEGMENTS), ("old", [(MINOR,)] * SEGMENTS))
    found = compared(judged)
    turned = found.reversed()
    assert turned.kinds[0].difference.value == -found.kinds[0].difference.value == 10
    assert (turned.first, turned.only_first) == ("old", found.only_second)


def test_several_ratings_of_an_output_count_as_their_mean() -> None:
    once = ratings(("new", [(MAJOR,)] * SEGMENTS), ("old", [()] * SEGMENTS))
    again = once.where(once.system == 0)
    columns = {
        name: np.concatenate([getattr(once, name), getattr(again, name)])
        for name in ("rater", "system", "segment", "score")
    }
    twice = replace(once, **columns, errors=(*once.errors, *[()] * len(again)))
    assert compared(twice).kinds[0].first.value == pytest.approx(5)


def test_one_error_proves_nothing() -> None:
    judged = ratings(("new", [(MAJOR,), *[()] * (SEGMENTS - 1)]), ("old", [()] * SEGMENTS))
    assert compared(judged).kinds[0].p == 1


def test_one_error_proves_nothing_of_the_longer_system() -> None:
    judged = ratings(("new", [(MAJOR,), *[()] * (SEGMENTS - 1)]), ("old", [()] * SEGMENTS))
    longer = replace(texts(), outputs={**texts().outputs, "old": ["one two three four five six " * 2] * SEGMENTS})
    assert compared(judged, longer).kinds[0].p > 0.3


def test_p_is_of_the_difference_that_is_shown() -> None:
    """In nine documents of ten words the new system has fewer errors; in one of 780 words it has many more."""
    outputs = {name: ["w " * 10] * 9 + ["w " * 780] for name in ("new", "old")}
    documents = [f"d{k}" for k in range(10)]
    judged = ratings(("new", [*[()] * 9, (MINOR,) * 100]), ("old", [*[(MINOR,)] * 9, ()]))
    (kind, *_) = compared(judged, TestSet(outputs, documents=documents)).kinds
    assert kind.difference.value > 10
    assert kind.p == pytest.approx(1)  # the large document decides in every swap


def test_few_documents_have_no_interval() -> None:
    judged = ratings(("new", [(MAJOR,)] * SEGMENTS), ("old", [()] * SEGMENTS))
    found = compared(judged, texts(3))
    assert found.kinds[0].difference.reason == "no interval: 3 documents, fewer than 5"
    assert any(note.text.startswith("no p-value can be below 0.05: with 3 documents and") for note in found.notes)


def test_few_large_documents_have_no_interval_either() -> None:
    judged = ratings(("new", [(MAJOR,)] * SEGMENTS), ("old", [()] * SEGMENTS))
    uneven = replace(texts(), documents=["large"] * 18 + [f"d{k}" for k in range(6)])
    (kind, *_) = compared(judged, uneven).kinds
    assert kind.difference.reason == "no interval: 7 documents count as 1.7 of equal size, fewer than 5"


def test_segments_without_documents_are_called_segments() -> None:
    judged = ratings(("new", [(MAJOR,)] * SEGMENTS), ("old", [()] * SEGMENTS))
    found = compared(judged, replace(texts(), documents=None))
    assert (found.units, found.unit) == (SEGMENTS, "segment")


def test_an_output_that_goes_on_and_on_is_named() -> None:
    judged = ratings(("new", [(MINOR,)] * SEGMENTS), ("old", [(MINOR,)] * SEGMENTS))
    outputs = dict(texts().outputs)
    outputs["new"] = [*outputs["new"][:6], "again " * 230, *outputs["new"][7:]]
    notes = [note for note in compared(judged, replace(texts(), outputs=outputs)).notes if note.where == "new"]
    assert [note.text for note in notes] == [
        "the output of segment 7 has 50.0 % of the words of this system, and is more than 2 times as long as the other "
        "one: 5.22 errors in 100 words with it, 10.00 without"
    ]


def test_languages_without_spaces_count_characters() -> None:
    outputs = {name: ["今日はとても良い天気"] * SEGMENTS for name in ("new", "old")}
    judged = ratings(("new", [(MAJOR,)] * SEGMENTS), ("old", [()] * SEGMENTS))
    found = compared(judged, TestSet(outputs))
    assert (found.length_unit, found.kinds[0].first.value) == ("characters", pytest.approx(10))


def test_systems_that_were_not_rated_on_the_same_segments() -> None:
    judged = ratings(("new", [(MAJOR,)] * SEGMENTS))
    with pytest.raises(InputError, match="nobody marked errors in outputs of old"):
        compared(judged)


def test_a_comparison_shows_them_if_asked() -> None:
    judged = ratings(("new", [(MAJOR,)] * SEGMENTS), ("old", [()] * SEGMENTS))
    result = assay.compare(texts(), "chrf", baseline="old", human=(judged,), errors=True, resamples=100)
    (contrast,) = result.contrasts
    assert isinstance(contrast, MarkedErrors)
    assert (contrast.first, contrast.second) == ("new", "old")
    assert not assay.compare(texts(), "chrf", human=(judged,), resamples=100).contrasts
    with pytest.raises(ConfigError, match="errors has no effect: nobody marked errors in these outputs"):
        assay.compare(texts(), "chrf", errors=True, resamples=100)
    page = assay.reports.document(result)
    assert any("Errors that people marked ('mqm') in new and old" in section.title for section in page.sections)


def without_reference() -> TestSet:
    return replace(texts(), references={})


def test_errors_need_no_metric_and_no_reference() -> None:
    judged = ratings(("new", [()] * SEGMENTS), ("old", [(MAJOR,)] * SEGMENTS))
    rated = replace(judged, name="esa", protocol="ESA", score=np.where(judged.system == 0, 80.0, 30.0))
    found = assay.compare(without_reference(), errors=True, human=(rated,), resamples=20)
    assert [(metric.metric, metric.pairs[0].difference.value) for metric in found.metrics] == [("esa", -50.0)]
    assert (found.human, len(found.contrasts)) == ({}, 1)
    assert "no reference, and no metric chosen: compared by the scores that people gave (esa)" in map(str, found.notes)


def test_without_scores_errors_have_their_weights() -> None:
    judged = ratings(("new", [()] * SEGMENTS), ("old", [(MAJOR,)] * SEGMENTS))
    found = assay.compare(without_reference(), errors=True, human=(judged,), resamples=20)
    assert [(metric.metric, metric.scores["old"].value) for metric in found.metrics] == [("mqm-google2020", -5.0)]


def test_the_scores_of_raters_stand_beside_those_of_metrics() -> None:
    judged = ratings(("new", [()] * SEGMENTS), ("old", [(MAJOR,)] * SEGMENTS))
    rated = replace(judged, name="esa", protocol="ESA", score=np.where(judged.system == 0, 80.0, 30.0))
    found = assay.compare(texts(), ["chrf"], human=(rated,), resamples=20)
    assert found.human == {"esa": {"new": 80.0, "old": 30.0}}


def test_errors_that_a_metric_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """It marks `bad` in every second of 20 outputs of three words: 10 errors in 60 words."""

    def reply(prompt: str, *_: object) -> str:
        found = "bad" in str(part(prompt, "candidate"))
        return json.dumps({"errors": [{"text": "bad", "severity": "major", "category": "style"}] if found else []})

    scripted(monkeypatch, reply)
    outputs = {
        "old": [f"{'bad' if k % 2 else 'good'} text {k}" for k in range(20)],
        "new": [f"a text {k}" for k in range(20)],
    }
    testset = assay.load(sources=[f"source {k}" for k in range(20)], outputs=outputs, lp="en-de")
    result = assay.compare(testset, JUDGE, baseline="old", errors=True, resamples=100)
    (contrast,) = result.contrasts
    assert isinstance(contrast, MarkedErrors)
    assert (contrast.name, contrast.is_human, contrast.n) == (JUDGE, False, 20)
    major = next(kind for kind in contrast.kinds if kind.kind == "major")
    assert (major.first.value, major.second.value) == pytest.approx((0, 100 * 10 / 60))
    (title,) = [each.title for each in assay.reports.document(result).sections if each.title.startswith("Errors")]
    assert title.startswith(f"Errors that {JUDGE} marked in new and old: 20 segments read of both")

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.human.marks import document_units, marks_errors, positioned, usable_marks, without_marks
from assay.types import Campaign, ErrorSpan, NoteKind, Ratings, TestSet

FIRST, SECOND = "Guten Tag.", "Hallo!"
MINOR = ErrorSpan("", "minor", 0, 4)


def ratings(*rows: tuple[str, str, int, tuple[ErrorSpan, ...] | None], **columns: object) -> Ratings:
    raters, systems = (sorted({row[k] for row in rows}) for k in (0, 1))
    return Ratings(
        "esa",
        "ESA",
        tuple(raters),
        tuple(systems),
        np.array([raters.index(row[0]) for row in rows]),
        np.array([systems.index(row[1]) for row in rows]),
        np.array([row[2] for row in rows]),
        np.full(len(rows), 50.0),
        errors=tuple(row[3] for row in rows),
        origin="marks.tsv",
        **columns,
    )


def campaign(judged: Ratings) -> Campaign:
    texts = TestSet({"A": [FIRST, SECOND], "B": [SECOND, None]}, sources=["Good day.", "Hi!"], lp="en-de")
    return Campaign("test", "en-de", 2, ("A", "B"), (), texts, judgements=(judged,))


def texts_of_notes(judged: Ratings) -> list[str]:
    return [note.text for note in usable_marks(judged, campaign(judged).testset)[1]]


@pytest.mark.parametrize(
    ("documents", "numbers", "unit"),
    [
        (("d", "e", "d"), [0, 1, 0], "document"),
        (("d#A", "e", "d#B"), [0, 1, 0], "document"),
        (("unknown-1", "unknown-2", "unknown-1"), [0, 1, 0], "segment"),
        (("d", "no-doc", "d"), [0, 1, 0], "segment"),
        (("d", "", "d"), [0, 1, 0], "segment"),
        ((), [0, 1, 0], "segment"),
    ],
)
def test_units_of_resampling(documents: tuple[str, ...], numbers: list[int], unit: str) -> None:
    judged = ratings(("r", "A", 0, (MINOR,)), ("r", "A", 1, ()), ("r", "B", 0, ()), document=documents)
    units = document_units(judged, campaign(judged).testset)
    assert (units.number.tolist(), units.unit) == (numbers, unit)


def test_what_fits_is_kept_as_it_is() -> None:
    judged = ratings(("r", "A", 0, (MINOR, ErrorSpan("missing", "major"))), ("r", "A", 1, ()))
    kept, notes = usable_marks(judged, campaign(judged).testset)
    assert (kept.errors, notes) == (judged.errors, ())
    assert positioned(kept.errors[0]) == (MINOR,)
    assert marks_errors(judged)
    assert not marks_errors(ratings(("r", "A", 0, (ErrorSpan("missing", "major"),))))


@pytest.mark.parametrize(
    ("in_text", "what", "chosen"),
    [
        (False, "ratings with marked errors", 'gold="esa", gold="omissions"'),
        (True, "errors marked in the text", 'gold="esa"'),
    ],
)
def test_judgements_without_errors_name_others(in_text: bool, what: str, chosen: str) -> None:
    marked = ratings(("r", "A", 0, (MINOR,)))
    omissions = replace(ratings(("r", "A", 0, (ErrorSpan("missing", "major"),))), name="omissions")
    data = replace(campaign(marked), judgements=(replace(marked, name="da", errors=()), omissions, marked))
    error = without_marks("da", [data], in_text=in_text)
    assert (error.problem, error.hint) == (f"'da' has no {what}", f"choose them: {chosen}")
    assert "such as those of wmt24 and wmt25" in (without_marks("esa", [campaign(marked)]).hint or "")


def test_errors_outside_the_text_leave_their_rating_out() -> None:
    beyond = ErrorSpan("", "minor", 4, len(SECOND) + 1)
    judged = ratings(("r", "A", 0, (beyond,)), ("r", "A", 1, (MINOR, beyond)), ("r", "B", 0, (MINOR,)))
    kept, notes = usable_marks(judged, campaign(judged).testset)
    assert kept.errors == ((beyond,), (MINOR,))  # the first text is longer
    assert [(note.count, note.severity, note.kind) for note in notes] == [(1, "warning", NoteKind.EXCLUDED)]
    assert "errors outside the text (first: A, segment 2); the output was probably another one" in notes[0].text


def test_quotes_of_errors_in_the_source_are_looked_up_in_the_source() -> None:
    quoting = ErrorSpan("", "minor", 0, 4, in_source=True, text="Good")
    elsewhere = ErrorSpan("", "minor", 0, 5, in_source=True, text="Guten")  # stands in the output
    judged = ratings(("r", "A", 0, (quoting,)), ("s", "A", 0, (elsewhere,)))
    kept, notes = usable_marks(judged, campaign(judged).testset)
    assert kept.errors == ((quoting,),)
    assert [note.count for note in notes] == [1]


def test_errors_in_the_source_are_measured_by_the_source() -> None:
    judged = ratings(("r", "A", 1, (ErrorSpan("", "minor", 0, 3, in_source=True),)))
    assert not usable_marks(judged, campaign(judged).testset)[1]
    judged = ratings(("r", "A", 1, (ErrorSpan("", "minor", 0, 5, in_source=True),)))
    assert len(usable_marks(judged, campaign(judged).testset)[0]) == 0


def test_a_misspelt_severity_is_named_with_what_it_may_mean() -> None:
    judged = ratings(("r", "A", 0, (ErrorSpan("", "majro", 0, 2),)), ("r", "A", 1, (MINOR,)))
    kept, (note,) = usable_marks(judged, campaign(judged).testset)
    assert kept.errors == ((MINOR,),)
    assert note.text == "left out: 1 rating with unknown severities: 'majro' (1; did you mean 'major'?)"


def test_outputs_without_a_text_are_counted() -> None:
    judged = ratings(("r", "A", 0, (MINOR,)), ("r", "B", 1, (MINOR,)), ("r", "C", 0, (MINOR,)), ("r", "C", 1, ()))
    assert texts_of_notes(judged) == ["places of errors not checked: 2 ratings of outputs without a text (B, C)"]


def test_overlapping_errors_and_one_name_for_two_raters_are_counted() -> None:
    overlapping = (MINOR, ErrorSpan("", "major", 3, 6))
    judged = ratings(("r", "A", 0, overlapping), ("r", "A", 0, (MINOR,)), ("s", "A", 0, (MINOR,)), wave=("1", "1", "1"))
    assert texts_of_notes(judged) == [
        "1 output with errors that overlap; each of them counts",
        "1 output rated twice under one name in one wave (r 1), by one person or by two; both ratings count, as those "
        "of one rater",
    ]


def test_a_rater_may_rate_again_in_another_wave() -> None:
    judged = ratings(("r", "A", 0, (MINOR,)), ("r", "A", 0, ()), wave=("1", "2"))
    assert not texts_of_notes(judged)


def test_what_is_no_error_is_none() -> None:
    errors = (ErrorSpan("", "neutral", 0, 2), ErrorSpan("", "no-error", 0, 2), ErrorSpan("", "undecided", 0, 2))
    assert positioned(errors) == errors[2:]


def test_ratings_must_have_marks() -> None:
    judged = Ratings("da", "DA", ("r",), ("A",), np.array([0]), np.array([0]), np.array([0]), np.array([50.0]))
    with pytest.raises(InputError, match="'da' has no marked errors"):
        usable_marks(judged)


def test_errors_whose_text_stands_elsewhere_are_left_out() -> None:
    right, wrong = (ErrorSpan("", "minor", 0, 5, text=text) for text in ("guten ", "Hallo"))
    judged = ratings(("r", "A", 0, (right,)), ("s", "A", 0, (wrong,)))
    kept, (note,) = usable_marks(judged, campaign(judged).testset)
    assert kept.errors == ((right,),)
    assert "1 rating with errors whose text does not stand at their place (first: A, segment 1)" in note.text


def test_scores_alone_are_left_out() -> None:
    judged = ratings(("r", "A", 0, (MINOR,)), ("r", "A", 1, None), ("r", "B", 0, ()))
    kept, (note,) = usable_marks(judged, campaign(judged).testset)
    assert kept.errors == kept.marks == ((MINOR,), ())
    assert (note.severity, note.count) == ("warning", 1)
    assert note.text == "left out: 1 rating with scores alone, without errors: whether there are any is not known"
    with pytest.raises(InputError, match="1 of 3 ratings of 'esa' have no marked errors"):
        _ = judged.marks


def test_errors_without_a_character_and_some_without_a_severity_are_counted() -> None:
    empty, unknown = ErrorSpan("", "minor", 4, 4), ErrorSpan("", "", 0, 2)
    judged = ratings(("r", "A", 0, (empty, unknown)), ("r", "A", 1, (MINOR,)))
    assert texts_of_notes(judged) == [
        "1 error without a character: start and end are the same",
        "1 error without a severity",
    ]
    assert not texts_of_notes(ratings(("r", "A", 0, (unknown,))))  # a protocol may have no severities


def test_the_text_that_an_error_is_outside_of_is_named() -> None:
    judged = ratings(("r", "A", 1, (ErrorSpan("", "minor", 0, 5, in_source=True),)))
    assert "the source was probably another one" in texts_of_notes(judged)[0]

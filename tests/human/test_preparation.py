from __future__ import annotations

import math

import numpy as np
import pytest

from assay.errors import InputError
from assay.human.mqm import has_only_errors
from assay.human.options import RankingOptions
from assay.human.preparation import last_ratings, prepare, without_fillers
from assay.types import ErrorSpan, NoteKind
from tests.human.judged import make_ratings


def test_the_last_rating_counts():
    rows = [("x", "a", 0, 1.0), ("x", "a", 0, 2.0), ("x", "a", 0, 3.0), ("y", "a", 0, 4.0), ("x", "b", 0, 5.0)]
    kept, notes = last_ratings(make_ratings(rows, time=np.array([5.0, 9.0, 7.0, 1.0, math.nan])))
    assert kept.score.tolist() == [2.0, 4.0, 5.0]
    assert [(note.kind, note.count) for note in notes] == [(NoteKind.EXCLUDED, 2)]
    assert last_ratings(make_ratings(rows))[0].score.tolist() == [3.0, 4.0, 5.0]  # in the order of the file
    assert last_ratings(kept) == (kept, ())
    unknown = make_ratings(rows[:2], time=np.array([1.0, math.nan]))
    assert last_ratings(unknown)[0].score.tolist() == [1.0]


def test_a_rating_of_another_wave_replaces_nothing():
    rows = [("x", "a", 0, 1.0), ("x", "a", 0, 2.0), ("x", "a", 0, 3.0)]
    kept, notes = last_ratings(make_ratings(rows, wave=("1", "1", "2")))
    assert kept.score.tolist() == [2.0, 3.0]
    assert kept.wave == ("1", "2")
    assert [note.count for note in notes] == [1]


def test_fillers_are_left_out():
    rows = [("x", "a", i, float(i)) for i in range(5)]
    documents = ("d", "d#dup", "d#incomplete", "e#dup#dup", "dup")
    kept, notes = without_fillers(make_ratings(rows, document=documents))
    assert kept.score.tolist() == [0.0, 4.0]
    assert (str(notes[0]), notes[0].count) == ("left out: 3 ratings of documents marked #dup or #incomplete", 3)
    assert without_fillers(kept) == (kept, ())
    bare = make_ratings(rows)
    assert without_fillers(bare) == (bare, ())


def test_errors_are_scored():
    ratings = make_ratings(
        [("x", "a", 0, math.nan), ("x", "a", 1, math.nan)], errors=((ErrorSpan("style", "minor"),), ()), protocol="MQM"
    )
    assert has_only_errors(ratings)
    prepared = prepare(ratings, RankingOptions())
    scored = prepared.judgements
    assert prepared.settings == {"weights": "google2020"}
    assert scored.score.tolist() == [-1.0, 0.0]
    assert not has_only_errors(scored)


def test_the_quality_of_a_rater_depends_on_all_systems():
    rows = [("x", "a", i, 90.0 + i) for i in range(8)] + [("x", "a", i, 10.0 + i) for i in range(8)]
    rows += [("x", "b", 0, 50.0)]
    ratings = make_ratings(rows, kind=("TGT",) * 8 + ("BAD",) * 8 + ("TGT",))
    kept = prepare(ratings, RankingOptions(quality=0.05), ("b",)).judgements
    assert (kept.systems, kept.score.tolist()) == (("b",), [50.0])


def test_steps_come_in_order():
    """Quality needs the control items, which are left out before anything is standardised."""
    rows = [("careful", "a", i, 90.0 + i) for i in range(8)] + [("careful", "a", i, 10.0 + i) for i in range(8)]
    rows += [("careless", "a", i, 50.0 - i % 2) for i in range(8)] + [("careless", "a", i, 50.0) for i in range(8)]
    ratings = make_ratings(rows, kind=(("TGT",) * 8 + ("BAD",) * 8) * 2)
    prepared = prepare(ratings, RankingOptions(quality=0.05, standardise="sample"))
    kept, notes = prepared.judgements, prepared.notes
    assert len(kept) == 8
    assert kept.score.mean() == pytest.approx(0)
    assert [str(note).split(":")[0] for note in notes] == ["left out", "left out"]
    assert "1 rater with 16 ratings who do not tell damaged from ordinary items (p >= 0.05): careless" in str(notes[0])


def test_scores_are_standardised_over_all_systems():
    """The z-scores of a rater do not depend on the systems that are ranked."""
    ratings = make_ratings([("x", "a", 0, 10.0), ("x", "a", 1, 20.0), ("x", "b", 0, 80.0), ("x", "b", 1, 90.0)])
    options = RankingOptions(standardise="population")
    (every, one) = (prepare(ratings, options, systems).judgements for systems in (("a", "b"), ("a",)))
    assert one.score.tolist() == every.score[:2].tolist()
    assert (one.score < 0).all()


def test_marked_errors_are_scored_before_raters_are_tested():
    errors = [() for _ in range(8)] + [(ErrorSpan("style", "major"),) for _ in range(8)]
    rows = [("x", "a", i % 8, math.nan) for i in range(16)]
    ratings = make_ratings(rows, errors=tuple(errors), kind=("TGT",) * 8 + ("BAD",) * 8, protocol="MQM")
    prepared = prepare(ratings, RankingOptions(quality=0.05))
    assert len(prepared.judgements) == 8
    assert prepared.settings == {"weights": "google2020", "quality": "0.05"}


def test_control_items_need_no_weight():
    """The errors of HOTW-test rows have a severity of their own, which no weights know."""
    control = (ErrorSpan("HOTW-test/Missed", "HOTW-test"),)
    rows = [("x", "a", 0, math.nan), ("x", "a", 1, math.nan), ("x", "a", 1, math.nan)]
    kinds = ("TGT", "HOTW-test", "BAD")
    ratings = make_ratings(rows, errors=((), control, ()), kind=kinds, protocol="MQM")
    prepared = prepare(ratings, RankingOptions())
    assert prepared.judgements.score.tolist() == [0.0]
    assert "2 ratings of quality-control items (1 BAD, 1 HOTW-test)" in str(prepared.notes[0])
    with pytest.raises(InputError, match="no rater"):  # damaged items are scored, the other controls are not
        prepare(ratings, RankingOptions(quality=0.05))


def test_weights_that_nobody_chose_are_named():
    rows, errors = [("x", "a", 0, math.nan)], ((ErrorSpan("style", "minor"),),)
    ratings = make_ratings(rows, errors=errors, protocol="MQM")
    (note,) = prepare(ratings, RankingOptions()).notes
    assert note.kind == NoteKind.PROVENANCE
    assert str(note).startswith("the errors are weighted by google2020, because no weights were chosen (others: wmt22,")
    assert prepare(ratings, RankingOptions(weights="wmt23")).notes == ()
    stored = make_ratings(rows, errors=((ErrorSpan("style", "minor", score=2.0),),), protocol="MQM")
    assert prepare(stored, RankingOptions()).notes == ()
    assert "weighted by wmt24" in str(prepare(ratings, RankingOptions(preset="wmt24")).notes[0])


def test_own_weights_that_match_no_error_are_named():
    rows, errors = [("x", "a", 0, math.nan)], ((ErrorSpan("Fluency/Punctuation", "Minor"),),)
    ratings = make_ratings(rows, errors=errors, protocol="MQM")
    misspelt = {"minor": 1, "minor/fluency/punctuatoin": 0.1, "minr": 3, "*/Fluency": 2, "critical": 9, "major/x": 1}
    (note,) = prepare(ratings, RankingOptions(weights=misspelt)).notes
    assert (note.kind, note.count) == (NoteKind.SUSPECT, 3)
    assert note.text == (
        "weights that match no error: 'minor/fluency/punctuatoin' (did you mean 'minor/fluency/punctuation'?), "
        "'minr' (did you mean 'minor'?), 'major/x'"
    )
    assert prepare(ratings, RankingOptions(weights={"minor": 1})).notes == ()


def test_raters_who_always_give_the_same_score_cannot_be_standardised():
    ratings = make_ratings([("x", "a", 0, 50.0), ("x", "b", 0, 50.0), ("y", "a", 0, 7.0)])
    with pytest.raises(InputError, match="no rating of 'da' can be standardised: every rater gave one score only"):
        prepare(ratings, RankingOptions(standardise="sample"))

from __future__ import annotations

import math

import pytest
from scipy import stats

from assay.errors import InputError
from assay.human.quality import rater_quality, reliable_raters
from assay.types import NoteKind
from tests.human.judged import make_ratings, needs_archives, wmt


def of(rows):
    """Rows of rater, system, segment, score, kind."""
    return rater_quality(make_ratings([row[:4] for row in rows], kind=tuple(row[4] for row in rows)))


def test_damaged_items_against_the_same_undamaged():
    undamaged, damaged = [80, 70, 90, 60, 75, 85], [20, 75, 30, 50, 40, 10]
    rows = [("x", "a", i, score, "TGT") for i, score in enumerate(undamaged)]
    rows += [("x", "a", i, score, "BAD") for i, score in enumerate(damaged)]
    rows += [("x", "b", i, 0, "TGT") for i in range(9)]  # another system's outputs have nothing to do with it
    (found,) = of(rows)
    # scipy 1.17: wilcoxon(undamaged, damaged, correction=True, alternative="greater", method="asymptotic")
    assert found.p == pytest.approx(0.029237630782826433, rel=1e-12)
    assert (found.rater, found.damaged, found.ratings, found.reason) == ("x", 6, 21, None)


def test_damaged_items_against_all_others_where_nothing_is_paired():
    ordinary, damaged = [80, 70, 90, 60, 75, 85], [20, 75, 30]
    rows = [("x", "a", i, score, "TGT") for i, score in enumerate(ordinary)]
    rows += [("x", "a", 100 + i, score, "BAD_REF") for i, score in enumerate(damaged)]
    (found,) = of(rows)
    expected = stats.mannwhitneyu(ordinary, damaged, alternative="greater", method="asymptotic").pvalue
    assert found.p == pytest.approx(expected, rel=1e-12)


def test_raters_by_themselves():
    careful = [("careful", "a", i, 90 - i, "TGT") for i in range(10)] + [
        ("careful", "a", i, 20 + i, "BAD") for i in range(10)
    ]
    careless = [("careless", "a", i, 50, kind) for i in range(10) for kind in ("TGT", "BAD")]
    found = {quality.rater: quality for quality in of(careful + careless)}
    assert found["careful"].p < 0.01
    assert found["careless"].p == 1
    assert of(careless + careful)[1] == found["careful"]


def test_undefined_with_a_reason():
    rows = [
        ("ordinary only", "a", 0, 50, "TGT"),
        ("damaged only", "a", 0, 50, "BAD"),
        ("no scores", "a", 0, math.nan, "TGT"),
        ("no scores", "a", 0, math.nan, "BAD"),
        ("equal", "a", 0, 50, "TGT"),
        ("equal", "a", 1, 50, "BAD"),
        ("equal", "a", 2, 50, "TGT"),
    ]
    found = {quality.rater: (quality.reason, quality.damaged, quality.ratings) for quality in of(rows)}
    assert found == {
        "ordinary only": ("saw no damaged item", 0, 1),
        "damaged only": ("saw no ordinary item", 1, 1),
        "no scores": ("saw no damaged item", 0, 0),
        "equal": ("all scores are equal", 1, 3),
    }
    assert all(math.isnan(quality.p) for quality in of(rows))


def test_without_kinds_or_ratings():
    (found,) = rater_quality(make_ratings([("x", "a", 0, 1.0)]))
    assert found.reason == "saw no damaged item"
    assert rater_quality(make_ratings([])) == ()


@needs_archives
def test_livonian_annotators_of_wmt22():
    ratings = next(j for j in wmt("wmt22", "liv-en").judgements if j.name == "wmt-appraise")
    found = rater_quality(ratings)
    assert len(found) == 15
    assert sum(quality.ratings for quality in found) == len(ratings)
    assert sum(quality.damaged for quality in found) == sum(kind.startswith("BAD") for kind in ratings.kind)
    assert all(0 < quality.p <= 1 or quality.reason for quality in found)


def test_raters_are_dropped_by_their_p_value():
    careful = [("careful", "a", i, 90 - i, "TGT") for i in range(10)] + [
        ("careful", "a", i, 20 + i, "BAD") for i in range(10)
    ]
    careless = [("careless", "a", i, 50, kind) for i in range(10) for kind in ("TGT", "BAD")]
    untested = [("untested", "a", 0, 50, "TGT")]
    rows = careful + careless + untested
    ratings = make_ratings([row[:4] for row in rows], kind=tuple(row[4] for row in rows))
    kept, notes = reliable_raters(ratings, 0.05)
    assert (len(kept), {kept.raters[i] for i in kept.rater}) == (20, {"careful"})
    assert [(str(note), note.count) for note in notes] == [
        (
            "left out: 1 rater with 20 ratings who do not tell damaged from ordinary items (p >= 0.05): careless",
            1,
        ),
        ("left out: 1 rater with 1 rating who could not be tested for quality: untested", 1),
    ]
    again, (note,) = reliable_raters(kept, 0.05)
    assert (again, note.kind, note.count) == (kept, NoteKind.PROVENANCE, 1)
    assert str(note) == (
        "1 rater tested for quality, none left out: everyone tells damaged from ordinary items (p < 0.05)"
    )
    with pytest.raises(InputError, match="no rater of 'da' tells damaged from ordinary items"):
        reliable_raters(ratings.where(ratings.rater == 1), 0.05)
    with pytest.raises(InputError, match="have no damaged items"):
        reliable_raters(ratings.where(ratings.rater == 2), 0.05)


def test_lower_scores_are_better():
    rows = [("x", "a", i, 5.0 + i) for i in range(9)] + [("x", "a", i, 50.0 + i) for i in range(9)]
    ratings = make_ratings(rows, kind=("TGT",) * 9 + ("BAD",) * 9, higher_is_better=False)
    assert rater_quality(ratings)[0].p < 0.01


@needs_archives
def test_quality_of_the_crowd_of_wmt22():
    (ratings,) = wmt("wmt22", "cs-en").judgements
    kept, notes = reliable_raters(ratings, 0.05)
    assert 0 < len(kept) < len(ratings)
    assert len(set(kept.rater.tolist())) + sum(note.count for note in notes) == len(ratings.raters)


def test_raters_of_few_damaged_items_are_not_called_unable():
    """Four pairs can be swapped in 16 ways, so no rater could reach .05, however well they tell damaged items."""
    rows = [
        (rater, "a", i, score - i * i / 10, kind)
        for rater, pairs in (("careful", 10), ("brief", 4))
        for kind, score in (("TGT", 90), ("BAD", 20))
        for i in range(pairs)
    ]
    rows = [(*row[:3], row[3] - (row[2] if row[4] == "BAD" else 0), row[4]) for row in rows]
    rows += [("unable", "a", i, 50.0 + i % 2, kind) for kind in ("TGT", "BAD") for i in range(10)]
    ratings = make_ratings([row[:4] for row in rows], kind=tuple(row[4] for row in rows))
    _, notes = reliable_raters(ratings, 0.05)
    assert [note.text.partition(" who ")[2] for note in notes] == [
        "do not tell damaged from ordinary items (p >= 0.05): unable",
        "could not be tested for quality: too few damaged items: brief",
    ]

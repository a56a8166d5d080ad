from __future__ import annotations

from itertools import combinations, product
from statistics import mean, variance

import numpy as np
import pytest

from assay import rank
from assay.errors import InputError
from assay.human.consistency import consistent_raters, rater_consistency
from tests.human.judged import make_ratings

SYSTEMS = {"a": 80.0, "b": 60.0, "c": 40.0}


def side_by_side(*, screens=12, documents=True, times=True):
    """Four raters who see three systems side by side, two segments a screen; dora has them upside down."""
    random = np.random.default_rng(3)
    rows, labels, finished = [], [], []
    for number, rater in enumerate(("anna", "ben", "cem", "dora")):
        for screen, part, (system, level) in product(range(screens), range(2), SYSTEMS.items()):
            score = 120.0 - level if rater == "dora" else level
            rows.append((rater, system, 2 * screen + part, float(np.clip(score + random.normal(0, 6), 0, 100))))
            labels.append(f"d{screen}")
            finished.append(1000.0 * number + screen)
    return make_ratings(
        rows,
        protocol="ESA",
        document=tuple(labels) if documents else (),
        time=np.array(finished) if times else None,
    )


def by_definition(ratings):
    """As the organisers say it, one pair of outputs at a time."""
    rows = [
        (ratings.raters[rater], ratings.systems[system], segment, score)
        for rater, system, segment, score in zip(
            ratings.rater, ratings.system, ratings.segment.tolist(), ratings.score.tolist(), strict=True
        )
    ]
    scores = {name: [row[3] for row in rows if row[1] == name] for name in ratings.systems}
    found = {}
    for rater in ratings.raters:
        agreement = []
        own = [row for row in rows if row[0] == rater]
        for segment in {row[2] for row in own}:
            for one, other in combinations([row for row in own if row[2] == segment], 2):
                if min(len(scores[one[1]]), len(scores[other[1]])) > 10:
                    expected = mean(scores[one[1]]) - mean(scores[other[1]])
                    spread = variance(scores[one[1]]) + variance(scores[other[1]])
                    agreement.append(2 ** -((one[3] - other[3] - expected) ** 2 / (2 * spread + 1e-6)))
        if agreement:
            found[rater] = mean(agreement)
    return found


@pytest.mark.parametrize(("documents", "times"), [(True, True), (False, True), (True, False)])
def test_by_the_definition(documents, times):
    ratings = side_by_side(documents=documents, times=times)
    assert rater_consistency(ratings) == pytest.approx(by_definition(ratings), abs=1e-12)


def test_raters_with_few_screens_or_systems_with_few_ratings_do_not_count():
    assert rater_consistency(side_by_side(screens=2)) == {}
    few = side_by_side(screens=3)  # 24 ratings of each system
    assert set(rater_consistency(few)) == {"anna", "ben", "cem", "dora"}
    assert rater_consistency(few.where(few.rater == 0)) == {}  # six ratings of each system
    alone = few.where(few.system == 0)
    assert rater_consistency(alone) == {}
    assert consistent_raters(alone, 0.75) == (alone, ())


def test_only_outputs_of_one_screen_are_compared():
    """The same segment on two screens, with one system each, is not side by side."""
    ratings = side_by_side()
    apart = make_ratings(
        [
            (ratings.raters[rater], ratings.systems[system], int(segment), float(score))
            for rater, system, segment, score in zip(
                ratings.rater, ratings.system, ratings.segment, ratings.score, strict=True
            )
        ],
        protocol="ESA",
        time=np.arange(len(ratings), dtype=float),
    )
    assert rater_consistency(apart) == {}


def test_the_preset_leaves_out_who_contradicts_the_others():
    ratings = side_by_side()
    ranking = rank(ratings, preset="wmt26", resamples=200)
    (note,) = (note.text for note in ranking.notes if "agree with the means" in note.text)
    assert note.startswith("left out: 72 ratings of 1 rater whose differences between systems agree ")
    assert "less than 0.75: dora (0." in note
    assert ranking.judgement_count == 216
    kept = ratings.where(ratings.rater < 3)
    for ranked in ranking:
        own = kept.score[kept.system == ratings.systems.index(ranked.system)]
        assert ranked.score.value == pytest.approx(own.mean())  # every output has three ratings
    assert [(ranked.system, ranked.cluster, ranked.rank_low, ranked.rank_high) for ranked in ranking] == [
        ("a", 1, 1, 1),
        ("b", 2, 2, 2),
        ("c", 3, 3, 3),
    ]
    assert "preset:wmt26" in ranking.signature
    assert "test:bootstrap-either" in ranking.signature


def test_if_no_rater_is_left_the_error_says_why():
    with pytest.raises(InputError, match=r"no rater is left: .* by less than 1\.01: anna \(0\.\d\d\), ben \(0"):
        consistent_raters(side_by_side(), 1.01)

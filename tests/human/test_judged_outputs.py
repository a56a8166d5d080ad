from __future__ import annotations

from assay.human.judged_outputs import JudgedOutputs
from assay.types import ErrorSpan
from tests.human.test_marks import MINOR, campaign, ratings


def test_ratings_that_do_not_fit_and_other_systems_are_left_out() -> None:
    beyond = ErrorSpan("", "minor", 0, 99)
    judged = ratings(("r", "A", 0, (MINOR,)), ("r", "A", 1, (beyond,)), ("r", "B", 0, ()))
    found = JudgedOutputs.of(judged, campaign(judged), ["A"])
    assert found.outputs == [(0, 0)]
    assert found.ratings.errors == ((MINOR,),)
    assert [note.count for note in found.notes] == [1]
    assert (found.units.unit, found.sizes().tolist()) == ("segment", [1])


def test_other_ratings_of_an_output_by_the_same_rater_or_by_others() -> None:
    judged = ratings(
        ("r", "A", 0, ()), ("s", "A", 0, ()), ("r", "A", 0, (MINOR,)), ("r", "B", 0, ()), wave=("1", "1", "2", "1")
    )
    found = JudgedOutputs.of(judged, campaign(judged), ["A", "B"])
    assert found.others(by_same_rater=True) == [(2,), (), (0,), ()]
    assert found.others(by_same_rater=False) == [(1,), (0, 2), (1,), ()]


def test_sizes_of_some_rows() -> None:
    judged = ratings(("r", "A", 0, ()), ("r", "A", 1, ()), ("r", "B", 0, ()), document=("d", "d", "d"))
    found = JudgedOutputs.of(judged, campaign(judged), ["A", "B"])
    assert (found.units.unit, found.sizes().tolist()) == ("document", [3])
    assert found.sizes(found.ratings.system == 0).tolist() == [2]

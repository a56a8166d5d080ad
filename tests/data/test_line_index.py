from __future__ import annotations

from assay.data.line_index import LineIndex, says_something

LINES = ["der erste Satz", "ein zweiter Text", None, "drittens und letztens"]


def test_the_line_that_fits_best():
    index = LineIndex(LINES * 5)  # so that a trigram of two lines is rare
    first, second = LineIndex(LINES).best_fits(["ein zweiter Text", "ein zweiter Satz", None, "x"], [0, 1, 2])
    assert (first.own, first.other) == (0.0, 1.0)
    assert second.own > second.other > 0
    assert index.best_fits(["", "?"], [0, 1]) == [(0.0, 0.0), (0.0, 0.0)]


def test_repetition_gains_nothing():
    twice, often = (LineIndex(LINES).best_fits([text], [0]) for text in ("zweiter " * 2, "zweiter " * 50))
    assert twice == often
    assert often[0].other < 1


def test_what_says_something():
    assert says_something("ja, ja, ja")
    assert says_something("Professor Liu Zunyi was awarded with the honorary degree of Doctor of Laws")
    assert not any(map(says_something, (None, "", " \t", "jafnvel " * 50)))

from __future__ import annotations

import pytest

from assay.span_agreement.matching import are_same, best_credits, length, overlap, reward
from assay.span_agreement.mpp import PartialCredit
from assay.types import ErrorSpan

FIRST, SECOND = ErrorSpan("", "minor", 0, 10), ErrorSpan("", "major", 6, 8)
IN_SOURCE = ErrorSpan("", "minor", 0, 10, in_source=True)


def test_overlap_is_of_characters_of_one_text() -> None:
    assert overlap(FIRST, SECOND) == overlap(SECOND, FIRST) == 2
    assert overlap(FIRST, ErrorSpan("", "minor", 10, 12)) == 0  # ends are exclusive
    assert overlap(FIRST, IN_SOURCE) == 0
    assert length(SECOND) == 2
    assert length(ErrorSpan("missing", "minor")) == 0
    assert are_same(FIRST, ErrorSpan("x", "critical", 0, 10))
    assert not are_same(FIRST, IN_SOURCE)


@pytest.mark.parametrize(
    ("severities", "left"),
    [
        (("minor", "minor"), 1),
        (("minor", "major"), 0.75),
        (("critical", "major"), 1),
        (("undecided", ""), 0.75),
        (("neutral", "neutral"), 1),
    ],
)
def test_what_is_left_of_a_credit(severities: tuple[str, str], left: float) -> None:
    one, other = (ErrorSpan("", severity, 0, 1) for severity in severities)
    assert reward(one, other, 0.25) == reward(other, one, 0.25) == left
    assert reward(one, other, 0) == 1


def test_the_best_matching_is_not_the_greedy_one() -> None:
    """The first predicted error fits both marked ones, the second only the one that the first fits best."""
    wide, narrow = ErrorSpan("", "minor", 0, 10), ErrorSpan("", "minor", 0, 4)
    marked = (ErrorSpan("", "minor", 0, 5), ErrorSpan("", "minor", 6, 10))
    assert best_credits((wide, narrow), marked, PartialCredit().pair) == pytest.approx((4 / 10 + 1, 1 + 4 / 5))
    assert best_credits((), marked, PartialCredit().pair) == (0, 0)

from __future__ import annotations

import pytest

from assay.span_agreement.characters import character_counts
from assay.types import ErrorSpan


def test_characters_are_counted_by_severity() -> None:
    marked = (ErrorSpan("", "critical", 0, 2), ErrorSpan("", "major", 1, 3), ErrorSpan("", "minor", 4, 5))
    people, metric = character_counts(marked, ())
    assert people.tolist() == [[1, 2, 1, 0, 0, 0], [0, 0, 0, 0, 1, 0]]
    assert metric.tolist() == [[0] * 6] * 2


@pytest.mark.parametrize(
    "error",
    [
        ErrorSpan("", "undecided", 0, 2),
        ErrorSpan("", "trivial", 0, 2),
        ErrorSpan("", "", 0, 2),
        ErrorSpan("", "major", 0, 2, in_source=True),
        ErrorSpan("missing", "major"),
    ],
)
def test_what_wmt_leaves_out(error: ErrorSpan) -> None:
    assert not character_counts((error,), ())[0].any()


@pytest.mark.parametrize(("widen", "count"), [(True, 1), (False, 0)])
def test_errors_without_characters(widen: bool, count: int) -> None:
    _, metric = character_counts((), (ErrorSpan("", "minor", 2, 2),), widen_empty=widen)
    assert metric.sum() == count
    assert metric[1, 2] == count

"""Credits of marked errors: by hand, and against slow and simple programs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ConfigError
from assay.span_agreement import precision_recall_f, span_statistic
from assay.types import ErrorSpan

NAMES = ("exact-match", "partial-match", "mpp", "characters-wmt23", "characters-wmt25")


def errors(*places: tuple[int, int, str]) -> tuple[ErrorSpan, ...]:
    return tuple(ErrorSpan("", severity, start, end) for start, end, severity in places)


MARKED = errors((0, 10, "minor"), (20, 24, "major"))
PREDICTED = errors((5, 10, "major"), (20, 24, "major"), (30, 32, "minor"))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("exact-match", (1, 3, 1, 2)),
        ("partial-match", (2, 3, 2, 2)),
        ("partial-match:penalty=0.25", (1.75, 3, 1.75, 2)),
        ("mpp", (5 / 5 + 4 / 4, 3, 5 / 10 + 4 / 4, 2)),
        ("mpp:penalty=0.5", (0.5 + 1, 3, 0.25 + 1, 2)),
        # 5 characters with another severity count a half, 4 with the same; 11 are predicted and 14 marked
        ("characters-wmt23", (2.5 + 4, 11, 2.5 + 4, 14)),
        ("characters-wmt25", (2.5 + 4, 11, 2.5 + 4, 14)),
        ("characters-wmt25:penalty=1", (4, 11, 4, 14)),
    ],
)
def test_credits_by_hand(spec: str, expected: tuple[float, ...]) -> None:
    assert tuple(span_statistic.create(spec).credits(MARKED, PREDICTED)) == pytest.approx(expected)


@pytest.mark.parametrize("spec", ["exact-match", "partial-match", "mpp", "characters-wmt23", "characters-wmt25"])
@pytest.mark.parametrize(
    ("severities", "is_same"),
    [(("critical", "major"), True), (("major", "critical"), True), (("critical", "minor"), False)],
)
def test_critical_errors_are_major_for_every_penalty(spec: str, severities: tuple[str, str], is_same: bool) -> None:
    marked, predicted = (errors((0, 4, severity)) for severity in severities)
    credits_of_all, *_ = span_statistic.create(f"{spec}:penalty=0.5").credits(marked, predicted)
    full, *_ = span_statistic.create(f"{spec}:penalty=0").credits(marked, predicted)
    assert credits_of_all == (full if is_same else full / 2) > 0


def test_severities_that_wmt_leaves_out_differ_from_each_other() -> None:
    statistic = span_statistic.create("exact-match:penalty=0.5")
    assert statistic.credits(errors((0, 4, "undecided")), errors((0, 4, "trivial"))).correct == 0.5
    assert statistic.credits(errors((0, 4, "undecided")), errors((0, 4, "undecided"))).correct == 1


def test_an_error_marked_twice_counts_twice_in_wmt25_only() -> None:
    twice, once = errors((0, 4, "minor"), (0, 4, "minor")), errors((0, 4, "minor"))
    assert span_statistic.create("characters-wmt23").credits(twice, once) == (4, 4, 4, 4)
    assert span_statistic.create("characters-wmt25").credits(twice, once) == (4, 4, 4, 8)
    assert span_statistic.create("exact-match").credits(twice, once) == (1, 1, 1, 2)


def test_a_character_with_both_severities_is_right_with_either() -> None:
    both = errors((0, 3, "minor"), (0, 3, "major"))
    for severity in ("minor", "major"):
        assert span_statistic.create("characters-wmt23").credits(both, errors((0, 3, severity))) == (3, 3, 3, 3)


def test_errors_without_characters_count_one_in_wmt23_and_undecided_ones_nothing_in_wmt() -> None:
    empty, undecided = errors((2, 2, "minor")), errors((0, 3, "undecided"))
    assert span_statistic.create("characters-wmt23").credits(empty, empty) == (1, 1, 1, 1)
    assert span_statistic.create("characters-wmt25").credits(empty, empty) == (0, 0, 0, 0)
    for name in ("characters-wmt23", "characters-wmt25"):
        assert span_statistic.create(name).credits(undecided, undecided) == (0, 0, 0, 0)
    assert span_statistic.create("mpp").credits(undecided, undecided) == (1, 1, 1, 1)


def test_an_error_in_the_source_matches_none_in_the_output() -> None:
    in_source = (ErrorSpan("", "minor", 0, 4, in_source=True),)
    for name in ("exact-match", "partial-match", "mpp"):
        assert span_statistic.create(name).credits(in_source, errors((0, 4, "minor"))) == (0, 1, 0, 1)
        assert span_statistic.create(name).credits(in_source, in_source) == (1, 1, 1, 1)


def test_sums_become_precision_recall_and_f() -> None:
    sums = np.array([[2.0, 4.0, 2.0, 8.0], [0.0, 0.0, 0.0, 5.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 2.0]])
    expected = [[0.5, 0.25, 1 / 3], [1, 0, 0], [1, 1, 1], [0, 0, 0]]
    assert precision_recall_f(sums) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("penalty", ["-0.1", "1.5"])
def test_a_penalty_is_a_share(penalty: str) -> None:
    with pytest.raises(ConfigError, match="the penalty must be from 0 to 1"):
        span_statistic.create(f"mpp:penalty={penalty}")


SPANS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 6), st.sampled_from(["minor", "major"])).map(
        lambda each: ErrorSpan("", each[2], each[0], each[0] + each[1])
    ),
    max_size=4,
).map(tuple)


def best_by_enumeration(name: str, marked: tuple[ErrorSpan, ...], predicted: tuple[ErrorSpan, ...]) -> float:
    """The highest F over all one-to-one matchings, each tried."""
    best = 0.0
    slots = [*range(len(marked)), *[None] * len(predicted)]
    for chosen in itertools.permutations(slots, len(predicted)):
        correct = found = 0.0
        for error, k in zip(predicted, chosen, strict=True):
            if k is None:
                continue
            other = marked[k]
            common = len({*range(error.start, error.end)} & {*range(other.start, other.end)})
            if name == "exact-match":
                gain = (float((error.start, error.end) == (other.start, other.end)),) * 2
            elif name == "partial-match":
                gain = (float(common > 0),) * 2
            else:
                gain = (common / (error.end - error.start), common / (other.end - other.start))
            correct, found = correct + gain[0], found + gain[1]
        precision = correct / len(predicted) if predicted else 1.0
        recall = found / len(marked) if marked else 1.0
        best = max(best, 2 * precision * recall / (precision + recall) if precision + recall else 0.0)
    return best


@pytest.mark.parametrize("name", NAMES[:3])
@given(marked=SPANS, predicted=SPANS)
def test_the_matching_is_the_best_of_all(
    name: str, marked: tuple[ErrorSpan, ...], predicted: tuple[ErrorSpan, ...]
) -> None:
    f = float(precision_recall_f(np.array(span_statistic.create(name).credits(marked, predicted)))[2])
    assert f == pytest.approx(best_by_enumeration(name, marked, predicted), abs=1e-9)


def characters_one_by_one(
    name: str, marked: tuple[ErrorSpan, ...], predicted: tuple[ErrorSpan, ...]
) -> tuple[float, float, float]:
    """Credit, predicted and marked characters, one character after another."""
    credit = of_metric = of_people = 0.0
    for place in range(20):
        people, metric = (
            {s: sum(e.start <= place < e.end for e in side if e.severity == s) for s in ("minor", "major")}
            for side in (marked, predicted)
        )
        if name == "characters-wmt23":
            people, metric = ({s: min(n, 1) for s, n in side.items()} for side in (people, metric))
            of_metric, of_people = of_metric + max(metric.values()), of_people + max(people.values())
            if any(people.values()) and any(metric.values()):
                credit += 1 if any(people[s] and metric[s] for s in people) else 0.5
        else:
            of_metric, of_people = of_metric + sum(metric.values()), of_people + sum(people.values())
            left = [[max(one[s] - other[s], 0) for s in one] for one, other in ((people, metric), (metric, people))]
            credit += sum(min(people[s], metric[s]) for s in people) + 0.5 * min(map(sum, left))
    return credit, of_metric, of_people


@pytest.mark.parametrize("name", NAMES[3:])
@given(marked=SPANS, predicted=SPANS)
def test_characters_are_those_counted_one_by_one(
    name: str, marked: tuple[ErrorSpan, ...], predicted: tuple[ErrorSpan, ...]
) -> None:
    correct, of_metric, found, of_people = span_statistic.create(name).credits(marked, predicted)
    assert (correct, of_metric, of_people) == pytest.approx(characters_one_by_one(name, marked, predicted))
    assert correct == found


@pytest.mark.parametrize("name", NAMES)
def test_equal_marks_agree_fully_and_no_marks_give_none(name: str) -> None:
    statistic = span_statistic.create(name)
    correct, predicted, found, marked = statistic.credits(MARKED, MARKED)
    assert correct == predicted == found == marked > 0
    assert statistic.credits((), ()) == (0, 0, 0, 0)
    assert span_statistic.spec(statistic) == name

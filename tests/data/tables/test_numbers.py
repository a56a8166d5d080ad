from __future__ import annotations

import math
import time

import pytest

from assay.data.tables.numbers import LARGEST, check_scale, parse_index, parse_score, score_of
from assay.errors import InputError

PLACE = {"path": "a.tsv", "line": 7}


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1.0), ("-0.5", -0.5), ("+.5", 0.5), ("5.", 5.0), ("1e-05", 1e-05), (" 2\t", 2.0), ("1e+16", 1e16)],
)
def test_scores(text, value):
    assert parse_score(text, **PLACE) == value


@pytest.mark.parametrize("text", ["", "  ", "None", "NaN", "nan", "NA", "n/a", "null"])
def test_gaps(text):
    assert math.isnan(parse_score(text, **PLACE))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,5", "a.tsv, line 7: the score is not a number: '0,5'\nuse a decimal point, not a comma"),
        ("1e400", "a.tsv, line 7: the score 1e400 is too large for a number"),
        ("inf", "a.tsv, line 7: the score is not a number: 'inf'"),
        ("1_000", "a.tsv, line 7: the score is not a number: '1_000'"),
        ("٣", "a.tsv, line 7: the score is not a number: '٣'"),
        ("0x1", "a.tsv, line 7: the score is not a number: '0x1'"),
        ("\x1b[1m", "a.tsv, line 7: the score is not a number: '\\x1b[1m'"),
    ],
)
def test_what_is_not_a_score(text, message):
    with pytest.raises(InputError) as caught:
        parse_score(text, **PLACE)
    assert str(caught.value) == message


def test_a_long_run_of_digits_takes_no_time():
    start = time.process_time()
    with pytest.raises(InputError, match="is not a number"):
        parse_score("1" * 200_000 + "x", **PLACE)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(("value", "number"), [(1, 1.0), (0.5, 0.5), ("0.5", 0.5)])
def test_numbers_of_a_file_that_has_types(value, number):
    assert score_of(value, **PLACE) == number


@pytest.mark.parametrize("value", [None, math.nan, "None"])
def test_gaps_of_a_file_that_has_types(value):
    assert math.isnan(score_of(value, **PLACE))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (True, "must be a number, not bool"),
        ([1], "must be a number, not list"),
        (math.inf, "too large"),
        (10**400, "too large"),
        ("x", "is not a number: 'x'"),
    ],
)
def test_what_is_not_a_score_in_a_file_that_has_types(value, message):
    with pytest.raises(InputError, match=message):
        score_of(value, **PLACE)


def test_files_count_from_one():
    assert parse_index("1", **PLACE) == 0
    assert parse_index(" 020 ", **PLACE) == 19


@pytest.mark.parametrize("text", ["0", "-1", "1.0", "", "x", "9999999999", "٣"])
def test_what_is_no_index(text):
    with pytest.raises(InputError, match=r"a\.tsv, line 7: the segment '.*' must be a positive integer"):
        parse_index(text, **PLACE)


def test_what_nobody_can_compute_with():
    for read in (lambda: parse_score("-1e151", path="f", line=2), lambda: score_of(10**160, path="f", line=2)):
        with pytest.raises(InputError, match=r"f, line 2: the score.* is too large: the limit is ±1e\+150"):
            read()
    assert parse_score("1e150", path="f", line=1) == score_of(1e150, path="f", line=1) == LARGEST


def test_scores_of_da_and_esa_are_0_to_100():
    for protocol in ("DA", "DA+SQM", "ESA"):
        assert check_scale(100.0, protocol, path="f", line=2) == 100
        with pytest.raises(InputError, match=r"f, line 2: the score 950 must be between 0 and 100 \("):
            check_scale(950.0, protocol, path="f", line=2)
    for protocol in ("DA-z", "ESA-z", "MQM", "other", None):
        assert check_scale(-950.0, protocol, path="f", line=2) == -950

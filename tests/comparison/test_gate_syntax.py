"""Conditions are read as the grammar says, and errors say where and what to do instead."""

from __future__ import annotations

import contextlib
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.comparison.gate_syntax import MAX_DEPTH, MAX_LENGTH, Name, parse_expression
from assay.errors import ConfigError


def is_true(text, **values):
    """The truth of a condition on `bleu.delta`, `bleu.p`, …"""
    expression = parse_expression(text)
    return expression.is_true({name: values[name.field] for name in expression.names()})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bleu.delta < -0.5", True),
        ("bleu.delta<-.5", True),
        ("bleu.delta <= -1", True),
        ("bleu.delta >= -1.", True),
        ("bleu.delta > -1", False),
        ("bleu.delta == -10e-1", True),
        ("bleu.delta != -1", False),
        ("0 > bleu.delta", True),
        ("+0.5 > bleu.delta", True),
        ("bleu.low < bleu.high", True),
        ("not bleu.delta < 0", False),
        ("not not bleu.delta < 0", True),
        ("bleu.p < 0.05 and bleu.delta < 0", True),
        ("bleu.p > 0.05 and bleu.delta < 0 or bleu.low < 0", True),  # `and` binds more tightly than `or`
        ("bleu.p > 0.05 and (bleu.delta < 0 or bleu.low < 0)", False),
        ("not bleu.p > 0.05 and bleu.delta < 0", True),  # `not` binds most tightly
        ("not (bleu.p > 0.05 or bleu.delta > 0)", True),
        ("bleu.p > 0.05 OR Not bleu.delta > 0", True),
        (" \t(bleu.p\u00a0<\n1) ", True),
    ],
)
def test_truth(text, expected):
    assert is_true(text, delta=-1.0, p=0.01, low=-2.0, high=-0.1) is expected


@pytest.mark.parametrize(
    ("text", "metric", "aggregation", "system", "field"),
    [
        ("bleu.delta", "bleu", None, None, "delta"),
        ("bleu.difference", "bleu", None, None, "delta"),
        ("bleu:segment.p", "bleu", "segment", None, "p"),
        ("bleu[new].low", "bleu", None, "new", "low"),
        ("chrf++:corpus[my system 1.2].high", "chrf++", "corpus", "my system 1.2", "high"),
        ("ter-moses[ 基线 ].score", "ter-moses", None, "基线", "score"),
        ('"bleu:tok=intl".delta', "bleu:tok=intl", None, None, "delta"),
        ("'bleu:tok=intl,smooth=none':segment['a]b\"'].p", "bleu:tok=intl,smooth=none", "segment", 'a]b"', "p"),
        ('"./my_metric.py:Mine".p', "./my_metric.py:Mine", None, None, "p"),
        ('"and".p', "and", None, None, "p"),
        ("and.p", "and", None, None, "p"),
    ],
)
def test_names(text, metric, aggregation, system, field):
    assert list(parse_expression(f"{text} < 1").names()) == [Name(text, metric, aggregation, system, field)]


@pytest.mark.parametrize(
    ("text", "position", "says", "hint"),
    [
        ("", 1, "not the end", "bleu.delta < -0.5"),
        ("bleu.delta", 11, "expected a comparison such as < or >= before the end", ""),
        ("bleu < 3", 1, "'bleu' does not say which value", "write bleu.delta"),
        ("bleu.detla < 3", 6, "unknown value 'detla' of bleu", "did you mean 'delta'?"),
        ("bleu.delta < 1 chrf.p < 2", 16, "expected 'and' or 'or' before 'chrf.p'", ""),
        ("bleu.delta < 1 and", 19, "not the end", ""),
        ("bleu.delta < or", 14, "not 'or'", ""),
        ("(bleu.delta < 1", 16, "expected ')' for the '(' at character 1", ""),
        ("bleu.delta < 1)", 15, "never opened", ""),
        ("-1 < bleu.delta < 1", 17, "cannot be chained", "'and'"),
        ("1 < 2", 1, "two numbers", ""),
        ("bleu:tok=intl.delta < 0", 1, "must be quoted", 'write "bleu:tok=intl".delta'),
        ("bleu:tok=intl,smooth_value=0.5 < 0", 1, "must be quoted", 'write "bleu:tok=intl,smooth_value=0.5".delta'),
        ("bleu[new]:segment.p < 1", 10, "before the system", "metric:aggregation[system].value"),
        ("bleu[].p < 1", 5, "name of a system in brackets", "[new]"),
        ("bleu[new.p < 1", 5, "name of a system in brackets", "[new]"),
        ("bleu.p.delta < 1", 7, "unexpected '.delta", "metric:aggregation[system].value"),
        ("bleu.p = 1", 8, "unexpected '='", "=="),
        ("bleu.p < 1 && bleu.p > 0", 12, "unexpected '&'", "'and'"),
        ("bleu.p < 1 || bleu.p > 0", 12, "unexpected '|'", "'or'"),
        ("!bleu.p < 1", 1, "unexpected '!'", "'not'"),
        ("bleu.p ≤ 1", 8, "unexpected '≤'", "<="),
        ("bleu.p < −1", 10, "unexpected '−'", "hyphen-minus"),
        ("“bleu”.p < 1", 1, "unexpected '“'", "straight quotes"),
        ('"bleu.p < 1', 1, "unexpected '\"'", "closing quote"),
        ("bleu.p < 5%", 11, "unexpected '%'", "without a unit"),
        ("bleu.p < 0x10", 10, "'0x10' is not a number", ""),
        ("bleu.p < 1_000", 10, "'1_000' is not a number", ""),
        ("bleu.p < 1.2.3", 10, "'1.2.3' is not a number", ""),
        ("bleu.p < 1e999", 10, "too large", ""),
        ("bleu.p < -1" + "0" * 400, 10, "too large", ""),
        ("bleu.p < ٣", 10, "unexpected '٣'", ""),
        ("bleu.p < nan", 10, "'nan' does not say which value", ""),
        ("bleu.p < \x1b[31m", 10, r"unexpected '\x1b'", ""),
        ("__import__('os').system('ls')", 1, "does not say which value", ""),
        ("bleu.p < 1; print(1)", 11, "unexpected ';'", ""),
        ("bleu.p ** 9 < 1", 8, "unexpected '*'", ""),
    ],
)
def test_errors_say_where_and_what_to_do(text, position, says, hint):
    with pytest.raises(ConfigError) as caught:
        parse_expression(text)
    assert caught.value.message.startswith(f"cannot read the condition at character {position}: ")
    assert says in caught.value.message
    assert caught.value.hint
    assert hint in caught.value.hint


@pytest.mark.parametrize(("opening", "closing"), [("(", ")"), ("not ", "")])
def test_nesting_is_limited(opening, closing):
    deepest = MAX_DEPTH - 1
    assert parse_expression(opening * deepest + "bleu.p < 1" + closing * deepest)
    for depth in (MAX_DEPTH, MAX_LENGTH // 5 - 10):
        with pytest.raises(ConfigError, match="nested more than 50 deep"):
            parse_expression(opening * depth + "bleu.p < 1" + closing * depth)


def test_length_is_limited_and_long_conditions_are_not_deep():
    many = " or ".join(["bleu.p < 1"] * 700)
    assert len(list(parse_expression(many).names())) == 700
    with pytest.raises(ConfigError, match="more than 10,000"):
        parse_expression(many + " " * MAX_LENGTH)


@given(st.text(max_size=60) | st.text(alphabet="bleu.p<>=! ()[]\"':andortx0159e-+" + string.whitespace, max_size=60))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(ConfigError):
        assert list(parse_expression(text).names())

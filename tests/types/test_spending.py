from __future__ import annotations

import pytest

import assay
from assay.errors import ConfigError
from assay.types.runtime import Runtime
from assay.types.spending import Spending, duration_text, tokens_text, usd_text


def test_requests_are_counted():
    said = []
    spending = Spending(announce=said.append)
    spending.add(1_200_000, 300)
    spending.add(0, 200, is_estimated=True)
    assert (spending.requests, spending.input_tokens, spending.output_tokens) == (2, 1_200_000, 500)
    assert spending.usd((2.5, 10)) == pytest.approx(3.005)
    assert spending.usd(()) == 0
    assert spending.describe((2.5, 10)) == "about 1.2 M tokens read, 500 written, 3.00 USD"
    assert spending.describe(()) == "about 1.2 M tokens read, 500 written"
    assert spending.describe_shortly((2.5, 10)) == "about 3.00 USD"
    assert spending.describe_shortly(()) == "about 1.2 M tokens read, 500 written"
    spending.say("hello")
    assert said == ["hello"]
    Spending().say("nobody listens")


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0, "0.00 USD"), (1234.5, "1,234.50 USD"), (0.5, "0.50 USD"), (0.012, "0.012 USD"), (1e-12, "0.000000000 USD")],
)
def test_amounts(amount, text):
    assert usd_text(amount) == text


def test_other_texts():
    assert tokens_text(999_999, 0) == "999,999 tokens read, 0 written"
    assert tokens_text(12_345_678, 950) == "12.3 M tokens read, 950 written"
    assert [duration_text(s) for s in (0.2, 59, 60, 90, 36000)] == ["0.2 s", "59 s", "1 min", "1.5 min", "10 h"]


def test_functions_take_it():
    testset = assay.load(outputs={"a": ["x y"]}, references=["x y"])
    spending = assay.types.Spending()
    run = assay.score(testset, "chrf", spending=spending, prices="2.5,10", budget=1, parallel=2, rate=60, resamples=0)
    assert run.systems == ("a",)
    assert spending.requests == 0
    with pytest.raises(ConfigError, match="spending must be a Spending"):
        assay.score(testset, "chrf", spending=7)
    with pytest.raises(ConfigError, match="rate must be a positive number"):
        assay.score(testset, "chrf", rate=-1)


def test_it_is_no_part_of_what_is_compared():
    assert Runtime(threads=1) == Runtime(threads=1)
    assert Runtime().spent is not Runtime().spent
    spending = Spending()
    assert Runtime(spending=spending).spent is spending

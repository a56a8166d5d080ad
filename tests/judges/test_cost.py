from __future__ import annotations

import pytest

from assay.judges.cost import Estimate
from assay.judges.reply import Reply


def test_before_the_first_reply():
    estimate = Estimate(200, (2.5, 10))
    assert estimate.tokens(3000, 10) == (1000, 2000)
    assert estimate.usd(3000, 10) == pytest.approx((1000 * 2.5 + 2000 * 10) / 1e6)
    assert estimate.describe(3000, 10) == "about 0.022 USD for 10 requests (1,000 tokens read, 2,000 written)"


def test_a_second_request_that_follows_each_one():
    """It is about as long, and quotes the reply to the first."""
    estimate = Estimate(200, (2.5, 10))
    assert estimate.tokens(3000, 10, next_tokens=10) == (2 * 1000 + 2000, 2000 + 100)
    assert estimate.describe(3000, 10, 10) == "about 0.031 USD for 20 requests (4,000 tokens read, 2,100 written)"


def test_replies_make_it_better():
    estimate = Estimate(200, (2.5, 10))
    estimate.learn(300, Reply("x", input_tokens=60, output_tokens=8))
    estimate.learn(100, Reply("x", input_tokens=40, output_tokens=12))
    estimate.learn(999, Reply("x"))
    assert estimate.tokens(4000, 10) == (1000, 100)


def test_tokens_that_the_server_does_not_count():
    estimate = Estimate(200)
    assert estimate.of_reply(300, Reply("x", input_tokens=7, output_tokens=0)) == (7, 0, False)
    assert estimate.of_reply(300, Reply("ééé", input_tokens=7)) == (100, 3, True)
    assert estimate.usd(300, 1) == 0

from __future__ import annotations

from dataclasses import replace

import pytest

import assay
from assay.results import Estimate, HeldOut, Triage
from assay.words.triage import triage_verdict
from tests.study.test_triage import campaign

KEPT, OPEN, BROKEN = Estimate(0.1, 50, 0.05, 0.15), Estimate(0.25, 50, 0.1, 0.4), Estimate(0.4, 50, 0.3, 0.5)


@pytest.fixture(scope="module")
def triage() -> Triage:
    return assay.triage(campaign(), error_rate=0.2)


def cross_check(triage: Triage, *rates: Estimate | None) -> str:
    parts = tuple(
        HeldOut(f"en-{place}", 100, 0.5, rate.n, rate)
        if rate is not None
        else HeldOut(f"en-{place}", 100, float("nan"), 0, Estimate(float("nan"), 0))
        for place, rate in zip("abc", rates, strict=False)
    )
    verdict = triage_verdict(replace(triage, held_out=parts, holds_out_pairs=True))
    (sentence,) = (each for each in verdict.lede if "heck" in each)
    return sentence.partition("applied to it. ")[2] or sentence


def test_broken_promises_are_counted_and_what_intervals_show_of_them(triage: Triage) -> None:
    more = "More judgements found errors than promised in"
    assert cross_check(triage, KEPT, KEPT) == f"{more} none of them."
    assert cross_check(triage, KEPT, OPEN) == f"{more} 1 of them (en-b 25.0 %), not significantly."
    assert cross_check(triage, BROKEN, KEPT) == f"{more} 1 of them (en-a 40.0 %), significantly."
    assert cross_check(triage, OPEN, OPEN, BROKEN) == (
        f"{more} 3 of them (en-a 25.0 %, en-b 25.0 %, en-c 40.0 %), significantly in 1."
    )
    assert cross_check(triage, OPEN, OPEN, None) == (
        f"{more} 2 of the 2 where segments were released (en-a 25.0 %, en-b 25.0 %), significantly in none."
    )


def test_without_any_released_segment_nothing_is_checked(triage: Triage) -> None:
    assert cross_check(triage, None, None) == (
        "The promise could not be cross-checked: with each language pair left out in turn, nothing in it was released."
    )

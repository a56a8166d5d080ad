"""How well a judge agrees with itself: by hand, on replies that a script makes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay.errors import ConfigError
from assay.reports import document
from assay.reports.table import Table
from tests.judges.scripted import part, scripted

JUDGE = "judge:protocol={},model=m,endpoint=http://127.0.0.1:8000/v1"
VOTES = JUDGE.format("da,votes=3,temperature=1")


def texts(segments=3):
    outputs = {name: [f"{name} {k}" for k in range(segments)] for name in ("elm", "oak")}
    return assay.load(sources=[f"source {k}" for k in range(segments)], outputs=outputs, lp="en-de")


def test_votes(monkeypatch):
    """elm has 90, 90 and 10 in the votes, oak 50: two of three pairs of votes have another order of the systems.

    tau-b of votes 1 and 2 is 1, with vote 3 -1. Kappa: votes 1 and 2 agree in all outputs, vote 3 in half of them, of
    which 1/2 * 1/2 are expected: (0.5 - 0.25) / 0.75.
    """
    scripted(monkeypatch, lambda prompt, vote, _: str((90, 90, 10)[vote] if "elm" in part(prompt, "candidate") else 50))
    found = assay.reliability(texts(), VOTES)
    assert found["Kendall's tau-b, two votes"].value == pytest.approx((1 - 1 - 1) / 3)
    assert found["kappa of equal scores, two votes"].value == pytest.approx((1 + 2 * (1 / 3)) / 3)
    orders = found["pairs of systems in another order, two votes"]
    assert (orders.value, orders.n) == (pytest.approx(2 / 3), 3)
    assert len(found.estimates) == 3
    assert found.name == "judge"
    assert found.signature.startswith("judge|protocol:da|")
    assert list(found.metrics.values()) == [found.signature]
    assert found.n_unit["Kendall's tau-b, two votes"] == "pairs of votes"
    assert found.made_by == "reliability"
    assert Table().render(document(found)).startswith("reliability of judges, judge")


def test_paraphrased_prompts(monkeypatch, tmp_path):
    """The second prompt gives the first score less 11: the same order, and no equal score."""
    mine = tmp_path / "mine.txt"
    mine.write_text("Other words.\n<candidate>\n{output}\n</candidate>\n{source}")

    def reply(prompt, *_):
        score = 50 + 10 * int(part(prompt, "candidate")[-1]) + 5 * ("elm" in part(prompt, "candidate"))
        return str(score - 11 * ("Other words" in prompt))

    scripted(monkeypatch, reply)
    found = assay.reliability(texts(), [JUDGE.format("da"), f"{JUDGE.format('da')},prompt={mine}"])
    assert found["Kendall's tau-b, two metrics"].value == pytest.approx(1)
    assert found["kappa of equal scores, two metrics"].value == 0
    assert found["pairs of systems in another order, two metrics"].value == 0


def test_the_direction_of_metrics_counts(monkeypatch):
    """By chrF and by TER, where lower is better, elm is the better one, in all segments."""
    references = [f"a b c d {k}" for k in range(3)]
    outputs = {"elm": references, "oak": [f"x y {k}" for k in range(3)]}
    testset = assay.load(outputs=outputs, references={"ref": references}, lp="en-de")
    found = assay.reliability(testset, ["chrf", "ter"])
    assert found["pairs of systems in another order, two metrics"].value == 0
    assert found["Kendall's tau-b, two metrics"].value > 0
    assert found.n_unit["Kendall's tau-b, two metrics"] == "pairs of metrics"
    assert "kappa of equal scores, two metrics" not in found.estimates  # on different scales, nothing is equal
    assert "agreement on 3 segments of 2 systems" in [note.text for note in found.notes]


def test_without_a_metric_the_hint_is_a_judge():
    with pytest.raises(ConfigError) as caught:
        assay.reliability(texts(), [])
    assert "judge:" in caught.value.hint


def test_the_other_order(monkeypatch):
    """The first candidate is always preferred: no answer stays, which is what chance does, too."""
    scripted(monkeypatch, lambda *_: "A")
    found = assay.reliability(texts(), JUDGE.format("pairwise"))
    assert found["answers that differ between both orders"].value == 1
    assert found["answers that differ between both orders"].n == 3
    assert found["kappa between both orders"].value == 0


@pytest.mark.warns("could not be read")
def test_outputs_without_a_score_do_not_count(monkeypatch):
    def reply(prompt, vote, _):
        return (
            "?" if part(prompt, "candidate") == "oak 1" and vote == 0 else str(10 * int(part(prompt, "candidate")[-1]))
        )

    scripted(monkeypatch, reply)
    found = assay.reliability(texts(), JUDGE.format("da,votes=2,temperature=1"))
    assert found["Kendall's tau-b, two votes"].value == pytest.approx(1)
    assert found["kappa of equal scores, two votes"].value == pytest.approx(1)


def test_votes_that_never_vary(monkeypatch):
    scripted(monkeypatch, lambda *_: "50")
    found = assay.reliability(texts(), VOTES)
    tau = found["Kendall's tau-b, two votes"]
    assert math.isnan(tau.value)
    assert tau.reason == "scores do not vary"
    assert math.isnan(found["kappa of equal scores, two votes"].value)
    assert found["pairs of systems in another order, two votes"].value == 0


def test_a_single_score_cannot_be_compared(monkeypatch):
    scripted(monkeypatch, lambda *_: "50")
    with pytest.raises(ConfigError, match="a single score of each output"):
        assay.reliability(texts(), JUDGE.format("da"))


def test_independent_votes_agree_as_often_as_chance(monkeypatch):
    generator = np.random.default_rng(5)
    scripted(monkeypatch, lambda *_: str(generator.integers(0, 4)))
    found = assay.reliability(texts(500), JUDGE.format("da,votes=2,temperature=1"))
    assert found["kappa of equal scores, two votes"].value == pytest.approx(0, abs=0.06)
    assert found["Kendall's tau-b, two votes"].value == pytest.approx(0, abs=0.06)

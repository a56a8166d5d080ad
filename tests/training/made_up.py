"""Campaigns whose truth is known: an output says what its features are, and people prefer the better one by chance."""

from __future__ import annotations

import math

import numpy as np

from assay.metrics import from_function
from assay.types import Campaign, Rankings, ScoreTable, TestSet

FEATURES = ("truth", "noise")


def numbers(output: str) -> dict[str, str]:
    """What an output says: `truth=0.5 noise=1.2`."""
    return dict(item.split("=") for item in output.split())


def truth(output):
    return float(numbers(output)["truth"])


def same(output):
    return float(numbers(output)["truth"])


def noise(output):
    return float(numbers(output)["noise"])


def constant(output):
    return 7.0


def gaps(output):
    """Undefined for a fifth of the outputs."""
    value = float(numbers(output)["noise"])
    return math.nan if abs(value) < 0.25 else value


def nothing(output):
    return math.nan


def cost(output):
    return -float(numbers(output)["truth"])


def register() -> None:
    """Make the features metrics."""
    for function in (truth, same, noise, constant, gaps, nothing):
        from_function(function, higher_is_better=True, needs=())
    from_function(cost, higher_is_better=False, needs=())


def campaign(
    name: str = "one",
    lp: str = "en-de",
    *,
    seed: int = 1,
    systems: int = 5,
    segments: int = 60,
    noise_of_people: float = 0.5,
    sources: str | None = None,
    ranked: bool = False,
    truth_matters: bool = True,
) -> Campaign:
    """The human score is the truth with noise; systems differ in their mean truth."""
    random = np.random.default_rng([seed, len(name), ord(lp[-1])])
    names = tuple(f"s{number}" for number in range(systems))
    true = random.normal(size=(systems, segments)) + 0.3 * np.arange(systems)[:, None]
    other = random.normal(size=(systems, segments))
    outputs = {
        system: [f"truth={true[k, i]:.6f} noise={other[k, i]:.6f}" for i in range(segments)]
        for k, system in enumerate(names)
    }
    human = (true if truth_matters else other) + noise_of_people * random.normal(size=true.shape)
    prefix = sources or f"{name} {lp}"
    texts = TestSet(outputs, {}, sources=[f"{prefix} {i}" for i in range(segments)], lp=lp)
    if not ranked:
        table = ScoreTable("human", "segment", names, human, protocol="DA-z")
        return Campaign(name, lp, segments, names, (), texts, (table,))
    order = np.argsort(np.argsort(-human, axis=0), axis=0) + 1
    rankings = Rankings("rr", names, ("j",), np.zeros(segments, int), np.arange(segments), order.T.astype(np.int8))
    return Campaign(name, lp, segments, names, (), texts, (), (rankings,))


def several(count: int = 6, **settings: object) -> list[Campaign]:
    """Test sets with one language pair each, of two target languages in turn."""
    return [
        campaign(f"test{number}", ("en-de", "en-cs")[number % 2], seed=number, **settings)  # type: ignore[arg-type]
        for number in range(count)
    ]

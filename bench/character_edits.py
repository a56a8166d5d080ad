"""CharacTER compared with the package `cer`, and EED with torchmetrics, if they are installed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.harness import Case
from bench.kernels import score
from tests.archives import texts

PART = 5  # only every 5th segment where the other tool takes milliseconds for each


def cases() -> Iterator[Case]:
    """The mean of segment scores of outputs of WMT22 en-de."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    reference = references["refA"]
    systems = {name: outputs[name] for name in list(outputs)[:9]}
    output = next(iter(systems.values()))
    yield from _cer(output, systems, reference)
    yield from _torchmetrics(output[::PART], reference[::PART])


def _cer(output: list[str], systems: dict[str, list[str]], reference: list[str]) -> Iterator[Case]:
    try:
        from cer import calculate_cer_corpus
    except ImportError:
        return

    def mean(column: list[str]) -> float:
        split = ([line.split() for line in lines] for lines in (column, reference))
        return float(calculate_cer_corpus(*split)["mean"])

    def agree(expected: float, found: Any) -> None:
        np.testing.assert_allclose(found.segment_mean["x"], expected, rtol=0, atol=1e-9)

    def all_agree(expected: dict[str, float], found: Any) -> None:
        for system, value in expected.items():
            np.testing.assert_allclose(found.segment_mean[system], value, rtol=0, atol=1e-9)

    names = {"mean": mean, "score": score, "output": output, "systems": systems, "reference": reference}
    yield Case(
        "CharacTER",
        "cer",
        "mean(output)",
        'score("character", {"x": output}, [reference], agg="segment")',
        names,
        agree,
        12,
        25,
    )
    yield Case(
        "CharacTER of nine systems",
        "cer",
        "{name: mean(column) for name, column in systems.items()}",
        'score("character", systems, [reference], agg="segment")',
        names,
        all_agree,
        18,
        35,
    )


def _torchmetrics(output: list[str], reference: list[str]) -> Iterator[Case]:
    try:
        from torchmetrics.functional.text import extended_edit_distance
    except ImportError:
        return

    def agree(expected: Any, found: Any) -> None:
        # torchmetrics adds up in single precision.
        np.testing.assert_allclose(found.segment_mean["x"], float(expected), rtol=0, atol=1e-6)

    yield Case(
        f"EED (every {PART}th segment)",
        "torchmetrics",
        "extended_edit_distance(output, reference)",
        'score("eed", {"x": output}, [reference], agg="segment")',
        {"extended_edit_distance": extended_edit_distance, "score": score, "output": output, "reference": reference},
        agree,
        60,
        150,
    )

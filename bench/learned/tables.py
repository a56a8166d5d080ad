"""The measurements as tables, with the words of docs/methods/learned-metrics.md."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

WORDS = {
    "comet-score": "`comet-score`, as it is",
    "predict-fp16": "`predict`, one system at a time",
    "predict-fp16-at-once": "`predict`, all systems in one call",
    "ours-fp16": "Assay",
    "ours-bf16": "Assay",
    "ours-again": "Assay, again with a cache",
    "predict-fp32-16": "`predict` with its default batches",
    "predict-fp32": "`predict`, one system at a time",
    "ours-fp32": "Assay",
}
RATIOS = (
    ("comet-score", "ours-fp16", "`comet-score` as it is (fp16)"),
    ("predict-fp16", "ours-fp16", "`predict` in fp16 with batches as large as ours, one system at a time"),
    ("predict-fp16-at-once", "ours-fp16", "the same with all systems in one call"),
    ("predict-fp32-16", "ours-fp32", "`predict` in fp32 with its default batches"),
    ("predict-fp32", "ours-fp32", "`predict` in fp32 with batches as large as ours"),
)
DEVIATIONS = (
    ("ours-fp32", "predict-fp32-16", "Assay and `predict`, both fp32 on the GPU"),
    ("predict-fp32", "predict-fp32-16", "`predict` with large batches and with 16, both fp32"),
    ("ours-fp16", "ours-fp32", "Assay, fp16 and fp32"),
    ("ours-bf16", "ours-fp32", "Assay, bf16 and fp32"),
    ("ours-fp16", "comet-score", "Assay and `comet-score`, both fp16"),
)


def all_of(runs: Mapping[str, Mapping[str, Any]]) -> str:
    """Times and their ratios, deviations, and what the deviations are to be compared with."""
    return "\n".join([*_times(runs), "", *_ratios(runs), "", *_deviations(runs), "", *_spread(runs)])


def _times(runs: Mapping[str, Mapping[str, Any]]) -> list[str]:
    rows = [
        "| | precision | texts | tokens with padding | tokens per batch | seconds | with start and loading "
        "| GPU busy |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, words in WORDS.items():
        if name in runs:
            run = runs[name]
            size = f"{run['tokens'] / run['batches']:,.0f}" if run["batches"] else ""
            busy = "" if run["busy"] is None else f"{run['busy']:.0f} %"
            rows.append(
                f"| {words} | {run['precision']} | {run['texts']:,} | {run['tokens']:,} | {size}"
                f" | {run['seconds']:.1f} | {run['whole']:.0f} | {busy} |"
            )
    return rows


def _ratios(runs: Mapping[str, Mapping[str, Any]]) -> list[str]:
    rows = ["| Assay is faster than … | times | with start and loading |", "|---|--:|--:|"]
    for peer, ours, words in RATIOS:
        if peer in runs and ours in runs:
            ratios = [f"{runs[peer][time] / runs[ours][time]:.1f}" for time in ("seconds", "whole")]
            rows.append(f"| {words} | {ratios[0]} | {ratios[1]} |")
    return rows


def _deviations(runs: Mapping[str, Mapping[str, Any]]) -> list[str]:
    rows = [
        "| | a segment's score: largest | mean | a system's score: largest | pairs of systems in another order |",
        "|---|--:|--:|--:|--:|",
    ]
    for one, other, words in DEVIATIONS:
        if one in runs and other in runs:
            found, expected = _scores(runs[one]), _scores(runs[other])
            segments = np.abs(found - expected)
            systems = np.abs(found.mean(axis=1) - expected.mean(axis=1))
            pairs = len(found) * (len(found) - 1) // 2
            swapped = _swapped(found.mean(axis=1), expected.mean(axis=1))
            sizes = f"{segments.max():.1e} | {segments.mean():.1e} | {systems.max():.1e}"
            rows.append(f"| {words} | {sizes} | {swapped} of {pairs} |")
    return rows


def _spread(runs: Mapping[str, Mapping[str, Any]]) -> list[str]:
    run = next((runs[name] for name in ("predict-fp32-16", "ours-fp32") if name in runs), None)
    if run is None:
        return []
    scores = _scores(run)
    gaps = np.diff(np.sort(scores.mean(axis=1)))
    return [
        f"Segment scores: mean {scores.mean():.3f}, standard deviation {scores.std():.3f}; neighbouring systems differ"
        f" by {gaps.min():.1e} to {gaps.max():.1e} (median {np.median(gaps):.1e})."
    ]


def _scores(run: Mapping[str, Any]) -> npt.NDArray[np.float64]:
    """System × segment, systems in alphabetical order."""
    return np.array([run["scores"][system] for system in sorted(run["scores"])])


def _swapped(found: npt.NDArray[np.float64], expected: npt.NDArray[np.float64]) -> int:
    pairs = itertools.combinations(range(len(found)), 2)
    return sum(bool(np.sign(found[i] - found[j]) != np.sign(expected[i] - expected[j])) for i, j in pairs)

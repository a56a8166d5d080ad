"""Minimum Bayes risk decoding compared with mbrs, from candidates to their mean utilities."""

from __future__ import annotations

import concurrent.futures
import random
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from assay.measurement.utilities import expected_utilities
from assay.metrics import metric
from assay.types import Candidates
from assay.types.runtime import Runtime
from bench.harness import Case
from tests.archives import texts

SEGMENTS = 200
MANY = 100  # candidates


def cases() -> Iterator[Case]:
    """chrF and BLEU on WMT24 en-de: the outputs of all systems, and these and recombinations of them."""
    try:  # it needs torch, and so is not among the packages that `make bench` installs
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from mbrs.decoders.mbr import DecoderMBR
            from mbrs.metrics.bleu import MetricBLEU
            from mbrs.metrics.chrf import MetricChrF
    except ImportError:
        return
    # mbrs starts processes for each segment. As threads, their CPU time counts, and starting them costs hardly any.
    concurrent.futures.ProcessPoolExecutor = concurrent.futures.ThreadPoolExecutor  # type: ignore[assignment,misc]
    _, outputs = texts("wmt24", "en-de", ("refA",))
    real = [list(group) for group in zip(*(column[:SEGMENTS] for column in outputs.values()), strict=True)]
    chrf, rust, bleu = (
        DecoderMBR(DecoderMBR.Config(), made)
        for made in (
            MetricChrF(MetricChrF.Config(num_workers=1)),
            MetricChrF(MetricChrF.Config(fastchrf=True)),
            MetricBLEU(MetricBLEU.Config(num_workers=1)),
        )
    )
    peers = (("chrf", "chrF", chrf, 40), ("chrf", "chrF with fastchrf", rust, 20), ("bleu", "BLEU", bleu, 40))
    for segments in (real, [recombined(group, MANY) for group in real]):
        for spec, name, decoder, part in peers:
            every = part * (1 if segments is real else 5)
            yield _case(f"{name}, {SEGMENTS} × {len(segments[0])} candidates", spec, decoder, segments, every)


def recombined(group: Sequence[str], count: int) -> list[str]:
    """The texts, and others that begin like one of them and end like another."""
    rng = random.Random(1)
    found = list(group)
    while len(found) < count:
        start, end = (text.split() for text in rng.sample(group, 2))
        cut = rng.random()
        found.append(" ".join(start[: int(cut * len(start))] + end[int(cut * len(end)) :]))
    return found


def _case(name: str, spec: str, decoder: Any, segments: list[list[str]], every: int) -> Case:
    some = segments[::every]

    def means(groups: list[list[str]]) -> Any:
        candidates, made = Candidates.of(groups), metric.create(spec)
        return expected_utilities(spec, made, candidates, None, None, None, Runtime(threads=1), keeps_all=False)

    def agree(expected: Any, found: Any) -> None:
        best = [found.values[first:last].max() for first, last in spans(segments)][::every]
        np.testing.assert_allclose(best, [each.score[0] for each in expected], rtol=0, atol=1e-3)

    return Case(
        f"{name} (mbrs: every {every}th segment)",
        "mbrs",
        "[decoder.decode(group, group) for group in some]",
        "mean_utilities(segments)",
        {"decoder": decoder, "some": some, "segments": segments, "mean_utilities": means},
        agree,
        50,
        100,
        times=len(segments) / len(some),
        rounds=3,
    )


def spans(segments: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """Where the candidates of each segment are among all."""
    first = 0
    for group in segments:
        yield first, first + len(group)
        first += len(group)

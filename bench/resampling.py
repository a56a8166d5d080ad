"""Bootstrap intervals and x-BLEU compared with sacreBLEU, and the cost per segment as test sets grow."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sacrebleu.metrics import BLEU, CHRF, TER

from assay.resample import Bootstrap
from assay.runtime import Runtime
from bench.harness import Case
from bench.kernels import ours
from bench.scale import large
from tests.archives import texts

RESAMPLES = 1000
X_SIZE, X_TIMED = 1000, 10
SIZES = (1_000, 10_000, 100_000, 1_000_000)
_CLOSE = 0.1  # the two tools draw different resamples, so their intervals differ by chance


def cases() -> Iterator[Case]:
    """All comparisons on WMT22 en-de."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    reference, output = references["refA"], next(iter(outputs.values()))
    for peer, spec, minimum, target in ((BLEU, "bleu", 60, 100), (CHRF, "chrf", 110, 160), (TER, "ter", 250, 400)):
        yield with_interval(peer, spec, output, reference, minimum, target)
    yield from x_bleu(output, reference)


def with_interval(peer: Any, spec: str, output: list[str], reference: list[str], minimum: float, target: float) -> Case:
    """A corpus score with its interval: `corpus_score(…, n_bootstrap=1000)` and `score(…, agg="corpus")`."""

    def agree(expected: Any, found: Any) -> None:
        estimate = found.corpus["x"]
        np.testing.assert_allclose(estimate, expected.score, rtol=0, atol=1e-9)
        low, high = found.corpus.estimates["x"].low, found.corpus.estimates["x"].high
        np.testing.assert_allclose((high - low) / 2, expected._ci, rtol=_CLOSE)

    return Case(
        f"{peer.__name__} with its interval, {RESAMPLES:,} resamples",
        "sacreBLEU",
        lambda: peer().corpus_score(output, [reference], n_bootstrap=RESAMPLES),
        lambda: ours(spec, {"x": output}, [reference], resamples=RESAMPLES),
        agree,
        minimum,
        target,
        rounds=3 if peer is TER else 5,
    )


def x_bleu(output: list[str], stream: list[str]) -> Iterator[Case]:
    """x-BLEU of Cavalin et al. (2024), against scoring every resample from its texts and from statistics.

    The peer that scores texts does ten of the thousand resamples. The fair peer extracts sacreBLEU's statistics once,
    sums them with numpy and lets sacreBLEU score the sums. All three use the same resamples.
    """
    bootstrap = Bootstrap(RESAMPLES, X_SIZE)
    weights = np.concatenate(list(bootstrap.blocks(len(output), runtime=Runtime(threads=1))))
    resamples = [np.repeat(np.arange(len(output)), row) for row in weights]
    samples = [([output[i] for i in rows], [[stream[i] for i in rows]]) for rows in resamples[:X_TIMED]]
    first_ten = ours("bleu", {"x": output}, [stream], agg="bootstrap", resamples=X_TIMED, size=X_SIZE)

    def call() -> Any:
        return ours("bleu", {"x": output}, [stream], agg="bootstrap", resamples=RESAMPLES, size=X_SIZE)

    def first_ten_agree(expected: Sequence[float], _found: Any) -> None:
        np.testing.assert_allclose(first_ten.bootstrap["x"], np.mean(expected), rtol=0, atol=1e-9)

    def agree(expected: Sequence[float], found: Any) -> None:
        np.testing.assert_allclose(found.bootstrap["x"], np.mean(expected), rtol=0, atol=1e-9)

    def from_statistics() -> list[float]:
        metric = BLEU()
        table = np.array(metric._extract_corpus_statistics(output, [stream]))
        return [metric._compute_score_from_stats(table[rows].sum(axis=0).tolist()).score for rows in resamples]

    yield Case(
        f"x-BLEU, {RESAMPLES} x {X_SIZE}, from texts (peer extrapolated from {X_TIMED})",
        "sacreBLEU",
        lambda: [BLEU().corpus_score(outputs, streams).score for outputs, streams in samples],
        call,
        first_ten_agree,
        5000,
        25000,
        times=RESAMPLES / X_TIMED,
        rounds=3,
    )
    name = f"x-BLEU, {RESAMPLES} x {X_SIZE}, from statistics (fair)"
    yield Case(name, "sacreBLEU + numpy", from_statistics, call, agree, 60, 120)


def growth() -> dict[int, float]:
    """CPU time per segment in microseconds of corpus BLEU with its interval, by the number of segments."""
    output, reference = large()
    costs = {}
    for size in SIZES:
        copies, step = (
            -(-size // len(output)),
            max(1, len(output) // size),
        )  # texts of the same mean length for all sizes
        column, stream = (output[::step] * copies)[:size], (reference[::step] * copies)[:size]
        elapsed = []
        for _ in range(5 if size <= 10_000 else 2):
            start = time.process_time()
            ours("bleu", {"x": column}, [stream], resamples=RESAMPLES)
            elapsed.append(time.process_time() - start)
        costs[size] = 1e6 * statistics.median(elapsed) / size
    return costs

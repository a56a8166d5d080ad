"""Bootstrap intervals and x-BLEU compared with sacreBLEU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sacrebleu.metrics import BLEU, CHRF, TER

from assay.aggregate.resample import Bootstrap
from assay.types.runtime import Runtime
from bench.harness import Case
from bench.kernels import score
from tests.archives import texts

RESAMPLES = 1000
X_SIZE, X_TIMED = 1000, 10
_CLOSE = 0.1  # the two tools draw different resamples, so their intervals differ by chance


def cases() -> Iterator[Case]:
    """All comparisons on WMT22 en-de."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    reference, output = references["refA"], next(iter(outputs.values()))
    names = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER, "score": score, "output": output, "reference": reference}
    for name, peer, spec, minimum, target, rounds in (
        ("BLEU", "BLEU", "bleu", 60, 100, 5),
        ("chrF", "CHRF", "chrf", 110, 160, 5),
        ("TER", "TER", "ter", 250, 400, 3),
    ):
        yield Case(
            f"{name} with its interval, {RESAMPLES:,} resamples",
            "sacreBLEU",
            f"{peer}().corpus_score(output, [reference], n_bootstrap={RESAMPLES})",
            f'score("{spec}", {{"x": output}}, [reference], resamples={RESAMPLES})',
            names,
            _intervals_agree,
            minimum,
            target,
            rounds=rounds,
        )
    yield from x_bleu(output, reference, names)


def _intervals_agree(expected: Any, found: Any) -> None:
    estimate = found.corpus.estimates["x"]
    np.testing.assert_allclose(found.corpus["x"], expected.score, rtol=0, atol=1e-9)
    np.testing.assert_allclose((estimate.high - estimate.low) / 2, expected._ci, rtol=_CLOSE)


def x_bleu(output: list[str], reference: list[str], names: dict[str, Any]) -> Iterator[Case]:
    """x-BLEU of Cavalin et al. (2024), against scoring every resample from its texts and from statistics.

    The peer that scores texts does ten of the thousand resamples. The fair peer extracts sacreBLEU's statistics once,
    sums them with numpy and lets sacreBLEU score the sums. All three use the same resamples, which only Assay has to
    draw: the peers get theirs ready-made.
    """
    bootstrap = Bootstrap(RESAMPLES, X_SIZE)
    weights = np.concatenate(list(bootstrap.blocks(len(output), runtime=Runtime(threads=1))))
    resamples = [np.repeat(np.arange(len(output)), row) for row in weights]
    samples = [([output[i] for i in rows], [[reference[i] for i in rows]]) for rows in resamples[:X_TIMED]]
    first_ten = score("bleu", {"x": output}, [reference], agg="bootstrap", resamples=X_TIMED, size=X_SIZE)
    our_code = (
        f'score("bleu", {{"x": output}}, [reference], agg="bootstrap", resamples={RESAMPLES}, size={X_SIZE}).bootstrap'
    )

    def first_ten_agree(expected: Sequence[float], _found: Any) -> None:
        np.testing.assert_allclose(first_ten.bootstrap["x"], np.mean(expected), rtol=0, atol=1e-9)

    def agree(expected: Sequence[float], found: Any) -> None:
        np.testing.assert_allclose(found["x"], np.mean(expected), rtol=0, atol=1e-9)

    yield Case(
        f"x-BLEU, {RESAMPLES} x {X_SIZE}, from texts (peer extrapolated from {X_TIMED})",
        "sacreBLEU",
        "[BLEU().corpus_score(outputs, references).score for outputs, references in samples]",
        our_code,
        names | {"samples": samples},
        first_ten_agree,
        5000,
        25000,
        times=RESAMPLES / X_TIMED,
        rounds=3,
    )
    yield Case(
        f"x-BLEU, {RESAMPLES} x {X_SIZE}, from statistics (fair)",
        "sacreBLEU + numpy",
        "[metric._compute_score_from_stats(table[rows].sum(axis=0).tolist()).score for metric in [BLEU()]"
        " for table in [np.array(metric._extract_corpus_statistics(output, [reference]))] for rows in resamples]",
        our_code,
        names | {"np": np, "resamples": resamples},
        agree,
        60,
        120,
        rounds=7,
    )

"""Specialised tools written in Rust, if they are installed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.harness import Case
from bench.kernels import score
from tests.archives import texts


def cases() -> Iterator[Case]:
    """bleuscore (corpus BLEU) and fastchrf (chrF of every segment) on WMT22 en-de."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    reference, output = references["refA"], next(iter(outputs.values()))
    names = {"score": score, "output": output, "reference": reference}
    try:
        import bleuscore
    except ImportError:
        pass
    else:
        yield Case(
            "corpus BLEU",
            "bleuscore",
            "bleuscore.compute([[line] for line in reference], output)",
            'score("bleu", {"x": output}, [reference])',
            names | {"bleuscore": bleuscore},
            _agree_on_bleu,
            4,
            8,
        )
    try:
        import fastchrf
    except ImportError:
        return
    yield Case(
        "chrF of every segment",
        "fastchrf",
        "fastchrf.pairwise_chrf([[line] for line in output], [[line] for line in reference])",
        'score("chrf", {"x": output}, [reference], agg="segment")',
        names | {"fastchrf": fastchrf},
        _agree_on_segments,
        15,
        35,
    )


def _agree_on_bleu(expected: Any, found: Any) -> None:
    np.testing.assert_allclose(found.corpus["x"], 100 * expected["bleu"], rtol=0, atol=1e-6)


def _agree_on_segments(expected: Any, found: Any) -> None:
    np.testing.assert_allclose(found.segments["x"], np.array(expected).ravel(), rtol=0, atol=1e-3)

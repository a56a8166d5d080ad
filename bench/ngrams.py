"""NIST compared with NLTK, from Python lists of strings to scores: one system, and nine with the same references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from nltk.translate.nist_score import corpus_nist

from bench.harness import Case
from bench.kernels import score
from tests.archives import texts

SPEC = "nist:tok=none,lowercase=no,zero_history=no"  # NLTK's NIST of one reference, split at spaces


def cases() -> Iterator[Case]:
    """WMT22 en-de."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    systems = {name: outputs[name] for name in list(outputs)[:9]}
    first = next(iter(systems))
    yield nist("NIST", {first: systems[first]}, references["refA"])
    yield nist("NIST of nine systems", systems, references["refA"])


def nist(name: str, systems: dict[str, list[str]], reference: list[str]) -> Case:
    """NLTK fits the information weights once per system, Assay once for all systems."""

    def agree(expected: dict[str, float], found: Any) -> None:
        for system, value in expected.items():
            np.testing.assert_allclose(found.corpus[system], value, rtol=0, atol=1e-9)

    return Case(
        name,
        "NLTK",
        "{name: corpus_nist(tokens, [line.split() for line in output])"
        " for tokens in [[[line.split()] for line in reference]] for name, output in systems.items()}",
        f'score("{SPEC}", systems, [reference])',
        {"corpus_nist": corpus_nist, "score": score, "systems": systems, "reference": reference},
        agree,
        60,
        150,
        rounds=3,
    )

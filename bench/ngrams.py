"""NIST beside NLTK: one system and the scores of every segment's corpus, from Python lists to a score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from nltk.translate.nist_score import corpus_nist

from bench.harness import Case
from bench.kernels import ours
from tests.archives import texts


def cases() -> Iterator[Case]:
    """WMT22 en-de, with one reference, where NLTK and mteval agree."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    reference, output = references["refA"], next(iter(outputs.values()))
    yield nist("NIST of text (NLTK: of its tokens)", "nist:tok=none,lowercase=no,zero_history=no", output, reference)
    yield nist("NIST of text, mteval's tokens", "nist:lowercase=no,zero_history=no", output, reference)


def nist(name: str, spec: str, output: list[str], reference: list[str]) -> Case:
    """NLTK is given tokens, so that cutting the text is in our time only."""
    tokens = _tokens(spec, output), [[words] for words in _tokens(spec, reference)]

    def agree(expected: float, found: Any) -> None:
        np.testing.assert_allclose(found.corpus["x"], expected, rtol=0, atol=1e-9)

    return Case(
        name,
        "NLTK",
        lambda: corpus_nist(tokens[1], tokens[0]),
        lambda: ours(spec, {"x": output}, [reference]),
        agree,
        60,
        150,
        rounds=3,
    )


def _tokens(spec: str, lines: list[str]) -> list[list[str]]:
    from assay import _core

    return [_core.tokenize(line, "none" if "tok=none" in spec else "mteval") for line in lines]

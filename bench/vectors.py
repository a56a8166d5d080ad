"""eBLEU on word vectors, which no other tool computes: segments per second of one core."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import numpy as np

import assay
from assay.metrics.tokenized_texts import tokenize
from assay.types.runtime import Runtime
from bench import scale
from bench.harness import Limited, Measured, timed

DIMENSIONS = 100
SEGMENTS = 10_000
SHORTEST, LONGEST = 20, 24
"""Words between spaces: with punctuation, references of this length have 25 tokens on average."""
MINIMUM, TARGET = 5_000, 15_000


def rates() -> Iterator[Measured]:
    """Both variants, from a loaded test set to scores. The vectors have been opened before."""
    testset = segments()
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, ASSAY_RESOURCES=folder, ASSAY_CACHE=f"{folder}/cache"),
    ):
        write_vectors(testset, Path(folder) / "made-up.npz")
        names = {"assay": assay, "testset": testset, "one_thread": Runtime(threads=1)}
        for variant in ("softmax", "l1"):
            spec = f"ebleu:vectors=made-up,diffusion={variant}"
            code = f'assay.score(testset, "{spec}", agg="segment", resamples=0, runtime=one_thread)'
            timed(Limited(spec, code, names, limit=float("inf")))  # converts and opens the vectors
            seconds = timed(Limited(spec, code, names, limit=float("inf")), rounds=5).value
            name = f"eBLEU ({variant}), {SEGMENTS:,} segments of 25 tokens, {DIMENSIONS} dimensions"
            yield Measured(name, SEGMENTS / seconds, "segments/s", MINIMUM, TARGET, code, is_rate=True)


def segments() -> assay.TestSet:
    """Outputs of en-de systems of three years whose references have the wanted length."""
    outputs, references = scale.large()
    pairs = [
        (output, reference)
        for output, reference in zip(outputs, references, strict=True)
        if SHORTEST <= len(reference.split()) <= LONGEST
    ][:SEGMENTS]
    assert len(pairs) == SEGMENTS  # noqa: S101
    return assay.load(outputs={"x": [pair[0] for pair in pairs]}, references={"ref": [pair[1] for pair in pairs]})


def write_vectors(testset: assay.TestSet, path: Path) -> None:
    """Random vectors of all words: their values do not matter to the time."""
    words = tokenize((*testset.references.values(), *testset.outputs.values()), "13a", lowercase=False).words
    vectors = np.random.default_rng(1).normal(0.5, 1, (len(words), DIMENSIONS)).astype(np.float32)
    np.savez(path, words=np.array(words), vectors=vectors)

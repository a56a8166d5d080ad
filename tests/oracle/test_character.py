"""CharacTER compared with the package `cer` on odd texts and on moved phrases."""

from __future__ import annotations

import random

import numpy as np
import pytest
from cer import calculate_cer

from assay import load, score
from scripts.oddtext import SEED, odd_pair

_SYLLABLES = ("a", "bb", "ccc", "é", "中", "😀", "")


def _check(outputs, references):
    found = score(load(outputs={"x": outputs}, references=references), "character", agg="segment", resamples=0)
    expected = [
        calculate_cer(output.split(), reference.split()) for output, reference in zip(outputs, references, strict=True)
    ]
    np.testing.assert_array_equal(found["character"].segments["x"], expected)


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_odd_texts():
    rng = random.Random(f"{SEED}/character")
    drawn = [odd_pair(rng, 1) for _ in range(2000)]
    drawn = [
        (output, reference) for output, (reference,) in drawn if reference.split()
    ]  # the package divides by its length
    _check([output for output, _ in drawn], [reference for _, reference in drawn])


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_moved_phrases():
    rng = random.Random(f"{SEED}/moves")
    outputs, references = [], []
    for _ in range(1500):
        vocabulary, length = rng.choice((2, 4, 20, 200)), rng.choice((1, 5, 20, 20, 40, 63, 64, 65, 70))
        words = [rng.choice(_SYLLABLES) + str(rng.randrange(vocabulary)) for _ in range(length)]
        references.append(" ".join(words))
        for _ in range(rng.randrange(6)):
            start, size = rng.randrange(length), rng.randrange(1, 5)
            phrase = words[start : start + size]
            del words[start : start + size]
            to = rng.randrange(len(words) + 1)
            words[to:to] = phrase
        kept = (word for word in words if rng.random() < 0.9)
        outputs.append(" ".join(kept))
    _check(outputs, references)

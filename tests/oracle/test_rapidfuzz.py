"""WER and CER: the Levenshtein distance of rapidfuzz on 5,000 pairs of words and 2,000 of odd characters."""

from __future__ import annotations

import random

from rapidfuzz.distance import Levenshtein

from assay import load, score
from scripts.oddtext import SEED, odd_pair


def test_words():
    rng = random.Random(f"{SEED}/wer")
    outputs, references = [], []
    for _ in range(5000):
        alphabet = rng.choice((2, 4, 20, 500))
        for side in (outputs, references):
            length = rng.choice((0, 1, 5, 20, 63, 64, 65, 130)) + rng.randrange(3)
            side.append(" ".join(str(rng.randrange(alphabet)) for _ in range(length)))
    table = score(load(outputs={"x": outputs}, references=references), "wer", resamples=0)["wer"].statistics.table[0]
    for output, reference, row in zip(outputs, references, table, strict=True):
        words = reference.split()
        assert row.tolist() == [Levenshtein.distance(output.split(), words), len(words)]


def test_odd_characters():
    rng = random.Random(f"{SEED}/cer")
    drawn = [odd_pair(rng, 1) for _ in range(2000)]
    outputs, references = [output for output, _ in drawn], [reference for _, (reference,) in drawn]
    table = score(load(outputs={"x": outputs}, references=references), "cer", resamples=0)["cer"].statistics.table[0]
    for output, reference, row in zip(outputs, references, table, strict=True):
        assert row.tolist() == [Levenshtein.distance(output.strip(), reference.strip()), len(reference.strip())]

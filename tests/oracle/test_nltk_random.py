"""Equal to NLTK's NIST on 6,000 random pairs, and to plain Python on several references.

NLTK takes the best reference for each order, mteval the largest count over all of them: with one, they agree.
"""

from __future__ import annotations

import collections
import math
import random

import numpy as np
import pytest
from nltk.translate.nist_score import corpus_nist

from assay import load, score
from assay.metrics import metric
from scripts.oddtext import SEED

WORDS = ("0", "0", "a", "b", "c", "the", "cat", "mat.", "straße", "中文", "1,5", "x" * 20)
PAIRS, CORPORA = 30, 200


def sentence(rng, shortest=0, longest=25):
    return [rng.choice(WORDS) for _ in range(rng.randint(shortest, longest))]


def variant(rng, words):
    kept = [rng.choice(WORDS) if rng.random() < 0.25 else word for word in words if rng.random() < 0.9]
    return kept + sentence(rng, 0, 3)


def corpus(name, references):
    """Outputs and references, as token lists; the first output has n-grams of every order."""
    rng = random.Random(f"{SEED}/{name}")
    originals = [sentence(rng, 8 if i == 0 else 1) for i in range(PAIRS)]
    outputs = [variant(rng, words) for words in originals]
    outputs[0] = [*outputs[0], "a", "b", "c", "a", "b"]
    return outputs, [[variant(rng, words) or ["a"] for words in originals] for _ in range(references)]


def scored(outputs, references, spec):
    columns = {f"ref{k}": [" ".join(words) for words in column] for k, column in enumerate(references)}
    testset = load(outputs={"x": [" ".join(words) for words in outputs]}, references=columns)
    return score(testset, spec, agg="corpus", resamples=0)[spec]


@pytest.mark.parametrize("part", range(4))
def test_nltk(part):
    for number in range(part, CORPORA, 4):
        outputs, references = corpus(f"nltk/{number}", 1)
        order = 5 if number % 2 else random.Random(number).randint(1, 6)
        found = scored(outputs, references, f"nist:tok=space,lowercase=no,zero_history=no,max_order={order}")
        expected = corpus_nist([[words] for words in references[0]], outputs, n=order)
        assert found.corpus["x"] == pytest.approx(expected, abs=1e-9)


def ngrams(words, order):
    return collections.Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def clipped(output, references, order):
    """Matches by n-gram: at most as often as in the reference that has it most."""
    limits = collections.Counter()
    for words in references:
        limits |= ngrams(words, order)
    return ngrams(output, order) & limits


def nist_rows(outputs, references, zero_history):
    counts = collections.Counter()
    for column in references:
        for words in column:
            counts[()] += len(words)
            for order in range(1, 6):
                counts += ngrams(words, order)

    def bits(ngram):
        history = () if zero_history and ngram[:-1] == ("0",) else ngram[:-1]
        return math.log2(counts[history] / counts[ngram])

    for output, *refs in zip(outputs, *references, strict=True):
        information = [sum(bits(g) * m for g, m in clipped(output, refs, n).items()) for n in range(1, 6)]
        lengths = [len(output), sum(map(len, refs)) / len(refs)]
        yield [*lengths, *information, *(max(len(output) - n, 0) for n in range(5))]


@pytest.mark.parametrize("references", [1, 2, 4])
@pytest.mark.parametrize("zero_history", [True, False])
def test_nist_statistics(references, zero_history):
    for number in range(20):
        outputs, columns = corpus(f"nist/{references}/{number}", references)
        spec = f"nist:tok=space,lowercase=no,zero_history={'yes' if zero_history else 'no'}"
        found = scored(outputs, columns, spec).statistics.table[0]
        expected = list(nist_rows(outputs, columns, zero_history))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def reference_length(output, references, kind):
    lengths = sorted(map(len, references))
    if kind == "average":
        return sum(lengths) // len(lengths)
    return lengths[0] if kind == "shortest" else min(lengths, key=lambda length: abs(length - len(output)))


@pytest.mark.parametrize("kind", ["closest", "shortest", "average"])
def test_bleu_statistics(kind):
    for number in range(20):
        outputs, columns = corpus(f"bleu/{number}", 1 + number % 4)
        found = scored(outputs, columns, f"bleu:flavour=moses,reference_length={kind}").statistics.table[0]
        for row, output, *refs in zip(found.tolist(), outputs, *columns, strict=True):
            matches = [clipped(output, refs, n).total() for n in range(1, 5)]
            counts = [max(len(output) - n, 0) for n in range(4)]
            assert row == [len(output), reference_length(output, refs, kind), *matches, *counts]


def test_simpbleu_statistics():
    """With several references those of the one that scores highest."""
    simpbleu = metric.create("simpbleu:tok=space")
    for number in range(20):
        outputs, columns = corpus(f"simpbleu/{number}", 1 + number % 4)
        found = scored(outputs, columns, "simpbleu:tok=space").statistics.table[0]
        for row, output, *refs in zip(found.tolist(), outputs, *columns, strict=True):
            rows = [
                [len(output), len(ref)]
                + [clipped(output, [ref], n).total() for n in range(1, 5)]
                + [max(len(words) - n, 0) for words in (output, ref) for n in range(4)]
                for ref in refs
            ]
            assert row == rows[int(np.argmax(simpbleu.score(np.array(rows))))]

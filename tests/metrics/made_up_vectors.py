"""Small files of word vectors, made up on the spot, and vectors in double precision that need no file."""

from __future__ import annotations

import itertools
import random

import numpy as np

from assay.metrics import token_vectors
from assay.metrics.token_vectors import EmbeddedTexts
from assay.metrics.tokenized_texts import TokenizedTexts
from assay.testing import sample_testset


def write(path, vectors):
    """Write vectors by word to a file in the format of word2vec; its path as text."""
    lines = [f"{word} {' '.join(map(str, vector))}\n" for word, vector in vectors.items()]
    dimension = len(next(iter(vectors.values())))
    path.write_text(f"{len(vectors)} {dimension}\n" + "".join(lines), encoding="utf-8")
    return str(path)


def of_words(words, dimension=8, seed=1):
    """Random vectors. They point to one side, as those of real words do, so that most cosines are positive."""
    rng = random.Random(seed)
    return {word: [round(rng.gauss(0.5, 1), 3) for _ in range(dimension)] for word in words}


def of_sample(path):
    """Vectors of most words of `assay.testing.sample_testset`."""
    testset = sample_testset()
    columns = (*testset.references.values(), *testset.outputs.values(), testset.sources)
    words = token_vectors.tokenize(columns, "13a", lowercase=False).words
    return write(path, of_words(word for i, word in enumerate(words) if i % 7 != 3))


def of_encoded(columns):
    """Columns of texts, given as tokens and a matrix of their vectors, or None: every token is a row of its own."""
    words = []
    rows, starts, available, matrices = [], [], [], []
    for column in columns:
        lengths = [0 if text is None else len(text[0]) for text in column]
        rows.append(np.arange(len(words), len(words) + sum(lengths), dtype=np.int32))
        starts.append(np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]))
        available.append(np.array([text is not None for text in column], dtype=np.bool_))
        words += itertools.chain.from_iterable(text[0] for text in column if text is not None)
        matrices += [text[1] for text in column if text is not None]
    texts = TokenizedTexts(words, tuple(rows), tuple(starts), tuple(available))
    return EmbeddedTexts(texts, np.concatenate(matrices))


class ExactVectors:
    """Vectors by word, in double precision: a `TokenVectors` for words between spaces."""

    is_contextual = False
    layer = None
    special_tokens = frozenset()
    name = "made up"

    def __init__(self, vectors):
        self.vectors = {word: np.array(vector, dtype=np.float64) for word, vector in vectors.items()}
        self.zero = np.zeros(len(next(iter(self.vectors.values()))))

    def notes(self, columns, where):
        return ()

    def tokenize(self, columns):
        return token_vectors.tokenize(columns, "none", lowercase=False)

    def embed(self, columns, runtime):
        texts = self.tokenize(columns)
        vectors = [self.vectors.get(word, self.zero) for word in texts.words]
        return EmbeddedTexts(texts, np.array(vectors).reshape(len(vectors), len(self.zero)))

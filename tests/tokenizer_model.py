"""A small SentencePiece model, trained on the spot."""

from __future__ import annotations

import random

import pytest

LINES = ["the cat sat on the mat", "a dog ran over the hill", "cats and dogs ran", "the hill is near the mat"]


def train(folder):
    """The path of a model in a folder; skips the test without sentencepiece."""
    sentencepiece = pytest.importorskip("sentencepiece")
    rng = random.Random(1)
    words = " ".join(LINES).split()
    sentences = [" ".join(rng.choices(words, k=8)) for _ in range(200)]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_prefix=str(folder / "small"),
        vocab_size=40,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return f"{folder / 'small'}.model"

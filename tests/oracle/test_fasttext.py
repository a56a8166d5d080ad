"""fastText trains tiny models; our vectors of known and unknown words are its own."""

from __future__ import annotations

import random

import numpy as np
import pytest

from assay.vectors import open_vectors

WORDS = ["house", "Haus", "дом", "家", "naïve", "</s>x", "a", "bb", "ſß", "😀", "0", "<b>"]
UNKNOWN = ["houses", "Häuser", "дома", "日本語", "</s>", "😀😀x", "z", "<", "é", "x" * 300]


@pytest.mark.parametrize(
    "options",
    [
        {"minn": 3, "maxn": 6, "bucket": 2000},
        {"minn": 1, "maxn": 2, "bucket": 20_000},
        {"minn": 0, "maxn": 3, "bucket": 100},
        {"minn": 5, "maxn": 5, "bucket": 100, "model": "cbow"},
        {"minn": 0, "maxn": 0},
    ],
    ids=str,
)
def test_words_and_unknown_words(tmp_path, options):
    fasttext = pytest.importorskip("fasttext")
    draw = random.Random(1)
    words = WORDS + [f"w{i}" for i in range(500)]
    text = "".join(" ".join(draw.choices(words, k=10)) + "\n" for _ in range(500))
    (tmp_path / "text").write_text(text, encoding="utf-8")
    model = fasttext.train_unsupervised(
        str(tmp_path / "text"), dim=20, epoch=1, minCount=1, verbose=0, thread=1, **options
    )
    model.save_model(str(tmp_path / "model.bin"))
    words = [*model.words, *UNKNOWN]
    rows, known = open_vectors(tmp_path / "model.bin", case="exact").lookup(words)
    expected = np.array([model.get_word_vector(word) for word in words])
    np.testing.assert_allclose(rows, expected, rtol=1e-6, atol=1e-6)
    assert known[: len(model.words)].all()
    if not options["maxn"]:
        assert known[len(model.words) :].tolist() == [word in model.words for word in UNKNOWN]

"""A multilingual Universal Sentence Encoder with small weights that are made up."""

from __future__ import annotations

import shutil

import numpy as np

from tests import tokenizer_model

BLOCKS, EMBEDDED, INNER, STATE = 3, 6, 4, 5


def write(folder):
    """Write it to a folder. Piece i is row i // 3 of block i % 3."""
    folder.mkdir()
    shutil.copy(tokenizer_model.train(folder.parent), folder / "sp.model")
    np.savez(folder / "weights.npz", **weights())
    return folder


def weights():
    rng = np.random.default_rng(1)
    arrays = {f"q{i + 1}": rng.integers(0, 256, (20, EMBEDDED), dtype=np.uint8) for i in range(BLOCKS)}
    arrays |= {"scale": rng.random(BLOCKS), "lo": -rng.random(BLOCKS), "eps": np.array(1e-6)}
    for n in (2, 3, 5):
        shapes = {f"proj{n}": (EMBEDDED, INNER), f"w1_{n}": (n * INNER, INNER), f"w2_{n}": (n * INNER, INNER)}
        shapes |= dict.fromkeys((f"proj_b{n}", f"ln_g{n}", f"ln_b{n}", f"b1_{n}", f"b2_{n}"), (INNER,))
        arrays |= {name: rng.normal(size=shape) for name, shape in shapes.items()}
    total = EMBEDDED + 3 * INNER
    shapes = {"ln_g": (total,), "ln_b": (total,), "cnn_W": (total, STATE), "cnn_b": (STATE,)}
    arrays |= {name: rng.normal(size=shape) for name, shape in shapes.items()}
    return {name: array if array.dtype == np.uint8 else array.astype(np.float32) for name, array in arrays.items()}

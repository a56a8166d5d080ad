"""The seed of sacreBLEU's resamples, which its environment variable sets."""

from __future__ import annotations

import os

import numpy as np

from assay.errors import ConfigError

__all__ = ["seed_text", "seeded_generator"]


def seed_text() -> str:
    """The seed of the environment, as sacreBLEU writes it in the signature of a score with its interval."""
    return os.environ.get("SACREBLEU_SEED", "12345").lower()


def seeded_generator() -> tuple[int | None, np.random.Generator]:
    """The seed of the environment, None if it is random, and a generator."""
    text = seed_text()
    try:
        seed = None if text == "none" else int(text)
        return seed, np.random.default_rng(seed)
    except ValueError:
        raise ConfigError(f"SACREBLEU_SEED is '{text}'", hint="use a non-negative integer or none") from None

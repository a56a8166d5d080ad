from __future__ import annotations

import pytest

from assay.compat.sacrebleu.seed import seed_text, seeded_generator
from assay.errors import ConfigError


def test_the_environment_sets_the_seed(monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    assert (seed_text(), seeded_generator()[0]) == ("12345", 12345)
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    assert (seed_text(), seeded_generator()[0]) == ("none", None)


@pytest.mark.parametrize("text", ["x", "-1", "1.5"])
def test_other_seeds_are_refused(monkeypatch, text):
    monkeypatch.setenv("SACREBLEU_SEED", text)
    with pytest.raises(ConfigError, match="SACREBLEU_SEED is"):
        seeded_generator()

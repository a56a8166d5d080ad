"""What every encoder promises: as many states as tokens, and words that follow each other."""

from __future__ import annotations

import numpy as np
import pytest

from assay.encoders import Encoder
from assay.types.runtime import Runtime
from tests.encoders.made_up_encoder import MadeUpEncoder


def test_an_encoder_must_say_everything():
    with pytest.raises(TypeError, match="abstract"):
        Encoder()


def test_states_and_words_belong_to_tokens():
    encoder = MadeUpEncoder()
    (tokens,) = encoder.tokenize(["abcd ef"])
    assert len(tokens.ids) == len(tokens.forms) == len(tokens.words)
    assert [i for i, word in enumerate(tokens.words) if word is None] == [0, len(tokens.ids) - 1]
    (states,) = encoder.states(encoder.open("cpu"), [tokens.ids], 1, Runtime())
    assert states.dtype == np.float32
    assert len(states) == len(tokens.ids)


def test_an_encoder_runs_on_the_cpu_unless_it_says_more():
    """Another encoder of the same run may be on the device."""
    assert [MadeUpEncoder().device(name) for name in ("auto", "cpu", "cuda:1")] == ["cpu"] * 3

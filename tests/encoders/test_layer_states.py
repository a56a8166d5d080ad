"""States of a layer through batches, as metrics use them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from assay.encoders import LayerStates, open_encoder
from assay.errors import InputError
from assay.neural import compute
from assay.types.runtime import Runtime
from tests.encoders import tiny_use


def test_states_are_those_of_the_encoder(tmp_path):
    folder = tiny_use.write(tmp_path / "use")
    network = LayerStates.of(str(folder), layer=1)
    encoder = open_encoder(folder)
    ids = [text.ids for text in encoder.tokenize(["the cat ran", "dogs"])]
    alone, together = compute(network, ids, Runtime(batch_size=1)), encoder.states(None, ids, 1, Runtime())
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_it_can_be_sent_to_another_process_and_says_what_it_depends_on(tmp_path):
    folder = tiny_use.write(tmp_path / "use")
    network = LayerStates.of(str(folder), layer=1)
    assert pickle.loads(pickle.dumps(network)) == network
    assert network.identity == f"{network.digest}-layer1-fp32"
    assert LayerStates.of(str(folder), layer=0).identity != network.identity


def test_an_encoder_that_changes_while_it_is_in_use(tmp_path):
    folder = tiny_use.write(tmp_path / "use")
    network = LayerStates.of(str(folder), layer=1)
    (folder / "weights.npz").write_bytes((folder / "weights.npz").read_bytes() + b"another version")
    with pytest.raises(InputError, match="use: changed while it was in use"):
        compute(network, [(1, 2)], Runtime())


def test_files_that_are_not_read_change_nothing(tmp_path):
    folder = tiny_use.write(tmp_path / "use")
    before = LayerStates.of(str(folder), layer=1)
    runtime = Runtime(cache=tmp_path / "cache")
    expected = compute(before, [(1, 2)], runtime)
    (folder / "README.md").write_text("where it is from")
    (folder / "logs").mkdir()
    (folder / "logs" / "weights.npz").write_text("a copy elsewhere")
    after = LayerStates.of(str(folder), layer=1)
    assert after == before
    after.open("cpu")  # while it is in use, too
    done = []
    report = Runtime(cache=tmp_path / "cache", progress=lambda *each: done.append(each))
    assert compute(after, [(1, 2)], report)[0].tobytes() == expected[0].tobytes()
    assert not done  # all in the cache
    (folder / "weights.npz").write_bytes((folder / "weights.npz").read_bytes() + b"x")
    assert LayerStates.of(str(folder), layer=1).identity != before.identity


def test_layers_of_an_encoder_share_its_weights(tmp_path):
    folder = tiny_use.write(tmp_path / "use")
    zero, one = (LayerStates.of(str(folder), layer=layer) for layer in (0, 1))
    assert zero.weights_key == one.weights_key
    assert zero.identity != one.identity

"""States of a layer through batches, as metrics use them."""

from __future__ import annotations

import pickle

import numpy as np

from assay.encoders import LayerStates, open_encoder
from assay.neural import compute
from assay.runtime import Runtime
from tests.encoders import tiny_use


def test_states_are_those_of_the_encoder(tmp_path):
    folder = tiny_use.write(tmp_path / "use")
    network = LayerStates.of(str(folder), layer=1)
    encoder = open_encoder(folder)
    ids = [each.ids for each in encoder.tokenize(["the cat ran", "dogs"])]
    for one, other in zip(compute(network, ids, Runtime(batch_size=1)), encoder.states(ids, 1, Runtime()), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_it_can_be_sent_to_another_process_and_says_what_it_depends_on(tmp_path):
    folder = tiny_use.write(tmp_path / "use")
    network = LayerStates.of(str(folder), layer=1)
    assert pickle.loads(pickle.dumps(network)) == network
    assert network.identity == f"{network.digest}-layer1-fp32"
    assert LayerStates.of(str(folder), layer=0).identity != network.identity

"""What a network does unless it says otherwise."""

from __future__ import annotations

import pytest

from assay.neural import Network
from tests.neural.made_up_network import MadeUpNetwork


def test_a_network_is_abstract():
    with pytest.raises(TypeError, match="abstract"):
        Network()


def test_a_network_may_have_nothing_to_open():
    network = MadeUpNetwork()
    assert network.open("cpu") is None
    assert network.weights_key == MadeUpNetwork()
    assert super(MadeUpNetwork, network).device("cpu") == "cpu"

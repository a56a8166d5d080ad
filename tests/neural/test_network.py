"""What a network says about itself."""

from __future__ import annotations

from assay.neural import PRECISIONS
from tests.neural.made_up_network import MadeUpNetwork


def test_precisions():
    assert PRECISIONS == ("fp32", "bf16", "fp16")


def test_a_network_says_what_it_does():
    assert MadeUpNetwork().task == "Encoding texts"
    assert super(MadeUpNetwork, MadeUpNetwork()).device("cpu") == "cpu"

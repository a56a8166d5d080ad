"""Neural networks that compute an array for a text: in batches, each distinct text once, on any device.

    vectors = assay.neural.compute(network, [(0, 581, 2), (0, 8, 2)], assay.Runtime(cache=Path("cache")))

A `Network` says what it computes for a batch of token ids. Everything else is here: which inputs go into one batch,
which results are cached, which network is in memory, what happens if memory runs out, and several devices.
"""

from __future__ import annotations

from assay.lazily import attach

# The names are in __init__.pyi.
__getattr__, __dir__, __all__ = attach(__name__, __file__)

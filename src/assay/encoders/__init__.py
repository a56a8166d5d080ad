"""Contextual encoders: texts to tokens whose vectors depend on the text.

    encoder = assay.encoders.open_encoder("minilm-en")     # a name in the resource folder, or the path of a folder
    tokens = encoder.tokenize(["A house."])                # in pieces of the encoder's own tokeniser
    network = assay.encoders.LayerStates.of("minilm-en", layer=6)
    (states,) = assay.neural.compute(network, [tokens[0].ids], assay.Runtime())

An encoder is a folder of one of the `formats`. Nothing is ever downloaded. Its libraries (torch is one) are imported
when an encoder is opened, not before.
"""

from __future__ import annotations

from assay.lazily import attach

# The names are in __init__.pyi.
__getattr__, __dir__, __all__ = attach(__name__, __file__)

"""Trained models of learned metrics, one file for each format of a checkpoint.

    model = assay.learned.open_comet("wmt22-comet-da")     # a name in the resource folder, or the path of a folder
    model.score([Segment(output="A house.", source="Ein Haus.", reference="A house.")], assay.Runtime())

Nothing is ever downloaded, and no code of a checkpoint is run. torch is imported when a model is opened, not before.
"""

from __future__ import annotations

from assay.lazily import attach

# The names are in __init__.pyi.
__getattr__, __dir__, __all__ = attach(__name__, __file__)

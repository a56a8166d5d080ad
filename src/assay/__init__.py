"""Assay: machine-translation evaluation you can defend.

>>> import assay
>>> ts = assay.load(references=["the cat sat"], outputs={"base": ["the cat sat down"]})
>>> run = assay.score(ts, ["bleu", "chrf"])
>>> round(run["chrf"].corpus["base"], 2)
88.6
"""

from __future__ import annotations

from assay.lazily import attach

# The names are in __init__.pyi; `import assay` and `assay --help` must not wait for numpy.
__getattr__, __dir__, __all__ = attach(__name__, __file__)

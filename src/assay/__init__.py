"""Assay: machine-translation evaluation you can defend.

>>> import assay
>>> ts = assay.load(references=["the cat sat"], outputs={"base": ["the cat sat down"]})
>>> run = assay.score(ts, ["bleu", "chrf"])
>>> round(run["chrf"].corpus["base"], 2)
88.6
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.contracts import Metric as Metric
    from assay.errors import AssayError as AssayError
    from assay.results import Difference as Difference
    from assay.results import Disagreement as Disagreement
    from assay.results import Estimate as Estimate
    from assay.results import Match as Match
    from assay.results import MetricScores as MetricScores
    from assay.results import Run as Run
    from assay.results import Scores as Scores
    from assay.store import open_run as open_run
    from assay.store import save_run as save_run
    from assay.study import diff as diff
    from assay.study import load as load
    from assay.study import match as match
    from assay.study import score as score
    from assay.types import Signature as Signature
    from assay.types import Statistics as Statistics
    from assay.types import TestSet as TestSet
    from assay.version import __version__ as __version__

# Imported when first used, so that `import assay` and `assay --help` do not wait for numpy.
_HOME = {
    "AssayError": "errors",
    "Difference": "results",
    "Disagreement": "results",
    "Estimate": "results",
    "Match": "results",
    "Metric": "contracts",
    "MetricScores": "results",
    "Run": "results",
    "Scores": "results",
    "Signature": "types",
    "Statistics": "types",
    "TestSet": "types",
    "__version__": "version",
    "diff": "study",
    "load": "study",
    "match": "study",
    "open_run": "store",
    "save_run": "store",
    "score": "study",
}

__all__ = [
    "AssayError",
    "Difference",
    "Disagreement",
    "Estimate",
    "Match",
    "Metric",
    "MetricScores",
    "Run",
    "Scores",
    "Signature",
    "Statistics",
    "TestSet",
    "__version__",
    "diff",
    "load",
    "match",
    "open_run",
    "save_run",
    "score",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'assay' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"assay.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})

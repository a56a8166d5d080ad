"""The verdict in words, by rules: what the results say, before any table.

- A difference is called one only if the corrected p-value of its test is below alpha; else "no difference shown".
- A metric whose lower scores are better counts like any other: what is said is which system it puts ahead.
- What people would notice is said with the population of the calibration, or "no calibration" with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assay.results import (
    Calibration,
    Decisions,
    MetaEvaluation,
    Ranking,
    Reproduction,
    Result,
    RobustnessCurves,
    Run,
    SystemComparison,
)
from assay.words.metrics import calibration_verdict, curves_verdict, decisions_verdict, meta_verdict
from assay.words.papers import reproduction_verdict
from assay.words.people import ranking_for, ranking_of, ranking_verdict
from assay.words.scores import run_verdict
from assay.words.statement import Verdict
from assay.words.systems import comparison_verdict

__all__ = ["found_by", "verdict"]

_BUILDERS: tuple[tuple[type[Result], Callable[[Any], Verdict]], ...] = (
    (Ranking, ranking_verdict),
    (Run, run_verdict),
    (MetaEvaluation, meta_verdict),
    (RobustnessCurves, curves_verdict),
    (Calibration, calibration_verdict),
    (Decisions, decisions_verdict),
    (Reproduction, reproduction_verdict),
)


def found_by(results: Sequence[Result]) -> Result | None:
    """The result that the verdict is about: a comparison, a ranking or scores of systems if there is one."""
    ranking = ranking_of(results)
    found = results if ranking is None else (ranking, *results)
    kinds: list[type[Result]] = [SystemComparison, *(kind for kind, _ in _BUILDERS)]
    for kind in kinds:
        for result in found:
            if isinstance(result, kind):
                return result
    return None


def verdict(results: Sequence[Result]) -> Verdict:
    """The verdict on systems if systems were compared, ranked or scored, else on metrics; else none."""
    about = found_by(results)
    if isinstance(about, SystemComparison):
        return comparison_verdict(about, ranking_for(results, about.inputs.lp))
    for kind, build in _BUILDERS:
        if isinstance(about, kind):
            return build(about)
    return Verdict(())

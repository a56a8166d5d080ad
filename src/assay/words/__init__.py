"""What results say, in sentences: the same on a terminal, on a page and in JSON.

A comparison has a brief form, for a terminal that shows no details: what it says is said in full elsewhere, too.

- A difference is called one only if the corrected p-value of its test is below alpha; else "no difference shown".
- A metric whose lower scores are better counts like any other: what is said is which system it puts ahead.
- What people would notice is said with the population of the calibration, or "no calibration" with the reason.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from assay.results import Result
from assay.words.statement import Verdict

__all__ = ["Verdict", "found_by", "verdict"]

_BUILDERS = {
    "SystemComparison": "systems.comparison_verdict",
    "Ranking": "people.ranking_verdict",
    "Leaderboard": "leaderboard.leaderboard_verdict",
    "Run": "scores.run_verdict",
    "MetaEvaluation": "metrics.meta_verdict",
    "RobustnessCurves": "metrics.curves_verdict",
    "Calibration": "metrics.calibration_verdict",
    "Decisions": "metrics.decisions_verdict",
    "Reproduction": "papers.reproduction_verdict",
    "Explanation": "calibration.explanation_verdict",
    "JointExplanation": "joint.joint_verdict",
    "Triage": "triage.triage_verdict",
    "Preferences": "preference.preferences_verdict",
    "Training": "training.training_verdict",
}
"""What makes the verdict on a type of result, by name, so that a verdict imports no more than it needs. Where several
results stand on a page, the verdict is on the first of these types."""
_RANKINGS = ("Ranking", "PairRankings")


def found_by(results: Sequence[Result]) -> Result | None:
    """The result that the verdict is about: a comparison, a ranking or scores of systems if there is one."""
    found = results
    if any(type(result).__name__ in _RANKINGS for result in results):
        from assay.words.people import ranking_of  # imports numpy, which a plain score does not need

        ranking = ranking_of(results)
        found = results if ranking is None else (ranking, *results)
    return next((result for name in _BUILDERS for result in found if type(result).__name__ == name), None)


def verdict(results: Sequence[Result]) -> Verdict:
    """The verdict on systems if systems were compared, ranked or scored, else on metrics; else an empty one."""
    about = found_by(results)
    if about is None:
        return Verdict()
    module, function = _BUILDERS[type(about).__name__].split(".")
    build = getattr(importlib.import_module(f"{__name__}.{module}"), function)
    found: Verdict = build(about, *_beside(about, results))
    return found


def _beside(about: Result, results: Sequence[Result]) -> tuple[Result | None, ...]:
    """What else the verdict rests on: that on a comparison also says what people said of the systems."""
    if type(about).__name__ != "SystemComparison":
        return ()
    from assay.results import SystemComparison
    from assay.words.people import ranking_for

    return (ranking_for(results, about.inputs.lp),) if isinstance(about, SystemComparison) else ()

"""Results without texts: what a report is made of that must not show any."""

from __future__ import annotations

from dataclasses import replace

from assay.results import Examples, NgramDifferences, Result, Run, SystemComparison
from assay.types import TestSet

__all__ = ["without_texts"]


def without_texts(result: Result) -> Result:
    """The result without source, references and outputs, and without examples and n-grams, which quote them."""
    if isinstance(result, Run | SystemComparison) and isinstance(result.inputs, TestSet):
        result = replace(result, inputs=result.inputs.record)
    if isinstance(result, SystemComparison):
        kept = tuple(each for each in result.contrasts if not isinstance(each, Examples | NgramDifferences))
        result = replace(result, contrasts=kept)
    return result

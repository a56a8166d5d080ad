"""The fits to judgements of segments that come with Assay, one for each of some metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from assay.files.strict_json import parse_object
from assay.results import (
    CoveragePoint,
    Estimate,
    HeldOutPreferences,
    PreferenceBin,
    PreferenceEvaluation,
    PreferencePopulation,
    SegmentPreferenceFit,
)

__all__ = ["SEGMENTS_FILE", "JudgedFit", "bundled_segments"]

SEGMENTS_FILE = "wmt-segments.json"


@dataclass(frozen=True, slots=True)
class JudgedFit:
    """A fit, the judgements that it rests on, and how it does on those that it was not fitted to."""

    fit: SegmentPreferenceFit
    population: PreferencePopulation
    evaluations: tuple[PreferenceEvaluation, ...]

    def tree(self) -> dict[str, Any]:
        """As the file has it."""
        return {
            "fit": self.fit.tree(),
            "population": self.population.tree(),
            "evaluations": [each.tree() for each in self.evaluations],
        }

    @classmethod
    def of(cls, tree: Mapping[str, Any]) -> JudgedFit:
        """From what the file has."""
        fit, population = (_values(tree[name]) for name in ("fit", "population"))
        evaluations = tuple(map(_evaluation, tree["evaluations"]))
        return cls(SegmentPreferenceFit(**fit), PreferencePopulation(**population), evaluations)


@cache
def bundled_segments() -> Mapping[str, JudgedFit]:
    """The fits by the spec of the metric."""
    place = resources.files("assay.calibration") / "bundled" / SEGMENTS_FILE
    tree = parse_object(place.read_text(encoding="utf-8"), path=SEGMENTS_FILE)
    return {name: JudgedFit.of(each) for name, each in tree.items()}


def _evaluation(tree: Mapping[str, Any]) -> PreferenceEvaluation:
    rates = ("accuracy", "opposite")
    curve = (
        CoveragePoint(**{**each, **{name: Estimate(**_values(each[name])) for name in rates}}) for each in tree["curve"]
    )
    parts = (HeldOutPreferences(**_values(each)) for each in tree["parts"])
    bins = (PreferenceBin(**each) for each in tree["bins"])
    return PreferenceEvaluation(**{**tree, "bins": tuple(bins), "curve": tuple(curve), "parts": tuple(parts)})


def _values(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Lists as tuples, with NaN for null. What the file leaves out is a default."""
    return {
        name: tuple(math.nan if each is None else each for each in value) if isinstance(value, list) else value
        for name, value in tree.items()
    }

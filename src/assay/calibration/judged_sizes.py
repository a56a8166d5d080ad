"""Curves for a number of judged segments: fitted when they are asked for, to samples of the judgements of campaigns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from assay.calibration.curves import fit_curve
from assay.calibration.judged_pairs import system_pairs_of
from assay.calibration.judgement_samples import outside_samples
from assay.calibration.options import Key
from assay.calibration.outcomes import Observations, observe
from assay.calibration.populations import MIN_LANGUAGE_PAIRS, fitted_population, populations
from assay.calibration.system_pairs import SystemPairs
from assay.calibration.validation import Drawing
from assay.results import ALL, Calibration, CalibrationCurve, JudgedPairs, Population
from assay.results.calibration import FEW_PAIRS, SIGNIFICANT
from assay.significance import ALPHA

__all__ = ["resized"]

_KEPT = 64


@dataclass(frozen=True, slots=True)
class _Sampled:
    """What curves are fitted to."""

    pairs: tuple[JudgedPairs, ...]
    key: Key
    judged: int
    group: str
    orientation: str
    alpha: float
    drawing: Drawing

    def observed(self, members: list[SystemPairs], kinds: str) -> Observations:
        """The pairs of some members, with the shares of samples as outcomes."""
        return observe(
            members, self.key, SIGNIFICANT, self.orientation, self.alpha, kinds=kinds, judged_segments=self.judged
        )


def resized(
    calibration: Calibration, metric: str, aggregation: str, group: str, judged: int, source: str
) -> Calibration | str:
    """The curves of a metric for a number of judged segments of each system, or why there are none.

    They are those of all pairs, of kinds of systems and of one group of target languages, for every protocol.
    """
    if not calibration.pairs:
        return f"'{source}' has no pairs of systems; assay calibrate fits a calibration that has them"
    if reason := outside_samples(calibration.pairs, judged, source):
        return reason
    alpha, drawing = float(calibration.settings.get("alpha", ALPHA)), Drawing.of(calibration.settings)
    key = (metric, aggregation)
    asked = _Sampled(calibration.pairs, key, judged, group, calibration.orientation, alpha, drawing)
    return Calibration(calibration.settings, _curves(asked))


@lru_cache(maxsize=_KEPT)
def _curves(asked: _Sampled) -> tuple[CalibrationCurve, ...]:
    return tuple(_fitted(asked))


def _fitted(asked: _Sampled) -> Iterator[CalibrationCurve]:
    found = list(populations([system_pairs_of(each, [asked.key]) for each in asked.pairs]))
    whole = {each.protocol: members for each, members in found if each == Population(each.protocol)}
    for population, members in found:
        observed = asked.observed(members, population.kinds)
        pairs = sum(map(len, observed.lps.values()))
        is_few = population.kinds != ALL and len(observed) < FEW_PAIRS
        if population.group not in (ALL, asked.group) or pairs < MIN_LANGUAGE_PAIRS or is_few:
            continue
        is_part = population.group != ALL or population.kinds != ALL
        yield fit_curve(
            asked.key,
            SIGNIFICANT,
            fitted_population(population, observed, asked.judged),
            observed,
            pooled=asked.observed(whole[population.protocol], ALL) if is_part else None,
            at=(),
            drawing=asked.drawing,
        )

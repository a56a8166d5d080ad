"""Fit which of two outputs people prefer to judgements of segments on the WMT archives in $ASSAY_DATA.

The fits of some metrics go into one file of the package, and digests of the references of the judged segments into
another, so that answers about these segments can say that they are no predictions.

    python -m scripts.bundle_preferences

Judgements of translators and of trained annotators (MQM, ESA, DA+SQM) are used. Those of a crowd (DA) are left out: the
outputs of a segment were scored by different people, so that their differences are mostly those of the people. The
files have only fits, counts and digests, no texts and no human scores.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

import assay
from assay.aggregate.resample import CONFIDENCE, SEED
from assay.aggregate.unit_intervals import UnitResamples
from assay.calibration.fitted_texts import TEXTS_FILE, fitted_texts
from assay.calibration.segment_files import SEGMENTS_FILE, JudgedFit
from assay.calibration.segment_preference import OutputPairs, evaluations, fit_segments, population
from assay.trained.judged_texts import encoded_texts
from assay.training.output_pairs import PairsChoice, output_pairs
from assay.types import Campaign
from assay.types.runtime import Runtime
from scripts import archives
from scripts.bundle_calibration import CAMPAIGNS, TARGET, WITHOUT_SPACES

LEFT_OUT = "DA-z"
RESAMPLES = 1000
DIGITS = 4


def rounded(value: Any) -> Any:
    """Numbers to a few digits, and nothing that is not asked."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, list):
        return [rounded(each) for each in value]
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items() if each is not None}
    return value


def judged_campaigns() -> list[Campaign]:
    """All campaigns that are there."""
    return [
        campaign
        for name in CAMPAIGNS
        if archives.is_there(name)
        for campaign in assay.load_campaigns(archives.unpacked(name))
    ]


def judged_pairs(campaigns: list[Campaign], names: tuple[str, ...]) -> list[OutputPairs]:
    """The pairs of outputs of all campaigns with scores by these metrics, one after the other."""
    pairs, notes = output_pairs(campaigns, PairsChoice(names, frozenset()), Runtime())
    for note in notes:
        sys.stderr.write(f"{note}\n")
    return [each for each in pairs if each.protocol != LEFT_OUT]


def bundle(pairs: list[OutputPairs], name: str) -> dict[str, Any]:
    """The fit of one metric, as the file has it."""
    drawn = UnitResamples(RESAMPLES, SEED, CONFIDENCE, Runtime())
    found = JudgedFit(fit_segments(pairs), population(pairs), tuple(evaluations(pairs, (name,), drawn)))
    tree: dict[str, Any] = rounded(found.tree())
    return tree


def texts(campaigns: list[Campaign], pairs: list[OutputPairs]) -> dict[str, str]:
    """The digests of the judged segments of each language pair."""
    by_name = {(each.name, each.lp): each for each in campaigns}
    return {
        each.label: encoded_texts(fitted_texts(by_name[each.campaign, each.lp], np.unique(each.segment).tolist()))
        for each in pairs
    }


def write(file: str, tree: dict[str, Any]) -> None:
    """Write a file of the package."""
    text = json.dumps(tree, ensure_ascii=False, separators=(",", ":"))
    (TARGET.parent / file).write_text(f"{text}\n", encoding="utf-8")


def main() -> None:
    """Write the files."""
    campaigns = judged_campaigns()
    pairs = {name: judged_pairs(campaigns, (name,)) for name in sorted(WITHOUT_SPACES)}
    write(TEXTS_FILE, texts(campaigns, next(iter(pairs.values()))))
    write(SEGMENTS_FILE, {name: bundle(each, name) for name, each in pairs.items()})


if __name__ == "__main__":
    main()

"""Whether a language pair says more of its systems than all others: a table in docs/methods/calibration.md.

    python -m scripts.calibration_languages

Each pair of systems (ESA, WMT24 and WMT25) is predicted by pairs of the same language pair with about the same
difference and without either system, and by a curve of all other language pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from assay.calibration.by_language import JudgedMembers
from assay.calibration.files import bundled
from assay.calibration.isotonic import fit_isotonic
from assay.calibration.outcomes import Observations
from assay.labels.metrics import metric_label
from assay.results.calibration import FEW_PAIRS
from assay.types import FloatArray, Mask
from scripts.calibration_eras import PAGE
from scripts.studies.page import table

START, END = "<!-- written by scripts/calibration_languages.py -->", "<!-- end of the table of language pairs -->"
KEYS = (
    ("bleu", "corpus"),
    ("chrf", "corpus"),
    ("CometKiwi-XL", "stored"),
    ("GEMBA-ESA-CMDA", "stored"),
    ("GEMBA-ESA-GPT4.1", "stored"),
    ("MetricX-24-Hybrid-XL", "stored"),
    ("XCOMET-XL", "stored"),
)
NEAR = 2.0


def main() -> None:
    """Write the table."""
    titles = ("metric", "pairs", "own language pair", "all others", "contradicted", "own", "others")
    text = table(titles, list(_rows()), texts=1)
    page = PAGE.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(START)}.*?{re.escape(END)}", re.DOTALL)
    if not pattern.search(page):
        raise SystemExit(f"{PAGE} has no place for the table")
    PAGE.write_text(pattern.sub(lambda _: f"{START}\n\n{text}\n\n{END}", page), encoding="utf-8")


def _rows() -> Iterator[tuple[str, ...]]:
    """The Brier scores of both, then of the pairs whose language pair has the worse-scored system more often."""
    metrics = [metric for metric, _ in KEYS]
    pairs = bundled(metrics, pairs_of=metrics).pairs
    for key in KEYS:
        observed = JudgedMembers(pairs, key, "ESA").observed()
        own, others, is_reversed = _predictions(observed)
        known = ~np.isnan(own)
        errors = [(each - observed.y) ** 2 for each in (own, others)]
        numbers = [f"{each[known].mean():.3f}" for each in errors]
        there = known & is_reversed
        numbers += [f"{there.sum():,}", *(f"{each[there].mean():.3f}" if there.any() else "–" for each in errors)]
        yield metric_label(key[0]), f"{known.sum():,}", *numbers


def _predictions(observed: Observations) -> tuple[FloatArray, FloatArray, Mask]:
    """By the own language pair (NaN: too few pairs), by the others, and whether the own one is the other way round."""
    own, others = np.full((2, len(observed)), np.nan)
    is_reversed = np.zeros(len(observed), dtype=np.bool_)
    for number in np.unique(observed.cluster):
        members = np.flatnonzero(observed.cluster == number)
        rest = observed.cluster != number
        others[members] = fit_isotonic(observed.x[rest], observed.y[rest])(observed.x[members])
        for place in members.tolist():
            x = observed.x[place]
            is_near = (observed.x[members] >= x / NEAR) & (observed.x[members] <= x * NEAR)
            is_apart = ~np.isin(observed.systems[members], observed.systems[place]).any(axis=1)
            used = members[is_near & is_apart]
            if len(used) >= FEW_PAIRS:
                own[place] = observed.y[used].mean()
                is_reversed[place] = observed.opposite[used].mean() > own[place]
    return own, others, is_reversed


if __name__ == "__main__":
    main()

"""How well the bundled calibration predicts each campaign from the others: a table in docs/methods/calibration.md.

    python -m scripts.calibration_eras

Every campaign is left out in turn, and its pairs are predicted from those of the others: by the same protocol, and by
all. The base rate is the share of the pairs by the same protocol, or of all where no other campaign has it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from assay.calibration.files import bundled
from assay.calibration.isotonic import fit_isotonic
from assay.labels.metrics import metric_label
from assay.results import ALL
from assay.results.calibration import SIGNIFICANT
from assay.types import FloatArray
from scripts.bundle_calibration import STORED
from scripts.studies.judged_pairs import Pair, judged_pairs
from scripts.studies.page import table

PAGE = Path(__file__).parents[1] / "docs" / "methods" / "calibration.md"
START, END = "<!-- written by scripts/calibration_eras.py -->", "<!-- end of what it writes -->"
METRICS = ("bleu", "chrf", "COMET")
KINDS = {"LLM": "two LLMs", "MT-over-LLM": "MT ahead of LLM", "LLM-over-MT": "LLM ahead of MT"}


def main() -> None:
    """Write the table."""
    pairs = judged_pairs()
    rows = [row for metric in METRICS for row in _rows([pair for pair in pairs if pair.metric == metric])]
    titles = ("metric", "left out", "judged by", "pairs", "same protocol", "all others", "base rate", "best")
    wins = sum(row[-1] == "base rate" for row in rows)
    text = "\n\n".join(
        (
            table(titles, rows, texts=3),
            f"The base rate wins in {wins} of {len(rows)} rows. The other stored scores are of one campaign each, so "
            "that each language pair is predicted from the others:",
            table(("metric", "left out", "judged by", "pairs", "curve", "base rate", "best"), _stored_rows(), texts=3),
            "All bundled curves of all metrics and aggregations, and how many of them the base rate beats on what was "
            "left out (campaigns, or language pairs where there is one campaign):",
            table(("judged by", "pairs of systems", "curves", "the base rate wins"), _population_rows(), texts=2),
        )
    )
    page = PAGE.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(START)}.*?{re.escape(END)}", re.DOTALL)
    if not pattern.search(page):
        raise SystemExit(f"{PAGE} has no place for the table")
    PAGE.write_text(pattern.sub(lambda _: f"{START}\n\n{text}\n\n{END}", page), encoding="utf-8")


def _rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for campaign, protocol in sorted({(pair.campaign, pair.protocol) for pair in pairs}):
        held_out = [pair for pair in pairs if (pair.campaign, pair.protocol) == (campaign, protocol)]
        others = [pair for pair in pairs if pair.campaign != campaign]
        yield _row(held_out, others, campaign)
        for kinds, words in KINDS.items():
            members = [pair for pair in held_out if pair.kinds == kinds]
            if members and any(pair.kinds == kinds for pair in others):
                yield _row(members, others, f"{campaign}, {words}", kinds)


def _stored_rows() -> Iterator[tuple[str, ...]]:
    for curve in bundled():
        validation, population = curve.validation, curve.population
        is_whole = (population.group, population.domain, population.kinds) == (ALL, ALL, ALL)
        if curve.metric not in STORED or not is_whole or curve.outcome != SIGNIFICANT or validation is None:
            continue
        if validation.held_out == "language pair":
            fit, rate = validation.brier["isotonic"], validation.brier["constant"]
            numbers = (str(validation.pairs), f"{fit:.3f}", f"{rate:.3f}", "base rate" if rate < fit else "curve")
            yield curve.metric, f"{', '.join(population.campaigns)}, in turn", population.protocol, *numbers


def _population_rows() -> Iterator[tuple[str, ...]]:
    found: dict[tuple[str, str], list[bool]] = {}
    for curve in bundled():
        validation, population = curve.validation, curve.population
        if curve.outcome == SIGNIFICANT and population.domain == ALL and validation is not None:
            protocol, _, rest = population.label.partition(", ")
            is_beaten = validation.brier["constant"] < validation.brier["isotonic"]
            found.setdefault((protocol, rest or "all"), []).append(is_beaten)
    for (protocol, name), beaten in sorted(found.items()):
        yield protocol, name, str(len(beaten)), str(sum(beaten))


def _row(held_out: Sequence[Pair], others: Sequence[Pair], name: str, kinds: str = "") -> tuple[str, ...]:
    """Brier scores of one campaign. Pairs of some kinds are predicted by pairs of these kinds."""
    protocol = held_out[0].protocol
    same = [pair for pair in others if pair.protocol == protocol and kinds in ("", pair.kinds)]
    y = _outcomes(held_out)
    scores = {
        "same protocol": _brier(held_out, same),
        "all others": _brier(held_out, others),
        "base rate": float(((_outcomes(same or others).mean() - y) ** 2).mean()),
    }
    best = min((key for key in scores if not math.isnan(scores[key])), key=lambda key: scores[key])
    metric = metric_label(held_out[0].metric)
    shown = (f"{value:.3f}" if not math.isnan(value) else "–" for value in scores.values())
    return metric, name, protocol, f"{len(held_out):,}", *shown, best


def _outcomes(pairs: Sequence[Pair]) -> FloatArray:
    return np.array([float(pair.preferred == 1) for pair in pairs])


def _brier(held_out: Sequence[Pair], training: Sequence[Pair]) -> float:
    if not training:
        return math.nan
    fit = fit_isotonic(np.array([pair.difference for pair in training]), _outcomes(training))
    predicted = fit(np.array([pair.difference for pair in held_out]))
    return float(((predicted - _outcomes(held_out)) ** 2).mean())


if __name__ == "__main__":
    main()

"""Fit the calibration that comes with Assay on the WMT archives in $ASSAY_DATA, and write it into the package.

There is one file for each metric, so that an answer about one does not have to read all of them.

    python -m scripts.bundle_calibration

Every lexical metric under every aggregation, and stored scores of neural metrics and judges, with human scores of
systems against each other: standardised DA and SQM, MQM and ESA. Columns of single raters are left out, because their
licence does not allow every use. Populations of a single language pair are left out, too: their curves say more about
that pair than about the metric. These files have only curves and counts, no texts and no human scores.

Another folder has what fits of several scores and of fewer judged segments need: whom people prefer of each pair of
systems, also in samples of their judgements, and in a file for each metric how much better each system scores than the
worst one. One more file has how many segments the test sets have.

There is no campaign to check on: each is predicted by the others (docs/decisions/0023-calibration-by-era.md).
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import assay
from assay.calibration.files import BUNDLED, PAIRS_FOLDER
from assay.calibration.judgement_samples import SIZES
from assay.calibration.populations import MIN_LANGUAGE_PAIRS, is_unspaced_language
from assay.calibration.test_set_sizes import SIZES_FILE
from assay.contracts import Metric
from assay.metrics import metric
from assay.metrics.ensemble import Ensemble
from assay.metrics.learned_metric import LearnedMetric
from assay.metrics.trained_metric import TrainedMetric
from assay.metrics.vector_metric import VectorMetric
from assay.results import ALL, Calibration, CalibrationCurve, JudgedPairs
from assay.results.calibration import FEW_PAIRS, SIGNIFICANT
from assay.types import Campaign
from scripts import archives

CAMPAIGNS = ("wmt20", "wmt21.news", "wmt21.tedtalks", "wmt22", "wmt24", "wmt25")
STORED = (
    "COMET",
    "CometKiwi-DA-XL",
    "CometKiwi-XL",
    "GEMBA-ESA-CMDA",
    "GEMBA-ESA-GPT4.1",
    "MetricX-23-XL",
    "MetricX-24-Hybrid-XL",
    "XCOMET-XL",
)
"""Stored scores of at least two language pairs. COMET is wmt20-comet-da in all campaigns that have it."""
WITHOUT_SPACES = ("bleu", "cer", "chrf", "chrf++")
"""Metrics that say something about languages that are written without spaces between words."""
MIN_SEGMENTS = 180
"""The systems of WMT25 have 189 to 231 judged paragraphs, each judged twice."""
AGGREGATIONS = ("corpus", "segment", "bootstrap")
TARGET = Path(__file__).parents[1] / "src" / "assay" / "calibration" / "bundled" / BUNDLED
PAIRS = TARGET.parent / PAIRS_FOLDER
SCORE_DIGITS = 7
DIGITS = 9
DECIMALS = {"y": 5, "low": 3, "high": 3}
"""Of probabilities: a share of up to 2,500 pairs stays below a level that it does not reach."""


NEED_FILES = ("spbleu", "meteor")
"""Metrics on words that need a model or word lists. A calibration is found by the name and the options of a metric, but
the scores of METEOR also depend on its files and on the modules of the language: one curve would be of several metrics.
"""


def lexical_metrics() -> list[str]:
    """Each metric on words or characters once, under the shortest of its names."""
    created = {name: metric.create(name) for name in metric.names() if name not in NEED_FILES}
    return list(dict.fromkeys(metric.spec(each) for each in created.values() if _is_lexical(each)))


def _is_lexical(each: Metric) -> bool:
    """Whether it compares texts with references, without annotations, vectors, encoders and models.

    A metric learnt from judgements was learnt from those that a calibration rests on. One made of other metrics is none
    until they are named, and a curve is of one choice of them.
    """
    made_of_others = TrainedMetric | Ensemble
    return each.needs == {"reference"} and not isinstance(each, VectorMetric | LearnedMetric | made_of_others)


def is_kept(curve: CalibrationCurve) -> bool:
    """Whether a curve is worth its place."""
    population = curve.population
    return population.language_pairs >= MIN_LANGUAGE_PAIRS and (
        population.kinds == ALL or population.pairs >= FEW_PAIRS
    )


def rounded(value: Any, digits: int = DIGITS) -> Any:
    """Numbers to a few digits; that a list ascends is kept, because rounding is monotone, but not that it is strict."""
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, list):
        return [rounded(each, digits) for each in value]
    return {key: rounded(each, digits) for key, each in value.items()} if isinstance(value, dict) else value


def small(curve: CalibrationCurve) -> dict[str, Any]:
    """A curve without what the answers do not need."""
    tree: dict[str, Any] = rounded(curve.to_dict())
    kept = [i for i, x in enumerate(tree["x"]) if i + 1 == len(tree["x"]) or x < tree["x"][i + 1]]
    tree |= {
        name: [tree[name][i] for i in kept] for name in ("x", "y", "low", "high", "support", "opposite", "independent")
    }
    for name, decimals in DECIMALS.items():
        probabilities = getattr(curve, name)[kept].round(decimals)
        tree[name] = [None if math.isnan(each) else each for each in probabilities.tolist()]
    if tree["validation"] is not None:
        is_asked = curve.outcome == SIGNIFICANT and curve.population.domain == ALL
        tree["validation"] |= {"best": None} if is_asked else {"bins": None, "best": None}
    tree["population"] |= {"language_pairs": None} | ({"kinds": None} if curve.population.kinds == ALL else {})
    kept_tree: dict[str, Any] = without_null({**tree, "at": None, "cutoffs": None})
    return kept_tree


def without_null(value: Any) -> Any:
    """The same without empty values, which mean the same as missing ones."""
    if isinstance(value, dict):
        return {key: without_null(each) for key, each in value.items() if each is not None}
    return [without_null(each) for each in value] if isinstance(value, list) else value


def main() -> None:
    """Fit and write."""
    campaigns = [campaign for name in CAMPAIGNS for campaign in assay.load_campaigns(archives.unpacked(name))]
    spaced = [campaign for campaign in campaigns if not is_unspaced_language(campaign.lp)]
    words = [name for name in lexical_metrics() if name not in WITHOUT_SPACES]
    options: Any = {"agg": AGGREGATIONS, "by_domain": True, "min_segments": MIN_SEGMENTS}
    fitted = assay.calibrate(campaigns, metrics=WITHOUT_SPACES, stored=STORED, judged=SIZES, **options)
    fitted_words = assay.calibrate(spaced, metrics=words, **options)
    settings = {**fitted.settings, "metrics": "+".join(sorted((*WITHOUT_SPACES, *words)))}
    calibration = Calibration(settings, tuple(filter(is_kept, (*fitted, *fitted_words))))
    for folder in (TARGET, PAIRS):
        folder.mkdir(exist_ok=True)
        for file in folder.iterdir():
            file.unlink()
    for name in dict.fromkeys(curve.metric for curve in calibration):
        write(Calibration(calibration.settings, tuple(curve for curve in calibration if curve.metric == name)), name)
    write_pairs(fitted.pairs, (*fitted.pairs, *fitted_words.pairs))
    write_sizes(campaigns)
    for folder in (TARGET, PAIRS):
        size = sum(file.stat().st_size for file in folder.iterdir())
        sys.stdout.write(f"{folder.name}: {size:,} bytes\n")
    sys.stdout.write(f"{len(calibration)} curves\n")


def write_pairs(pairs: Sequence[JudgedPairs], scored: Sequence[JudgedPairs]) -> None:
    """Write whom people prefer, the pairs of a language pair one a line, and the scores of each metric."""
    places = {(each.campaign, each.lp, each.gold): place for place, each in enumerate(pairs)}
    written = ",\n".join(compact(without_scores(each)) for each in pairs)
    (PAIRS / "preferences.json").write_text(f'{{"pairs": [\n{written}\n]}}\n', encoding="utf-8")
    for name in sorted({known for each in scored for known in each.scores}):
        rows: dict[str, list[list[float | None]]] = {}
        for each in scored:
            place, systems = places[each.campaign, each.lp, each.gold], each.systems
            if systems != pairs[place].systems:
                raise ValueError(f"{each.campaign} {each.lp} has other systems with {name}")
            for aggregation, values in each.scores.get(name, {}).items():
                of_all = rows.setdefault(aggregation, [[] for _ in pairs])
                of_all[place] = [None if math.isnan(value) else value for value in values.tolist()]
        written = ",\n".join(f"{json.dumps(key)}: {compact(small_scores(row))}" for key, row in rows.items())
        (PAIRS / f"scores-{name}.json").write_text(f"{{\n{written}\n}}\n", encoding="utf-8")


def write_sizes(campaigns: Iterable[Campaign]) -> None:
    """Write how many segments the test sets have, one campaign a line."""
    sizes: dict[str, dict[str, int]] = {}
    for campaign in campaigns:
        sizes.setdefault(campaign.name, {})[campaign.lp] = campaign.segments
    written = ",\n".join(f"{json.dumps(name)}: {compact(of_pairs)}" for name, of_pairs in sizes.items())
    (TARGET.parent / SIZES_FILE).write_text(f"{{\n{written}\n}}\n", encoding="utf-8")


def compact(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))


def without_scores(pairs: JudgedPairs) -> dict[str, Any]:
    """What people prefer of the pairs of a language pair."""
    tree = pairs.to_dict() | {"scores": {}}
    sampled: dict[str, list[list[float | None]]] = tree["sampled"]
    whole = {size: [[None if x is None else int(x) for x in row] for row in rows] for size, rows in sampled.items()}
    tree["sampled"] = {size: rows for size, rows in whole.items() if any(x is not None for row in rows for x in row)}
    return tree


def small_scores(rows: list[list[float | None]]) -> Any:
    """Scores to a few digits, whole numbers as such."""
    return [[int(x) if x is not None and x == int(x) else x for x in row] for row in rounded(rows, SCORE_DIGITS)]


def write(calibration: Calibration, name: str) -> None:
    """Write the curves of one metric, one a line."""
    tree = calibration.to_dict()
    head = json.dumps({"version": tree["version"], "settings": tree["settings"], "curves": None}, indent=1)
    curves = ",\n".join(compact(small(curve)) for curve in calibration)
    text = head.replace('"curves": null', f'"curves": [\n{curves}\n ]') + "\n"
    (TARGET / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

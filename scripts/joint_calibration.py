"""How well fits of several scores, of fewer judgements and of parts of the data predict what they have not seen: tables
in docs/methods/calibration.md.

    python -m scripts.joint_calibration [joint] [sizes] [coverage] [parts] [pooling]

All are computed from the pairs of systems in the bundled calibration. Campaigns are left out in turn or, where there is
only one, language pairs; whatever is chosen is chosen without what is left out.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.calibration.campaign_spread import widest
from assay.calibration.files import bundled
from assay.calibration.isotonic import fit_isotonic
from assay.calibration.joint import JointFit, JointModel, JointPairs, SingleErrors, best_fit, predict_left_out
from assay.calibration.judged_pairs import system_pairs_of
from assay.calibration.judged_sizes import resized, same_pairs
from assay.calibration.outcomes import Observations, observe
from assay.calibration.partial_pooling import PENALTIES, Part, PartFit, PartPairs, left_out_rows
from assay.calibration.populations import LANGUAGE_GROUPS, group_of, populations
from assay.calibration.system_pairs import SystemPairs
from assay.calibration.validation import RESAMPLES, Drawing, clustered_mean, folds_of, left_out_in_turn, squared_error
from assay.labels.metrics import score_label
from assay.results import ALL, Calibration, CalibrationCurve, Estimate, JudgedPairs, Population
from assay.results.calibration import FEW_PAIRS, SIGNIFICANT
from assay.types import FloatArray
from scripts.bundle_calibration import STORED
from scripts.studies.page import table

PAGE = Path(__file__).parents[1] / "docs" / "methods" / "calibration.md"
START, END = "<!-- {} written by scripts/joint_calibration.py -->", "<!-- end of {} -->"
ALPHA, DRAWING = 0.05, Drawing(1000, 12345, 0.95)
SETS = (
    ("DA/SQM", "bleu chrf"),
    ("DA/SQM", "bleu chrf ter"),
    ("DA/SQM", "chrf COMET"),
    ("DA/SQM", "bleu chrf COMET"),
    ("DA/SQM", "bleu chrf cer wer hlepor nist"),
    ("DA/SQM", "bleu bleu/segment chrf chrf/segment"),
    ("MQM", "bleu chrf"),
    ("MQM", "bleu chrf COMET"),
    ("ESA", "bleu chrf"),
    ("ESA", "bleu chrf ter"),
    ("ESA", "bleu chrf cer ter hlepor nist"),
    ("ESA", "bleu bleu/segment chrf chrf/segment"),
    ("ESA", "MetricX-23-XL CometKiwi-DA-XL"),
    ("ESA", "bleu chrf MetricX-23-XL CometKiwi-DA-XL"),
    ("ESA", "chrf GEMBA-ESA-GPT4.1"),
    ("ESA", "bleu chrf CometKiwi-XL"),
    ("ESA", "chrf GEMBA-ESA-GPT4.1 GEMBA-ESA-CMDA XCOMET-XL MetricX-24-Hybrid-XL"),
)
SIZES = (100, 150, 250, 500)
SIZED = ("bleu", "chrf")
COVERED = ("bleu", "chrf", "ter", "chrf/segment", "COMET")
COVERED_SETS = (("DA/SQM", "chrf COMET"), ("DA/SQM", "bleu chrf ter"), ("ESA", "bleu chrf"))
COVERED_SIZES = (100, 150, 200, 300, 500)
SETTINGS = {"orientation": "by-metric", "alpha": "0.05"}
PARTS = ("bleu", "chrf", "ter", "hlepor", "COMET", "MetricX-23-XL", "GEMBA-ESA-GPT4.1")
PENALTIES_TRIED = ((0.01, 10.0), PENALTIES, (1.0, 100.0), (10.0, 10.0), (10.0, 100.0))
_NO_DEVIATION = (1e9, 1e9)
PRIORS = (10.0, 30.0, 100.0, 300.0, 1000.0)
"""As many pairs as those of all languages or kinds count, beside those of a part."""
_SEVERAL = "several scores"
Key = tuple[str, str]
Covered = tuple[tuple[str, ...], list[tuple[bool, float]]]


def main() -> None:
    """Write the tables, or those that are named."""
    page = PAGE.read_text(encoding="utf-8")
    for name in sys.argv[1:] or _TABLES:
        text = _TABLES[name]()
        start, end = START.format(name), END.format(name)
        pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
        if not pattern.search(page):
            raise SystemExit(f"{PAGE} has no place for {name}")
        page = pattern.sub(lambda _, whole=f"{start}\n\n{text}\n\n{end}": whole, page)  # type: ignore[misc]
    PAGE.write_text(page, encoding="utf-8")


@cache
def judged_pairs() -> tuple[JudgedPairs, ...]:
    """All pairs of the bundled calibration, with all scores that the tables need."""
    names = {key[0] for _, names in SETS for key in map(_key, names.split())} | {*SIZED, *PARTS}
    return bundled(names, pairs_of=names).pairs


def _key(name: str) -> Key:
    metric, _, aggregation = name.partition("/")
    return metric, aggregation or ("stored" if metric in STORED else "corpus")


def members(protocol: str, keys: Sequence[Key]) -> list[SystemPairs]:
    """The pairs that people judged in one way."""
    return [system_pairs_of(each, keys) for each in judged_pairs() if each.protocol == protocol]


def joint_table() -> str:
    """All scores together beside each of them, all by fits of the same kind, and beside an isotonic regression."""
    rows: list[tuple[str, ...]] = []
    gains: list[Estimate] = []
    lost, together = [], 0
    for protocol, names in SETS:
        keys = [_key(name) for name in names.split()]
        pairs = JointPairs.of(members(protocol, keys), keys, ALPHA, None)
        found, unit = predict_left_out(pairs), pairs.folds[0]
        if found is None:
            raise SystemExit(f"nothing can be left out of {names}")
        validation = found.validation(SingleErrors.of(pairs), np.ones(len(pairs), dtype=np.bool_), DRAWING)
        brier, labels = validation.brier, [score_label(*key) for key in keys]
        isotonic = float(_weighted_sum_errors(pairs).mean())
        gains.append(validation.difference)
        lost.append(isotonic - brier["joint"])
        together += validation.is_better
        best = labels[validation.alone.index(min(validation.alone))]
        answers = "together" if validation.is_better else best
        alone = ", ".join(f"{value:.3f}" for value in validation.alone)
        numbers = (brier["joint"], isotonic, brier["single"], brier["constant"])
        cells = [f"{value:.3f}" for value in numbers]
        row = (", ".join(labels), protocol, unit, answers, f"{len(pairs):,}", *cells[:2], alone, *cells[2:])
        rows.append((*row, _signed(validation.difference)))
    errors = ("together", "isotonic", "each alone", "best, chosen before", "base rate", "difference")
    titles = ("scores", "judged by", "left out", "answers", "pairs", *errors)
    above, below = sum(each.low > 0 for each in gains), sum(each.high < 0 for each in gains)
    better = sum(each.value < 0 for each in gains)
    return "\n\n".join(
        (
            table(titles, rows, texts=4),
            f"Together, the scores predict better than the one that is best without what is left out in "
            f"{better} of {len(rows)} sets. The interval of the difference is below 0 in {below} and above 0 in "
            f"{above} of them; in the mean over all sets, the difference is "
            f"{np.mean([each.value for each in gains]):+.4f}. They predict better than every one of them in {together} "
            f"sets. An isotonic regression on their weighted sum is worse than the logistic regression by "
            f"{np.mean(lost):.4f} in the mean.",
        )
    )


def _signed(difference: Estimate) -> str:
    interval = "" if math.isnan(difference.low) else f" [{difference.low:+.3f}, {difference.high:+.3f}]"
    return f"{difference.value:+.3f}{interval}"


def _weighted_sum_errors(pairs: JointPairs) -> FloatArray:
    """The errors of an isotonic regression on the weighted sum of the scores, with the weights of the joint fit."""
    errors = np.empty(len(pairs))
    for training, left_out in left_out_in_turn(pairs.folds[1]):
        known, asked = pairs.take(training), pairs.take(left_out)
        fit: JointFit = best_fit(known)
        summed = [_summed(part, fit) for part in (known, asked)]
        errors[left_out] = asked.errors(_isotonic(summed[0], summed[1]))
    return errors


def _isotonic(pairs: JointPairs, left_out: JointPairs) -> tuple[FloatArray, FloatArray]:
    """What the curve of a single score, fitted to pairs, says of others: the curve and its steps."""
    known = pairs.take(pairs.differences[:, 0] != 0)
    difference = known.differences[:, 0]
    ahead = difference > 0
    fit = fit_isotonic(np.abs(difference), np.where(ahead, known.first, known.second))
    steps, step = np.unique(fit(np.abs(difference)), return_inverse=True)
    opposite = np.bincount(step, np.where(ahead, known.second, known.first)) / np.bincount(step)
    asked = left_out.differences[:, 0]
    better = fit(np.abs(asked))
    worse = opposite[np.searchsorted(steps, better)]
    return np.where(asked >= 0, better, worse), np.where(asked >= 0, worse, better)


def _summed(pairs: JointPairs, fit: JointFit) -> JointPairs:
    return replace(pairs, differences=fit.preference.leaning(pairs.differences / fit.scale)[:, np.newaxis])


def sizes_table() -> str:
    """How often people prefer the better-scored system if fewer segments are judged: predicted, and what happened."""
    rows: list[tuple[str, ...]] = []
    for name in SIZED:
        key = _key(name)
        for protocol, group in (("DA/SQM", ALL), ("DA/SQM", "English"), ("ESA", ALL)):
            same = same_pairs(judged_pairs(), (key,))
            found = [system_pairs_of(each, [key]) for each in same if each.protocol == protocol and each.sampled]
            found = [each for each in found if group in (ALL, group_of(each.lp))]
            full, label = _observed(found, key, None), protocol if group == ALL else f"{protocol}, into {group}"
            for size in SIZES:
                rows += _size_rows(name, label, size, _observed(found, key, size), full)
    shares = ("predicted", "observed", "as if all were judged")
    titles = ("metric", "judged by", "segments", "left out", "pairs", *shares, "Brier", "base rate")
    return table(titles, rows, texts=2)


def _observed(found: Sequence[SystemPairs], key: Key, size: int | None, kinds: str = ALL) -> Observations:
    return observe(found, key, SIGNIFICANT, "by-metric", ALPHA, kinds=kinds, judged_segments=size)


def _size_rows(
    name: str, protocol: str, size: int, observed: Observations, full: Observations
) -> Iterator[tuple[str, ...]]:
    """Each campaign predicted from the others; and the share that a curve of all judgements would have promised."""
    unit, folds = folds_of(observed.campaign, observed.cluster)
    predicted, unsized, rate = (np.empty(len(observed)) for _ in range(3))
    for training, left_out in left_out_in_turn(folds):
        x = observed.x[left_out]
        campaign, lp = observed.clusters[int(observed.cluster[left_out[0]])]
        others = [name != campaign or (unit != "campaign" and pair != lp) for name, pair in full.clusters]
        of_others = np.array(others)[full.cluster]
        predicted[left_out] = fit_isotonic(observed.x[training], observed.y[training])(x)
        unsized[left_out] = fit_isotonic(full.x[of_others], full.y[of_others])(x)
        rate[left_out] = observed.y[training].mean()
    for campaign in np.unique(observed.campaign):
        rows = observed.campaign == campaign
        y = observed.y[rows]
        shares = (f"{100 * values[rows].mean():.0f} %" for values in (predicted, observed.y, unsized))
        briers = (f"{squared_error(values[rows], y).mean():.3f}" for values in (predicted, rate))
        label = campaign if unit == "campaign" else f"{campaign}, in turn"
        yield score_label(*_key(name)), protocol, str(size), label, f"{len(y):,}", *shares, *briers


def coverage_table() -> str:
    """How often intervals hold what campaigns show that they were not fitted to, for a quarter of their pairs each."""
    counts: dict[str, list[bool]] = {}
    widths: dict[str, list[float]] = {}
    for rows, held in (*_singly_covered(), *_jointly_covered()):
        for row, (is_held, width) in product(rows, held):
            counts.setdefault(row, []).append(is_held)
            widths.setdefault(row, []).append(width)
    order = sorted(counts, key=lambda row: (row.startswith(_SEVERAL), row == "all", row))
    cells = [
        (row, f"{len(counts[row]):,}", f"{100 * np.mean(counts[row]):.0f} %", f"{100 * np.mean(widths[row]):.0f}")
        for row in order
    ]
    return table(("judged by, left out", "quarters of pairs", "held by the interval", "mean width"), cells, texts=1)


def _singly_covered() -> Iterator[Covered]:
    """Single scores: the rows of the table, and which quarters their intervals hold."""
    campaigns = dict.fromkeys(each.campaign for each in judged_pairs())
    for name, campaign, size in product(COVERED, campaigns, COVERED_SIZES):
        key = _key(name)
        others = tuple(each for each in judged_pairs() if each.campaign != campaign)
        own = [each for each in judged_pairs() if each.campaign == campaign]
        found = resized(Calibration(SETTINGS, (), others), *key, ALL, size, "the others")
        for curve in found if isinstance(found, Calibration) else ():
            population = curve.population
            if population.group == population.kinds == ALL:
                held_out = [system_pairs_of(each, [key]) for each in own if each.protocol == population.protocol]
                rows = (f"{population.protocol}, {campaign}", f"{population.protocol}, all", "all")
                yield rows, list(_held(curve, _observed(held_out, key, size)))


def _jointly_covered() -> Iterator[Covered]:
    """The same of several scores together."""
    for protocol, names in COVERED_SETS:
        keys = tuple(map(_key, names.split()))
        campaigns = dict.fromkeys(each.campaign for each in judged_pairs() if each.protocol == protocol)
        for campaign, size in product(campaigns, COVERED_SIZES):
            rows = (f"{_SEVERAL}: {protocol}, {campaign}", f"{_SEVERAL}, all")
            yield rows, list(_jointly_held(protocol, keys, campaign, size))


def _held(curve: CalibrationCurve, observed: Observations) -> Iterator[tuple[bool, float]]:
    """For each quarter of the pairs by difference: whether its share is within the mean bounds, and their width."""
    for rows in np.array_split(np.argsort(observed.x), 4):
        found = [curve.probability(x) for x in observed.x[rows].tolist()]
        known = ~np.isnan([each.value for each in found])
        if known.sum() >= FEW_PAIRS:
            low, high = (float(np.nanmean([getattr(each, name) for each in found])) for name in ("low", "high"))
            yield bool(low <= observed.y[rows][known].mean() <= high), high - low


def _jointly_held(protocol: str, keys: tuple[Key, ...], campaign: str, size: int) -> Iterator[tuple[bool, float]]:
    """The same of a joint fit to the other campaigns, for quarters of the pairs by their probability."""
    others = tuple(each for each in judged_pairs() if each.campaign != campaign)
    same = same_pairs(others, keys)
    known = JointPairs.of([system_pairs_of(e, keys) for e in same if e.protocol == protocol], keys, ALPHA, size)
    own = [each for each in judged_pairs() if (each.protocol, each.campaign) == (protocol, campaign)]
    held_out = JointPairs.of([system_pairs_of(each, keys) for each in own], keys, ALPHA, size)
    if len(np.unique(known.cluster)) < 2 or not len(held_out):
        return
    spread = widest(others, keys, SETTINGS["orientation"], ALPHA, len(known.lps), DRAWING.tail)
    model = JointModel.of(known, best_fit(known), replace(DRAWING, resamples=RESAMPLES), spread)
    answers = [model.answer(row, ALL) for row in held_out.differences.tolist()]
    kept = [place for place, each in enumerate(answers) if not isinstance(each, str)]
    found = [each for each in answers if not isinstance(each, str)]
    seen = [
        float((held_out.first if each.is_first else held_out.second)[k]) for k, each in zip(kept, found, strict=True)
    ]
    for rows in np.array_split(np.argsort([each.probability.value for each in found]), 4):
        if len(rows) >= FEW_PAIRS:
            low, high = (np.mean([getattr(found[k].probability, name) for k in rows]) for name in ("low", "high"))
            yield bool(low <= np.mean([seen[k] for k in rows]) <= high), float(high - low)


def parts_table() -> str:
    """Parts of the data: by all pairs, by their own, by the better of the two, and by both."""
    rows = []
    for name, is_asked in (
        ("groups of target languages", lambda population: population.group != ALL),
        ("kinds of systems", lambda population: population.kinds != ALL),
    ):
        rows.append((name, *_part_cells(is_asked)))
    rows.append(("both", *_part_cells(lambda _: True)))
    titles = ("parts", "curves", "pairs", "all pairs", "own pairs", "the better one", "both, weighted", "difference")
    return table(titles, rows, texts=1)


def _part_cells(is_asked: Callable[[Population], bool]) -> tuple[str, ...]:
    """The Brier scores of all curves of such parts, and the last two's difference."""
    errors, clusters, curves = [], [], 0
    for metric in PARTS:
        for protocol in ("DA/SQM", "ESA", "MQM"):
            key = _key(metric)
            found = members(protocol, [key])
            pooled = _observed(found, key, None)
            for population, part in populations(found) if len(pooled) else ():
                observed = _observed(part, key, None, population.kinds)
                is_part = population != Population(protocol) and is_asked(population)
                if is_part and len(np.unique(observed.campaign)) > 1:
                    errors.append(_part_errors(observed, pooled))
                    clusters += [observed.clusters[place] for place in observed.cluster.tolist()]
                    curves += 1
    found_errors = np.concatenate(errors, axis=1)
    numbers = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    cluster = np.array([numbers[each] for each in clusters])
    difference = clustered_mean(found_errors[3] - found_errors[2], cluster, DRAWING)
    return str(curves), f"{len(cluster):,}", *(f"{each.mean():.4f}" for each in found_errors), _signed(difference)


def _part_errors(part: Observations, whole: Observations) -> FloatArray:
    """(way, pair): the errors of each campaign, predicted from the others in four ways."""
    errors = np.empty((4, len(part)))
    for training, left_out in left_out_in_turn(part.campaign):
        campaign = part.campaign[left_out[0]]
        known, others = part.take(training), whole.take(np.flatnonzero(whole.campaign != campaign))
        own, pooled = _both(known, others, part.x[left_out])
        prior, is_own = _chosen(known, others)
        weight = len(known) / (len(known) + prior)
        ways = (pooled, own, own if is_own else pooled, weight * own + (1 - weight) * pooled)
        errors[:, left_out] = [squared_error(each, part.y[left_out]) for each in ways]
    return errors


def _both(part: Observations, whole: Observations, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    return fit_isotonic(part.x, part.y)(x), fit_isotonic(whole.x, whole.y)(x)


def _chosen(part: Observations, whole: Observations) -> tuple[float, bool]:
    """How much all pairs count beside those of a part, and whether the part alone is better than all pairs."""
    names = [["/".join(each.clusters[place]) for place in each.cluster.tolist()] for each in (part, whole)]
    if len(np.unique(part.campaign)) > 1:
        names = [part.campaign.tolist(), whole.campaign.tolist()]
    inner, outer = map(np.array, names)
    losses = dict.fromkeys(PRIORS, 0.0)
    own_loss = pooled_loss = 0.0
    for training, left_out in left_out_in_turn(inner):
        others = whole.take(np.flatnonzero(outer != inner[left_out[0]]))
        own, pooled = _both(part.take(training), others, part.x[left_out])
        y = part.y[left_out]
        own_loss, pooled_loss = own_loss + squared_error(own, y).sum(), pooled_loss + squared_error(pooled, y).sum()
        for prior in PRIORS:
            weight = len(training) / (len(training) + prior)
            losses[prior] += squared_error(weight * own + (1 - weight) * pooled, y).sum()
    return min(PRIORS, key=lambda prior: losses[prior]), own_loss < pooled_loss


def pooling_table() -> str:
    """Language groups within a protocol: by curves of all languages, their own, and the rule; and by logistic fits."""
    errors: dict[Part, list[FloatArray]] = {}
    lps: dict[Part, list[str]] = {}
    for metric in PARTS:
        pairs = PartPairs.of(judged_pairs(), _key(metric), ALPHA, None)
        for part in product(("DA/SQM", "ESA", "MQM"), LANGUAGE_GROUPS):
            if found := list(left_out_rows(pairs, part)):
                errors.setdefault(part, []).extend(_pooling_errors(pairs, part, *rows) for rows in found)
                lps.setdefault(part, []).extend(name for _, rows in found for name in pairs.lp[rows].tolist())
    rows = [
        (f"{protocol}, {group}", *_pooling_cells(np.concatenate(errors[protocol, group], axis=1), lps[protocol, group]))
        for protocol, group in errors
    ]
    every = np.concatenate([each for part in errors for each in errors[part]], axis=1)
    names = [name for part in errors for name in lps[part]]
    rows.append(("all", *_pooling_cells(every, names)))
    curves = ("curve of all languages", "own curve", "rule")
    fits = ("logistic, all languages", "own", *(_penalty_title(each) for each in PENALTIES_TRIED))
    return table(("judged by, into", "pairs", *curves, *fits, "less the rule", "less logistic, all"), rows, texts=1)


def _penalty_title(penalties: tuple[float, float]) -> str:
    title = "pooled, {:g} and {:g}".format(*penalties)
    return f"**{title}**" if penalties == PENALTIES else title


def _pooling_cells(errors: FloatArray, lps: Sequence[str]) -> tuple[str, ...]:
    """Brier scores, and the difference of the partially pooled fit and the rule."""
    _, cluster = np.unique(lps, return_inverse=True)
    used = PENALTIES_TRIED.index(PENALTIES) - len(PENALTIES_TRIED)
    differences = (clustered_mean(errors[used] - errors[place], cluster, DRAWING) for place in (2, 3))
    return f"{len(lps):,}", *(f"{each.mean():.4f}" for each in errors), *map(_signed, differences)


def _pooling_errors(
    pairs: PartPairs, part: Part, known_rows: npt.NDArray[np.bool_], left_out: npt.NDArray[np.bool_]
) -> FloatArray:
    """(way, pair): the errors of one campaign, predicted from the others."""
    known = pairs.take(known_rows)
    protocol, own = (known.take(known.are_in(each)) for each in ((part[0], ALL), part))
    x, y = np.abs(pairs.difference[left_out]), pairs.better[left_out]
    curves = [fit_isotonic(np.abs(each.difference), each.better)(x) for each in (protocol, own)]
    rule = curves[_own_is_better(protocol, part)]
    logistic = [PartFit.of(each, part, _NO_DEVIATION)(x)[0] for each in (protocol, own)]
    pooled = [PartFit.of(known, part, penalties)(x)[0] for penalties in PENALTIES_TRIED]
    return np.stack([squared_error(each, y) for each in (*curves, rule, *logistic, *pooled)])


def _own_is_better(known: PartPairs, part: Part) -> bool:
    """Whether the curve of a group alone predicts its campaigns in turn better than that of all languages."""
    totals = [0.0, 0.0]
    for training, left_out in left_out_rows(known, part):
        for place, rows in enumerate((training, training & known.are_in(part))):
            each = known.take(rows)
            predicted = fit_isotonic(np.abs(each.difference), each.better)(np.abs(known.difference[left_out]))
            totals[place] += float(squared_error(predicted, known.better[left_out]).sum())
    return totals[1] < totals[0]


_TABLES: dict[str, Callable[[], str]] = {
    "joint": joint_table,
    "sizes": sizes_table,
    "coverage": coverage_table,
    "parts": parts_table,
    "pooling": pooling_table,
}


if __name__ == "__main__":
    main()

"""Read calibrations. A file may come from anywhere, so it is checked before it is used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from assay.calibration.judged_pairs import read_pairs, with_scores
from assay.calibration.options import STORED, STORED_SEGMENT
from assay.calibration.outcomes import ORIENTATIONS, OWN_OUTCOMES
from assay.calibration.published import Published, parse_published
from assay.calibration.system_kinds import KINDS
from assay.calibration.tree_reader import TreeReader
from assay.errors import ConfigError, InputError, nearest
from assay.files.strict_json import parse_object
from assay.lazily import numpy as np
from assay.measurement import AGGREGATIONS
from assay.options.option import CALIBRATION, Option
from assay.results import ALL, SCHEMA_VERSION, Calibration, CalibrationCurve, Estimate, FittedPopulation
from assay.results.calibration import AGREES, SIGNIFICANT, ReliabilityBin, Validation
from assay.results.judged_pairs import JudgedPairs
from assay.types import FloatArray, IntArray

__all__ = [
    "BUNDLED",
    "NO_CALIBRATION",
    "PAIRS_FOLDER",
    "PUBLISHED",
    "CalibrationChoice",
    "bundled",
    "bundled_file",
    "open_calibration",
    "parse_calibration",
    "published",
    "read_calibration",
]

BUNDLED = "wmt"
"""The calibration that comes with Assay, fitted on WMT data."""
PUBLISHED = "lo2023"
"""The cut-offs of Lo et al. 2023, which come with Assay."""
NO_CALIBRATION = "none"
"""Turns calibration off where it is not the question."""


def _check_calibration(_: str, calibration: Calibration | str | Path) -> None:
    """Raise for an unknown name or a file that is no calibration, before anything is scored."""
    if calibration != NO_CALIBRATION:
        open_calibration(calibration, metrics=())


CalibrationChoice = Annotated[
    Calibration | str | Path,
    Option(
        "Which data say how often people notice a difference: wmt (WMT data), lo2023 (cut-offs of Lo et al. 2023), or "
        "a file of `assay calibrate`; in a comparison, none: do not ask.",
        group=CALIBRATION,
        metavar="NAME|FILE",
        check=_check_calibration,
    ),
]

PAIRS_FOLDER = f"{BUNDLED}-pairs"
_FOLDER = resources.files("assay.calibration") / "bundled"
_A_FILE = "a file that assay calibrate -o FILE.json wrote"


def open_calibration(
    calibration: Calibration | str | Path, metrics: Iterable[str] | None = None, *, pairs_of: Iterable[str] = ()
) -> tuple[Calibration | Published, str]:
    """A calibration by its name or from its file, and what to call it; of all metrics, or at least of some.

    `pairs_of` are the metrics whose pairs of systems are needed.
    """
    if isinstance(calibration, Calibration):
        return calibration, "own"
    if calibration == PUBLISHED:
        return published(), PUBLISHED
    if calibration == BUNDLED:
        return bundled(metrics, pairs_of=pairs_of), BUNDLED
    if isinstance(calibration, Path) or Path(calibration).suffix or (calibration and Path(calibration).exists()):
        return read_calibration(calibration), str(calibration)
    hint = f"give {_A_FILE}, or a name; {nearest(calibration, (BUNDLED, PUBLISHED))}"
    raise ConfigError(f"there is no calibration '{calibration}'", hint=hint)


@cache
def published() -> Published:
    """The cut-offs of Lo et al. 2023."""
    return parse_published((_FOLDER / f"{PUBLISHED}.json").read_text(encoding="utf-8"))


def bundled(metrics: Iterable[str] | None = None, *, pairs_of: Iterable[str] = ()) -> Calibration:
    """The calibration that comes with Assay, of all its metrics or of some; there is one file for each of them.

    `pairs_of` are the metrics whose scores of pairs of systems are read, too.
    """
    names = {file.name.removesuffix(".json") for file in (_FOLDER / BUNDLED).iterdir()}
    parts = [_bundled_part(name) for name in sorted(names if metrics is None else names & set(metrics))]
    scored = tuple(sorted(names & set(pairs_of)))
    pairs = _bundled_pairs(scored) if scored else ()
    return Calibration(parts[0].settings if parts else {}, tuple(curve for part in parts for curve in part), pairs)


@cache
def _bundled_pairs(metrics: tuple[str, ...]) -> tuple[JudgedPairs, ...]:
    """The pairs of systems: one file has whom people prefer, and there is one for the scores of each metric."""
    tree, reader = _pairs_file("preferences")
    pairs = read_pairs(tree, reader)
    for metric in metrics:
        pairs = with_scores(pairs, metric, *_pairs_file(f"scores-{metric}"))
    return pairs


def _pairs_file(name: str) -> tuple[Mapping[str, Any], TreeReader]:
    """A file with pairs of systems, and what reads it."""
    place = f"calibration {BUNDLED}, {name}"
    text = (_FOLDER / PAIRS_FOLDER / f"{name}.json").read_text(encoding="utf-8")
    return parse_object(text, path=place), TreeReader(place)


@cache
def _bundled_part(metric: str) -> Calibration:
    """Of one metric. Whether a file contradicts itself takes longer to check than to read, and is left to the tests."""
    _, calibration = _parsed(*bundled_file(metric))
    return calibration


def bundled_file(metric: str) -> tuple[str, str]:
    """The file of one metric, and what to call it."""
    text = (_FOLDER / BUNDLED / f"{metric}.json").read_text(encoding="utf-8")
    return text, f"calibration {BUNDLED}, {metric}"


def read_calibration(path: str | Path) -> Calibration:
    """A calibration from a file that `assay calibrate -o FILE.json` wrote."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        hint = f"give {_A_FILE}, or one of {BUNDLED} and {PUBLISHED}, which come with Assay"
        raise InputError(f"cannot read the calibration: {reason}", path=str(path), hint=hint) from None
    try:
        return parse_calibration(text, path=str(path))
    except InputError as error:
        error.hint = error.hint or f"give {_A_FILE}"
        raise


def parse_calibration(text: str, *, path: str) -> Calibration:
    """A calibration from JSON; anything that is not a valid calibration is refused."""
    tree, calibration = _parsed(text, path)
    said = {"verdict"}  # sentences that follow from the numbers
    numbers = {name: value for name, value in tree.items() if name not in said}
    _Reader(path).check_consistent(numbers, calibration.to_dict())
    return calibration


def _parsed(text: str, path: str) -> tuple[Mapping[str, Any], Calibration]:
    """The tree in a file, and the calibration that its curves make."""
    tree = parse_object(text, path=path)
    if tree.get("version") != SCHEMA_VERSION:
        known = f"expected version {SCHEMA_VERSION}, found {tree.get('version')!r}"
        raise InputError(f"this is not a calibration of this version of Assay: {known}", path=path)
    reader = _Reader(path)
    settings = reader.mapping(tree, "settings")
    curves = reader.list(tree, "curves")
    if not curves:
        raise InputError("the calibration has no curves", path=path)
    texts = {name: reader.text(settings, name) for name in settings}
    reader.choice(texts, "orientation", ORIENTATIONS)
    notes = tuple(reader.note(each) for each in reader.objects(tree, "notes"))
    calibration = Calibration(
        texts,
        tuple(reader.curve(each, f"curves[{i}]") for i, each in enumerate(curves)),
        read_pairs(tree, reader),
        notes=notes,
    )
    reader.check_unique(calibration)
    return tree, calibration


class _Reader(TreeReader):
    """Reads the curves of a calibration."""

    def check_unique(self, calibration: Calibration) -> None:
        """Two curves of the same kind would give two answers to one question."""
        seen = set()
        for place, curve in enumerate(calibration):
            population = curve.population
            kind = (population.protocol, population.group, population.domain, population.kinds)
            key = (curve.metric, curve.aggregation, curve.outcome, *kind)
            if key in seen:
                raise self.fail(f"curves[{place}]", f"the only curve of {curve.metric} {curve.aggregation}, {kind[0]}")
            seen.add(key)

    def curve(self, tree: Any, where: str) -> CalibrationCurve:
        if not isinstance(tree, dict):
            raise self.fail(where, "an object")
        if "opposite" not in tree and "support" in tree:
            hint = "fit it again with assay calibrate"
            raise InputError("the calibration was written by an earlier version of Assay", path=self.path, hint=hint)
        x, y, low, high = self.points(tree, where)
        support, opposite, independent = self.counts(tree, where, len(x))
        curve = CalibrationCurve(
            self.text(tree, "metric"),
            self.choice(tree, "aggregation", (*AGGREGATIONS, STORED, STORED_SEGMENT)),
            self.choice(tree, "outcome", (SIGNIFICANT, AGREES, *OWN_OUTCOMES)),
            self.population(self.mapping(tree, "population")),
            x,
            y,
            low,
            high,
            support,
            opposite,
            independent,
            self.share(tree, "base_rate"),
            self.validation(tree, "validation"),
            self.estimate(self.mapping(tree, "reversed")),
            self.validation(tree, "check"),
        )
        differences = [self.number(each, "difference") for each in self.objects(tree, "at")]
        return replace(curve, at={difference: curve.probability(difference) for difference in differences})

    def counts(self, tree: Mapping[str, Any], where: str, points: int) -> tuple[IntArray, IntArray, IntArray]:
        """Pairs from each point on, opposite preferences among them, and independent differences of its step."""
        support, opposite, independent = (self.numbers(tree, name) for name in ("support", "opposite", "independent"))
        for name, counts, least in (("support", support, 1), ("opposite", opposite, 0)):
            if len(counts) != points or not (counts >= least).all() or (np.diff(counts) > 0).any():
                raise self.fail(f"{where}.{name}", "a list of counts that do not rise, one for each point")
        if (opposite > support).any():
            raise self.fail(f"{where}.opposite", "a part of the pairs")
        if len(independent) != points or not ((independent >= 1) & (independent <= support[0])).all():
            raise self.fail(f"{where}.independent", "a list of counts, one for each point")
        return support.astype(np.int64), opposite.astype(np.int64), independent.astype(np.int64)

    def points(self, tree: Mapping[str, Any], where: str) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """The points of a curve and their bounds."""
        x, y, low, high = (self.numbers(tree, name) for name in ("x", "y", "low", "high"))
        if not 0 < len(x) == len(y) == len(low) == len(high):
            raise self.fail(where, "a curve: its lists have different lengths or are empty")
        if not np.isfinite(x).all() or (np.diff(x) <= 0).any():
            raise self.fail(f"{where}.x", "ascending")
        if np.isnan(y).any() or (y < 0).any() or (y > 1).any() or (np.diff(y) < 0).any():
            raise self.fail(f"{where}.y", "a non-decreasing list of probabilities")
        are_bounds = ((low >= 0) & (low <= high) & (high <= 1)).all()
        if not are_bounds or (np.diff(low) < 0).any() or (np.diff(high) < 0).any():
            raise self.fail(where, "a curve: its bounds are not non-decreasing probabilities")
        return x, y, low, high

    def population(self, tree: Mapping[str, Any]) -> FittedPopulation:
        lps = self.mapping(tree, "lps")
        return FittedPopulation(
            self.text(tree, "protocol"),
            self.text(tree, "group"),
            self.text(tree, "domain"),
            kinds=self.choice(tree, "kinds", (ALL, *KINDS)) if "kinds" in tree else ALL,
            campaigns=tuple(map(str, self.list(tree, "campaigns"))),
            lps={name: tuple(map(str, self.list(lps, name))) for name in lps},
            pairs=self.count(tree, "pairs"),
            segments=self.number(tree, "segments"),
            judgements=self.number(tree, "judgements"),
        )

    def estimate(self, tree: Mapping[str, Any]) -> Estimate:
        value, low, high = (self.number(tree, name) for name in ("value", "low", "high"))
        reason = tree.get("reason")
        return Estimate(value, self.count(tree, "n"), low, high, reason=reason if isinstance(reason, str) else None)

    def validation(self, curve: Mapping[str, Any], key: str) -> Validation | None:
        if curve.get(key) is None:
            return None
        tree = self.mapping(curve, key)
        brier, log_loss = (
            {name: self.number(part, name) for name in part}
            for part in (self.mapping(tree, "brier"), self.mapping(tree, "log_loss"))
        )
        bins = tuple(
            ReliabilityBin(
                self.share(each, "predicted"),
                self.share(each, "observed"),
                self.share(each, "opposite"),
                self.count(each, "pairs"),
            )
            for each in self.objects(tree, "bins")
        )
        return Validation(self.text(tree, "held_out"), brier, log_loss, bins, self.count(tree, "pairs"))

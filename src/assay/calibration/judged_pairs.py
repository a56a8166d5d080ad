"""The pairs of systems in a calibration: what is kept of them, so that fits can be made when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.calibration.options import Key
from assay.calibration.system_pairs import DECIMALS, SystemPairs
from assay.calibration.tree_reader import TreeReader
from assay.lazily import numpy as np
from assay.results.judged_pairs import SAMPLES, JudgedPairs
from assay.types import FloatArray

__all__ = ["kept_pairs", "read_pairs", "system_pairs_of", "with_scores"]

_MOST = 10**9  # segments


def kept_pairs(pairs: Iterable[SystemPairs], alpha: float) -> tuple[JudgedPairs, ...]:
    """Whom people prefer and how metrics score, of the pairs on all segments of a test set."""
    return tuple(_kept(each, alpha) for each in pairs if each.domain is None and len(each))


def _kept(each: SystemPairs, alpha: float) -> JudgedPairs:
    places = {name: place for place, name in enumerate(each.judged)}
    first, second = (each.p_values < alpha).T.astype(np.int64)
    scores: dict[str, dict[str, FloatArray]] = {}
    for (metric, aggregation), values in each.scores.items():
        row = np.array([values.get(name, math.nan) for name in places])
        if not np.isnan(row).all():
            scores.setdefault(metric, {})[aggregation] = (row - np.nanmin(row)).round(DECIMALS)
    return JudgedPairs(
        each.campaign,
        each.lp,
        each.gold,
        each.protocol,
        tuple(places),
        np.array([*each.judged.values()], dtype=np.int64),
        np.array([[places[name] for name in pair] for pair in each.systems], dtype=np.int64).reshape(-1, 2),
        each.segments,
        np.where(first | second, 2 * (first - second), np.sign(np.nan_to_num(each.human))).astype(np.int64),
        scores,
        each.sampled,
    )


def read_pairs(tree: Mapping[str, Any], reader: TreeReader) -> tuple[JudgedPairs, ...]:
    """The pairs of systems in a file; none if it has none."""
    return tuple(_read(each, f"pairs[{place}]", reader) for place, each in enumerate(reader.objects(tree, "pairs")))


def _read(tree: Mapping[str, Any], where: str, reader: TreeReader) -> JudgedPairs:
    systems = tuple(map(str, reader.list(tree, "systems")))
    pairs = reader.whole_numbers(tree, "pairs", 0, len(systems) - 1).reshape(-1, 2)
    scores, sampled = (reader.mapping(tree, name) if name in tree else {} for name in ("scores", "sampled"))
    found = JudgedPairs(
        reader.text(tree, "campaign"),
        reader.text(tree, "lp"),
        reader.text(tree, "gold"),
        reader.text(tree, "protocol"),
        systems,
        reader.whole_numbers(tree, "judged", 0, _MOST),
        pairs,
        reader.whole_numbers(tree, "segments", 0, _MOST),
        reader.whole_numbers(tree, "preference", -2, 2),
        {name: _rows(reader.mapping(scores, name), len(systems), reader) for name in scores},
        {_size(name, reader): _in_samples(sampled, name, reader).reshape(-1, 2) for name in sampled},
    )
    lengths = {len(each) for each in (found.segments, found.preference, *found.sampled.values())}
    if lengths - {len(pairs)} or len(found.judged) != len(systems):
        raise reader.fail(where, "a list of pairs: its lists have different lengths")
    return found


def _rows(tree: Mapping[str, Any], systems: int, reader: TreeReader) -> dict[str, FloatArray]:
    """The scores of the systems by aggregation."""
    rows = {name: reader.numbers(tree, name) for name in tree}
    for name, row in rows.items():
        if len(row) != systems:
            raise reader.fail(name, "a list of scores, one for each system")
    return rows


def _size(name: str, reader: TreeReader) -> int:
    if not name.isdecimal():
        raise reader.fail(f"sampled.{name}", "a number of segments")
    return int(name)


def _in_samples(tree: Mapping[str, Any], name: str, reader: TreeReader) -> FloatArray:
    """In how many samples people prefer the first system and the second one, of one pair after the other."""
    rows = [reader.numbers({name: row}, name) for row in reader.list(tree, name)]
    counts = np.concatenate(rows or [np.zeros(0)])
    if any(len(row) != 2 for row in rows) or (counts < 0).any() or (counts > SAMPLES).any():
        raise reader.fail(f"sampled.{name}", f"a list of two numbers up to {SAMPLES} for each pair")
    return counts


def with_scores(
    pairs: Sequence[JudgedPairs], metric: str, tree: Mapping[str, Any], reader: TreeReader
) -> tuple[JudgedPairs, ...]:
    """The pairs with the scores of one more metric: by aggregation, a list for each of them, empty without scores."""
    found: list[dict[str, FloatArray]] = [{} for _ in pairs]
    for aggregation in tree:
        for place, row in enumerate(reader.list(tree, aggregation)):
            if row:
                found[place] |= _rows({aggregation: row}, len(pairs[place].systems), reader)
    return tuple(replace(each, scores={**each.scores, metric: rows}) for each, rows in zip(pairs, found, strict=True))


def system_pairs_of(pairs: JudgedPairs, keys: Iterable[Key]) -> SystemPairs:
    """What a fit needs of the pairs under some metrics. Of p-values, only whether they are significant was kept."""
    first, second = pairs.pairs.T
    differences = {}
    for metric, aggregation in keys:
        values = pairs.scores.get(metric, {}).get(aggregation)
        if values is not None:
            differences[metric, aggregation] = (values[first] - values[second]).round(DECIMALS)
    return SystemPairs(
        pairs.campaign,
        pairs.lp,
        pairs.gold,
        pairs.protocol,
        None,
        tuple((pairs.systems[i], pairs.systems[j]) for i, j in pairs.pairs.tolist()),
        pairs.segments,
        dict(zip(pairs.systems, pairs.judged.tolist(), strict=True)),
        np.sign(pairs.preference).astype(np.float64),
        np.stack([pairs.preference < 2, pairs.preference > -2], axis=1).astype(np.float64),
        differences,
        {},
        sampled=pairs.sampled,
    )

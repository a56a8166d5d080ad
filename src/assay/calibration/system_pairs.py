"""Pairs of systems of one language pair: their metric differences, and a test of their human scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import combinations

import numpy as np
import numpy.typing as npt

from assay.calibration.metric_scores import MetricScores
from assay.calibration.options import AGGREGATIONS, STORED, Key, PairOptions
from assay.errors import InputError, UnknownNameError, nearest
from assay.human.domains import segment_domains
from assay.runtime import Runtime
from assay.types import Campaign, FloatArray, IntArray, Note, NoteKind, Scorable, ScoreTable, select
from assay.types.note import listed

__all__ = ["SystemPairs", "collect_pairs", "score_keys"]

_SHOWN = 5  # notes in a hint
_STANDARD = ("DA-z", "DA+SQM-z", "MQM", "ESA")
_PROTOCOLS = {"DA": "DA/SQM", "DA-z": "DA/SQM", "DA+SQM": "DA/SQM", "DA+SQM-z": "DA/SQM"}


@dataclass(frozen=True, slots=True, eq=False)
class SystemPairs:
    """Pairs of systems that people judged on enough common segments, in one domain or (None) in all."""

    campaign: str
    lp: str
    protocol: str
    domain: str | None
    systems: tuple[tuple[str, str], ...]
    segments: IntArray
    """The number of judged segments that the two systems have in common."""
    judged: Mapping[str, int]
    """The number of judged segments of each system."""
    human: FloatArray
    """The mean human score of the first minus that of the second, higher is better."""
    p_values: FloatArray
    """(pair, 2): one-sided, of "the first is better" and "the second is better"."""
    differences: Mapping[Key, FloatArray]
    """The metric score of the first minus that of the second, oriented so that higher is better; NaN: no score."""
    own_p_values: Mapping[Key, FloatArray]
    """Two-sided p-values of the metric's own difference, if they were asked for."""

    def __len__(self) -> int:
        return len(self.systems)


def collect_pairs(
    campaigns: Iterable[Campaign], options: PairOptions, runtime: Runtime
) -> tuple[list[SystemPairs], list[Note]]:
    """The pairs of all campaigns under each of their human scores, over all segments and by domain."""
    campaigns = list(campaigns)
    systems = list(dict.fromkeys(name for campaign in campaigns for name in campaign.systems))
    for pattern in options.exclude:
        if not any(fnmatchcase(name, pattern) for name in systems):
            raise UnknownNameError(f"no system matches '{pattern}'", hint=nearest(pattern, systems))
    pairs: list[SystemPairs] = []
    left_out: dict[str, list[str]] = {}
    for campaign in runtime.track(campaigns, lambda each: f"comparing systems of {_label(each)}"):
        found, more = _pairs_of_campaign(campaign, options, runtime)
        pairs += found
        for note in more:
            left_out.setdefault(note, []).append(_label(campaign))
    notes = [
        Note(NoteKind.EXCLUDED, f"left out: {listed(names)} ({reason})", count=len(names))
        for reason, names in left_out.items()
    ]
    if not any(each.differences for each in pairs):
        hint = "; ".join(map(str, notes[:_SHOWN])) or None
        raise InputError("no pair of systems has both metric scores and enough human scores", hint=hint)
    names = {metric for metric, aggregation in score_keys(pairs) if aggregation == STORED}
    for pattern in options.stored:
        if not any(fnmatchcase(name, pattern) for name in names):
            notes.append(Note(NoteKind.MISSING, f"no stored system scores match '{pattern}'"))
    return pairs, notes


def score_keys(pairs: Iterable[SystemPairs]) -> list[Key]:
    """The metrics and aggregations that pairs have scores of, all aggregations of a metric together."""
    keys = list(dict.fromkeys(key for each in pairs for key in each.differences))
    order = [*AGGREGATIONS, STORED]
    metrics = [metric for metric, _ in sorted(keys, key=lambda key: key[1] == STORED)]
    return sorted(keys, key=lambda key: (key[1] == STORED, metrics.index(key[0]), order.index(key[1])))


def _pairs_of_campaign(
    campaign: Campaign, options: PairOptions, runtime: Runtime
) -> tuple[list[SystemPairs], list[str]]:
    """The pairs, and reasons for what is left out."""
    tables = _human_tables(campaign, options.gold)
    if not tables:
        known = ", ".join(dict.fromkeys(table.name for table in campaign.human if table.level == "segment"))
        text = f"no human scores of segments{f' called {options.gold}' if options.gold else ''}"
        return [], [f"{text}; available: {known}" if known else text]
    unwanted = () if options.keep_references else campaign.references
    scores = MetricScores.of(campaign, options, runtime)
    if scores.is_empty:
        return [], ["no texts and no stored scores of these metrics"]
    exclude = [each for each in options.exclude if any(fnmatchcase(name, each) for name in campaign.systems)]
    collected, reasons = [], []
    for table in tables:
        selection = select(table.systems, exclude=exclude, references=unwanted, known=campaign.systems)
        if len(selection.systems) < 2:
            reasons.append(f"fewer than two systems have {table.name}")
            continue
        judged = table.take(selection.systems)
        for domain, segments in _parts(campaign, judged, by_domain=options.by_domain):
            pairs = _tested_pairs(campaign, judged, domain, segments, options)
            if len(pairs):
                collected.append(_with_differences(pairs, scores, segments, options, runtime))
            elif domain is None:
                reasons.append(f"no two systems have {options.min_segments:,} segments of {table.name} in common")
    return collected, reasons


def _human_tables(campaign: Campaign, gold: str | None) -> list[ScoreTable]:
    """The segment scores that people gave: those of this name, or else standardised DA and SQM, MQM and ESA.

    The columns of single raters are left out unless they are named.
    """
    tables = [table for table in campaign.human if table.level == "segment"]
    if gold is not None:
        return [table for table in tables if table.name == gold]
    return [table for table in tables if table.protocol in _STANDARD and table.rater is None]


def _label(campaign: Campaign) -> str:
    return f"{campaign.name} {campaign.lp}"


def _parts(
    campaign: Campaign, table: ScoreTable, *, by_domain: bool
) -> Iterator[tuple[str | None, npt.NDArray[np.intp]]]:
    """All segments, then those of each domain."""
    count = table.values.shape[1]
    yield None, np.arange(count)
    if not by_domain or campaign.testset is None:
        return
    domains = np.array(table.domains or segment_domains(campaign.testset, table.items, count))
    names = [name for name in dict.fromkeys(domains.tolist()) if name not in ("", "unknown")]
    for name in names if len(names) > 1 else ():
        yield name, np.flatnonzero(domains == name)


def _tested_pairs(
    campaign: Campaign, table: ScoreTable, domain: str | None, segments: npt.NDArray[np.intp], options: PairOptions
) -> SystemPairs:
    """Pairs with enough common segments. Both kinds of test use only these."""
    values = table.oriented[:, segments]
    is_judged = ~np.isnan(values)
    systems, counts, differences, p_values = [], [], [], []
    test = options.human_test
    for i, j in combinations(range(len(values)), 2):
        common = is_judged[i] & is_judged[j]
        if (count := int(common.sum())) < options.min_segments:
            continue
        first, second = (Scorable.of_segments(values[k, common], (table.systems[k],)) for k in (i, j))
        better, worse = test.both_p_values(first, second)
        systems.append((table.systems[i], table.systems[j]))
        counts.append(count)
        differences.append(float(values[i, common].mean() - values[j, common].mean()))
        p_values.append((better.p, worse.p))
    protocol = _PROTOCOLS.get(table.protocol or "", table.protocol or "")
    return SystemPairs(
        campaign.name,
        campaign.lp,
        protocol,
        domain,
        tuple(systems),
        np.array(counts, dtype=np.int64),
        dict(zip(table.systems, is_judged.sum(axis=1).tolist(), strict=True)),
        np.array(differences),
        np.array(p_values).reshape(-1, 2),
        {},
        {},
    )


def _with_differences(
    pairs: SystemPairs, scores: MetricScores, segments: npt.NDArray[np.intp], options: PairOptions, runtime: Runtime
) -> SystemPairs:
    differences, p_values = {}, {}
    for key, values in scores.values(None if pairs.domain is None else segments, options, runtime).items():
        differences[key] = np.array([values.get(a, math.nan) - values.get(b, math.nan) for a, b in pairs.systems])
    if options.own_test is not None and pairs.domain is None:
        p_values = scores.own_p_values(pairs.systems, options.own_test, options, runtime)
    return replace(pairs, differences=differences, own_p_values=p_values)

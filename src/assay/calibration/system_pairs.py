"""Pairs of systems of one language pair: their metric differences, and a test of their human scores."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import combinations
from typing import TYPE_CHECKING

from assay.calibration.judgement_samples import preferred_in_samples, sampled_shares
from assay.calibration.metric_scores import MetricScores, OwnTest
from assay.calibration.options import STORED, STORED_SEGMENT, STORED_TEST, Key, PairOptions
from assay.calibration.populations import data_text
from assay.calibration.stored_scales import stored_factors
from assay.calibration.system_kinds import is_of_kinds, pair_kinds
from assay.errors import InputError, UnknownNameError, nearest, option_name
from assay.human.domains import documents_of, segment_domains
from assay.lazily import numpy as np
from assay.measurement import AGGREGATIONS
from assay.measurement.segment_groups import are_known_documents
from assay.measurement.units import by_document
from assay.results import ALL
from assay.types import Campaign, FloatArray, IntArray, Note, NoteKind, Scorable, ScoreTable, select
from assay.types.note import listed, plural
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["DECIMALS", "SystemPairs", "collect_pairs", "data_setting", "own_test_settings", "score_keys"]

_SHOWN = 5  # notes in a hint
DECIMALS = 10
"""Of differences: 5.3 - 4.1 and 2.3 - 1.1 are the same."""
_FROM_FILES = (STORED, STORED_SEGMENT)
_STANDARD = ("DA-z", "DA+SQM-z", "MQM", "ESA")
_RAW = ("DA", "DA+SQM")
_PROTOCOLS = {"DA": "DA/SQM", "DA-z": "DA/SQM", "DA+SQM": "DA/SQM", "DA+SQM-z": "DA/SQM"}


@dataclass(frozen=True, slots=True, eq=False)
class SystemPairs:
    """Pairs of systems that people judged on enough common segments, in one domain or (None) in all."""

    campaign: str
    lp: str
    gold: str
    """The name of the human scores."""
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
    own_tests: Mapping[Key, OwnTest]
    """Of the metric's own difference, if they were asked for."""
    scores: Mapping[Key, Mapping[str, float]] = field(default_factory=dict)
    """What the differences are of: the scores of the systems, higher is better."""
    sampled: Mapping[int, FloatArray] = field(default_factory=dict)
    """As in `JudgedPairs`: what people prefer if fewer segments are judged, if it was asked for."""

    def __len__(self) -> int:
        return len(self.systems)

    def significant(self, alpha: float, judged: int | None = None) -> FloatArray:
        """(pair, 2): whether people significantly prefer the first and the second system.

        If fewer segments were `judged`, this is the share of samples of so many; NaN for pairs with too few segments.
        """
        if judged is None:
            return np.where(np.isnan(self.p_values), math.nan, self.p_values < alpha)
        shares = sampled_shares(self.sampled, judged)
        return np.full((len(self), 2), math.nan) if shares is None else shares

    def are_of_kinds(self, kinds: str, differences: FloatArray) -> npt.NDArray[np.bool_]:
        """Whether each pair is of some kinds of systems, where the differences say which system scores better."""
        if kinds == ALL:
            return np.ones(len(self), dtype=np.bool_)
        ordered = (pair if x > 0 else pair[::-1] for pair, x in zip(self.systems, differences.tolist(), strict=True))
        return np.array([is_of_kinds(pair_kinds(*pair, self.campaign), kinds) for pair in ordered], dtype=np.bool_)


def collect_pairs(
    campaigns: Iterable[Campaign], options: PairOptions, runtime: Runtime
) -> tuple[list[SystemPairs], list[Note]]:
    """The pairs of all campaigns under each of their human scores, over all segments and by domain.

    The order of the campaigns does not matter.
    """
    campaigns = sorted(campaigns, key=lambda campaign: (campaign.name, campaign.lp))
    systems = list(dict.fromkeys(name for campaign in campaigns for name in campaign.systems))
    _check_patterns("system matches", options.exclude, systems)
    stored = dict.fromkeys(table.name for campaign in campaigns for table in campaign.metrics)
    _check_patterns("stored scores match", options.stored, stored)
    _check_gold(options.gold, campaigns)
    factors, scale_notes = stored_factors(campaigns, options.stored)
    pairs: list[SystemPairs] = []
    left_out: dict[str, list[str]] = {}
    scoring: dict[Note, list[str]] = {}
    for campaign in runtime.track(campaigns, lambda each: f"comparing systems of {_label(each)}"):
        found, reasons, more = _pairs_of_campaign(campaign, options, factors, runtime)
        pairs += found
        for reason in reasons:
            left_out.setdefault(reason, []).append(_label(campaign))
        for note in more:
            scoring.setdefault(replace(note, count=None), []).append(_label(campaign))
    notes = [
        Note(NoteKind.EXCLUDED, f"left out: {listed(names)} ({reason})", count=len(names))
        for reason, names in left_out.items()
    ]
    if not any(each.differences for each in pairs):
        hint = "; ".join(map(str, notes[:_SHOWN])) or None
        raise InputError("no pair of systems has both metric scores and enough human scores", hint=hint)
    notes += [
        replace(note, where=", ".join(filter(None, (note.where, listed(names)))), count=len(names))
        for note, names in scoring.items()
    ]
    return pairs, [
        *notes,
        *scale_notes,
        *_not_standardised(campaigns, pairs, options.gold),
        *_judged_twice(pairs, options.alpha),
        *_unmatched(pairs, options.stored),
        *_unscored(pairs),
    ]


def _check_patterns(subject: str, patterns: Iterable[str], names: Collection[str]) -> None:
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise UnknownNameError(f"no {subject} '{pattern}'", hint=nearest(pattern, names))


def _check_gold(gold: str | None, campaigns: Iterable[Campaign]) -> None:
    known = {table.name for campaign in campaigns for table in campaign.human if table.level == "segment"}
    if gold is not None and gold not in known:
        raise UnknownNameError(f"no human scores of segments are called '{gold}'", hint=nearest(gold, known))


def _not_standardised(campaigns: Iterable[Campaign], pairs: Iterable[SystemPairs], gold: str | None) -> Iterator[Note]:
    """A note on raw scores that were used because there are no standardised ones."""
    used = {(each.campaign, each.lp, each.gold) for each in pairs}
    raw = [
        _label(campaign)
        for campaign in campaigns
        for table in campaign.human
        if table.protocol in _RAW and table.level == "segment" and (campaign.name, campaign.lp, table.name) in used
    ]
    if raw and gold is None:
        yield Note(NoteKind.ADVICE, f"no standardised DA or SQM scores of segments: raw ones of {listed(raw)}")


def _judged_twice(pairs: Iterable[SystemPairs], alpha: float) -> Iterator[Note]:
    """Warnings about pairs that count more than once, because people judged them in several ways."""
    alike: dict[tuple[str, str, str], list[SystemPairs]] = {}
    for each in pairs:
        if each.domain is None:
            alike.setdefault((each.campaign, each.lp, each.protocol), []).append(each)
    for (campaign, lp, protocol), same in alike.items():
        verdicts: dict[frozenset[str], list[str | None]] = {}
        for each in same:
            for systems, winner in zip(each.systems, _preferred(each, alpha), strict=True):
                verdicts.setdefault(frozenset(systems), []).append(winner)
        repeated = [found for found in verdicts.values() if len(found) > 1]
        if count := len(repeated):
            names = " and ".join(each.gold for each in same)
            agreeing = sum(len(set(found)) == 1 for found in repeated)
            text = (
                f"{plural(count, 'pair')} of systems count once for each of {names}, which have the same verdict on "
                f"{agreeing:,} of them: the numbers mix both ({option_name('gold', same[0].gold)} takes only one, and "
                "leaves out language pairs without it)"
            )
            yield Note(NoteKind.DUPLICATE, text, f"{campaign} {lp}, {protocol}", count, severity="warning")


def _preferred(pairs: SystemPairs, alpha: float) -> list[str | None]:
    """The system of each pair that people find significantly better; None: they show no difference."""
    is_better = (pairs.p_values < alpha).tolist()
    return [
        systems[0] if first else systems[1] if second else None
        for systems, (first, second) in zip(pairs.systems, is_better, strict=True)
    ]


def _unmatched(pairs: Iterable[SystemPairs], patterns: Iterable[str]) -> Iterator[Note]:
    """Notes on patterns that match no stored scores of these pairs."""
    names = {metric for metric, aggregation in score_keys(pairs) if aggregation in _FROM_FILES}
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            yield Note(NoteKind.MISSING, f"no stored scores that can be used match '{pattern}'")


def _unscored(pairs: Iterable[SystemPairs]) -> Iterator[Note]:
    """Notes on pairs that a metric does not score, although it scores others of the same language pair."""
    unscored: dict[Key, int] = {}
    for each in pairs:
        for key, difference in each.differences.items() if each.domain is None else ():
            unscored[key] = unscored.get(key, 0) + int(np.isnan(difference).sum())
    for key, count in unscored.items():
        if count:
            text = f"left out: {plural(count, 'pair')} of systems without a score of both"
            yield Note(NoteKind.EXCLUDED, text, " ".join(key), count)


def data_setting(pairs: Iterable[SystemPairs]) -> str:
    """The campaigns and language pairs of pairs, for a signature."""
    lps: dict[str, dict[str, None]] = {}
    for each in pairs:
        lps.setdefault(each.campaign, {})[each.lp] = None
    return data_text(lps)


def own_test_settings(pairs: Iterable[SystemPairs], own_test: str | None) -> dict[str, str]:
    """The tests of the metrics' own differences, for a signature. Scores from files have a test of their own."""
    is_of_stored = {test.is_of_stored for each in pairs for test in each.own_tests.values()}
    computed = {"own_test": own_test} if own_test and is_of_stored != {True} else {}
    return computed | ({"stored_test": STORED_TEST} if True in is_of_stored else {})


def score_keys(pairs: Iterable[SystemPairs]) -> list[Key]:
    """The metrics and aggregations that pairs have scores of, all aggregations of a metric together."""
    keys = list(dict.fromkeys(key for each in pairs for key in each.differences))
    order = [*AGGREGATIONS, *_FROM_FILES]
    metrics = [metric for metric, _ in sorted(keys, key=lambda key: key[1] in _FROM_FILES)]
    return sorted(keys, key=lambda key: (key[1] in _FROM_FILES, metrics.index(key[0]), order.index(key[1])))


def _without_scores(campaign: Campaign, gold: str | None) -> str:
    """Why a campaign is left out."""
    text = f"no human scores of segments{f' called {gold}' if gold else ''}"
    if known := ", ".join(dict.fromkeys(table.name for table in campaign.human if table.level == "segment")):
        return f"{text}; available: {known}"
    return f"{text}; only assay rank and assay meta score judgements of raters" if campaign.judgements else text


def _pairs_of_campaign(
    campaign: Campaign, options: PairOptions, factors: Mapping[tuple[str, str], float], runtime: Runtime
) -> tuple[list[SystemPairs], list[str], tuple[Note, ...]]:
    """The pairs, reasons for what is left out, and notes on the scores."""
    tables = _human_tables(campaign, options.gold)
    if not tables:
        return [], [_without_scores(campaign, options.gold)], ()
    unwanted = () if options.keep_references else campaign.references
    scores = MetricScores.of(campaign, options, factors, runtime)
    if scores.is_empty:
        return [], ["no texts and no stored scores of these metrics"], scores.notes
    exclude = [each for each in options.exclude if any(fnmatchcase(name, each) for name in campaign.systems)]
    collected, reasons = [], []
    for table in tables:
        selection = select(table.systems, exclude=exclude, references=unwanted, known=campaign.systems)
        if len(selection.systems) < 2:
            reasons.append(f"fewer than two systems have {table.name}")
            continue
        judged = table.take(selection.systems)
        documents = _documents(campaign, judged) if options.unit == "document" else ()
        parts = [] if documents is None else _parts(campaign, judged, by_domain=options.by_domain)
        reasons += [f"the documents of {table.name} are not known"] * (documents is None)
        for domain, segments in parts:
            pairs = _system_pairs(campaign, judged, domain, segments, documents or (), scores, options, runtime)
            if len(pairs):
                collected.append(pairs)
            elif domain is None:
                reasons.append(f"no two systems have {options.min_segments:,} segments of {table.name} in common")
    return collected, reasons, scores.notes


def _human_tables(campaign: Campaign, gold: str | None) -> list[ScoreTable]:
    """The segment scores that people gave: those of this name, or else standardised DA and SQM, MQM and ESA.

    Where no DA and SQM scores are standardised, as at WMT19, they are the raw ones: scores of systems are only compared
    within a language pair. The columns of single raters are left out unless they are named.
    """
    tables = [table for table in campaign.human if table.level == "segment"]
    if gold is not None:
        return [table for table in tables if table.name == gold]
    tables = [table for table in tables if table.rater is None]
    is_standardised = any(table.protocol in _STANDARD[:2] for table in tables)
    wanted = _STANDARD if is_standardised else (*_STANDARD, *_RAW)
    return [table for table in tables if table.protocol in wanted]


def _label(campaign: Campaign) -> str:
    return f"{campaign.name} {campaign.lp}"


def _documents(campaign: Campaign, table: ScoreTable) -> tuple[str, ...] | None:
    """The document of each segment, as the ratings that the scores come from name it, else the test set.

    None unless those of all judged segments are known.
    """
    rated = next((each for each in campaign.ratings if each.name == table.name and any(each.document)), table)
    names = documents_of(rated, campaign.testset, table.values.shape[1])
    judged = np.flatnonzero(~np.isnan(table.values).all(axis=0)).tolist()
    return names if names and are_known_documents([names[i] for i in judged]) else None


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


def _system_pairs(
    campaign: Campaign,
    table: ScoreTable,
    domain: str | None,
    segments: npt.NDArray[np.intp],
    documents: Sequence[str],
    scores: MetricScores,
    options: PairOptions,
    runtime: Runtime,
) -> SystemPairs:
    """Pairs with enough common segments. The tests of people use only these, or their documents if they are given."""
    values = table.oriented[:, segments]
    is_judged = ~np.isnan(values)
    systems, counts, human, p_values = [], [], [], []
    sampled: list[dict[int, tuple[float, float]]] = []
    test, sizes = options.human_test, options.judged if domain is None else ()
    for i, j in combinations(range(len(values)), 2):
        common = is_judged[i] & is_judged[j]
        if (count := int(common.sum())) < options.min_segments:
            continue
        first, second = (Scorable.of_segments(values[k, common], (table.systems[k],)) for k in (i, j))
        if documents:
            names = [documents[k] for k in segments[common].tolist()]
            first, second = (by_document(each, names) for each in (first, second))
        better, worse = test.both_p_values(first, second)
        systems.append((table.systems[i], table.systems[j]))
        counts.append(count)
        human.append(float(values[i, common].mean() - values[j, common].mean()))
        p_values.append((better.p, worse.p))
        if sizes:
            pair, seed = (table.systems[i], table.systems[j]), (options.seed, i, j)
            sampled.append(preferred_in_samples(pair, values[(i, j), :][:, common], test, options.alpha, sizes, seed))
    values_of = scores.values(None if domain is None else segments, options, runtime) if systems else {}
    is_tested = bool(systems) and options.own_test is not None and domain is None
    return SystemPairs(
        campaign.name,
        campaign.lp,
        table.name,
        _PROTOCOLS.get(table.protocol or "", table.protocol or ""),
        domain,
        tuple(systems),
        np.array(counts, dtype=np.int64),
        dict(zip(table.systems, is_judged.sum(axis=1).tolist(), strict=True)),
        np.array(human),
        np.array(p_values).reshape(-1, 2),
        _differences(systems, values_of),
        scores.own_tests(systems, options.own_test or "", options, runtime) if is_tested else {},
        values_of if domain is None else {},
        {size: np.array([each[size] for each in sampled]).reshape(-1, 2) for size in sizes},
    )


def _differences(
    systems: Sequence[tuple[str, str]], scores: Mapping[Key, Mapping[str, float]]
) -> dict[Key, FloatArray]:
    return {
        key: np.array([values.get(a, math.nan) - values.get(b, math.nan) for a, b in systems]).round(DECIMALS)
        for key, values in scores.items()
    }

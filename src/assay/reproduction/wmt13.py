"""Macháček & Bojar 2013, "Results of the WMT13 metrics shared task": its tables of systems and of segments."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import assay
from assay.lazily import numpy as np
from assay.reproduction.campaigns import load_test_sets, no_data, value_of
from assay.reproduction.wmt13_metrics import ANNOTATED, LEARNT, LEARNT_FROM, SUBSTITUTES, Lack, Metrics, learn
from assay.reproduction.wmt13_preparations import human_scores, lepor, moses_scorers, segments, sentence_bleu
from assay.results import (
    Estimate,
    MetaEvaluation,
    PaperFigure,
    Published,
    Recommendation,
    ReproducedNumber,
    Reproduction,
)
from assay.types import UNRANKED, Rankings
from assay.types.runtime import Runtime

__all__ = ["TEST_SETS", "TITLE", "printed", "rankings_of_pairs", "run"]

TITLE = "Macháček & Bojar 2013, Results of the WMT13 metrics shared task"
CITATION = "Matouš Macháček, Ondřej Bojar (2013): Results of the WMT13 Metrics Shared Task. WMT 2013."
TEST_SETS = ("wmt13",)
GOLD = "rr-pairs"
MOST_WORDS = 30
OUTPUTS = 5
"""How many outputs a judge ranked at a time."""
NUMBERS = resources.files("assay.reproduction") / "wmt13_tables.tsv"
"""The numbers of all tables: Spearman with half the width of its 95 % interval, averages, and Kendall's tau."""
TABLES: Mapping[str, tuple[str, str]] = {
    "Table 2": ("system", "Spearman"),
    "Table 3": ("system", "Spearman"),
    "Table 4": ("segment", "Kendall's tau of segments"),
    "Table 5": ("segment", "Kendall's tau of segments"),
}
"""Their level and what they show; Tables 2 and 4 are of directions into English, the others out of English."""
VIEWS = {"Pearson": "scores", "clusters": "clusters", "fuzzy ranks": "fuzzy-ranks"}
"""What the other averages of a table correlate with, by Pearson."""
EXTRACTED = {"fr-en": "80741", "de-en": "128668", "es-en": "67832", "cs-en": "85469"}
"""The row of extracted pairs of Table 4, as far as its digits are at hand."""

REASONS = {
    "open": "open: another value",
    "participant": "submitted by a participant, whose preprocessing is not known",
    "meteor": "METEOR 1.3 is not available; ours is 1.5, which has the same parameters for English",
    "depref": "RED-style, unverified: orders, weights and structures of the published metric are not known, and its "
    "parser was another one; tried: DEPREF-EXACT without case",
    "substitute": "a substitute: lemmas and universal parts of speech of spaCy; SEMPOS has tectogrammatical ones, for "
    "which no models are available",
    "draws": "other random draws, and for some metrics another correlation: ours is 1.96 standard errors over 1,000 "
    "draws of rankings",
    "roles": "weights of roles, the similarity of words and the labeller of the submission were never published; ours "
    "is on other vectors",
    "learnt": f"learnt here from the rankings of {LEARNT_FROM.upper()}; the features of the submission and what it was "
    "trained on are not at hand (docs/methods/train.md says what differs)",
    "act": "the dictionaries of the submission are not published; ours are our own",
}
REASON_OF = {
    "METEOR": "meteor",
    **dict.fromkeys(("BLEU-MTEVAL", "BLEU-MTEVAL-INTL", "NIST-MTEVAL", "NIST-MTEVAL-INTL"), "open"),
    **dict.fromkeys(("SIMPBLEU-RECALL", "SIMPBLEU-PREC"), "participant"),
    **dict.fromkeys(("LEPOR v3.100", "NLEPOR"), "lepor"),
    **dict.fromkeys(("DEPREF-ALIGN", "DEPREF-EXACT"), "depref"),
    "SEMPOS": "substitute",
    "SENTBLEU-MOSES": "sentbleu",
    **dict.fromkeys(("MEANT", "UMEANT"), "roles"),
    **dict.fromkeys(LEARNT, "learnt"),
    **dict.fromkeys(("ACTA", "ACTA5+6"), "act"),
}
"""Why a value of a metric may differ; of the others, because of how texts were prepared for Moses."""
_AVERAGES = "averages over more directions than the folder has"
OPEN_SEGMENTS = ("fr-en", "es-en")
"""Where the segment level differs for all metrics."""
FOUND: Mapping[str, Callable[[], str]] = {
    "moses": moses_scorers,
    "lepor": lepor,
    "sentbleu": sentence_bleu,
    "segments": lambda: segments(OPEN_SEGMENTS),
}
"""Reasons that a search over candidates has found."""

REMARKS = (
    "The paper's ± are those of resampled rankings: the files have every ranking as pairs in a row, which are "
    "put together again here (9,996 rankings of fr-en, as many as the file of whole rankings has). Drawing "
    "single pairs gives widths of about two thirds of the paper's, and drawing segments about one and a half "
    "times as much. Resampled rankings lower a rank correlation, so that intervals are not around the value.",
    "The five Moses scorers of systems, LEPOR and NLEPOR are computed without case and with the tokeniser of Moses, "
    "which the paper names; SIMPBLEU is computed without case for systems and with case for segments, and "
    "SENTBLEU-MOSES with case and the tokeniser 13a.",
    "The paper names METEOR 1.3, which is not available. Ours is 1.5, with its paraphrases and the languages of 1.3; "
    "that the two agree on English is not verified by a program, but all values of Table 2 come out, and those of "
    "de-en and cs-en in Table 4. Without its synonyms and paraphrases it is not computed at all: it would be another "
    "metric.",
    "DEPREF is computed from an idea of it, with orders and weights of our own, and from the trees of another parser. "
    "That some of its values come out confirms nothing: a rank correlation of a dozen systems has few values.",
    "Table 2's header counts 12, 11 and 10 systems in fr-en, es-en and cs-en; 13, 12 and 11 were judged, and "
    "only these numbers can give its values. In de-en it counts 22, where 17 were judged. In ru-en 23 were judged, so "
    "that 22 fits there in the same way: the counts of de-en and ru-en are presumably exchanged.",
    "Of the row of extracted pairs, the digits of four directions of Table 4 are at hand; those of ru-en and of Table "
    "5 are not, and are not counted as published.",
    "The averages of Spearman have the widths of independent directions: the root of the sum of their squares, divided "
    "by the number of directions.",
)


class Cell(NamedTuple):
    """What a table prints of a metric in a column, a direction or an average."""

    value: str
    width: str
    """Half of the 95 % interval; empty: none is printed."""

    @property
    def numbers(self) -> int:
        """How many there are."""
        return 1 + bool(self.width)


@cache
def printed(table: str) -> Mapping[str, Mapping[str, Cell]]:
    """The cells of a table, by metric and column."""
    found: dict[str, dict[str, Cell]] = {}
    for line in NUMBERS.read_text(encoding="utf-8").splitlines()[1:]:
        name, metric, column, value, width = line.split("\t")
        if name == table:
            found.setdefault(metric, {})[column] = Cell(value, width)
    return found


def _directions(columns: Mapping[str, Cell]) -> list[str]:
    """The columns of a metric that are directions, in the order of the paper; the others are averages over them."""
    return [column for column in columns if "-" in column]


@dataclass(frozen=True)
class _Found:
    """What was computed of a table, and why a metric was not computed on a language pair of the folder."""

    table: str
    there: frozenset[str]
    """The language pairs of the folder."""
    values: Mapping[tuple[str, str, str], Estimate]
    """By measure, metric and language pair."""
    lacks: Mapping[tuple[str, str], Lack]
    """By metric and language pair."""

    def estimate(self, metric: str, column: str, measure: str = "") -> Estimate:
        """Our value of a metric in a direction, or its mean over all directions that it has."""
        measure = measure or TABLES[self.table][1]
        if "-" in column:
            return self.values.get((measure, metric, column), no_data(f"{metric} has no value on {column}"))
        if column.endswith(" average"):
            measure = column.removesuffix(" average")
        return _mean([self.estimate(metric, lp, measure) for lp in _directions(printed(self.table)[metric])])


def _mean(estimates: Sequence[Estimate]) -> Estimate:
    """The mean of independent estimates; undefined if one of them is."""
    undefined = next((each for each in estimates if math.isnan(each.value)), None)
    if undefined is not None:
        return undefined
    count = len(estimates)
    error = math.sqrt(math.fsum(each.standard_error**2 for each in estimates)) / count
    return Estimate(math.fsum(each.value for each in estimates) / count, count, standard_error=error)


def run(data: Path, runtime: Runtime, *, annotations: str | Path | None = None) -> Reproduction:
    """Spearman with intervals from resampled rankings, and Kendall's tau of segments, on what is in the folder."""
    read = load_test_sets(data, TEST_SETS, runtime, annotations=annotations)["wmt13"]
    campaigns = {each.lp: each for each in read if each.testset is not None and _pairs(each) is not None}
    metrics = Metrics(learn(data, runtime), annotations)
    results: dict[str, MetaEvaluation] = {}
    captions: dict[str, str] = {}
    tables = {}
    for table in TABLES:
        lacks = {
            (metric, lp): lack
            for metric, columns in printed(table).items()
            for lp in _directions(columns)
            if lp in campaigns and (lack := metrics.lack(metric, campaigns[lp]))
        }
        values: dict[tuple[str, str, str], Estimate] = {}
        for group in _groups(table, campaigns, lacks):
            name = group.name if group.name not in results else f"{group.name}-{'-'.join(group.lps)}"
            captions[name] = group.caption
            specs = {each: metrics.spec(each, group.lps[0], TABLES[table][0]) for each in group.metrics}
            for measure, found in _evaluated(group, specs, [campaigns[lp] for lp in group.lps], runtime):
                is_main = measure == TABLES[table][1]
                results[name if is_main else f"{name}-{measure.lower().replace(' ', '-')}"] = found
                for metric, spec in specs.items():
                    for lp in group.lps:
                        values[measure, metric, lp] = value_of(_agreement, found, spec, lp)
        tables[table] = _Found(table, frozenset(campaigns), values, lacks)
    annotated = [each for each in campaigns.values() if each.testset and each.testset.annotations]
    return Reproduction(
        paper="wmt13",
        citation=CITATION,
        settings={
            "data": "+".join(("wmt13", *((LEARNT_FROM,) if metrics.learnt else ()))),
            "method": "wins",
            "statistics": "spearman+kendall-wmt13",
            "ci": "rankings",
            **({"annotator": _annotators(annotated)} if annotated else {}),
        },
        numbers=(*(row for found in tables.values() for row in _rows(found)), *_extracted(campaigns)),
        recommendations=tuple(_recommendations(tables)),
        remarks=(_human_score(), *REMARKS, *_long_sentences(list(campaigns.values()))),
        results=dict(results),
        tables=captions,
        figures={
            name: PaperFigure(f"{caption}, means over the language pairs", "metric-ranking", (name,))
            for name, caption in captions.items()
        },
    )


def _human_score() -> str:
    return (
        "The human score here is the share of a system's comparisons that it wins, with all opponents pooled, and "
        f"mteval ignores case. This is inferred from numbers: {human_scores()}"
    )


def _pairs(campaign: assay.Campaign) -> Rankings | None:
    """The rankings as strict pairs, which the paper extracts."""
    return next((each for each in campaign.judgements if isinstance(each, Rankings) and each.name == GOLD), None)


class _Group(NamedTuple):
    """Metrics that are computed together: of one kind, on the same language pairs."""

    table: str
    name: str
    caption: str
    metrics: tuple[str, ...]
    lps: tuple[str, ...]


def _groups(
    table: str, campaigns: Mapping[str, assay.Campaign], lacks: Mapping[tuple[str, str], Lack]
) -> Iterator[_Group]:
    """A group for each target language, kind of metrics and set of language pairs that they can be computed on."""
    groups: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for metric, columns in printed(table).items():
        lps = [lp for lp in campaigns if lp in columns and (metric, lp) not in lacks]
        kind = "annotated" if metric in ANNOTATED else "learnt" if metric in LEARNT else ""
        for target in dict.fromkeys(lp.partition("-")[2] for lp in lps):
            own = tuple(lp for lp in lps if lp.endswith(f"-{target}"))
            groups.setdefault((target, kind, own), []).append(metric)
    captions = {"": "", "annotated": ", metrics on annotations", "learnt": ", metrics learnt from rankings"}
    for (target, kind, own), found in groups.items():
        name = "-".join(filter(None, (table.lower().replace(" ", "-"), "" if target == "en" else target, kind)))
        into = "" if target == "en" else f", {' and '.join(own)}"
        yield _Group(table, name, f"{table}, {TABLES[table][1]}{into}{captions[kind]}", tuple(found), own)


def _evaluated(
    group: _Group, specs: Mapping[str, str], campaigns: Sequence[assay.Campaign], runtime: Runtime
) -> Iterator[tuple[str, MetaEvaluation]]:
    """By measure: the agreement of the metrics of a group; what only averages need if these can be computed."""
    level, measure = TABLES[group.table]
    wanted = list(dict.fromkeys(specs.values()))
    if level == "segment":
        yield measure, _segments(campaigns, wanted, runtime)
        return
    yield measure, _systems(campaigns, wanted, runtime)
    target = group.lps[0].partition("-")[2]
    complete = [
        specs[metric]
        for metric in group.metrics
        if all(lp in group.lps for lp in _directions(printed(group.table)[metric]) if lp.endswith(f"-{target}"))
    ]
    for name, view in VIEWS.items() if complete else ():
        yield name, _viewed(campaigns, list(dict.fromkeys(complete)), view, runtime)


def _agreement(table: MetaEvaluation, spec: str, lp: str) -> Estimate:
    return table.agreement(spec, lp=lp).estimate


def _annotators(campaigns: Sequence[assay.Campaign]) -> str:
    programs = {name for each in campaigns if each.testset for name in each.testset.annotators.values()}
    return "+".join(sorted(programs)) or "unnamed"


def _systems(campaigns: Sequence[assay.Campaign], metrics: Sequence[str], runtime: Runtime) -> MetaEvaluation:
    return assay.meta(
        [_with_rankings(campaign) for campaign in campaigns],
        gold=GOLD,
        statistics=["spearman"],
        method="wins",
        metrics=metrics,
        ci="judgements:unit=ranking",
        outliers="keep",
        random_metrics=0,
        runtime=runtime,
    )


def _viewed(campaigns: Sequence[assay.Campaign], metrics: Sequence[str], view: str, runtime: Runtime) -> MetaEvaluation:
    """Pearson with scores, clusters or fuzzy ranks."""
    return assay.meta(
        [_with_rankings(campaign) for campaign in campaigns],
        gold=GOLD,
        statistics=["pearson"],
        method="wins",
        view=view,
        metrics=metrics,
        outliers="keep",
        resamples=0,
        random_metrics=0,
        runtime=runtime,
    )


def _segments(campaigns: Sequence[assay.Campaign], metrics: Sequence[str], runtime: Runtime) -> MetaEvaluation:
    return assay.meta(
        campaigns,
        gold=GOLD,
        level="segment",
        metrics=metrics,
        outliers="keep",
        resamples=0,
        random_metrics=0,
        runtime=runtime,
    )


def _with_rankings(campaign: assay.Campaign) -> assay.Campaign:
    judgements = tuple(
        rankings_of_pairs(each) if isinstance(each, Rankings) and each.name == GOLD else each
        for each in campaign.judgements
    )
    return replace(campaign, judgements=judgements)


def rankings_of_pairs(pairs: Rankings) -> Rankings:
    """Reassemble rankings from consecutive strict pairs.

    A ranking ends where the segment changes, where a pair comes again, or where there would be more than five systems.
    The rank of a system in it follows from how many of the others beat it.
    """
    better, worse = (np.argmax(pairs.ranks == rank, axis=1) for rank in (1, 2))
    starts = list(_starts(pairs.segment.tolist(), better.tolist(), worse.tolist()))
    ranking = np.repeat(np.arange(len(starts)), np.diff([*starts, len(pairs)]))
    beaten = np.zeros((len(starts), len(pairs.systems)), dtype=np.int8)
    np.add.at(beaten, (ranking, worse), 1)
    is_ranked = beaten > 0
    is_ranked[ranking, better] = True
    ranks = np.where(is_ranked, 1 + beaten, UNRANKED)
    return replace(pairs, judge=pairs.judge[starts], segment=pairs.segment[starts], ranks=ranks)


def _starts(segments: Sequence[int], better: Sequence[int], worse: Sequence[int]) -> Iterator[int]:
    """The rows that begin a ranking."""
    current, seen, systems = -1, set[frozenset[int]](), frozenset[int]()
    for row, (segment, *names) in enumerate(zip(segments, better, worse, strict=True)):
        pair = frozenset(names)
        if segment != current or pair in seen or len(systems | pair) > OUTPUTS:
            current, seen, systems = segment, set(), frozenset()
            yield row
        seen.add(pair)
        systems |= pair


def _long_sentences(campaigns: Sequence[assay.Campaign]) -> Iterator[str]:
    """Whether the judged sentences keep the paper's rule: at most 30 words in the source."""
    kept = []
    for campaign in campaigns:
        sources = None if campaign.testset is None else campaign.testset.sources
        for judged in campaign.judgements:
            if sources is not None and isinstance(judged, Rankings) and judged.name == GOLD:
                lengths = [len((sources[segment] or "").split()) for segment in np.unique(judged.segment).tolist()]
                long = sum(length > MOST_WORDS for length in lengths)
                kept.append(f"{campaign.lp} {long:,} of {len(lengths):,}")
    if kept:
        yield (
            f"People judged sentences of at most {MOST_WORDS} words, says the paper. Judged sentences whose source has "
            f"more: {', '.join(kept)}. Metrics score all sentences, as in the paper."
        )


def _rows(found: _Found) -> Iterator[ReproducedNumber]:
    """The numbers of a table beside ours; those that the folder has no data for as a row for each column."""
    absent: dict[str, int] = {}
    away_of_averages: dict[str, None] = {}
    for metric, columns in printed(found.table).items():
        lacking: dict[Lack, dict[str, int]] = {}
        for column, cell in columns.items():
            lps = [column] if "-" in column else _directions(columns)
            away = [lp for lp in lps if lp not in found.there]
            lack = next((found.lacks[metric, lp] for lp in lps if (metric, lp) in found.lacks), None)
            if away:
                quantity = f"{column}, all metrics" if "-" in column else _AVERAGES
                absent[quantity] = absent.get(quantity, 0) + cell.numbers
                if quantity == _AVERAGES:
                    away_of_averages |= dict.fromkeys(away)
            elif lack is not None:
                lacking.setdefault(lack, {})[column] = cell.numbers
            else:
                yield from _compared(found, metric, column, cell)
        for lack, counts in lacking.items():
            quantity = f"{SUBSTITUTES.get(metric, metric)}, {', '.join(counts)}"
            row = (found.table, quantity, Published(), no_data(lack.reason))
            yield ReproducedNumber(*row, count=sum(counts.values()), needs=lack.needs)
    for quantity, count in absent.items():
        missing = ", ".join(away_of_averages) if quantity == _AVERAGES else quantity.partition(",")[0]
        reason = f"the folder wmt13 has no rankings ({GOLD}) and texts of {missing}"
        yield ReproducedNumber(found.table, quantity, Published(), no_data(reason), count=count)


def _compared(found: _Found, metric: str, column: str, cell: Cell) -> Iterator[ReproducedNumber]:
    name, is_substitute = SUBSTITUTES.get(metric, metric), metric in SUBSTITUTES
    ours = found.estimate(metric, column)
    is_open = TABLES[found.table][0] == "segment" and column in OPEN_SEGMENTS and not is_substitute
    name_of_reason = "segments" if is_open else REASON_OF.get(metric, "moses")
    reason = FOUND[name_of_reason]() if name_of_reason in FOUND else REASONS[name_of_reason]
    published = Published(cell.value, other_data=is_substitute)
    yield ReproducedNumber(found.table, f"{name}, {column}", published, ours, reason)
    if cell.width:
        half = Estimate(1.96 * ours.standard_error, ours.n, reason=ours.reason)
        published = Published(cell.width, "width", other_data=is_substitute)
        width_reason = reason if is_substitute else REASONS["draws"]
        yield ReproducedNumber(found.table, f"{name}, {column}, ±", published, half, width_reason)


def _extracted(campaigns: Mapping[str, assay.Campaign]) -> Iterator[ReproducedNumber]:
    """How many strict pairs there are, the last row of Table 4."""
    for lp, number in EXTRACTED.items():
        found = no_data(f"the folder wmt13 has no rankings ({GOLD}) of {lp}")
        if lp in campaigns and (pairs := _pairs(campaigns[lp])) is not None:
            found = Estimate(len(pairs), len(pairs))
        yield ReproducedNumber("Table 4", f"extracted pairs, {lp}", Published(number), found, REASONS["open"])


def _recommendations(tables: Mapping[str, _Found]) -> Iterator[Recommendation]:
    """The best and the worst metric by mean over the directions that are here, of the paper and of ours."""
    for table in ("Table 2", "Table 3"):
        found = tables[table]
        lps = [lp for lp in _directions(printed(table)["BLEU-MTEVAL"]) if lp in found.there]
        values = {
            metric: [found.estimate(metric, lp).value for lp in lps]
            for metric, columns in printed(table).items()
            if metric not in SUBSTITUTES and set(lps) <= columns.keys()
        }
        ours = {metric: float(np.mean(row)) for metric, row in values.items() if row and not np.isnan(row).any()}
        if ours:
            yield _recommendation(table, lps, ours)


def _recommendation(table: str, lps: Sequence[str], ours: Mapping[str, float]) -> Recommendation:
    said = {metric: float(np.mean([float(printed(table)[metric][lp].value) for lp in lps])) for metric in ours}
    best, worst = max(said, key=lambda name: said[name]), min(said, key=lambda name: said[name])
    our_best, our_worst = max(ours, key=lambda name: ours[name]), min(ours, key=lambda name: ours[name])
    of_best = "" if best in (our_best, our_worst) else f"; {best} has {ours[best]:.4f}"
    listed = " and ".join(filter(None, (", ".join(lps[:-1]), lps[-1])))
    over = f"the highest mean over {listed}" if len(lps) > 1 else f"the highest value on {listed}"
    return Recommendation(
        f"{table}: of the metrics computed here, {best} has {over} ({said[best]:.4f}), and {worst} the lowest.",
        f"{our_best} has the highest ({ours[our_best]:.4f}), and {our_worst} the lowest ({ours[our_worst]:.4f})"
        f"{of_best}.",
    )

"""ElNokrashy & Kocmi 2023, "eBLEU": pairwise accuracy of metrics on WMT22 and WMT23."""

from __future__ import annotations

import itertools
import math
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import assay
from assay.lazily import numpy as np
from assay.reproduction.campaigns import (
    ARCHIVE,
    lacking,
    load_test_sets,
    no_data,
    standard_reference,
    value_of,
    with_papers_names,
)
from assay.results import (
    Estimate,
    EvaluatedMetric,
    MetaEvaluation,
    PaperFigure,
    Published,
    Recommendation,
    ReproducedNumber,
    Reproduction,
)
from assay.types.runtime import Runtime

__all__ = ["TEST_SETS", "TITLE", "digests_at_hand", "run", "score_once"]

TITLE = "ElNokrashy & Kocmi 2023, eBLEU"
CITATION = (
    "Muhammad ElNokrashy, Tom Kocmi (2023): eBLEU: Unexpectedly Good Machine Translation Evaluation Using Simple Word "
    "Embeddings. WMT 2023."
)
TEST_SETS = ("wmt22", "wmt23")
PAIRS = ("cs-en", "de-en", "ja-en", "ru-en", "uk-en", "zh-en")
"""The language pairs of the crowd, without Livonian."""
STORED: Mapping[str, Sequence[str]] = {
    "COMET-22": ("COMET-22",),
    "COMET-20": ("COMET-20", "COMET"),
    "BERTScore": ("BERTScore",),
    "f101spBLEU": ("f101spBLEU",),
    "f200spBLEU": ("f200spBLEU",),
    "chrF": ("chrF",),
    "BLEU": ("BLEU",),
}
"""Metrics of the paper that may have stored scores on WMT22, and how these may be called."""
STORED_23: Mapping[str, Sequence[str]] = {
    "COMET": ("COMET",),
    "BERTScore": ("BERTScore",),
    "f200spBLEU": ("f200spBLEU",),
    "BLEU": ("BLEU",),
    "chrF": ("chrF",),
    "eBLEU-FastText Softmax": ("eBLEU",),
}
"""The same on WMT23, where eBLEU took part."""
MODELS = {
    "COMET-22": "comet:model=wmt22-comet-da",
    "COMET-20": "comet:model=wmt20-comet-da",
    "f101spBLEU": "bleu:tok=flores101",
    "f200spBLEU": "bleu:tok=flores200",
    "chrF": "chrf",
    "BLEU": "bleu",
}
"""How Assay computes the metrics without stored scores; some need a model."""

VECTORS = "wink-en"
"""English vectors that can be had (docs/methods/vectors.md); the paper's are fastText's."""
ENCODERS = ("minilm-en", "use-multilingual")
"""Encoders that can be had (docs/methods/encoders.md). The paper has BERTScore, and no eBLEU on an encoder."""
EBLEU = {"eBLEU-FastText L1": "ebleu:diffusion=l1,vectors=", "eBLEU-FastText Softmax": "ebleu:vectors="}
"""What is computed with vectors, by the name in the paper; their name follows."""
BERTSCORE = {"BERTScore": "bertscore:vectors="}
MTURK: Mapping[str, str] = {
    "COMET-22": "62.61", "COMET-20": "63.53", "BERTScore": "66.57", "f101spBLEU": "65.96", "f200spBLEU": "66.87",
    "chrF": "66.57", "BLEU": "65.35", "eBLEU-FastText L1": "68.69", "eBLEU-FastText Softmax": "70.82",
}  # fmt: skip
"""Table 1, the column of crowd-sourced direct assessment: six language pairs into English."""
MQM: Mapping[str, str] = {
    "COMET-22": "83.94", "COMET-20": "83.58", "BERTScore": "77.37", "f101spBLEU": "74.45", "f200spBLEU": "74.09",
    "chrF": "73.36", "BLEU": "70.80", "eBLEU-FastText L1": "76.64", "eBLEU-FastText Softmax": "74.82",
}  # fmt: skip
DA_SQM: Mapping[str, str] = {
    "COMET-22": "84.19", "COMET-20": "82.17", "BERTScore": "75.92", "f101spBLEU": "74.26", "f200spBLEU": "74.26",
    "chrF": "75.92", "BLEU": "70.22", "eBLEU-FastText L1": "74.45", "eBLEU-FastText Softmax": "72.43",
}  # fmt: skip
TABLE_2: Mapping[str, str] = {
    "COMET": "93.5", "BERTScore": "90.2", "f200spBLEU": "86.8", "BLEU": "85.9", "chrF": "85.2",
    "eBLEU-FastText Softmax": "89.3",
}  # fmt: skip
"""Pairwise accuracy on WMT23."""


@dataclass(frozen=True)
class Column:
    """A column of the paper: the human scores, what it prints, and how much data it has."""

    where: str
    title: str
    test_set: str
    gold: str
    printed: Mapping[str, str]
    lps: tuple[str, ...]
    pairs: int | None
    """Of systems, over all language pairs; None: the paper does not say."""
    options: Mapping[str, Any] = field(default_factory=dict)


COLUMNS: Mapping[str, Column] = {
    "raw": Column("Table 1", "crowd DA (MTurk)", "wmt22", "wmt", MTURK, PAIRS, 329),
    "mqm": Column("Table 1", "MQM", "wmt22", "mqm", MQM, ("en-de", "en-ru", "zh-en"), 274),
    "da-sqm": Column(
        "Table 1",
        "DA+SQM",
        "wmt22",
        "wmt-appraise",
        DA_SQM,
        ("cs-uk", "en-cs", "en-de", "en-hr", "en-ja", "en-liv", "en-ru", "en-uk", "en-zh", "liv-en", "sah-ru", "uk-cs",
         "zh-en"),
        544,
    ),
    "wmt23": Column(
        "Table 2",
        "WMT23, pairs of systems that people distinguish",
        "wmt23",
        "mqm",
        TABLE_2,
        ("en-de", "he-en", "zh-en"),
        None,
        {"significant": 0.05, "test": "signed-rank"},
    ),
}  # fmt: skip
"""By the name of the result."""
OTHER_COLUMNS: Mapping[str, Column] = {
    "standardised": replace(COLUMNS["raw"], title="crowd DA, z-scores of each judge", gold="wmt-z"),
    "wmt23-all": replace(COLUMNS["wmt23"], title="WMT23, all pairs of systems", options={}),
}
"""Columns that the paper does not have."""
ALL_COLUMNS: Mapping[str, Column] = {**COLUMNS, **OTHER_COLUMNS}

REASONS = {
    "vectors": "the fastText vectors of the paper are not at hand, nor the English ones called wink-en",
    "languages": "fastText vectors of {}; other vectors are at hand for English at most",
    "encoder": "no stored scores for {}, and none of the encoders that Assay would use instead of the paper's: {}",
    "other vectors": f"computed with the vectors {VECTORS}; the paper's are fastText's",
    "other encoder": "computed with the encoder {}; the paper's is not at hand",
    "of encoders": "the paper does not have this encoder",
    "standardised": "the paper uses raw scores",
    "all pairs": "pairwise accuracy over all pairs of systems of WMT23, not a number of Table 2",
    "wmt23": "open: Table 2 is hardly one accuracy over a single set of pairs: no number of pairs below {} gives all "
    "six values. Measured elsewhere on WMT23, on the pairs that people distinguish (signed-rank, p < .05), COMET and "
    "BERTScore have the printed values, and the others differ by up to 1.1",
    "settings": "open: the paper's data, and another value",
}

_Tables: TypeAlias = Mapping[str, MetaEvaluation]


def run(data: Path, runtime: Runtime) -> Reproduction:
    """The pairwise accuracies of each column whose human scores are in the folder."""
    test_sets = load_test_sets(data, TEST_SETS, runtime)
    columns = {
        name: found
        for name, column in ALL_COLUMNS.items()
        if (found := _campaigns(column, test_sets.get(column.test_set, ())))
    }
    models, missing = _models(columns, runtime)
    tables = {
        name: _accuracies([models.get(each.label, each) for each in found], _column(name), {}, runtime)
        for name, found in columns.items()
    }
    into_english = {each.lp: each for name, found in columns.items() for each in _into_english(name, found)}
    digests = digests_at_hand((VECTORS, *ENCODERS)) if into_english else {}
    scores = {resource: _scores([*into_english.values()], resource, runtime) for resource in digests}
    embedded = {
        resource: {
            name: _accuracies(found, _column(name), computed, runtime)
            for name, found in columns.items()
            if _column(name).test_set == "wmt22" and {each.lp for each in found} <= computed.keys()
        }
        for resource, computed in scores.items()
    }
    results = tables | {f"{name}-{each}": table for each, found in embedded.items() for name, table in found.items()}
    captions = {name: f"{_column(name).where}, {_column(name).title}" for name in tables}
    return Reproduction(
        paper="ebleu",
        citation=CITATION,
        settings={
            "data": "+".join(test_sets),
            "statistic": "pairwise-accuracy",
            "over_pairs": "pooled",
            "pairs_of_systems": "+".join(str(_pairs(table)) for table in tables.values()),
            **digests,
        },
        numbers=(
            *(row for name, column in COLUMNS.items() for row in _numbers(name, column, tables, embedded, missing)),
            *_standardised(tables, embedded),
            *_of_all_pairs(tables),
            *_on_encoders(embedded),
        ),
        recommendations=(_recommendation(tables, embedded),),
        results=results,
        tables=captions
        | {
            f"{name}-{resource}": f"{captions[name]}, metrics on {resource}"
            for resource, found in embedded.items()
            for name in found
        },
        figures={
            f"{_column(name).where.replace(' ', '-').lower()}-{name}": PaperFigure(caption, "metric-ranking", (name,))
            for name, caption in captions.items()
        },
    )


def _column(name: str) -> Column:
    return ALL_COLUMNS[name]


def _campaigns(column: Column, campaigns: Sequence[assay.Campaign]) -> list[assay.Campaign]:
    """The language pairs of a column with its human scores of systems, and the stored scores of its metrics."""
    names = STORED_23 if column.test_set == "wmt23" else STORED
    return [
        with_papers_names(each, names)
        for each in campaigns
        if each.lp in column.lps and any((t.name, t.level) == (column.gold, "system") for t in each.human)
    ]


def _into_english(name: str, campaigns: Sequence[assay.Campaign]) -> Sequence[assay.Campaign]:
    """The language pairs of a column of WMT22 if English vectors are enough for all of them."""
    is_enough = all(each.lp.endswith("-en") and each.testset is not None for each in campaigns)
    return campaigns if is_enough and _column(name).test_set == "wmt22" else ()


def _models(
    columns: Mapping[str, Sequence[assay.Campaign]], runtime: Runtime
) -> tuple[dict[str, assay.Campaign], dict[tuple[str, str], str]]:
    """Campaigns with the scores of metrics that are not stored but can be computed.

    The others are by column and metric: what a metric lacks.
    """
    found: dict[str, assay.Campaign] = {}
    missing: dict[tuple[str, str], str] = {}
    for name, campaigns in columns.items():
        for metric, spec in MODELS.items():
            without = [each for each in campaigns if metric not in {table.name for table in each.metrics}]
            if not without or metric not in _column(name).printed:
                continue
            lps = ", ".join(each.lp for each in without)
            if any(each.testset is None for each in without):
                missing[name, metric] = f"no stored scores for {lps}, and no texts to compute them from"
            elif lack := lacking(spec):
                missing[name, metric] = f"no stored scores for {lps}; to compute them: {lack}"
            else:
                for each in without:
                    known = found.get(each.label, each)
                    if metric not in {table.name for table in known.metrics}:
                        scores = (*known.scores, *_score(each, {metric: spec}, runtime))
                        found[each.label] = replace(known, scores=scores)
    return found, missing


def digests_at_hand(resources: Iterable[str]) -> dict[str, str]:
    """The digests of the vectors and encoders that are there; of encoders only with the packages that run them."""
    digests = {}
    for name in resources:
        with suppress(assay.errors.MissingExtraError):
            if name in ENCODERS:
                assay.encoders.open_encoder(name)
                digests[name] = assay.encoders.find_encoder(name).digest
            else:
                digests[name] = assay.vectors.find_vectors(name).digest
    return digests


def _computed(resource: str) -> dict[str, str]:
    """The metrics of a resource, by the name in the paper."""
    metrics = EBLEU | BERTSCORE if resource in ENCODERS else EBLEU
    return {name: f"{spec}{resource}" for name, spec in metrics.items()}


def _scores(
    campaigns: Sequence[assay.Campaign], resource: str, runtime: Runtime
) -> dict[str, tuple[assay.ScoreTable, ...]]:
    """By language pair: the scores of all systems, computed once for all human scores."""
    tracked = runtime.track(campaigns, lambda campaign: f"scoring {campaign.label} with {resource}")
    specs = {spec: spec for spec in _computed(resource).values()}
    return {campaign.lp: tuple(_score(campaign, specs, runtime)) for campaign in tracked}


def _score(campaign: assay.Campaign, specs: Mapping[str, str], runtime: Runtime) -> Iterator[assay.ScoreTable]:
    """System scores as reported, under the names given."""
    reference = standard_reference(campaign)
    texts = campaign.select_texts(references=[] if reference is None else [reference])
    run = score_once(texts, specs.values(), runtime, agg=["corpus", "segment"])
    for name, spec in specs.items():
        scores = run[spec].corpus if spec.startswith(("bleu", "chrf")) else run[spec].segment_mean
        values = np.array([[scores[system]] for system in run.systems])
        yield assay.ScoreTable(name, "system", run.systems, values, references=tuple(filter(None, (reference,))))


def score_once(
    texts: assay.TestSet, metrics: Iterable[str], runtime: Runtime, *, agg: str | Sequence[str]
) -> assay.Run:
    """The scores of several metrics without intervals. An encoder reads a text once for all of them."""
    with tempfile.TemporaryDirectory() as folder:
        keeping = replace(runtime, cache=runtime.cache or Path(folder))
        return assay.score(texts, list(dict.fromkeys(metrics)), agg=agg, resamples=0, runtime=keeping)


def _accuracies(
    campaigns: Sequence[assay.Campaign],
    column: Column,
    computed: Mapping[str, tuple[assay.ScoreTable, ...]],
    runtime: Runtime,
) -> MetaEvaluation:
    return assay.meta(
        [replace(each, scores=(*each.human, *computed.get(each.lp, each.metrics))) for each in campaigns],
        gold=column.gold,
        statistics=["pairwise-accuracy"],
        over_pairs="pooled" if len(campaigns) > 1 else "mean",  # the pairs of systems of all language pairs
        outliers="keep",
        resamples=0,
        random_metrics=0,
        runtime=runtime,
        **column.options,
    )


def _numbers(
    name: str,
    column: Column,
    tables: _Tables,
    embedded: Mapping[str, _Tables],
    missing: Mapping[tuple[str, str], str],
) -> Iterator[ReproducedNumber]:
    """The numbers of a column beside the paper's; of other data if pairs of systems are missing."""
    if name not in tables:
        reason = f"the folder has no {column.gold} scores of systems of {column.test_set}"
        for metric, printed in column.printed.items():
            quantity = f"{metric}, {column.title}"
            yield ReproducedNumber(column.where, quantity, Published(printed), no_data(_with_source(reason)))
        return
    incomplete = _incomplete(column, tables[name])
    for metric, printed in column.printed.items():
        ours, reason, needs = _ours(name, metric, tables[name], embedded, missing)
        reasons = "; ".join(filter(None, (reason, incomplete)))
        yield ReproducedNumber(
            column.where,
            f"{metric}, {column.title}",
            Published(printed, other_data=bool(reasons)),
            ours,
            reasons or _open(column),
            needs=needs,
        )


def _open(column: Column) -> str:
    return REASONS["wmt23"].format(_fewest_pairs()) if column.test_set == "wmt23" else REASONS["settings"]


def _fewest_pairs() -> int:
    """The smallest number of pairs of systems of which shares can be all the values of Table 2."""

    def can_be(value: str, pairs: int) -> bool:
        return Published(value).is_met(100 * round(float(value) * pairs / 100) / pairs) is True

    return next(pairs for pairs in itertools.count(1) if all(can_be(value, pairs) for value in TABLE_2.values()))


def _with_source(reason: str) -> str:
    return f"{reason}; assay data fetch {ARCHIVE} has them"


def _incomplete(column: Column, table: MetaEvaluation) -> str:
    """Which of the paper's data are missing; empty: none."""
    lps = [lp for lp in column.lps if lp not in {pair.lp for pair in table.language_pairs}]
    found = _pairs(table)
    reasons = [f"not in the data: {', '.join(lps)}"] if lps else []
    if column.pairs is not None and found != column.pairs:
        reasons.append(f"{found} pairs of systems, the paper has {column.pairs}")
    return "; ".join(reasons)


def _pairs(table: MetaEvaluation) -> int:
    """The most pairs of systems that a metric has."""
    return max((value_of(_accuracy, table, row.metric).n for row in table), default=0)


def _ours(
    column: str,
    metric: str,
    table: MetaEvaluation,
    embedded: Mapping[str, _Tables],
    missing: Mapping[tuple[str, str], str],
) -> tuple[Estimate, str, Literal["data", "model"]]:
    """The accuracy of a metric of the paper, why it need not be that of the paper, and what is missing."""
    if (column, metric) in missing:
        return no_data(missing[column, metric]), "", "model" if "to compute them" in missing[column, metric] else "data"
    stored = value_of(_accuracy, table, metric)
    if not math.isnan(stored.value):
        return stored, "", "data"
    if _column(column).test_set == "wmt23":
        return no_data(_with_source(f"wmt23 has no stored scores of {metric} for all language pairs")), "", "data"
    if metric in EBLEU:
        if column in embedded.get(VECTORS, {}):
            found = value_of(_accuracy, embedded[VECTORS][column], EBLEU[metric] + VECTORS)
            return found, REASONS["other vectors"], "model"
        targets = sorted({pair.lp.partition("-")[2] for pair in table.language_pairs} - {"en"})
        lack = REASONS["languages"].format(", ".join(targets)) if targets else REASONS["vectors"]
        return no_data(lack), "", "model"
    encoder = next((name for name in ENCODERS if column in embedded.get(name, {})), None)
    if encoder is not None:
        found = value_of(_accuracy, embedded[encoder][column], BERTSCORE["BERTScore"] + encoder)
        return found, REASONS["other encoder"].format(encoder), "model"
    has = {lp for row in table if row.without_references == metric for lp in _lps(row)}
    lps = ", ".join(pair.lp for pair in table.language_pairs if pair.lp not in has)
    return no_data(REASONS["encoder"].format(lps, " or ".join(ENCODERS))), "", "model"


def _lps(row: EvaluatedMetric) -> list[str]:
    return [column.lp for column, each in row.agreements.items() if column.lp and not math.isnan(each.value)]


def _standardised(tables: _Tables, embedded: Mapping[str, _Tables]) -> Iterator[ReproducedNumber]:
    """Not in the paper: the column of the crowd with the scores of each judge standardised."""
    if (table := tables.get("standardised")) is None:
        return
    found = {metric: (value_of(_accuracy, table, metric), REASONS["standardised"]) for metric in STORED}
    found = {metric: each for metric, each in found.items() if not math.isnan(each[0].value)}
    if vectors := embedded.get(VECTORS, {}).get("standardised"):
        reason = f"{REASONS['standardised']}; {REASONS['other vectors']}"
        found |= {name: (value_of(_accuracy, vectors, spec), reason) for name, spec in _computed(VECTORS).items()}
    for metric, (ours, reason) in found.items():
        yield ReproducedNumber("", f"{metric}, {_column('standardised').title}", Published(), ours, reason)


def _of_all_pairs(tables: _Tables) -> Iterator[ReproducedNumber]:
    """Not in the paper: accuracies over all pairs of systems of WMT23."""
    for metric in TABLE_2 if "wmt23-all" in tables else ():
        ours = value_of(_accuracy, tables["wmt23-all"], metric)
        if not math.isnan(ours.value):
            quantity = f"{metric}, {_column('wmt23-all').title}"
            yield ReproducedNumber("", quantity, Published(), ours, REASONS["all pairs"])


def _on_encoders(embedded: Mapping[str, _Tables]) -> Iterator[ReproducedNumber]:
    for encoder in (name for name in ENCODERS if name in embedded):
        for name, table in embedded[encoder].items():
            for metric, spec in _computed(encoder).items():
                title = _column(name).title.replace(" (MTurk)", "")
                quantity = f"{metric.replace('-FastText', '')} on the encoder {encoder}, {title}"
                ours = value_of(_accuracy, table, spec)
                yield ReproducedNumber("", quantity, Published(), ours, REASONS["of encoders"])


def _accuracy(table: MetaEvaluation, metric: str) -> Estimate:
    """In percent, with the number of pairs of systems."""
    row = table[metric]
    pairs = sum(agreement.pairs or 0 for agreement in row.agreements.values())
    return Estimate(100 * row.average.value, pairs, reason=row.average.reason)


def _recommendation(tables: _Tables, embedded: Mapping[str, _Tables]) -> Recommendation:
    said = [_ebleu_found(embedded)]
    if "raw" in tables and "standardised" in tables:
        raw, standardised = (
            {metric: value_of(_accuracy, tables[name], metric).value for metric in ("COMET-20", "chrF", "BLEU")}
            for name in ("raw", "standardised")
        )
        spread = max(max(each.values()) - min(each.values()) for each in (raw, standardised))
        said.append(
            f"On crowd DA, BLEU has {raw['BLEU']:.1f} % with raw scores and {standardised['BLEU']:.1f} % with "
            f"standardised ones; COMET-20, chrF and BLEU differ by at most {spread:.1f} points on either. Raw scores "
            "mix the scales of judges, which z-scores remove, and they order the metrics otherwise."
        )
    if "wmt23-all" in tables:
        official = value_of(_accuracy, tables["wmt23-all"], "eBLEU-FastText Softmax").value
        others = {name: value_of(_accuracy, tables["wmt23-all"], name).value for name in ("BLEU", "chrF", "COMET")}
        if not math.isnan(official):
            listed = ", ".join(f"{name} {value:.1f} %" for name, value in others.items() if not math.isnan(value))
            said.append(f"On WMT23, the official scores of eBLEU have {official:.1f} % over all pairs ({listed}).")
    return Recommendation(
        "Table 1: eBLEU is ahead of BLEU in all three columns, and of chrF in two.", " ".join(filter(None, said))
    )


def _ebleu_found(embedded: Mapping[str, _Tables]) -> str:
    found = []
    for resource, tables in embedded.items():
        if not {"raw", "standardised"} <= tables.keys():
            continue
        raw, standardised = (
            " and ".join(f"{value_of(_accuracy, tables[name], spec + resource).value:.1f} %" for spec in EBLEU.values())
            for name in ("raw", "standardised")
        )
        kind = "encoder" if resource in ENCODERS else "vectors"
        found.append(
            f"With the {kind} {resource} instead of fastText's vectors, its variants L1 and softmax have {raw} with "
            f"raw scores on crowd DA, and {standardised} with standardised ones."
        )
    return " ".join(found) or "Without its vectors it cannot be computed on WMT22 here."

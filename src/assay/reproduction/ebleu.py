"""ElNokrashy & Kocmi 2023, "eBLEU": pairwise accuracy of metrics on WMT22."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import assay
from assay.reproduction.campaigns import load_test_sets, no_data, value_of
from assay.results import (
    Estimate,
    MetaEvaluation,
    PaperFigure,
    Published,
    Recommendation,
    ReproducedNumber,
    Reproduction,
)
from assay.runtime import Runtime

__all__ = ["TEST_SETS", "TITLE", "run"]

TITLE = "ElNokrashy & Kocmi 2023, eBLEU"
CITATION = (
    "Muhammad ElNokrashy, Tom Kocmi (2023): eBLEU: Unexpectedly Good Machine Translation Evaluation Using Simple Word "
    "Embeddings. WMT 2023."
)
TEST_SETS = ("wmt22",)
PAIRS = ("cs-en", "de-en", "ja-en", "ru-en", "uk-en", "zh-en")
STORED = {"COMET-20": "COMET", "chrF": "chrF", "BLEU": "BLEU"}
"""Metrics of the paper that have stored scores on all six pairs, and their names there."""

VECTORS = "wink-en"
"""English vectors that can be had (docs/methods/vectors.md); the paper's are fastText's."""
COMPUTED = {
    "eBLEU-FastText L1": f"ebleu:vectors={VECTORS},diffusion=l1",
    "eBLEU-FastText Softmax": f"ebleu:vectors={VECTORS}",
}
"""What is computed with these vectors, by the name in the paper."""
REFERENCES = ("refA", "refB")
"""What to compute with: the first that a language pair has. cs-en has no reference A."""

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

REASONS = {
    "not stored": "scores of this metric are stored for zh-en only, and Assay does not compute it",
    "no vectors": "the fastText vectors of the paper are not at hand",
    "other vectors": f"computed with the vectors {VECTORS}; the paper's are fastText's",
    "MQM": "the human scores of the 274 pairs of systems in this column are not at hand",
    "DA+SQM": "the human scores of the 544 pairs of systems in this column are not at hand",
    "WMT23": "WMT23 is not at hand",
    "standardised": "the paper uses raw scores",
}


def run(data: Path, runtime: Runtime) -> Reproduction:
    """The pairwise accuracies that can be computed from stored scores, with raw and with standardised human scores."""
    campaigns = [each for each in load_test_sets(data, TEST_SETS, runtime, lps="*-en")["wmt22"] if each.lp in PAIRS]
    stored = [f"{name}*" for name in STORED.values()]
    golds = {"raw": "wmt", "standardised": "wmt-z"}
    tables = {name: _accuracies(campaigns, gold, stored, (), runtime) for name, gold in golds.items()}
    embedded = {
        f"{name}-{VECTORS}": _accuracies(campaigns, gold, [*stored, *COMPUTED.values()], REFERENCES, runtime)
        for name, gold in golds.items()
        if _has_vectors()
    }
    return Reproduction(
        paper="ebleu",
        citation=CITATION,
        settings={"data": "wmt22", "statistic": "pairwise-accuracy", "over_pairs": "pooled"},
        numbers=(
            *_crowd(tables["raw"], embedded.get(f"raw-{VECTORS}")),
            *_standardised(tables["standardised"], embedded.get(f"standardised-{VECTORS}")),
            *_not_at_hand(),
        ),
        recommendations=(_recommendation(tables, embedded),),
        results=tables | embedded,
        tables={name: f"Table 1, crowd DA, {name} scores" for name in tables}
        | {name: f"Table 1, crowd DA, {name.replace('-', ' scores, vectors ', 1)}" for name in embedded},
        figures={
            f"table-1-{name}": PaperFigure(f"Table 1, crowd DA, {name} scores", "metric-ranking", (name,))
            for name in tables
        },
    )


def _has_vectors() -> bool:
    try:
        assay.vectors.find_vectors(VECTORS)
    except assay.errors.MissingExtraError:
        return False
    return True


def _accuracies(
    campaigns: list[assay.Campaign], gold: str, metrics: list[str], references: tuple[str, ...], runtime: Runtime
) -> MetaEvaluation:
    return assay.meta(
        campaigns,
        gold=gold,
        statistics=["pairwise-accuracy"],
        over_pairs="pooled" if len(campaigns) > 1 else "mean",  # the pairs of systems of all language pairs
        outliers="keep",
        metrics=metrics,
        references=references,
        resamples=0,
        random_metrics=0,
        runtime=runtime,
    )


def _crowd(table: MetaEvaluation, embedded: MetaEvaluation | None) -> Iterator[ReproducedNumber]:
    missing = [lp for lp in PAIRS if lp not in {pair.lp for pair in table.language_pairs}]
    for metric, printed in MTURK.items():
        reasons = [f"not in the data: {', '.join(missing)}"] if missing else []
        if metric in STORED:
            ours = value_of(_accuracy, table, STORED[metric])
        elif metric in COMPUTED and embedded is not None:
            ours = value_of(_accuracy, embedded, COMPUTED[metric])
            reasons.insert(0, REASONS["other vectors"])
        else:
            ours = no_data(REASONS["no vectors" if metric in COMPUTED else "not stored"])
        published = Published(printed, other_data=bool(reasons))
        yield ReproducedNumber("Table 1", f"{metric}, crowd DA (MTurk)", published, ours, "; ".join(reasons))


def _standardised(table: MetaEvaluation, embedded: MetaEvaluation | None) -> Iterator[ReproducedNumber]:
    found = {metric: value_of(_accuracy, table, name) for metric, name in STORED.items()}
    if embedded is not None:
        found |= {metric: value_of(_accuracy, embedded, name) for metric, name in COMPUTED.items()}
    for metric, ours in found.items():
        reason = REASONS["standardised"]
        if metric in COMPUTED:
            reason = f"{reason}; {REASONS['other vectors']}"
        yield ReproducedNumber("", f"{metric}, crowd DA, z-scores of each judge", Published(), ours, reason)


def _not_at_hand() -> Iterator[ReproducedNumber]:
    for column, printed in (("MQM", MQM), ("DA+SQM", DA_SQM)):
        for metric, value in printed.items():
            yield ReproducedNumber("Table 1", f"{metric}, {column}", Published(value), no_data(REASONS[column]))
    for metric, value in TABLE_2.items():
        quantity = f"{metric}, system level of WMT23"
        yield ReproducedNumber("Table 2", quantity, Published(value), no_data(REASONS["WMT23"]))


def _accuracy(table: MetaEvaluation, metric: str) -> Estimate:
    """In percent, with the number of pairs of systems."""
    row = table[metric]
    pairs = sum(agreement.pairs or 0 for agreement in row.agreements.values())
    return Estimate(100 * row.average.value, pairs, reason=row.average.reason)


def _recommendation(tables: Mapping[str, MetaEvaluation], embedded: Mapping[str, MetaEvaluation]) -> Recommendation:
    raw, standardised = (
        {metric: value_of(_accuracy, table, name).value for metric, name in STORED.items()} for table in tables.values()
    )
    spread = max(max(each.values()) - min(each.values()) for each in (raw, standardised))
    return Recommendation(
        "Table 1: eBLEU is ahead of BLEU in all three columns, and of chrF in two.",
        f"{_ebleu_found(embedded)} On crowd DA, BLEU has "
        f"{raw['BLEU']:.1f}% with raw scores and {standardised['BLEU']:.1f}% with standardised ones; the metrics here "
        f"differ by at most {spread:.1f} points on either. Raw scores mix the scales of judges, which z-scores remove, "
        "and they order the metrics otherwise.",
    )


def _ebleu_found(embedded: Mapping[str, MetaEvaluation]) -> str:
    if not embedded:
        return "Without its vectors it cannot be computed here."
    raw, standardised = (
        " and ".join(f"{value_of(_accuracy, table, name).value:.1f}%" for name in COMPUTED.values())
        for table in embedded.values()
    )
    return (
        f"With the vectors {VECTORS} instead of fastText's, its variants L1 and softmax have {raw} with raw scores on "
        f"crowd DA, and {standardised} with standardised ones."
    )

"""ElNokrashy & Kocmi 2023, "eBLEU": pairwise accuracy of metrics on WMT22."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import assay
from assay.reproduction.campaigns import load_test_sets, no_data
from assay.results import Estimate, MetaEvaluation, PaperFigure, Recommendation, Reproduced, Reproduction
from assay.runtime import Runtime

__all__ = ["run"]

CITATION = (
    "Muhammad ElNokrashy, Tom Kocmi (2023): eBLEU: Unexpectedly Good Machine Translation Evaluation Using Simple Word "
    "Embeddings. WMT 2023."
)

MTURK: Mapping[str, str] = {
    "COMET-22": "62.61", "COMET-20": "63.53", "BERTScore": "66.57", "f101spBLEU": "65.96", "f200spBLEU": "66.87",
    "chrF": "66.57", "BLEU": "65.35", "eBLEU-FastText L1": "68.69", "eBLEU-FastText Softmax": "70.82",
}  # fmt: skip
"""Table 1, the column of crowd-sourced direct assessment: six language pairs into English."""
STORED = {"COMET-20": "COMET", "chrF": "chrF", "BLEU": "BLEU"}
"""Metrics of the paper that have stored scores on all six pairs, and their names there."""
MQM: Mapping[str, str] = {
    "COMET-22": "83.94", "COMET-20": "83.58", "BERTScore": "77.37", "f101spBLEU": "74.45", "f200spBLEU": "74.09",
    "chrF": "73.36", "BLEU": "70.80", "eBLEU-FastText L1": "76.64", "eBLEU-FastText Softmax": "74.82",
}  # fmt: skip
DA_SQM: Mapping[str, str] = {
    "COMET-22": "84.19", "COMET-20": "82.17", "BERTScore": "75.92", "f101spBLEU": "74.26", "f200spBLEU": "74.26",
    "chrF": "75.92", "BLEU": "70.22", "eBLEU-FastText L1": "74.45", "eBLEU-FastText Softmax": "72.43",
}  # fmt: skip
TABLE_2 = {
    "COMET": "93.5", "BERTScore": "90.2", "f200spBLEU": "86.8", "BLEU": "85.9", "chrF": "85.2",
    "eBLEU-FastText Softmax": "89.3",
}  # fmt: skip
NOT_STORED = "no scores of this metric on all six language pairs are at hand"
NO_VECTORS = "the fastText vectors of the paper are not at hand"
STANDARDISED = "not in the paper, which uses raw scores"


def run(data: Path, runtime: Runtime) -> Reproduction:
    """The pairwise accuracies that can be computed from stored scores, with raw and with standardised human scores."""
    campaigns = load_test_sets(data, ["wmt22"], runtime, lps="*-en")
    six = [campaign for campaign in campaigns if campaign.lp != "liv-en"]
    raw, standardised = (_accuracy(six, gold, runtime) for gold in ("wmt", "wmt-z"))
    numbers = [*_mturk(raw), *_standardised(standardised), *_not_at_hand()]
    return Reproduction(
        "ebleu",
        CITATION,
        {"data": "wmt22", "statistic": "pairwise-accuracy", "over_pairs": "pooled"},
        tuple(numbers),
        (
            Recommendation(
                "Table 1: eBLEU is ahead of BLEU in all three columns, and of chrF in two.",
                "Without its vectors it cannot be computed here. On crowd DA, BLEU has "
                f"{_of(raw, 'BLEU').value:.1f}% with raw scores and {_of(standardised, 'BLEU').value:.1f}% with "
                "standardised ones: a larger change than between any two metrics, so judge metrics on both.",
            ),
        ),
        ("MQM and DA+SQM need human scores of more language pairs than are at hand.",),
        {"raw": raw, "standardised": standardised},
        {
            "table-1-raw": PaperFigure("Table 1, raw crowd DA", "metric-ranking", ("raw",)),
            "table-1-standardised": PaperFigure("Table 1, standardised crowd DA", "metric-ranking", ("standardised",)),
        },
    )


def _accuracy(campaigns: list[assay.Campaign], gold: str, runtime: Runtime) -> MetaEvaluation:
    """Pairs of systems are pooled over the language pairs; human references are left out."""
    return assay.meta(
        campaigns,
        gold=gold,
        statistics=["pairwise-accuracy"],
        over_pairs="pooled",
        outliers="keep",
        metrics=[f"{name}*" for name in STORED.values()],
        resamples=0,
        random_metrics=0,
        runtime=runtime,
    )


def _mturk(table: MetaEvaluation) -> Iterator[Reproduced]:
    for metric, printed in MTURK.items():
        if metric in STORED:
            ours = _of(table, STORED[metric])
        else:
            ours = no_data(NO_VECTORS if metric.startswith("eBLEU") else NOT_STORED)
        yield Reproduced("Table 1", f"{metric}, crowd DA (MTurk)", printed, ours)


def _standardised(table: MetaEvaluation) -> Iterator[Reproduced]:
    for metric, name in STORED.items():
        yield Reproduced("–", f"{metric}, crowd DA, z-scores of each judge", "", _of(table, name), STANDARDISED)


def _not_at_hand() -> Iterator[Reproduced]:
    for column, printed, pairs in (("MQM", MQM, 274), ("DA+SQM", DA_SQM, 544)):
        for metric, value in printed.items():
            missing = no_data(f"the human scores of the {pairs} pairs of systems in this column are not at hand")
            yield Reproduced("Table 1", f"{metric}, {column}", value, missing)
    for metric, value in TABLE_2.items():
        yield Reproduced("Table 2", f"{metric}, system level of WMT23", value, no_data("WMT23 is not at hand"))


def _of(table: MetaEvaluation, metric: str) -> Estimate:
    """The accuracy in percent, with the number of pairs of systems."""
    row = table[metric]
    (value,) = row.averages.values()
    pairs = sum(agreement.pairs or 0 for agreement in row.agreements.values())
    return Estimate(100 * value.value, pairs, reason=value.reason)

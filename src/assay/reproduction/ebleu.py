"""ElNokrashy & Kocmi 2023, "eBLEU": pairwise accuracy of metrics on WMT22."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import assay
from assay.lazily import numpy as np
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
from assay.types.runtime import Runtime

__all__ = ["TEST_SETS", "TITLE", "digests_at_hand", "run", "score_once"]

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
ENCODERS = ("minilm-en", "use-multilingual")
"""Encoders that can be had (docs/methods/encoders.md). The paper has BERTScore, and no eBLEU on an encoder."""
EBLEU = {"eBLEU-FastText L1": "ebleu:diffusion=l1,vectors=", "eBLEU-FastText Softmax": "ebleu:vectors="}
"""What is computed with vectors, by the name in the paper; their name follows."""
BERTSCORE = {"BERTScore": "bertscore:vectors="}
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
    "no encoder": "scores of this metric are stored for zh-en only, and no encoder is at hand",
    "other vectors": f"computed with the vectors {VECTORS}; the paper's are fastText's",
    "other encoder": "computed with the encoder {}; the paper's is not at hand",
    "encoder": "the paper does not have this encoder",
    "MQM": "the human scores of the 274 pairs of systems in this column are not at hand",
    "DA+SQM": "the human scores of the 544 pairs of systems in this column are not at hand",
    "WMT23": "WMT23 is not at hand",
    "standardised": "the paper uses raw scores",
}


def run(data: Path, runtime: Runtime) -> Reproduction:
    """The pairwise accuracies of stored scores and of metrics on vectors, with raw and standardised human scores."""
    campaigns = [each for each in load_test_sets(data, TEST_SETS, runtime, lps="*-en")["wmt22"] if each.lp in PAIRS]
    golds = {"raw": "wmt", "standardised": "wmt-z"}
    tables = {name: _accuracies(campaigns, gold, {}, runtime) for name, gold in golds.items()}
    digests = digests_at_hand((VECTORS, *ENCODERS))
    scores = {resource: _scores(campaigns, resource, runtime) for resource in digests}
    embedded = {
        resource: {name: _accuracies(campaigns, gold, computed, runtime) for name, gold in golds.items()}
        for resource, computed in scores.items()
    }
    return Reproduction(
        paper="ebleu",
        citation=CITATION,
        settings={
            "data": "wmt22",
            "statistic": "pairwise-accuracy",
            "over_pairs": "pooled",
            "pairs_of_systems": str(max(value_of(_accuracy, tables["raw"], name).n for name in STORED.values())),
            **digests,
        },
        numbers=(
            *_crowd(tables["raw"], {resource: found["raw"] for resource, found in embedded.items()}),
            *_standardised(tables["standardised"], embedded),
            *_on_encoders(embedded),
            *_not_at_hand(),
        ),
        recommendations=(_recommendation(tables, embedded),),
        results=tables
        | {f"{name}-{resource}": table for resource, found in embedded.items() for name, table in found.items()},
        tables={name: f"Table 1, crowd DA, {name} scores" for name in tables}
        | {
            f"{name}-{resource}": f"Table 1, crowd DA, {name} scores, metrics on {resource}"
            for resource, found in embedded.items()
            for name in found
        },
        figures={
            f"table-1-{name}": PaperFigure(f"Table 1, crowd DA, {name} scores", "metric-ranking", (name,))
            for name in tables
        },
    )


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
    return {campaign.lp: tuple(_score(campaign, _computed(resource), runtime)) for campaign in tracked}


def _score(campaign: assay.Campaign, specs: Mapping[str, str], runtime: Runtime) -> Iterator[assay.ScoreTable]:
    reference = next((name for name in REFERENCES if name in campaign.references), REFERENCES[0])
    texts = campaign.select_texts(references=[reference])
    run = score_once(texts, specs.values(), runtime, agg="segment")
    for spec in specs.values():
        values = np.array([[run[spec].segment_mean[system]] for system in run.systems])
        yield assay.ScoreTable(spec, "system", run.systems, values, references=(reference,))


def score_once(
    texts: assay.TestSet, metrics: Iterable[str], runtime: Runtime, *, agg: str | Sequence[str]
) -> assay.Run:
    """The scores of several metrics without intervals. An encoder reads a text once for all of them."""
    with tempfile.TemporaryDirectory() as folder:
        keeping = replace(runtime, cache=runtime.cache or Path(folder))
        return assay.score(texts, list(dict.fromkeys(metrics)), agg=agg, resamples=0, runtime=keeping)


def _accuracies(
    campaigns: list[assay.Campaign],
    gold: str,
    computed: Mapping[str, tuple[assay.ScoreTable, ...]],
    runtime: Runtime,
) -> MetaEvaluation:
    return assay.meta(
        campaigns,
        gold=gold,
        statistics=["pairwise-accuracy"],
        over_pairs="pooled" if len(campaigns) > 1 else "mean",  # the pairs of systems of all language pairs
        outliers="keep",
        metrics=[f"{name}*" for name in STORED.values()],
        references=REFERENCES if computed else (),
        external=computed,
        resamples=0,
        random_metrics=0,
        runtime=runtime,
    )


def _crowd(table: MetaEvaluation, embedded: Mapping[str, MetaEvaluation]) -> Iterator[ReproducedNumber]:
    missing = [lp for lp in PAIRS if lp not in {pair.lp for pair in table.language_pairs}]
    for metric, printed in MTURK.items():
        ours, reason = _ours(metric, table, embedded)
        reasons = [*filter(None, [reason]), *([f"not in the data: {', '.join(missing)}"] if missing else [])]
        published = Published(printed, other_data=bool(reasons))
        yield ReproducedNumber("Table 1", f"{metric}, crowd DA (MTurk)", published, ours, "; ".join(reasons))


def _ours(metric: str, table: MetaEvaluation, embedded: Mapping[str, MetaEvaluation]) -> tuple[Estimate, str]:
    """The accuracy of a metric of the paper, and why it need not be that of the paper."""
    if metric in STORED:
        return value_of(_accuracy, table, STORED[metric]), ""
    if metric in EBLEU:
        if VECTORS not in embedded:
            return no_data(REASONS["no vectors"]), ""
        return value_of(_accuracy, embedded[VECTORS], EBLEU[metric] + VECTORS), REASONS["other vectors"]
    if metric not in BERTSCORE:
        return no_data(REASONS["not stored"]), ""
    encoder = next((name for name in ENCODERS if name in embedded), None)
    if encoder is None:
        return no_data(REASONS["no encoder"]), ""
    reason = REASONS["other encoder"].format(encoder)
    return value_of(_accuracy, embedded[encoder], BERTSCORE[metric] + encoder), reason


def _standardised(
    table: MetaEvaluation, embedded: Mapping[str, Mapping[str, MetaEvaluation]]
) -> Iterator[ReproducedNumber]:
    found = {metric: (value_of(_accuracy, table, name), REASONS["standardised"]) for metric, name in STORED.items()}
    if VECTORS in embedded:
        reason = f"{REASONS['standardised']}; {REASONS['other vectors']}"
        vectors = embedded[VECTORS]["standardised"]
        found |= {name: (value_of(_accuracy, vectors, spec), reason) for name, spec in _computed(VECTORS).items()}
    for metric, (ours, reason) in found.items():
        yield ReproducedNumber("", f"{metric}, crowd DA, z-scores of each judge", Published(), ours, reason)


def _on_encoders(embedded: Mapping[str, Mapping[str, MetaEvaluation]]) -> Iterator[ReproducedNumber]:
    for encoder in (name for name in ENCODERS if name in embedded):
        for name, table in embedded[encoder].items():
            human = "crowd DA" if name == "raw" else "crowd DA, z-scores of each judge"
            for metric, spec in _computed(encoder).items():
                quantity = f"{metric.replace('-FastText', '')} on the encoder {encoder}, {human}"
                ours = value_of(_accuracy, table, spec)
                yield ReproducedNumber("", quantity, Published(), ours, REASONS["encoder"])


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


def _recommendation(
    tables: Mapping[str, MetaEvaluation], embedded: Mapping[str, Mapping[str, MetaEvaluation]]
) -> Recommendation:
    raw, standardised = (
        {metric: value_of(_accuracy, table, name).value for metric, name in STORED.items()} for table in tables.values()
    )
    spread = max(max(each.values()) - min(each.values()) for each in (raw, standardised))
    return Recommendation(
        "Table 1: eBLEU is ahead of BLEU in all three columns, and of chrF in two.",
        f"{_ebleu_found(embedded)} On crowd DA, BLEU has {raw['BLEU']:.1f} % with raw scores and "
        f"{standardised['BLEU']:.1f} % with standardised ones; the stored metrics differ by at most {spread:.1f} "
        "points on either. Raw scores mix the scales of judges, which z-scores remove, "
        "and they order the metrics otherwise.",
    )


def _ebleu_found(embedded: Mapping[str, Mapping[str, MetaEvaluation]]) -> str:
    if not embedded:
        return "Without its vectors it cannot be computed here."
    found = []
    for resource, tables in embedded.items():
        raw, standardised = (
            " and ".join(f"{value_of(_accuracy, table, spec + resource).value:.1f} %" for spec in EBLEU.values())
            for table in tables.values()
        )
        kind = "encoder" if resource in ENCODERS else "vectors"
        found.append(
            f"With the {kind} {resource} instead of fastText's vectors, its variants L1 and softmax have {raw} with "
            f"raw scores on crowd DA, and {standardised} with standardised ones."
        )
    return " ".join(found)

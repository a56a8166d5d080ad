"""What a comparison says of its pairs of systems: how many differ, each by itself, and how they were tested."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.labels.tests import correction_words, significance_test_label
from assay.measurement.segment_groups import are_known_documents
from assay.results import ComparedMetric, ComparedPair, Outcome, SystemComparison
from assay.types.note import plural
from assay.words.compared_pair import score_label
from assay.words.statement import uncapitalised

__all__ = ["corrected_for", "detectable_words", "how_tested", "one_cluster", "pair_sentence", "shown_pairs"]

_DETECTABLE = next(column.help for column in SystemComparison.columns if column.name == "detectable")


def shown_pairs(comparison: SystemComparison) -> str:
    """How many pairs differ by each score; of a single pair, by how many scores it does."""
    shown = [sum(pair.shows_difference for pair in metric.pairs) for metric in comparison.metrics]
    total = len(comparison.metrics[0].pairs)
    if total == 1:
        return f"A difference is shown by {sum(shown)} of {plural(len(shown), 'score')}."
    counts = (f"{score_label(metric)} {count}" for metric, count in zip(comparison.metrics, shown, strict=True))
    return f"Pairs for which a difference is shown, of {total}: {', '.join(counts)}."


def pair_sentence(metric: ComparedMetric, pair: ComparedPair) -> str:
    """What a score shows of two systems."""
    if math.isnan(pair.p_corrected):
        return f"Undefined: {pair.difference.reason or 'no p-value'}."
    if pair.outcome is Outcome.TIED:
        return "Both have the same score in every segment."
    if pair.shows_difference:
        return f"{pair.first if metric.is_better(pair) else pair.second} is shown to be better."
    return "No difference is shown, which does not mean that they are equal."


def one_cluster(metric: ComparedMetric) -> str:
    """That no system is shown to be better than all below it."""
    return f"By {score_label(metric)}, all systems are in one cluster."


def how_tested(comparison: SystemComparison) -> str:
    """The test, the correction, where a difference is shown, and what was taken as independent."""
    settings, pair = comparison.settings, comparison.metrics[0].pairs[0]
    test = f"{significance_test_label(pair.test)}, {plural(pair.n, settings['unit'])}"
    corrected = f"p-values {corrected_for(comparison)}"
    words = f"Test: {test}; {corrected}; a difference is shown where p < {comparison.alpha:g}."
    if len(comparison.metrics[0].pairs) > 1 and comparison.correction != "none":
        words += " Intervals are not corrected: one may exclude 0 although no difference is shown."
    documents = comparison.inputs.documents
    if settings["unit"] == "segment" and documents is not None and are_known_documents(documents):
        words += " Segments of a document were taken as independent; --unit document tests whole documents."
    return words


def corrected_for(comparison: SystemComparison) -> str:
    """What p-values are corrected for: the pairs under each score, but never the number of scores."""
    pairs, scores = len(comparison.metrics[0].pairs), len(comparison.metrics)
    if pairs == 1:
        return correction_words("none", f"{scores} scores" if scores > 1 else "")
    return correction_words(comparison.correction, f"{pairs} pairs{' under each score' if scores > 1 else ''}")


def detectable_words(comparison: SystemComparison) -> Iterator[str]:
    """What a detectable difference is, if any is known."""
    if any(not math.isnan(pair.power.detectable) for pair in comparison.pairs):
        yield f"Detectable: {uncapitalised(_DETECTABLE)}"

"""The comparison of systems, as a document: the verdict first, then a grid for each metric and aggregation."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.cells import BLANK, Cell, Count, Flag, Number, PValue, Text, decimals_for
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import (
    ComparedMetric,
    ComparedPair,
    DiffSpan,
    Example,
    Examples,
    GroupDifferences,
    NgramDifference,
    NgramDifferences,
    SystemComparison,
    WordGroups,
)

__all__ = ["document"]


def document(comparison: SystemComparison) -> Document:
    """The verdict, and the differences under every metric."""
    return Document.of(comparison, lambda: _sections(comparison), sheet="metric")


def _sections(comparison: SystemComparison) -> Iterator[Section]:
    for sentence in (*comparison.verdict, *comparison.failures):
        yield Section(title=sentence)
    alpha = float(comparison.settings["alpha"])
    for metric in comparison.metrics:
        grids = [_difference_grid(metric, alpha, comparison.settings["correction"])]
        if metric.clusters:
            grids.append(_cluster_grid(metric))
        yield Section(tuple(grids), signatures=(metric.signature,))
    for contrast in comparison.contrasts:
        yield _contrast(contrast)
    yield Section(signatures=(comparison.signature,))


def _difference_grid(metric: ComparedMetric, alpha: float, correction: str) -> Grid:
    """Scores and differences; p-values of the family of this grid."""
    decimals = decimals_for(score.value for score in metric.scores.values())
    n = metric.pairs[0].difference.n
    p_title = "p" if correction == "none" else f"p ({correction})"
    titles = (
        f"{metric.metric} {metric.aggregation} (n={n:,})",
        "minus",
        "score",
        "",
        "difference",
        p_title,
        "won",
        "tied",
        "lost",
        "80 % power",
    )
    needed = {pair.needed for pair in metric.pairs} - {None}
    rows = tuple(_row(metric, pair, alpha, decimals, has_needed=bool(needed)) for pair in metric.pairs)
    all_titles = (*titles, "needed") if needed else titles
    pairs = len(rows)
    captions = []
    if pairs > 1 and correction != "none":
        captions.append(Caption(f"p-values are corrected for the {pairs} pairs of this table"))
    return Grid(columns(all_titles, labels=2), rows, tuple(captions))


def _row(
    metric: ComparedMetric, pair: ComparedPair, alpha: float, decimals: int, *, has_needed: bool
) -> tuple[Cell, ...]:
    difference = pair.difference
    is_open = not pair.p_corrected < alpha
    flags = frozenset({Flag.NOT_SIGNIFICANT}) if is_open else frozenset()
    cells: list[Cell] = [
        Text(pair.first),
        Text(pair.second),
        Number(metric.scores[pair.first].value, decimals),
        Number(metric.scores[pair.second].value, decimals),
        Number(
            difference.value,
            decimals,
            difference.low,
            difference.high,
            style="signed",
            reason=difference.reason,
            flags=flags,
        ),
        PValue(pair.p_corrected, flags),
        Count(pair.wins),
        Count(pair.ties),
        Count(pair.losses),
        Number(pair.detectable, decimals),
    ]
    if has_needed:
        cells.append(Count(pair.needed or 0))
    return tuple(cells)


def _cluster_grid(metric: ComparedMetric) -> Grid:
    names = list(metric.scores)
    decimals = decimals_for(score.value for score in metric.scores.values())
    rows = []
    for system, cluster in metric.clusters.items():
        score = metric.scores[system]
        best = float("nan") if metric.rank_shares is None else float(metric.rank_shares[names.index(system), 0])
        rows.append((Text(system), Count(cluster), Number(score.value, decimals, score.low, score.high), Number(best)))
    return Grid(columns(("system", "cluster", metric.metric, "best in resamples")), tuple(rows))


def _contrast(contrast: Examples | GroupDifferences | NgramDifferences | WordGroups) -> Section:
    names = f"{contrast.first} and {contrast.second}"
    match contrast:
        case Examples():
            rows = tuple(
                row for example in (*contrast.best, *contrast.worst) for row in _example_rows(contrast, example)
            )
            title = f"Segments in which {names} differ most by {contrast.metric}; *words* that the other does not have"
            return Section((Grid(columns(("segment", "", "text"), labels=3), rows),), title)
        case GroupDifferences():
            return Section((_group_grid(contrast),), f"{names} by groups of segments, {contrast.metric}")
        case NgramDifferences():
            return Section(
                (_ngram_grid(contrast),), f"N-grams of the references that {names} get right unequally often"
            )
        case WordGroups():
            return Section((_word_grid(contrast),), f"Words of the references that {names} get right: F-measure")


def _example_rows(contrast: Examples, example: Example) -> Iterator[tuple[Cell, ...]]:
    yield Text(f"{example.segment} ({example.difference:+.2f})"), Text("source"), Text(example.source or "")
    for name, reference in example.references.items():
        yield BLANK, Text(name), Text(reference)
    yield BLANK, Text(contrast.first), Text(_marked(example.diff.first))
    yield BLANK, Text(contrast.second), Text(_marked(example.diff.second))


def _marked(spans: tuple[DiffSpan, ...]) -> str:
    return "".join(span.text if span.is_same or not span.text.strip() else f"*{span.text}*" for span in spans)


def _group_grid(contrast: GroupDifferences) -> Grid:
    rows = tuple(
        (
            Text(group.group),
            Text(group.aggregation),
            Count(group.n),
            Number(group.first_score),
            Number(group.second_score),
            Number(group.difference, style="signed", reason=group.reason),
        )
        for group in contrast.groups
    )
    titles = ("group", "", "segments", contrast.first, contrast.second, "better by")
    has_small = any(group.is_small for group in contrast.groups)
    few = f"groups with fewer than {contrast.min_segments} segments say little"
    return Grid(columns(titles, labels=2), rows, (Caption(few),) if has_small else ())


def _ngram_grid(contrast: NgramDifferences) -> Grid:
    def row(ngram: NgramDifference) -> tuple[Cell, ...]:
        return (
            Text(" ".join(ngram.tokens)),
            Count(ngram.first_matches),
            Count(ngram.second_matches),
            Count(ngram.reference_count),
            Text(", ".join(map(str, (*ngram.first_segments, *ngram.second_segments)[:5]))),
        )

    titles = ("n-gram", contrast.first, contrast.second, "in references", "segments")
    return Grid(columns(titles), tuple(map(row, (*contrast.best, *contrast.worst))))


def _word_grid(contrast: WordGroups) -> Grid:
    rows = tuple(
        (
            Text(group.group),
            Count(group.first.reference_words),
            Number(group.first.f_measure, 3),
            Number(group.second.f_measure, 3),
            Number(group.difference, 3, style="signed", reason=group.reason),
        )
        for group in contrast.groups
    )
    return Grid(columns(("words", "in references", contrast.first, contrast.second, "better by")), rows)

"""Scores and tests of systems: of all segments or by domain, and of the means of outputs or of single ratings.

Where every rating counts, functions take `ratings` (rating, system, segment) in addition to the scores; see
`assay.human.scoring.segment_ratings`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from assay.errors import InputError
from assay.human.selection import Judged
from assay.lazily import numpy as np
from assay.results import Estimate
from assay.results.outcome import Alternative
from assay.significance import PValues, SampleTest, Test
from assay.types import (
    FloatArray,
    Note,
    NoteKind,
    Rankings,
    Ratings,
    Scorable,
    ScoreTable,
    Table,
    TestSet,
    mean_of_defined,
    ratio_of_sums,
)
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "OverDomains",
    "compare_systems",
    "document_name",
    "documents_of",
    "domain_columns",
    "domain_means",
    "missing_domains",
    "scorable_of",
    "segment_documents",
    "segment_domains",
    "with_domains",
]

_MARK = re.compile(r"(?P<separator>_#+_)|#.*", re.DOTALL)

OverDomains = Literal["pooled", "mean"]
"""How domains enter the score of a system: all segments together, or the mean of the domain means."""


def segment_domains(testset: TestSet, items: tuple[str, ...], segments: int) -> tuple[str, ...]:
    """The domains that a test set knows of segments; see `_segment_labels`."""
    return _segment_labels(testset, testset.domains, items, segments)


def segment_documents(testset: TestSet, items: tuple[str, ...], segments: int) -> tuple[str, ...]:
    """The documents that a test set knows of segments; see `_segment_labels`."""
    return _segment_labels(testset, testset.documents, items, segments)


def document_name(name: str) -> str:
    """The document in a name of ratings, without what follows `#`: a mark such as `#bad3`, a system, lines.

    `_#_` and `_###_` separate the parts of names since WMT25 (`en-is_#_news_#_d1`), and stay.
    """
    return _MARK.sub(lambda found: found["separator"] or "", name)


def documents_of(judgements: Judged, testset: TestSet | None, segments: int) -> tuple[str, ...]:
    """The document of each segment by its number, as the ratings name it, else the test set; empty where it is unknown.

    Marks in names of ratings are left out (`document_name`). No names at all if nothing names documents.
    """
    if isinstance(judgements, Ratings) and any(judgements.document):
        named = zip(judgements.segment.tolist(), judgements.document, strict=True)
        of_segment = {segment: document_name(name) for segment, name in named if name}
        return tuple(of_segment.get(segment, "") for segment in range(segments))
    if testset is None:
        return ()
    items = () if isinstance(judgements, Rankings) else judgements.items
    known = segment_documents(testset, items, len(items) or len(testset))
    return known if len(known) >= segments else ()


def _segment_labels(
    testset: TestSet, labels: Sequence[str | None] | None, items: tuple[str, ...], segments: int
) -> tuple[str, ...]:
    """What a test set says of segments (their domains or documents), matched by their names `items`, else by number.

    Empty where it is not known; no labels at all if the test set has none for these segments.
    """
    lines = {name: line for line, name in enumerate(testset.items)}
    numbers = [lines.get(name) for name in items] if items else range(len(testset))
    if labels is None or len(numbers) != segments:
        return ()
    return tuple("" if line is None else labels[line] or "" for line in numbers)


def with_domains(judgements: Judged, testset: TestSet | None) -> Judged:
    """Scores or ratings with the domains of the test set, if they do not have their own."""
    if testset is None or isinstance(judgements, Rankings):
        return judgements
    if isinstance(judgements, ScoreTable):
        if any(judgements.domains):
            return judgements
        return replace(judgements, domains=segment_domains(testset, judgements.items, judgements.values.shape[1]))
    if any(judgements.domain):
        return judgements
    known = segment_domains(testset, judgements.items, len(judgements.items) or len(testset))
    domain_of = dict(enumerate(known))  # document scores have segment -1 and no domain
    return replace(judgements, domain=tuple(domain_of.get(i, "") for i in judgements.segment.tolist()))


def domain_columns(table: ScoreTable) -> Mapping[str, npt.NDArray[np.bool_]]:
    """The segments of each domain, in order of appearance. Every segment with a score must have a domain."""
    is_scored: npt.NDArray[np.bool_] = np.asarray((~np.isnan(table.values)).any(axis=0))
    names = np.array(table.domains or ("",) * len(is_scored), dtype=np.str_)
    if nameless := int((is_scored & (names == "")).sum()):
        message = f"'{table.name}' has no domains"
        if any(table.domains):
            message = f"'{table.name}': {plural(nameless, 'scored segment')} without a domain"
        hint = "domains are read with the judgements, or from the texts of the test set"
        raise InputError(message, path=table.origin or None, hint=hint)
    return {name: names == name for name in dict.fromkeys(names[is_scored].tolist())}


def scorable_of(table: ScoreTable, *, averages_domains: bool, ratings: FloatArray | None = None) -> Scorable:
    """The mean of the segments or ratings of each system, or the mean of its domain means; higher is better."""
    pooled = Scorable.of_segments(table.oriented, table.systems)
    if ratings is not None:
        columns = np.stack([np.nansum(_oriented(ratings, table), axis=0), (~np.isnan(ratings)).sum(axis=0)], axis=-1)
        pooled = Scorable(columns, ratio_of_sums, pooled.mask, pooled.systems)
    if not averages_domains:
        return pooled
    masks = np.array(list(domain_columns(table).values()))
    columns = pooled.table[:, :, np.newaxis] * masks.T[:, :, np.newaxis]  # (system, segment, domain, sum and count)
    return Scorable(columns.reshape(*pooled.mask.shape, -1), _mean_of_means, pooled.mask, pooled.systems)


def _mean_of_means(sums: Table) -> FloatArray:
    """The mean of the ratios of each pair of columns, over the domains that have scores."""
    pairs = sums.reshape(*sums.shape[:-1], sums.shape[-1] // 2, 2)
    with np.errstate(invalid="ignore"):
        return mean_of_defined(pairs[..., 0] / pairs[..., 1], axis=-1)


def _oriented(ratings: FloatArray, table: ScoreTable) -> FloatArray:
    return ratings if table.higher_is_better else -ratings


def domain_means(table: ScoreTable, ratings: FloatArray | None = None) -> dict[str, dict[str, Estimate]]:
    """By domain and system: the mean of the segments or ratings, and their number."""
    means: dict[str, dict[str, Estimate]] = {}
    layers = table.values[np.newaxis] if ratings is None else ratings
    for domain, columns in domain_columns(table).items():
        values = np.concatenate(list(layers[:, :, columns]), axis=1)
        counts = (~np.isnan(values)).sum(axis=1).tolist()
        means[domain] = {
            system: Estimate(value, n, reason=None if n else "not judged in this domain")
            for system, value, n in zip(table.systems, mean_of_defined(values, axis=1).tolist(), counts, strict=True)
        }
    return means


def missing_domains(table: ScoreTable) -> tuple[Note, ...]:
    """Notes on systems that were not judged in every domain: their means of domain means are not comparable."""
    gaps: dict[str, list[str]] = {}
    by_domain = domain_means(table)
    for domain, systems in by_domain.items():
        for system, estimate in systems.items():
            if not estimate.n:
                gaps.setdefault(system, []).append(domain)
    return tuple(
        Note(
            NoteKind.MISSING,
            f"not judged in {', '.join(domains)}; the mean is over the other domains",
            system,
            len(domains),
        )
        for system, domains in gaps.items()
        if len(domains) < len(by_domain)
    )


def compare_systems(
    test: Test,
    table: ScoreTable,
    alternative: Alternative,
    *,
    averages_domains: bool,
    ratings: FloatArray | None = None,
) -> PValues:
    """Test all pairs of systems: on all segments, or such that every domain counts alike.

    Only tests of samples can compare single ratings; a test that draws compares the means of outputs.
    """
    if ratings is not None and isinstance(test, SampleTest):
        everything = [np.ones(table.values.shape[1], np.bool_)]
        groups = list(domain_columns(table).values()) if averages_domains else everything
        return test.compare_ratings(_oriented(ratings, table), groups, alternative)
    systems = Scorable.of_segments(table.oriented, table.systems)
    if averages_domains:
        return test.compare_in_groups(systems, list(domain_columns(table).values()), alternative)
    if alternative == "better":
        return test.compare_all(systems)
    return test.compare_in_groups(systems, [np.ones(table.values.shape[1], np.bool_)], alternative)

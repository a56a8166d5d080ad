"""What the results of a report say about one test set, segment by segment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.registry.plugin_files import is_from_file
from assay.reports.page.viewer_errors import ViewerErrors
from assay.results import Contrast, Run, SystemComparison
from assay.types import FloatArray, Signature, TestSet, TestSetRecord

__all__ = ["Grouping", "ScoredMetric", "ScoredTexts", "scored_texts"]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredMetric:
    """The segment scores of a metric by system."""

    spec: str
    higher_is_better: bool
    segments: Mapping[str, FloatArray]
    signature: str = ""

    @property
    def loadable_spec(self) -> str:
        """A spec that the registry knows: that of the signature for a metric from a file, whose name is shorter."""
        has_file = is_from_file(self.signature.partition("|")[0])
        return Signature.parse(self.signature).spec if has_file else self.spec


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """The labels of the segments of a test set, such as their domains, and for each segment the number of its label."""

    name: str
    labels: tuple[str, ...]
    of: tuple[int, ...]


@dataclass(slots=True, eq=False)
class ScoredTexts:
    """A test set, with its texts if any of the results has them, and the segment scores of all of the results."""

    inputs: TestSet | TestSetRecord
    pair: tuple[str, ...]
    """The systems to look at first: two, or one if there are no more."""
    metrics: dict[str, ScoredMetric] = field(default_factory=dict)
    contrasts: list[Contrast] = field(default_factory=list)
    comparisons: list[SystemComparison] = field(default_factory=list)
    is_compared: bool = False
    """Whether the pair was chosen in a comparison."""
    groupings: tuple[Grouping, ...] = ()
    labels: Mapping[str, Any] | None = None
    """The labels that a metric gives to words, as the viewer reads them."""
    errors: ViewerErrors | None = None
    """The errors that raters marked."""

    @property
    def testset(self) -> TestSet | None:
        """The texts, if they are at hand."""
        return self.inputs if isinstance(self.inputs, TestSet) else None

    @property
    def segments(self) -> int:
        """How many."""
        return len(self.inputs)


def scored_texts(results: Iterable[object]) -> list[ScoredTexts]:
    """The test sets with segment scores. Results for the same texts share one; a comparison says which pair to show.

    A comparison of some systems belongs to the scores of all of them.
    """
    found: list[ScoredTexts] = []
    usable = [result for result in results if isinstance(result, Run | SystemComparison)]
    for result in sorted(usable, key=lambda result: (-len(result.inputs.systems), isinstance(result, Run))):
        metrics = [metric for metric in _metrics(result) if metric.segments]
        if not metrics:
            continue
        shown = next((each for each in found if _covers(each.inputs, result.inputs)), None)
        if shown is None:
            shown = ScoredTexts(result.inputs, _pair(result))
            found.append(shown)
        _add(shown, result, metrics)
    return found


def _add(shown: ScoredTexts, result: Run | SystemComparison, metrics: list[ScoredMetric]) -> None:
    """Add what a result knows about texts that are shown."""
    if isinstance(result.inputs, TestSet) and shown.testset is None:
        shown.inputs = result.inputs
    for metric in metrics:
        if set(metric.segments) >= set(shown.inputs.systems):
            shown.metrics.setdefault(metric.spec, metric)
    if isinstance(result, SystemComparison):
        if not shown.is_compared:
            shown.pair = _pair(result)
        shown.is_compared = True
        shown.contrasts += result.contrasts
        shown.comparisons.append(result)


def _covers(wide: TestSet | TestSetRecord, narrow: TestSet | TestSetRecord) -> bool:
    """Whether the first has all texts of the second; texts at hand for some systems only are shown on their own."""
    if isinstance(narrow, TestSet) and not isinstance(wide, TestSet) and narrow.systems != wide.systems:
        return False
    records = [each.record if isinstance(each, TestSet) else each for each in (wide, narrow)]
    return records[0].digests.items() >= records[1].digests.items()


def _metrics(result: Run | SystemComparison) -> Iterator[ScoredMetric]:
    if isinstance(result, Run):
        for spec, scores in result.metrics.items():
            yield ScoredMetric(spec, scores.higher_is_better, scores.segments, str(scores.segment_signature))
        return
    compared = {metric.metric: metric for metric in result.metrics}
    for spec, segments in result.segments.items():
        metric = compared.get(spec)
        is_higher_better, signature = (True, "") if metric is None else (metric.higher_is_better, metric.signature)
        yield ScoredMetric(spec, is_higher_better, segments, signature)


def _pair(result: Run | SystemComparison) -> tuple[str, ...]:
    """The pair in focus, or the two systems with the best scores under the first metric."""
    if isinstance(result, SystemComparison):
        return result.focus
    first = next(iter(result.metrics.values()))
    return tuple(first.best_first)[:2]

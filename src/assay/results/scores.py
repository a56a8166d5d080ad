"""Scores of systems under metrics: values with their n, interval and reason."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from assay.errors import UnknownNameError, nearest, option_name
from assay.results.columns import ResultColumn, estimate_columns, text_columns
from assay.results.estimate import Estimate, decimals_for
from assay.results.order import best_first
from assay.results.result import Listed, OfTexts, Result, Tabular
from assay.results.ties import TIE
from assay.types import FloatArray, Note, NoteKind, Ratings, Signature, Statistics, TestSet, TestSetRecord
from assay.types.note import listed, plural
from assay.types.record import OMITTED, Record, in_tree, plain

__all__ = ["Disagreement", "MetricScores", "Run", "Scores"]

_COLUMNS = (
    *text_columns(("system", "metric", "aggregation")),
    ResultColumn("group", help="A group of segments; empty for the whole test set."),
    *sorted(estimate_columns("estimate"), key=lambda column: column.name == "reason"),
    ResultColumn("signature", help="What reproduces the score."),
)


class ScoreRecord(NamedTuple):
    """A score of a system."""

    system: str
    metric: str
    aggregation: str
    group: str | None
    estimate: Estimate
    signature: str


@dataclass(frozen=True, slots=True, repr=False)
class Scores(Listed[str], Mapping[str, float], Tabular):
    """A value for each system under one aggregation; `estimates` has the intervals."""

    holds = "estimates"

    aggregation: str
    signature: Signature
    estimates: Mapping[str, Estimate]
    group: str | None = None

    columns: ClassVar[tuple[ResultColumn, ...]] = tuple(column for column in _COLUMNS if column.name != "metric")

    def __getitem__(self, system: str) -> float:
        return self.estimate(system).value

    def __repr__(self) -> str:
        values = ", ".join(f"{system} {value:.2f}" for system, value in self.items())
        return f"Scores({self.aggregation}{f' of {self.group}' if self.group else ''}: {values})"

    def estimate(self, system: str) -> Estimate:
        """A system's value with its interval, n and reason."""
        if system not in self.estimates:
            raise UnknownNameError(f"no system is called '{system}'", hint=nearest(system, self.estimates))
        return self.estimates[system]

    def records(self) -> Iterator[ScoreRecord]:
        """One per system."""
        signature = str(self.signature)
        for system, estimate in self.estimates.items():
            yield ScoreRecord(system, "", self.aggregation, self.group, estimate, signature)


@dataclass(frozen=True, slots=True)
class Disagreement(Record):
    """How far corpus scores and segment means are apart, and which pairs of systems they order differently."""

    largest: float
    system: str
    flips: tuple[tuple[str, str], ...]
    pairs: int


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MetricScores(Tabular):
    """Everything computed with one metric."""

    spec: str = field(metadata=in_tree(key="metric"))
    statistics: Statistics = field(metadata=OMITTED)
    segments: Mapping[str, FloatArray] = field(metadata=OMITTED)
    aggregations: Mapping[str, Scores]
    segment_signature: Signature
    default_aggregation: str
    higher_is_better: bool
    groups: tuple[Scores, ...] = ()
    sacrebleu_signature: str | None = None
    nondefault_options: tuple[tuple[str, str], ...] | None = None
    """Options that differ from the defaults of the name in `spec`; None: there are no defaults."""
    tolerance: float = 0.0
    """How much a score may differ when it is computed again (`Metric.tolerance`); 0: not at all."""
    undefined: str = ""
    """Why a segment whose texts were scored has no score (`Metric.undefined`)."""
    unscored: str = ""
    """Why a segment was not scored."""

    derived: ClassVar[tuple[str, ...]] = ("signature", "disagreement")
    columns: ClassVar[tuple[ResultColumn, ...]] = _COLUMNS

    def __repr__(self) -> str:
        return f"MetricScores({self.spec}: {', '.join(map(repr, self.aggregations.values()))})"

    @property
    def corpus(self) -> Scores:
        """Sum the statistics, then score (CLA)."""
        return self._aggregation("corpus")

    @property
    def segment_mean(self) -> Scores:
        """The mean of the segment scores (SLA)."""
        return self._aggregation("segment")

    @property
    def bootstrap(self) -> Scores:
        """The mean corpus score over resampled corpora (BRS)."""
        return self._aggregation("bootstrap")

    @property
    def headline(self) -> Scores:
        """The aggregation the literature means by this metric's name, or the first one requested."""
        first = next(iter(self.aggregations.values()))
        return self.aggregations.get(self.default_aggregation, first)

    @property
    def signature(self) -> Signature:
        """The signature of the headline score."""
        return self.headline.signature

    @property
    def best_first(self) -> list[str]:
        """The systems in the order of the headline scores, those without a score last."""
        return best_first(self.headline, higher_is_better=self.higher_is_better)

    @property
    def decimals(self) -> int:
        """How many decimals are worth showing: those of `decimals_for`."""
        values = (value for scores in self.aggregations.values() for value in scores.values())
        return decimals_for(values, str(self.signature))

    def signature_text(self, scores: Scores, *, sacrebleu: bool = False) -> str:
        """A signature as text. `sacrebleu`: in sacreBLEU's form for corpus scores that sacreBLEU can compute."""
        if sacrebleu and scores.aggregation == "corpus" and self.sacrebleu_signature is not None:
            return self.sacrebleu_signature
        return str(scores.signature)

    @property
    def disagreement(self) -> Disagreement | None:
        """Corpus scores against segment means, if both were requested."""
        if not {"corpus", "segment"} <= self.aggregations.keys():
            return None
        corpus, segment = self.corpus, self.segment_mean
        names = [n for n in corpus if not math.isnan(corpus[n]) and not math.isnan(segment[n])]
        pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        flips = [(a, b) for a, b in pairs if _apart(corpus[a], corpus[b]) * _apart(segment[a], segment[b]) < 0]
        system = max(names, key=lambda n: abs(corpus[n] - segment[n]), default="")
        largest = abs(_apart(corpus[system], segment[system])) if system else math.nan
        return Disagreement(largest, system, tuple(flips), len(pairs))

    def _aggregation(self, name: str) -> Scores:
        if name not in self.aggregations:
            raise UnknownNameError(
                f"the {name} aggregation was not computed", hint=f"ask for it: {option_name('agg', name)}"
            )
        return self.aggregations[name]

    def records(self, *, sacrebleu: bool = False) -> Iterator[ScoreRecord]:
        """One per score, in the order of groups, aggregations and systems."""
        for scores in (*self.aggregations.values(), *self.groups):
            signature = self.signature_text(scores, sacrebleu=sacrebleu)
            for record in scores.records():
                yield record._replace(metric=self.spec, signature=signature)

    def segment_records(self) -> Iterator[ScoreRecord]:
        """One per segment score, as group `segment:17` under the aggregation `none`."""
        signature = str(self.segment_signature)
        for system, values in self.segments.items():
            reasons = self.segment_reasons(system)
            for position, value in enumerate(values.tolist(), 1):
                estimate = Estimate(value, int(not math.isnan(value)), reason=reasons.get(position))
                yield ScoreRecord(system, self.spec, "none", f"segment:{position}", estimate, signature)

    def segment_reasons(self, system: str) -> dict[int, str]:
        """Why segments of a system have no score, by their numbers from 1."""
        scored = self.statistics.scored[self.statistics.systems.index(system)]
        values = enumerate(self.segments[system].tolist())
        return {i + 1: self.undefined if scored[i] else self.unscored for i, value in values if math.isnan(value)}


def _apart(first: float, second: float) -> float:
    """The difference of two scores, 0 if they are equal up to rounding."""
    difference = first - second
    return difference if abs(difference) > TIE * max(abs(first), abs(second)) else 0.0


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Run(Listed[str], OfTexts, Result):
    """Scores of every system under every requested metric and aggregation."""

    holds = "metrics"

    inputs: TestSet | TestSetRecord
    metrics: Mapping[str, MetricScores] = field(metadata=OMITTED)
    specs: Mapping[str, str] = field(default_factory=dict, metadata=OMITTED)
    """Requested specs, and the shortest spec that means the same."""
    command: str | None = field(default=None, metadata=OMITTED)
    """The command line that made a saved run."""
    predictions: tuple[Ratings, ...] = field(default=(), metadata=OMITTED)
    """The errors that metrics marked in the outputs, by metric; not in saved runs."""

    made_by: ClassVar[str] = "score"
    derived: ClassVar[tuple[str, ...]] = ("segments", "disagreements")
    columns: ClassVar[tuple[ResultColumn, ...]] = _COLUMNS

    @property
    def segments(self) -> int:
        """Number of segments in the test set."""
        return len(self.inputs)

    @property
    def record(self) -> TestSetRecord:
        """Names and digests of the inputs, without the texts."""
        return self.inputs.record

    def __getitem__(self, spec: str) -> MetricScores:
        spec = self.specs.get(spec, spec)
        if spec not in self.metrics:
            raise UnknownNameError(f"'{spec}' was not scored", hint=nearest(spec, self.metrics))
        return self.metrics[spec]

    def __repr__(self) -> str:
        return f"Run({plural(self.segments, 'segment')}; {', '.join(self.systems)}; {', '.join(self.metrics)})"

    @property
    def covers(self) -> tuple[str, tuple[str, ...]]:
        """The test set and the language pair."""
        return self.inputs.name or "", (self.inputs.lp,) if self.inputs.lp else ()

    @property
    def nothing_computed(self) -> str:
        """Why no metric has a score of any system, by metric; empty if one has."""
        if any(
            not math.isnan(value)
            for m in self.metrics.values()
            for s in m.aggregations.values()
            for value in s.values()
        ):
            return ""
        gaps = {note.where: note.text for note in self._excluding_notes}
        specs: dict[str, list[str]] = {}
        for spec, metric in self.metrics.items():
            reasons = dict.fromkeys(estimate.reason or "" for estimate in metric.headline.estimates.values())
            specs.setdefault(gaps.get(spec, ", ".join(reasons)), []).append(spec)
        return f"nothing was scored: {'; '.join(f'{listed(names)}: {reason}' for reason, names in specs.items())}"

    @property
    def notes_on_nothing(self) -> tuple[Note, ...]:
        """Also the reasons of metrics, one by one."""
        excluding = self._excluding_notes
        return tuple(note for note in self.notes if note.kind is NoteKind.NOTHING or note in excluding)

    @property
    def _excluding_notes(self) -> tuple[Note, ...]:
        """Why metrics have no scores."""
        return tuple(note for note in self.warnings if note.kind is NoteKind.EXCLUDED and note.where in self.metrics)

    @property
    def signature(self) -> str:
        """The signatures of all metrics, separated by semicolons."""
        return "; ".join(str(metric.signature) for metric in self.metrics.values())

    def records(self, *, sacrebleu: bool = False) -> Iterator[ScoreRecord]:
        """One per score. `sacrebleu` writes the signatures of corpus scores in sacreBLEU's form."""
        for metric in self.metrics.values():
            yield from metric.records(sacrebleu=sacrebleu)

    def rows(self, *, segments: bool = False, sacrebleu: bool = False) -> Iterator[dict[str, Any]]:
        """One row per score. `segments` adds the segment scores, as group `segment:17` under the aggregation `none`.

        `sacrebleu` as for `records`.
        """
        yield from self._rows(self.records(sacrebleu=sacrebleu))
        if segments:
            for metric in self.metrics.values():
                yield from self._rows(metric.segment_records())

    def to_dict(self, *, segments: bool = False, sacrebleu: bool = False) -> dict[str, Any]:
        """The run as one tree, ready for JSON. `segments` adds the segment scores; `sacrebleu` as for `records`."""
        tree = Result.to_dict(self)
        if sacrebleu:
            tree["rows"] = list(self.rows(sacrebleu=True))
        return tree | ({"segment_scores": list(self._segment_scores())} if segments else {})

    def _segment_scores(self) -> Iterator[dict[str, Any]]:
        for spec, metric in self.metrics.items():
            for system, values in metric.segments.items():
                yield {
                    "system": system,
                    "metric": spec,
                    "signature": str(metric.segment_signature),
                    "values": plain(values),
                    "reasons": plain(metric.segment_reasons(system)),
                }

    @property
    def disagreements(self) -> tuple[dict[str, Any], ...]:
        """How far corpus scores and segment means disagree, by metric, where both were requested."""
        found = {spec: metric.disagreement for spec, metric in self.metrics.items()}
        return tuple({"metric": spec, **each.tree()} for spec, each in found.items() if each is not None)

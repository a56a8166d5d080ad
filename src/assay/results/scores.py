"""What `assay.score` returns: numbers with their n, interval and reason."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.errors import InputError, UnknownNameError, nearest
from assay.types import FloatArray, FrozenDict, Signature, Statistics, TestSet, TestSetRecord

__all__ = ["SCHEMA_VERSION", "Disagreement", "Estimate", "MetricScores", "Run", "Scores", "html_table", "none_if_nan"]

SCHEMA_VERSION = 1
_NUMBERS = ("value", "low", "high", "standard_error")


@dataclass(frozen=True, slots=True)
class Estimate:
    """One value. NaN where undefined, and then `reason` says why; NaN bounds: no interval was computed."""

    value: float
    n: int
    low: float = math.nan
    high: float = math.nan
    standard_error: float = math.nan
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: None for NaN."""
        return {
            "value": none_if_nan(self.value),
            "reason": self.reason,
            "low": none_if_nan(self.low),
            "high": none_if_nan(self.high),
            "standard_error": none_if_nan(self.standard_error),
            "n": self.n,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Estimate:
        """What `to_dict` told."""
        numbers = {name: math.nan if values[name] is None else float(values[name]) for name in _NUMBERS}
        return cls(n=int(values["n"]), reason=values["reason"], **numbers)


@dataclass(frozen=True, slots=True, repr=False)
class Scores(Mapping[str, float]):
    """A value for each system under one aggregation; `estimates` has the intervals."""

    aggregation: str
    signature: Signature
    estimates: Mapping[str, Estimate]
    group: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "estimates", FrozenDict(self.estimates))

    def __getitem__(self, system: str) -> float:
        return self.estimate(system).value

    def __iter__(self) -> Iterator[str]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    def __repr__(self) -> str:
        values = ", ".join(f"{system} {value:.2f}" for system, value in self.items())
        return f"Scores({self.aggregation}{f' of {self.group}' if self.group else ''}: {values})"

    def estimate(self, system: str) -> Estimate:
        """A system's value with its interval, n and reason."""
        if system not in self.estimates:
            raise UnknownNameError(f"no system is called '{system}'", hint=nearest(system, self.estimates))
        return self.estimates[system]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "aggregation": self.aggregation,
            "signature": str(self.signature),
            "group": self.group,
            "estimates": {name: e.to_dict() for name, e in self.estimates.items()},
        }

    def _repr_html_(self) -> str:
        rows = [[name, e.value, e.low, e.high, e.n] for name, e in self.estimates.items()]
        return html_table(["system", self.aggregation, "low", "high", "n"], rows)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """How far corpus scores and segment means are apart, and which pairs of systems they order differently."""

    largest: float
    system: str
    flips: tuple[tuple[str, str], ...]
    pairs: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "largest": none_if_nan(self.largest),
            "system": self.system,
            "flips": [list(pair) for pair in self.flips],
            "pairs": self.pairs,
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MetricScores:
    """All that was computed with one metric."""

    spec: str
    statistics: Statistics
    segments: Mapping[str, FloatArray]
    aggregations: Mapping[str, Scores]
    segment_signature: Signature
    default_aggregation: str
    higher_is_better: bool
    groups: tuple[Scores, ...] = ()
    sacrebleu_signature: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "segments", FrozenDict(self.segments))
        object.__setattr__(self, "aggregations", FrozenDict(self.aggregations))

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
        """The aggregation the literature means by this metric's name, or the first that was asked for."""
        first = next(iter(self.aggregations.values()))
        return self.aggregations.get(self.default_aggregation, first)

    @property
    def signature(self) -> Signature:
        """The signature of the headline score."""
        return self.headline.signature

    def signature_text(self, scores: Scores, *, sacrebleu: bool) -> str:
        """A signature as text: for a corpus score, where sacreBLEU has one, in its form on request."""
        if sacrebleu and scores.aggregation == "corpus" and self.sacrebleu_signature is not None:
            return self.sacrebleu_signature
        return str(scores.signature)

    @property
    def disagreement(self) -> Disagreement | None:
        """Corpus scores against segment means, where both were asked for."""
        if not {"corpus", "segment"} <= self.aggregations.keys():
            return None
        corpus, segment = self.corpus, self.segment_mean
        names = [n for n in corpus if not math.isnan(corpus[n]) and not math.isnan(segment[n])]
        pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        flips = [(a, b) for a, b in pairs if (corpus[a] - corpus[b]) * (segment[a] - segment[b]) < 0]
        system = max(names, key=lambda n: abs(corpus[n] - segment[n]), default="")
        largest = abs(corpus[system] - segment[system]) if system else math.nan
        return Disagreement(largest, system, tuple(flips), len(pairs))

    def _aggregation(self, name: str) -> Scores:
        if name not in self.aggregations:
            raise UnknownNameError(f"the {name} aggregation was not computed", hint=f"ask for it: agg='{name}'")
        return self.aggregations[name]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "metric": self.spec,
            "signature": str(self.signature),
            "columns": list(self.statistics.columns),
            "scores": [s.to_dict() for s in (*self.aggregations.values(), *self.groups)],
            "disagreement": None if self.disagreement is None else self.disagreement.to_dict(),
        }

    def _repr_html_(self) -> str:
        header = ["system", *self.aggregations]
        rows = [[name, *(s[name] for s in self.aggregations.values())] for name in self.headline]
        return f"<p>{_escape(str(self.signature))}</p>{html_table(header, rows)}"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Run:
    """Scores of every system under every metric and aggregation asked for."""

    inputs: TestSet | TestSetRecord
    metrics: Mapping[str, MetricScores]
    notes: tuple[str, ...] = ()
    asked: Mapping[str, str] = field(default_factory=dict)
    """Specs as they were asked for, and the shortest spec that means the same."""
    command: str | None = None
    """The command line that made it, of a run that was saved."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "metrics", FrozenDict(self.metrics))

    @property
    def segments(self) -> int:
        """How many segments the test set has."""
        return len(self.inputs) if isinstance(self.inputs, TestSet) else self.inputs.segments

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order given."""
        return self.inputs.systems

    @property
    def testset(self) -> TestSet:
        """The texts. A run that was saved without them has none."""
        if isinstance(self.inputs, TestSet):
            return self.inputs
        raise InputError("this run was saved without its texts", hint="save it with texts=True (--save-texts)")

    @property
    def record(self) -> TestSetRecord:
        """What the run was made from, without the texts."""
        return self.inputs.record if isinstance(self.inputs, TestSet) else self.inputs

    def __getitem__(self, spec: str) -> MetricScores:
        spec = self.asked.get(spec, spec)
        if spec not in self.metrics:
            raise UnknownNameError(f"'{spec}' was not scored", hint=nearest(spec, self.metrics))
        return self.metrics[spec]

    def __repr__(self) -> str:
        return f"Run({self.segments} segments; {', '.join(self.systems)}; {', '.join(self.metrics)})"

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def rows(self, *, sacrebleu: bool = False) -> Iterator[dict[str, Any]]:
        """One flat row a score, in the order of metrics, groups, aggregations and systems; NaN is None."""
        for spec, metric in self.metrics.items():
            for scores in (*metric.aggregations.values(), *metric.groups):
                signature = metric.signature_text(scores, sacrebleu=sacrebleu)
                for system, estimate in scores.estimates.items():
                    yield {
                        "system": system,
                        "metric": spec,
                        "signature": signature,
                        "aggregation": scores.aggregation,
                        "group": scores.group,
                        **estimate.to_dict(),
                    }

    def to_dict(self, *, segments: bool = False, sacrebleu: bool = False) -> dict[str, Any]:
        """The JSON document, without NaN. `segments` adds each segment's score."""
        document: dict[str, Any] = {
            "version": SCHEMA_VERSION,
            "segments": self.segments,
            "scores": list(self.rows(sacrebleu=sacrebleu)),
            "disagreements": [
                {"metric": spec, **found.to_dict()}
                for spec, metric in self.metrics.items()
                if (found := metric.disagreement) is not None
            ],
            "notes": list(self.notes),
        }
        if segments:
            document["segment_scores"] = [
                {
                    "system": system,
                    "metric": spec,
                    "signature": str(metric.segment_signature),
                    "values": [none_if_nan(v) for v in values.tolist()],
                }
                for spec, metric in self.metrics.items()
                for system, values in metric.segments.items()
            ]
        return document

    def _repr_html_(self) -> str:
        return "".join(f"<h4>{_escape(spec)}</h4>{m._repr_html_()}" for spec, m in self.metrics.items())


def none_if_nan(value: float) -> float | None:
    """NaN as None: JSON has no NaN."""
    return None if math.isnan(value) else value


def html_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table with every cell escaped."""

    def cell(value: object) -> str:
        text = f"{value:.{3 if abs(value) <= 1 else 2}f}" if isinstance(value, float) else str(value)
        return _escape("–" if text == "nan" else text)

    head = "".join(f"<th>{cell(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _escape(text: str) -> str:
    import html  # slow to import, and only needed in notebooks

    return html.escape(text)

"""What a set of test sets contains: texts, human scores, metric scores and judgements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.results.result import Result
from assay.types import FrozenDict

__all__ = ["Holding", "Holdings"]


@dataclass(frozen=True, slots=True)
class Holding:
    """One language pair of a test set."""

    testset: str
    lp: str
    systems: int
    """With an output, a score or a judgement."""
    segments: int
    outputs: int
    references: int
    human_system: tuple[str, ...]
    """Names of the human scores by system."""
    human_segment: Mapping[str, int]
    """Names of the human scores by segment, and how many scores each has."""
    metrics_system: int
    metrics_segment: int
    judgements: Mapping[str, int]
    """Names of the sets of single judgements, and how many each has."""

    def __post_init__(self) -> None:
        for name in ("human_segment", "judgements"):
            object.__setattr__(self, name, FrozenDict(getattr(self, name)))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "testset": self.testset or None,
            "lp": self.lp or None,
            "systems": self.systems,
            "segments": self.segments,
            "outputs": self.outputs,
            "references": self.references,
            "human_system": list(self.human_system),
            "human_segment": dict(self.human_segment),
            "metrics_system": self.metrics_system,
            "metrics_segment": self.metrics_segment,
            "judgements": dict(self.judgements),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Holdings(Result):
    """Every test set and language pair."""

    campaigns: tuple[Holding, ...]

    columns: ClassVar[Mapping[str, type]] = {
        "testset": str,
        "lp": str,
        "systems": int,
        "segments": int,
        "outputs": int,
        "references": int,
        "human_system": str,
        "human_segment": str,
        "metrics_system": int,
        "metrics_segment": int,
        "judgements": str,
    }

    def __iter__(self) -> Iterator[Holding]:
        return iter(self.campaigns)

    def __len__(self) -> int:
        return len(self.campaigns)

    def __repr__(self) -> str:
        return f"Holdings({', '.join(f'{each.testset} {each.lp}'.strip() for each in self.campaigns)})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per language pair of a test set; names in a cell are separated by spaces."""
        for holding in self.campaigns:
            yield holding.to_dict() | {
                "human_system": " ".join(holding.human_system) or None,
                "human_segment": _counted(holding.human_segment),
                "judgements": _counted(holding.judgements),
            }

    def tree(self) -> dict[str, Any]:
        """The language pairs."""
        return {"campaigns": [holding.to_dict() for holding in self.campaigns]}


def _counted(counts: Mapping[str, int]) -> str | None:
    return " ".join(f"{name}:{count}" for name, count in counts.items()) or None

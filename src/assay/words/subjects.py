"""What a result is about, in words: the test set and its language pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.results import (
    Calibration,
    Decisions,
    Leaderboard,
    MetaEvaluation,
    MetricsTask,
    PairRankings,
    Ranking,
    Result,
    RobustnessTable,
    Run,
    SystemComparison,
)

__all__ = ["is_same", "subject", "subjects"]

_MOST_PAIRS = 3


def subject(result: Result) -> str:
    """Such as `wmt22 zh-en`, `wmt20, 18 language pairs`, or nothing."""
    data, pairs = _parts(result)
    name = data.replace("+", ", ")
    if len(pairs) > _MOST_PAIRS:
        return ", ".join(filter(None, (name, f"{len(pairs)} language pairs")))
    return " ".join(filter(None, (name, ", ".join(pairs))))


def _parts(result: Result) -> tuple[str, Sequence[str]]:
    """The test sets and the language pairs."""
    settings = getattr(result, "settings", {})
    match result:
        case Run() | SystemComparison():
            return result.inputs.name or "", [result.inputs.lp] if result.inputs.lp else []
        case MetaEvaluation() | MetricsTask():
            return settings.get("data", ""), [pair.lp for pair in result.language_pairs]
        case RobustnessTable():
            return settings.get("data", ""), [result.pair.lp]
        case Ranking():
            return "", [result.lp] if result.lp else [result.name]
        case Leaderboard():
            return "", [lp for lp in result.lps if lp]
        case PairRankings():
            return "", list(result.rankings)
        case Calibration() | Decisions():
            data, _, pairs = settings.get("data", "").partition("/")
            return data, pairs.split("+") if pairs else []
        case _:
            return "", []


def subjects(results: Sequence[Result]) -> Iterator[str]:
    """Of all results, each once; a language pair alone is left out where another result names its test set, too."""
    found = list(dict.fromkeys(filter(None, map(subject, results))))
    for name in found:
        if not any(other != name and other.endswith(f" {name}") for other in found):
            yield name


def is_same(first: str, second: str) -> bool:
    """Whether two subjects may be the same: results do not all know the name of their test set."""
    return first == second or first.endswith(f" {second}") or second.endswith(f" {first}")

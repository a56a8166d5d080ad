"""The choices that reproduce a result, as settings of its signature. Defaults are left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.registry import option_text
from assay.types import FrozenDict, ScoreTable

__all__ = ["merged", "name_list", "selection_settings"]


def selection_settings(
    *,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    keep_references: bool = False,
    references: Iterable[str] = (),
    metrics: Iterable[str] = (),
    aggregations: Mapping[str, str] = FrozenDict(),
    external: Iterable[ScoreTable] = (),
) -> dict[str, str]:
    """Which systems and metrics were compared."""
    patterns = tuple(systems)
    lists = {
        "systems": () if patterns == ("*",) else patterns,
        "exclude": exclude,
        "references": references,
        "metrics": metrics,
        "lower_is_better": sorted({table.name for table in external if not table.higher_is_better}),
    }
    settings = {name: name_list(values) for name, values in lists.items()} | dict(aggregations)
    settings["keep_references"] = "yes" if keep_references else ""
    return {name: text for name, text in settings.items() if text}


def name_list(names: Iterable[str]) -> str:
    """Names as the value of one setting."""
    joined = "+".join(names)
    return option_text(joined) if joined else ""


def merged(settings: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The settings of several language pairs: one value where they agree, else all of them."""
    values: dict[str, dict[str, None]] = {}
    for pair in settings:
        for name, value in pair.items():
            values.setdefault(name, {})[value] = None
    return {name: "+".join(different) for name, different in values.items()}

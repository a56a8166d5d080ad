"""Statistics of agreement as the literature writes them. Each carries its label; one that is not known has its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import ConfigError

if TYPE_CHECKING:
    from assay.agreement import Statistic
    from assay.span_agreement import SpanStatistic

__all__ = ["agreement_label", "statistic_label"]


def statistic_label(spec: str) -> str:
    """A statistic as the literature writes it, with its options: `kendall:variant=c` is Kendall:variant=c."""
    name, colon, options = spec.partition(":")
    return f"{_label(name, _type(name))}{colon}{options}"


def agreement_label(spec: str) -> str:
    """The title of an axis: Pearson correlation with people; pairwise accuracy against people."""
    found = _type(spec.partition(":")[0])
    label = statistic_label(spec)
    return f"{label} with people" if found is None else found.agreement.format(label)


def _type(name: str) -> type[Statistic] | type[SpanStatistic] | None:
    from assay.agreement import statistic  # imports numpy, which a table of scores does not need
    from assay.span_agreement import span_statistic

    for registry in (statistic, span_statistic):
        try:
            return registry.type_of(name)[0]
        except ConfigError:  # of the other kind, from a file that is not here, or computed elsewhere
            continue
    return None


def _label(name: str, found: type[Statistic] | type[SpanStatistic] | None) -> str:
    """The label of a class; an alias that ends in the year of a campaign has it, too: Kendall (WMT13)."""
    if found is None or not found.label:
        return name
    year = name.removeprefix(found.name)
    return found.label.replace(")", f"{year})") if year.isdecimal() else found.label

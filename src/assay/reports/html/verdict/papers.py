"""What a paper that was run again says of its numbers."""

from __future__ import annotations

from assay.reports.html.verdict.statement import Verdict
from assay.results import Reproduction
from assay.types.note import plural

__all__ = ["reproduction_verdict"]


def reproduction_verdict(result: Reproduction) -> Verdict:
    """How many of the numbers that could be compared are met."""
    others = {name: count for name, count in result.counts.items() if count and name not in ("met", "differs")}
    headline = f"{result.met} of {plural(result.compared, 'published number')} are met."
    if not result.compared:
        headline = "No published number could be compared."
    lede = [result.citation]
    if others:
        listed = ", ".join(f"{count} {name}" for name, count in others.items())
        lede.append(f"Of {plural(len(result), 'number')}, the others could not be compared: {listed}.")
    return Verdict(((headline,),), tuple(lede))

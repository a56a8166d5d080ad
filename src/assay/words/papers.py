"""What a paper that was run again says of its numbers."""

from __future__ import annotations

from assay.results import Reproduction
from assay.words.statement import Verdict

__all__ = ["reproduction_verdict"]

_PLURAL = {"needs data": "need data", "needs model": "need a model"}


def reproduction_verdict(result: Reproduction) -> Verdict:
    """How many of the numbers that could be compared are met; of widths of intervals, by their own count."""
    counts = {name: count for name, count in result.counts.items() if count and name != "ours only"}
    met, width_met = counts.pop("met", 0), counts.pop("width met", 0)
    values, widths = met + counts.pop("differs", 0), width_met + counts.pop("width differs", 0)
    compared = values + widths
    total = compared + sum(counts.values())
    of = f"{compared:,} of {total:,}" if counts else f"{total:,}"
    if widths:
        every_met = f"{met:,} of {values:,} values are met, and {width_met:,} of {widths:,} widths of intervals"
    else:
        every_met = "all are met" if met == compared else f"{met:,} of them are met"
    headline = (
        f"{of} published numbers could be compared; {every_met}."
        if compared
        else "No published number could be compared."
    )
    lede = [result.citation]
    if counts:
        listed = ", ".join(f"{count:,} {_PLURAL.get(name, name)}" for name, count in counts.items())
        lede.append(f"The others could not be compared: {listed}.")
    return Verdict(((headline,),), tuple(lede))

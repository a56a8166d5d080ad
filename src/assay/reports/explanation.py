"""What a difference means, as a document: differences of other metrics that mean the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Literal

from assay.reports.cells import Cell, Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.reports.short_signatures import short_explanation
from assay.results import Equivalent, Explanation, JointExplanation
from assay.results.explanation import SAME
from assay.words import verdict

__all__ = ["document", "signature_section"]

_DIGITS = 2
"""Of a fitted curve: where a step of it begins depends on the few pairs that happen to be there."""
_PRINTED = 3
"""Of published cut-offs."""
_MOST_DIGITS = 17  # of a float
_MEANING = f"means the same: the probabilities differ by at most {100 * SAME:.0f} percentage points"


def document(explanation: Explanation, *, signatures: Literal["short", "full"] = "full") -> Document:
    """The equivalents. Short `signatures` leave out what the calibration says."""
    return Document.of(
        explanation,
        lambda: _sections(explanation, signatures),
        name="What a difference means",
        opening=lambda: verdict((explanation,)).sentences,
    )


def _sections(explanation: Explanation, signatures: str) -> Iterator[Section]:
    shown = [each for each in explanation.equivalents if not _is_variant(each, explanation)]
    if shown:
        hidden = len(explanation.equivalents) - len(shown)
        captions = [] if explanation.cutoffs else [Caption(_MEANING)]
        captions += [Caption(f"variants of these metrics that are left out here: {hidden}")] if hidden else []
        yield Section((_equivalents(shown, _PRINTED if explanation.cutoffs else _DIGITS, captions),))
    yield from signature_section(explanation, signatures)


def signature_section(explanation: Explanation | JointExplanation, signatures: str) -> Iterator[Section]:
    """The signature of an answer, if it has one."""
    if explanation.signature:
        short = (short_explanation(explanation.settings),) if signatures == "short" else ()
        yield Section(signatures=(explanation.signature,), short_signatures=short)


def _equivalents(equivalents: Sequence[Equivalent], digits: int, captions: Sequence[Caption]) -> Grid:
    """Other metrics and the range of their differences."""
    titles = ("means the same", f"{equivalents[0].aggregation} difference from", "to below")
    return Grid(columns(titles), tuple(_row(each, digits) for each in equivalents), tuple(captions))


def _row(equivalent: Equivalent, digits: int) -> tuple[Cell, ...]:
    """A range, rounded inwards, so that what is shown means the same; narrow ranges need more digits."""
    for used in range(digits, _MOST_DIGITS + 1):
        first, after = (
            _rounded(equivalent.difference, used, ROUND_CEILING),
            _rounded(equivalent.up_to, used, ROUND_FLOOR),
        )
        if not after.value <= first.value:
            break
    return Text(equivalent.metric), first, after


def _rounded(value: float, digits: int, rounding: str) -> Number:
    """A number with some digits: metrics have different scales."""
    if not value > 0:
        return Number(value, 0, reason="no higher cut-off is known")
    exact = Decimal(repr(value))
    unit = Decimal(1).scaleb(exact.adjusted() + 1 - digits)
    rounded = exact.quantize(unit, rounding).normalize()
    return Number(float(rounded), max(0, len(rounded.as_tuple().digits) - 1 - rounded.adjusted()))


def _is_variant(equivalent: Equivalent, explanation: Explanation) -> bool:
    """Whether it is another form of a metric in the list, such as `bleu-moses` of `bleu`."""
    names = [explanation.metric, *(each.metric for each in explanation.equivalents)]
    return any(equivalent.metric.startswith((f"{name}-", f"{name}:")) for name in names)

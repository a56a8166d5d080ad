"""What the differences of several scores mean together, as a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from assay.reports.documents import Document, Section
from assay.reports.short_signatures import short_explanation
from assay.results import JointExplanation
from assay.words import verdict

__all__ = ["document"]


def document(explanation: JointExplanation, *, signatures: Literal["short", "full"] = "full") -> Document:
    """The sentences. Short `signatures` leave out what the calibration says."""
    return Document.of(
        explanation,
        lambda: _sections(explanation, signatures),
        name="What differences mean together",
        opening=lambda: verdict((explanation,)).sentences,
    )


def _sections(explanation: JointExplanation, signatures: str) -> Iterator[Section]:
    if explanation.signature:
        short = (short_explanation(explanation.settings),) if signatures == "short" else ()
        yield Section(signatures=(explanation.signature,), short_signatures=short)

"""What the differences of several scores mean together, as a document."""

from __future__ import annotations

from typing import Literal

from assay.reports.documents import Document
from assay.reports.explanation import signature_section
from assay.results import JointExplanation
from assay.words import verdict

__all__ = ["document"]


def document(explanation: JointExplanation, *, signatures: Literal["short", "full"] = "full") -> Document:
    """The sentences. Short `signatures` leave out what the calibration says."""
    return Document.of(
        explanation,
        lambda: signature_section(explanation, signatures),
        name="What differences mean together",
        opening=lambda: verdict((explanation,)).sentences,
    )

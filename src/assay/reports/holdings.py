"""What test sets there are, as a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.reports.document import Document, Grid, Section
from assay.types import Campaign

__all__ = ["HoldingsDocument"]


@dataclass(frozen=True)
class HoldingsDocument(Document):
    """A row for each test set and language pair: how much there is of everything."""

    campaigns: tuple[Campaign, ...]

    columns: ClassVar = {
        "testset": str,
        "lp": str,
        "segments": int,
        "outputs": int,
        "references": int,
        "human_system": str,
        "human_segment": str,
        "metrics_system": int,
        "metrics_segment": int,
        "judgements": str,
    }

    def sections(self) -> Iterator[Section]:
        """One grid."""
        header = ("test set", "pair", "human by system", "by segment", "judgements", *_COUNTS)
        order = ("testset", "lp", "human_system", "human_segment", "judgements", *_COUNTS.values())
        rows = tuple(tuple("" if row[key] is None else str(row[key]) for key in order) for row in self.rows())
        yield Section((Grid(header, rows, labels=5, remarks=(f"{len(rows)} in all",)),))

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each language pair of a test set."""
        for campaign in self.campaigns:
            levels = Counter(table.level for table in campaign.metrics)
            testset = campaign.testset
            human = {level: [t for t in campaign.human if t.level == level] for level in ("system", "segment")}
            filled = [f"{t.name}:{int((~np.isnan(t.values)).sum())}" for t in human["segment"]]
            yield {
                "testset": campaign.name or None,
                "lp": campaign.lp or None,
                "segments": campaign.segments,
                "outputs": 0 if testset is None else len(testset.outputs),
                "references": 0 if testset is None else len(testset.references),
                "human_system": " ".join(table.name for table in human["system"]) or None,
                "human_segment": " ".join(filled) or None,
                "metrics_system": levels["system"],
                "metrics_segment": levels["segment"],
                "judgements": " ".join(f"{j.name}:{len(j)}" for j in campaign.judgements) or None,
            }

    def tree(self) -> dict[str, Any]:
        """The rows."""
        return {"version": 1, "campaigns": list(self.rows())}


_COUNTS = {
    "segments": "segments",
    "outputs": "outputs",
    "references": "references",
    "metrics": "metrics_system",
    "by segment": "metrics_segment",
}

"""Systems in order of what people said of them, as a document."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.reports.document import Document, Grid, Section
from assay.results import RankedSystem, Ranking

__all__ = ["RankingDocument"]


@dataclass(frozen=True)
class RankingDocument(Document):
    """A grid with a line between clusters; `p_values` adds the matrix of them."""

    ranking: Ranking
    p_values: bool = False

    columns: ClassVar = {
        "rank": int,
        "system": str,
        "value": float,
        "reason": str,
        "low": float,
        "high": float,
        "standard_error": float,
        "n": int,
        "rank_low": int,
        "rank_high": int,
        "cluster": int,
        "fuzzy_rank": float,
        "first": float,
    }

    def sections(self) -> Iterator[Section]:
        """The order, and on request the p-values."""
        header = (self.ranking.name, "cluster", "score", "interval", "n", "ranks", "fuzzy", "first")
        rows = tuple(self._row(ranked) for ranked in self.ranking)
        remarks = (f"{self.ranking.judgements:,} judgements",)
        grids = [Grid(header, rows, labels=1, remarks=remarks)]
        if self.p_values:
            names = tuple(ranked.system for ranked in self.ranking)
            cells = [tuple(_p(float(p)) for p in row) for row in self.ranking.p_values]
            rows = tuple((name, *row) for name, row in zip(names, cells, strict=True))
            grids.append(Grid(("p: row better than column", *names), rows))
        yield Section(tuple(grids), (self.ranking.signature,))

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each system."""
        return self.ranking.rows()

    def tree(self) -> dict[str, Any]:
        """The schema is in docs/formats.md."""
        return self.ranking.to_dict()

    def _row(self, ranked: RankedSystem) -> tuple[str, ...]:
        score = ranked.score
        interval = "" if math.isnan(score.low) else f"[{score.low:.3f}, {score.high:.3f}]"
        ranks = str(ranked.rank_low) if ranked.rank_low == ranked.rank_high else f"{ranked.rank_low}-{ranked.rank_high}"
        first = "–" if math.isnan(ranked.first) else f"{ranked.first:.2f}"
        return (
            ranked.system,
            str(ranked.cluster),
            f"{score.value:.3f}",
            interval,
            f"{score.n:,}",
            ranks,
            f"{ranked.fuzzy_rank:.1f}",
            first,
        )


def _p(value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:.3f}" if value >= 0.001 else f"{value:.0e}"

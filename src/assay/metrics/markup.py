"""MARKUP: what an output keeps of the source's tags, placeholders, URLs, numbers and emoji."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from assay.contracts import Metric
from assay.errors import ConfigError, nearest
from assay.lazily import numpy as np
from assay.metrics import metric
from assay.options.checks import check_choice
from assay.text.kept_items import KINDS, kept_items
from assay.types import FloatArray, Table, TestSet
from assay.types.runtime import Runtime

__all__ = ["Markup"]

_Unit = Literal["items", "segments"]
_Extra = Literal["counted", "ignored"]
_ALL = "all"


@metric("markup")
@dataclass(frozen=True)
class Markup(Metric):
    """Per cent of the source's tags, placeholders, URLs, numbers and emoji that the output keeps; needs no reference.

    score = 100 * kept / (items of the source + items that only the output has)

    Options: items (all, or some, joined by +: tags, placeholders, urls, numbers, emoji); unit (items; segments: per
    cent of the segments with items that are right in all of them); extra, items that only the output has (counted as
    wrong; ignored).
    """

    labels = ("MARKUP",)
    needs = frozenset({"source"})
    score_options: ClassVar[frozenset[str]] = frozenset({"unit", "extra"})
    undefined = "neither the source nor the output has such items"

    items: str = _ALL
    unit: _Unit = "items"
    extra: _Extra = "counted"

    def __post_init__(self) -> None:
        check_choice("unit", self.unit, get_args(_Unit))
        check_choice("extra", self.extra, get_args(_Extra))
        for name in self._kinds - KINDS.keys():
            if name == _ALL:
                raise ConfigError(f"items={self.items}: '{_ALL}' stands alone", hint=f"items={_ALL}")
            raise ConfigError(f"items={self.items}: there are no items '{name}'", hint=nearest(name, (_ALL, *KINDS)))

    @property
    def _kinds(self) -> frozenset[str]:
        return frozenset(KINDS) if self.items == _ALL else frozenset(self.items.split("+"))

    @property
    def columns(self) -> tuple[str, ...]:
        return ("kept", "source", "extra", "segments", "complete", "segments_with_extra", "exact")

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        texts = testset.sources or [None] * len(testset)
        sources = [None if text is None else kept_items(text, self._kinds) for text in texts]
        return np.array(
            [
                [self._row(source, output) for source, output in zip(sources, column, strict=True)]
                for column in testset.outputs.values()
            ],
            dtype=np.int64,
        )

    def _row(self, source: Counter[str] | None, output: str | None) -> tuple[int, ...]:
        if source is None or output is None:
            return (0,) * len(self.columns)
        found = kept_items(output, self._kinds)
        kept, items = (source & found).total(), source.total()
        extra = found.total() - kept
        return (
            kept,
            items,
            extra,
            items > 0,
            items > 0 and kept == items,
            items + extra > 0,
            items > 0 and found == source,
        )

    def score(self, totals: Table) -> FloatArray:
        values = dict(zip(self.columns, np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0), strict=True))
        right, all_of_them = {
            ("items", "counted"): (values["kept"], values["source"] + values["extra"]),
            ("items", "ignored"): (values["kept"], values["source"]),
            ("segments", "counted"): (values["exact"], values["segments_with_extra"]),
            ("segments", "ignored"): (values["complete"], values["segments"]),
        }[self.unit, self.extra]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(all_of_them > 0, 100 * right / all_of_them, np.nan)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"unit": get_args(_Unit), "extra": get_args(_Extra)}

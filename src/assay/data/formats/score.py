"""Single score files of mt-metrics-eval, `NAME.LEVEL.score`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assay.data.formats import Format, data_format
from assay.data.tables.score_files import LEVELS, name_and_level, read_score_file, score_text
from assay.errors import ConfigError, nearest
from assay.files import write_atomic
from assay.types import PROTOCOLS, Campaign, Note
from assay.types.metric_names import split_name

__all__ = ["Score"]


@data_format("score")
@dataclass(frozen=True)
class Score(Format):
    """The scores of a metric, or with `protocol`, of people."""

    protocol: str = ""

    def __post_init__(self) -> None:
        if self.protocol not in ("", *PROTOCOLS):
            raise ConfigError(f"unknown protocol '{self.protocol}'", hint=nearest(self.protocol, PROTOCOLS))

    suffixes = tuple(f".{level}.score" for level in LEVELS)

    def read(self, path: Path) -> tuple[Campaign, ...]:
        named = name_and_level(path.name)
        if named is None:
            hint = f"e.g. METRIC.{'|'.join(LEVELS)}.score"
            raise ConfigError(f"the file name '{path.name}' does not end in a level and .score", hint=hint)
        name, level = named
        lp = ""
        references: tuple[str, ...] = ()
        if path.resolve().parent.parent.name == "metric-scores":  # the layout of mt-metrics-eval
            lp = path.resolve().parent.name
            name, references = split_name(name) or (name, references)
        notes: list[Note] = []
        table = read_score_file(
            path, name=name, level=level, protocol=self.protocol or None, references=references, notes=notes
        )
        segments = table.values.shape[1] if level == "segment" else 0
        return (Campaign("", lp, segments, table.systems, references, None, (table,), notes=tuple(notes)),)

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        tables = [table for campaign in campaigns for table in campaign.scores]
        named = name_and_level(path.name)
        if len(tables) != 1 or named is None or tables[0].level != named[1]:
            levels = ", ".join(table.level for table in tables) or "none"
            raise ConfigError(f"{path.name} holds one table of the level in its name; tables to write: {levels}")
        write_atomic(path, score_text(tables[0]).encode())

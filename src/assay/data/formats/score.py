"""Score files of mt-metrics-eval: `SYSTEM SCORE` lines, a block for each system in the order of segments.

The usual file is read in one sweep; whatever does not fit is read again line by line to say what is wrong and where.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from assay.data.formats import Format, form
from assay.data.numbers import parse_score
from assay.data.text import digest_of_bytes, read_bytes, read_text, shown_path, without_mark
from assay.errors import ConfigError, InputError, nearest
from assay.files import write_whole
from assay.types import PROTOCOLS, Campaign, FloatArray, ScoreTable

__all__ = ["LEVELS", "Score", "read_score_file", "score_text"]

LEVELS = {"sys": "system", "domain": "domain", "doc": "document", "seg": "segment"}


@form("score")
@dataclass(frozen=True)
class Score(Format):
    """A single file, `NAME.LEVEL.score`, of a metric, or of people with `protocol`."""

    protocol: str = ""

    def __post_init__(self) -> None:
        if self.protocol not in ("", *PROTOCOLS):
            raise ConfigError(f"unknown protocol '{self.protocol}'", hint=nearest(self.protocol, PROTOCOLS))

    suffixes = tuple(f".{level}.score" for level in LEVELS)

    def read(self, path: Path) -> tuple[Campaign, ...]:
        name, _, level = path.name.removesuffix(".gz").removesuffix(".score").rpartition(".")
        if level not in LEVELS:
            raise ConfigError(f"'{path.name}' does not name its level", hint=f"e.g. METRIC.{'|'.join(LEVELS)}.score")
        lp = ""
        references: tuple[str, ...] = ()
        if path.resolve().parent.parent.name == "metric-scores":  # as mt-metrics-eval lays them out
            lp, (name, _, given) = path.resolve().parent.name, name.rpartition("-")
            references = () if given == "src" else tuple(given.split("."))
        notes: list[str] = []
        protocol = self.protocol or None
        table = read_score_file(
            path, name=name, level=LEVELS[level], protocol=protocol, references=references, notes=notes
        )
        segments = table.values.shape[1] if level == "seg" else 0
        return (Campaign("", lp, segments, table.systems, references, None, (table,), notes=tuple(notes)),)

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        tables = [table for campaign in campaigns for table in campaign.scores]
        level = LEVELS.get(path.name.removesuffix(".score").rpartition(".")[2])
        if len(tables) != 1 or tables[0].level != level:
            raise ConfigError(f"{path.name} holds one table by {level}, and here are {len(tables)} of any level")
        write_whole(path, score_text(tables[0]).encode())


def read_score_file(
    path: Path,
    *,
    name: str,
    level: str,
    systems: Sequence[str] | None = None,
    items: Sequence[str] | int | None = None,
    references: tuple[str, ...] = (),
    protocol: str | None = None,
    rater: str | None = None,
    notes: list[str] | None = None,
) -> ScoreTable:
    """A table of scores. `systems` are those that may occur, `items` how many values each has or their names.

    What was changed in reading is added to `notes`.
    """
    raw = read_bytes(path)
    body, changes = without_mark(raw, path)
    if notes is not None:
        notes += changes
    count = items if isinstance(items, int) or items is None else len(items)
    if level == "domain":
        found, values, labels = _by_domain(path, items)
    else:
        found, values = _in_one_sweep(body, count) or _line_by_line(path, count)
        labels = tuple(items or ()) if not isinstance(items, int) else ()
        if level == "document" and not labels:
            labels = tuple(f"document {k}" for k in range(1, values.shape[1] + 1))
    for system in found:
        if systems is not None and system not in systems:
            raise InputError(
                f"scores of an unknown system '{system}'", path=shown_path(path), hint=nearest(system, systems)
            )
    try:
        return ScoreTable(
            name=name,
            level=level,
            systems=found,
            values=values,
            origin=str(path),
            digest=digest_of_bytes(raw),
            references=references,
            protocol=protocol,
            rater=rater,
            items=labels if level in ("document", "domain") else (),
        )
    except InputError as error:
        raise type(error)(error.message, path=shown_path(path), hint="give it another name in the file") from None


def score_text(table: ScoreTable) -> str:
    """A table as such a file."""

    def number(value: float) -> str:
        return "None" if value != value else repr(float(value))

    rows = zip(table.systems, table.values, strict=True)
    if table.level == "domain":
        cells = ((domain, s, v) for s, values in rows for domain, v in zip(table.items, values, strict=True))
        return "".join(f"{domain}\t{system}\t{number(value)}\n" for domain, system, value in cells)
    return "".join(f"{system}\t{number(value)}\n" for system, values in rows for value in values)


def _in_one_sweep(raw: bytes, count: int | None) -> tuple[tuple[str, ...], FloatArray] | None:
    """None if the file is not as usual."""
    fields = raw.split()
    names, numbers = fields[0::2], fields[1::2]
    size = count or next((len(list(block)) for _, block in groupby(names)), 0)
    if not size or len(names) != len(numbers) or len(names) % size or len(names) != raw.count(b"\n"):
        return None
    heads = names[::size]
    if len(set(heads)) != len(heads) or names != [name for name in heads for _ in range(size)]:
        return None
    try:
        systems = tuple(name.decode() for name in heads)
        values = np.array([float("nan") if number == b"None" else float(number) for number in numbers])
    except (ValueError, UnicodeDecodeError):
        return None
    if int((~np.isfinite(values)).sum()) != numbers.count(b"None") or b"_" in b"".join(numbers):
        return None  # Python reads more as a number than a file may hold
    return systems, values.reshape(len(systems), size)


def _line_by_line(path: Path, count: int | None) -> tuple[tuple[str, ...], FloatArray]:
    rows: dict[str, list[float]] = {}
    latest = ""
    for number, (system, score) in _lines(path, 2):
        if system != latest and system in rows:
            raise InputError(f"system '{system}' begins a second time", path=shown_path(path), line=number)
        latest = system
        rows.setdefault(system, []).append(parse_score(score, path=shown_path(path), line=number))
        if count is not None and len(rows[system]) > count:
            raise InputError(f"more than {count:,} scores for system '{system}'", path=shown_path(path), line=number)
    size = count or max(map(len, rows.values()))
    for system, values in rows.items():
        if len(values) != size:
            raise InputError(f"{len(values):,} scores for system '{system}', {size:,} expected", path=shown_path(path))
    return tuple(rows), np.array(list(rows.values()))


def _by_domain(path: Path, items: Sequence[str] | int | None) -> tuple[tuple[str, ...], FloatArray, tuple[str, ...]]:
    """`DOMAIN SYSTEM SCORE` lines, in any order."""
    cells: dict[tuple[str, str], float] = {}
    for number, (domain, system, score) in _lines(path, 3):
        if (domain, system) in cells:
            raise InputError(f"a second score of '{system}' in '{domain}'", path=shown_path(path), line=number)
        if not (items is None or isinstance(items, int)) and domain not in items:
            raise InputError(
                f"unknown domain '{domain}'", path=shown_path(path), line=number, hint=nearest(domain, items)
            )
        cells[domain, system] = parse_score(score, path=shown_path(path), line=number)
    domains = tuple(sorted({domain for domain, _ in cells}))
    systems = tuple(dict.fromkeys(system for _, system in cells))
    return systems, np.array([[cells.get((d, s), np.nan) for d in domains] for s in systems]), domains


def _lines(path: Path, fields: int) -> list[tuple[int, list[str]]]:
    text, _ = read_text(path)
    found = []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        parts = re.split(r"\s+", line.strip())
        if len(parts) != fields or not parts[0]:
            usual = "SYSTEM SCORE" if fields == 2 else "DOMAIN SYSTEM SCORE"
            raise InputError(f"not '{usual}': {line[:60]!r}", path=shown_path(path), line=number)
        found.append((number, parts))
    return found

"""The page of benchmarks, from what was measured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.groups import GROUPS, Group, Row
from bench.growth import Point
from bench.harness import Measured, Result

_INTRODUCTION = """# Speed

*Ratio* is the other tool's CPU time divided by Assay's: higher is better. Both tools run alternately on one thread, in
one process unless whole commands are measured, and times are medians. Every run checks that both give the same numbers
(scores to 1e-9; fastchrf, which computes in single precision, to 1e-3). *Minimum*, *limit* and *target* are the
project's own goals. Each section says when it was measured and lists the calls. `make bench` measures everything and
writes this page. `make bench ONLY="kernels large"` measures some groups again and keeps the others. The groups are
{names}.
"""


@dataclass(frozen=True)
class Measurement:
    """The rows of a group, and how they were measured."""

    when: str
    """The date, the version of the source, and the load of the machine."""
    machine: str
    """The processor and the versions of all packages."""
    rows: Sequence[Row]


def page(measurements: Mapping[str, Measurement], previous: str = "") -> str:
    """The whole page, in Markdown. Groups that are not measured stay as they are on the previous page."""
    kept = sections(previous)
    parts = [
        _section(group, measurements[group.name]) if group.name in measurements else kept[group.title]
        for group in GROUPS
    ]
    introduction = _INTRODUCTION.format(names=", ".join(f"`{group.name}`" for group in GROUPS))
    return "\n".join([introduction, _machines(measurements, previous), *parts])


def sections(text: str) -> dict[str, str]:
    """The sections of a page by title."""
    parts = re.split(r"^(?=## )", text, flags=re.M)[1:]
    return {part.partition("\n")[0].removeprefix("## "): part.rstrip("\n") + "\n" for part in parts}


def _machines(measurements: Mapping[str, Measurement], previous: str) -> str:
    """The machine; if there were several, which groups were measured on each."""
    before = _previous_machines(previous)
    groups: dict[str, list[str]] = {}
    for group in GROUPS:
        is_new = group.name in measurements
        machine = measurements[group.name].machine if is_new else before.get(group.title, before.get("", "unknown"))
        groups.setdefault(machine, []).append(group.title)
    if len(groups) == 1:
        return f"Measured on: {next(iter(groups))}.\n"
    return "".join(f"- {', '.join(titles)}: measured on {machine}.\n" for machine, titles in groups.items())


def _previous_machines(text: str) -> dict[str, str]:
    """By title of a section, or "" for all: the machine that a page names."""
    single = re.search(r"^Measured on: (.*)\.$", text, re.M)
    several = re.findall(r"^- (.*?): measured on (.*)\.$", text, re.M)
    found = {title: machine for titles, machine in several for title in titles.split(", ")}
    return found if single is None else {"": single[1]}


def _section(group: Group, measurement: Measurement) -> str:
    results = [row for row in measurement.rows if isinstance(row, Result)]
    measured = [row for row in measurement.rows if isinstance(row, Measured)]
    points = [row for row in measurement.rows if isinstance(row, Point)]
    parts = [f"## {group.title}\n", f"{group.about}\n", f"{measurement.when}\n"]
    if not measurement.rows:
        parts.append("Nothing was measured, because a program that is needed is not installed.\n")
    if results:
        parts += [_comparisons(results), _folded("Calls", _calls(results))]
    if measured:
        parts.append(_limits(measured))
        called = [(row.name, row.code) for row in measured if row.code]
        if called and not points:
            parts.append(_folded("Calls", _table("task|call", "--", ((name, f"`{code}`") for name, code in called))))
    if points:
        parts += [_folded("Numbers of the chart", _curves(points)), _folded("Commands", _commands(points))]
    return "\n".join(parts)


def _comparisons(results: Iterable[Result]) -> str:
    rows = (
        (
            result.name,
            result.peer,
            f"{result.peer_ms:,.1f}",
            f"{result.our_ms:,.2f}",
            _verdict(f"{result.ratio:,.1f}", result),
            f"{result.minimum:,g}",
            f"{result.target:,g}",
        )
        for result in results
    )
    return _table("task|tool|tool ms|Assay ms|ratio|minimum|target", "--rrrrr", rows)


def _calls(results: Iterable[Result]) -> str:
    rows = ((result.name, result.peer, f"`{result.peer_code}`", f"`{result.our_code}`") for result in results)
    return _table("task|tool|call of the tool|call of Assay", "----", rows)


def _limits(measured: Iterable[Measured]) -> str:
    rows = (
        (
            row.name,
            _verdict(f"{row.value:,.0f}" if row.is_rate else f"{row.value:,.3g}", row),
            row.unit,
            f"at least {row.limit:,g}" if row.is_rate else f"{row.limit:,.3g}",
            "" if row.target is None else f"{row.target:,g}",
        )
        for row in measured
    )
    return _table("task|measured|unit|limit|target", "-r-rr", rows)


def _curves(points: Sequence[Point]) -> str:
    rows = (
        (
            point.axis,
            f"{point.size:,}",
            point.metric,
            point.tool,
            f"{point.microseconds:,.2f}",
            f"{point.peak_mb:,.0f}",
        )
        for point in points
    )
    return _table("number of|size|metric|tool|µs per cell|peak MB", "-r--rr", rows)


def _commands(points: Iterable[Point]) -> str:
    """The smallest of each curve; larger ones have more files or larger ones."""
    first: dict[tuple[str, str, str], Point] = {}
    for point in points:
        first.setdefault((point.axis, point.metric, point.tool), point)
    rows = ((f"{point.size:,} {point.axis}", point.metric, f"`{point.code}`") for point in first.values())
    return _table("size|metric|command", "---", rows)


def _verdict(text: str, row: Row) -> str:
    return f"**{text}**" + (" (missed)" if row.verdict == "MISSED" else "")


def _table(heading: str, alignment: str, rows: Iterable[Sequence[str]]) -> str:
    """A table whose headings are separated by |; `r` aligns a column to the right."""
    head = f"| {heading.replace('|', ' | ')} |\n"
    rule = "".join("|--:" if side == "r" else "|---" for side in alignment) + "|\n"
    lines = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
    return head + rule + "".join(f"| {line} |\n" for line in lines)


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{text}\n</details>\n"

"""Results in sacreBLEU's layout: lines or JSON for one system, a table or JSON for several."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

__all__ = ["one_system", "several_systems"]

_LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\^{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}


def one_system(results: Sequence[str], form: str) -> str:
    """The scores of one system, each a line of text or a JSON object."""
    if form == "json":
        return (results[0] if len(results) == 1 else "[\n" + ",\n".join(results) + "\n]") + "\n"
    signs = [line.find("=") for line in results]  # -1 for a bare number
    widest = max(signs)
    return "".join(
        " " * (widest - sign if sign >= 0 else 0) + f"{line}\n" for sign, line in zip(signs, results, strict=True)
    )


def several_systems(
    systems: Sequence[str], scores: Mapping[str, Sequence[str]], signatures: Mapping[str, str], form: str
) -> str:
    """The scores of several systems: a table or JSON."""
    if form == "json":
        rows = [
            {"system": system, **{name: column[i] for name, column in scores.items()}}
            for i, system in enumerate(systems)
        ]
        return json.dumps(rows, indent=4) + "\n"
    cells = _padded([("System", *systems), *((name, *column) for name, column in scores.items())])
    draw: Callable[[Sequence[Sequence[str]]], list[str]] = _booktabs if form == "latex" else _fancy_grid
    title = "Metric signatures"
    rule = "-" * len(title)
    lines = [*draw(cells), "", rule, title, rule, *(f" - {name:<10} {text}" for name, text in signatures.items())]
    return "\n".join(lines) + "\n"


def _padded(columns: Sequence[Sequence[str]]) -> list[list[str]]:
    """Rows of padded cells: the first column is right-aligned, the others are centred."""
    padded = []
    for k, (header, *cells) in enumerate(columns):
        width = max(len(header) + 2, *map(len, cells))
        padded.append([f"{cell:{'>' if k == 0 else '^'}{width}}" for cell in (header, *cells)])
    return [list(row) for row in zip(*padded, strict=True)]


def _fancy_grid(rows: Sequence[Sequence[str]]) -> list[str]:
    def rule(left: str, line: str, middle: str, right: str) -> str:
        return left + middle.join(line * (len(cell) + 2) for cell in rows[0]) + right

    header, *body = ["│" + "│".join(f" {cell} " for cell in row) + "│" for row in rows]
    lines = [rule("╒", "═", "╤", "╕"), header, rule("╞", "═", "╪", "╡"), body[0]]
    for row in body[1:]:
        lines += [rule("├", "─", "┼", "┤"), row]
    return [*lines, rule("╘", "═", "╧", "╛")]


def _booktabs(rows: Sequence[Sequence[str]]) -> list[str]:
    def drawn(row: Sequence[str]) -> str:
        return "&".join(f" {''.join(_LATEX_ESCAPES.get(c, c) for c in cell)} " for cell in row) + r"\\"

    header, *body = map(drawn, rows)
    alignment = "r" + "c" * (len(rows[0]) - 1)
    begin, end = rf"\begin{{tabular}}{{{alignment}}}", r"\end{tabular}"
    return [begin, r"\toprule", header, r"\midrule", *body, r"\bottomrule", end]

"""LaTeX tables with booktabs, for a paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.reports import Renderer, renderer
from assay.reports.document import Document, Grid

__all__ = ["Latex"]

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}


@renderer("latex")
@dataclass(frozen=True)
class Latex(Renderer):
    r"""A tabular for each grid (needs \usepackage{booktabs}); remarks and the signature as comments."""

    suffixes = (".tex",)

    def render(self, document: Document) -> str:
        blocks = []
        for section in document.sections():
            tables = ["\n".join(_lines(grid)) + "\n" for grid in section.grids]
            blocks.append("\n".join(tables) + "".join(f"% {line}\n" for line in section.signatures))
        return "\n".join(blocks)


def _lines(grid: Grid) -> Iterator[str]:
    yield rf"\begin{{tabular}}{{{'l' * grid.labels}{'r' * (len(grid.header) - grid.labels)}}}"
    yield r"\toprule"
    yield _row(grid.header)
    yield r"\midrule"
    for row in grid.rows:
        yield _row(row)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    for remark in grid.remarks:
        yield "% " + " ".join(remark.splitlines())


def _row(cells: tuple[str, ...]) -> str:
    """After the end of a row, a bracket or asterisk would belong to it."""
    row = " & ".join("".join(_ESCAPES.get(c, c) for c in cell) for cell in cells) + r" \\"
    return f"{{{row[0]}}}{row[1:]}" if row.startswith(("[", "*")) else row

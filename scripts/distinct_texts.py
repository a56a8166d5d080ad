"""Count what learned metrics would compute for WMT22, and how much of it is different: the table of learned-metrics.md.

ASSAY_DATA=FOLDER python -m scripts.distinct_texts
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scripts import archives

CAMPAIGN = "wmt22"
HEAD = (
    "| | systems | segments | 3·S·N | S·N + 2·N | distinct texts | times fewer | distinct triples |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
)


def table() -> Iterator[str]:
    """The lines, one for each language pair, and the sum."""
    root = archives.unpacked(CAMPAIGN)
    yield from HEAD
    sums = [0, 0, 0, 0, 0]
    for folder in sorted((root / "system-outputs").iterdir()):
        systems, segments, *counts = _counts(root, folder.name)
        sums = [total + count for total, count in zip(sums, (systems * segments, *counts), strict=True)]
        yield _line(folder.name, f"{systems} | {segments:,}", systems * segments, *counts)
    yield _line("all", " | ", *sums)


def _counts(root: Path, lp: str) -> tuple[int, int, int, int, int, int]:
    """Systems, segments; texts with each source and reference once; different texts, and different triples.

    The first reference; human translations are no systems.
    """
    source = archives.lines(root / "sources" / f"{lp}.txt")
    reference = archives.lines(min((root / "references").glob(f"{lp}.*.txt")))
    files = [path for path in (root / "system-outputs" / lp).iterdir() if not path.stem.startswith("ref")]
    outputs = [archives.lines(path) for path in files]
    texts = {text for column in (source, reference, *outputs) for text in column}
    triples = {triple for output in outputs for triple in zip(source, output, reference, strict=True)}
    systems, segments = len(outputs), len(source)
    return systems, segments, 3 * systems * segments, (systems + 2) * segments, len(texts), len(triples)


def _line(name: str, size: str, cells: int, official: int, once: int, distinct: int, triples: int) -> str:
    fewer = f"{triples:,} ({100 * triples / cells:.0f} %)"
    return f"| {name} | {size} | {official:,} | {once:,} | {distinct:,} | {official / distinct:.1f} | {fewer} |"


if __name__ == "__main__":
    print("\n".join(table()))

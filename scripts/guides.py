"""Run the blocks of the guides, and update the output and the figures that the guides show.

python -m scripts.guides

Blocks that need the WMT archives are run if $ASSAY_DATA names their folder. Where a guide leaves lines out, the lines
most like those it shows are taken: read the difference before you commit it.
"""

from __future__ import annotations

import shutil
import tempfile
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path

from scripts import notebook
from scripts.notebook import LEFT_OUT


def main() -> None:
    """Update all guides."""
    for page in notebook.GUIDES:
        with tempfile.TemporaryDirectory() as folder:
            text = page.read_text(encoding="utf-8")
            for block, printed in notebook.run(page, Path(folder)):
                if block.shown is not None and not notebook.is_output(block.shown, printed):
                    shown = f"```{block.language}\n{block.code}```\n\n```text\n"
                    text = text.replace(shown + block.shown, shown + updated(block.shown, printed))
            page.write_text(text, encoding="utf-8")
            for name in notebook.figures(text):
                if (Path(folder) / name).exists():
                    shutil.copyfile(Path(folder) / name, notebook.ROOT / "docs" / "images" / name)


def updated(shown: str, printed: str) -> str:
    """The output, shortened where the guide shortens it."""
    lines, kept, start = [line.rstrip() for line in printed.splitlines()], [], 0
    for is_left_out, part in groupby(shown.splitlines(), LEFT_OUT.__eq__):
        if not is_left_out:
            wanted = list(part)
            windows = range(start, max(len(lines) - len(wanted), start) + 1)
            best = max(windows, key=lambda at: _likeness(wanted, lines[at : at + len(wanted)]))
            kept += [LEFT_OUT] * (best > start)
            kept += [_cut(line, like) for line, like in zip(lines[best:], wanted, strict=False)]
            start = best + len(wanted)
    return "".join(f"{line}\n" for line in [*kept, *[LEFT_OUT] * (start < len(lines))])


def _likeness(wanted: list[str], lines: list[str]) -> float:
    return sum(SequenceMatcher(None, one, other).ratio() for one, other in zip(wanted, lines, strict=False))


def _cut(line: str, like: str) -> str:
    return line[: len(like) - 1].rstrip() + f" {LEFT_OUT}" if like.endswith(LEFT_OUT) else line


if __name__ == "__main__":
    main()

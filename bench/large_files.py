"""Write an output and a reference of any size: WMT text, repeated with some of its tokens altered.

python -m bench.large_files FOLDER SEGMENTS

One type of token in sixteen gets a number that is different for every thousand lines, alike on both sides, so that the
number of distinct tokens grows with the size as in natural text: 10 million segments have more than a million. Small
files take lines from all over the text, so that lines are about as long in files of all sizes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.scale import large

_ALTERED = 16  # one type of token in so many
_ALIKE = 1000  # lines in a row that are altered alike


def write(folder: Path, segments: int) -> tuple[Path, Path]:
    """The files `out.txt` and `ref.txt`."""
    paths = folder / "out.txt", folder / "ref.txt"
    for path, column in zip(paths, large(), strict=True):
        lines = [_Line(text) for text in column[:: max(1, len(column) // segments)]]
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines[i % len(lines)].altered(i // _ALIKE) for i in range(segments))
    return paths


class _Line:
    """A line, cut at the ends of the tokens that are altered."""

    def __init__(self, text: str) -> None:
        tokens = text.split(" ")
        parts: list[list[str]] = [[]]
        for token in tokens:
            parts[-1].append(token)
            if token.isalpha() and sum(map(ord, token)) % _ALTERED == 0:
                parts.append([])
        self._parts = [" ".join(part) for part in parts]

    def altered(self, number: int) -> str:
        """The line with this number after the tokens that are altered."""
        return f"{number:x} ".join(self._parts).rstrip(" ") + "\n"


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))

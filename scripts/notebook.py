"""Guides that read like notebooks: blocks of commands or Python, and below each what it prints.

A block marked `text` right after one marked `bash` or `python` is its standard output. A line `…` stands for lines
that are left out, and `…` at the end of a line for the rest of it. The blocks of a page run one after the other in one
folder. A figure of the page has the name of the file that one of its blocks writes.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import assay
from scripts import archives

ROOT = Path(__file__).parents[1]
GUIDES = tuple(
    ROOT / "docs" / "guide" / f"{name}.md"
    for name in ("which-metric", "better-system", "how-big-a-difference", "metrics-task")
)
LEFT_OUT = "…"
DEMO = "assay demo sample\n"
"""The first block of every guide, which is run once."""
_TEST_SETS = ("wmt13", "wmt22")
_BLOCK = re.compile(r"^```(bash|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.M | re.S)


@dataclass(frozen=True, slots=True)
class Block:
    """Code of a guide, and the output that the guide shows."""

    language: str
    code: str
    shown: str | None
    """None: the guide does not show what the block prints."""

    @property
    def test_sets(self) -> tuple[str, ...]:
        """The WMT test sets that it needs."""
        return tuple(name for name in _TEST_SETS if re.search(rf"\b{name}\b", self.code))


def parse(page: str) -> list[Block]:
    """The blocks of a page, in order."""
    return [Block(*found.groups()) for found in _BLOCK.finditer(page)]


def run(page: Path, folder: Path) -> Iterator[tuple[Block, str]]:
    """Run the blocks of a page in a folder and yield what they print; skip those whose test sets are not at hand."""
    for block in parse(page.read_text(encoding="utf-8")):
        if block.test_sets and archives.folder() is None:
            continue
        for name in block.test_sets:
            if not (folder / name).exists():
                (folder / name).symlink_to(archives.unpacked(name))
        if block.code == DEMO:
            made, printed = _demo()
            shutil.copytree(made.name, folder, dirs_exist_ok=True)
            yield block, printed
        else:
            yield block, _output(block, folder)


@functools.cache
def _demo() -> tuple[tempfile.TemporaryDirectory[str], str]:
    """A folder with what the first block writes, and what it prints."""
    folder = tempfile.TemporaryDirectory()
    return folder, _output(Block("bash", DEMO, None), Path(folder.name))


def _output(block: Block, folder: Path) -> str:
    """What a block prints, as the `assay` of these tests prints it."""
    command = f'assay() {{ "{sys.executable}" -m assay "$@"; }}\n{block.code}'
    done = subprocess.run(  # noqa: S603 - a block of a guide
        [sys.executable, "-c", block.code] if block.language == "python" else ["bash", "-ec", command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(assay.__file__).parents[1]), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode:
        raise AssertionError(f"{block.code}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def is_output(shown: str, printed: str) -> bool:
    """Whether a guide shows what a block prints, except for what it leaves out."""
    return (
        re.fullmatch("".join(map(_pattern, _lines(shown))), "".join(f"{line}\n" for line in _lines(printed)))
        is not None
    )


def _pattern(line: str) -> str:
    if line == LEFT_OUT:
        return r"(?:.*\n)+?"
    kept = line.removesuffix(LEFT_OUT)
    return re.escape(kept) + ("" if kept == line else ".*") + r"\n"


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def figures(page: str) -> list[str]:
    """The names of the figures of a page."""
    return re.findall(r'<img src="\.\./images/([\w-]+\.svg)"', page)


def texts_of_figure(path: Path) -> list[str]:
    """The words and numbers of a figure: what it says, whatever it looks like."""
    return re.findall(r">([^<>\n]+)</t", path.read_text(encoding="utf-8"))

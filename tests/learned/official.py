"""Checkpoints and scores that the official programs made (`make test-neural`, `python -m scripts.official_scores`)."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay import load
from assay.learned import Segment
from assay.types import TestSet

_EXPECTED = ".*(a line of 6,400 characters|scored without the end of a text)"
LONG_LINE = pytest.mark.filterwarnings(f"ignore:{_EXPECTED}:assay.errors.AssayWarning")
"""One of the segments is much longer than its source, so that it is truncated."""
FOLDER = Path(__file__).parents[2] / "build" / "official"


@dataclass(frozen=True)
class Official:
    """A checkpoint, made-up segments, and their official scores."""

    model: Path
    segments: list[Segment]
    scores: dict[str, list[float]]
    """By what was read with the output, where that can be chosen; `scores` are those that the program reports."""

    @property
    def testset(self) -> TestSet:
        """The segments as the output of one system."""
        outputs, sources, references = zip(*self.segments, strict=True)
        return load(outputs={"x": outputs}, references=references, sources=sources)

    def copied(self, folder: Path) -> Path:
        """A copy of the checkpoint, to change."""
        shutil.copytree(self.model, folder / "copy")
        return folder / "copy"


def official(name: str) -> Official:
    """A checkpoint by its name; skips without it."""
    pytest.importorskip("torch", reason="torch is not installed (make test-neural)")
    pytest.importorskip("transformers", reason="transformers is not installed (make test-neural)")
    folder = FOLDER / name
    if not (folder / "scores.json").exists():
        pytest.skip(f"the official scores of {name} have not been made (make test-neural)")
    texts = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
    segments = [Segment(each["mt"], each["src"], each["ref"]) for each in texts]
    return Official(folder / "model", segments, json.loads((folder / "scores.json").read_text(encoding="utf-8")))

"""The papers that Assay is built on, re-run on their data: one module each, made of public functions only."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from typing import Protocol

from assay.data.archives.folder import data_folder
from assay.errors import ConfigError, nearest
from assay.results import Reproduction
from assay.runtime import Runtime

__all__ = ["PAPERS", "Paper", "reproduce"]

PAPERS = {
    "tangled": "Mathur et al. 2020, Tangled up in BLEU",
    "thresholds": "Lo et al. 2023, Beyond correlation",
    "aggregation": "Cavalin et al. 2024, Sentence-level aggregation",
    "wmt13": "Macháček & Bojar 2013, Results of the WMT13 metrics shared task",
    "ebleu": "ElNokrashy & Kocmi 2023, eBLEU",
}
"""The name of each paper's module, and the paper."""


class Paper(Protocol):
    """What the module of a paper has."""

    def run(self, data: Path, runtime: Runtime) -> Reproduction:
        """Compute the numbers of the paper from the test sets in a folder."""


def reproduce(
    paper: str, *, data: str | Path | None = None, as_published: bool = False, runtime: Runtime | None = None
) -> Reproduction:
    """Run a paper again: its numbers beside ours, with the reason where they differ.

    `data` is the folder that contains the test sets (`wmt19`, `wmt22`, …; default: the user's data folder, to which
    `assay data import` adds them). `as_published` (aggregation only) also shows
    what a wrong call of sacreBLEU gives, with references passed as one list for each segment.
    """
    if paper not in PAPERS:
        raise ConfigError(f"unknown paper '{paper}'", hint=nearest(paper, PAPERS))
    run = importlib.import_module(f"{__name__}.{paper}").run
    options = {"as_published": as_published} if as_published else {}
    if as_published and "as_published" not in inspect.signature(run).parameters:
        raise ConfigError(f"as_published has no effect on {paper}", hint="it belongs to aggregation")
    result: Reproduction = run(data_folder() if data is None else Path(data), runtime or Runtime(), **options)
    return result

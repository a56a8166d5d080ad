"""The papers that Assay is built on, run again on their data: one module each, made of public functions only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from assay.arguments import public_function
from assay.data.archives.folder import data_folder
from assay.errors import ConfigError, nearest, option
from assay.reproduction import aggregation, ebleu, tangled, thresholds, wmt13
from assay.results import Reproduction
from assay.types import Note, NoteKind
from assay.types.runtime import Runtime

__all__ = ["PAPERS", "Paper", "reproduce"]


class Paper(NamedTuple):
    """A paper: its title, the test sets that it uses, and the function that computes its numbers from a folder."""

    title: str
    test_sets: tuple[str, ...]
    run: Callable[..., Reproduction]


PAPERS: Mapping[str, Paper] = {
    name: Paper(module.TITLE, module.TEST_SETS, module.run)
    for name, module in (
        ("tangled", tangled),
        ("thresholds", thresholds),
        ("aggregation", aggregation),
        ("wmt13", wmt13),
        ("ebleu", ebleu),
    )
}
"""By the name of the command."""


@public_function
def reproduce(
    paper: str,
    *,
    data: str | Path | None = None,
    test_sets: Sequence[str] = (),
    metrics: Sequence[str] = (),
    as_published: bool = False,
    annotations: str | Path | None = None,
    runtime: Runtime | None = None,
) -> Reproduction:
    """Run a paper again: its numbers beside ours, with the reason where they differ.

    `data` is the folder that contains the test sets (`wmt19`, `wmt22`, …; default: the user's data folder, to which
    `assay data import` adds them). For aggregation it may also be a test set of your own; `test_sets` names the folders
    to use, `metrics` the metrics instead of BLEU and chrF, and `as_published` also shows what a wrong call of sacreBLEU
    gives, with references passed as one list for each segment. For wmt13, `annotations` is a folder with annotations of
    its texts, as `assay annotate --data wmt13 --lp cs-en -o FOLDER` writes it, for the metrics that need them.
    """
    if paper not in PAPERS:
        raise ConfigError(f"unknown paper '{paper}'", hint=nearest(paper, PAPERS))
    given = {
        "test_sets": tuple(test_sets),
        "metrics": tuple(metrics),
        "as_published": as_published,
        "annotations": annotations,
    }
    options = {name: value for name, value in given.items() if value}
    for name in options:
        if paper != (owner := "wmt13" if name == "annotations" else "aggregation"):
            raise ConfigError(f"{option(name)} has no effect on {paper}", hint=f"it belongs to {owner}")
    folder = data_folder() if data is None else Path(data)
    result = PAPERS[paper].run(folder, runtime or Runtime(), **options)
    notes = [*_missing(paper, folder, test_sets), *(note for each in result.results.values() for note in each.notes)]
    return replace(result, notes=tuple(dict.fromkeys(notes)))


def _missing(paper: str, folder: Path, test_sets: Sequence[str]) -> list[Note]:
    """A note on test sets of the paper that are not in the folder."""
    wanted = test_sets or PAPERS[paper].test_sets
    missing = [name for name in wanted if not (folder / name).is_dir()]
    if not missing or len(missing) == len(wanted):  # the folder is a test set itself
        return []
    return [Note(NoteKind.MISSING, f"not in the folder: {', '.join(missing)}", str(folder))]

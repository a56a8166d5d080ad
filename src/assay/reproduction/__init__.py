"""The papers that Assay is built on, run again on their data: one module each, made of public functions only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple, Unpack

from assay.data.archives.folder import data_folder
from assay.errors import ConfigError, option_name
from assay.measurement import metrics_option
from assay.options.option import DATA, Option
from assay.options.shared import RUNTIME
from assay.options.verb import verb
from assay.reproduction import aggregation, ebleu, tangled, thresholds, wmt13
from assay.reproduction.campaigns import ARCHIVE
from assay.results import Reproduction
from assay.types import Note, NoteKind
from assay.types.runtime import Runtime, RuntimeFields

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

_AGGREGATION = "Aggregation"


@verb
def reproduce(
    paper: Annotated[str, Option("Name of the paper.", choices=tuple(PAPERS))],
    *,
    data: Annotated[
        str | Path | None,
        Option(
            "The folder that contains the test sets; for aggregation, it may also be one test set.",
            group=DATA,
            metavar="FOLDER",
            takes_file=True,
            default="the data folder",
        ),
    ] = None,
    test_sets: Annotated[
        Sequence[str],
        Option(
            "Folders to use.",
            group=_AGGREGATION,
            metavar="NAME",
            default="all in the folder that have texts",
        ),
    ] = (),
    metrics: Annotated[
        Sequence[str], metrics_option("Metrics instead of BLEU and chrF, for aggregation.", default="bleu, chrf")
    ] = (),
    as_published: Annotated[
        bool, Option("Also show what a wrong call of sacreBLEU gives, with transposed references.", group=_AGGREGATION)
    ] = False,
    annotations: Annotated[
        str | Path | None,
        Option(
            "Folder with annotations of the texts, as `assay annotate -o` writes it, for the metrics that need them.",
            group="WMT13",
            metavar="FOLDER",
            takes_file=True,
        ),
    ] = None,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Reproduction:
    """Run a paper again, with our numbers beside the published ones.

    Where they differ, the reason is given. `test_sets`, `metrics` and `as_published` apply to aggregation,
    `annotations` to wmt13.
    """
    given = {
        "test_sets": tuple(test_sets),
        "metrics": tuple(metrics),
        "as_published": as_published,
        "annotations": annotations,
    }
    options = {name: value for name, value in given.items() if value}
    for name in options:
        if paper != (owner := "wmt13" if name == "annotations" else "aggregation"):
            raise ConfigError(f"{option_name(name)} has no effect on {paper}", hint=f"it belongs to {owner}")
    folder = data_folder() if data is None else Path(data)
    result = PAPERS[paper].run(folder, runtime or Runtime(), **options)
    notes = [*_missing(paper, folder, test_sets), *(note for each in result.results.values() for note in each.notes)]
    return replace(result, notes=tuple(dict.fromkeys(notes)))


def _missing(paper: str, folder: Path, test_sets: Sequence[str]) -> list[Note]:
    """A note on test sets of the paper that are not in the folder."""
    wanted = test_sets or PAPERS[paper].test_sets
    missing = [name for name in wanted if not (folder / name).is_dir()]
    if not missing or folder.name in wanted:  # the folder is a test set itself
        return []
    text = f"not in the folder: {', '.join(missing)} (assay data fetch {ARCHIVE} has them)"
    return [Note(NoteKind.MISSING, text, str(folder))]

"""`assay.list_data`: the test sets in the data folder, or in other files and folders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Unpack

from assay.data.archives.folder import TEST_SETS, data_folder
from assay.errors import InputError
from assay.lazily import numpy as np
from assay.options.option import Option
from assay.options.shared import RUNTIME, InputFormat
from assay.options.verb import verb
from assay.results import Holding, Holdings
from assay.study.read import read
from assay.types import Campaign, NoteKind
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["list_data"]

_INCOMPLETE = (NoteKind.SKIPPED, NoteKind.UNREAD)
"""Notes on what is there and not in the list."""


@verb
def list_data(
    *paths: Annotated[str | Path, Option("Files and folders.", default="the user's data folder")],
    input_format: InputFormat = None,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Holdings:
    """List test sets and language pairs, and the texts, scores and judgements in them."""
    folder = data_folder()
    if not paths and not (folder.is_dir() and any(path.name != TEST_SETS for path in folder.iterdir())):
        raise InputError(
            "the data folder has no campaigns", path=str(folder), hint="assay data import ARCHIVE adds one"
        )
    campaigns = read(*(paths or (folder,)), input_format=input_format, runtime=runtime)
    notes = (note for campaign in campaigns for note in campaign.notes if note.kind in _INCOMPLETE)
    return Holdings(tuple(map(_count, campaigns)), notes=tuple(dict.fromkeys(notes)))


def _count(campaign: Campaign) -> Holding:
    """The number of texts, human scores, metric scores and judgements of one language pair."""
    testset = campaign.testset
    metrics = [table.level for table in campaign.metrics]
    return Holding(
        testset=campaign.name,
        lp=campaign.lp,
        systems=len({*campaign.systems, *(name for judged in campaign.judged_or_predicted for name in judged.systems)}),
        segments=campaign.segments,
        outputs=0 if testset is None else len(testset.outputs),
        references=0 if testset is None else len(testset.references),
        human_system=tuple(table.name for table in campaign.human if table.level == "system"),
        human_segment={
            table.name: int((~np.isnan(table.values)).sum()) for table in campaign.human if table.level == "segment"
        },
        metrics_system=metrics.count("system"),
        metrics_segment=metrics.count("segment"),
        judgements={judgements.name: len(judgements) for judgements in campaign.judged_or_predicted},
    )

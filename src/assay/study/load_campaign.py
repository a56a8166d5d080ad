"""`assay.load_campaign` and `assay.load_campaigns`: test sets by path or by their name in the data folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Unpack

from assay.data.annotation_files import check_folder, has_annotations, missing_error, with_annotations_in
from assay.data.archives.folder import data_folder
from assay.data.formats import read_campaign, read_campaigns
from assay.data.tables.skipped import refuse_lenient
from assay.data.text_files import shown_path
from assay.errors import ConfigError, InputError, nearest, option_name
from assay.files import exists
from assay.options.option import Option
from assay.options.shared import RUNTIME, Annotations, Columns, InputFormat, LanguagePair, LanguagePairs, Strict
from assay.options.verb import verb
from assay.types import Campaign
from assay.types.language_codes import is_language_pair
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["input_path", "load_campaign", "load_campaigns"]

_Data = Annotated[
    str | Path,
    Option("Files or folders of any known format, or names of test sets in the data folder; they are read together."),
]

_RELEASE = "mt-metrics-eval-v2"  # the public release is one folder with many test sets


@verb
def load_campaign(
    *data: _Data,
    lp: LanguagePair = None,
    input_format: InputFormat = None,
    columns: Columns = None,
    strict: Strict = False,
    annotations: Annotations = None,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Campaign:
    """Load one language pair of a test set: texts, human scores, metric scores and judgements."""
    campaign = read_campaign(
        *_locate_all(data), lp=lp, input_format=input_format, columns=columns or "", runtime=runtime
    )
    if strict:
        refuse_lenient([campaign])
    return _annotated([campaign], annotations)[0]


@verb
def load_campaigns(
    *data: _Data,
    lps: LanguagePairs = (),
    input_format: InputFormat = None,
    columns: Columns = None,
    strict: Strict = False,
    annotations: Annotations = None,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> tuple[Campaign, ...]:
    """Load language pairs of test sets, as `load_campaign` loads one."""
    campaigns = read_campaigns(
        *_locate_all(data), lps=tuple(lps), input_format=input_format, columns=columns or "", runtime=runtime
    )
    if strict:
        refuse_lenient(campaigns)
    return _annotated(campaigns, annotations)


def _annotated(campaigns: Sequence[Campaign], annotations: str | Path | None) -> tuple[Campaign, ...]:
    """The campaigns with the errors that metrics marked, and with the annotations in a folder.

    Some may have no annotations there, but not all.
    """
    if any(campaign.predictions for campaign in campaigns):
        from assay.human.error_layers import with_error_layers  # few test sets have any

        campaigns = tuple(map(with_error_layers, campaigns))
    if annotations is None:
        return tuple(campaigns)
    given = check_folder(annotations)
    folders = [(campaign.testset, _folder_of(campaign, given)) for campaign in campaigns]
    testsets = [(testset, folder) for testset, folder in folders if testset is not None]
    if testsets and not any(has_annotations(testset, folder) for testset, folder in testsets):
        raise missing_error(*testsets[0], given)
    return tuple(
        campaign if testset is None else replace(campaign, testset=with_annotations_in(testset, folder))
        for campaign, (testset, folder) in zip(campaigns, folders, strict=True)
    )


def _folder_of(campaign: Campaign, given: Path) -> Path:
    """Where annotations of a campaign are: in a folder of its test set, or else in that of its language pair."""
    own = given / campaign.name / campaign.lp
    return own if campaign.name and own.is_dir() else given / campaign.lp


def _locate_all(data: Iterable[str | Path]) -> list[Path]:
    paths = [_locate(place) for place in data]
    if not paths:
        raise ConfigError("no data was given", hint="give a file, a folder or the name of a test set")
    return paths


def input_path(data: str | Path) -> Path | None:
    """The path itself if it exists, else the test set of that name in the data folder; None if there is none."""
    return next((path for folder in (Path(), *_data_folders()) if exists(path := folder / data)), None)


def _data_folders() -> tuple[Path, Path]:
    return data_folder(), data_folder() / _RELEASE


def _similar(name: str, names: list[str]) -> str:
    """The test set that was probably meant. One of another year is another one, and no misspelling."""
    if any(re.sub("[0-9]", "#", known) == re.sub("[0-9]", "#", name) for known in names):
        return f"there are {', '.join(sorted(names))}; assay data import ARCHIVE adds others"
    return nearest(name, names)


def _locate(data: str | Path) -> Path:
    path = input_path(data)
    if path is not None or str(data) == "-":  # standard input
        return path or Path("-")
    folders = [folder for parent in _data_folders() if parent.is_dir() for folder in parent.iterdir()]
    names = [folder.name for folder in folders if folder.is_dir() and not folder.name.startswith(".")]
    hint = _similar(str(data), names) if names else "assay data import ARCHIVE adds test sets to the data folder"
    if is_language_pair(str(data)):
        hint = f"if it is a language pair, name it: {option_name('lp', data)}"
    raise InputError(
        f"no such file, and no test set of this name in {shown_path(data_folder())}", path=str(data), hint=hint
    )

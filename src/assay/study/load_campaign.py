"""`assay.load_campaign` and `assay.load_campaigns`: test sets by path or by their name in the data folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from assay.arguments import public_function
from assay.data.annotation_files import check_folder, has_annotations, missing_error, with_annotations_in
from assay.data.archives.folder import data_folder
from assay.data.formats import read_campaign, read_campaigns
from assay.data.tables.languages import is_language_pair
from assay.data.tables.skipped import refuse_skipped
from assay.data.text_files import shown_path
from assay.errors import ConfigError, InputError, nearest, option
from assay.files import exists
from assay.types import Campaign
from assay.types.runtime import Runtime

__all__ = ["input_path", "load_campaign", "load_campaigns"]

_RELEASE = "mt-metrics-eval-v2"  # the public release is one folder with many test sets


@public_function
def load_campaign(
    *data: str | Path,
    lp: str | None = None,
    input_format: str | None = None,
    strict: bool = False,
    annotations: str | Path | None = None,
) -> Campaign:
    """Load one language pair of a test set. `lp` may be omitted if there is only one.

    `data` is a file or folder of any known format (`input_format` names it if it is not recognised), or the name of a
    test set in the user's data folder, where `assay data import` puts them. Several files are read together: ratings
    of several raters or waves, and texts. Single faulty rows are skipped and noted; with `strict` they are an error.
    `annotations` is a folder with annotations of the texts, as `assay annotate --data … -o FOLDER` writes it:
    `en-de/base.conllu`.
    """
    campaign = read_campaign(*_locate_all(data), lp=lp, input_format=input_format)
    if strict:
        refuse_skipped([campaign])
    return _annotated([campaign], annotations)[0]


@public_function
def load_campaigns(
    *data: str | Path,
    lps: str | Iterable[str] = (),
    input_format: str | None = None,
    strict: bool = False,
    annotations: str | Path | None = None,
    runtime: Runtime | None = None,
) -> tuple[Campaign, ...]:
    """Load these language pairs of test sets (default: all of them), as `load_campaign` loads one.

    `lps` are names or patterns as in a shell: `*-en` is every pair into English.
    """
    campaigns = read_campaigns(*_locate_all(data), lps=tuple(lps), input_format=input_format, runtime=runtime)
    if strict:
        refuse_skipped(campaigns)
    return _annotated(campaigns, annotations)


def _annotated(campaigns: Sequence[Campaign], annotations: str | Path | None) -> tuple[Campaign, ...]:
    """The campaigns with the annotations in a folder. Some may have none, but not all."""
    if annotations is None:
        return tuple(campaigns)
    given = check_folder(annotations)
    testsets = {campaign.lp: campaign.testset for campaign in campaigns if campaign.testset is not None}
    if testsets and not any(has_annotations(testset, given / lp) for lp, testset in testsets.items()):
        lp, testset = next(iter(testsets.items()))
        raise missing_error(testset, given / lp, given)
    return tuple(
        campaign
        if campaign.testset is None
        else replace(campaign, testset=with_annotations_in(campaign.testset, given / campaign.lp))
        for campaign in campaigns
    )


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


def _locate(data: str | Path) -> Path:
    path = input_path(data)
    if path is not None or str(data) == "-":  # standard input
        return path or Path("-")
    folders = [folder for parent in _data_folders() if parent.is_dir() for folder in parent.iterdir()]
    names = [folder.name for folder in folders if folder.is_dir() and not folder.name.startswith(".")]
    hint = nearest(str(data), names) if names else "assay data import ARCHIVE adds test sets to the data folder"
    if is_language_pair(str(data)):
        hint = f"if it is a language pair, name it: {option('lp', data)}"
    raise InputError(
        f"no such file, and no test set of this name in {shown_path(data_folder())}", path=str(data), hint=hint
    )

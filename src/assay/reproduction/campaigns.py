"""The test sets of a folder that a paper needs, and what stands where they are missing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ParamSpec, TypeVar

import assay
from assay.results import Estimate
from assay.types.runtime import Runtime

__all__ = [
    "ARCHIVE",
    "STANDARD_REFERENCES",
    "by_pair",
    "lacking",
    "load_test_sets",
    "no_data",
    "of_pair",
    "standard_reference",
    "value_of",
    "with_papers_names",
]

ARCHIVE = "mt-metrics-eval-v2"
"""The download that has the test sets of WMT19 to WMT25."""
STANDARD_REFERENCES: Mapping[tuple[str, str], str] = {
    ("wmt21.news", "en-de"): "refC",
    ("wmt21.news", "zh-en"): "refB",
    ("wmt22", "cs-en"): "refB",
    ("wmt22", "en-cs"): "refB",
    ("wmt23", "he-en"): "refB",
}
"""The references that mt-metrics-eval takes where a language pair has several; of the others it takes refA."""

_MAX_SHOWN = 8  # folders
_P = ParamSpec("_P")
_T = TypeVar("_T")


def load_test_sets(
    data: Path,
    names: Sequence[str],
    runtime: Runtime,
    *,
    lps: str = "*",
    annotations: str | Path | None = None,
) -> dict[str, list[assay.Campaign]]:
    """By name: the language pairs of the test sets that are in the folder; an error if there is none."""
    folders = [name for name in names if (data / name).is_dir()]
    if not folders:
        raise assay.errors.InputError(_problem(data, names), path=str(data), hint=_hint(data, names))
    found = {name: _load(data / name, lps, annotations, runtime) for name in folders}
    if not any(found.values()):
        raise assay.errors.InputError(f"no language pair {lps}", path=str(data / folders[0]))
    return {name: campaigns for name, campaigns in found.items() if campaigns}


def _load(folder: Path, lps: str, annotations: str | Path | None, runtime: Runtime) -> list[assay.Campaign]:
    try:
        return list(assay.load_campaigns(folder, lps=lps, annotations=annotations, runtime=runtime))
    except assay.errors.UnknownNameError:  # the folder has none of these language pairs
        return []


def _problem(data: Path, names: Sequence[str]) -> str:
    if not data.is_dir():
        return "is not a folder" if data.exists() else "no such folder"
    return f"contains no folder {' or '.join(names)}"


def _hint(data: Path, names: Sequence[str]) -> str:
    if data.name in names:
        return f"this is the test set itself; give the folder that contains it: {data.parent}"
    folders = [path.name for path in sorted(data.iterdir()) if path.is_dir()] if data.is_dir() else []
    is_test_set = (data / "system-outputs").is_dir()
    shown = ", ".join(folders[:_MAX_SHOWN]) + (", …" if len(folders) > _MAX_SHOWN else "")
    found = f"; it contains {shown}" if folders and not is_test_set else ""
    fetching = f"; assay data fetch {ARCHIVE} has WMT19 to WMT25" if any(map(_is_fetched, names)) else ""
    return f"the data are a folder with a folder for each test set{found}{fetching}"


def _is_fetched(name: str) -> bool:
    """Whether the download has a test set of this name."""
    year = re.match(r"wmt(\d\d)\b", name)
    return year is not None and 19 <= int(year[1]) <= 25


def by_pair(campaigns: Sequence[assay.Campaign]) -> dict[str, assay.Campaign]:
    """The campaigns by language pair."""
    return {campaign.lp: campaign for campaign in campaigns}


def value_of(find: Callable[_P, Estimate], *args: _P.args, **kwargs: _P.kwargs) -> Estimate:
    """What a look-up finds, or that it is not there: the folder may have a part of the paper's data only."""
    try:
        return find(*args, **kwargs)
    except assay.errors.UnknownNameError as error:
        return no_data(error.message)


def of_pair(found: Mapping[str, _T], lp: str) -> _T:
    """What was computed for a language pair; an error that `value_of` understands if the data do not have the pair."""
    if lp not in found:
        raise assay.errors.UnknownNameError(f"{lp} is not in the data")
    return found[lp]


def no_data(reason: str) -> Estimate:
    """A number that the data do not give."""
    return Estimate(math.nan, 0, reason=reason)


def standard_reference(campaign: assay.Campaign) -> str | None:
    """The reference that mt-metrics-eval scores with, or the first; None: there is none."""
    wanted = STANDARD_REFERENCES.get((campaign.name, campaign.lp), "refA")
    used = dict.fromkeys((*campaign.references, *(name for each in campaign.metrics for name in each.references)))
    return wanted if wanted in used else next(iter(used), None)


def with_papers_names(
    campaign: assay.Campaign, names: Mapping[str, Sequence[str]], reference: str | None = None
) -> assay.Campaign:
    """The campaign with the stored scores of a paper's metrics alone, under the paper's names.

    `names`: how each metric may be stored, in any case; the first that is there is taken, one with system scores
    rather than one without. Without `reference`, they are those of the standard one.
    """
    reference = reference or standard_reference(campaign)
    usable = [each for each in campaign.metrics if each.references in ((), (reference,))]
    chosen = [
        replace(table, name=metric) for metric, spellings in names.items() for table in _stored_as(usable, spellings)
    ]
    return replace(campaign, scores=(*campaign.human, *chosen))


def _stored_as(tables: Sequence[assay.ScoreTable], spellings: Sequence[str]) -> list[assay.ScoreTable]:
    found = [[each for each in tables if each.name.casefold() == name.casefold()] for name in spellings]
    of_systems = (each for each in found if any(table.level == "system" for table in each))
    return next(of_systems, next(filter(None, found), []))


def lacking(spec: str) -> str:
    """The model, vectors or package that a metric needs and that is not there, and how to get it; empty: nothing."""
    segment = assay.load(outputs={"output": ["a cat"]}, references=["a cat"], sources=["eine Katze"], lp="de-en")
    try:
        assay.score(segment, spec, resamples=0)
    except assay.errors.MissingExtraError as error:
        return f"{error.message} ({error.hint})" if error.hint else error.message
    return ""

"""The test sets of a folder that a paper needs, and what stands where they are missing."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ParamSpec, TypeVar

import assay
from assay.results import Estimate
from assay.types.runtime import Runtime

__all__ = ["by_pair", "load_test_sets", "no_data", "of_pair", "value_of"]

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
    return f"the data are a folder with a folder for each test set, e.g. {names[0]}"


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

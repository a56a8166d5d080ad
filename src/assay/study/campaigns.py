"""`assay.read` and `assay.load_campaign`: files of any known format in, campaigns out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from assay.data.folder import data_folder
from assay.data.formats import read_campaigns
from assay.data.formats.mtme import language_pairs, read_pair
from assay.errors import InputError, nearest
from assay.types import Campaign

__all__ = ["load_campaign", "load_campaigns", "read", "testset_folder"]

_RELEASE = "mt-metrics-eval-v2"  # the public release holds many test sets


def read(*paths: str | Path, form: str | None = None) -> tuple[Campaign, ...]:
    """All that files or folders hold, a campaign for each test set and language pair.

    The format is recognised, or named: `form="appraise"`. Files that are parts of one test set are read together.
    """
    return read_campaigns(*paths, spec=form)


def load_campaign(path: str | Path | None, name: str, lp: str) -> Campaign:
    """One language pair of a test set in the folder layout of mt-metrics-eval, e.g. `("data", "wmt22", "zh-en")`.

    `path` is the folder that holds the test sets; None: the user's data folder, where `assay data import` puts them.
    """
    return read_pair(_folder(path, name), lp)


def load_campaigns(
    path: str | Path | None, name: str, *, progress: Callable[[str, int, int], None] | None = None
) -> tuple[Campaign, ...]:
    """All language pairs of a test set, as `load_campaign` loads one."""
    folder, found = _folder(path, name), []
    pairs = language_pairs(folder)
    for done, lp in enumerate(pairs):
        if progress is not None:
            progress(f"reading {lp}", done, len(pairs))
        found.append(read_pair(folder, lp))
    return tuple(found)


def _folder(path: str | Path | None, name: str) -> Path:
    root = data_folder() if path is None else Path(path)
    folder = testset_folder(root, name)
    if folder is None:
        places = [place for place in (root, root / _RELEASE) if place.is_dir()]
        found = [inside for place in places for inside in place.iterdir() if inside.is_dir()]
        there = [inside.name for inside in found if not inside.name.startswith(".")]
        hint = nearest(name, there) if there else "assay data import ARCHIVE puts test sets there"
        raise InputError(f"there is no test set '{name}'", path=str(root), hint=hint)
    return folder


def testset_folder(root: Path, name: str) -> Path | None:
    """Where a test set is below a folder: directly, or in the public release of mt-metrics-eval."""
    return next((place for place in (root / name, root / _RELEASE / name) if place.is_dir()), None)

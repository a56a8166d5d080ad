"""`assay.read` and `assay.load_campaign`: files of any known format in, campaigns out."""

from __future__ import annotations

from pathlib import Path

from assay.data.folder import data_folder
from assay.data.formats import read_campaigns
from assay.data.formats.mtme import read_pair
from assay.errors import InputError, nearest
from assay.types import Campaign

__all__ = ["load_campaign", "read"]

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
    root = data_folder() if path is None else Path(path)
    folder = next((place for place in (root / name, root / _RELEASE / name) if place.is_dir()), None)
    if folder is None:
        found = (
            [*root.iterdir(), *((root / _RELEASE).iterdir() if (root / _RELEASE).is_dir() else ())]
            if root.is_dir()
            else []
        )
        there = [path.name for path in found if path.is_dir() and not path.name.startswith(".")]
        hint = nearest(name, there) if there else "assay data import ARCHIVE puts test sets there"
        raise InputError(f"there is no test set '{name}'", path=str(root), hint=hint)
    return read_pair(folder, lp)

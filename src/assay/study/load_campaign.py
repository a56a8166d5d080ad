"""`assay.load_campaign` and `assay.load_campaigns`: test sets by path or by their name in the data folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from assay.data.archives.folder import data_folder
from assay.data.formats import read_campaign, read_pairs
from assay.data.text_files import shown_path
from assay.errors import InputError, nearest
from assay.files import exists
from assay.runtime import Runtime
from assay.types import Campaign

__all__ = ["load_campaign", "load_campaigns"]

_RELEASE = "mt-metrics-eval-v2"  # the public release is one folder with many test sets


def load_campaign(data: str | Path, lp: str | None = None, *, input_format: str | None = None) -> Campaign:
    """Load one language pair of a test set. `lp` may be omitted if there is only one.

    `data` is a file or folder of any known format (`input_format` names it if it is not recognised), or the name of a
    test set in the user's data folder, where `assay data import` puts them.
    """
    return read_campaign(_locate(data), lp, input_format)


def load_campaigns(
    data: str | Path,
    lps: str | Iterable[str] = (),
    *,
    input_format: str | None = None,
    runtime: Runtime | None = None,
) -> tuple[Campaign, ...]:
    """Load these language pairs of a test set (default: all of them), as `load_campaign` loads one."""
    pairs = (lps,) if isinstance(lps, str) else tuple(lps)
    return read_pairs(_locate(data), pairs, input_format, runtime=runtime)


def _locate(data: str | Path) -> Path:
    """The path itself if it exists, else the test set of that name in the data folder."""
    path, root = Path(data), data_folder()
    if exists(path):
        return path
    candidates = [parent / path for parent in (root, root / _RELEASE)]
    for candidate in candidates:
        if exists(candidate):
            return candidate
    folders = [folder for parent in (root, root / _RELEASE) if parent.is_dir() for folder in parent.iterdir()]
    names = [folder.name for folder in folders if folder.is_dir() and not folder.name.startswith(".")]
    hint = nearest(str(data), names) if names else "assay data import ARCHIVE adds test sets to the data folder"
    raise InputError(f"no such file, and no test set of this name in {shown_path(root)}", path=str(data), hint=hint)

"""`assay.read`: read files of any known format."""

from __future__ import annotations

from pathlib import Path

from assay.data.formats import read_campaigns
from assay.types import Campaign

__all__ = ["read"]


def read(*paths: str | Path, input_format: str | None = None) -> tuple[Campaign, ...]:
    """Read files or folders: one campaign for each test set and language pair.

    The format is recognised from the files unless `input_format` names it, e.g. `"appraise"`. Files that belong to
    one test set are read together.
    """
    return read_campaigns(*paths, input_format=input_format)

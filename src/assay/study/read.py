"""`assay.read`: read files of any known format."""

from __future__ import annotations

from pathlib import Path

from assay.arguments import public_function
from assay.data.formats import read_campaigns
from assay.data.tables.skipped import refuse_skipped
from assay.errors import ConfigError
from assay.types import Campaign

__all__ = ["read"]


@public_function
def read(*paths: str | Path, input_format: str | None = None, strict: bool = False) -> tuple[Campaign, ...]:
    """Read files or folders: one campaign for each test set and language pair.

    The format is recognised from the files unless `input_format` names it, e.g. `"appraise"`. What several files
    contain of one test set and language pair is one campaign. Single faulty rows are skipped and noted; with `strict`
    they are an error.
    """
    if not paths:
        raise ConfigError("no data was given", hint="give at least one file or folder")
    campaigns = read_campaigns(*paths, input_format=input_format)
    if strict:
        refuse_skipped(campaigns)
    return campaigns

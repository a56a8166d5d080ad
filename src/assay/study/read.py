"""`assay.read`: read files of any known format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Unpack

from assay.data.formats import read_campaigns
from assay.data.tables.skipped import refuse_lenient
from assay.errors import ConfigError
from assay.options.option import Option
from assay.options.shared import RUNTIME, Columns, InputFormat, LanguagePair, Strict
from assay.options.verb import verb
from assay.types import Campaign
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["read"]


@verb
def read(
    *paths: Annotated[str | Path, Option("Files or folders.")],
    lp: LanguagePair = None,
    input_format: InputFormat = None,
    columns: Columns = None,
    strict: Strict = False,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> tuple[Campaign, ...]:
    """Read files or folders: one campaign for each test set and language pair.

    What several files contain of one test set and language pair is one campaign.
    """
    if not paths:
        raise ConfigError("no data was given", hint="give at least one file or folder")
    campaigns = read_campaigns(
        *paths,
        lps=() if lp is None else (lp,),
        input_format=input_format,
        columns=columns or "",
        runtime=runtime,
    )
    if strict:
        refuse_lenient(campaigns)
    return campaigns

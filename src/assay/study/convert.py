"""`assay.convert`: convert files of any known format to another format."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Unpack

from assay.data.formats import Format, data_format, format_by_suffix
from assay.errors import ConfigError, UnknownNameError, nearest
from assay.files import check_replaceable
from assay.options.option import DATA, Option
from assay.options.shared import RUNTIME, Columns, Force, InputFormat, LanguagePair, Strict
from assay.options.verb import verb
from assay.registry import split_spec
from assay.study.read import read
from assay.types import Campaign
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["CONTENTS", "convert"]

CONTENTS = ("texts", "scores", "judgements")


@verb
def convert(
    paths: Annotated[str | Path | Iterable[str | Path], Option("Files or folders to read.")],
    target: Annotated[str | Path, Option("File or folder to write.")],
    *,
    to: Annotated[
        str | None, Option("Format to write.", group=DATA, metavar="FORMAT", default="from the suffix of the target")
    ] = None,
    only: Annotated[
        str | Iterable[str],
        Option(
            "Write only texts, scores or judgements.",
            group=DATA,
            noun="content",
            choices=CONTENTS,
            metavar="CONTENT",
            default="everything; what the format cannot hold is an error",
        ),
    ] = (),
    lp: LanguagePair = None,
    input_format: InputFormat = None,
    columns: Columns = None,
    strict: Strict = False,
    force: Force = False,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> tuple[Campaign, ...]:
    """Read files of any format and write them in another one.

    If that format cannot hold everything, choose what to write with `only`.

    Notes
    -----
    Returns what was written.
    """
    sources = [paths] if isinstance(paths, str | Path) else list(paths)
    if not sources:
        raise ConfigError("no input files to convert", hint="assay data convert FILE... TARGET")
    contents = tuple(only) or CONTENTS
    target_path = Path(target)
    check_replaceable(target_path, inputs=sources, force=force)
    output_format = _writer(to) if to is not None else format_by_suffix(target_path)
    found = read(*sources, lp=lp, input_format=input_format, columns=columns, strict=strict, runtime=runtime)
    campaigns = tuple(_select_contents(campaign, contents) for campaign in found)
    output_format.write(campaigns, target_path)
    return campaigns


def _writer(name: str) -> Format:
    """The format of this name, if it can be written."""
    writable = [known for known in data_format.names() if data_format.create(known).can_write]
    if split_spec(name)[0] not in data_format.names():
        raise UnknownNameError(f"unknown format '{name}'", hint=nearest(name, writable))
    chosen = data_format.create(name)
    if not chosen.can_write:
        raise ConfigError(f"{chosen.name} can be read but not written", hint=f"written are {', '.join(writable)}")
    return chosen


def _select_contents(campaign: Campaign, contents: tuple[str, ...]) -> Campaign:
    return replace(
        campaign,
        testset=campaign.testset if "texts" in contents else None,
        scores=campaign.scores if "scores" in contents else (),
        judgements=campaign.judgements if "judgements" in contents else (),
        predictions=campaign.predictions if "judgements" in contents else (),
    )

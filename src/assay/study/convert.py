"""`assay.convert`: convert files of any known format to another format."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from assay.arguments import public_function
from assay.data.formats import data_format, format_by_suffix
from assay.errors import ConfigError, UnknownNameError, nearest
from assay.files import check_replaceable
from assay.study.read import read
from assay.types import Campaign

__all__ = ["CONTENTS", "convert"]

CONTENTS = ("texts", "scores", "judgements")


@public_function
def convert(
    paths: str | Path | Iterable[str | Path],
    target: str | Path,
    *,
    to: str | None = None,
    only: str | Iterable[str] = (),
    input_format: str | None = None,
    force: bool = False,
) -> tuple[Campaign, ...]:
    """Read files of any format, write them to `target`, and return what was written.

    `to` names the format to write (default: from the suffix of `target`). `only` restricts what is written to texts,
    scores or judgements; without it, content that the format cannot hold is an error. A `target` that exists is
    replaced only with `force`, and never if it is one of the files to read.
    """
    sources = [paths] if isinstance(paths, str | Path) else list(paths)
    if not sources:
        raise ConfigError("no input files to convert", hint="assay data convert FILE... TARGET")
    contents = tuple(only) or CONTENTS
    for name in contents:
        if name not in CONTENTS:
            raise UnknownNameError(f"unknown content '{name}'", hint=nearest(name, CONTENTS))
    target_path = Path(target)
    check_replaceable(target_path, inputs=sources, force=force)
    output_format = data_format.create(to) if to is not None else format_by_suffix(target_path)
    campaigns = tuple(_select_contents(campaign, contents) for campaign in read(*sources, input_format=input_format))
    output_format.write(campaigns, target_path)
    return campaigns


def _select_contents(campaign: Campaign, contents: tuple[str, ...]) -> Campaign:
    return replace(
        campaign,
        testset=campaign.testset if "texts" in contents else None,
        scores=campaign.scores if "scores" in contents else (),
        judgements=campaign.judgements if "judgements" in contents else (),
    )

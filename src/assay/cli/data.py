"""`assay data`: list, check, convert, import and fetch test sets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.inputs import FILE
from assay.cli.output import output_options, select_renderer, write_document
from assay.console import say, show, shown_progress
from assay.errors import ConfigError, DataError, InputError

if TYPE_CHECKING:
    from assay.types import Campaign

__all__ = ["command"]

_form_option = click.option("--form", metavar="FORMAT", help="What the files are; default: it is recognised.")


_PARTS = ("texts", "scores", "judgements")


@click.group("data")
def command() -> None:
    """List, check, convert, import and fetch test sets."""


@command.command("list")
@click.argument("places", nargs=-1, type=FILE, metavar="[FOLDER|FILE]...")
@_form_option
@output_options
def list_data(places: tuple[str, ...], form: str | None, output_form: str | None, target: Path | None) -> None:
    """What there is in folders or files, by test set and language pair.

    Without any: in the user's data folder, which `assay doctor` names.
    """
    from assay.data.folder import data_folder
    from assay.reports.holdings import HoldingsDocument
    from assay.study.campaigns import read

    renderer = select_renderer(output_form, target)
    if not places and not (data_folder().is_dir() and any(data_folder().iterdir())):
        raise ConfigError(f"there is no data in {data_folder()} yet", hint="assay data import ARCHIVE puts it there")
    write_document(HoldingsDocument(read(*(places or [data_folder()]), form=form)), renderer, target)


@command.command("check", short_help="Say what is wrong with files.")
@click.argument("places", nargs=-1, required=True, type=FILE, metavar="FILE|FOLDER...")
@click.option("--src", "sources", type=FILE, metavar="FILE", help="The sources.")
@click.option("--ref", "references", multiple=True, type=FILE, metavar="FILE", help="A reference; repeat for several.")
@_form_option
@output_options
def check_data(
    places: tuple[str, ...],
    sources: str | None,
    references: tuple[str, ...],
    form: str | None,
    output_form: str | None,
    target: Path | None,
) -> None:
    """Say what is wrong with files, before anything is computed with them; exit code 3 if there are errors.

    Lengths, misalignment, encodings, byte order marks, normal forms, empty and untranslated outputs, copies, and cells
    that nobody judged.
    """
    from assay.reports.findings import FindingsDocument
    from assay.study.checking import check

    renderer = select_renderer(output_form, target)
    found = check(places, sources=sources, references=references, form=form)
    write_document(FindingsDocument(found), renderer, target)
    if found.has_errors:
        raise DataError(
            "1 error was found" if found.count("error") == 1 else f"{found.count('error')} errors were found"
        )


@command.command("convert")
@click.argument("places", nargs=-1, required=True, type=FILE, metavar="FILE|FOLDER... TARGET")
@_form_option
@click.option("--to", metavar="FORMAT", help="What to write; default: by the suffix of TARGET.")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(_PARTS),
    help="Write nothing but this; repeat for several.  [default: all]",
)
def convert(places: tuple[str, ...], form: str | None, to: str | None, only: tuple[str, ...]) -> None:
    """Read files of any format and write all of it to TARGET.

    What TARGET's format has no place for is refused; --only leaves it out.

    \b
    assay data convert src.sgm ref.sgm sys1.sgm sys2.sgm newstest.tsv
    assay data convert ratings.csv --form appraise ratings.jsonl
    """
    from assay.data.formats import form as registry
    from assay.data.formats import format_by_suffix
    from assay.study.campaigns import read

    *given, target = map(Path, places)
    if not given:
        raise ConfigError("name what to read and where to write it", hint="assay data convert FILE... TARGET")
    written = registry.create(to) if to is not None else format_by_suffix(target)
    campaigns = tuple(_part(campaign, only or _PARTS) for campaign in read(*given, form=form))
    for note in dict.fromkeys(note for campaign in campaigns for note in (*campaign.notes, *campaign.lookalikes())):
        say("note", note)
    written.write(campaigns, target)
    show(f"{target}: {len(campaigns)} test sets\n")


@command.command("import", short_help="Unpack archives safely into the data folder.")
@click.argument("archives", nargs=-1, required=True, type=FILE, metavar="ARCHIVE...")
def import_data(archives: tuple[str, ...]) -> None:
    """Unpack archives (.tar.gz, .tar.xz, .zip) safely into the user's data folder.

    Regular files only, nothing outside the folder, size and ratio bounded; the digests of archive and files are kept.
    """
    from assay.data.archives import import_archive, verify

    with shown_progress() as progress:
        for archive in archives:
            place = import_archive(Path(archive), progress=progress)
            if problems := verify(place):  # it may have been there before, and changed since
                raise InputError(f"has changed since it was imported: {problems[0]}", path=str(place))
            show(f"{place}\n")


@command.command("fetch", short_help="Download public test sets and import them.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
def fetch_data(names: tuple[str, ...]) -> None:
    """Download public test sets and import them; without a NAME, list what there is.

    This is the only command that uses the network.
    """
    from assay.data.catalogue import SOURCES
    from assay.data.downloads import fetch

    if not names:
        width = max(map(len, SOURCES))
        for name, source in SOURCES.items():
            show(f"{name:<{width}}  {source.what}; licence: {source.licence}\n")
        return
    from assay.data.archives import import_archive

    with shown_progress() as progress:
        for name in names:
            show(f"{import_archive(fetch(name, progress=progress), progress=progress)}\n")


def _part(campaign: Campaign, parts: tuple[str, ...]) -> Campaign:
    return replace(
        campaign,
        testset=campaign.testset if "texts" in parts else None,
        scores=campaign.scores if "scores" in parts else (),
        judgements=campaign.judgements if "judgements" in parts else (),
    )

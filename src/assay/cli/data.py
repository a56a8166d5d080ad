"""`assay data`: list, check, convert, import and fetch test sets."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command, Group
from assay.cli.options import FILE, data_option, explicit_options, verb_options
from assay.cli.output import Output, output_options
from assay.console import show_notes, terminal_runtime, write_stdout
from assay.errors import DataError
from assay.options.shared import LanguagePairs
from assay.study.check import check
from assay.study.convert import convert
from assay.study.import_data import import_data
from assay.study.list_data import list_data

__all__ = ["command"]


@click.group("data", cls=Group)
def command() -> None:
    """List, check, convert, import and fetch test sets."""


@command.command("list", cls=Command, verb=list_data)
@click.argument("paths", nargs=-1, type=FILE, metavar="[FOLDER|FILE]...")
@verb_options(list_data)
@output_options()
def list_testsets(paths: tuple[str, ...], output: Output, **options: Any) -> None:
    """Without arguments, list the user's data folder; `assay doctor` shows where it is.

    \b
    Examples:
      assay data list
      assay data list FOLDER --format json
    """
    output.write(list_data(*paths, **explicit_options(options)))


_TEST_SET = "name the folder or file of the test set: assay data check FOLDER"


@command.command("check", cls=Command, verb=check, short_help="Find problems in files.", instead={"--data": _TEST_SET})
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="FILE|FOLDER...")
@verb_options(check)
@output_options()
def check_data(paths: tuple[str, ...], output: Output, **options: Any) -> None:
    """The exit code is 3 if there are errors.

    \b
    Examples:
      assay data check base.de new.de --ref ref.de --src src.en
      assay data check texts.tsv ratings.csv
      assay data check --submission wmt22 metric.seg.score
    """
    with terminal_runtime() as runtime:
        findings = check(paths, runtime=runtime, **explicit_options(options))
    output.write(findings)
    if findings.has_errors:
        from assay.types.note import plural

        raise DataError(f"found {plural(findings.count('error'), 'error')}")


@command.command("convert", cls=Command, verb=convert)
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="FILE|FOLDER... TARGET")
@verb_options(convert)
def convert_data(paths: tuple[str, ...], **options: Any) -> None:
    """TARGET is the file or folder to write.

    \b
    Examples:
      assay data convert src.sgm ref.sgm sys1.sgm sys2.sgm newstest.tsv
      assay data convert FOLDER texts.jsonl --only texts
    """
    from assay.types.note import notes_of_pairs, plural

    *sources, target = paths
    campaigns = convert(sources, target, **explicit_options(options))
    has_several = len(campaigns) > 1
    notes = ((each.lp if has_several else "", (*each.notes, *each.similar_names())) for each in campaigns)
    show_notes(notes_of_pairs(notes))
    write_stdout(f"{target}: {plural(len(campaigns), 'language pair')}\n")


@command.command("import", cls=Command, verb=import_data, short_help="Unpack archives into the data folder.")
@click.argument("archives", nargs=-1, required=True, type=FILE, metavar="ARCHIVE...")
def import_archives(archives: tuple[str, ...]) -> None:
    """\b
    Example:
      assay data import wmt22.tar.xz
    """
    for archive in archives:
        with terminal_runtime() as runtime:
            folders = import_data(archive, runtime=runtime)
        write_stdout("".join(f"{folder}\n" for folder in folders))


@command.command("fetch", cls=Command, short_help="Download public test sets and campaigns.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@data_option("lps", LanguagePairs, ())
@output_options()
def fetch_testsets(names: tuple[str, ...], lps: tuple[str, ...], output: Output) -> None:
    """Download public test sets and campaigns into the user's data folder. Without NAME, list the available ones.

    Test sets, for -t, are also downloaded when they are first used; campaigns, for --data, only here.

    \b
    Examples:
      assay data fetch
      assay data fetch wmt23 wmt24
      assay data fetch flores+ -l en-de
      assay data fetch mt-metrics-eval-v2
    """
    from assay.study.fetch_data import fetch_data
    from assay.study.list_downloads import list_downloads

    if not names:
        output.write(list_downloads())
    for name in names:
        with terminal_runtime() as runtime:
            paths = fetch_data(name, lps=lps, runtime=runtime)
        write_stdout("".join(f"{path}\n" for path in paths))

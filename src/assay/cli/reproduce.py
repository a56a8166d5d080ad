"""`assay reproduce`."""

from __future__ import annotations

import re
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.options import explicit_options, runtime_options, verb_options
from assay.cli.output import Output, output_options
from assay.console import print_message, terminal_runtime
from assay.errors import most_similar
from assay.reproduction import PAPERS, reproduce
from assay.types.note import plural

__all__ = ["command"]


class _Papers(click.Choice[str]):
    """Papers, which may be asked for by their first author and year."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value in PAPERS:
            return str(value)
        author = re.sub(r"[^a-z]", "", str(value).casefold())
        papers = [name for name, paper in PAPERS.items() if author and paper.title.casefold().startswith(author)]
        close = papers[0] if papers else most_similar(str(value), PAPERS)
        meant = f"did you mean {_with_title(close)}?" if close else f"there are {_with_titles()}"
        return self.fail(f"unknown paper '{value}'; {meant}", param, ctx)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return f"Choose one of {_with_titles()}"


def _with_title(name: str) -> str:
    return f"{name} ({PAPERS[name].title})"


def _with_titles() -> str:
    return "; ".join(map(_with_title, PAPERS))


@click.command("reproduce", cls=Command, verb=reproduce)
@click.argument("paper", metavar="PAPER", type=_Papers(tuple(PAPERS)))
@verb_options(reproduce)
@output_options(takes_folder=True)
@runtime_options
def command(
    paper: str,
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """PAPER is tangled (Mathur et al. 2020), thresholds (Lo et al. 2023), aggregation (Cavalin et al. 2024), wmt13
    (Macháček & Bojar 2013) or ebleu (ElNokrashy & Kocmi 2023). The folder of the data contains test sets under their
    names: wmt13, wmt19, wmt20, wmt21.news, wmt22, wmt23. Whatever it has is computed, and the rest says what is
    missing. `assay data fetch mt-metrics-eval-v2` has all but wmt13. The study of aggregations runs on any test sets
    and metrics; its folder may also be one test set.

    \b
    Examples:
      assay reproduce tangled --data wmt -o tangled
      assay reproduce ebleu --data wmt -o ebleu.html
      assay reproduce aggregation --data wmt --as-published
      assay reproduce aggregation --data wmt22 -m bleu,ter
      assay annotate --data wmt/wmt13 --lp cs-en -o parses
      assay reproduce wmt13 --data wmt --annotations parses
    """
    with terminal_runtime(**runtime_settings) as runtime:
        result = reproduce(paper, runtime=runtime, **explicit_options(options))
    output.write(result)
    if output.folder is not None:
        from assay.reports.paper_folder import write_paper

        count = write_paper(result, output.folder)
        print_message("note", f"{output.folder}: {plural(count, 'file')}; {result.paper}.md lists them")

"""`assay people`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.inputs import FILE, find_campaign
from assay.cli.output import output_options, select_renderer, write_document
from assay.console import say
from assay.errors import ConfigError, UnknownNameError, nearest

if TYPE_CHECKING:
    from assay.types import Campaign, Rankings, Ratings, ScoreTable

__all__ = ["command"]


@click.command("people")
@click.argument("data", type=FILE, metavar="DATA")
@click.option("--lp", metavar="SRC-TGT", help="Language pair, where DATA has several.")
@click.option("--gold", metavar="NAME", help="Which scores or judgements; needed where there are several kinds.")
@click.option("--systems", multiple=True, metavar="GLOB", help="Only systems like this.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="No systems like this.")
@click.option("--keep-references", is_flag=True, help="Rank references that were judged as systems.")
@click.option("--method", metavar="SPEC", help="mean, expected-wins, wins:ties=share, trueskill.  [by the judgements]")
@click.option("--test", metavar="SPEC", help="rank-sum, signed-rank, paired-t, pooled-t, randomisation.  [by protocol]")
@click.option("--alpha", default=0.05, show_default=True, help="Level of significance.")
@click.option("--correction", default="none", show_default=True, metavar="NAME", help="For many pairs: holm, …")
@click.option("--standardise", default="none", show_default=True, metavar="HOW", help="Ratings: sample or population.")
@click.option("--weights", type=FILE, metavar="FILE", help="Weights of MQM errors, as TOML.  [Google's]")
@click.option("--threshold", default=25.0, show_default=True, help="Of scores that become preferences.")
@click.option("--draws", default=1000, show_default=True, help="Resamples of the judgements.")
@click.option("--seed", default=12345, show_default=True, help="Seed of the resamples.")
@click.option("--confidence", default=0.95, show_default=True, help="Of intervals and ranges of ranks.")
@click.option("--threads", type=int, help="Threads; never changes an answer.  [default: all cores]")
@click.option("--p-values", is_flag=True, help="Also show the p-value of each pair.")
@click.option("--agreement", is_flag=True, help="Also say how far the people agree.")
@output_options
def command(
    data: str,
    lp: str | None,
    gold: str | None,
    systems: tuple[str, ...],
    exclude: tuple[str, ...],
    keep_references: bool,
    weights: str | None,
    p_values: bool,
    agreement: bool,
    output_form: str | None,
    target: Path | None,
    **options: object,
) -> None:
    """Rank systems by human judgement, with clusters.

    DATA is a test set's folder, its name in the data folder, or a file of ratings or rankings.

    \b
    assay people wmt22 --lp zh-en --gold mqm
    assay people wmt16 --lp de-en --method trueskill
    assay people ratings.csv --standardise sample
    """
    from assay.people.mqm import GOOGLE_WEIGHTS, read_weights
    from assay.reports.ranking import RankingDocument
    from assay.study.ranking import rank
    from assay.study.reliability import reliability

    renderer = select_renderer(output_form, target)
    campaign = find_campaign(data, lp)
    judgements = _without(_gold(campaign, gold), campaign, systems, exclude, keep_references)
    given = GOOGLE_WEIGHTS if weights is None else read_weights(weights)
    ranking = rank(judgements, weights=given, **options)  # type: ignore[arg-type]
    for note in ranking.notes:
        say("note", note)
    if agreement:
        for what, found in reliability(judgements, campaign).items():
            value = f"– ({found.reason})" if found.reason else f"{found.value:.3f} (n={found.n:,})"
            say("note", f"{what}: {value}")
    write_document(RankingDocument(ranking, p_values), renderer, target)


def _gold(campaign: Campaign, name: str | None) -> ScoreTable | Ratings | Rankings:
    """What people said under this name: single judgements before scores by segment."""
    tables = {table.name: table for table in campaign.human if table.level == "segment"}
    single = {judgements.name: judgements for judgements in campaign.judgements}
    found: dict[str, ScoreTable | Ratings | Rankings] = {**single, **tables}
    if not found:
        raise ConfigError(f"{campaign.name} {campaign.lp} has no human judgements by segment")
    if name is None and len(found) == 1:
        return next(iter(found.values()))
    if name is None:
        raise ConfigError("there are several kinds of judgements", hint=f"say which: --gold {'|'.join(found)}")
    if name not in found:
        raise UnknownNameError(f"there are no judgements '{name}'", hint=nearest(name, found))
    return found[name]


def _without(
    judgements: ScoreTable | Ratings | Rankings,
    campaign: Campaign,
    systems: tuple[str, ...],
    exclude: tuple[str, ...],
    keep_references: bool,
) -> ScoreTable | Ratings | Rankings:
    """The judgements of the systems asked for."""
    selection = campaign.select(
        systems=systems or ("*",), exclude=exclude, keep_references=keep_references, among=judgements.systems
    )
    for note in selection.notes:
        say("note", note)
    return judgements.take(selection.systems)

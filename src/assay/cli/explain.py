"""`assay explain`."""

from __future__ import annotations

import re
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.options import calibration_option, explicit_options, option
from assay.cli.output import Output, output_options

__all__ = ["command"]

_GROUP = "Calibration"


class _Explain(Command):
    """A negative difference is a number, not an option: a space before it tells them apart."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [re.sub(r"^(?=-[\d.])", " ", each) for each in args])


@click.command("explain", cls=_Explain)
@click.argument("metric")
@click.argument("difference", type=float)
@option("--lp", group=_GROUP, metavar="SRC-TGT", help="Language pair: chooses the group of target languages.")
@option(
    "--agg",
    group=_GROUP,
    metavar="NAME",
    help="How the scores were aggregated: corpus, segment, bootstrap; for scores from files stored or stored-segment.  "
    "[default: as usual for the metric, else corpus]",
)
@option("--domain", group=_GROUP, default="all", show_default=True, metavar="NAME", help="Domain of the texts.")
@option(
    "--protocol",
    group=_GROUP,
    default="DA/SQM",
    show_default=True,
    metavar="NAME",
    help="How people judged: DA/SQM, MQM or ESA.",
)
@calibration_option(_GROUP)
@output_options()
def command(output: Output, **options: Any) -> None:
    """Say what a difference of metric scores means to people.

    The probability that people would find a difference of this size significant, what it was learnt from, and which
    differences of other metrics mean the same.

    \b
    Examples:
      assay explain bleu 1.2 --lp en-de
      assay explain chrf 2 --agg segment
      assay explain COMET-20 0.05 --calibration lo2023
    """
    from assay.study.explain import explain

    metric, difference = options.pop("metric"), options.pop("difference")
    output.write(explain(metric, difference, **explicit_options(options)))

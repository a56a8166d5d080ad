"""`assay explain`."""

from __future__ import annotations

import re
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.options import explicit_options, verb_options
from assay.cli.output import Output, output_options
from assay.study.explain import explain

__all__ = ["command"]


class _Numbers(click.ParamType[list[float]]):
    """A number, or several with commas between them."""

    name = "number"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> list[float]:
        try:
            return [float(each) for each in value.split(",")]
        except ValueError:
            self.fail(f"'{value}' is not a number, and no list of numbers with commas between them.", param, ctx)


class _Explain(Command):
    """A negative difference is a number, not an option.

    A space before it tells them apart; `float`, which reads it, ignores the space. Values of options stay as they are.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = (each for each in self.get_params(ctx) if isinstance(each, click.Option) and not each.is_flag)
        with_value = {flag for option in options for flag in option.opts}
        before = ["", *args]
        parsed = [
            each if previous in with_value else re.sub(r"^(?=-[\d.])", " ", each)
            for previous, each in zip(before, args, strict=False)
        ]
        return super().parse_args(ctx, parsed)


@click.command("explain", cls=_Explain, verb=explain)
@click.argument("metric")
@click.argument("difference", type=_Numbers())
@verb_options(explain)
@output_options(has_short_signatures=True)
def command(output: Output, **options: Any) -> None:
    """METRIC is the name of a metric, with its options, and DIFFERENCE that of two of its scores; the sign does not
    matter. Of several metrics, separated by commas, give as many differences between the same two systems: positive
    where the metric prefers the first one.

    \b
    Examples:
      assay explain bleu 1.2 --lp en-de
      assay explain bleu,chrf 1.2,-0.4 --lp en-de
      assay explain bleu 2 --judged 150
      assay explain chrf 2 --agg segment
      assay explain COMET-20 0.05 --calibration lo2023
    """
    metric, difference = options.pop("metric"), options.pop("difference")
    output.write(explain(metric, difference, **explicit_options(options)))

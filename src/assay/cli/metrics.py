"""`assay metrics list` and `assay metrics show NAME`."""

from __future__ import annotations

import click

from assay.cli.help import Command, Group
from assay.cli.options import completion
from assay.cli.output import Output, output_options
from assay.study.describe_metric import describe_metric
from assay.study.list_metrics import list_metrics

__all__ = ["command"]


def _names() -> list[str]:
    from assay.metrics import metric

    return metric.names()


@click.group("metrics", cls=Group)
def command() -> None:
    """List the metrics, or show one."""


@command.command("list", cls=Command, verb=list_metrics)
@output_options()
def list_all(output: Output) -> None:
    """\b
    Example:
      assay metrics list
    """
    output.write(list_metrics())


@command.command("show", cls=Command, verb=describe_metric)
@click.argument("spec", metavar="NAME", shell_complete=completion(_names))
@output_options()
def show_metric(spec: str, output: Output) -> None:
    """\b
    Example:
      assay metrics show chrf++
    """
    output.write(describe_metric(spec))

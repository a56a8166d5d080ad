"""`assay doctor`."""

from __future__ import annotations

import click

from assay.cli.help import Command
from assay.cli.output import Output, output_options

__all__ = ["command"]


@click.command("doctor", cls=Command)
@output_options()
def command(output: Output) -> None:
    """Show versions, extras, threads, GPUs, data folder and resources.

    \b
    Example:
      assay doctor
    """
    from assay.study.doctor import doctor

    output.write(doctor())

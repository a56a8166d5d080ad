"""`assay train`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import other_data_option, read_campaigns, read_other_data, scored_campaign_options
from assay.cli.options import explicit_options, runtime_options, verb_options
from assay.cli.output import Output, output_options
from assay.console import print_message, terminal_runtime
from assay.study.train import train

__all__ = ["command"]


@click.command("train", cls=Command, verb=train)
@scored_campaign_options
@verb_options(train)
@other_data_option(
    "--check",
    group="Training",
    help_text="Test sets to evaluate the metric on, which it is not trained on.",
)
@output_options()
@runtime_options
def command(
    inputs: dict[str, Any], check: tuple[str, ...], output: Output, runtime_settings: dict[str, Any], **options: Any
) -> None:
    """Save the metric with -o my-metric.json; `-m ./my-metric.json` scores with it. DATA are folders of test sets or
    their names in the data folder, with texts and judgements of segments.

    \b
    Examples:
      assay train wmt12 wmt13 -m bleu,chrf,ter -o my-metric.json
      assay train wmt12 wmt13 --recipe terrorcat -o terrorcat.json
      assay train wmt19 wmt22 -m chrf,ter --model logistic,boosting --check wmt24 -o my-metric.json
    """
    with terminal_runtime(**runtime_settings) as runtime:
        campaigns = read_campaigns(inputs, runtime)
        others = read_other_data(check, runtime, annotations=inputs["annotations"])
        result = train(campaigns, check=others, runtime=runtime, **explicit_options(options))
    output.write(result)
    from assay.words import verdict  # slow to import

    if output.path is not None and output.notes != "none":
        print_message("note", verdict((result,)).text)
        if output.path.suffix != ".json":
            print_message("note", "only a file whose name ends in .json can be used as a metric: -o my-metric.json")

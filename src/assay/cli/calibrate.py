"""`assay calibrate`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import other_data_option, read_other_data, read_scored_campaigns, scored_campaign_options
from assay.cli.options import ScoreFiles, explicit_options, runtime_options, score_file_options, verb_options
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.options.option import CALIBRATION
from assay.study.calibrate import calibrate

__all__ = ["command"]


@click.command("calibrate", cls=Command, verb=calibrate)
@scored_campaign_options
@score_file_options("Metric scores computed elsewhere.")
@verb_options(calibrate)
@other_data_option(
    "--check",
    group=CALIBRATION,
    help_text="Test sets that the curves are not fitted to: answers say what people preferred there.",
)
@output_options()
@runtime_options
def command(
    inputs: dict[str, Any],
    scores: ScoreFiles,
    check: tuple[str, ...],
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """Save the curves with -o curve.json; assay explain reads them. DATA are folders of test sets or their names in the
    data folder, with human scores of segments: judgements of single raters are not scored here.

    \b
    Examples:
      assay calibrate wmt21.news wmt22 -m bleu,chrf,ter --check wmt24 -o curve.json
      assay calibrate wmt20 --lp en-iu --stored BLEU,COMET --orientation absolute
      assay explain bleu 1.2 --lp en-de --calibration curve.json
    """
    with terminal_runtime(**runtime_settings) as runtime:
        campaigns, external = read_scored_campaigns(inputs, scores, runtime)
        others = read_other_data(check, runtime, annotations=inputs["annotations"])
        calibration = calibrate(
            campaigns, external=external, check=others, runtime=runtime, **explicit_options(options)
        )
    output.write(calibration, notes=external.notes)

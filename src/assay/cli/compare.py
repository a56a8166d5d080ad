"""`assay compare`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import input_options, read_scored_inputs
from assay.cli.options import (
    ScoreFiles,
    calibration_option,
    confidence_option,
    explicit_options,
    file_option,
    list_option,
    metrics_option,
    option,
    resamples_option,
    runtime_options,
    score_file_options,
    seed_option,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.errors import ConditionMet

__all__ = ["command"]

_GROUP = "Comparison"
_WHERE = "Where they differ"


@click.command("compare", cls=Command)
@input_options
@metrics_option("Metrics to compare by.  [default: bleu, chrf]")
@score_file_options("Segment scores computed elsewhere, as one more metric.")
@list_option(
    "--agg", group=_GROUP, metavar="NAME", help="Aggregations: corpus, segment.  [default: both, if the test applies]"
)
@option("--baseline", group=_GROUP, metavar="SYSTEM", help="Compare with this system.  [default: the first]")
@option("--all-pairs", group=_GROUP, is_flag=True, help="Compare all pairs of systems, and show clusters.")
@option(
    "--test",
    group=_GROUP,
    metavar="NAME",
    default="randomisation",
    show_default=True,
    help="Test: randomisation, bootstrap (centred) or koehn; for segment means also paired-t or signed-rank.",
)
@option(
    "--alternative",
    group=_GROUP,
    metavar="NAME",
    default="two-sided",
    show_default=True,
    help="What p is evidence for: two-sided (a difference), better or worse (of the first system).",
)
@option(
    "--correction",
    group=_GROUP,
    default="holm",
    show_default=True,
    metavar="NAME",
    help="Correction for the pairs of one metric and aggregation: holm, bonferroni, benjamini-hochberg, none …",
)
@option("--alpha", group=_GROUP, type=float, default=0.05, show_default=True, help="Significance level.")
@option(
    "--unit",
    group=_GROUP,
    default="segment",
    show_default=True,
    metavar="NAME",
    help="What is resampled: segment, or document where the segments of a document depend on each other.",
)
@option("--delta", group=_GROUP, type=float, help="Also show how many units would show a difference of this size.")
@option("--examples", group=_WHERE, type=int, default=0, metavar="N", help="Show the N best and worst segments.")
@list_option(
    "--by", group=_WHERE, metavar="GROUPING", help="Compare by document, domain, length or a column of --labels."
)
@file_option(
    "--labels",
    group=_WHERE,
    help="A label for each segment: one a line (the file name names the column), or a TSV file with a header.",
)
@option(
    "--ngrams", group=_WHERE, type=int, default=0, metavar="N", help="Show N n-grams that only one system gets right."
)
@option("--words", group=_WHERE, is_flag=True, help="Compare on words by frequency, case, script and kind.")
@option(
    "--fail-if",
    group=_GROUP,
    metavar="CONDITION",
    help="Exit with 5 if this holds for any system, e.g. 'chrf.p < 0.05 and chrf.delta < 0'.",
)
@option(
    "--compat",
    group=_GROUP,
    metavar="NAME",
    help="sacrebleu: its p-values of corpus scores (--test bootstrap: --paired-bs, randomisation: --paired-ar).",
)
@calibration_option(_GROUP, "; none to turn it off")
@resamples_option(
    10_000, "Number of resamples, for the test and the intervals. Unless given, many pairs are tested with more."
)
@seed_option
@confidence_option
@output_options(has_texts=True)
@runtime_options
def command(
    inputs: dict[str, Any],
    metrics: tuple[str, ...],
    scores: ScoreFiles,
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """Test whether the differences between systems are real.

    Every system is compared with the first one, or with --baseline: the difference, its interval, and the p-value of a
    paired test. "No difference shown" does not mean that the systems are equal: "detectable" is the smallest
    difference that this test set would probably show.

    \b
    Examples:
      assay compare --ref ref.de base.de new.de
      assay compare --ref ref.de out/*.de --all-pairs -m bleu,chrf,ter
      assay compare --ref ref.de base.de new.de --fail-if 'chrf.p < 0.05 and chrf.delta < 0'
      assay compare --ref ref.de base.de new.de --documents docs.txt --unit document --delta 0.5
    """
    from assay.study.compare import compare

    if inputs["outputs"] and inputs["named_outputs"] and not options["baseline"] and not options["all_pairs"]:
        raise click.UsageError(
            "which system is the baseline? OUTPUT and --sys are mixed, and their order is not known; name it with "
            "--baseline, or write NAME=FILE without --sys"
        )
    testset, requested, notes = read_scored_inputs(inputs, metrics, scores)
    with terminal_runtime(**runtime_settings) as runtime:
        comparison = compare(testset, runtime=runtime, **requested, **explicit_options(options))
    output.write(comparison, notes=notes)
    if comparison.failures:
        from assay.words.systems import failure_text

        raise ConditionMet("; ".join(map(failure_text, comparison.failures)))

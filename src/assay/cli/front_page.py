"""The help page of `assay` itself, in plain text: to print it, `assay --help` need not import the command line."""

from __future__ import annotations

__all__ = ["COMMANDS", "COMPLETION_VARIABLE", "OPTIONS", "is_requested", "text"]

COMMANDS = {
    "score": "Score system outputs against references.",
    "compare": "Test whether the differences between systems are real.",
    "leaderboard": "Rank systems by metrics, with intervals and clusters.",
    "align": "Cut outputs without line breaks to the segments of a reference.",
    "rerank": "Choose among candidates by a metric, or by minimum Bayes risk.",
    "annotate": "Annotate texts with words, lemmas, tags and dependencies.",
    "match": "Find the settings that give a published score.",
    "diff": "Show how two runs differ.",
    "rank": "Rank systems by human judgements.",
    "meta": "Compare metrics with human scores.",
    "robustness": "Show how agreement with human scores depends on the systems.",
    "reliability": "Measure how well a judge agrees with itself.",
    "correlate": "Show how scores correlate with each other.",
    "calibrate": "Turn metric differences into the probability that people notice.",
    "explain": "Say what a difference of metric scores means to people.",
    "decisions": "Count how often decisions by a metric go wrong.",
    "triage": "Say which segments can be released unedited.",
    "prefer": "Say which of two outputs of each segment people probably prefer.",
    "train": "Learn a metric from judgements.",
    "reproduce": "Run a paper again, with our numbers beside the published ones.",
    "report": "Make one HTML page of results.",
    "plot": "Draw a chart of results.",
    "data": "List, check, convert, import and fetch test sets.",
    "metrics": "List the metrics, or show one.",
    "models": "List and fetch models of learned metrics and encoders.",
    "demo": "Write a sample campaign, evaluate it and make a report.",
    "doctor": "Show versions, extras, threads, GPUs, data folder and resources.",
    "completion": "Print a shell completion script for bash, zsh or fish.",
}
"""The commands and what they do, in the order of the page."""

OPTIONS = {
    "--version": "Show the version.",
    "--debug": "Show the traceback if an error occurs.",
    "-h, --help": "Show this message and exit.",
}

COMPLETION_VARIABLE = "_ASSAY_COMPLETE"
"""The environment variable by which a shell asks for completions, perhaps without arguments."""

_PAGE = """\
Usage: assay [OPTIONS] COMMAND [ARGS]...

  Machine-translation evaluation you can defend.

  Options with a value like NAME,... take several values: repeat the option or
  separate the values with commas.

  Examples:
    assay score --ref ref.de base.de new.de
    assay demo sample
    assay score --help

Options:
{options}

Commands:
{commands}
"""


def text() -> str:
    """The page."""
    width = max(map(len, [*OPTIONS, *COMMANDS]))
    options, commands = (
        "\n".join(f"  {name:{width}}  {description}" for name, description in entries.items())
        for entries in (OPTIONS, COMMANDS)
    )
    return _PAGE.format(options=options, commands=commands)


def is_requested(arguments: list[str]) -> bool:
    """Whether the arguments of the command ask for this page."""
    return arguments in ([], ["-h"], ["--help"])

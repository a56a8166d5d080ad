"""Options that several public functions share, each declared once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from assay.errors import option_name
from assay.options.checks import check_integer, check_share
from assay.options.option import DATA, HUMAN, METRICS, STATISTICS, SYSTEMS, TESTS, Data, Option

__all__ = [
    "CAMPAIGN",
    "CAMPAIGNS",
    "EXTERNAL",
    "JUDGEMENTS",
    "RUNTIME",
    "TESTSET",
    "Alpha",
    "Annotations",
    "ByDomain",
    "Columns",
    "Exclude",
    "Force",
    "Gold",
    "GoldNames",
    "InputFormat",
    "KeepReferences",
    "LanguagePair",
    "LanguagePairs",
    "Level",
    "LowerIsBetter",
    "ReferenceNames",
    "Size",
    "Strict",
    "Systems",
    "TestsetNames",
]

_CAMPAIGN = 'campaign = assay.load_campaign("wmt22", lp="en-de")'
TESTSET = Data(
    "The texts: outputs, references and sources.",
    noun="a test set",
    example='testset = assay.load(outputs={"base": […]}, references={"refA": […]})',
)
CAMPAIGN = Data("A language pair with human scores and metric scores.", noun="a campaign", example=_CAMPAIGN)
CAMPAIGNS = Data(
    "One or more language pairs with human scores and metric scores.",
    noun="a campaign or a list of campaigns",
    example='campaigns = assay.load_campaigns("wmt22")',
)
JUDGEMENTS = Data(
    "A campaign with human judgements, or the judgements themselves: scores by segment, ratings or rankings.",
    noun="a campaign or judgements",
    example=_CAMPAIGN,
)
EXTERNAL = Option(
    "Metric scores computed elsewhere, as `assay.load_scores` returns them: score tables by language pair.",
    is_command_option=False,
)
RUNTIME = Option(
    "The arguments that follow in one object, for several calls.", is_command_option=False, takes_fields=True
)
"""For `runtime: Annotated[Runtime | None, RUNTIME] = None, **fields: Unpack[RuntimeFields]`."""

Alpha = Annotated[float, Option("Significance level.", group=TESTS, check=check_share)]
SOURCE_FLAGS = ("--src", "--sources")
REFERENCE_FLAGS = ("--ref", "--references")


def pair_option(help_text: str, *, group: str = DATA, default: str = "") -> Option:
    """The option for a language pair, or several."""
    return Option(help_text, group=group, flags=("-l", "--lp"), metavar="SRC-TGT", default=default)


LanguagePair = Annotated[
    str | None,
    pair_option(
        "Language pair, such as en-de; needed if the data has several. Data that does not name its pair gets this one."
    ),
]
LanguagePairs = Annotated[
    str | Iterable[str],
    pair_option(
        "Language pairs; patterns such as '*-en' may match several. A single pair also holds for data that names none.",
        default="all language pairs of the data",
    ),
]
InputFormat = Annotated[
    str | None, Option("Format of the data files.", group=DATA, metavar="FORMAT", default="detected")
]
Columns = Annotated[
    str | None,
    Option(
        "What columns of a table are, if their names do not say it: source=German,reference=target,SysA,SysB. A column "
        "without a role has the outputs of a system.",
        group=DATA,
        metavar="[ROLE=]COLUMN,...",
        default="by their names and contents, with a note",
    ),
]
Strict = Annotated[
    bool,
    Option(
        "Refuse files with faulty rows, which are otherwise skipped with a note, and table cells of several lines, "
        "which are otherwise joined.",
        group=DATA,
    ),
]
Annotations = Annotated[
    str | Path | None,
    Option(
        "Folder with annotations of the texts, as `assay annotate -o` writes it. Annotations beside text files are "
        "found without it.",
        group=DATA,
        metavar="FOLDER",
        takes_file=True,
    ),
]
Force = Annotated[
    bool, Option("Also replace files that are not results of Assay. Inputs are never replaced.", group="Output")
]
Gold = Annotated[
    str | None,
    Option("Name of the human scores or judgements; needed if there are several.", group=DATA, metavar="NAME"),
]
GoldNames = Annotated[
    Sequence[str],
    Option(
        "Names of the human judgements, in order: of each language pair, those of the first name that it has.",
        group=DATA,
        metavar="NAME",
        default="MQM, ESA, rankings, SQM or DA, whatever comes first",
    ),
]
Systems = Annotated[
    Iterable[str], Option("Use only systems whose names match.", group=SYSTEMS, metavar="GLOB", default="all systems")
]
Exclude = Annotated[Iterable[str], Option("Exclude systems whose names match.", group=SYSTEMS, metavar="GLOB")]
KeepReferences = Annotated[bool, Option("Keep references that are among the systems.", group=SYSTEMS)]
Level = Annotated[
    str,
    Option(
        "Compare the scores of systems or of segments; short forms: sys, seg.",
        group=STATISTICS,
        choices=("system", "segment"),
        short_forms={"sys": "system", "seg": "segment"},
    ),
]
ReferenceNames = Annotated[
    Sequence[str],
    Option(
        "Keep metrics that use the first of these references, and reference-free metrics; all: all references of a "
        "language pair.",
        group=METRICS,
        flags=REFERENCE_FLAGS,
        metavar="NAME",
    ),
]
Size = Annotated[
    int | None,
    Option(
        "Number of segments in a resample of the bootstrap aggregation.",
        group=METRICS,
        metavar="N",
        default="all",
        check=partial(check_integer, low=1, high=2**32 - 1),
    ),
]
LowerIsBetter = Annotated[
    str | Iterable[str],
    Option(
        f"Names of {option_name('scores')}, and of metrics made of a function, for which lower is better.",
        group=METRICS,
        metavar="NAME",
    ),
]
TestsetNames = Annotated[
    str | Iterable[str],
    Option(
        f"What the files of {option_name('scores')} call the test set, if they use another name: generaltest2023 for "
        "wmt23.",
        group=METRICS,
        metavar="NAME",
    ),
]
ByDomain = Annotated[bool, Option("Also show each domain by itself.", group=HUMAN)]

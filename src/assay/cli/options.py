"""Options that several commands share, each declared once.

An option that takes several values can be repeated or take a comma-separated list: `-m bleu -m chrf` or `-m bleu,chrf`.
Options for file names can only be repeated, because file names may contain commas.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from assay.cli.help import Option
from assay.console import as_flag
from assay.errors import spelled, spelling_options
from assay.files import exists
from assay.options.option import split_list, split_specs
from assay.options.parameters import Parameter
from assay.options.verb import options_of_verb

if TYPE_CHECKING:
    from assay.study.load_scores import LoadedScores
    from assay.types import Campaign, TestSet

__all__ = [
    "DATA",
    "FILE",
    "METRICS",
    "RESAMPLING",
    "ScoreFiles",
    "annotations_option",
    "calibration_option",
    "compared_metrics_options",
    "complete_metric",
    "confidence_option",
    "data_arguments",
    "data_option",
    "declared_option",
    "domain_options",
    "explicit_options",
    "file_option",
    "force_option",
    "gold_option",
    "input_format_option",
    "level_option",
    "list_option",
    "lp_option",
    "lps_option",
    "method_option",
    "metrics_option",
    "no_text_option",
    "option",
    "pair_options",
    "preset_option",
    "rating_options",
    "references_option",
    "resamples_option",
    "runtime_options",
    "score_file_options",
    "seed_option",
    "spec_option",
    "specs_option",
    "split_list",
    "split_name",
    "split_specs",
    "strict_option",
    "system_options",
    "test_option",
    "threads_option",
    "verb_options",
]

DATA, SYSTEMS, METRICS, RESAMPLING, RUNTIME = "Data", "Systems", "Metrics", "Resampling", "Runtime"
_LEVELS = {"system": "system", "sys": "system", "segment": "segment", "seg": "segment"}

_F = TypeVar("_F", bound=Callable[..., Any])


def explicit_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options that the user set. The called function has the defaults of the others."""
    context = click.get_current_context()
    return {
        name: value
        for name, value in options.items()
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }


class _FileName(click.ParamType):  # type: ignore[type-arg]
    """A file name that the shell completes. Whether the file can be read is checked when it is read."""

    name = "file"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class _Choice(click.ParamType):  # type: ignore[type-arg]
    """One of these values, which the shell completes. The public function checks it, and names the nearest one."""

    name = "choice"

    def __init__(self, choices: Collection[str]) -> None:
        self.choices = choices

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(choice) for choice in self.choices if choice.startswith(incomplete)]


class _Level(click.Choice):  # type: ignore[type-arg]
    """`system` or `segment`, or their short forms."""

    def __init__(self) -> None:
        super().__init__(tuple(_LEVELS))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return _LEVELS[super().convert(value, param, ctx)]

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return "[system|segment]"


FILE = _FileName()


def verb_options(*verbs: Callable[..., Any], omit: Collection[str] = ()) -> Callable[[_F], _F]:
    """The options of public functions, in the order of their signatures, without those that the command declares."""
    parameters = {name: each for verb in reversed(verbs) for name, each in options_of_verb(verb).items()}
    added = [each for name, each in parameters.items() if each.is_command_option and name not in omit]
    return lambda command: functools.reduce(lambda done, each: declared_option(each)(done), reversed(added), command)


def data_option(name: str, annotation: Any, default: Any = None) -> Callable[[_F], _F]:
    """The option for a parameter that several of the public functions have, given the name and the annotation."""
    return declared_option(Parameter(name, annotation, default))


def declared_option(parameter: Parameter) -> Callable[[_F], _F]:
    """The option of the command line for a parameter of a public function."""
    declared, default = parameter.option, parameter.default
    names = [*(declared.flags or [f"--{parameter.name.replace('_', '-')}"]), parameter.name]
    settings: dict[str, Any] = {"callback": _convert(parameter), "group": declared.group}
    with spelling_options(as_flag):
        settings["help"] = spelled(declared.help)
    if parameter.members == (bool,):
        return option(*names, is_flag=True, **settings)
    if declared.default:
        settings["help"] += f"  [default: {declared.default}]"
    elif isinstance(default, int | float | str) and default != "":
        settings |= {"default": default, "show_default": True}
    elif isinstance(default, tuple) and default:
        settings["help"] += f"  [default: {', '.join(default)}]"
    if declared.flag_value is not None:
        settings |= {"is_flag": False, "flag_value": declared.flag_value}
    if declared.complete is not None:
        settings["shell_complete"] = _completion(declared.complete)
    metavar = declared.metavar or ("" if not parameter.choices else f"[{'|'.join(parameter.choices)}]")
    settings |= {"multiple": parameter.takes_several, "type": _click_type(parameter)}
    if metavar:
        is_list = parameter.takes_several and not declared.takes_file
        settings["metavar"] = f"{metavar},..." if is_list else metavar
    return option(*names, **settings)


def _convert(parameter: Parameter) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """The check and the conversion of the public function, before any file is read."""

    def convert(context: click.Context, _: click.Parameter, value: Any) -> Any:
        if parameter.takes_several and not parameter.option.takes_file:
            value = tuple(piece for text in value for piece in parameter.option.split(text))
        is_given = context.get_parameter_source(parameter.name) is not ParameterSource.DEFAULT
        return parameter.convert(value) if is_given and not context.resilient_parsing else value

    return convert


def _click_type(parameter: Parameter) -> click.ParamType | type | None:  # type: ignore[type-arg]
    if parameter.option.takes_file:
        return FILE
    if parameter.choices:
        return _Choice((*parameter.choices, *(parameter.option.short_forms or ())))
    return next((each for each in (int, float) if parameter.members == (each,)), None)


def option(*names: str, group: str, **settings: Any) -> Callable[[_F], _F]:
    """An option in a group of the help page. The last of its names also names the parameter."""
    if names[-1].startswith("-"):
        names = (*names, names[-1].lstrip("-").replace("-", "_"))
    return click.option(*names, cls=Option, group=group, **settings)


def _grouped(*names: str, **settings: Any) -> Callable[[str], Callable[[_F], _F]]:
    """An option that each command puts in a group of its own."""
    return lambda group: option(*names, group=group, **settings)


def _grouped_options(*options: Callable[[str], Callable[[_F], _F]]) -> Callable[[str], Callable[[_F], _F]]:
    """Several of them, in this order."""

    def in_group(group: str) -> Callable[[_F], _F]:
        return lambda command: functools.reduce(lambda added, each: each(group)(added), reversed(options), command)

    return in_group


def file_option(*names: str, group: str = DATA, metavar: str = "FILE", **settings: Any) -> Callable[[_F], _F]:
    """An option whose value is a file name."""
    return option(*names, group=group, type=FILE, metavar=metavar, **settings)


def list_option(*names: str, group: str, metavar: str, **settings: Any) -> Callable[[_F], _F]:
    """An option that takes several values: repeated, or as a comma-separated list."""
    return option(*names, group=group, multiple=True, callback=_split_values, metavar=f"{metavar},...", **settings)


def specs_option(
    kind: str, *names: str, group: str, metavar: str = "SPEC,...", takes_names: bool = False, **settings: Any
) -> Callable[[_F], _F]:
    """An option that takes several specs of metrics or statistics, e.g. `bleu:tok=intl,smooth=floor`."""

    def check(context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
        specs = tuple(spec for value in values for spec in split_specs(value))
        if not context.resilient_parsing:
            _check_specs(kind, [spec for spec in specs if not takes_names or ":" in spec])
        return specs

    return option(*names, group=group, multiple=True, callback=check, metavar=metavar, **settings)


def spec_option(kind: str, *names: str, group: str, **settings: Any) -> Callable[[_F], _F]:
    """An option that takes one spec."""

    def check(context: click.Context, _parameter: click.Parameter, value: str) -> str:
        if not context.resilient_parsing:
            _check_specs(kind, [value])
        return value

    return option(*names, group=group, callback=check, metavar="SPEC", **settings)


def _split_values(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(piece for value in values for piece in split_list(value))


def split_name(text: str) -> tuple[str, str]:
    """NAME=FILE as a name and a file; a file alone has an empty name."""
    name, equals, path = text.partition("=")
    return ("", text) if not equals or exists(text) else (name, path)


def _check_specs(kind: str, specs: Iterable[str]) -> None:
    """Raise for an unknown metric or statistic before any file is read."""
    if kind == "metric":
        from assay.metrics import metric as registry
    else:
        from assay.agreement import statistic as registry  # type: ignore[assignment]
    for spec in specs:
        registry.create(spec)


def _completion(names: Callable[[], Iterable[str]]) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Completion of names by the shell, also after a comma."""

    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        before, comma, start = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in names() if name.startswith(start)]

    return complete


def complete_metric(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Names of metrics for shell completion, also after a comma."""
    from assay.metrics import metric

    before, comma, start = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in metric.names() if name.startswith(start)]


data_arguments = click.argument("data", type=FILE, nargs=-1, required=True, metavar="DATA...")
lp_option = option("--lp", group=DATA, metavar="SRC-TGT", help="Language pair; needed if DATA has several.")
lps_option = list_option(
    "--lp",
    "lps",
    group=DATA,
    metavar="SRC-TGT",
    help="Language pairs; patterns such as '*-en' may match several.  [default: all language pairs of DATA]",
)
annotations_option = file_option(
    "--annotations",
    metavar="FOLDER",
    help="Folder with annotations, as assay annotate -o writes it.  [default: for text files, those beside them]",
)
input_format_option = option(
    "--input-format", group=DATA, metavar="FORMAT", help="Format of the data files.  [default: detected]"
)
force_option = option(
    "--force", group="Output", is_flag=True, help="Replace a file that exists and is not a result; never an input."
)
no_text_option = option(
    "--no-text", group="Output", is_flag=True, help="Leave source, references and outputs out of an HTML page."
)
strict_option = option(
    "--strict", group=DATA, is_flag=True, help="Refuse files with faulty rows, which are otherwise skipped with a note."
)
gold_option = option(
    "--gold", group=DATA, metavar="NAME", help="Name of the human scores or judgements; needed if there are several."
)
level_option = option(
    "--level",
    group="Statistics",
    type=_Level(),
    default="system",
    show_default=True,
    help="Compare system or segment scores; short forms: sys, seg.",
)
references_option = list_option(
    "--ref",
    "--references",
    group=METRICS,
    metavar="NAME",
    help="Keep metrics that use the first of these references, and reference-free metrics; all: all references of a "
    "language pair.",
)
seed_option = option("--seed", group=RESAMPLING, type=int, default=12345, show_default=True, help="Random seed.")
confidence_option = option(
    "--confidence",
    group=RESAMPLING,
    type=float,
    default=0.95,
    show_default=True,
    help="Confidence level of the intervals.",
)
preset_option = _grouped(
    "--preset",
    metavar="NAME",
    help="Score and test as a campaign did: wmt24 (ESA, by domain) or wmt25.  [default: none]",
)
method_option = _grouped(
    "--method",
    metavar="SPEC",
    help="How to score systems: mean (of scores); of rankings expected-wins, wins:ties=share or trueskill.  "
    "[default: mean; for rankings expected-wins]",
)
test_option = _grouped(
    "--test",
    metavar="SPEC",
    help="Significance test: rank-sum, signed-rank, paired-t, pooled-t or randomisation.  "
    "[default: rank-sum; for MQM and ESA randomisation]",
)
rating_options = _grouped_options(
    _grouped(
        "--quality",
        type=float,
        metavar="P",
        help="Drop raters who do not score damaged items below ordinary ones: those with p of at least P.",
    ),
    _grouped(
        "--standardise",
        metavar="NAME",
        help="Convert the scores of each rater to z-scores: none, sample or population (standard deviation).  "
        "[default: none]",
    ),
    _grouped(
        "--weights",
        metavar="NAME|FILE",
        type=FILE,
        help="Weights of MQM errors: google2020, wmt22, wmt23, wmt24, stored or a TOML file.  [default: stored if "
        "every error has a penalty, else google2020]",
    ),
)
domain_options = _grouped_options(
    _grouped(
        "--over-domains",
        type=click.Choice(("pooled", "mean")),
        help="Score of a system: the mean of all its segments, or of its domain means.  [default: pooled]",
    ),
    _grouped("--by-domain", is_flag=True, help="Also show each domain by itself."),
)
pair_options = _grouped_options(
    lambda _: option(
        "--gold",
        group=DATA,
        metavar="NAME",
        help="Name of the human scores.  [default: standardised DA and SQM scores, MQM and ESA]",
    ),
    _grouped("--alpha", type=float, default=0.05, show_default=True, help="Significance level."),
    lambda group: list_option("--exclude", group=group, metavar="GLOB", help="Exclude systems whose names match."),
    _grouped("--keep-references", is_flag=True, help="Keep references that are among the systems."),
)
threads_option = option(
    "--threads",
    group=RUNTIME,
    type=int,
    help="Number of threads. Results do not depend on it, but for rounding in neural networks.  [default: all cores]",
)
_device_option = option(
    "--device",
    group=RUNTIME,
    metavar="NAME",
    default="auto",
    show_default=True,
    help="Where neural networks run: cpu, cuda, cuda:N (the GPU with this number), several (cuda:0,cuda:1) or auto (a "
    "GPU if there is one).",
)


def runtime_options(command: _F) -> _F:
    """The options of commands that compute metrics, as one argument `runtime_settings`, for `terminal_runtime`."""

    @functools.wraps(command)
    def call(threads: int | None, device: str, **values: Any) -> Any:
        return command(runtime_settings={"threads": threads, "device": device}, **values)

    return threads_option(_device_option(call))  # type: ignore[return-value]


def resamples_option(default: int | None, help_text: str) -> Callable[[_F], _F]:
    """The option `--resamples`."""
    return option("--resamples", group=RESAMPLING, type=int, default=default, show_default=True, help=help_text)


def calibration_option(group: str, more: str = "") -> Callable[[_F], _F]:
    """The option `--calibration`."""
    return option(
        "--calibration",
        group=group,
        default="wmt",
        show_default=True,
        metavar="NAME|FILE",
        help=f"wmt (fitted on WMT data), lo2023 (cut-offs of Lo et al. 2023) or a file of assay calibrate{more}.",
    )


def compared_metrics_options(command: _F) -> _F:
    """The options of metrics that are compared with human scores: which ones, and how to aggregate computed ones."""
    metrics = metrics_option(
        "Metrics to compute from the texts; names as DATA stores them, and patterns like 'COMET*', keep only these "
        "stored metrics.",
        takes_names=True,
    )
    agg = list_option(
        "--agg",
        group=METRICS,
        metavar="NAME",
        help="How to aggregate computed metrics: corpus, segment (m-...) or bootstrap (x-...).  [default: as usual for "
        "the metric]",
    )
    size = option(
        "--size",
        group=METRICS,
        type=int,
        help="Number of segments in a resample of the bootstrap aggregation.  [default: all]",
    )
    cells = option(
        "--cells",
        group=METRICS,
        default="stored",
        show_default=True,
        metavar="NAME",
        help="System scores: as they are stored or computed from all segments (stored, as WMT does), or over the "
        "segments that metric and human raters both scored (common).",
    )
    return metrics(agg(size(cells(command))))


def metrics_option(help_text: str, *, takes_names: bool = False) -> Callable[[_F], _F]:
    """The option `-m`; `takes_names`: also names and patterns of stored metrics, which are checked later."""
    return specs_option(
        "metric",
        "-m",
        "--metrics",
        group=METRICS,
        shell_complete=complete_metric,
        help=help_text,
        takes_names=takes_names,
        metavar="SPEC|GLOB,..." if takes_names else "SPEC,...",
    )


class ScoreFiles(NamedTuple):
    """What the options say about files of scores that were computed elsewhere."""

    files: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()
    testset_name: tuple[str, ...] = ()

    def load(
        self, target: TestSet | Campaign | Iterable[Campaign], *, campaign: Campaign | None = None
    ) -> LoadedScores:
        """The scores, which must belong to these texts or test sets."""
        from assay.study.load_scores import load_scores  # and all formats of score files

        return load_scores(
            map(split_name, self.files),
            target,
            campaign=campaign,
            lower_is_better=self.lower_is_better,
            testset_name=self.testset_name,
        )


def score_file_options(help_text: str) -> Callable[[_F], _F]:
    """The options on files of scores computed elsewhere, and the direction of these and of own metrics.

    The command gets them as one argument, `scores`.
    """

    def add(command: _F) -> _F:
        @functools.wraps(command)
        def call(
            metrics: tuple[str, ...],
            scores: tuple[str, ...],
            lower_is_better: tuple[str, ...],
            testset_name: tuple[str, ...],
            **values: Any,
        ) -> Any:
            if metrics and lower_is_better:
                from assay.metrics import with_lower_is_better

                metrics, lower_is_better = with_lower_is_better(metrics, lower_is_better)
            return command(metrics=metrics, scores=ScoreFiles(scores, lower_is_better, testset_name), **values)

        files = file_option("--scores", group=METRICS, multiple=True, metavar="[NAME[/SYSTEM]=]FILE", help=help_text)
        lower = list_option(
            "--lower-is-better",
            group=METRICS,
            metavar="NAME",
            help="Names of --scores, and of metrics made of a function, for which lower is better.",
        )
        testset = list_option(
            "--testset-name",
            group=METRICS,
            metavar="NAME",
            help="What --scores call the test set, if they have another name for it, e.g. generaltest2023 for wmt23.",
        )
        return files(lower(testset(call)))  # type: ignore[return-value]

    return add


def system_options(command: _F) -> _F:
    """The options that select systems."""
    for add in (
        option("--keep-references", group=SYSTEMS, is_flag=True, help="Keep references that are among the systems."),
        list_option("--exclude", group=SYSTEMS, metavar="GLOB", help="Exclude systems whose names match."),
        list_option("--systems", group=SYSTEMS, metavar="GLOB", help="Use only systems whose names match."),
    ):
        command = add(command)
    return command

"""sacreBLEU's options. Options that Assay does not support raise an error that suggests an alternative."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any, NoReturn

from assay.compat.sacrebleu.significance import DEFAULT_SAMPLES
from assay.compat.sacrebleu.tokenizers import TOKENIZERS
from assay.compat.sacrebleu.version import __version__ as SACREBLEU  # noqa: N812
from assay.errors import ConfigError, nearest
from assay.types.language_codes import not_a_language_pair
from assay.version import __version__

__all__ = ["FORMATS", "METRICS", "RESAMPLES", "Options", "parse"]

METRICS = ("bleu", "chrf", "ter")
FORMATS = ("json", "text", "latex")
RESAMPLES = 1000

_PROGRAM = "python -m assay.compat.sacrebleu"
_MAX_WIDTH = 100

_NO_TEST_SETS = (
    "uses sacreBLEU's test sets, which this program does not have",
    f"assay score -t wmt23 -l en-de out.de has them; or give the reference file: {_PROGRAM} ref.de -i out.de",
)
_NO_ORIGINS = (
    "uses the metadata of sacreBLEU's test sets, which this program does not have",
    "score groups of segments: assay score --ref ref.de out.de --by domain --domains domains.txt",
)
_REASONS = (_NO_TEST_SETS, _NO_ORIGINS)
_UNSUPPORTED = {
    ("--test-set", "-t"): _NO_TEST_SETS,
    ("--download",): _NO_TEST_SETS,
    ("--list",): _NO_TEST_SETS,
    ("--echo",): _NO_TEST_SETS,
    ("--citation", "--cite"): _NO_TEST_SETS,
    ("--origlang", "-ol"): _NO_ORIGINS,
    ("--subset",): _NO_ORIGINS,
    ("--detail", "-d"): _NO_ORIGINS,
}


class Options(argparse.Namespace):
    """The options of the command."""

    references: list[str]
    input: list[str] | None  # None: standard input
    num_refs: int
    encoding: str
    language_pair: str | None
    metrics: list[str]
    sentence_level: bool
    smooth_method: str
    smooth_value: float | None
    tokenize: str | None
    lowercase: bool
    force: bool
    chrf_char_order: int
    chrf_word_order: int
    chrf_beta: int
    chrf_whitespace: bool
    chrf_lowercase: bool
    chrf_eps_smoothing: bool
    ter_normalized: bool
    ter_no_punct: bool
    ter_asian_support: bool
    ter_case_sensitive: bool
    confidence: bool
    confidence_n: int
    paired_bs: bool
    paired_bs_n: int
    paired_ar: bool
    paired_ar_n: int
    paired_jobs: int
    format: str
    width: int
    score_only: bool
    short: bool
    quiet: bool

    @property
    def target(self) -> str:
        """The target language; empty without a language pair."""
        return "" if self.language_pair is None else self.language_pair.split("-")[1]

    @property
    def paired_test(self) -> str:
        """The paired test, "bs" or "ar"; empty without one."""
        return "bs" if self.paired_bs else "ar" if self.paired_ar else ""

    @property
    def paired_samples(self) -> int:
        """The number of resamples or trials of the paired test."""
        return self.paired_bs_n if self.paired_bs else self.paired_ar_n


def parse(arguments: Sequence[str]) -> Options:
    """Read and check the options of a command line and of the environment."""
    options = _parser().parse_intermixed_args(list(arguments), Options(references_after_metrics=[]))
    options.references = [*options.references, *options.references_after_metrics]
    options.metrics = options.metrics or ["bleu"]
    form = os.environ.get("SACREBLEU_FORMAT", "").lower()
    options.format = form if form in FORMATS else options.format
    _check_files(options)
    _check_values(options)
    return options


def _check_files(options: Options) -> None:
    if not options.references:
        raise ConfigError(
            "no reference was given",
            hint=f"name the references before -i, because all files after -i are outputs: {_PROGRAM} ref.de -i out.de",
        )
    if options.input == []:
        raise ConfigError("-i needs at least one file", hint="omit it to read standard input")
    if options.num_refs < 1:
        raise ConfigError(f"--num-refs must be 1 or more, not {options.num_refs}")
    if options.num_refs > 1 and len(options.references) > 1:
        raise ConfigError(
            f"--num-refs {options.num_refs} splits one reference file at tabs, not {len(options.references)}",
            hint="omit --num-refs if each file is one reference",
        )


def _check_values(options: Options) -> None:
    try:
        "".encode(options.encoding)
    except LookupError:
        raise ConfigError(f"unknown encoding '{options.encoding}'", hint="e.g. utf-8 or latin-1") from None
    if options.language_pair is not None and "-" not in options.language_pair:
        raise not_a_language_pair(options.language_pair)
    if not 0 <= options.width <= _MAX_WIDTH:
        raise ConfigError(f"--width must be between 0 and {_MAX_WIDTH}, not {options.width}")
    if options.sentence_level and len(options.metrics) > 1:
        raise ConfigError(f"--sentence-level accepts one metric, not {' and '.join(options.metrics)}")
    corpus_option = "--confidence" if options.confidence else f"--paired-{options.paired_test}"
    if options.sentence_level and (options.confidence or options.paired_test):
        raise ConfigError(f"--sentence-level cannot be combined with {corpus_option}, which is for corpus scores")
    _check_paired(options)


def _check_paired(options: Options) -> None:
    for name, value, least in (
        ("--paired-bs-n", options.paired_bs_n, 1),
        ("--paired-ar-n", options.paired_ar_n, 1),
        ("--paired-jobs", options.paired_jobs, 0),
    ):
        if value < least:
            raise ConfigError(f"{name} must be {least} or more, not {value}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=_PROGRAM,
        usage="%(prog)s REFERENCE [REFERENCE ...] [-i FILE [FILE ...]] [OPTION ...]",
        description="Score system outputs against references with sacreBLEU's options, output and numbers.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Assay's own command, `assay score`, has intervals for several systems, groups and more formats.",
    )
    _add_inputs(parser.add_argument_group("texts, one segment per line"))
    _add_metrics(parser.add_argument_group("metrics"))
    _add_paired(parser.add_argument_group("paired tests of several systems against the first"))
    _add_bleu(parser.add_argument_group("BLEU"))
    _add_chrf(parser.add_argument_group("chrF"))
    _add_ter(parser.add_argument_group("TER"))
    _add_output(parser.add_argument_group("output"))
    by_reason = [
        [name for names, why in _UNSUPPORTED.items() if why == reason for name in names] for reason in _REASONS
    ]
    unsupported = parser.add_argument_group(
        "not supported (each prints the reason and an alternative)", "\n".join(map(" ".join, by_reason))
    )
    for names in _UNSUPPORTED:
        unsupported.add_argument(*names, action=_Unsupported, nargs="*", help=argparse.SUPPRESS)
    return parser


def _add_inputs(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("references", nargs="*", metavar="REFERENCE", help="reference files, before -i")
    add("--input", "-i", nargs="*", metavar="FILE", action=_Once, help="outputs, one file per system [stdin]")
    add("--num-refs", "-nr", type=int, default=1, metavar="N", help="split a single reference file at tabs into N")
    add("--encoding", "-e", default="utf-8", metavar="NAME", help="encoding of all files and standard input [utf-8]")
    add("--language-pair", "-l", metavar="SRC-TGT", help="selects BLEU's tokeniser for zh, ja and ko")


def _add_metrics(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--metrics", "-m", nargs="+", action=_Metrics, metavar="METRIC", help=f"{', '.join(METRICS)} [bleu]")
    add("--sentence-level", "-sl", action="store_true", help="score each segment")
    add("--confidence", "-ci", action="store_true", help="bootstrapped mean and 95%% interval, for one system")
    add("--confidence-n", "-cin", type=int, default=RESAMPLES, metavar="N", help=f"resamples [{RESAMPLES}]")


def _add_paired(group: argparse._ArgumentGroup) -> None:
    add, samples = group.add_argument, DEFAULT_SAMPLES
    test = group.add_mutually_exclusive_group().add_argument
    test("--paired-ar", "-par", action="store_true", help="approximate randomisation")
    test("--paired-bs", "-pbs", action="store_true", help="paired bootstrap; its p-values are too small")
    add("--paired-ar-n", "-parn", type=int, default=samples["ar"], metavar="N", help=f"trials [{samples['ar']}]")
    add("--paired-bs-n", "-pbsn", type=int, default=samples["bs"], metavar="N", help=f"resamples [{samples['bs']}]")
    add("--paired-jobs", "-j", type=int, default=1, metavar="N", help="threads; 0 for all cores [1]")


def _add_bleu(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--smooth-method", "-s", choices=("none", "floor", "add-k", "exp"), default="exp", help="[exp]")
    add("--smooth-value", "-sv", type=float, metavar="X", help="value for floor [0.1] and add-k [1]")
    add("--tokenize", "-tok", choices=tuple(TOKENIZERS), help="[13a]")
    add("--lowercase", "-lc", action="store_true", help="ignore case")
    add("--force", action="store_true", help="do not warn about tokenised text")


def _add_chrf(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--chrf-char-order", "-cc", type=int, default=6, metavar="N", help="longest character n-gram [6]")
    add("--chrf-word-order", "-cw", type=int, default=0, metavar="N", help="longest word n-gram [0]; 2 is chrF++")
    add("--chrf-beta", type=int, default=2, metavar="N", help="weight of recall [2]")
    add("--chrf-whitespace", action="store_true", help="count spaces as characters")
    add("--chrf-lowercase", action="store_true", help="ignore case")
    add("--chrf-eps-smoothing", action="store_true", help="average the F-scores of all orders")


def _add_ter(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--ter-normalized", action="store_true", help="split off punctuation")
    add("--ter-no-punct", action="store_true", help="remove punctuation")
    add("--ter-asian-support", action="store_true", help="with these two: also handle Chinese and Japanese")
    add("--ter-case-sensitive", action="store_true", help="do not ignore case")


def _add_output(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add(
        "--format", "-f", choices=FORMATS, default="json", help="[json]; the variable SACREBLEU_FORMAT takes precedence"
    )
    add("--width", "-w", type=int, default=1, metavar="N", help="decimals [1]")
    add("--score-only", "-b", action="store_true", help="print only the number")
    add("--short", "-sh", action="store_true", help="short signatures")
    add("--quiet", "-q", action="store_true", help="no notes on standard error")
    add("--no-color", "-nc", action="store_true", help="no effect: output is never coloured")
    add("--debug", action="store_true", help="print a traceback on errors")
    add("--version", "-V", action="version", version=f"sacrebleu {SACREBLEU} (assay {__version__})")


class _Parser(argparse.ArgumentParser):
    """Raises ConfigError where argparse would print and exit."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(message, hint=f"{_PROGRAM} --help")


class _Once(argparse.Action):
    """A list option that must not be repeated; sacreBLEU silently uses the last one."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        if getattr(namespace, self.dest) is not None:
            raise ConfigError(f"{option_string} was given twice", hint=f"list all values after one {option_string}")
        setattr(namespace, self.dest, list(values))


class _Metrics(_Once):
    """Metrics, possibly followed by references, which sacreBLEU rejects as unknown metrics."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        metrics = [value for value in values if value in METRICS]
        others = [value for value in values if value not in METRICS]
        for value in others:
            if not metrics or not os.path.exists(value):
                raise ConfigError(f"unknown metric '{value}'", hint=nearest(value, METRICS))
        super().__call__(parser, namespace, metrics, option_string)
        namespace.references_after_metrics += others


class _Unsupported(argparse.Action):
    """An option of sacreBLEU that Assay does not support."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        reason, hint = _UNSUPPORTED[tuple(self.option_strings)]
        raise ConfigError(f"{option_string} {reason}", hint=hint)

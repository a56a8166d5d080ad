"""sacreBLEU's options. Every one it has is known here: those that Assay lacks are refused with what to do instead."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any, NoReturn

from assay.errors import ConfigError, nearest
from assay.version import __version__

__all__ = ["FORMATS", "METRICS", "RESAMPLES", "Options", "parse"]

METRICS = ("bleu", "chrf", "ter")
FORMATS = ("json", "text", "latex")
RESAMPLES = 1000

_PROGRAM = "python -m assay.compat.sacrebleu"
_SACREBLEU = "2.6.0"  # whose options and output these are
_TOKENIZERS = ("none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab")
_DOWNLOADED_TOKENIZERS = ("spm", "flores101", "flores200", "spBLEU-1K")
_MAX_WIDTH = 100

_NO_TEST_SETS = (
    "is about sacreBLEU's test sets, and Assay never downloads a test set by itself",
    f"give the reference file: {_PROGRAM} ref.de -i out.de",
)
_NO_ORIGINS = (
    "needs what sacreBLEU's test sets say about each segment, and Assay never downloads a test set by itself",
    "score groups of segments: assay score --ref ref.de out.de --by domain --domains domains.txt",
)
_NO_COMPARISON = (
    "asks for a comparison of systems, which is not implemented yet",
    "leave it out for the scores of all systems, or use sacreBLEU for the test",
)
_REASONS = (_NO_TEST_SETS, _NO_ORIGINS, _NO_COMPARISON)
_REFUSED = {
    ("--test-set", "-t"): _NO_TEST_SETS,
    ("--download",): _NO_TEST_SETS,
    ("--list",): _NO_TEST_SETS,
    ("--echo",): _NO_TEST_SETS,
    ("--citation", "--cite"): _NO_TEST_SETS,
    ("--origlang", "-ol"): _NO_ORIGINS,
    ("--subset",): _NO_ORIGINS,
    ("--detail", "-d"): _NO_ORIGINS,
    ("--paired-bs", "-pbs"): _NO_COMPARISON,
    ("--paired-bs-n", "-pbsn"): _NO_COMPARISON,
    ("--paired-ar", "-par"): _NO_COMPARISON,
    ("--paired-ar-n", "-parn"): _NO_COMPARISON,
    ("--paired-jobs", "-j"): _NO_COMPARISON,
}


class Options(argparse.Namespace):
    """What the command was asked for."""

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
    format: str
    width: int
    score_only: bool
    short: bool
    quiet: bool

    @property
    def target(self) -> str:
        """The target language, empty if no language pair was given."""
        return "" if self.language_pair is None else self.language_pair.split("-")[1]


def parse(arguments: Sequence[str]) -> Options:
    """The options of a command line and of the environment, checked."""
    given = _parser().parse_intermixed_args(list(arguments), Options(behind_metrics=[]))
    given.references = [*given.references, *given.behind_metrics]
    given.metrics = given.metrics or ["bleu"]
    form = os.environ.get("SACREBLEU_FORMAT", "").lower()
    given.format = form if form in FORMATS else given.format
    _check_files(given)
    _check_values(given)
    return given


def _check_files(given: Options) -> None:
    if not given.references:
        raise ConfigError(
            "no reference was given",
            hint=f"name references before -i, which takes all files that follow it: {_PROGRAM} ref.de -i out.de",
        )
    if given.input == []:
        raise ConfigError("-i names no file", hint="leave it out to read standard input")
    if given.num_refs < 1:
        raise ConfigError(f"--num-refs must be 1 or more, not {given.num_refs}")
    if given.num_refs > 1 and len(given.references) > 1:
        raise ConfigError(
            f"--num-refs {given.num_refs} splits one reference file at tabs, but {len(given.references)} were given",
            hint="leave --num-refs out if each file is one reference",
        )


def _check_values(given: Options) -> None:
    try:
        "".encode(given.encoding)
    except LookupError:
        raise ConfigError(f"no encoding is called '{given.encoding}'", hint="e.g. utf-8 or latin-1") from None
    if given.language_pair is not None and "-" not in given.language_pair:
        raise ConfigError(f"'{given.language_pair}' is not a language pair", hint="write source-target, e.g. en-de")
    if not 0 <= given.width <= _MAX_WIDTH:
        raise ConfigError(f"--width must be between 0 and {_MAX_WIDTH}, not {given.width}")
    if given.tokenize in _DOWNLOADED_TOKENIZERS:
        raise ConfigError(
            f"--tokenize {given.tokenize} needs a SentencePiece model, and Assay never downloads one by itself",
            hint="name its file: assay score --ref ref.de out.de -m bleu:tok=spm,model=PATH",
        )
    if given.sentence_level and len(given.metrics) > 1:
        raise ConfigError(f"--sentence-level takes one metric, not {' and '.join(given.metrics)}")
    if given.sentence_level and given.confidence:
        raise ConfigError("--sentence-level and --confidence do not go together: intervals are of corpora")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=_PROGRAM,
        usage="%(prog)s REFERENCE [REFERENCE ...] [-i FILE [FILE ...]] [OPTION ...]",
        description="Score system outputs against references with sacreBLEU's options, output and numbers.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Assay's own command, `assay score`, has intervals for several systems, groups and more formats.",
    )
    _add_inputs(parser.add_argument_group("texts, one segment a line"))
    _add_metrics(parser.add_argument_group("metrics"))
    _add_bleu(parser.add_argument_group("BLEU"))
    _add_chrf(parser.add_argument_group("chrF"))
    _add_ter(parser.add_argument_group("TER"))
    _add_output(parser.add_argument_group("output"))
    by_reason = [[name for names, why in _REFUSED.items() if why == reason for name in names] for reason in _REASONS]
    refused = parser.add_argument_group("refused, with the reason and what to do", "\n".join(map(" ".join, by_reason)))
    for names in _REFUSED:
        refused.add_argument(*names, action=_Refused, nargs="*", help=argparse.SUPPRESS)
    return parser


def _add_inputs(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("references", nargs="*", metavar="REFERENCE", help="reference files, before -i")
    add("--input", "-i", nargs="*", metavar="FILE", action=_Once, help="outputs, a file for each system; else stdin")
    add("--num-refs", "-nr", type=int, default=1, metavar="N", help="split the one reference file at tabs into N")
    add("--encoding", "-e", default="utf-8", metavar="NAME", help="of all files and of standard input [utf-8]")
    add("--language-pair", "-l", metavar="SRC-TGT", help="picks BLEU's tokeniser for zh, ja and ko")


def _add_metrics(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--metrics", "-m", nargs="+", action=_Metrics, metavar="METRIC", help=f"of {', '.join(METRICS)} [bleu]")
    add("--sentence-level", "-sl", action="store_true", help="a score for each segment")
    add("--confidence", "-ci", action="store_true", help="bootstrapped mean and 95%% interval, for one system")
    add("--confidence-n", "-cin", type=int, default=RESAMPLES, metavar="N", help=f"resamples [{RESAMPLES}]")


def _add_bleu(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--smooth-method", "-s", choices=("none", "floor", "add-k", "exp"), default="exp", help="[exp]")
    add("--smooth-value", "-sv", type=float, metavar="X", help="of floor [0.1] and add-k [1]")
    add("--tokenize", "-tok", choices=(*_TOKENIZERS, *_DOWNLOADED_TOKENIZERS), help="[13a]")
    add("--lowercase", "-lc", action="store_true", help="ignore case")
    add("--force", action="store_true", help="do not ask whether the text is tokenised")


def _add_chrf(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--chrf-char-order", "-cc", type=int, default=6, metavar="N", help="longest character n-gram [6]")
    add("--chrf-word-order", "-cw", type=int, default=0, metavar="N", help="longest word n-gram [0]; 2 is chrF++")
    add("--chrf-beta", type=int, default=2, metavar="N", help="weight of recall [2]")
    add("--chrf-whitespace", action="store_true", help="spaces are characters")
    add("--chrf-lowercase", action="store_true", help="ignore case")
    add("--chrf-eps-smoothing", action="store_true", help="average the F-scores of all orders")


def _add_ter(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--ter-normalized", action="store_true", help="cut off punctuation")
    add("--ter-no-punct", action="store_true", help="drop punctuation")
    add("--ter-asian-support", action="store_true", help="with these two: Chinese and Japanese too, by character")
    add("--ter-case-sensitive", action="store_true", help="do not ignore case")


def _add_output(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--format", "-f", choices=FORMATS, default="json", help="[json]; the variable SACREBLEU_FORMAT goes first")
    add("--width", "-w", type=int, default=1, metavar="N", help="decimals [1]")
    add("--score-only", "-b", action="store_true", help="only the number")
    add("--short", "-sh", action="store_true", help="short signatures")
    add("--quiet", "-q", action="store_true", help="no notes on standard error")
    add("--no-color", "-nc", action="store_true", help="nothing is ever coloured, so this changes nothing")
    add("--debug", action="store_true", help="a traceback for every error")
    add("--version", "-V", action="version", version=f"sacrebleu {_SACREBLEU} (assay {__version__})")


class _Parser(argparse.ArgumentParser):
    """Raises what argparse would print."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(message, hint=f"{_PROGRAM} --help")


class _Once(argparse.Action):
    """A list that may be given once; sacreBLEU would forget all but the last."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        if getattr(namespace, self.dest) is not None:
            raise ConfigError(f"{option_string} was given twice", hint=f"name all behind one {option_string}")
        setattr(namespace, self.dest, list(values))


class _Metrics(_Once):
    """Metrics, and behind them references, which sacreBLEU would take for misspelt metrics."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        metrics = [value for value in values if value in METRICS]
        others = [value for value in values if value not in METRICS]
        for value in others:
            if not metrics or not os.path.exists(value):
                raise ConfigError(f"there is no metric '{value}'", hint=nearest(value, METRICS))
        super().__call__(parser, namespace, metrics, option_string)
        namespace.behind_metrics += others


class _Refused(argparse.Action):
    """An option of sacreBLEU's that Assay does not have."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        reason, hint = _REFUSED[tuple(self.option_strings)]
        raise ConfigError(f"{option_string} {reason}", hint=hint)

"""Functions of sacreBLEU's `utils` that other code imports. Assay does not download test sets: those of them raise."""

from __future__ import annotations

import gzip
import math
import os
from collections.abc import Iterable, Sequence
from typing import IO, Any, NoReturn, cast

from assay.comparison.sacrebleu.arithmetic import LOG_ZERO
from assay.errors import ConfigError

__all__ = [
    "DATASETS",
    "SACREBLEU_DIR",
    "download_test_set",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "my_log",
    "smart_open",
    "sum_of_lists",
]

SACREBLEU_DIR = os.environ.get("SACREBLEU", os.path.join(os.path.expanduser("~"), ".sacrebleu"))
"""The folder of sacreBLEU's files. SentencePiece models are in its folder `models`."""

DATASETS: dict[str, Any] = {}
"""The test sets: none."""


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """Open a file that may be compressed with gzip."""
    opened = gzip.open if file.endswith(".gz") else open
    return cast("IO[Any]", opened(file, mode=mode, encoding=encoding, newline="\n"))


def my_log(num: float) -> float:
    """The logarithm, and -9999999999 of 0."""
    return math.log(num) if num else LOG_ZERO


def sum_of_lists(lists: Iterable[Sequence[float]]) -> list[float]:
    """The sums of the first elements, of the second ones, and so on."""
    return [sum(column) for column in zip(*lists, strict=True)]


def get_available_testsets() -> list[str]:
    """The names of all test sets."""
    return list(DATASETS)


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The names of the test sets of a language pair."""
    return []


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set."""
    return []


def get_source_file(test_set: str, langpair: str) -> NoReturn:
    """Not supported."""
    _no_test_sets(test_set, langpair)


def get_reference_files(test_set: str, langpair: str) -> NoReturn:
    """Not supported."""
    _no_test_sets(test_set, langpair)


def download_test_set(test_set: str, langpair: str | None = None) -> NoReturn:
    """Not supported."""
    _no_test_sets(test_set, langpair)


def _no_test_sets(test_set: str, langpair: str | None) -> NoReturn:
    raise ConfigError(
        f"Assay does not download sacreBLEU's test sets, such as {test_set} {langpair or ''}".rstrip(),
        hint="read the texts from files, or use sacreBLEU for this",
    )

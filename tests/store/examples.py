"""A result of every verb, and a value of every result type."""

from __future__ import annotations

import atexit
import dataclasses
import functools
import inspect
import math
import shutil
import tempfile
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import ClassVar, Literal, Union, get_args, get_origin

import numpy as np

from assay import (
    agree,
    calibrate,
    check,
    compare,
    decisions,
    diff,
    explain,
    leaderboard,
    load,
    match,
    meta,
    metrics_task,
    rank,
    read,
    results,
    score,
)
from assay.sample import write
from assay.store.hints import hints_of
from assay.study.robustness import robustness
from assay.types import Column, FrozenDict, as_column
from tests.calibration.made_up import campaign as judged_campaign
from tests.campaigns_with_metrics import campaign, human, metric
from tests.study.test_correlate import correlations

__all__ = ["VERBS", "example", "invent", "parts", "result_types", "testset"]


VERBS = {
    "score": lambda: score(testset(), ["bleu", "chrf"], by="domain", resamples=20),
    "compare": lambda: compare(testset(), ["bleu"], all_pairs=True, resamples=20),
    "leaderboard": lambda: leaderboard(
        [testset(), dataclasses.replace(testset(), lp="de-en")], ["bleu"], resamples=200
    ),
    "diff": lambda: diff(example("score"), score(testset(), ["bleu:tok=char", "chrf++"], resamples=20)),
    "match": lambda: match(testset(), "27.3", top=3, resamples=10),
    "check": lambda: check([sample() / "human/da.csv", sample() / "README.md"]),
    "rank ratings": lambda: rank(read(sample() / "human/da.csv")[0].judgements[0], resamples=20),
    "rank errors": lambda: rank(read(sample() / "human/mqm.tsv")[0].judgements[0], resamples=20),
    "rank rankings": lambda: rank(read(sample() / "human/rankings.csv")[0].judgements[0], resamples=20),
    "rank pairs": lambda: rank([campaign(), campaign("en-zh")], resamples=20),
    "meta": lambda: meta([campaign(), campaign("en-zh")], statistics=("pearson", "kendall"), resamples=20),
    "meta segments": lambda: meta([campaign()], level="segment", resamples=0),
    "metrics task": lambda: metrics_task([campaign(), campaign("en-zh")], made_up_task(), resamples=20),
    "correlate": lambda: correlations(),
    "agree": lambda: agree(metric("good", 0.1), human(), outliers="both", resamples=20),
    "robustness top": lambda: robustness(campaign(), kind="top", min_systems=4),
    "robustness windows": lambda: robustness(campaign(), kind="windows", subset_size=4),
    "robustness without-one": lambda: robustness(campaign(), kind="without-one"),
    "robustness subsamples": lambda: robustness(campaign(), kind="subsamples", resamples=20),
    "calibrate": lambda: calibrate(judged_campaign(), metrics="bleu", min_segments=20, at="2", resamples=20),
    "explain": lambda: explain("bleu", 1.2, lp="de-en"),
    "decisions": lambda: decisions(judged_campaign(), metrics="bleu,chrf", min_segments=20),
    "reproduce": lambda: made_up_paper(),
}
"""Calls of all verbs."""


@functools.cache
def example(name):
    """The result of one of the calls."""
    return VERBS[name]()


def made_up_paper():
    """A paper with a number of every verdict."""
    from tests.results.test_reproduction import reproduction  # which has an example as a result

    return reproduction()


def made_up_task():
    """A task file of two components."""
    path = sample().parent / "made-up.toml"
    path.write_text(
        '[pairs]\n"*" = { reference = "refA" }\n[[components]]\nstatistic = ["pearson", "spearman"]\n', encoding="utf-8"
    )
    return path


@functools.cache
def sample():
    """The German half of the sample campaign."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    return write(Path(folder) / "sample")[0]


@functools.cache
def testset():
    return load(
        outputs={path.stem: path for path in sorted((sample() / "systems").iterdir())[:3]},
        references={"refA": sample() / "refA.de", "refB": sample() / "refB.de"},
        domains=sample() / "domains.txt",
        lp="en-de",
    )


def result_types():
    """The dataclasses that `assay.results` exports, without those that are only bases of others."""
    exported = [getattr(results, name) for name in results.__all__]
    types = [value for value in exported if dataclasses.is_dataclass(value)]
    bases = {base for cls in types for base in cls.__mro__[1:]}
    return [cls for cls in types if cls not in bases and not inspect.isabstract(cls)]


@functools.cache
def parts():
    """One value of every type in `result_types`: from the examples, or else made up from the type hints."""
    values = {}
    for name in VERBS:
        _collect(example(name), values)
    return {cls: values[cls] if cls in values else invent(cls) for cls in result_types()}


def invent(hint, inside=()):
    """A value that fits a type hint; None rather than a value of a class inside itself."""
    if get_origin(hint) is not None:
        return _invent_generic(get_origin(hint), get_args(hint), inside)
    if inspect.isabstract(hint):
        return example("agree")
    if hint is results.Published:
        return results.Published(".85")  # its text must be a number
    if dataclasses.is_dataclass(hint) or hasattr(hint, "_fields"):
        derived = {each.name for each in getattr(hint, "__dataclass_fields__", {}).values() if not each.init}
        hints = {name: kind for name, kind in hints_of(hint).items() if name not in derived}
        fields = {name: kind for name, kind in hints.items() if get_origin(kind) is not ClassVar}
        return hint(**{name: invent(kind, (*inside, hint)) for name, kind in fields.items()})
    if issubclass(hint, Enum):
        return next(iter(hint))
    return {str: "é", int: 3, float: math.nan, bool: True, NoneType: None, Column: as_column(["é"])}[hint]


def _invent_generic(origin, arguments, inside):
    if origin in (Union, UnionType):
        return invent(next(argument for argument in arguments if argument not in inside), inside)
    if origin is tuple:
        return tuple(invent(argument, inside) for argument in arguments if argument is not Ellipsis)
    if origin is Mapping:
        return FrozenDict({invent(arguments[0], inside): invent(arguments[1], inside)})
    if origin is Literal:
        return arguments[0]
    return np.ones((1, 1), dtype=get_args(arguments[1])[0])  # an array


def _collect(value, values):
    if isinstance(value, Mapping) and not dataclasses.is_dataclass(value):
        value = (*value, *value.values())
    if isinstance(value, tuple):
        for item in value:
            _collect(item, values)
    elif dataclasses.is_dataclass(value):
        values.setdefault(type(value), value)
        for field in dataclasses.fields(value):
            _collect(getattr(value, field.name), values)

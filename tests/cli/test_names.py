"""One name for one thing: options of the command line and parameters of the verbs, with the same defaults."""

from __future__ import annotations

import importlib
import inspect
import operator
import re
import typing
from pathlib import Path

import click
import pytest

import assay
from assay.console import as_flag
from assay.errors import spelled, spelling_options
from assay.options.verb import options_of_verb
from assay.types.runtime import RuntimeFields
from tests.cli.commands import commands

COMMANDS = commands()
STUBS = {
    words[3]: words[1]
    for words in map(str.split, Path(assay.__file__).with_suffix(".pyi").read_text(encoding="utf-8").splitlines())
    if len(words) == 6
}
"""The module of each public name."""

VERBS = {
    "score": ("score", "load", "load_test_set", "load_campaign", "Campaign.select_texts", "load_scores"),
    "compare": ("compare", "load", "load_test_set", "load_campaign", "Campaign.select_texts", "load_scores"),
    "leaderboard": ("leaderboard", "load", "load_test_set", "load_campaign", "Campaign.select_texts"),
    "align": ("align",),
    "rerank": ("rerank",),
    "annotate": ("annotate", "load_campaign"),
    "match": ("match", "load", "load_test_set", "load_campaign", "Campaign.select_texts"),
    "diff": ("diff",),
    "rank": ("rank", "load_campaigns"),
    "meta": (
        "meta",
        "load_campaigns",
        "load_scores",
        "metrics_task",
        "meta_spans",
        "meta_error_free",
        "meta_challenge",
    ),
    "robustness": ("robustness", "load_campaign", "load_scores"),
    "reliability": ("reliability", "load", "load_test_set", "load_campaign", "Campaign.select_texts"),
    "correlate": ("correlate", "load_campaigns", "load_scores"),
    "calibrate": ("calibrate", "load_campaigns", "load_scores"),
    "explain": ("explain",),
    "decisions": ("decisions", "load_campaigns", "load_scores"),
    "triage": ("triage", "load_campaigns", "load_scores"),
    "prefer": ("prefer", "load", "load_test_set", "load_campaign", "Campaign.select_texts", "load_scores"),
    "train": ("train", "load_campaigns"),
    "reproduce": ("reproduce",),
    "report": ("report", "load_campaigns"),
    "plot": ("plot",),
    "data list": ("list_data",),
    "data check": ("check",),
    "data convert": ("convert",),
    "data import": ("import_data",),
    "data fetch": ("fetch_data", "list_downloads"),
    "models list": ("list_models",),
    "models fetch": ("fetch_models",),
    "metrics list": ("list_metrics",),
    "metrics show": ("describe_metric",),
    "doctor": ("doctor",),
    "demo": (),
    "completion": (),
}
"""The verbs that each command calls; the first is its own."""

OUTPUT = {"force", "format", "output", "save", "notes", "signatures"}
"""How a result is written: `document` and `save_result` in Python."""

ONLY_COMMAND_LINE = {
    "scores": "files on the command line; in Python `load_scores` reads them and `external` takes the tables",
    "named_outputs": "--sys NAME=FILE is an item of `outputs`",
    "segments": "an option of the report: a run has the scores of its segments",
    "spans": "a run has them as `predictions`",
    "sort": "an option of the report: a run keeps the order of its systems",
    "details": "an option of the report: a comparison has all of it",
    "pairs": "an option of the report: a comparison has all pairs",
    "p_values": "an option of the report: a ranking has its p-values",
    "save_texts": "`texts` of `save_result`",
    "report": "the result has it",
    "echo": "`read_test_set` returns the texts",
    "no_text": "`texts` of `report`",
    "fail_if": "sets the exit code",
    "learn_from": "`campaigns`, whose texts are not those that are compared",
    "learn_lp": "`load_campaigns` chooses language pairs",
    "help": "prints this page",
    "files": "texts; in Python `load` reads them as outputs",
    "folder": "the demo writes files",
    "shell": "the completion script",
}

ONLY_PYTHON = {
    **dict.fromkeys(("runtime", *RuntimeFields.__annotations__), "--threads and --device; progress is shown"),
    "testset": "made of the options for texts",
    "testsets": "made of the options for texts",
    "campaigns": "loaded from DATA",
    "campaign": "loaded from DATA",
    "judgements": "loaded from DATA",
    "texts": "--no-text",
    "human": "human scores in the data",
    "external": "--scores",
    "paths": "--scores",
    "target": "the test set that --scores belong to, or the last of the arguments",
}

OTHER_DEFAULTS = {
    ("match", "top"): "a table shows ten candidates; Python returns all",
}


def verbs(name):
    return [operator.attrgetter(verb)(assay) for verb in VERBS[name]]


def parameters(name):
    found = [p for verb in reversed(verbs(name)) for p in inspect.signature(verb).parameters.values()]
    return {p.name: p for p in found if p.name != "self"}


def test_every_command_is_listed():
    assert set(VERBS) == set(COMMANDS)


@pytest.mark.parametrize("name", VERBS)
def test_options_have_the_names_of_parameters(name):
    known = {*parameters(name), *OUTPUT, *ONLY_COMMAND_LINE}
    assert [p.name for p in COMMANDS[name].params if p.name not in known] == []


@pytest.mark.parametrize("name", VERBS)
def test_parameters_have_options(name):
    if not VERBS[name]:
        return
    own = inspect.signature(verbs(name)[0]).parameters
    options = {option.name for option in COMMANDS[name].params}
    assert [parameter for parameter in own if parameter not in {*options, *ONLY_PYTHON}] == []


@pytest.mark.parametrize("name", VERBS)
def test_flags_spell_the_name(name):
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option) and option.name not in ("named_outputs", "lps"):
            assert f"--{option.name.replace('_', '-')}" in option.opts, option.name


@pytest.mark.parametrize("name", VERBS)
def test_defaults_are_those_of_the_verb(name):
    """Options that were not given are not passed on, so what the help page promises must be the verb's default."""
    known = parameters(name)
    for option in COMMANDS[name].params:
        parameter = known.get(option.name)
        if not isinstance(option, click.Option) or parameter is None or (name, option.name) in OTHER_DEFAULTS:
            continue
        if isinstance(option.default, int | float | str) and not option.is_flag and parameter.default is not None:
            assert option.default == parameter.default, option.name


NOT_VERBS = {"open_result", "save_result"}  # they are of a lower layer
PUBLIC = [name for name in assay.__all__ if inspect.isfunction(getattr(assay, name)) and name not in NOT_VERBS]


@pytest.mark.parametrize("name", PUBLIC)
def test_every_parameter_is_typed_and_documented(name):
    """Editors and type checkers read the function itself, which the stub re-exports."""
    function = getattr(assay, name)
    module = importlib.import_module(STUBS[name])
    assert getattr(module, name) is function
    declared = options_of_verb(function)
    signature = inspect.signature(function)
    assert list(signature.parameters) == list(declared)
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty
        assert declared[parameter.name].option.help, parameter.name
        assert re.search(rf"^\*?{parameter.name} : \S.*\n    \S", function.__doc__, re.MULTILINE), parameter.name


def test_functions_take_the_fields_of_runtime_as_documented():
    page = (Path(__file__).parents[2] / "docs" / "features.md").read_text(encoding="utf-8")
    at_once = re.findall(r"`(\w+)`", page.partition("except those that are done at once:")[2].partition(".\n")[0])
    fields = {"runtime", *RuntimeFields.__annotations__}
    without = [name for name in PUBLIC if not fields <= inspect.signature(getattr(assay, name)).parameters.keys()]
    assert sorted(without) == at_once
    assert not any(fields & inspect.signature(getattr(assay, name)).parameters.keys() for name in at_once)


@pytest.mark.parametrize("name", [name for name in PUBLIC if "runtime" in options_of_verb(getattr(assay, name))])
def test_fields_of_runtime_are_keyword_arguments_for_type_checkers(name):
    """Type checkers read the annotation of `**_`, or that of the overloads."""
    function = getattr(assay, name)
    for declared in typing.get_overloads(function.__wrapped__) or [function]:
        own = inspect.get_annotations(declared, eval_str=True)
        (fields,) = [typing.get_args(each) for each in own.values() if typing.get_origin(each) is typing.Unpack]
        assert RuntimeFields.__annotations__.items() <= fields[0].__annotations__.items()


@pytest.mark.parametrize("name", VERBS)
def test_options_of_commands_are_those_of_the_verb(name):
    """The same default, choices and help."""
    if not VERBS[name]:
        return
    options = {option.name: option for option in COMMANDS[name].params if isinstance(option, click.Option)}
    for parameter in options_of_verb(verbs(name)[0]).values():
        if not parameter.is_command_option:
            continue
        option = options[parameter.name]
        with spelling_options(as_flag):
            assert option.help.startswith(spelled(parameter.option.help))
        assert (option.multiple, option.is_flag) == (parameter.takes_several, parameter.members == (bool,))
        if isinstance(option.default, int | float | str) and not isinstance(option.default, bool):
            assert option.default == parameter.default
        if parameter.choices and not parameter.option.takes_file:
            assert set(parameter.choices) <= set(option.type.choices)


OWN_WORDS = {"data fetch", "models list", "doctor"}
"""Commands whose help pages do not import the verb, which imports numpy."""


@pytest.mark.parametrize("name", [name for name in VERBS if VERBS[name] and name not in OWN_WORDS])
def test_help_pages_begin_with_the_description_of_the_verb(name):
    description = verbs(name)[0].__doc__.partition("\n\nParameters\n")[0]
    flags = {option.name: max(option.opts, key=len) for option in COMMANDS[name].params}
    expected = re.sub(r"`(\w+)`", lambda match: flags[match[1]], description)
    assert COMMANDS[name].help.startswith(f"{expected}\n\n")
    assert COMMANDS[name].help.count("Example") == 1


def test_one_name_means_one_thing_everywhere():
    """An option of a name has the same type, and takes one or several values, in all commands."""
    kinds = {}
    for name, command in COMMANDS.items():
        for option in command.params:
            if isinstance(option, click.Option) and option.name not in EXCEPTIONS_OF_KIND:
                kind = option.type.name.replace("choice", "text")
                kinds.setdefault(option.name, {}).setdefault((kind, option.multiple), name)
    assert {name: found for name, found in kinds.items() if len(found) > 1} == {}


EXCEPTIONS_OF_KIND = {
    "data": "test sets; in `reproduce`, the folder that contains them",
    "agg": "several aggregations, but the one of a difference in `explain`",
    "references": "files in `score` and `data check`, names of references elsewhere",
    "fail_if": "what must not differ in `diff`, a condition in `compare`",
    "gold": "names in order of preference in `train` and `prefer`, a single one elsewhere",
    "judged": "how many segments people judge in `explain` and `compare`; several such numbers in `calibrate`",
    "scores": "one file in `rerank`, several elsewhere",
    "outliers": "keep, drop or both in `meta`; names of systems in `robustness`, which samples without and with them",
}


def test_exceptions_are_needed():
    options = {option.name for command in COMMANDS.values() for option in command.params}
    named = {parameter for name in VERBS for parameter in parameters(name)}
    assert set(ONLY_COMMAND_LINE) - {"help"} <= options
    assert set(ONLY_PYTHON) <= named
    assert set(EXCEPTIONS_OF_KIND) <= options

"""Options: all of sacreBLEU's are known, those that Assay lacks are refused by name."""

from __future__ import annotations

import argparse
import shlex
import sys

import pytest
from sacrebleu import sacrebleu as their_command

from assay.compat.sacrebleu import options as module
from assay.compat.sacrebleu.options import parse
from assay.errors import ConfigError
from tests.compat.sacrebleu.oracle import ours


@pytest.fixture
def their_options(monkeypatch):
    """The options that sacreBLEU's parser declares."""
    declared = []

    def stop(parser, *_arguments):
        declared.extend(name for action in parser._actions for name in action.option_strings)
        raise SystemExit

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", stop)
    monkeypatch.setattr(sys, "argv", ["sacrebleu"])
    with pytest.raises(SystemExit):
        their_command.parse_args()
    return declared


def test_every_option_of_sacrebleu_is_known(their_options):
    found = {name for action in module._parser()._actions for name in action.option_strings}
    assert len(their_options) > 60
    assert found == {*their_options, "--debug"}


def test_defaults():
    options = parse(["ref.de"])
    assert (options.references, options.input, options.metrics) == (["ref.de"], None, ["bleu"])
    assert (options.format, options.width, options.encoding, options.target) == ("json", 1, "utf-8", "")


@pytest.mark.parametrize(
    ("line", "references", "systems"),
    [
        ("a b -i c d", ["a", "b"], ["c", "d"]),
        ("-i c -- a b", ["a", "b"], ["c"]),
        ("-lc a -i c -b b", ["a", "b"], ["c"]),
        ("a -m bleu chrf -i c", ["a"], ["c"]),
        ("-m bleu . -i c", ["."], ["c"]),
        ("a -f text", ["a"], None),
    ],
)
def test_references_may_stand_anywhere(line, references, systems):
    options = parse(line.split())
    assert (options.references, options.input) == (references, systems)


def test_the_environment_goes_first(monkeypatch):
    for value, expected in (("LaTeX", "latex"), ("yaml", "text")):
        monkeypatch.setenv("SACREBLEU_FORMAT", value)
        assert parse(["ref.de", "-f", "text"]).format == expected


@pytest.mark.parametrize("pair", ["en-zh", "en-zh-Hans"])
def test_target_language(pair):
    assert parse(["ref.zh", "-l", pair]).target == "zh"


@pytest.mark.parametrize("names", list(module._UNSUPPORTED), ids=" ".join)
def test_unsupported_options(names):
    for name in names:
        for line in (["ref.de", name], ["ref.de", "-i", "out.de", name, "1"]):
            with pytest.raises(ConfigError, match=rf"^{name} (uses|compares) .*(does not have|not implemented)"):
                parse(line)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "no reference was given\n.*before -i"),
        ("-i out.de ref.de", "no reference was given"),
        ("ref.de -i", "-i needs at least one file"),
        ("ref.de -i a -i b", "-i was given twice"),
        ("ref.de -m bleu -m chrf", "-m was given twice"),
        ("ref.de -m tre", "unknown metric 'tre'\ndid you mean 'ter'"),
        ("ref.de -m BLEU", "unknown metric 'BLEU'\ndid you mean 'bleu'"),
        ("ref.de -m bleu chfr", "unknown metric 'chfr'\ndid you mean 'chrf'"),
        ("ref.de -m", "argument --metrics/-m: expected at least one argument"),
        ("ref.de -nr 0", "--num-refs must be 1 or more"),
        ("a b -nr 2", "--num-refs 2 splits one reference file at tabs, not 2"),
        ("ref.de -e klingon", "unknown encoding 'klingon'"),
        ("ref.de -e rot13", "unknown encoding 'rot13'"),
        ("ref.de -l zh", "'zh' is not a language pair"),
        ("ref.de -w -1", "--width must be between 0 and 100, not -1"),
        ("ref.de -w x", "argument --width/-w: invalid int value: 'x'"),
        ("ref.de -tok nothing", "argument --tokenize/-tok: invalid choice: 'nothing'"),
        ("ref.de -f yaml", "argument --format/-f: invalid choice"),
        ("ref.de -sl -m bleu chrf", "--sentence-level accepts one metric, not bleu and chrf"),
        ("ref.de -sl -ci", "--sentence-level cannot be combined with --confidence"),
        ("ref.de --nonsense", "unrecognized arguments: --nonsense"),
        ("ref.de --conf", "ambiguous option: --conf could match --confidence, --confidence-n"),
    ],
)
def test_errors(line, message):
    with pytest.raises(ConfigError, match=f"(?s)^{message}") as raised:
        parse(shlex.split(line))
    assert raised.value.exit_code == 2


@pytest.mark.parametrize("line", ["--help", "-h"])
def test_help(line):
    code, out, err = ours(line)
    assert (code, err) == (0, "")
    for action in module._parser()._actions:
        assert action.help
        assert all(name.encode() in out for name in action.option_strings)


def test_version():
    code, out, _ = ours("--version")
    assert code == 0
    assert out.startswith(b"sacrebleu 2.6.0 (assay ")

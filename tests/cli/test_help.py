from __future__ import annotations

import re

import click
import pytest

from assay.cli.group import _run, cli
from tests.cli.commands import commands

COMMANDS = commands()


@pytest.mark.parametrize("arguments", [[], ["data"], ["metrics"]])
def test_a_group_alone_prints_its_help(arguments, capsys):
    assert _run(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.startswith(f"Usage: {' '.join(['assay', *arguments])} [OPTIONS] COMMAND")
    assert "Commands:" in captured.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_page_has_examples_and_sentences(name, capsys):
    assert _run([*name.split(), "--help"]) == 0
    page = capsys.readouterr().out
    assert re.search(r"^  Examples?:$", page, re.MULTILINE)
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option) and not option.hidden:
            text = option.get_help_record(click.Context(COMMANDS[name]))[1]
            assert re.match(r"\w.*[.\])]$", text), (option.name, text)


def test_options_are_grouped_and_help_is_last(capsys):
    assert _run(["rank", "--help"]) == 0
    titles = re.findall(r"^([A-Z].*):$", capsys.readouterr().out, re.MULTILINE)
    assert titles == ["Data", "Systems", "Human scores", "Tests", "Resampling", "Output", "Runtime", "Other options"]


def test_help_imports_nothing_slow():
    import subprocess
    import sys

    code = (
        "import sys; from assay.cli.group import _run; _run(['--help']); print({'numpy', 'shutil'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("set()\n")


def test_no_help_page_imports_numpy():
    """A page imports the public function of its command, which declares the options, and all that it is made of."""
    import subprocess
    import sys

    slow = {"altair", "jinja2", "numpy", "pandas", "rich", "scipy"}
    code = (
        "import sys; from assay.cli.group import _run\n"
        f"for name in {list(COMMANDS)}:\n"
        "    assert _run([*name.split(), '--help']) == 0\n"
        f"    assert not {slow} & set(sys.modules), (name, {slow} & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_scoring_imports_nothing_slow(tmp_path):
    import subprocess
    import sys

    lines = "".join(f"The line number {i} is short.\n" for i in range(300))
    for name in ("ref", "out"):
        (tmp_path / name).write_text(lines, encoding="utf-8")
    code = (
        "import sys; from assay.cli.group import _run; _run(sys.argv[1:]); "
        "print({'numpy.ma', 'scipy'} & set(sys.modules))"
    )
    command = [sys.executable, "-c", code, "score", "--ref", str(tmp_path / "ref"), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("set()\n")


def test_the_process_ends_with_all_output_written_and_exit_functions_called():
    import subprocess
    import sys

    code = (
        "import atexit, sys; from assay.cli import main; atexit.register(print, 'the end'); "
        "sys.argv = ['assay', *sys.argv[1:]]; main()"
    )
    done = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1], done.stderr) == (0, "the end", "")
    done = subprocess.run([sys.executable, "-c", code, "scores"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "unknown command" in done.stderr


def test_the_list_of_commands_is_that_of_the_groups():
    assert cli.commands == {}  # they are imported when used
    assert {name.split()[0] for name in COMMANDS} == set(cli.list_commands(click.Context(cli)))


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["score", "--src", "a", "--sources=b", "x"], "--src"),
        (["compare", "--seed", "1", "--seed", "1"], "--seed"),
        (["meta", "d", "-o", "a", "--output", "b"], "--output"),
    ],
)
def test_an_option_with_one_value_is_given_once(arguments, name, capsys):
    assert _run(arguments) == 2
    assert f"error: {name} was given twice\n" in capsys.readouterr().err


def test_flags_and_lists_can_be_repeated(capsys):
    assert _run(["score", "--force", "--force", "-m", "bleu", "-m", "chrf", "--ref", "a", "--ref", "b", "none.de"]) == 3

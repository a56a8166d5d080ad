from __future__ import annotations

import io
import subprocess
import sys

import pexpect
import pytest

from assay import console
from assay.errors import InputError

SLOW = """
import time
from assay.console import say, shown_progress
with shown_progress() as progress:
    for step in range(4):
        if progress is not None:
            progress("scoring bleu", step, 4)
        time.sleep(0.25)
say("note", "done")
"""


def on_a_terminal(code, **environment):
    shown = {"TERM": "xterm", "PATH": "/bin", **environment}
    with pexpect.spawn(sys.executable, ["-c", code], env=shown, encoding="utf-8") as terminal:
        return terminal.read()


def test_progress_is_shown_on_a_terminal_and_wiped_off():
    text = on_a_terminal(SLOW)
    assert "scoring bleu: 2 of 4 done" in text
    assert "scoring bleu: 0 of 4 done" not in text  # too early to be worth a word
    assert text.index("4 done") < text.rindex("\r\x1b[K") < text.index("note:")


def test_no_progress_and_no_colour_in_a_pipe():
    done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "note: done\n")


def test_a_dumb_terminal_gets_no_progress():
    assert "scoring" not in on_a_terminal(SLOW, TERM="dumb")


SAY = "from assay.console import say; say('error', 'x')"


@pytest.mark.parametrize(
    ("environment", "is_coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False)],
)
def test_colour_on_a_terminal(environment, is_coloured):
    assert ("\x1b[" in on_a_terminal(SAY, **environment)) == is_coloured


def test_colour_can_be_forced_in_a_pipe():
    done = subprocess.run([sys.executable, "-c", SAY], capture_output=True, text=True, env={"FORCE_COLOR": "1"})
    assert done.stderr == "\x1b[31m\x1b[1merror:\x1b[0m x\n"


def test_output_that_cannot_be_written(monkeypatch):
    class Full(io.StringIO):
        def flush(self):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    with pytest.raises(InputError, match="standard output: no space left on device"):
        console.show("x")
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(InputError, match="standard output: closed"):
        console.show("x")


def test_one_message_is_one_line(capsys):
    console.say("note", "a\nb\x1b[31m\tc")
    assert capsys.readouterr().err == "note: a b\\x1b[31m\\tc\n"

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from contextlib import suppress

import click
import pexpect
import pytest

from assay import console
from assay.errors import ConfigError, InputError, option_name
from assay.types import Note, NoteKind

SLOW = """
import time
from assay.console import print_message, terminal_runtime
with terminal_runtime() as runtime:
    for step in range(4):
        if runtime.progress is not None:
            runtime.report("scoring bleu", step, 4)
        time.sleep(0.25)
print_message("note", "done")
"""


def on_a_terminal(code, **environment):
    shown = {"TERM": "xterm", "PATH": "/bin", **environment}
    with pexpect.spawn(sys.executable, ["-c", code], env=shown, encoding="utf-8") as terminal:
        return terminal.read()


def test_progress_is_shown_on_a_terminal_and_cleared():
    text = on_a_terminal(SLOW)
    assert "scoring bleu: 2 of 4 done" in text
    assert "scoring bleu: 0 of 4 done" not in text  # too early to be worth a word
    assert text.index("4 done") < text.rindex("\r\x1b[K") < text.index("note:")


def test_no_progress_and_no_colour_in_a_pipe():
    done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "note: done\n")


def test_a_dumb_terminal_gets_no_progress():
    assert "scoring" not in on_a_terminal(SLOW, TERM="dumb")


@pytest.mark.parametrize(("named", "folder"), [(None, ".cache/assay"), ("", ".cache/assay"), ("~/kept", "kept")])
def test_results_of_networks_are_cached(monkeypatch, tmp_path, named, folder):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("ASSAY_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    if named is not None:
        monkeypatch.setenv("ASSAY_CACHE", named)
    with console.terminal_runtime(2, "cuda:1") as runtime:
        assert (runtime.threads, runtime.device, runtime.cache) == (2, "cuda:1", tmp_path / folder)


def test_a_warning_clears_the_progress_and_is_printed_once(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    line = console._ProgressLine(is_terminal=True)
    line._next = 0.0
    line.show("a", 1, 2)
    line.warn("the cache is full")
    line.warn("the cache is full")
    text = sys.stderr.getvalue()
    assert text.count("warning: the cache is full\n") == 1
    assert text.index("1 of 2 done") < text.rindex("\r\x1b[K") < text.index("warning")


def shown_progress(monkeypatch, steps, *, is_terminal):
    """What is shown for steps of (seconds, task, done, total)."""
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    line = console._ProgressLine(is_terminal=is_terminal)
    for seconds, *step in steps:
        now += seconds
        line.show(*step)
    line.clear()
    return sys.stderr.getvalue()


def test_progress_has_a_pace(monkeypatch):
    steps = [(1, "a", 100, 9000), (1, "a", 200, 9000), (9, "a", 1100, 9000), (1, "b", 0, 10), (4, "b", 1, 90000)]
    shown = shown_progress(monkeypatch, steps, is_terminal=True).split("\r\x1b[K")
    assert shown == [
        "",
        "a: 100 of 9,000 done",
        "a: 200 of 9,000 done",
        "a: 1,100 of 9,000 done (100 per second, 1 min 19 s left)",
        "b: 0 of 10 done",
        "b: 1 of 90,000 done (0.2 per second, 99 h 59 min left)",
        "",
    ]


def test_a_task_that_is_repeated_has_a_pace_of_its_own(monkeypatch):
    """As that of an encoder, for every block of texts."""
    steps = [(1, "a", 0, 90), (9, "a", 90, 90), (100, "a", 0, 90), (3, "a", 30, 90)]
    shown = shown_progress(monkeypatch, steps, is_terminal=True).split("\r\x1b[K")
    assert shown == ["", "a: 0 of 90 done", "a: 0 of 90 done", "a: 30 of 90 done (10 per second, 6 s left)", ""]


def test_progress_in_a_file_is_a_line_a_minute(monkeypatch):
    steps = [(1, "a", 0, 900), (30, "a", 100, 900), (30, "a", 200, 900), (59, "a", 300, 900), (2, "a", 900, 900)]
    assert (
        shown_progress(monkeypatch, steps, is_terminal=False)
        == "a: 200 of 900 done (3.3 per second, 3 min 30 s left)\n"
    )


def test_slow_progress_is_counted_per_minute(monkeypatch):
    steps = [(1, "a", 0, 90), (60, "a", 2, 90)]
    shown = shown_progress(monkeypatch, steps, is_terminal=True).split("\r\x1b[K")
    assert shown[2] == "a: 2 of 90 done (2.0 per minute, 44 min 0 s left)"


def test_details_of_a_task_follow_its_progress(monkeypatch):
    """They change, and the task is the same."""
    steps = [(1, "a", 0, 90), (10, "a; 1.00 USD", 10, 90), (10, "a; 2.00 USD", 20, 90)]
    shown = shown_progress(monkeypatch, steps, is_terminal=True).split("\r\x1b[K")
    assert shown[3] == "a: 20 of 90 done (1.0 per second, 1 min 10 s left); 2.00 USD"


def test_progress_stays_on_one_line_of_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    steps = [(1, "a long task", 10, 90)]
    assert shown_progress(monkeypatch, steps, is_terminal=True).split("\r\x1b[K")[1] == "a long task: 10 of "
    assert shown_progress(monkeypatch, [(61, *steps[0][1:])], is_terminal=False) == "a long task: 10 of 90 done\n"


def test_what_language_models_have_used_is_said_at_the_end(capsys):
    def interrupted():
        with console.terminal_runtime(prices=(2.5, 10.0), budget=3.0, parallel=2) as runtime:
            assert (runtime.prices, runtime.budget, runtime.parallel) == ((2.5, 10.0), 3.0, 2)
            runtime.spent.say("texts leave this computer")
            runtime.spent.add(1000, 200)
            runtime.spent.from_cache = 7
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert capsys.readouterr().err == (
        "note: texts leave this computer\n"
        "note: 1 request to language models: 1,000 tokens read, 200 written, 0.0045 USD; "
        "7 more replies were in the cache\n"
    )
    with console.terminal_runtime():
        pass
    assert capsys.readouterr().err == ""


SAY = "from assay.console import print_message; print_message('error', 'x')"


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
        console.write_stdout("x")
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(InputError, match="standard output: closed"):
        console.write_stdout("x")


def test_one_message_is_one_line(capsys):
    console.print_message("note", "a\nb\x1b[31m\tc")
    assert capsys.readouterr().err == "note: a b\\x1b[31m\\tc\n"


NOTES = """
from assay.console import show_notes
from assay.types import Note, NoteKind
notes = [Note(NoteKind.PROVENANCE, f"p{k}") for k in range(12)] + [Note(NoteKind.SUSPECT, "looks shifted")]
show_notes(notes, AMOUNT)
"""


def lines_of(text):
    return [line.replace("\x1b[36m\x1b[1m", "").replace("\x1b[0m", "") for line in text.splitlines()]


def test_few_notes_on_a_terminal():
    shown = lines_of(on_a_terminal(NOTES.replace("AMOUNT", "None"), COLUMNS="80"))
    assert shown == [*(f"note: p{k}" for k in range(4)), "note: looks shifted", "note: 8 more notes: --notes all"]
    assert len(lines_of(on_a_terminal(NOTES.replace("AMOUNT", "'all'")))) == 13


def test_a_long_note_counts_as_several_lines():
    code = NOTES.replace("AMOUNT", "None").replace("looks shifted", "x" * 150).replace("range(12)", "range(5)")
    shown = lines_of(on_a_terminal(code, COLUMNS="80", LINES="24"))
    assert shown[:3] == ["note: p0", "note: p1", "note: p2"]
    assert shown[-1] == "note: 2 more notes: --notes all"


def test_notes_in_a_pipe(capsys):
    notes = [Note(NoteKind.ADVICE, f"n{k}", "a.txt") for k in range(12)]
    console.show_notes(notes)
    assert capsys.readouterr().err == "".join(f"note: a.txt: n{k}\n" for k in range(12))
    console.show_notes(notes, "few")
    assert capsys.readouterr().err.splitlines()[-1] == "note: 7 more notes: --notes all"
    console.show_notes(notes[:6], "few")
    assert len(capsys.readouterr().err.splitlines()) == 6
    console.show_notes(notes, "none")
    assert capsys.readouterr().err == ""


def test_warnings_are_called_so_and_shown_first(capsys):
    notes = [Note(NoteKind.SUSPECT, f"n{k}") for k in range(6)]
    console.show_notes([*notes, Note(NoteKind.MISSING, "2 lines are empty", "a.txt", 2, "warning")], "few")
    shown = capsys.readouterr().err.splitlines()
    assert shown == [
        "warning: a.txt: 2 lines are empty",
        *(f"note: n{k}" for k in range(4)),
        "note: 2 more notes: --notes all",
    ]


def test_a_warning_of_each_kind_is_shown_however_many_there_are(capsys):
    def warning(text, where):
        return Note(NoteKind.SUSPECT, text, where, None, "warning")

    spaces = [
        warning(f"{k} of 300 lines {'is' if k == 1 else 'are'} in capitals, first here", f"s{k}, line {k}")
        for k in (1, 2, 3)
    ]
    kinds = [warning(f"it looks {word}", "a.txt") for word in ("shifted", "copied", "short", "long", "odd", "foreign")]
    notes = [Note(NoteKind.PROVENANCE, f"p{k}") for k in range(3)]
    console.show_notes([*notes, *spaces, *kinds], "few")
    assert capsys.readouterr().err.splitlines() == [
        "warning: s1, line 1: 1 of 300 lines is in capitals, first here (and 2 like it)",
        *(f"warning: {each}" for each in kinds),
        "note: 2 more warnings like these and 3 more notes: --notes all",
    ]


def test_every_kind_of_note_has_an_importance():
    assert sorted(console._NOTE_ORDER) == sorted(NoteKind)


@pytest.mark.parametrize("columns", ["132", "0", "-1", "many", None])
def test_the_width_of_the_terminal_is_that_of_shutil(monkeypatch, columns):
    if columns is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", columns)
    assert console.terminal_columns() == shutil.get_terminal_size().columns


def test_errors_spell_options_as_the_flags_of_the_command(capsys):
    @click.command()
    @click.option("--ref", "--references", "references")
    @click.option("--all-pairs", is_flag=True)
    def command(references, all_pairs):
        options = option_name("references", "ref.de"), option_name("all_pairs", True), option_name("other_one")
        raise ConfigError(" ".join(options), hint=option_name("all_pairs"))

    assert console.run_command(lambda: command([], standalone_mode=False), debug=False) == 2
    assert capsys.readouterr().err == "error: --ref ref.de --all-pairs --other-one\nhint: --all-pairs\n"


def test_a_closed_pipe_of_notes_does_not_stop_the_command(monkeypatch):
    """`assay … -o FILE 2>&1 | head -1` still writes the file."""
    reading, writing = os.pipe()
    os.close(reading)
    with suppress(BrokenPipeError), open(writing, "w", encoding="utf-8") as closed:
        monkeypatch.setattr(sys, "stderr", closed)
        console.show_notes([Note(NoteKind.MISSING, "one"), Note(NoteKind.MISSING, "two")], "all")
        with pytest.raises(BrokenPipeError):
            closed.flush()


def test_warnings_of_many_kinds_are_twelve_lines(capsys):
    console.show_notes([Note(NoteKind.SUSPECT, f"it looks {chr(97 + k) * 3}", "a", None, "warning") for k in range(15)])
    shown = capsys.readouterr().err.splitlines()
    assert len(shown) == 12
    assert shown[-1] == "note: 4 more warnings: --notes all"


def test_notes_of_many_language_pairs_that_differ_in_numbers_are_one_line(capsys):
    tables = [
        Note(NoteKind.EXCLUDED, f"{count:,} ratings left out: factors of 1.{k} to 2.{k}", f"p{k}", example=f"a{k}")
        for k, count in enumerate((16, 1364, 55))
    ]
    others = [Note(NoteKind.PROVENANCE, f"word{chr(97 + k)}") for k in range(10)]
    console.show_notes([*tables, *others])
    shown = capsys.readouterr().err.splitlines()
    assert shown[0] == "note: p0 and 2 more: 16 to 1,364 ratings left out: factors of 1.0 to 2.2: “a0”"
    assert len(shown) == 11
    console.show_notes([*tables, *others], "all")
    assert len(capsys.readouterr().err.splitlines()) == 13

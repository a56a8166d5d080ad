"""Every case of the catalogue: the right exit code, one line that says what and where, and nothing left behind."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from tests.badinputs import (
    alignment,
    archives,
    command_line,
    content,
    data_judged,
    data_names,
    data_scores,
    data_sizes,
    data_tables,
    data_texts,
    encodings,
    line_ends,
    names,
    robustness,
    runs,
    sizes,
)
from tests.badinputs.case import CHECK, CONVERT, Case
from tests.badinputs.running import Outcome, listing, prepare, run_apart, run_here

_TEXTS = (encodings, line_ends, alignment, names, content, sizes, command_line)
_DATA = (data_tables, data_texts, data_scores, data_judged, data_names, data_sizes, archives, runs, robustness)
CATALOGUE = [case for family in (*_TEXTS, *_DATA) for case in family.CASES]


def _parameter(case: Case):
    marks = [pytest.mark.xfail(reason=case.awaits, strict=False)] if case.awaits else []
    return pytest.param(case, id=str(case), marks=marks)


@pytest.mark.parametrize("case", [_parameter(case) for case in CATALOGUE])
def test_case(case, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("ASSAY_HOME", "home")
    folder = tmp_path / "work"
    folder.mkdir()
    prepare(case, folder)
    before = listing(folder)
    if case.process is None:
        outcome = run_here(case, folder, monkeypatch, capsys)
    else:
        outcome = run_apart(case, case.process, folder, tmp_path / "peak")
        assert outcome.megabytes < case.process.max_megabytes
        assert outcome.seconds < case.process.max_seconds
    check_outcome(case, outcome)
    check_folder(case, before, listing(folder))
    assert {path.name for path in tmp_path.iterdir()} <= {"work", "peak"}


_STREAMED = [case for family in _TEXTS for case in family.CASES if case.command == ("score",) and case.process is None]


@pytest.mark.parametrize("case", [_parameter(case) for case in _STREAMED])
def test_large_files_have_the_same_outcome(case, tmp_path, monkeypatch, capsys):
    """Files that are read block by block, and tables that are computed part by part, give the same result or error."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("ASSAY_HOME", "home")
    prepare(case, tmp_path)
    expected = run_here(case, tmp_path, monkeypatch, capsys)
    monkeypatch.setattr("assay.data.text_files._LARGE_FILE", 1)
    monkeypatch.setattr("assay.study.score.KEPT_CELLS", 0)
    found = run_here(case, tmp_path, monkeypatch, capsys)
    assert (found.code, found.out, found.err) == (expected.code, expected.out, expected.err)


def check_outcome(case: Case, outcome: Outcome) -> None:
    everything = outcome.out + outcome.err
    assert outcome.code == case.code, everything
    assert "Traceback" not in everything
    assert [part for part in case.says if part not in outcome.err] == [], outcome.err
    assert [part for part in case.hides if part in everything] == [], everything
    if case.code == 0:
        check_success(case, outcome)
    elif case.command == CHECK:
        check_findings(case, outcome)
    else:
        assert outcome.out == ""
        check_one_error(outcome.err)


def check_one_error(err: str) -> None:
    """`error: …`, perhaps `hint: …`; what click refuses has a line on usage before it, others perhaps notes."""
    lines = [
        line for line in err.splitlines() if line and not line.startswith(("Usage: ", "Try ", "note: ", "warning: "))
    ]
    assert lines[0].lower().startswith("error: "), err
    assert all(line.startswith("hint: ") for line in lines[1:]), err
    assert len(lines) <= 2, err


def check_findings(case: Case, outcome: Outcome) -> None:
    """What is wrong is the result; the error only counts it."""
    assert case.shows
    assert [part for part in case.shows if part not in outcome.out] == [], outcome.out
    assert re.fullmatch(r"error: found [\d,]+ errors?\n", outcome.err), outcome.err


def check_success(case: Case, outcome: Outcome) -> None:
    assert all(line.startswith(("note: ", "warning: ")) for line in outcome.err.splitlines()), outcome.err
    assert [part for part in case.shows if part not in outcome.out] == [], outcome.out
    if case.bleu is not None or case.segments is not None:
        document = json.loads(outcome.out)
        assert case.segments in (None, document["segments"])
        found = next(row["value"] for row in document["rows"] if row["aggregation"] == "corpus")
        assert case.bleu is None or found == pytest.approx(case.bleu, abs=1e-9)


def check_folder(case: Case, before: dict[str, bytes | None], after: dict[str, bytes | None]) -> None:
    kept = {name for name in before.keys() & after.keys() if before[name] == after[name]}
    assert (before.keys() | after.keys()) - kept == set(case.writes)


@pytest.mark.parametrize("case", [pytest.param(case, id=str(case)) for case in CATALOGUE if case.is_told_alike])
def test_all_that_read_say_the_same(case, tmp_path, monkeypatch, capsys):
    """What `data list` refuses, `data check` finds and `data convert` does not write."""
    monkeypatch.setenv("NO_COLOR", "1")
    prepare(case, tmp_path)
    before = listing(tmp_path)
    listed = run_here(case, tmp_path, monkeypatch, capsys)
    arguments = (*case.arguments, "new.jsonl")
    converted = run_here(replace(case, command=CONVERT, arguments=arguments), tmp_path, monkeypatch, capsys)
    arguments = (*case.arguments, "--format", "json")
    checked = run_here(replace(case, command=CHECK, arguments=arguments), tmp_path, monkeypatch, capsys)
    assert (listed.code, converted.code, checked.code) == (3, 3, 3)
    assert converted.err == listed.err
    found = [finding for finding in json.loads(checked.out)["rows"] if finding["severity"] == "error"]
    assert [_as_message(finding) for finding in found] == [listed.err]
    assert listing(tmp_path) == before


def _as_message(finding: dict[str, object]) -> str:
    """A finding as the error that it was."""
    line = "" if finding["line"] is None else f", line {finding['line']}"
    hint = "" if finding["hint"] is None else f"hint: {finding['hint']}\n"
    return f"error: {finding['where']}{line}: {finding['text']}\n{hint}"


def test_the_catalogue():
    assert [name for name, count in Counter(map(str, CATALOGUE)).items() if count > 1] == []
    assert len(CATALOGUE) >= 600

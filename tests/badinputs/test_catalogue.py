"""Every case of the catalogue: the right exit code, one line that says what and where, and nothing left behind."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.badinputs import alignment, command_line, content, encodings, line_ends, names, sizes
from tests.badinputs.case import Case
from tests.badinputs.running import Outcome, listing, prepare, run_apart, run_here

CATALOGUE = [
    case for family in (encodings, line_ends, alignment, names, content, sizes, command_line) for case in family.CASES
]


def _parameter(case: Case):
    marks = [pytest.mark.xfail(reason=case.awaits, strict=False)] if case.awaits else []
    return pytest.param(case, id=str(case), marks=marks)


@pytest.mark.parametrize("case", [_parameter(case) for case in CATALOGUE])
def test_case(case, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NO_COLOR", "1")
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


def check_outcome(case: Case, outcome: Outcome) -> None:
    everything = outcome.out + outcome.err
    assert outcome.code == case.code, everything
    assert "Traceback" not in everything
    assert [part for part in case.says if part not in outcome.err] == [], outcome.err
    assert [part for part in case.hides if part in everything] == [], everything
    if case.code == 0:
        check_success(case, outcome)
    else:
        assert outcome.out == ""
        check_one_error(outcome.err)


def check_one_error(err: str) -> None:
    """`error: …`, perhaps `hint: …`; what click refuses has a line on usage before it."""
    lines = [line for line in err.splitlines() if line and not line.startswith(("Usage: ", "Try "))]
    assert lines[0].lower().startswith("error: "), err
    assert all(line.startswith("hint: ") for line in lines[1:]), err
    assert len(lines) <= 2, err


def check_success(case: Case, outcome: Outcome) -> None:
    assert all(line.startswith("note: ") for line in outcome.err.splitlines()), outcome.err
    assert [part for part in case.shows if part not in outcome.out] == [], outcome.out
    if case.bleu is not None or case.segments is not None:
        document = json.loads(outcome.out)
        assert case.segments in (None, document["segments"])
        found = next(row["value"] for row in document["scores"] if row["aggregation"] == "corpus")
        assert case.bleu is None or found == pytest.approx(case.bleu, abs=1e-9)


def check_folder(case: Case, before: dict[str, bytes | None], after: dict[str, bytes | None]) -> None:
    kept = {name for name in before.keys() & after.keys() if before[name] == after[name]}
    assert (before.keys() | after.keys()) - kept == set(case.writes)


def test_the_catalogue():
    assert [name for name, count in Counter(map(str, CATALOGUE)).items() if count > 1] == []
    assert len(CATALOGUE) >= 200

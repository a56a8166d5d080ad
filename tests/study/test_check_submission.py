"""Submissions to a metrics task. The files have the forms of the tasks; their scores are made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import check
from assay.errors import ConfigError, InputError
from tests.data.formats.test_mteval_test import SCORES, TEST

SYSTEMS = ("A", "B", "C")
ABOUT = "Team name: Us\nSubmission: primary\n"


@pytest.fixture
def task(tmp_path: Path) -> Path:
    folder = tmp_path / "wmt24"
    texts = {"sources/en-de.txt": "s", "references/en-de.refA.txt": "r"}
    texts |= {f"system-outputs/en-de/{name}.txt": name for name in (*SYSTEMS, "refA")}
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(f"{text} {i}\n" for i in range(3)), encoding="utf-8")
    (folder / "documents").mkdir()
    (folder / "documents/en-de.docs").write_text("news\td\n" * 3, encoding="utf-8")
    stored = folder / "metric-scores/en-de"
    stored.mkdir(parents=True)
    rows = [f"{name}\t{k + i / 4}\n" for k, name in enumerate(SYSTEMS) for i in range(3)]
    (stored / "Known-refA.seg.score").write_text("".join(rows), encoding="utf-8")
    return folder


def rows(level="segment", metric="Mine", reference="refA", systems=SYSTEMS, lp="en-de", factor=1.5) -> list[str]:
    start = [metric, lp, "wmt24", reference]
    places = [(str(i + 1),) for i in range(3)] if level == "segment" else [()]
    values = ((k * factor + i * 0.7 * (k + 1)) for k in range(9) for i in range(3))
    cells = [(name, *place) for name in systems for place in places]
    return ["\t".join([*start, *cell, str(value)]) + "\n" for cell, value in zip(cells, values, strict=False)]


def submit(folder: Path, segments=None, systems=None, about=ABOUT) -> Path:
    folder.mkdir(parents=True)
    for suffix, lines in (("seg", segments), ("sys", systems)):
        if lines is not None:
            (folder / f"m.{suffix}.score").write_text("".join(lines), encoding="utf-8")
    if about:
        (folder / "README.txt").write_text(about, encoding="utf-8")
    return folder


def found(task: Path, *folders: Path, severities=("error", "warning"), **options):
    findings = check(folders, submission=task, **options).findings
    return [(f.text, f.line) for f in findings if f.severity in severities]


def test_a_sound_submission(task, tmp_path):
    assert found(task, submit(tmp_path / "s", rows(), rows("system")), severities=("error", "warning", "note")) == []


@pytest.mark.parametrize(
    ("segments", "systems", "expected"),
    [
        (rows(systems=("A", "B")), None, ("en-de, segment scores: no scores of 1 system: C", None)),
        (rows(systems=("A", "B", "Cc")), None, ("en-de, segment scores: 1 unknown system: Cc", 7)),
        (rows()[:5] + rows()[6:], None, ("en-de, segment scores: 1 score missing, of B, the first for segment 3", 4)),
        (rows(reference="refZ"), None, ("en-de, segment scores: the test set has no reference refZ", 1)),
        (rows(lp="en-fr"), None, ("the task has no test set wmt24 en-fr", 1)),
        (rows(), rows("system", metric="Other"), ("2 names of metrics in one submission: Mine, Other", 1)),
        (
            rows(),
            rows("system", reference="src"),
            ("scores with a reference (refA: en-de by segment) and without (en-de by system) in one submission", None),
        ),
        (
            rows(metric="Mine-QE"),
            None,
            ("the name Mine-QE is that of a metric without a reference, but the scores name one: refA", 1),
        ),
        (
            [line.replace("\t3\t", "\t4\t") for line in rows()],
            None,
            ("en-de, segment scores: 4 segments, but the test set has 3", None),
        ),
    ],
)
def test_each_fault_is_named(task, tmp_path, segments, systems, expected):
    assert expected in found(task, submit(tmp_path / "s", segments, systems))


def test_a_faulty_line_is_named(task, tmp_path):
    broken = [*rows(), "Mine\ten-de\twmt24\trefA\tA\t1\tlow\n"]
    (fault,) = found(task, submit(tmp_path / "s", broken))
    assert fault[0].startswith("1 faulty row skipped: ")
    assert fault[1] == 10


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        ("", ("nothing says the team nor primary or contrastive", None)),
        ("team = 'Us'\n", ("nothing says primary or contrastive", None)),
        ("x: y\nteam: Us\ntype: best\n", ("the submission is 'best', neither primary nor contrastive", 3)),
        (json.dumps({"team": "Us", "status": "secondary"}, indent=1), None),
    ],
)
def test_team_and_status(task, tmp_path, about, expected):
    faults = found(task, submit(tmp_path / "s", rows(), about=about))
    assert (faults == []) if expected is None else (expected in faults)


def test_the_folder_says_the_status(task, tmp_path):
    assert found(task, submit(tmp_path / "primary/x", rows(), about="team: Us\n")) == []


def test_submissions_are_compared_with_each_other_and_with_stored_scores(task, tmp_path):
    one = submit(tmp_path / "one", rows())
    same = submit(tmp_path / "two", rows(metric="Second"))
    assert [text for text, _ in found(task, one, same)] == [
        "2 primary submissions of Us: Mine, Second",
        "exactly the scores of Second (Us), in 1 table: en-de by segment (Second-refA)",
    ]
    stored = (task / "metric-scores/en-de/Known-refA.seg.score").read_text(encoding="utf-8").split()
    values = [line.rsplit("\t", 1)[0] + f"\t{value}\n" for line, value in zip(rows(), stored[1::2], strict=True)]
    third = submit(tmp_path / "three", values)
    assert found(task, third) == [
        ("exactly scores that are stored with the test set: en-de by segment (Known-refA)", None)
    ]


def test_predictions_of_wmt26_against_the_blind_file(tmp_path):
    """One score of HW-TSC is null although the system has an output there; where it has none, it needs no score."""
    test = tmp_path / "mteval-test26.jsonl"
    test.write_text(TEST, encoding="utf-8")
    scores = tmp_path / "Mine.jsonl"
    scores.write_text(SCORES, encoding="utf-8")
    texts = [text for text, _ in found(test, scores)]
    place = "the first for segment social_###_d1_###_0"
    assert f"eng_Latn-deu_Latn, segment scores: 1 score missing, of HW-TSC, {place}" in texts


def test_texts_belong_to_the_task(task, tmp_path):
    with pytest.raises(ConfigError, match="those of the task"):
        check(submit(tmp_path / "s", rows()), submission=task, references="x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no files"):
        check(tmp_path / "empty", submission=task)

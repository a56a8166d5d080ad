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
        (
            rows()[:5] + rows()[6:],
            None,
            ("en-de, segment scores: 1 score missing, of B, the first for segment 3", None),
        ),
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
        ("x: y\nteam: Us\nstatus: best\n", ("the submission is 'best', neither primary nor contrastive", 3)),
        ("team: Us\nsubmission: primary\ntype: neural metric\n", None),
        (json.dumps({"team": "Us", "status": "secondary"}, indent=1), None),
        (json.dumps({"team": "Us", "submission": "primary"}), None),
        (json.dumps({"about": [1], "metric": {"team name": "Us", "status": "Baseline"}}), None),
        ('{"team": "Us"', ("invalid JSON: expecting ',' delimiter (character 14)", 1)),
    ],
)
def test_team_and_status(task, tmp_path, about, expected):
    faults = found(task, submit(tmp_path / "s", rows(), about=about))
    assert (faults == []) if expected is None else (expected in faults)


@pytest.mark.parametrize(
    ("name", "about", "expected"),
    [
        ("about.toml", 'team = "Us"\n[submission]\nstatus = "primary"\n', []),
        ("about.toml", "team = Us\n", ["invalid TOML: ", "nothing says the team nor"]),
        ("metadata.json", '{"team": "Us", "submission": "contrastive"}', []),
        ("metadata.json", "[1]", ["nothing says the team nor"]),
        ("README", "team: Us\nsubmission: baseline", []),
    ],
)
def test_files_about_a_submission(task, tmp_path, name, about, expected):
    folder = submit(tmp_path / "s", rows(), about="")
    (folder / name).write_text(about, encoding="utf-8")
    texts = [text for text, _ in found(task, folder)]
    assert len(texts) == len(expected)
    assert all(map(str.startswith, texts, expected))


UNKNOWN_STATUS = ("nothing says primary or contrastive", None)


def test_the_folder_says_the_status_however_its_path_is_written(task, tmp_path, monkeypatch):
    """A folder above it may be anybody's: `/home/primary/work` says nothing."""
    folder = submit(tmp_path / "elsewhere/primary", rows(), about="team: Us\n")
    inside = submit(tmp_path / "work/s/baseline", rows(), about="team: Us\n").parent
    above = submit(tmp_path / "primary/x", rows(), about="team: Us\n")
    assert found(task, folder) == found(task, inside) == []
    assert found(task, *sorted(folder.iterdir())) == []
    assert found(task, above) == [UNKNOWN_STATUS]
    for path, expected in ((folder, []), (above, [UNKNOWN_STATUS])):
        monkeypatch.chdir(path)
        assert found(task, Path()) == expected


def test_a_submission_without_scores_is_an_error(task, tmp_path):
    assert found(task, submit(tmp_path / "s")) == [("no scores of a metric", None)]
    assert found(task, submit(tmp_path / "t", rows(lp="en-fr")), lp="en-de") == [
        ("no scores of a metric for en-de", None)
    ]


def test_a_score_file_may_be_called_readme(task, tmp_path):
    folder = submit(tmp_path / "s")
    (folder / "readme-metric.seg.score").write_text("".join(rows(systems=("A", "B"))), encoding="utf-8")
    assert found(task, folder) == [("en-de, segment scores: no scores of 1 system: C", None)]


def test_a_file_that_cannot_be_read_does_not_hide_the_others(task, tmp_path):
    """Neither a README that is no text, nor an unknown system of a table that is no text, ends the check."""
    binary = submit(tmp_path / "binary", rows(systems=("A", "B")), about="")
    (binary / "README.md").write_bytes(b"team: Us\n\xff\xfe\x00")
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    other = submit(tmp_path / "table", about=ABOUT.replace("Us", "They"))
    names = [name for name in ("A", "B", "Cc") for _ in range(3)]
    columns = {"system": names, "segment": [1, 2, 3] * 3, "score:Theirs": [float(i) for i in range(9)]}
    parquet.write_table(pyarrow.table({**columns, "lp": ["en-de"] * 9}), other / "m.parquet")
    assert [text for text, _ in found(task, binary, other)] == [
        "byte 1 of the line (0xFF) is not UTF-8",
        "en-de, segment scores: no scores of 1 system: C",
        "en-de, segment scores: no scores of 1 system: C",
        "en-de, segment scores: 1 unknown system: Cc",
        "nothing says the team nor primary or contrastive",
    ]


def test_scores_that_name_another_test_set(task, tmp_path):
    named = [line.replace("wmt24", "wmt19") for line in rows()]
    folder = submit(tmp_path / "s", named)
    assert found(task, folder) == []
    assert found(task, folder, severities=("note",)) == [("called wmt19, checked as wmt24", None)]


def test_marked_errors_are_checked_against_the_outputs(task, tmp_path):
    folder = submit(tmp_path / "s")
    marked = [f"{name},{segment},0,1,minor" for name in SYSTEMS for segment in (1, 2, 3)]
    write = (folder / "m.csv").write_text
    write("\n".join(["system,segment,start,end,severity", *marked, ""]), encoding="utf-8")
    assert found(task, folder) == [("the file does not say its language pair", None)]
    assert found(task, folder, lp="en-de", severities=("error", "warning", "note")) == []
    marked[4] = "B,2,0,100,minor"
    write("\n".join(["system,segment,start,end,severity", *marked[1:], ""]), encoding="utf-8")
    assert [text for text, _ in found(task, folder, lp="en-de")] == [
        "left out: 1 rating with errors outside the text (first: B, segment 2); the output was probably another one "
        "when they were marked",
        "en-de, marked errors: nothing on 1 output, of A",
    ]


def test_submissions_are_compared_with_each_other_and_with_stored_scores(task, tmp_path):
    one = submit(tmp_path / "one", rows())
    same = submit(tmp_path / "two", rows(metric="Second"))
    assert [text for text, _ in found(task, one, same)] == [
        "2 primary submissions of Us: Mine, Second",
        "Mine (Us) and Second (Us) have exactly the same scores, in 1 table: en-de by segment (Second-refA)",
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


@pytest.fixture
def wmt26(tmp_path):
    """The texts of two segments, and a sound submission."""
    names = [f"official_###_eng_Latn_###_deu_Latn_###_news_###_d1_###_{number}" for number in range(2)]
    texts = [{"item_id": name, "src": "s", "ref": {}, "hyps": {"A": "abcdef", "B": "ghijkl"}} for name in names]
    none = {"errors": [], "omission": None, "instruction_fault": None}
    lines = [
        {"item_id": name, "task1_pred": {"A": none, "B": none}, "task2_pred": {"A": 10.0 + k, "B": 20.0 - k}}
        for k, name in enumerate(names)
    ]
    test = tmp_path / "test.jsonl"
    test.write_text("".join(json.dumps(text) + "\n" for text in texts), encoding="utf-8")
    folder = submit(tmp_path / "s")

    def check_changed(change):
        changed = json.loads(json.dumps(lines))  # without objects that are in several places
        change(changed)
        (folder / "Mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in changed), encoding="utf-8")
        return [text for text, _ in found(test, folder)]

    return check_changed


def test_sound_predictions_of_wmt26(wmt26):
    assert wmt26(lambda lines: None) == []


@pytest.mark.parametrize(
    ("change", "texts"),
    [
        (
            lambda lines: lines[0]["task1_pred"]["A"].update(errors=[{"start": 0, "end": 1000, "severity": "minor"}]),
            ["left out: 1 rating with errors outside the text (first: A, segment 1)"],
        ),
        (lambda lines: lines[0]["task2_pred"].update(A=140), ["1 of 4 scores are outside 0 to 100"]),
        (lambda lines: lines[1].pop("task1_pred"), ["marked errors: nothing on 2 outputs, of A, B"]),
        (
            lambda lines: lines[1].update(task1_pred={"B": {"errors": []}}),
            ["marked errors: nothing on 1 output, of A"],
        ),
        (
            lambda lines: lines[1].update(task1_pred={"A": {"erors": []}, "B": {"errors": []}}),
            ["unknown field 'erors'"],
        ),
        (lambda lines: lines[1].update(task1_pred={"A": {}, "B": {"errors": []}}), ["no errors in task1_pred"]),
        (
            lambda lines: lines[1].update(item_id=lines[1]["item_id"].replace("d1", "d9")),
            [
                "segment scores: 1 segment that the test set does not have: news_###_d9_###_1",
                "segment scores: 2 scores missing, of A, B, the first for segment news_###_d1_###_1",
                "marked errors: 1 segment that the test set does not have: news_###_d9_###_1",
                "marked errors: nothing on 2 outputs, of A, B",
            ],
        ),
        (
            lambda lines: lines[0]["task1_pred"].update(Z=lines[0]["task1_pred"].pop("B")),
            ["marked errors: 1 unknown system: Z", "marked errors: nothing on 1 output, of B"],
        ),
        (lambda lines: lines[1].update(task1_prd=lines[1].pop("task1_pred")), ["unknown field 'task1_prd'"]),
    ],
)
def test_faults_of_predictions_of_wmt26(wmt26, change, texts):
    reported = wmt26(change)
    assert all(any(text in each for each in reported) for text in texts), reported


def test_a_status_that_is_none_is_one_fault(task, tmp_path):
    folder = submit(tmp_path / "s", rows(), about=ABOUT.replace("primary", "primry"))
    assert found(task, folder) == [("the submission is 'primry', neither primary nor contrastive", 2)]
    folder = submit(tmp_path / "t", rows(), about="submission: primry")
    assert [text for text, _ in found(task, folder)] == [
        "the submission is 'primry', neither primary nor contrastive",
        "nothing says the team",
    ]


def test_files_that_contradict_each_other(task, tmp_path):
    folder = submit(tmp_path / "s", rows(), rows("system"))
    (folder / "zz.toml").write_text('team = "Them"\nsubmission = "contrastive"\n', encoding="utf-8")
    assert [text for text, _ in found(task, folder)] == [
        f"the team is Them here, but Us in {folder / 'README.txt'}",
        f"the submission is contrastive here, but primary in {folder / 'README.txt'}",
    ]


def test_any_json_that_names_the_team_is_about_the_submission(task, tmp_path):
    folder = submit(tmp_path / "s", rows(), rows("system"), about="")
    (folder / "meta.json").write_text('{"team": "Us", "submission": "primary"}', encoding="utf-8")
    assert found(task, folder) == []

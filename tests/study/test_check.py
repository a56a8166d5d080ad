from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest

from assay import check
from assay.errors import ConfigError
from assay.sample import write
from assay.study.check import check_campaign, check_testset
from assay.types import Campaign, Note, NoteKind, ScoreTable, TestSet
from assay.types.runtime import Runtime


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    return write(tmp_path_factory.mktemp("sample"))[0]


@pytest.fixture
def lines(pair):
    return (pair / "systems/elm.de").read_text(encoding="utf-8").splitlines()


def texts(findings, severity=None):
    return [f"{f.text}@{f.line}" for f in findings.findings if severity in (None, f.severity)]


def look(tmp_path, pair, lines, **options):
    (tmp_path / "new.de").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return check([pair / "systems/alder.de", tmp_path / "new.de"], references=[pair / "refA.de"], **options)


def test_sound_files(tmp_path, pair, lines):
    found = look(tmp_path, pair, lines, sources=next(pair.glob("source*.en"), None))
    assert not found.has_errors
    assert texts(found, "warning") == []
    assert len(found.files) >= 3


def test_a_deleted_line(tmp_path, pair, lines):
    found = look(tmp_path, pair, lines[:40] + lines[41:])
    (error,) = [f for f in found.findings if f.severity == "error"]
    assert "new has 129 segments" in error.text
    assert f"the first lacks 1 segment, most likely at line {error.line}" in error.text
    assert abs(error.line - 41) <= 5


def test_a_stretch_that_is_shifted_though_the_lengths_agree(tmp_path, pair, lines):
    found = look(tmp_path, pair, lines[:40] + lines[41:100] + ["ein Satz zu viel"] + lines[100:])
    (error,) = [f for f in found.findings if f.severity == "error"]
    assert "misaligned" in error.text
    assert abs(error.line - 41) <= 5


def test_every_kind_of_problem_is_reported(tmp_path, pair, lines):
    lines[3] = ""
    lines[5] = "Gru\u0308n ist die Hoffnung"
    lines[7] += "\ufffd"
    lines[9] += "\u2028"
    found = look(tmp_path, pair, lines)
    assert not found.has_errors
    warnings, notes = texts(found, "warning"), texts(found, "note")
    assert "1 of 130 lines is empty@4" in warnings
    assert any("normal form C" in note and note.endswith("@6") for note in notes)
    assert any(
        note.startswith("1 of 130 lines contains a replacement character (U+FFFD)") and note.endswith("@8")
        for note in notes
    )
    assert "1 of 130 lines contains a line separator (U+2028)@10" in notes


def test_copies_of_the_source_and_of_another_system(tmp_path):
    source = [f"sentence number {i} is here{' too' * i}" for i in range(50)]
    (tmp_path / "src").write_text("\n".join(source) + "\n", encoding="utf-8")
    (tmp_path / "a").write_text("\n".join([*source[:3], *("x" * 4 * i for i in range(3, 50))]) + "\n", encoding="utf-8")
    (tmp_path / "b").write_bytes((tmp_path / "a").read_bytes())
    found = check([tmp_path / "a", tmp_path / "b"], sources=tmp_path / "src")
    assert texts(found, "warning") == [
        "3 of 50 outputs are copies of the source, first in line 1 of a@None",
        "identical to a@None",
    ]


def test_files_that_cannot_be_read_do_not_hide_the_others(tmp_path, pair, lines):
    (tmp_path / "bad").write_bytes(b"a\n\xff\n")
    (tmp_path / "empty").write_bytes(b"")
    found = check([tmp_path / "bad", tmp_path / "absent", tmp_path / "empty", pair / "refA.de", pair / "refB.de"])
    errors = [(f.where.rpartition("/")[2], f.line) for f in found.findings if f.severity == "error"]
    assert sorted(errors, key=str) == [("absent", None), ("bad", 2), ("empty", None)]


def test_marks_and_returns_are_notes(tmp_path, pair, lines):
    (tmp_path / "m.de").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\r\n")
    found = check([tmp_path / "m.de", pair / "refA.de"])
    assert "removed a byte order mark@None" in texts(found, "note")
    assert any(text.startswith("removed carriage returns") for text in texts(found, "note"))


def test_a_campaign():
    testset = TestSet(outputs={"x": ("a b", None), "y": ("a", "")}, references={"refA": ("a", "b")}, name="wmt")
    table = ScoreTable("mqm", "segment", ("x",), np.array([[1.0, np.nan]]), protocol="MQM")
    campaign = Campaign(
        "wmt", "en-de", 2, ("x", "y"), ("refA",), testset, (table,), notes=(Note(NoteKind.MISSING, "three gaps"),)
    )
    found = [(f.severity, f.where, f.text) for f in check_campaign(campaign)]
    assert ("note", "wmt en-de", "three gaps") in found
    assert ("note", "wmt en-de", "mqm by segment: no human score for y") in found
    gaps = "mqm by segment: 1 of 2 cells of judged systems without a score"
    assert ("note", "wmt en-de", gaps) in found
    assert ("warning", "wmt: y", "1 of 2 lines is empty") in found
    assert ("warning", "wmt: x", "1 of 2 segments missing") in found
    assert [f.severity for f in check_campaign(Campaign("", "", 0, (), (), None))] == ["error"]


def test_a_folder(tmp_path):
    for name, text in {
        "system-outputs/en-de/x.txt": "a\nb\n",
        "human-scores/en-de.mqm.seg.score": "y x\ny 2\n",
    }.items():
        (tmp_path / "wmt" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "wmt" / name).write_text(text, encoding="utf-8")
    (finding,) = check([tmp_path / "wmt"]).findings
    assert (finding.severity, finding.text, finding.line) == ("error", "the score is not a number: 'x'", 1)
    assert finding.where.endswith("en-de.mqm.seg.score")
    (tmp_path / "x.txt").write_text("a\n", encoding="utf-8")
    both = check([tmp_path / "wmt", tmp_path / "x.txt"])
    assert (both.files, both.folders) == ((str(tmp_path / "x.txt"),), (str(tmp_path / "wmt"),))


def test_a_folder_that_is_no_test_set_stands_for_its_files(tmp_path):
    (tmp_path / "out" / "human").mkdir(parents=True)
    for name, text in {"a.de": "ein Haus\nein Hund\n", "b.de": "das Haus\n", ".hidden": "x\n"}.items():
        (tmp_path / "out" / name).write_text(text, encoding="utf-8")
    (tmp_path / "ref.de").write_text("ein Haus\nder Hund\n", encoding="utf-8")
    found = check(tmp_path / "out", references=tmp_path / "ref.de")
    assert [Path(name).name for name in found.files] == ["a.de", "b.de", "ref.de"]
    texts = [finding.text for finding in found.findings]
    assert "folders in it are not read: human/; check them by name" in texts
    assert any(text.startswith("b has 1 segment, ref has 2") for text in texts)


def test_a_folder_of_folders_says_what_a_test_set_needs(tmp_path):
    (tmp_path / "en-de").mkdir()
    (finding,) = check(tmp_path).findings
    assert (finding.severity, finding.text) == ("error", "not the folder of a test set")


def test_it_works_on_a_testset_too():
    testset = TestSet(outputs={"x": ("a\ufeff",)}, notes=(Note(NoteKind.ADVICE, "note"),))
    assert [f.text for f in check_testset(testset)] == ["note", "1 of 1 line contains a byte order mark"]


def test_an_order_or_language_that_is_another(tmp_path, pair, lines):
    unrelated = [f"völlig anderer Text ohne Bezug zum Original, Nummer {i}" for i in range(len(lines))]
    for other in (lines[::-1], lines[65:] + lines[:65], unrelated):
        found = look(tmp_path, pair, other)
        warnings = [f for f in found.findings if f.severity == "warning" and f.where == "new"]
        assert any("do not match" in f.text for f in warnings)


def test_a_shifted_reference_is_reported_once(tmp_path, pair):
    reference = (pair / "refA.de").read_text(encoding="utf-8").splitlines()
    (tmp_path / "ref.de").write_text("\n".join([*reference[1:], "Ende"]) + "\n", encoding="utf-8")
    found = check(sorted((pair / "systems").iterdir()), references=[tmp_path / "ref.de"])
    (error,) = [f for f in found.findings if f.severity == "error"]
    assert error.where == "ref"
    assert error.text.startswith("none of the 7 outputs matches this reference; for example, misaligned")


def test_a_copied_reference_and_a_missing_one(tmp_path, pair):
    (tmp_path / "copy.de").write_bytes((pair / "refA.de").read_bytes())
    found = check([tmp_path / "copy.de"], references=[pair / "refA.de"])
    assert "identical to the reference refA@None" in texts(found, "error")
    alone = check([pair / "systems/elm.de"])
    assert "alignment not checked: no reference (references)@None" in texts(alone, "note")


def test_tables_that_nobody_can_read_are_no_plain_text(tmp_path):
    (tmp_path / "excel.csv").write_text("Quelle;Ziel\na;b\n", encoding="utf-8")
    assert check([tmp_path / "excel.csv"]).has_errors


def test_a_few_copies_of_the_source_are_reported_once(tmp_path):
    source = [f"sentence number {i} is here" for i in range(200)]
    texts_of = {"src": source, "a": [source[0], *("x" * 199)], "b": ["y", source[1], source[2], *("x" * 197)]}
    for name, given in texts_of.items():
        (tmp_path / name).write_text("\n".join(given) + "\n", encoding="utf-8")
    (tmp_path / "ref").write_text("x\n" * 200, encoding="utf-8")
    found = check([tmp_path / "a", tmp_path / "b"], sources=tmp_path / "src", references=[tmp_path / "ref"])
    (note,) = [f for f in found.findings if "their source" in f.text]
    assert note.text == "3 outputs copy their source, first in line 1 of a: a 1, b 2"
    assert (note.severity, note.line, note.where) == ("note", None, "a, b")
    found = check([tmp_path / "a"], sources=tmp_path / "src", references=[tmp_path / "ref"])
    assert [f.text for f in found.findings if f.kind is NoteKind.DUPLICATE] == ["1 output copies its source"]


def test_tables_with_the_same_gaps_are_reported_together():
    cells = np.array([[1.0, np.nan]])
    tables = [
        ScoreTable(name, level, ("x",), cells if level == "segment" else [[1.0]], protocol="DA")
        for name in ("wmt-raw", "wmt-z")
        for level in ("segment", "system")
    ]
    campaign = Campaign("wmt", "en-de", 2, ("x", "y"), (), None, tuple(tables))
    assert [f.text for f in check_campaign(campaign)] == [
        "wmt-raw, wmt-z by segment and system: no human score for y",
        "wmt-raw, wmt-z by segment: 1 of 2 cells of judged systems without a score",
    ]


def test_a_byte_order_mark_is_reported_once(tmp_path):
    (tmp_path / "wmt/system-outputs/en-de").mkdir(parents=True)
    (tmp_path / "wmt/system-outputs/en-de/x.txt").write_text("\ufeffa\nb\ufeff\n", encoding="utf-8")
    (tmp_path / "wmt/system-outputs/en-de/y.txt").write_text("\ufeffa\nb\n", encoding="utf-8")
    kept = "kept byte order marks, because published scores were computed with them: x.txt, y.txt"
    assert texts(check([tmp_path / "wmt"])) == [
        "2 of 2 lines contain a byte order mark (U+FEFF)@1",
        f"{kept}@None",
    ]


def test_names_that_look_alike(tmp_path):
    for name in ("Online-A.de", "online-A.de", "b.de"):
        (tmp_path / name).write_text(f"Satz von {name}\n", encoding="utf-8")
    found = check([tmp_path / name for name in ("Online-A.de", "b.de", "online-A.de")])
    alike = "'Online-A' ({0}/Online-A.de) and 'online-A' ({0}/online-A.de) differ only in case, spaces or Unicode form"
    assert any(text.startswith(alike.format(tmp_path)) for text in texts(found, "note"))
    table = tmp_path / "t.tsv"
    table.write_text("system\tsegment\toutput\nA\t1\tx\na\t1\ty\nB\t1\tz\n", encoding="utf-8")
    (finding,) = check([table]).findings
    assert finding.where == str(table)
    assert finding.text == f"'A' and 'a' ({table}) differ only in case, spaces or Unicode form: probably the same"


def test_a_column_of_a_spreadsheet(tmp_path, pair, lines):
    lines[2] = '"Er sagte: ""Ja"", und ging."'
    (note,) = [text for text in texts(look(tmp_path, pair, lines), "note") if "spreadsheet" in text]
    assert note.startswith("kept spreadsheet quotation marks, first in line 3")
    lines[3] = 'Er sagte: "Ja".'
    assert not any("spreadsheet" in text for text in texts(look(tmp_path, pair, lines)))


def test_every_language_pair_has_its_own_note_of_missing_scores(tmp_path):
    rows = [("chrF", lp, "wmt99", "ref", system, k, "None" if system == "b" and k == 2 else k / 10)
            for lp in ("de-en", "en-de") for system in "ab" for k in (1, 2, 3)]  # fmt: skip
    scores = tmp_path / "chrF.seg.score"
    scores.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    for lp in ("de-en", "en-de"):
        folder = tmp_path / "set" / "metric-scores" / lp
        folder.mkdir(parents=True)
        (folder / "chrF-ref.seg.score").write_text("a\t1\na\t2\nb\t1\nb\tNone\n")
    for path, testset, name, text in (
        (scores, "wmt99", "chrF.seg.score", "1 of 6 scores missing"),
        (tmp_path / "set", "set", "chrF-ref.seg.score", "1 of 4 scores missing"),
    ):
        missing = [(found.where, found.text) for found in check([path]).findings if "scores missing" in found.text]
        assert missing == [(f"{testset} {lp}: {name}", f"chrF by segment: {text}") for lp in ("de-en", "en-de")]


def test_every_language_pair_has_its_own_note_of_missing_ranks(tmp_path):
    header = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,"
    pairs = ("ces,eng", "deu,eng")
    rows = "".join(f"{pair},{k},d,{k},j,1,a,2,b,1,{-1 if k == 2 else 2}\n" for pair in pairs for k in (1, 2))
    (tmp_path / "r.csv").write_text(f"{header}system1rank,system2rank\n{rows}")
    missing = [found.where for found in check([tmp_path / "r.csv"]).findings if "without a rank" in found.text]
    assert missing == [f"r cs-en: {tmp_path / 'r.csv'}", f"r de-en: {tmp_path / 'r.csv'}"]


def test_the_output_is_blamed_and_not_the_reference(tmp_path, pair, lines):
    (tmp_path / "new.de").write_text("\n".join(lines[:40] + lines[41:]) + "\n", encoding="utf-8")
    found = check(tmp_path / "new.de", references=str(pair / "refA.de"))
    (error,) = [f for f in found.findings if f.severity == "error"]
    assert error.where == "new"
    assert error.text.startswith("new has 129 segments, refA has 130: the first lacks 1 segment, or the second has 1")
    assert abs(error.line - 41) <= 5


def test_an_empty_reference_is_no_baseline(tmp_path, pair):
    (tmp_path / "ref").write_bytes(b"")
    found = check(pair / "refA.de", references=tmp_path / "ref")
    assert [(f.where, f.text) for f in found.findings if f.severity == "error"] == [
        (str(tmp_path / "ref"), "empty file")
    ]
    assert [f.text for f in check(tmp_path / "ref").findings][:1] == ["empty file"]


def test_one_path_as_a_string(pair):
    assert check(str(pair / "refA.de")).files == check([pair / "refA.de"]).files


def test_progress_is_reported(tmp_path):
    paths = []
    for name in ("a", "b", "ref"):
        paths.append(tmp_path / f"{name}.txt")
        paths[-1].write_text("".join(f"line {i} of {name}\n" for i in range(9)), encoding="utf-8")
    reported = []
    runtime = Runtime(progress=lambda task, done, total: reported.append((task.partition(" ")[0], done, total)))
    check(paths[:2], references=paths[2], runtime=runtime)
    assert ("reading", 2, 3) in reported
    assert ("checking", 1, 2) in reported


def test_an_empty_folder_is_an_error(tmp_path):
    (tmp_path / "system-outputs").mkdir()
    (finding,) = check(tmp_path).findings
    assert (finding.severity, finding.text) == ("error", "no language pairs")


def test_a_flaw_in_one_language_pair_does_not_hide_the_others(tmp_path):
    for lp, text in (("de-en", "x\n \n"), ("en-de", "\xff\n")):
        (tmp_path / f"t.{lp}.hyp.s.{lp[-2:]}").write_text(text, encoding="latin-1")
    found = {(finding.severity, finding.where.rpartition("/")[2]) for finding in check(tmp_path).findings}
    assert {("error", "t.en-de.hyp.s.de"), ("warning", "t de-en: s")} <= found


def test_files_that_name_their_segments_are_checked_together(tmp_path):
    for name, texts in {"x": "ab", "y": "ab"}.items():
        lines = (f'{{"doc_id": "en-de_#_news_#_{i}", "hypothesis": "{text}"}}\n' for i, text in enumerate(texts))
        (tmp_path / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    findings = check([tmp_path / "x.jsonl", tmp_path / "y.jsonl"]).findings
    assert [finding.text for finding in findings if finding.where.endswith("y")] == ["identical to x"]


@pytest.mark.slow
def test_many_outputs_are_checked_in_seconds():
    words = [f"word{number}" for number in range(2000)]
    random = np.random.default_rng(1)

    def vary(line):
        return tuple(words[random.integers(2000)] if random.random() < 0.2 else word for word in line)

    lines = [tuple(words[i] for i in random.integers(2000, size=random.integers(5, 40))) for _ in range(10_000)]
    outputs = {f"s{number}": tuple(" ".join(vary(line)) for line in lines) for number in range(12)}
    testset = TestSet(outputs, {"ref": tuple(map(" ".join, lines))})
    start = time.process_time()
    assert not list(check_testset(testset))
    assert time.process_time() - start < 5  # a tenth of it on an idle machine; with sets of trigrams, 20


def test_missing_scores_of_metrics_are_noted(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("system\tsegment\tscore:m\na\t1\t0.5\na\t2\tNaN\n", encoding="utf-8")
    (finding,) = check(path).findings
    assert (finding.severity, finding.text, finding.count) == ("note", "m by segment: 1 of 2 scores missing", 1)


def test_the_hint_for_an_unknown_format_names_formats(tmp_path):
    (tmp_path / "x.score").write_text("hello\n", encoding="utf-8")
    (finding,) = check(tmp_path / "x.score").findings
    assert "input_format: appraise, " in finding.hint


def test_the_language_pair_of_plain_texts_and_of_campaigns(tmp_path):
    german = "Das ist ein Satz und der nächste ist auch nicht sehr lang, aber er ist deutsch.\n"
    (tmp_path / "base.txt").write_text("".join(f"{k} {german}" for k in range(200)))
    texts = [finding.text for finding in check([tmp_path / "base.txt"], lp="de-en").findings]
    assert any("German" in text for text in texts)
    assert not any("German" in finding.text for finding in check([tmp_path / "base.txt"], lp="en-de").findings)
    (tmp_path / "t.csv").write_text("lp,system,segment,human:ESA\nen-de,A,1,5\nen-fr,A,1,\nen-fr,A,2,5\n")
    assert check([tmp_path / "t.csv"], lp="en-de").findings == ()
    with pytest.raises(ConfigError, match="no language pair 'en-cs'"):
        check([tmp_path / "t.csv"], lp="en-cs")


def test_all_errors_of_a_folder(tmp_path, lines):
    """Not only the first: three faulty files of one language pair, one of another, and misaligned texts."""
    files = {
        "references/en-de.refA.txt": lines,
        "system-outputs/en-de/good.txt": [f"{line} ." for line in lines],
        "system-outputs/en-de/short.txt": lines[1:],
        "system-outputs/en-de/shifted.txt": [*lines[1:], "Schluss"],
        "human-scores/en-de.mqm.sys.score": ["good -1", "shifted x"],
        "metric-scores/en-de/BLEU.sys.score": ["good 1"],
        "human-scores/en-cs.mqm.sys.score": ["good y"],
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("".join(f"{line}\n" for line in content), encoding="utf-8")
    found = [
        f"{f.where}: {f.text}".removeprefix(f"{tmp_path}/") for f in check(tmp_path).findings if f.severity == "error"
    ]
    assert found == [
        "human-scores/en-cs.mqm.sys.score: the score is not a number: 'y'",
        f"system-outputs/en-de/short.txt: has {len(lines) - 1} segments, but good.txt has {len(lines)}",
        "human-scores/en-de.mqm.sys.score: the score is not a number: 'x'",
        "metric-scores/en-de/BLEU.sys.score: the file name does not end in -REFERENCES",
        f"{tmp_path.name} en-de: shifted: misaligned: lines 1 to {len(lines) - 1} fit the next line of refA better "
        "than their own",
    ]


def test_a_metric_with_an_unknown_reference_and_a_copy(tmp_path):
    for name, text in {
        "references/en-de.refA.txt": "a\nb\n",
        "system-outputs/en-de/x.txt": "a\nc\n",
        "system-outputs/en-de/y.txt": "d\nb\n",
        "metric-scores/en-de/M-refA.seg.score": "x 1\nx 2\ny 3\ny 4\n",
        "metric-scores/en-de/N-refZ.seg.score": "x 1\nx 3\ny 3\ny 4\n",
        "metric-scores/en-de/Copy-refA.seg.score": "y 3\ny 4\nx 1\nx 2\n",
    }.items():
        (tmp_path / "wmt" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "wmt" / name).write_text(text, encoding="utf-8")
    found = {(finding.severity, finding.where, finding.text) for finding in check(tmp_path / "wmt").findings}
    assert (
        "warning",
        f"{tmp_path}/wmt/metric-scores/en-de/N-refZ.seg.score",
        "N names the reference refZ, which the test set does not have (known: refA): it is left out where another "
        "reference is chosen",
    ) in found
    assert ("note", "wmt en-de", "exactly the same segment scores under different names: Copy-refA, M-refA") in found


TEXTS = "lp\tsegment\tdocument\tsource\toutput:A\nen-de\t1\td1\tone\teins\nen-de\t2\td2\ttwo\tzwei\n"


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({}, None),
        ({"document": "d1#dup"}, None),
        ({"document": "d2"}, "1 rating of another document than the text (first: 'd2' and 'd1')"),
        ({"lp": "de-en"}, "de-en: no texts of the 1 judgement; there are texts of en-de"),
        ({"rater": " "}, "the rater is empty"),
    ],
)
def test_ratings_that_are_not_of_the_texts(tmp_path, change, finding):
    texts, judged = tmp_path / "texts.tsv", tmp_path / "x.judgements.jsonl"
    texts.write_text(TEXTS)
    rating = {"lp": "en-de", "name": "da", "protocol": "DA", "rater": "r", "system": "A", "segment": 1, "score": 50}
    judged.write_text(json.dumps(rating | {"document": "d1"} | change) + "\n")
    found = [note.text for note in check([texts, judged]).findings if note.severity != "note"]
    assert found == ([] if finding is None else [finding])


def test_test_sets_of_the_data_folder_are_checked_by_name(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    table = tmp_path / "home" / "mine" / "human-scores" / "en-de.mqm.sys.score"
    table.parent.mkdir(parents=True)
    table.write_text("a\t1\nb\tNone\n", encoding="utf-8")
    assert check("mine") == check(tmp_path / "home" / "mine")
    assert not any("no such file" in finding.text for finding in check("mine").findings)
    assert [finding.text for finding in check("yours").findings] == ["no such file or directory"]

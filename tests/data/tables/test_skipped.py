from __future__ import annotations

import pytest

import assay
from assay.data.tables.skipped import SkippedRows, refuse_lenient
from assay.errors import DecodeError, InputError
from assay.types import Campaign, Note, NoteKind


def skip(rows: int, faulty: int, *, known: bool = True) -> SkippedRows:
    skipped = SkippedRows("r.csv", rows if known else None)
    for line in range(faulty):
        skipped.add(17 + line, "the score is not a number")
    return skipped


def test_skipped_rows_are_counted_with_the_first_reason():
    assert SkippedRows("r.csv", 100).notes() == ()
    assert skip(100, 3).notes() == (
        Note(
            NoteKind.SKIPPED,
            "3 faulty rows skipped; the first: the score is not a number",
            "r.csv",
            3,
            "warning",
            line=17,
        ),
    )


def test_a_faulty_last_row_without_an_end_may_be_cut_off(tmp_path):
    path = tmp_path / "r.tsv"
    for text, is_said in (("1\n" * 20 + "2", True), ("1\n" * 20 + "2\n", False), ("1\n" * 21 + "2", False)):
        path.write_text(text, encoding="utf-8")
        skipped = SkippedRows(str(path), 21)
        skipped.add(21, "the score is not a number")
        assert ("cut off?" in skipped.notes()[0].text) == is_said


@pytest.mark.parametrize(("rows", "allowed"), [(9, 0), (10, 1), (49, 4), (50, 5), (500, 5), (1000, 10), (10**6, 10**4)])
def test_how_many_are_allowed(rows, allowed):
    skip(rows, min(allowed, 20))
    if allowed < 20:
        with pytest.raises(InputError, match=r"^r\.csv, line 17: the score is not a number"):
            skip(rows, allowed + 1)
        with pytest.raises(InputError, match="line 17"):
            skip(rows, allowed + 1, known=False).notes(rows)


def test_the_error_says_how_many_are_faulty():
    with pytest.raises(InputError, match="at least 6 of 60 rows are faulty, too many to skip"):
        skip(60, 20)  # reading stops at the sixth
    with pytest.raises(InputError, match="\n20 of 60 rows are faulty"):
        skip(60, 20, known=False).notes(60)


def test_an_error_keeps_its_type_and_hint():
    with pytest.raises(DecodeError, match="try another file"):
        SkippedRows("r.csv", 1).add_error(DecodeError("not text", path="r.csv", line=2, hint="try another file"), 2)
    skipped = SkippedRows("r.csv", 100)
    skipped.add_error(DecodeError("not text", path="r.csv", line=2), 2)
    assert [str(note) for note in skipped.notes()] == ["r.csv, line 2: 1 faulty row skipped: not text"]
    skipped = SkippedRows("r.csv", 100)
    skipped.add_error(InputError("no place"), 3)
    assert [str(note) for note in skipped.notes()] == ["r.csv, line 3: 1 faulty row skipped: no place"]


def test_strict_reading_refuses_skipped_rows():
    plain = Campaign("t", "en-de", 1, (), (), None, notes=(Note(NoteKind.UNREAD, "x"),))
    refuse_lenient([plain])
    with pytest.raises(InputError, match=r"^r\.csv, line 17: 1 faulty row skipped: the score"):
        refuse_lenient([plain, Campaign("t", "en-de", 1, (), (), None, notes=skip(10, 1).notes())])


@pytest.mark.parametrize(
    ("name", "header", "row"),
    [
        ("m.seg.score", "", "M\ten-de\twmt\trefA\tx{system}\t{segment}\t0.5"),
        ("en-de.rr-pairs.tsv", "segment\tbetter\tworse", "{segment}\tx{system}\ty"),
        ("en-de.wmt-z.tsv", "worker\tsystem\tsegment\ttype\tz", "w\tx{system}\t{segment}\tTGT\t0.5"),
        ("ratings.tsv", "rater\tsystem\tsegment\tscore", "r\tx{system}\t{segment}\t50"),
        ("rr.csv", "srclang,trglang,srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank",
         "eng,deu,{segment},j,x{system},1,y,2"),
        ("en-de.judgements.jsonl", "",
         '{{"dataset": "wmt", "lp": "en-de", "name": "da", "protocol": "DA", "rater": "r", "system": "x{system}", '
         '"segment": {segment}, "score": 50}}'),
    ],
)  # fmt: skip
def test_segment_0_is_an_error_in_any_format(tmp_path, name, header, row):
    """One row in three hundred: few enough to skip, but then all others would be shifted by one segment."""
    rows = [row.format(system=system, segment=segment) for system in range(2) for segment in range(300)]
    (tmp_path / name).write_text("\n".join([*filter(None, [header]), *rows, ""]), encoding="utf-8")
    line = 2 if header else 1
    with pytest.raises(InputError, match=rf"{name}, line {line}: the segment '0' must be a positive integer") as caught:
        assay.read(tmp_path / name)
    assert "add 1 to all segment numbers" in caught.value.hint

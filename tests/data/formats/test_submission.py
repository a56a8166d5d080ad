from __future__ import annotations

import gzip
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.data.formats import find_format
from assay.data.formats.mtme import read_pair
from assay.data.formats.submission import Submission
from assay.errors import AlignmentError, AssayError, ConfigError, InputError
from assay.types import Campaign, NoteKind, ScoreTable, TestSet
from tests import archives


def lines(*rows: str) -> str:
    return "".join("\t".join(row.split()) + "\n" for row in rows)


SYSTEMS = lines(
    "chrF en-de toy2021 refA online-A 0.5",
    "chrF en-de toy2021 refA online-B -0.25",
    "QE en-de toy2021 src online-A 1e-3",
    "QE en-de toy2021 src online-B 2",
    "chrF de-en toy2021 refB.refC other 0.75",
)
SEGMENTS = lines(
    "chrF en-de toy2020 toy2020 a.1 bbc.9 1 0.1",
    "chrF en-de toy2020 toy2020 a.1 bbc.9 2 0.2",
    "chrF en-de toy2020 toy2020 a.1 cnn.4 1 0.3",
    "chrF en-de toy2020 toy2020 b.2 bbc.9 1 0.4",
    "chrF en-de toy2020 toy2020 b.2 cnn.4 1 None",
)
FORMS = {
    "2016.sys.score": "chrF en-de toy online-A 0.5",
    "2016.seg.score": "chrF en-de toy online-A 3 0.5",
    "2018.sys.score": "chrF en-de toy online-A 0.5 non-ensemble https://example.org/chrF",
    "2017.sys.score": "chrF en-de toy online-A 0.5 1493196388 1493196486 ensemble no",
    "2019.seg.score": "chrF en-de toy online-A 3 0.5 non-ensemble no",
    "2020.sys.score": "chrF en-de toy refA online-A 0.5",
    "2020.doc.score": "chrF en-de toy refA online-A bbc.9 0.5",
    "2020.seg.score": "chrF en-de toy refA online-A bbc.9 3 0.5",
    "2021.seg.score": "chrF en-de toy refA online-A 3 0.5",
    "2023.sys.score": "chrF en-de toy all refA online-A 0.5",
    "2023.seg.score": "chrF en-de toy news bbc.9 refA online-A 3 0.5",
}


def read(path: Path, text: str, columns: str = "") -> tuple[Campaign, ...]:
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return Submission(columns).read(path)


def test_scores_by_system(tmp_path: Path) -> None:
    first, second = read(tmp_path / "x.sys.score.gz", SYSTEMS)
    assert (first.name, first.lp, first.segments, first.testset) == ("toy2021", "en-de", 0, None)
    assert first.systems == ("online-A", "online-B")
    assert first.references == ("refA",)
    chrf, qe = first.scores
    assert (chrf.name, chrf.level, chrf.references) == ("chrF", "system", ("refA",))
    assert (qe.name, qe.references) == ("QE", ())
    assert chrf.values.tolist() == [[0.5], [-0.25]]
    assert qe.values.tolist() == [[0.001], [2.0]]
    assert chrf.origin.endswith("x.sys.score.gz")
    assert len(chrf.digest) == 32
    assert (second.lp, second.references) == ("de-en", ("refB", "refC"))
    assert find_format(tmp_path / "x.sys.score.gz") == Submission()


def test_scores_by_segment_counted_in_each_document(tmp_path: Path) -> None:
    (campaign,) = read(tmp_path / "x.seg.score", SEGMENTS)
    (table,) = campaign.scores
    assert campaign.segments == 3
    np.testing.assert_array_equal(table.values, [[0.1, 0.2, 0.3], [0.4, math.nan, math.nan]])
    texts = [note.text for note in campaign.notes]
    assert "chrF by segment: 2 of 6 scores missing" in texts
    assert "unused columns: document" in texts


def test_scores_by_segment_counted_throughout(tmp_path: Path) -> None:
    rows = [row.replace("cnn.4\t1", "cnn.4\t4") for row in SEGMENTS.splitlines(keepends=True)]
    (campaign,) = read(tmp_path / "x.seg.score", "".join(reversed(rows)))
    (table,) = campaign.scores
    assert table.systems == ("b.2", "a.1")
    np.testing.assert_array_equal(table.values, [[0.4, math.nan, math.nan, math.nan], [0.1, 0.2, math.nan, 0.3]])


def test_scores_by_document_and_domain(tmp_path: Path) -> None:
    (campaign,) = read(tmp_path / "x.doc.score", lines("m en-de t refA s b 1", "m en-de t refA s a 2"))
    assert (campaign.scores[0].level, campaign.scores[0].items) == ("document", ("b", "a"))
    rows = ("m en-de t all refA s 1", "m en-de t news refA s 2", "m en-de t chat refA s 3")
    (campaign,) = read(tmp_path / "x.sys.score", lines(*rows))
    whole, domains = campaign.scores
    assert (whole.level, whole.values.tolist()) == ("system", [[1.0]])
    assert (domains.level, domains.items, domains.values.tolist()) == ("domain", ("news", "chat"), [[2.0, 3.0]])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("separator", ["\t", "  "])
def test_the_columns_of_all_years(tmp_path: Path, form: str, separator: str) -> None:
    text = separator.join(FORMS[form].split()) + "\n"
    (campaign,) = read(tmp_path / form, text)
    (table,) = campaign.scores
    level = {"sys": "system", "doc": "document", "seg": "segment"}[form.split(".")[1]]
    assert (table.name, campaign.name, campaign.lp, table.systems) == ("chrF", "toy", "en-de", ("online-A",))
    assert table.level == level
    assert table.values[0, -1] == 0.5
    assert table.references == (("refA",) if form >= "2020" else ())
    assert campaign.segments == (3 if level == "segment" else 0)
    assert find_format(tmp_path / form) == Submission()


@pytest.mark.parametrize("form", [form for form in FORMS if form not in ("2020.doc.score", "2023.sys.score")])
def test_most_columns_are_plain_without_a_name_that_says_the_level(tmp_path: Path, form: str) -> None:
    (campaign,) = read(tmp_path / "scores.tsv", lines(FORMS[form]))
    assert campaign.scores[0].values[0, -1] == 0.5


def test_a_header_says_what_the_columns_are(tmp_path: Path) -> None:
    names = "SYSTEM_ID METRIC-NAME LANG-PAIR TESTSET DOCUMENT REFERENCE NOTE SCORE"
    (campaign,) = read(tmp_path / "x.score", lines(names, "s m en-de t d refA ? 1"))
    assert campaign.scores[0].items == ("d",)
    assert [note.text for note in campaign.notes] == ["unused columns: skip"]


def test_ambiguous_columns_are_refused_until_told(tmp_path: Path) -> None:
    text = lines(FORMS["2020.doc.score"])
    with pytest.raises(InputError, match="ambiguous columns: metric") as caught:
        read(tmp_path / "scores.tsv", text)
    assert "wmt-scores:columns=" in str(caught.value.hint)
    (campaign,) = read(tmp_path / "scores.tsv", text, "metric+lp+testset+reference+system+document+score")
    assert campaign.scores[0].items == ("bbc.9",)
    for columns in ("metric", "metric+lp+testset+system+system+score", "metric+lp+testset+system+score+colour"):
        with pytest.raises(ConfigError, match="must contain metric"):
            read(tmp_path / "scores.tsv", text, columns)


DAMAGED = {
    "a comma": ("0.5", "0,5", "line 1: the score is not a number: '0,5'"),
    "too large": ("0.5", "1e400", "line 1: the score 1e400 is too large"),
    "infinite": ("0.5", "inf", "line 1: the score is not a number: 'inf'"),
    "a row twice": ("online-B\t-0.25", "online-A\t-0.25", "line 2: duplicate score 'chrF' of system 'online-A'"),
    "a column less": ("refA\tonline-B", "online-B", "line 2: 5 columns, expected 6"),
    "a column more": ("2\n", "2\tx\n", "line 4: 7 columns, expected 6"),
    "no language pair": ("de-en", "deen", "line 5: 'deen' is not a language pair"),
    "no system": ("online-B\t2", "\t2", "line 4: a system has no name"),
    "an unsafe system": ("online-B\t2", "a/b\t2", "line 4: 'a/b' cannot be the name of a system"),
    "no metric": (
        "QE\ten-de\ttoy2021\tsrc\tonline-B",
        "\ten-de\ttoy2021\tsrc\tonline-B",
        "line 4: the metric is empty",
    ),
    "nothing": (SYSTEMS, "\n \n", "no scores"),
    "a header alone": (SYSTEMS, "METRIC\tLP\tTESTSET\tSYSTEM\tSCORE\n", "no scores"),
    "something else": (SYSTEMS, "online-A\t0.5\n", "line 1: unrecognised columns \\(2\\)"),
    "another level": (SYSTEMS, lines(FORMS["2016.seg.score"]), "are by segment, but the file name says by system"),
    "not UTF-8": ("refB", "\udcff", "line 5: .* is not UTF-8"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged(tmp_path: Path, case: str) -> None:
    good, bad, message = DAMAGED[case]
    assert good in SYSTEMS
    path = tmp_path / "x.sys.score"
    path.write_bytes(SYSTEMS.replace(good, bad).encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=message) as caught:
        Submission().read(path)
    assert str(path) in str(caught.value)


def test_damaged_segments(tmp_path: Path) -> None:
    for good, bad, message in (
        ("bbc.9\t2", "bbc.9\t0", "line 2: the segment '0' must be a positive integer"),
        ("bbc.9\t2", "bbc.9\tx", "line 2: the segment 'x' must be a positive integer"),
        ("bbc.9\t2", "bbc.9\t1", "line 2: duplicate score"),
        ("bbc.9\t2", "bbc.9\t999999999", "2,000,000,000 cells, but only 5 scores"),
    ):
        with pytest.raises(InputError, match=message):
            read(tmp_path / "x.seg.score", SEGMENTS.replace(good, bad))


def test_many_systems_with_a_document_each(tmp_path: Path) -> None:
    rows = [f"m en-de t refA s{i} d{i} 1" for i in range(4000)]
    with pytest.raises(InputError, match="16,000,000 cells, but only 4,000 scores"):
        read(tmp_path / "x.doc.score", lines(*rows))


def test_gaps_may_be_written_in_several_ways(tmp_path: Path) -> None:
    rows = [f"m en-de t refA s{i} {gap}" for i, gap in enumerate(("None", "NaN", "NA", "null"))]
    (campaign,) = read(tmp_path / "x.sys.score", lines(*rows, "m en-de t refA s 1"))
    assert campaign.scores[0].gaps == 4


NAMES = st.text(st.characters(categories=["L", "N", "P"], exclude_characters="/\\."), min_size=1, max_size=8)
NUMBERS = st.one_of(st.just(float("nan")), st.floats(-1e150, 1e150))


@given(NAMES, st.lists(NAMES, max_size=2, unique=True), st.data(), st.sampled_from(["system", "segment"]))
@settings(max_examples=80, deadline=None)
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory, metric: str, references: list[str], data: st.DataObject, level: str
) -> None:
    systems = tuple(f"s{name}" for name in data.draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)))
    size = 1 if level == "system" else data.draw(st.integers(1, 4))
    row = st.lists(NUMBERS, min_size=size, max_size=size)
    values = np.array(data.draw(st.lists(row, min_size=len(systems), max_size=len(systems))))
    references = [f"ref{name}" for name in references]
    table = ScoreTable(f"m{metric}", level, systems, values, references=tuple(references))
    campaign = Campaign("toy", "en-de", size if level == "segment" else 0, systems, tuple(references), None, (table,))
    path = tmp_path_factory.mktemp("scores") / f"x.{level[:3]}.score.gz"
    Submission().write([campaign], path)
    columns = "metric+lp+testset+reference+system" + ("+segment" if level == "segment" else "") + "+score"
    (again,) = Submission(columns).read(path)
    assert (again.name, again.lp, again.systems) == ("toy", "en-de", systems)
    assert (again.scores[0].name, again.scores[0].references) == (table.name, tuple(references))
    np.testing.assert_array_equal(again.scores[0].values, values)


def test_what_was_written_is_read_without_being_told_the_columns(tmp_path: Path) -> None:
    campaigns = read(tmp_path / "x.sys.score", SYSTEMS)
    Submission().write(campaigns, tmp_path / "y.sys.score")
    assert (tmp_path / "y.sys.score").read_text() == SYSTEMS.replace("1e-3", "0.001").replace("\t2\n", "\t2.0\n")
    (segments,) = read(tmp_path / "x.seg.score", SEGMENTS)
    Submission().write([segments], tmp_path / "y.seg.score")
    (again,) = Submission().read(tmp_path / "y.seg.score")
    np.testing.assert_array_equal(again.scores[0].values, segments.scores[0].values)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    (campaign,) = read(tmp_path / "x.seg.score", SEGMENTS)
    (table,) = campaign.scores
    cases = (
        ("y.sys.score", campaign, "either by system or by segment"),
        ("y.seg.score", replace(campaign, scores=()), "no scores to write"),
        (
            "y.seg.score",
            replace(campaign, testset=TestSet({"a": ("x",)})),
            "cannot hold texts, judgements or human scores",
        ),
        ("y.seg.score", replace(campaign, scores=(table, table)), "'chrF' occurs twice"),
        ("y.seg.score", replace(campaign, scores=(replace(table, higher_is_better=False),)), "better when lower"),
        ("y.seg.score", replace(campaign, scores=(replace(table, protocol="MQM"),)), "human scores"),
        ("y.seg.score", replace(campaign, lp=""), "'' cannot be a field"),
    )
    for name, changed, message in cases:
        with pytest.raises(ConfigError, match=message):
            Submission().write([changed], tmp_path / name)
        assert not (tmp_path / name).exists()


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_scores_of_wmt20_come_back(tmp_path: Path) -> None:
    campaign = read_pair(archives.unpacked("wmt20"), "cs-en")
    for level in ("system", "segment"):
        tables = tuple(table for table in campaign.metrics if table.level == level)
        path = tmp_path / f"all.{level[:3]}.score"
        Submission().write([replace(campaign, testset=None, scores=tables, judgements=())], path)
        (again,) = Submission().read(path)
        assert [(t.name, t.systems, t.references) for t in again.scores] == [
            (t.name, t.systems, t.references) for t in tables
        ]
        for table, other in zip(tables, again.scores, strict=True):
            np.testing.assert_array_equal(table.values, other.values)


@given(st.binary(max_size=200) | st.text("\t abc-0123.\n", max_size=200).map(str.encode))
@settings(max_examples=200, deadline=None)
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "x.seg.score"
    path.write_bytes(data)
    try:
        campaigns = Submission().read(path)
    except AssayError:
        return
    assert campaigns


PIECES = ["", "\t", " ", "\n", "999999999", "-1", "None", "é", "\x00", "\u2028", "e400", "\r"]


@given(st.sampled_from([SYSTEMS, SEGMENTS]), st.integers(0, 250), st.integers(0, 20), st.sampled_from(PIECES))
@settings(max_examples=300, deadline=None)
def test_any_change(tmp_path_factory: pytest.TempPathFactory, text: str, at: int, length: int, bad: str) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "x.score"
    path.write_bytes((text[:at] + bad + text[at + length :]).encode())
    try:
        campaigns = Submission().read(path)
    except InputError:
        return
    assert all(campaign.scores for campaign in campaigns)


def test_single_faulty_rows_are_skipped(tmp_path):
    lines = [f"m\ten-de\tt\trefA\ts\t{i}\t0.5" for i in range(1, 301)]
    for bad in ("m\ten-de\tt\trefA\ts\t301\tx", lines[0], "m\ten-de\tt", "m\ten-de\tt\trefA\tnew\t1\tx"):
        path = tmp_path / "m.seg.score"
        path.write_text("\n".join([*lines, bad, ""]), encoding="utf-8")
        (campaign,) = Submission().read(path)
        assert [note.count for note in campaign.notes if note.kind is NoteKind.SKIPPED] == [1]
        assert (campaign.segments, campaign.systems) == (300, ("s",))


def test_segments_that_count_from_zero_are_refused(tmp_path):
    """Skipping the rows of segment 0 would shift all others by one; few of many rows are such."""
    rows = [f"M\ten-de\twmt\trefA\t{system}\t{{}}\t0.5" for system in "ab"]
    path = tmp_path / "m.seg.score"
    path.write_text("".join(f"{row.format(n)}\n" for row in rows for n in range(300)), encoding="utf-8")
    message = r"m.seg.score, line 1: the segment '0' must be a positive integer: segments count from 1"
    with pytest.raises(AlignmentError, match=message) as caught:
        Submission().read(path)
    assert caught.value.hint == "if the file counts from 0, add 1 to all segment numbers"

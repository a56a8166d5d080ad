from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.errors import AssayWarning, ConfigError, InputError, UnknownNameError
from assay.span_agreement.mpp import PartialCredit
from assay.types import Campaign, ErrorSpan, Ratings, TestSet

SEGMENTS, LENGTH = 12, 20
DOCUMENTS = [*"aabbbcddeeff"]


def span(start: int, end: int, severity: str = "minor") -> ErrorSpan:
    return ErrorSpan("", severity, start, end)


def marks(name: str, rows: list[tuple[str, int, tuple[ErrorSpan, ...]]], *, is_human: bool) -> Ratings:
    raters = tuple(dict.fromkeys(rater for rater, _, _ in rows))
    return Ratings(
        name,
        "ESA" if is_human else "other",
        raters,
        ("A",),
        np.array([raters.index(rater) for rater, _, _ in rows]),
        np.zeros(len(rows), dtype=int),
        np.array([segment for _, segment, _ in rows]),
        np.full(len(rows), 80.0),
        errors=tuple(errors for _, _, errors in rows),
        is_human=is_human,
        wave=tuple(str(k // SEGMENTS + 1) for k in range(len(rows))) if is_human else (),
    )


def campaign(lp: str = "en-de", segments: int = SEGMENTS) -> Campaign:
    """People mark characters 0 to 10; the second rater 5 to 10, and nothing in odd segments."""
    texts = TestSet({"A": ["x" * LENGTH] * segments}, documents=DOCUMENTS[:segments], lp=lp)
    first = [("r", k, (span(0, 10),)) for k in range(segments)]
    second = [("s", k, () if k % 2 else (span(5, 10),)) for k in range(segments)]
    good = [("good", k, (span(0, 10),)) for k in range(segments)]
    bad = [("bad", k, (span(8, 12, "major"),)) for k in range(segments)]
    return Campaign(
        "test",
        lp,
        segments,
        ("A",),
        (),
        texts,
        judgements=(marks("esa", first + second, is_human=True),),
        predictions=(marks("good", good, is_human=False), marks("bad", bad, is_human=False)),
    )


def test_values_by_hand() -> None:
    table = assay.meta_spans(campaign(), statistics="mpp,characters-wmt25")
    # 24 ratings: 12 equal, 6 with half of what is predicted, 6 without errors
    good = table.agreement("good", statistic="mpp")
    precision, recall = (12 + 6 * 0.5) / 24, 18 / 18
    assert good.value == pytest.approx(2 * precision * recall / (precision + recall))
    assert {name: float(good.details[name]) for name in ("precision", "recall")} == pytest.approx(
        {"precision": precision, "recall": recall}
    )
    assert (good.n, good.segments, good.systems) == (24, SEGMENTS, ("A",))
    # 2 of 4 characters, with another severity: half a credit, in 18 of 24 ratings
    bad = table.agreement("bad", statistic="characters-wmt25")
    p, r = 18 * 1 / (24 * 4), 18 * 1 / (12 * 10 + 6 * 5)
    assert bad.value == pytest.approx(2 * p * r / (p + r))
    assert [row.metric for row in table] == ["good", "bad"]
    assert good.interval[0] < good.value < good.interval[1]
    assert good.estimate.basis is not None
    assert (good.estimate.basis.method, good.estimate.basis.n) == ("documents", 6)


def test_people_are_compared_with_other_raters_of_the_output() -> None:
    table = assay.meta_spans(campaign())
    people = table.agreement("human: another rater")
    # 24 pairs (a rating, the other one): 6 times 10 against 5 characters, both ways, and 12 times one side is empty
    both = (6 * 0.5 + 6 * 1) / 18
    assert people.value == pytest.approx(both)
    assert [row.metric for row in table.baselines] == [
        "human: another rater",
        "nothing marked",
        "everything marked",
        "every sentence marked",
        "one character marked",
    ]


@pytest.mark.parametrize(
    ("statistic", "name", "expected"),
    [
        ("mpp", "nothing marked", 0),
        # of 24 predictions, 12 have 10 right characters of 20, and 6 have 5
        ("mpp", "everything marked", 2 * (7.5 / 24) / (7.5 / 24 + 1)),
        ("characters-wmt25", "everything marked", 2 * (150 / 480) / (150 / 480 + 1)),
        ("exact-match", "one character marked", 0),
    ],
)
def test_what_annotators_get_that_read_nothing(statistic: str, name: str, expected: float) -> None:
    assert assay.meta_spans(campaign(), statistics=statistic).agreement(name).value == pytest.approx(expected)


def test_macro_averages_reward_nothing_marked_where_there_is_nothing() -> None:
    table = assay.meta_spans(campaign(), average="macro")
    assert table.agreement("nothing marked").value == pytest.approx(6 / 24)
    assert table.agreement("good").value == pytest.approx((12 * 1 + 6 * (2 * 0.5 / 1.5)) / 24)


def test_metrics_are_tested_by_swapping_documents() -> None:
    table = assay.meta_spans(campaign(), sig="default:resamples=999")
    (test,) = table.tests
    assert test.test == "perm-documents:resamples=999"
    assert test.winners == ("good",)
    assert test.p_value("good", "bad") == pytest.approx(1 / 2**6, abs=0.02)  # all six documents favour one metric
    assert test.p_value("bad", "good") == 1


def test_errors_are_matched_once_for_values_and_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    matched = []
    compare = PartialCredit.credits
    monkeypatch.setattr(PartialCredit, "credits", lambda *each: matched.append(each) or compare(*each))
    assay.meta_spans(campaign(), statistics="mpp", resamples=0)
    untested = len(matched)
    assay.meta_spans(campaign(), statistics="mpp", resamples=0, sig="perm-documents:resamples=9")
    assert len(matched) == 2 * untested > 0


def test_two_language_pairs_have_an_average_and_its_test() -> None:
    table = assay.meta_spans([campaign(), campaign("en-cs")], sig="perm-documents:resamples=99")
    assert [test.lp for test in table.tests] == [None, "en-de", "en-cs"]
    row = table["good"]
    assert row.average.value == pytest.approx(table.agreement("good", lp="en-cs").value)


def test_an_output_that_a_metric_did_not_read_does_not_count() -> None:
    data = campaign()
    short = assay.meta_spans(
        Campaign(
            data.name,
            data.lp,
            data.segments,
            data.systems,
            (),
            data.testset,
            judgements=data.judgements,
            predictions=(data.predictions[0].where(np.arange(SEGMENTS) < 10),),
        )
    )
    assert short.agreement("good").n == 20
    assert any("'good' read only 20 rated outputs of 24" in note.text for note in short.notes)


def test_few_documents_have_no_interval_and_no_metric_is_no_error() -> None:
    data = campaign(segments=4)
    table = assay.meta_spans(
        Campaign(data.name, data.lp, 4, ("A",), (), data.testset, judgements=data.judgements), statistics="mpp"
    )
    assert not len(table)
    assert assay.reports.document(table).verdict.text.startswith("No metric is compared on test en-de")
    assert any("no metric marked errors" in note.text for note in table.notes)
    unit_notes = [note.text for note in table.notes if "interval" in note.text]
    assert unit_notes == ["no interval: 2 documents, fewer than 5"]  # and nothing on how rough they are
    people = table.agreement("human: another rater", lp="en-de")
    assert math.isnan(people.interval[0])
    assert people.reason == "no interval: 2 documents, fewer than 5"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"sig": "williams"}, ConfigError, "williams does not test metrics at the level span"),
        ({"alpha": 0.01}, ConfigError, "metrics are not tested"),
        ({"metrics": "best"}, UnknownNameError, "no metric that marked errors matches 'best'"),
        ({"over_pairs": "pooled"}, ConfigError, "there is a single language pair"),
        ({"resamples": 0, "confidence": 0.9}, ConfigError, "there are no intervals"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        assay.meta_spans(campaign(), **options)


def test_scores_without_marks_are_refused() -> None:
    data = campaign()
    scores = Ratings("da", "DA", ("r",), ("A",), np.array([0]), np.array([0]), np.array([0]), np.array([5.0]))
    with pytest.raises(InputError, match="'da' has no errors marked in the text"):
        assay.meta_spans(Campaign("t", "en-de", 1, ("A",), (), data.testset, judgements=(scores,)))
    with pytest.raises(ConfigError, match="unknown level 'span'"):
        assay.meta(data, level="span")


def write_folder(folder: Path, lp: str = "en-de") -> None:
    """A test set with ESA in the layout of mt-metrics-eval, and a table of predicted errors beside it."""
    header = "system\tdocument\tsegment\tdomain\tannotator\twave\tcounted\tscore\tstart\tend\tminor\tmajor\terrors"
    rows = [
        ["A", f"d{k // 2}", str(k + 1), "news", rater, wave, "1", "80", "1", "2", "1", "0", errors]
        for rater, wave, errors in (
            ("r", "1", '[{"start_i": 0, "end_i": 9, "severity": "minor"}]'),
            ("s", "2", '[{"start_i": 5, "end_i": 9, "severity": "minor"}]'),
        )
        for k in range(SEGMENTS)
    ]
    for name, text in {
        f"sources/{lp}.txt": "a\n" * SEGMENTS,
        f"system-outputs/{lp}/A.txt": ("x" * LENGTH + "\n") * SEGMENTS,
        f"judgements/{lp}.esa.tsv": "\n".join([header, *map("\t".join, rows), ""]),
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    with (folder.parent / "mine.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["system", "segment", "start", "end", "severity"])
        writer.writerows(["A", k + 1, 0, 10, "major"] for k in range(SEGMENTS))


def test_files_without_a_language_pair_belong_to_a_single_one(tmp_path: Path) -> None:
    for lp in ("en-de", "en-cs"):
        write_folder(tmp_path / "set", lp)
    with pytest.raises(InputError, match="some of these files name no language pair") as caught:
        assay.load_campaigns(tmp_path / "set", tmp_path / "mine.csv", lps=("en-de", "en-cs"))
    assert caught.value.hint == 'read them with a single pair, which is then theirs: lp="en-de"'


def test_files_of_marked_errors_stand_beside_the_data(tmp_path: Path) -> None:
    write_folder(tmp_path / "set")
    campaigns = assay.load_campaigns(tmp_path / "set", tmp_path / "mine.csv", lps="en-de")
    table = assay.meta_spans(campaigns, statistics="characters-wmt25")
    p, r = (10 * 0.5 + 5 * 0.5) / 20, 0.5
    assert table.agreement("mine").value == pytest.approx(2 * p * r / (p + r))


def test_metrics_that_read_nothing_do_as_well_are_named() -> None:
    data = campaign()
    table = assay.meta_spans(data, statistics="characters-wmt25")
    assert [note.text for note in table.notes if "no better" in note.text] == [
        "no better than 'everything marked' by characters-wmt25: bad"
    ]


def test_metrics_that_are_not_shown_to_be_better_than_who_reads_nothing_are_named() -> None:
    """All but one output are marked whole: better than who marks all of them whole, but not over other documents."""
    data = campaign()
    lucky = marks("lucky", [("m", k, (span(0, 20 if k else 10),)) for k in range(SEGMENTS)], is_human=False)
    data = replace(data, predictions=(*data.predictions, lucky))
    table = assay.meta_spans(data, statistics="characters-wmt25")
    assert table.agreement("lucky").value > table.agreement("everything marked").value
    text = "not shown to be better than 'everything marked' by characters-wmt25: lucky"
    assert [note.text for note in table.notes if "not shown" in note.text] == [text]
    assert not any("not shown" in note.text for note in assay.meta_spans(data, resamples=0).notes)


def test_a_metric_is_compared_with_blind_annotators_on_the_outputs_that_it_read() -> None:
    """Marking all of an output is good where people marked all of it, and bad over all outputs."""
    texts = TestSet({"A": ["x" * LENGTH] * SEGMENTS}, documents=DOCUMENTS, lp="en-de")
    people = [("r", k, (span(0, LENGTH if k < 4 else 2),)) for k in range(SEGMENTS)]
    whole = [("whole", k, (span(0, LENGTH),)) for k in range(4)]
    data = Campaign("t", "en-de", SEGMENTS, ("A",), (), texts)
    judged = (marks("esa", people, is_human=True),)
    table = assay.meta_spans(replace(data, judgements=judged, predictions=(marks("whole", whole, is_human=False),)))
    assert table.agreement("whole").value == 1 > table.agreement("everything marked").value + 0.3
    texts_of_notes = [note.text for note in table.notes]
    assert "no better than 'everything marked' by mpp: whole" in texts_of_notes
    assert any(
        text.startswith("'whole' read only 4 rated outputs of 12: its values are of these") for text in texts_of_notes
    )
    assert (
        "by mpp, on what 'whole' read: nothing marked 0.000, everything marked 1.000, every sentence marked 1.000, "
        "one character marked 0.095"
    ) in texts_of_notes


def test_what_a_metric_marked_twice_is_left_out_and_said_once() -> None:
    data = campaign()
    again = [("good", k % SEGMENTS, (span(0, 10),)) for k in range(SEGMENTS + 2)]
    with pytest.warns(AssayWarning, match="left out: 2 outputs that 'good' marked more than once"):
        table = assay.meta_spans(replace(data, predictions=(marks("good", again, is_human=False),)))
    assert table.agreement("good").n == 20
    assert not [note for note in table.notes if "both ratings count" in note.text]


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({"systems": ("lists",)}, "it read those of lists, people those of A"),
        ({"segment": np.arange(SEGMENTS) + 100}, "of A, it read other segments"),
    ],
)
def test_a_metric_that_read_none_of_the_rated_outputs_is_named(change: dict[str, object], about: str) -> None:
    data = campaign()
    good, bad = data.predictions
    data = replace(data, predictions=(replace(good, **change), bad), systems=("A", "lists"))
    with pytest.warns(AssayWarning, match=f"none of the 12 outputs that 'good' read is one that people rated: {about}"):
        table = assay.meta_spans(data, resamples=0)
    assert math.isnan(table.agreement("good").value)
    assert not any("'bad'" in note.text for note in table.notes)


def test_outputs_that_a_metric_marked_twice_are_found_by_check(tmp_path: Path) -> None:
    """The form of WMT25, in which a row occurs twice."""
    names = ("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "start_indices")
    row = ["d1", "7", "en", "is_IS", "official", "A", "-1", "-1", "no-error"]
    lines = [[*names, "end_indices", "error_types"], row, row, [*row[:1], "8", *row[2:]]]
    path = tmp_path / "sub.tsv"
    path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    found = [finding.text for finding in assay.check(path).findings]
    assert "left out: 1 output that 'sub' marked more than once" in found


def test_a_file_without_systems_is_given_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('[[{"start": 3, "end": 7, "severity": "minor"}], []]', encoding="utf-8")
    (found,) = assay.read(path, input_format="spans:system=A")
    assert (found.predictions[0].name, found.predictions[0].systems) == ("mine", ("A",))
    assert assay.read(path)[0].predictions[0].systems == ("mine",)

from __future__ import annotations

import pytest

from assay import ScoreTable, load, score
from assay.reports import document as make_document
from assay.reports.cells import Count, Text
from assay.reports.documents import Caption, Document, Grid, Section, Series, columns
from assay.reports.folding import text_width
from assay.reports.table import Table
from tests.tables import table_lines


def render(**options):
    testset = load(
        outputs={"alpha": ["a b c d e", "x y z w"], "中文": ["a b c d f", "x y"]},
        references=["a b c d e", "x y z w"],
        domains=["news", "talk"],
    )
    return Table().render(make_document(score(testset, ["bleu", "chrf"], by="domain", resamples=20), **options))


def test_columns_line_up_by_display_width():
    lines = table_lines(render())
    header, first, second = lines[:3]
    assert header.split() == ["bleu", "(n=2)", "corpus", "segment"]
    assert text_width(header) == text_width(first) == text_width(second)
    assert text_width(second[: second.index("]")]) == text_width(first[: first.index("]")])


def test_it_tells_how_far_the_aggregations_disagree():
    text = render()
    assert "corpus and segment scores differ by up to" in text
    assert "and rank the two systems alike" in text


def test_groups_segments_and_signature():
    text = render(segments=True, signatures="sacrebleu")
    assert "domain:news (n=1)" in text
    assert "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0" in text
    assert "\n2     100.00" in text


@pytest.mark.warns("nothing was scored")
def test_reasons_are_shown():
    run = score(load(outputs={"x": [None, "a"], "y": ["a", None]}, references=["a", "a"]), "bleu", resamples=5)
    text = Table().render(make_document(run))
    assert "x                –" in text
    assert "all systems, corpus and segment: no segment was scored for all systems" in text


def test_width():
    assert [text_width(t) for t in ("abc", "中文", "e\u0301", "")] == [3, 4, 1, 0]


def test_one_signature_for_each_form():
    lines = render().splitlines()
    assert "segment: effective_order:yes" in lines
    run = score(load(outputs={"x": ["a b"]}, references=["a b"]), "bleu", resamples=0, agg="segment")
    text = Table().render(make_document(run, signatures="sacrebleu"))
    assert "nrefs:" not in text  # sacreBLEU has no signature for a mean of segment scores
    assert "effective_order:yes" in text


def _document(section):
    return Document(lambda: (section,), {}, lambda: (), dict)


WIDE = _document(
    Section(
        (
            Grid(
                columns(("name", "a", "b", "c")),
                (
                    (Text("one"), Count(1), Count(22), Count(333)),
                    (Text("two"), Count(4), Count(55), Count(666)),
                ),
                (Caption("a caption"),),
                (Series("one", ("a",), (0.0,)), Series("two", ("a",), (1.0,))),
            ),
        ),
        signatures=("sig",),
    )
)
CHART = "▁ 0.00 █ 1.00"


def test_a_wide_grid_comes_in_blocks_that_all_have_the_labels():
    whole = Table().render(WIDE)
    assert whole.splitlines() == [
        f"name  {CHART}  a   b    c",
        "one   ▁              1  22  333",
        "two   █              4  55  666",
        "a caption",
        "sig",
    ]
    assert Table(width=31).render(WIDE) == whole
    assert Table(width=22).render(WIDE).splitlines() == [
        *(f"name  {CHART}  a", "one   ▁              1", "two   █              4", ""),
        *("name   b    c", "one   22  333", "two   55  666", "a caption", "sig"),
    ]


def test_a_block_has_one_column_at_least():
    lines = Table(width=1).render(WIDE).splitlines()
    assert [line for line in lines if line.startswith("one")] == ["one   ▁", "one   1", "one   22", "one   333"]


def test_a_metric_without_two_aggregations_does_not_differ_from_itself():
    testset = load(outputs={"x": ["a", "b"], "y": ["a", "c"]}, references=["a", "b"])
    mine = ScoreTable("mine", "segment", ("x", "y"), [[1.0, 2.0], [3.0, 5.0]])
    assert "\ncorpus and segment scores are the same\n" in Table().render(
        make_document(score(testset, mine, resamples=0))
    )


def test_signatures_are_short_unless_they_are_asked_for():
    lines = render().splitlines()
    assert any(line.startswith("bleu|refs:1|agg:corpus|resamples:20|version:") for line in lines)
    assert any(line.startswith("bleu|flavour:") for line in render(signatures="full").splitlines())


def test_a_title_stands_alone():
    assert Table().render(_document(Section(title="nothing\x1bdiffers"))) == "nothing\\x1bdiffers\n"


def test_long_names_and_titles_stand_on_several_lines_before_a_table_is_split():
    grid = Grid(
        columns(("system", "first-submission-of-a-team", "p")),
        ((Text("second-submission-of-a-team"), Count(1), Count(2)), (Text("short"), Count(3), Count(4))),
    )
    assert Table(width=44).render(_document(Section((grid,)))).splitlines() == [
        "                       first-submission-",
        "system                         of-a-team  p",
        "second-submission-                     1  2",
        "of-a-team",
        "short                                  3  4",
    ]

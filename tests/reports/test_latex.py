from __future__ import annotations

import pytest

from assay import load, score
from assay.errors import ConfigError
from assay.reports import document as make_document
from assay.reports.cells import Count, Flag, Number, Passage, PValue, RankRange, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, columns
from assay.reports.latex import Latex


def test_booktabs():
    run = score(load(outputs={"a_b & c": ["x y", None]}, references=["x y", "z"]), "chrf", resamples=0, agg="corpus")
    text = Latex().render(make_document(run, signatures="sacrebleu"))
    assert text == (
        "% needs \\usepackage{booktabs}\n\n"
        "\\begin{table}\n\\centering\n"
        "\\begin{tabular}{lr}\n\\toprule\nsystem & chrF \\\\\n\\midrule\n"
        "a\\_b \\& c & 100.0 \\\\\n\\bottomrule\n"
        "\\end{tabular}\n\\caption{Scores of 1 system (1 segment, 1 reference).}\n"
        "\\label{tab:scores-of-1-system}\n\\end{table}\n"
        "% nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0\n\n"
        "% warning: a_b & c, line 2: 1 of 2 segments missing\n"
        "% note: chrf: excluded 1 of 2 segments, which lack an output for a_b & c\n"
    )


@pytest.mark.warns("no segments of")
def test_captions_belong_to_the_table_and_signatures_and_notes_are_comments():
    run = score(load(outputs={"x": [None]}, references=["z"]), "chrf", resamples=0, agg="corpus")
    text = Latex().render(make_document(run))
    assert "reference). chrF, x, corpus: no segment was scored.}\n" in text
    assert "x & -- \\\\" in text


OUTPUTS = {"a": ["the cat sat here", "b c d e", "x y z w"], "b": ["the cat sat", "b c d f", "x y z w v"]}
REFERENCES = ["the cat sat here", "b c d e", "x y z w v"]


def test_all_metrics_stand_in_one_table_the_best_system_first():
    run = score(load(outputs=OUTPUTS, references=REFERENCES, lp="en-de"), "ter,chrf", resamples=0, agg="corpus,segment")
    text = Latex().render(make_document(run))
    assert text.count("\\begin{table}") == 1
    assert (
        " & \\multicolumn{2}{c}{TER $\\downarrow$} & \\multicolumn{2}{c}{chrF} \\\\\n"
        "\\cmidrule(lr){2-3} \\cmidrule(lr){4-5}\nsystem & corpus & segment & corpus & segment \\\\\n\\midrule\na & "
    ) in text
    assert (
        "\\caption{Scores of 2 systems (en-de, 3 segments, 1 reference). Segment: mean of the segment scores. "
        "$\\downarrow$: lower is better. Bold: best.}"
    ) in text


def test_intervals_stand_in_a_second_table_and_a_second_line():
    run = score(load(outputs=OUTPUTS, references=REFERENCES), "chrf", resamples=100, agg="corpus")
    first, second = Latex().render(make_document(run)).split("\\end{table}")[:2]
    assert "[" not in first.partition("tabular")[2]
    assert "intervals" not in first
    assert "\n & {\\scriptsize [" in second
    assert "95 \\% intervals: bootstrap over segments, 100 resamples." in second


def test_a_bracket_does_not_belong_to_the_row_before():
    run = score(load(outputs={"[1pt]x": ["z"], "*y": ["z"]}, references=["z"]), "chrf", resamples=0, agg="corpus")
    text = Latex().render(make_document(run))
    assert "\n{[}1pt]x & \\textbf{100.0}" in text
    assert "\n{*}y & \\textbf{100.0}" in text


def render(*sections):
    return Latex().render(Document(lambda: sections, {}, tuple, dict, name="Made up"))


def test_best_is_bold_and_values_that_do_not_differ_from_it_are_marked():
    best, among = frozenset({Flag.BEST}), frozenset({Flag.AMONG_BEST})
    rows = [(Text("a"), Number(0.5, flags=best)), (Text("b"), Number(0.4, flags=among)), (Text("c"), Number(0.1))]
    header = (Column("metric", "left"), Column("x"))
    text = render(Section((Grid(header, tuple(rows), (Caption("n: 3 & more"),)),)))
    assert "a & \\textbf{0.50} \\\\" in text
    assert "b & 0.40\\rlap{\\textsuperscript{$\\dagger$}} \\\\" in text
    assert "c & 0.10 \\\\" in text
    legend = "Bold: best. $\\dagger$: no difference from the best shown."
    assert f"\\caption{{Made up. n: 3 \\& more. {legend}}}" in text
    rows[2] = (Text("c"), Number(0.1, flags=frozenset({Flag.OTHER_CELLS})))  # has a mark of its own
    text = render(Section((Grid(header, tuple(rows)),)))
    assert "b & 0.40\\rlap{\\textsuperscript{$\\dagger$}} \\\\" in text
    assert "c & 0.10\\rlap{\\textsuperscript{\\S{}}} \\\\" in text


def test_numbers_as_papers_print_them():
    cells = (
        Number(-0.5),
        Number(-0.001),
        Number(0.0, style="signed"),
        PValue(1e-5, 0.05),
        PValue(0.02, 0.05),
        RankRange(1, 3),
    )
    columns = tuple(Column(str(k)) for k in range(len(cells)))
    line = "$-$0.50 & 0.00 & 0.00 & \\textless{}0.0001 & 0.020 & 1--3 \\\\"
    assert line in render(Section((Grid(columns, (cells,)),)))
    bounds = Number(0.5, low=-0.03, high=0.996, bound_decimals=2)
    grid = Grid((Column("x", "left"), Column("y")), ((Text("a"), bounds),))
    assert " & {\\scriptsize [$-$0.03, 0.996]} \\\\" in render(Section((grid,)))


def test_remarks_are_comments_below_the_table():
    captions = (Caption("shown"), Caption("by the way", role="remark"))
    text = render(Section((Grid((Column("a", "left"),), (), captions),), signatures=("s:1",)), Section(title="prose"))
    assert "\\caption{Made up. Shown.}" in text
    assert text.endswith("\\end{table}\n% s:1\n% by the way\n\n% prose\n")


def test_signs_that_some_fonts_lack():
    text = render(Section((Grid((Column("a <b> | c", "left"),), (), (Caption("p <= 0.05 >= …"),)),)))
    assert "a \\textless{}b\\textgreater{} \\textbar{} c" in text
    assert "p $\\le$ 0.05 $\\ge$ \\ldots{}" in text


def test_grouped_headers():
    columns = (
        Column("metric", "left"),
        Column("rank"),
        Column("de-en tau", group="tau_b", short="de-en"),
        Column("en-de tau", group="tau_b", short="en-de"),
        Column("mean r", group="r", short="mean"),
    )
    text = render(Section((Grid(columns, ((Text("a"), *[Count(1)] * 4),)),)))
    assert (
        "\\toprule\n &  & \\multicolumn{2}{c}{tau\\_b} & \\multicolumn{1}{c}{r} \\\\\n"
        "\\cmidrule(lr){3-4} \\cmidrule(lr){5-5}\n"
        "metric & rank & de-en & en-de & mean \\\\\n\\midrule\n"
    ) in text


def test_labels_are_unique_and_short():
    grid = Grid((Column("a", "left"),), ((Text("x"),),))
    text = render(Section((grid, grid)), Section((grid,), "Über & out: 3"), Section((grid,), "long " * 20))
    labels = ["made-up", "made-up-2", "made-up-ber-out-3", "made-up-long-long-long-long-long-long"]
    assert [line for line in text.splitlines() if "label" in line] == [f"\\label{{tab:{each}}}" for each in labels]


def wide(count, *, group="", rows=1):
    columns = (Column("a", "left"), *(Column(f"{k:07}", group=group and f"{group} {k // 3}") for k in range(count)))
    return Grid(columns, ((Text("x"), *[Count(1)] * count),) * rows)


def test_a_table_is_as_wide_as_it_must_be():
    def environments(count):
        return [
            line
            for line in render(Section((wide(count),))).splitlines()
            if "begin{table" in line or "tabcolsep" in line
        ]

    assert environments(2) == ["\\begin{table}"]
    assert environments(7) == ["\\begin{table*}"]
    assert [line[:10] for line in environments(9)] == ["\\begin{tab", "\\footnotes"]


def test_a_table_that_no_page_can_hold_is_split():
    text = render(Section((wide(15, group="g"),), "wide"))
    assert text.count("\\begin{table*}") == 2
    assert "\\caption{Made up: wide. Continued (2 of 2).}" in text
    headers = [line for line in text.splitlines() if line.startswith("a & ")]
    assert headers == [f"a & {' & '.join(f'{k:07}' for k in part)} \\\\" for part in (range(9), range(9, 15))]
    assert render(Section((wide(15),), "wide")).count("\\begin{table") == 2
    assert render(Section((wide(2, rows=100),), "long")).count("\\begin{table}") == 3


def test_details_come_last_in_parts_that_fit():
    sections = [Section((wide(1),), "fits", is_detail=True), Section((wide(15),), "wide", is_detail=True)]
    text = render(*sections, Section((wide(2),), "main"))
    assert [line for line in text.splitlines() if "caption" in line] == [
        "\\caption{Made up: main.}",
        "\\caption{Made up: fits.}",
        "\\caption{Made up: wide.}",
        "\\caption{Made up: wide. Continued (2 of 2).}",
    ]


def test_a_long_text_is_a_paragraph_and_takes_its_lines():
    rows = tuple((Text(f"s{k}"), Text("word " * 40)) for k in range(20))
    text = render(Section((Grid(columns(("system", "text"), labels=2), rows),), "long"))
    assert "\\begin{tabular}{lp{" in text
    assert text.count("\\begin{table") == 2
    with pytest.raises(ConfigError, match="'Made up: wide' is too wide for a page"):
        render(Section((Grid(columns("abcdefgh", labels=8), ((Text("word " * 40),) * 8,)),), "wide"))


def test_pieces_of_a_text_that_stand_out_are_underlined():
    passage = Passage((Text("a_b "), Text("c", frozenset({Flag.DIFFERENT}))))
    assert "a\\_b \\underline{c}" in render(Section((Grid((Column("text", "left"),), ((passage,),)),)))


def test_a_single_system_is_not_called_the_best():
    run = score(load(outputs={"x": ["z"]}, references=["z"]), "chrf", resamples=0, agg="corpus")
    assert "textbf" not in Latex().render(make_document(run))

from __future__ import annotations

from assay import load, score
from assay.reports import document as make_document
from assay.reports.cells import Count, Flag, Number, Passage, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section
from assay.reports.latex import Latex


def test_booktabs():
    run = score(load(outputs={"a_b & c": ["x y", None]}, references=["x y", "z"]), "chrf", resamples=0, agg="corpus")
    text = Latex().render(make_document(run, signatures="sacrebleu"))
    assert text == (
        "% needs \\usepackage{booktabs}\n\n"
        "\\begin{table}\n\\centering\n"
        "\\begin{tabular}{lr}\n\\toprule\nchrF (n=1) & corpus \\\\\n\\midrule\n"
        "a\\_b \\& c & 100.00 \\\\\n\\bottomrule\n"
        "\\end{tabular}\n\\caption{Scores.}\n\\label{tab:scores}\n\\end{table}\n"
        "% nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0\n"
        f"% note: {run.notes[0]}\n"
    )


def test_captions_belong_to_the_table_and_signatures_and_notes_are_comments():
    run = score(load(outputs={"x": [None]}, references=["z"]), "chrf", resamples=0, agg="corpus")
    assert "\\caption{Scores. x, corpus: no segment was scored.}\n" in Latex().render(make_document(run))
    assert "x & -- \\\\" in Latex().render(make_document(run))


def test_a_bracket_does_not_belong_to_the_row_before():
    run = score(load(outputs={"[1pt]x": ["z"], "*y": ["z"]}, references=["z"]), "chrf", resamples=0, agg="corpus")
    text = Latex().render(make_document(run))
    assert "\n{[}1pt]x & \\textbf{100.00}" in text
    assert "\n{*}y & \\textbf{100.00}" in text


def render(*sections):
    return Latex().render(Document(lambda: sections, {}, tuple, dict, name="Made up"))


def test_best_is_bold_and_values_that_do_not_differ_from_it_have_a_star():
    best, among = frozenset({Flag.BEST}), frozenset({Flag.AMONG_BEST, Flag.OTHER_CELLS})
    rows = (
        (Text("a"), Number(0.5, flags=best)),
        (Text("b"), Number(0.4, flags=among)),
        (Text("c"), Number(0.1)),
    )
    text = render(Section((Grid((Column("metric", "left"), Column("x")), rows, (Caption("n: 3 & more"),)),)))
    assert "a & \\textbf{0.50} \\\\" in text
    assert "b & 0.40 $\\dagger$\\textsuperscript{*} \\\\" in text
    assert "c & 0.10 \\\\" in text
    legend = "bold: best; *: not significantly different from the best."
    assert f"\\caption{{Made up. n: 3 \\& more; {legend}}}" in text


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


def test_labels_are_unique_and_wide_tables_span_the_page():
    grid = Grid((Column("a", "left"),), ((Text("x"),),))
    wide = Grid(tuple(Column(str(k)) for k in range(16)), (tuple(Count(k) for k in range(16)),))
    text = render(Section((grid, grid)), Section((wide,), "Über & out: 3"))
    labels = ["\\label{tab:made-up}", "\\label{tab:made-up-2}", "\\label{tab:made-up-ber-out-3}"]
    assert [line for line in text.splitlines() if "label" in line] == labels
    assert "\\begin{table*}\n\\centering\n\\scriptsize" in text
    assert "% no table" in render(Section((), "no table"))


def test_pieces_of_a_text_that_stand_out_are_underlined():
    passage = Passage((Text("a_b "), Text("c", frozenset({Flag.DIFFERENT}))))
    assert "a\\_b \\underline{c}" in render(Section((Grid((Column("text", "left"),), ((passage,),)),)))


def test_a_single_system_is_not_called_the_best():
    run = score(load(outputs={"x": ["z"]}, references=["z"]), "chrf", resamples=0, agg="corpus")
    assert "textbf" not in Latex().render(make_document(run))

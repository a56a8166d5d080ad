from __future__ import annotations

from assay.reports.cells import Text
from assay.reports.documents import Column, Document, Grid, Section, columns, grouped
from tests.results.test_result import Lengths


def test_columns_that_label_the_rows_are_left_aligned():
    made = columns(("a", "b", "c"), labels=2)
    assert made == (Column("a", "left"), Column("b", "left"), Column("c", "right"))
    assert Grid(made, ()).labels == 2


def test_a_grid_from_its_columns():
    label = Column("a", "left"), [Text("x"), Text("y")]
    made = Grid.of([label, ("b", (Text(each) for each in "12"))])
    assert made.columns == (Column("a", "left"), Column("b"))
    assert made.rows == ((Text("x"), Text("1")), (Text("y"), Text("2")))
    assert Grid.of([]) == Grid((), ())


def test_what_says_more_of_values_forms_a_group_with_them():
    values, rank = ("de-en", [Text("0.5")]), ("rank", [Text("1")])
    assert list(grouped(values, [])) == [(Column("de-en"), [Text("0.5")])]
    made = Grid.of(grouped(values, [rank]))
    assert made.columns == (Column("de-en", group="de-en", short="value"), Column("rank", group="de-en"))


def test_each_view_is_built_when_it_is_asked_for():
    built = []

    def sections():
        built.append("sections")
        yield Section((Grid(columns(("a",)), ((Text("x"),),)),))

    document = Document.of(Lengths((1.0, None)), sections)
    assert built == []
    assert document.sections == document.sections
    assert built == ["sections"]
    assert document.rows == tuple(Lengths((1.0, None)).rows())
    assert document.tree["lengths"] == [1.0, None]
    assert (document.columns, document.sheet, document.notes) == ({"text": str, "length": float, "remark": str}, "", ())

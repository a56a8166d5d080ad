"""Hostile texts in every field, through every writer: the text that is read back is the text that was put in, and the
structure around it is the same as around a harmless text."""

from __future__ import annotations

import csv
import functools
import io
import itertools
import re

import pytest

from assay.errors import ConfigError
from assay.reports import document, renderer
from tests.reports.html.parsed import parsed
from tests.reports.page.built import page_text
from tests.security.hostile import STRINGS
from tests.security.results import FIELDS, carrier

_WIDEST = 40  # characters of a name that every page of a paper holds
MARKS = ("QZ1", "QZ2")  # harmless
CHARACTERS = ("\ue001", "\ue002")  # harmless, in no other text
CSV_PREFIX = re.compile("^[=+\\-@\t\r\n＝＋－＠]")


def test_there_are_enough_of_them():
    assert len(set(STRINGS)) == len(STRINGS) >= 120
    assert len(FIELDS) == 11


@pytest.fixture
def without_charts(monkeypatch):
    """Drawing takes long and is tested in the browser."""
    from assay.reports.page import notice, pairs, people, scores, tables

    for module in (notice, pairs, people, scores, tables):
        monkeypatch.setattr(module, "figures", lambda *given: ())


def whole_page(field, text):
    title = text if field == "title" else ""
    return parsed(page_text(carrier(field, text), commands=(text,) if field == "path" else ("c",), title=title))


@pytest.mark.slow
@pytest.mark.parametrize("field", FIELDS)
def test_html(field, without_charts):
    shapes = functools.cache(lambda length: whole_page(field, "Q" * length).shape)  # long names may wrap
    for text in STRINGS:
        found = whole_page(field, text)
        assert found.shape == shapes(min(len(text), 50)), text
        read = [*found.texts, *(value or "" for _, attributes in found.elements for value in attributes.values())]
        wanted = text.partition(":")[0] if field in ("plug-in",) else text
        assert any(_flat(wanted) in _flat(each) for each in read), text


def _flat(text):
    return " ".join(text.split()).lower()


@pytest.mark.parametrize("form", ["md", "latex"])
@pytest.mark.parametrize("field", FIELDS)
def test_tables_for_people(field, form, monkeypatch):
    """Where a text as long stood, an escaped form of the text stands; all else is as it was."""
    monkeypatch.setattr("assay.reports.latex._width", len)  # as if all characters were equally wide
    made = renderer.create(form)

    @functools.cache
    def around(length):
        """What stands around a harmless text; long ones may need a wider table."""
        found = [made.render(document(carrier(field, c * length))).split(c * length) for c in CHARACTERS]
        assert found[0] == found[1]
        return found[0]

    for text in STRINGS:
        if form == "md" and field == "plug-in" and "`" in text:
            continue  # more backticks around a signature that has some: tests/reports/test_md.py
        try:
            rest = made.render(document(carrier(field, text)))
        except ConfigError:  # the name of a metric cannot be split
            assert (form, field) == ("latex", "plug-in")
            assert len(text) > _WIDEST
            continue
        for before, after in itertools.pairwise(around(len(text))):
            assert rest.startswith(before), text
            rest = rest.removeprefix(before)
            end = rest.index(after) if after and after in rest else len(rest)
            written, rest = rest[:end], rest[end:]
            line = f"{before.rpartition(chr(10))[2]}{written}"
            assert _is_harmless(form, written, is_quoted=line.startswith(("%", "`"))), (text, written)


def _is_harmless(form, written, *, is_quoted):
    """`is_quoted`: in a comment of LaTeX, or in code of Markdown, between more backticks than it has."""
    if "\n" in written or "\r" in written:
        return False
    if is_quoted:
        return True
    if form == "md":
        return not re.search(r"[`*_{}\[\]<>#|~&]", re.sub(r"\\.", "", written))
    commands = r"\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|ldots)\{\}"
    known = rf"{commands}|\\[&%$#_{{}}]|\$\\(pm|wr|dagger|le|ge)\$|^\{{[\[*]\}}"
    return not re.search(r"[\\&%$#_{}~^]", re.sub(known, "", written))


@pytest.mark.parametrize("field", ["system", "metric", "plug-in"])
def test_csv(field):
    made = renderer.create("csv")
    harmless = list(csv.reader(io.StringIO(made.render(document(carrier(field, MARKS[0]))))))
    places = [(i, j) for i, row in enumerate(harmless) for j, value in enumerate(row) if value == MARKS[0]]
    assert places
    for text in STRINGS:
        rows = list(csv.reader(io.StringIO(made.render(document(carrier(field, text))), newline="")))
        assert [len(row) for row in rows] == [len(row) for row in harmless]
        for i, j in places:
            assert rows[i][j] == (f"'{text}" if CSV_PREFIX.match(text) else text)
        for row, other in zip(rows[1:], harmless[1:], strict=True):  # numbers stay numbers, also negative ones
            assert [v for v, w in zip(row, other, strict=True) if _is_number(w)] == [w for w in other if _is_number(w)]


def _is_number(value):
    return re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", value) is not None

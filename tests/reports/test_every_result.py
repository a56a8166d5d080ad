"""Every result can be written in every form."""

from __future__ import annotations

import dataclasses
import io
import tempfile
import zipfile
from pathlib import Path

import pytest

from assay.reports import document, renderer
from assay.reports.page import tables
from assay.results import Result
from assay.types import Note, NoteKind
from tests.store.examples import VERBS, example, parts

FORMS = [pytest.param(name, marks=[pytest.mark.slow] if name == "html" else []) for name in renderer.names()]  # charts


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", VERBS)
def test_results_of_verbs(name, form):
    assert renderer.create(form).render(document(example(name)))


@pytest.mark.parametrize("form", FORMS)
def test_every_type_of_result(form, monkeypatch):
    monkeypatch.setattr(tables, "figures", lambda *given: ())  # charts of numbers that nobody would get
    for value in parts().values():
        if isinstance(value, Result):
            assert renderer.create(form).render(document(value)), type(value).__name__


@pytest.mark.parametrize("form", ["json", "jsonl", "tsv", "csv", "xlsx", "parquet"])
def test_forms_for_programs_recognise_what_they_wrote(form):
    made = renderer.create(form)
    for result in (value for value in parts().values() if isinstance(value, Result)):
        content = made.render(document(result))
        content = content.encode() if isinstance(content, str) else content
        assert made.recognises(content) or (form == "jsonl" and not content), type(result)
    for other in (b"", b"text", b"a\tb\n1\t2\n", b"{}", b'{"version": 2}', b"[", b"PK\x03\x04", b"PAR1", b"system\tx"):
        assert not made.recognises(other)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", VERBS)
def test_no_form_has_private_paths(name, form):
    folder = tempfile.gettempdir()
    notes = [Note(NoteKind.ADVICE, f"compare with '{folder}/mine/b.de'", f"{folder}/mine/a.de")]
    if name == "check":
        assert any(folder in finding.where for finding in example(name).findings)
    result = dataclasses.replace(example(name), notes=(*example(name).notes, *notes))
    content = renderer.create(form).render(document(result))
    for text in _texts(content):
        assert folder.encode() not in text
        assert str(Path.cwd()).encode() not in text


def _texts(content):
    """The content of a file, or of the files in a workbook."""
    if isinstance(content, str):
        return [content.encode()]
    if not content.startswith(b"PK"):
        return [content]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [archive.read(name) for name in archive.namelist()]

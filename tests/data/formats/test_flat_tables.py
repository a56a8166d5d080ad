"""What holds for all formats of flat tables."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from tests.data import flat
from tests.data.flat import campaigns, facts, read_or_refused, write_and_read
from tests.data.formats import test_csv, test_json, test_jsonl, test_tsv


@dataclass(frozen=True)
class Form:
    """A format: how to read bytes, a valid file, damaged ones, and what campaigns it holds."""

    name: str
    read: Callable[..., object]
    valid: str | bytes
    flaws: dict[str, tuple[bytes, str]]
    text: st.SearchStrategy[str] = flat.TEXT
    gaps: bool = False
    file: str = ""

    def __str__(self):
        return self.name


TEXTS = st.text(st.characters(codec="utf-8"), max_size=6)
FORMS = [
    Form("tsv", test_tsv.read, test_tsv.LONG, test_tsv.FLAWS, file="t.tsv.gz"),
    Form(
        "csv",
        test_csv.read,
        test_csv.LONG,
        test_csv.FLAWS,
        text=st.text(st.characters(codec="utf-8", exclude_characters="\n\0"), max_size=6),
    ),
    Form("json", test_json.read, json.dumps(test_json.ROWS), {}, text=TEXTS, gaps=True),
    Form("jsonl", test_jsonl.read, test_jsonl.lines(*test_jsonl.OBJECTS), test_jsonl.FLAWS, text=TEXTS, gaps=True),
]
if importlib.util.find_spec("pyarrow"):
    from tests.data.formats import test_parquet

    stored = test_parquet.stored(test_parquet.LONG)
    FORMS.append(Form("parquet", test_parquet.read, stored, test_parquet.FLAWS, text=TEXTS, gaps=True))
FLAWS = [pytest.param(form, *flaw, id=f"{form}-{name}") for form in FORMS for name, flaw in form.flaws.items()]


@pytest.mark.parametrize(("form", "raw", "message"), FLAWS)
def test_damaged_tables(tmp_path, monkeypatch, form, raw, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        form.read(Path(), raw)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_any_bytes_are_read_or_refused(tmp_path, form):
    read_or_refused(lambda raw: form.read(tmp_path, raw), form.valid)


@pytest.mark.parametrize("form", FORMS, ids=str)
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
def test_campaigns_are_written_and_read_back(tmp_path, form, data):
    drawn = data.draw(campaigns(text=form.text, gaps=form.gaps))
    back = write_and_read(form.name, drawn, tmp_path / (form.file or f"t.{form.name}"))
    assert [facts(campaign) for campaign in back] == [facts(campaign) for campaign in drawn]

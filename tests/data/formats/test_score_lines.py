from __future__ import annotations

import numpy as np
import pytest

from assay import read
from assay.data.formats import detect_format
from assay.errors import InputError
from assay.types import NoteKind


def test_the_file_names_the_system(tmp_path):
    path = tmp_path / "GPT-3.5"
    path.write_text("1\n-2.5e-1\nNone\n", encoding="utf-8")
    (campaign,) = read(path)
    (table,) = campaign.scores
    assert (table.name, table.systems, table.level) == ("GPT-3.5", ("GPT-3.5",), "segment")
    np.testing.assert_array_equal(table.values, [[1, -0.25, np.nan]])
    assert [note.kind for note in campaign.notes] == [NoteKind.MISSING]


@pytest.mark.parametrize("text", ["a\n", "1\n2\nthree\n", "\n\n", "", "nan\n"])
def test_other_text_is_not_recognised(tmp_path, text):
    path = tmp_path / "x.txt"
    path.write_text(text, encoding="utf-8")
    assert detect_format(path) is None


def test_a_flaw_further_down_is_an_error_with_its_line(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("1\n" * 500 + "one\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 501: the score is not a number"):
        read(path)
    (tmp_path / "empty.txt").touch()
    with pytest.raises(InputError, match="no scores"):
        read(tmp_path / "empty.txt", input_format="score-lines")


@pytest.mark.parametrize("bad", ["inf", "-Infinity", "0,5"])
def test_a_faulty_score_is_named_with_its_line(tmp_path, bad):
    (tmp_path / "base.txt").write_text(f"0.1\n{bad}\n0.3\n")
    with pytest.raises(InputError, match=f"line 2: the score is not a number: '{bad}'"):
        read(tmp_path / "base.txt")

from __future__ import annotations

import pytest

from assay.data.foreign_files import foreign_file
from assay.types import as_column

_SENTENCES = [f"The river rose by {i} metres." for i in range(40)]


def _of_log(kinds: str) -> list[str]:
    return [f"{kind}-{i}\t{text}" for i, text in enumerate(_SENTENCES) for kind in kinds]


@pytest.mark.parametrize(
    ("lines", "says", "hint"),
    [
        (_of_log("STHDP"), "is the log of fairseq", "sed -n 's/^[HD]-//p' FILE"),
        (["INFO | loaded", "", *_of_log("STHDP"), "Generate test: BLEU4 = 20"], "is the log of fairseq", "cut -f3"),
        ([f"{i} ||| {text} ||| -2.5" for i, text in enumerate(_SENTENCES)], "n-best list of Moses", "awk -F"),
        (["version https://git-lfs.github.com/spec/v1", "oid sha256:00", "size 12"], "Git LFS", "git lfs pull"),
        ([line for text in _SENTENCES for line in (text, "")], "an empty line between all lines", "grep . FILE"),
        (["<!DOCTYPE html>", "<title>404 Not Found</title>"], "HTML page", "download"),
        (["", "<html lang='en'>", "<p>Not found"], "HTML page", "download"),
    ],
)
def test_what_is_no_text_is_named(lines, says, hint):
    found = foreign_file(as_column(lines))
    assert found is not None
    assert says in found.text
    assert hint in found.hint


@pytest.mark.parametrize(
    "lines",
    [
        _SENTENCES,
        [],
        [None, ""],
        [*_SENTENCES, "", _SENTENCES[0], ""],
        [*_SENTENCES, *_of_log("H")[:10]],
        ["<htmlish> word"],
    ],
)
def test_texts_are_texts(lines):
    assert foreign_file(as_column(lines)) is None

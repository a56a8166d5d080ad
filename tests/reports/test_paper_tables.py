"""The LaTeX of every result, read back: each table is whole, fits a page, and has a caption of sentences."""

from __future__ import annotations

import re

import pytest

from assay.reports import document, renderer
from tests.store.examples import VERBS, example

PRINTED = {
    "calibrate": r"\multicolumn{",
    "compare": r" & \multicolumn{2}{c}{BLEU} \\",
    "correlate": "",
    "decisions": r"\multicolumn{2}{c}{BLEU} & \multicolumn{2}{c}{chrF} \\",
    "meta": "rank & metric & ",
    "metrics task": "metric & rank & ",
    "rank errors": r"system & cluster & score & n & ranks \\",
    "reproduce": "where & quantity & published & ours & ",
    "robustness top": "{best systems}",
    "score": r" & \multicolumn{2}{c}{BLEU} & \multicolumn{2}{c}{chrF} \\",
}
"""By verb: what the first table has in its header."""


def floats(text):
    """The environments of tables, each as its lines."""
    found = re.findall(r"\\begin\{(table\*?)\}\n(.*?)\\end\{\1\}", text, re.DOTALL)
    assert len(found) == text.count(r"\begin{table")
    return [lines.splitlines() for _, lines in found]


def cells(row):
    """How many columns a row takes."""
    parts = re.split(r"(?<!\\)&", row.removesuffix(r"\\"))
    spans = (re.search(r"\\multicolumn\{(\d+)\}", part) for part in parts)
    return sum(int(span[1]) if span else 1 for span in spans)


@pytest.mark.parametrize("verb", VERBS)
def test_every_table_is_whole(verb):
    text = renderer.create("latex").render(document(example(verb)))
    code = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert code.count("{") == code.count("}")
    labels = re.findall(r"\\label\{(.*)\}", text)
    assert len(set(labels)) == len(labels) == len(floats(text))
    assert max(map(len, labels), default=0) < 50
    for lines in floats(text):
        (columns,) = (re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", line) for line in lines if "{tabular}{" in line)
        rows = [line for line in lines if line.endswith(r"\\")]
        assert {cells(row) for row in rows} == {len(columns[1])}
        assert len(rows) <= 50


@pytest.mark.parametrize("verb", VERBS)
def test_every_caption_is_made_of_sentences(verb):
    text = renderer.create("latex").render(document(example(verb)))
    for caption in re.findall(r"\\caption\{(.*)\}\n", text):
        assert caption[0].isupper() or not caption[0].isalpha()
        assert caption.endswith((".", ":", "?"))
        assert ".." not in caption
        assert not re.search(r"\.;|;\.", caption)


@pytest.mark.parametrize("verb", PRINTED)
def test_what_a_paper_prints_comes_first(verb):
    first = floats(renderer.create("latex").render(document(example(verb))))[0]
    assert any(PRINTED[verb] in line for line in first)
    assert not any("scriptsize" in line for line in first)  # intervals

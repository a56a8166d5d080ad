"""Large tables are computed and added up part by part: the results are the same bytes."""

from __future__ import annotations

import importlib
import random

import numpy as np
import pytest

from assay import load, score
from assay.data import text_files
from assay.errors import PluginError
from assay.types import Statistics
from assay.types.runtime import Runtime

module = importlib.import_module("assay.study.score")

SEGMENTS = 9000  # three chunks
WORDS = ("the", "cat", "sat", "on", "Matten", "größer", "中文", "und", "so", ",", ".", "3.5", "ΣΑΣ")


def columns(systems, references, gaps):
    """Outputs and references; with gaps, some are missing."""
    draw = random.Random(systems * 10 + references)

    def text():
        return " ".join(draw.choices(WORDS, k=draw.randrange(12)))

    def column(originals, side):
        texts = [" ".join(w if draw.random() < 0.7 else draw.choice(WORDS) for w in t.split()) for t in originals]
        return [None if gaps and draw.random() < 0.02 * side else t for t in texts]

    originals = [text() for _ in range(SEGMENTS)]
    return {
        "outputs": {f"s{k}": column(originals, 1) for k in range(systems)},
        "references": {f"r{k}": column(originals, 2) for k in range(references)},
    }


def scored(testset, kept_cells, block, metrics, threads=1, **options):
    """The result as one tree, with other limits, and whether any table was computed as a whole."""
    made = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "KEPT_CELLS", kept_cells)
        patch.setattr(module, "BLOCK", block)
        check = Statistics._checked

        def checked(self, table, scored):
            made.append(table.shape)
            return check(self, table, scored)

        patch.setattr(Statistics, "_checked", checked)
        run = score(testset, metrics, resamples=50, runtime=Runtime(threads=threads), **options)
    return run, bool(made)


@pytest.mark.parametrize(
    ("systems", "references", "gaps"),
    [
        (3, 1, True),
        (1, 2, False),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in ((1, 1, True), (3, 1, False), (1, 2, True), (2, 2, True))
        ),
    ],
)
def test_the_result_is_the_same(systems, references, gaps):
    testset = load(**columns(systems, references, gaps), lp="en-de")
    metrics = ["bleu", "bleu:lowercase=yes,smooth=floor", "chrf", "ter", "simpbleu"]
    options = {"agg": ["corpus", "segment", "bootstrap"], "size": 777}
    expected, is_whole = scored(testset, 1 << 40, 1 << 16, metrics, **options)
    assert is_whole
    for block, threads in ((4096, 2), (8192, 1), (1 << 16, 1)):
        found, is_whole = scored(testset, 0, block, metrics, threads, **options)
        assert not is_whole
        assert found.to_dict() == expected.to_dict()
    for spec in expected:
        np.testing.assert_array_equal(found[spec].statistics.table, expected[spec].statistics.table)
        for system in expected.systems:
            np.testing.assert_array_equal(found[spec].segments[system], expected[spec].segments[system])


def test_files_are_read_in_parts(tmp_path, monkeypatch):
    texts = columns(2, 1, gaps=False)
    paths = {side: {name: tmp_path / f"{name}.txt" for name in named} for side, named in texts.items()}
    for side, named in texts.items():
        for name, lines in named.items():
            paths[side][name].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    expected, _ = scored(load(**texts), 1 << 40, 1 << 16, ["bleu", "ter"])
    monkeypatch.setattr(text_files, "_LARGE_FILE", 1)
    found, _ = scored(load(**paths), 0, 4096, ["bleu", "ter"])
    assert found.to_dict() == expected.to_dict()


def test_what_needs_all_texts_is_computed_at_once():
    testset = load(**columns(1, 1, gaps=False), documents=[f"d{i % 2}" for i in range(SEGMENTS)])
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(type(testset), "part")
        scored(testset, 0, 4096, ["nist"])
        with pytest.raises(PluginError, match="no attribute 'part'"):
            scored(testset, 0, 4096, ["bleu"])
    _, is_whole = scored(testset, 0, 4096, ["bleu"], by="document")
    assert is_whole


@pytest.mark.warns("nothing was scored")
def test_no_common_segment():
    outputs = {"a": ["x", None, "x", None, "x"], "b": [None, "x", None, "x", None]}
    testset = load(outputs=outputs, references=["x"] * 5)
    found, _ = scored(testset, 0, 2, ["bleu"])
    expected, _ = scored(testset, 1 << 40, 2, ["bleu"])
    assert found.to_dict() == expected.to_dict()
    assert found["bleu"].corpus.estimate("a").reason == "no segment was scored for all systems"


def test_parts_of_wide_tables_are_short():
    testset = load(**columns(2, 1, gaps=False))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "KEPT_CELLS", 0)
        lengths = []
        part = type(testset).part
        patch.setattr(type(testset), "part", lambda self, *ends: (lengths.append(ends), part(self, *ends))[1])
        score(testset, ["bleu", "chrf:char_order=50,word_order=50"], resamples=0)
    assert lengths == [(0, 4096), (4096, 8192), (8192, 9000)]


def test_progress_is_reported():
    steps = []
    testset = load(**columns(1, 1, gaps=False))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "KEPT_CELLS", 0)
        patch.setattr(module, "BLOCK", 4096)
        score(testset, "bleu", resamples=0, runtime=Runtime(progress=lambda *step: steps.append(step)))
    assert [step for step in steps if step[0] == "scoring"] == [("scoring", done, 3) for done in range(4)]

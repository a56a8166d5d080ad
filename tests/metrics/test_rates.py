"""Which of several references counts, the scores of sums, and lines that are too long."""

from __future__ import annotations

import math
import random
import subprocess
import sys
import time

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError, InputError
from assay.metrics import metric as metrics
from assay.metrics.long_lines import MAX_CELLS_VARIABLE


def table(spec, outputs, *references):
    testset = load(outputs={"x": outputs}, references={f"ref{i}": lines for i, lines in enumerate(references)})
    return score(testset, spec, resamples=0)[spec].statistics.table[0].tolist()


def test_fewest_edits_over_the_mean_length():
    found = table("wer", ["a b", "a", "a", "a"], ["c", "a b", None, ""], ["a b c", "a c d", "a b c d", "a b"])
    assert found == [[1, 2], [1, 2.5], [3, 4], [1, 1]]


def test_moses_compares_whole_numbers():
    """1 - 4/1 is -3 and 1 - 3/4 is 0.25, cut to 0; then 0.5, cut to 0 and not better than 0.25; then 1."""
    first, second = ["q", "a b c d", "a b"], ["a x x x", "a b", "a"]
    assert table("wer-moses", ["a b c d", "a", "a"], first, second) == [[3, 4], [3, 4], [0, 1]]
    assert table("wer-moses:multi_ref=best", ["a b c d", "a", "a"], first, second) == [[3, 2.5], [1, 3], [0, 1.5]]


def test_per_takes_the_first_reference_with_the_fewest_errors():
    assert table("per", ["a b", "a b"], ["a c d e", "b x"], ["a c", "x b"]) == [[1, 2, 2], [1, 2, 2]]
    assert table("per", ["a b c"], ["a b x"], ["a b c d"]) == [[2, 3, 3]]


@pytest.mark.warns("nothing was scored")
def test_scores_of_empty_references():
    testset = load(outputs={"x": ["", "a"], "y": ["", ""]}, references=["", ""])
    for spec, expected in {
        "ter": [100.0, 0.0],
        "ter-moses": [1.0, 1.0],
        "per-moses": [0.0, 0.0],
        "wer": [math.nan, math.nan],
        "cer": [math.nan, math.nan],
        "per": [math.nan, math.nan],
    }.items():
        scores = score(testset, spec, resamples=0)[spec].corpus
        assert [scores["x"], scores["y"]] == pytest.approx(expected, nan_ok=True), spec


@pytest.mark.parametrize("spec", ["ter", "wer", "cer", "cder", "per", "per-moses", "wer-moses"])
def test_scores_are_those_of_the_definition(spec):
    metric = metrics.create(spec)
    rows = np.random.default_rng(3).integers(1, 9, size=(50, len(metric.columns)))
    if metric.columns[0] == "correct":
        correct, output, reference = rows.T
        accuracy = (correct - np.maximum(0, output - reference)) / reference
        expected = accuracy if metric.is_moses else 100 * (1 - accuracy)
    else:
        expected = 1 - rows[:, 0] / rows[:, 1] if metric.is_moses else 100 * (rows[:, 0] / rows[:, 1])
    assert metric.score(rows).tobytes() == expected.tobytes()


def edits(output, reference, spec):
    testset = load(outputs={"first": ["a", "b"], "second": ["a", output]}, references={"ref": ["a", reference]})
    return score(testset, spec, resamples=0)[spec].statistics.table[1, 1, 0]


@pytest.mark.parametrize("spec", ["wer", "cer", "cder", "ter-moses"])
def test_lines_that_are_too_long_are_refused(monkeypatch, spec):
    words = [f"w{i}" for i in range(3000)]
    reference, output = " ".join(words), " ".join(f"x{word}" for word in words)
    assert edits(output, reference, spec) > 0
    monkeypatch.setenv(MAX_CELLS_VARIABLE, "100000")
    with pytest.raises(InputError, match=r"line 2 is too long for .*: .*000 words of|characters of") as refused:
        edits(output, reference, spec)
    assert "system 'second'" in refused.value.message
    assert "reference 'ref'" in refused.value.message
    assert MAX_CELLS_VARIABLE in refused.value.hint
    assert edits(reference[:200], reference[:200], spec) == 0
    columns = ["a"] * 9000 + [output], ["a"] * 9000 + [reference]
    monkeypatch.setattr(sys.modules["assay.study.score"], "KEPT_CELLS", 0)
    with pytest.raises(InputError, match="line 9001 is too long"):
        score(load(outputs={"x": columns[0]}, references=columns[1]), spec, resamples=0)
    monkeypatch.setenv(MAX_CELLS_VARIABLE, "many")
    with pytest.raises(ConfigError, match="must be a positive integer"):
        edits("a", "a", spec)


def test_the_first_line_that_is_too_long_is_named(monkeypatch):
    monkeypatch.setenv(MAX_CELLS_VARIABLE, "100000")
    lines = [" ".join(f"{side}{i}" for i in range(3000)) for side in "xy"]
    columns = [["a"] * 20 + [line] + ["a"] * 500 + [line] * 300 for line in lines]
    for _ in range(5):
        with pytest.raises(InputError, match="line 21 is too long"):
            score(load(outputs={"x": columns[0]}, references=columns[1]), "wer", resamples=0)


def test_a_long_line_takes_time_in_proportion_to_its_edits():
    """A whole table of 800,000 characters takes half a minute."""
    draw = random.Random(1)
    reference = "".join(draw.choices("abcdefghij ", k=800_000))
    output = list(reference)
    for place in draw.sample(range(len(output)), 1000):
        output[place] = "x"
    start = time.process_time()
    assert edits("".join(output), reference, "cer") == 1000
    assert time.process_time() - start < 8


_MANY_WORDS = """
from assay import load, score
line = " ".join(f"w{i}" for i in range(150_000))
testset = load(outputs={"x": ["y " + line]}, references={"ref": [line]})
for spec in ("wer", "ter", "cder", "per", "ter-moses"):
    assert score(testset, spec, resamples=0)[spec].statistics.table[0, 0, 0] in (1, 150_000), spec
with open("/proc/self/status") as status:  # ru_maxrss would include the peak of the process that started this one
    print(next(line for line in status if line.startswith("VmHWM")).split()[1])
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
def test_memory_is_linear_in_the_number_of_different_words():
    """A bit vector for each of the words takes 2.8 GB."""
    done = subprocess.run([sys.executable, "-c", _MANY_WORDS], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 500_000

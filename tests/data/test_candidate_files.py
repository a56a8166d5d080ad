from __future__ import annotations

import gzip
import json

import pytest

from assay.data.candidate_files import read_candidates
from assay.errors import AssayError

GROUPS = [["the cat", "a cat", "the cat"], ["", "dogs"], ["one"]]


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        data = content if isinstance(content, bytes) else content.encode()
        path.write_bytes(data)
        return path

    return write


def groups(candidates):
    return [list(group) for group in candidates]


def test_lines_for_each_segment(write):
    path = write("nbest.txt", "a\nb\n\nd\n")
    assert groups(read_candidates(path, per_segment=2)) == [["a", "b"], ["", "d"]]
    assert groups(read_candidates(path, per_segment=4)) == [["a", "b", "", "d"]]
    zipped = write("nbest.txt.gz", gzip.compress(b"a\nb\n"))
    assert groups(read_candidates(zipped, per_segment=1)) == [["a"], ["b"]]


@pytest.mark.parametrize("first", [0, 1])
def test_a_list_of_moses(write, first):
    rows = [f"{k + first} ||| {text} ||| LM0= -1 ||| -0.5" for k, group in enumerate(GROUPS) for text in group]
    assert groups(read_candidates(write("n.best", "\n".join(rows) + "\n"))) == GROUPS


def test_json_lines(write):
    rows = [
        json.dumps(GROUPS[0]),
        json.dumps({"source": "x", "hypotheses": GROUPS[1]}),
        json.dumps({"candidates": [{"text": text, "score": 1} for text in GROUPS[2]]}),
    ]
    content = "\n".join(rows) + "\n"
    assert groups(read_candidates(write("n.jsonl", content))) == GROUPS
    assert groups(read_candidates(write("n.txt", content))) == GROUPS  # by its first character


def test_a_table(write):
    rows = [f"s{k}\t{text}\t1" for k, group in enumerate(GROUPS) for text in group]
    assert groups(read_candidates(write("n.tsv", "\n".join(["Segment\ttext\tscore", *rows]) + "\n"))) == GROUPS


@pytest.mark.parametrize("first", [0, 1])
def test_a_table_with_numbers(write, first):
    rows = [f"{k + first}\t{text}" for k, group in enumerate(GROUPS) for text in group]
    assert groups(read_candidates(write("n.tsv", "\n".join(["segment\ttext", *rows]) + "\n"))) == GROUPS


def test_a_file_for_each_candidate(write):
    files = [write("a.txt", "x\ny\n"), write("b.txt", "u\nv\n")]
    assert groups(read_candidates(files)) == [["x", "u"], ["y", "v"]]


FAULTS = {
    "an empty file": ("n.txt", "", {}, "the file is empty"),
    "an unknown number": ("n.txt", "a\nb\n", {}, "how many lines does each segment have"),
    "not a multiple": ("n.txt", "a\nb\nc\nd\n", {"per_segment": 3}, "the last one has only 1"),
    "fewer than one segment": ("n.txt", "a\nb\n", {"per_segment": 3}, "the last one has only 2"),
    "a number for moses": ("n.txt", "0 ||| a\n", {"per_segment": 1, "input_format": "moses"}, "does not apply"),
    "an unknown format": ("n.txt", "a\n", {"input_format": "xml"}, "unknown format of candidates 'xml'"),
    "moses without bars": ("n.txt", "0 ||| a\nb\n", {}, "line 2: expected fields separated by"),
    "moses without a number": (
        "n.txt",
        "0 ||| a\nx ||| b\n",
        {},
        "line 2: the number of the segment is not a number: 'x'",
    ),
    "moses from 7": ("n.txt", "7 ||| a\n", {}, "line 1: the first segment has the number 7, not 0 or 1"),
    "moses with a gap": ("n.txt", "0 ||| a\n2 ||| b\n", {}, "line 2: segment 1 is missing: 2 follows 0"),
    "moses out of order": ("n.txt", "0 ||| a\n1 ||| b\n0 ||| c\n", {}, "line 3: segment 0 began at line 1"),
    "an empty line of JSON": ("n.jsonl", '["a"]\n\n["b"]\n', {}, "line 2: the line is empty"),
    "broken JSON": ("n.jsonl", '["a"]\n["b"\n["c"]\n', {}, "line 2: invalid JSON"),
    "JSON of a text": ("n.jsonl", '"a"\n', {}, "line 1: expected a list of texts, not a text"),
    "JSON of numbers": ("n.jsonl", "[1]\n", {}, "line 1: candidate 1 is a number, not text"),
    "JSON of null": ("n.jsonl", '["a", null]\n', {}, "line 1: candidate 2 is null, not text"),
    "JSON without candidates": ("n.jsonl", '["a"]\n[]\n', {}, "line 2: the segment has no candidate"),
    "JSON without a list": ("n.jsonl", '{"id": 1}\n', {}, "the object has id"),
    "JSON with two lists": ("n.jsonl", '{"outputs": ["a"], "samples": ["b"]}\n', {}, "has outputs and samples"),
    "JSON with a line break": ("n.jsonl", '["a\\nb"]\n', {}, "line 1: candidate 1 has a line break"),
    "JSON of an object without text": (
        "n.jsonl",
        '[{"score": 1}]\n',
        {},
        "candidate 1 is an object without a single text",
    ),
    "JSON with a key twice": ("n.jsonl", '{"texts": ["a"], "texts": ["b"]}\n', {}, "duplicate key"),
    "a table without texts": ("n.tsv", "segment\tscore\n1\t2\n", {}, "line 1: no column called text"),
    "a table with two": ("n.tsv", "segment\ttext\toutput\n1\ta\tb\n", {}, "line 1: several columns called text"),
    "a short row": ("n.tsv", "segment\ttext\n1\ta\n1\n", {}, "line 3: 1 field, but the header has 2"),
    "a long row": ("n.tsv", "segment\ttext\n1\ta\tb\n", {}, "line 2: 3 fields, but the header has 2"),
    "an unnamed segment": ("n.tsv", "segment\ttext\n\ta\n", {}, "line 2: the segment is empty"),
    "a table out of order": ("n.tsv", "segment\ttext\n1\ta\n2\tb\n1\tc\n", {}, "line 4: segment 1 began at line 2"),
    "a table with a gap": (
        "n.tsv",
        "segment\ttext\n1\ta\n3\tb\n",
        {},
        "line 3: segment 3 stands where segment 2 should be",
    ),
    "a table upside down": (
        "n.tsv",
        "segment\ttext\n2\ta\n1\tb\n",
        {},
        "line 2: segment 2 stands where segment 1 should be",
    ),
    "a table that begins later": (
        "n.tsv",
        "id\ttext\n0\ta\n2\tb\n",
        {},
        "line 3: segment 2 stands where segment 1 should be",
    ),
    "only a header": ("n.tsv", "segment\ttext\n", {}, "there is nothing below the header"),
    "bytes": ("n.txt", b"a\n\xff\n", {"per_segment": 1}, "line 2"),
}


WITHOUT_PLACE = {"an unknown format", "a number for moses"}
"""Faults of options, which have no place in the file."""


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_errors_with_their_place(write, name):
    file, content, options, message = FAULTS[name]
    with pytest.raises(AssayError) as caught:
        read_candidates(write(file, content), **options)
    assert message in str(caught.value)
    assert (file in str(caught.value)) != (name in WITHOUT_PLACE)


def test_faults_of_several_files(write):
    files = [write("a.txt", "x\ny\n"), write("b.txt", "u\n")]
    with pytest.raises(AssayError, match=r"1 line, but .*a\.txt has 2"):
        read_candidates(files)
    with pytest.raises(AssayError, match="is for a single file"):
        read_candidates(files, per_segment=2)
    with pytest.raises(AssayError, match="is for a single file"):
        read_candidates(files, input_format="moses")
    with pytest.raises(AssayError, match="no segments"):
        read_candidates([files[0], write("c.txt", "")])


def test_a_file_that_was_cut_off_says_so(write):
    with pytest.raises(AssayError, match="was the file cut off"):
        read_candidates(write("n.jsonl", '["a"]\n["b"'))

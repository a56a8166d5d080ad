from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.data import CERTAIN, LIKELY, NO, POSSIBLE
from assay.data.formats import data_format
from assay.errors import ConfigError, InputError
from assay.types import Campaign, ScoreTable, TestSet
from tests.data.flat import facts, write_and_read

JSONL = data_format.create("jsonl")
OBJECTS = (
    {"lp": "en-de", "system": "A", "segment": 1, "src": "a", "reference": ["b", "c"], "mt": "", "score:m": 0.5},
    {"lp": "en-de", "system": "A", "segment": 2, "src": "d", "reference": ["e"], "mt": None, "score:m": None},
    {"lp": "en-de", "system": "B", "segment": 1, "mt": "line\nend", "human:ESA": "88", "seed": 7},
)


def lines(*objects):
    return "".join(json.dumps(tree, ensure_ascii=False) + "\n" for tree in objects).encode()


def read(tmp_path, raw, name="t.jsonl"):
    path = tmp_path / name
    path.write_bytes(raw)
    return JSONL.read(path)


def test_a_long_table(tmp_path):
    (campaign,) = read(tmp_path, lines(*OBJECTS))
    assert campaign.testset.outputs == {"A": ("", None), "B": ("line\nend", None)}
    assert campaign.testset.references == {"ref1": ("b", "e"), "ref2": ("c", None)}
    assert campaign.testset.sources == ("a", "d")
    assert [(table.name, table.protocol, table.systems) for table in campaign.scores] == [
        ("m", None, ("A",)),
        ("ESA", "ESA", ("B",)),
    ]
    assert campaign.notes[0].text.endswith("unused columns: seed")


def test_a_wide_table(tmp_path):
    rows = (
        {"src": "a", "reference": {"refA": "b", "refB": None}, "outputs": {"A": None, "B": "c"}},
        {"src": "d", "reference": {"refA": "e", "refB": "f"}, "outputs": {"A": "g"}},
    )
    (campaign,) = read(tmp_path, lines(*rows))
    assert list(campaign.testset.outputs.items()) == [("A", (None, "g")), ("B", ("c", None))]
    assert list(campaign.testset.references.items()) == [("refA", ("b", "e")), ("refB", (None, "f"))]


def test_numbers(tmp_path):
    (campaign,) = read(tmp_path, b'{"sys": "A", "seg": 1, "score:m": NaN}\n{"sys": "A", "seg": 2.0, "score:m": 2}\n')
    (table,) = campaign.scores
    assert table.gaps == 1
    assert table.values[0, 1] == 2.0


VALID = b'{"sys": "A", "seg": 1, "mt": "x"}\n'
FLAWS = {
    "empty": (b"", "t.jsonl: empty file"),
    "an empty line": (VALID + b"\n", "t.jsonl, line 2: empty line"),
    "invalid JSON": (VALID + b"{'sys': 1}\n", "t.jsonl, line 2: invalid JSON: "),
    "not an object": (VALID + b"[1]\n", "t.jsonl, line 2: expected a JSON object, not list"),
    "a key twice": (b'{"sys": "A", "mt": "x", "mt": "y"}\n', "t.jsonl, line 1: invalid JSON: duplicate key 'mt'"),
    "an inner key twice": (b'{"outputs": {"A": "x", "A": "y"}}\n', "t.jsonl, line 1: invalid JSON: duplicate key 'A'"),
    "one meaning twice": (VALID + b'{"output": "y"}\n', "t.jsonl: the columns 'mt' and 'output' have the same meaning"),
    "nothing known": (b'{"a": 1}\n', "t.jsonl: no recognised column: a"),
    "no keys": (b"{}\n", "t.jsonl: no recognised column: "),
    "nested": (b'{"mt": ' + b"[" * 100_000 + b"\n", "t.jsonl, line 1: invalid JSON: nested too deeply"),
    "a long number": (
        b'{"seg": ' + b"1" * 5000 + b', "mt": "x"}\n',
        "t.jsonl, line 1: invalid JSON: a number has too many digits",
    ),
    "infinite": (
        b'{"sys": "A", "seg": 1, "score:m": -Infinity}\n',
        "t.jsonl, line 1: invalid JSON: -Infinity is not a number",
    ),
    "too large": (b'{"sys": "A", "seg": 1, "score:m": 1e400}\n', "t.jsonl, line 1: the score 'm' is too large"),
    "a truth": (
        b'{"sys": "A", "seg": 1, "score:m": true}\n',
        "t.jsonl, line 1: the score 'm' must be a number, not bool",
    ),
    "a number for a text": (b'{"sys": "A", "seg": 1, "mt": 5}\n', "t.jsonl, line 1: the output must be text, not int"),
    "half a pair": (b'{"mt": "\\ud800"}\n', "t.jsonl, line 1: invalid JSON: a lone surrogate is not text"),
    "a second row": (VALID + VALID, "t.jsonl, line 2: duplicate output of system 'A'"),
    "no system": (VALID + b'{"seg": 2, "mt": "y"}\n', "t.jsonl, line 2: an output or score without a system"),
    "no segment": (VALID + b'{"sys": "A", "mt": "y"}\n', "t.jsonl, line 2: a text without a segment"),
    "unsafe": (b'{"sys": "a\\nb", "mt": "y"}\n', "t.jsonl, line 1: 'a\\nb' cannot be the name of a system"),
}


def test_a_whole_surrogate_pair_is_text(tmp_path):
    (campaign,) = read(tmp_path, b'{"mt": "\\ud83d\\ude00"}\n')
    assert campaign.testset.outputs == {"t": ("😀",)}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)
KEYS = st.sampled_from(
    (
        "dataset",
        "lp",
        "system",
        "segment",
        "source",
        "reference",
        "ref:a",
        "output",
        "outputs",
        "document",
        "score:m",
        "z",
    )
)


@given(st.lists(st.dictionaries(KEYS, VALUES), min_size=1, max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
def test_any_values_are_read_or_refused(tmp_path, objects):
    with contextlib.suppress(InputError, ConfigError):
        read(tmp_path, "".join(json.dumps(tree) + "\n" for tree in objects).encode())


def test_scores_without_texts_are_written_and_read_back(tmp_path):
    table = ScoreTable("BLEU", "segment", ("A",), [[float("nan"), 2.0, float("nan")]])
    given_campaign = Campaign("wmt", "en-de", 3, ("A",), (), None, (table,))
    (back,) = write_and_read("jsonl", [given_campaign], tmp_path / "t.jsonl")
    assert facts(back) == facts(given_campaign)


def test_a_column_of_gaps_is_no_column_but_the_system_is_known(tmp_path):
    testset = TestSet(outputs={"A": ("x",), "B": (None,)}, sources=(None,))
    (back,) = write_and_read("jsonl", [Campaign("", "", 1, ("A", "B"), (), testset)], tmp_path / "t.jsonl")
    assert back.testset.systems == ("A",)
    assert back.testset.sources is None
    assert back.systems == ("A", "B")


def test_a_name_that_is_no_text_cannot_be_written(tmp_path):
    campaign = Campaign("a\ud800", "", 1, ("A",), (), TestSet(outputs={"A": ("x",)}))
    with pytest.raises(InputError, match="which is not text"):
        JSONL.write([campaign], tmp_path / "t.jsonl")


@pytest.mark.parametrize(
    ("name", "head", "certainty"),
    [
        ("t.jsonl", lines(*OBJECTS).decode(), CERTAIN),
        ("t.ndjson", '{"src": "a", "mt": "b"}\n', LIKELY),
        ("t.jsonl", '{"id": 1}\n', POSSIBLE),
        ("t.jsonl", '{"src": "a very long li', POSSIBLE),
        ("t.jsonl", '{"a": 1}\n', NO),
        ("t.jsonl", "[1]\n", NO),
        ("t.jsonl", "", NO),
        ("t.json", '{"src": "a", "mt": "b"}\n', NO),
    ],
)
def test_recognised(name, head, certainty):
    assert JSONL.recognises(Path(name), head) == certainty

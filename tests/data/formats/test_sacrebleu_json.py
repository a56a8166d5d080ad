from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.data.formats import find_format
from assay.data.formats.sacrebleu_json import SacrebleuJson
from assay.errors import AssayError, InputError
from assay.types import Campaign, NoteKind

SIGNATURE = "nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
BLEU = {
    "name": "BLEU",
    "score": 27.3,
    "signature": SIGNATURE,
    "confidence_mean": 27.2,
    "confidence_var": 0.9,
    "confidence": "μ = 27.2 ± 0.9",
    "verbose_score": "58.0/33.0/21.0/14.0 (BP = 1.000 ratio = 1.010 hyp_len = 101 ref_len = 100)",
    "nrefs": "1",
    "case": "mixed",
    "test": "wmt17",
    "lang": "en-de",
}
TER = {"name": "TER", "score": 55.0, "signature": "nrefs:1|case:lc|tok:tercom", "nrefs": "1"}
PAIRED = [
    {
        "system": "Baseline: out/base.de",
        "BLEU": {"score": 27.25, "p_value": None, "mean": 27.2, "ci": 0.9},
        "chrF2": {"score": 55.5, "p_value": None, "mean": 55.4, "ci": 0.5},
    },
    {
        "system": "out/big.de",
        "BLEU": {"score": 28.5, "p_value": 0.000999, "mean": 28.4, "ci": 0.9},
        "chrF2": {"score": 56.5, "p_value": 0.01, "mean": 56.4, "ci": 0.5},
    },
]


def read(tmp_path: Path, value: object) -> Campaign:
    path = tmp_path / "base.json"
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False))
    assert find_format(path) == SacrebleuJson()
    (campaign,) = SacrebleuJson().read(path)
    return campaign


def test_one_metric(tmp_path: Path) -> None:
    campaign = read(tmp_path, BLEU)
    (table,) = campaign.scores
    assert (campaign.name, campaign.lp, campaign.systems) == ("wmt17", "en-de", ("base",))
    assert (table.name, table.level, table.values.tolist()) == ("BLEU", "system", [[27.3]])
    assert table.origin == str(tmp_path / "base.json")
    assert len(table.digest) == 32
    assert [note.text for note in campaign.notes] == [f"BLEU: {SIGNATURE}", "BLEU: unused interval μ = 27.2 ± 0.9"]


def test_several_metrics(tmp_path: Path) -> None:
    bleu, ter = read(tmp_path, [BLEU, TER]).scores
    assert (bleu.higher_is_better, ter.higher_is_better) == (True, False)
    assert ter.values.tolist() == [[55.0]]


def test_several_systems(tmp_path: Path) -> None:
    scores = [
        {"system": "a/base.de", "BLEU": "27.3", "TER": "55.0"},
        {"system": "big.de", "BLEU": "28.1", "TER": "nan"},
    ]
    campaign = read(tmp_path, scores)
    assert (campaign.name, campaign.lp, campaign.systems) == ("base", "", ("base", "big"))
    assert [table.values[0, 0] for table in campaign.scores] == [27.3, 55.0]
    assert campaign.scores[1].gaps == 1


def test_paired_tests(tmp_path: Path) -> None:
    campaign = read(tmp_path, PAIRED)
    assert campaign.systems == ("base", "big")
    assert campaign.scores[1].values.tolist() == [[55.5], [56.5]]
    assert [(note.kind, note.text) for note in campaign.notes] == [
        (NoteKind.PROVENANCE, "baseline of the paired tests: out/base.de"),
        (NoteKind.UNREAD, "unused values: ci 4, mean 4, p_value 2"),
        (NoteKind.PROVENANCE, "no signatures: sacreBLEU does not write them for several systems"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [["one", "-m", "bleu", "chrf", "ter"], ["one", "--confidence"], ["one", "two"], ["one", "two", "--paired-bs"]],
    ids=" ".join,
)
def test_what_sacrebleu_itself_prints(tmp_path: Path, options: list[str]) -> None:
    for name, word in {"ref": "the", "one": "a", "two": "one"}.items():
        (tmp_path / name).write_text(f"{word} cat sat on the mat\n" * 3)
    command = [sys.executable, "-m", "sacrebleu", "ref", "-w", "4", "-i", *options]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    path = tmp_path / "one.json"
    path.write_bytes(run.stdout)
    assert find_format(path) == SacrebleuJson()
    (campaign,) = SacrebleuJson().read(path)
    assert campaign.systems == (("one", "two") if "two" in options else ("one",))
    assert [table.name for table in campaign.scores] == (["BLEU", "chrF2", "TER"] if "ter" in options else ["BLEU"])
    assert campaign.scores[0].values[0, 0] == pytest.approx(100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25, abs=1e-4)


DAMAGED: dict[str, tuple[Any, str]] = {
    "no object": (3, "expected an object with a score"),
    "an empty list": ([], "expected an object with a score"),
    "a list of lists": ([[BLEU]], "expected an object with a score"),
    "no name": ([{**BLEU, "name": ""}], "needs the name and score"),
    "no score": ([{"name": "BLEU", "signature": ""}], "needs the name and score"),
    "a name that is no text": ([{**BLEU, "name": 3}], "needs the name and score"),
    "a score that is no number": (
        {**BLEU, "score": "high"},
        "the score 'BLEU' of system 'base' is not a number: 'high'",
    ),
    "a score that is true": ({**BLEU, "score": True}, "must be a number, not bool"),
    "a list for a score": ({**BLEU, "score": [1]}, "must be a number, not list"),
    "a comma": ([{"system": "a", "BLEU": "27,3"}], "is not a number: '27,3'\nuse a decimal point"),
    "too large": ({**BLEU, "score": "1e400"}, "too large"),
    "digits": ({**BLEU, "score": "٣"}, "is not a number"),
    "a metric twice": ([BLEU, BLEU], "duplicate score 'BLEU' of system 'base'"),
    "two test sets": ([BLEU, {**TER, "test": "wmt18"}], "scores of two test sets: 'wmt17' and 'wmt18'"),
    "a system twice": ([{"system": "a", "BLEU": "1"}, {"system": "a", "BLEU": "1"}], "two systems are called 'a'"),
    "null as a system": ([{"system": "a", "BLEU": "1"}, {"system": None, "BLEU": "1"}], "a system has no name"),
    "a detail without score": ([{"system": "a", "BLEU": {"p_value": 1}}], "'BLEU' of system 'a' has no score"),
    "beyond computing": ({**BLEU, "score": 1e200}, r"the score 'BLEU' of system 'base' is too large: the limit is ±1e"),
    "a system without name": ([{"system": "", "BLEU": "1"}], "a system has no name"),
    "a system without scores": ([{"system": "a"}], "has no score"),
    "mixed": ([{"system": "a", "BLEU": "1"}, BLEU], "is not a number|a system has no name"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged(tmp_path: Path, case: str) -> None:
    value, message = DAMAGED[case]
    path = tmp_path / "base.json"
    path.write_text(json.dumps(value))
    with pytest.raises(InputError, match=message) as caught:
        SacrebleuJson().read(path)
    assert str(path) in str(caught.value)


TEXTS = {
    '{"name": "BLEU", "name": "TER"}': "duplicate key 'name'",
    '{"name": "BLEU",\n "score": Infinity}': "Infinity is not a number",
    '{"name": "BLEU",\n "score": 1e400}': "too large",
    '{"name": "BLEU",\n "score": }': "line 2: invalid JSON: expecting value",
    '{"name": "\\ud800", "score": 1}': "a lone surrogate",
    "[" * 100_000: "nested too deeply",
    "9" * 5_000: "invalid JSON",
    "": "line 1: invalid JSON",
}


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_texts_that_are_no_json(tmp_path: Path, text: str) -> None:
    path = tmp_path / "base.json"
    path.write_text(text)
    with pytest.raises(InputError, match=TEXTS[text]):
        SacrebleuJson().read(path)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*BLEU, "system"]), inner, max_size=4),
    max_leaves=8,
)


@given(st.binary(max_size=100) | VALUES.map(json.dumps).map(str.encode))
@settings(max_examples=300, deadline=None)
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "x.json"
    path.write_bytes(data)
    try:
        (campaign,) = SacrebleuJson().read(path)
    except AssayError:
        return
    assert campaign.scores


@given(
    st.sampled_from([[BLEU, TER], PAIRED]),
    st.integers(0, 600),
    st.integers(0, 20),
    st.sampled_from(["", '"', "1", "}", ","]),
)
@settings(max_examples=200, deadline=None)
def test_any_change(tmp_path_factory: pytest.TempPathFactory, value: object, at: int, length: int, bad: str) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "x.json"
    text = json.dumps(value, ensure_ascii=False)
    path.write_text(text[:at] + bad + text[at + length :])
    try:
        (campaign,) = SacrebleuJson().read(path)
    except InputError:
        return
    assert campaign.scores

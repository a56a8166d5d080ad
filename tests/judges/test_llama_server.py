"""`judge` with a real server on this computer: llama.cpp's, with random weights (make test-judge)."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import assay
from assay import AssayWarning
from assay.errors import AssayError
from assay.judges import server as judge_server
from assay.judges.protocols import protocol as protocols
from tests.judges import llama_server

if absent := llama_server.missing():
    pytest.skip(f"not installed: {absent} (make test-judge)", allow_module_level=True)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:judge:assay.errors.AssayWarning")]

SOURCES = ["The house is big.", "He came late, as always.", "Nobody knows.", "It costs 20 euros."]
OUTPUTS = {
    "elm": ["Das Haus ist groß.", "Er kam spät, wie immer.", "Niemand weiß es.", "Es kostet 20 Euro."],
    "oak": ["Das Haus ist klein.", "Er kam spät, wie immer.", "Keiner weiss.", "It costs 20 Euro."],
}
DISTINCT = 7
SOURCE = str(Path(assay.__file__).parents[1])
PROTOCOLS = sorted(protocols.names())


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("llama") / "made-up.gguf"
    llama_server.write_model(path)
    return path


@pytest.fixture(scope="module")
def llama(model):
    with llama_server.llama_server(model) as server:
        yield server


def spec_of(server, protocol, *options, max_tokens=300):
    names = [f"judge:protocol={protocol}", f"model={llama_server.MODEL}", f"endpoint={server.url}"]
    return ",".join([*names, f"max_tokens={max_tokens}", *options])


def score(server, cache, protocol, *options, outputs=OUTPUTS, **settings):
    spec = spec_of(server, protocol, *options, **settings)
    texts = assay.load(sources=SOURCES, outputs=outputs, lp="en-de")
    return assay.score(texts, spec, resamples=0, cache=cache)[spec]


def replies(cache):
    """What is in the cache: each reply that the server gave."""
    found = []
    for path in Path(cache).rglob("*.sqlite*"):
        if path.read_bytes()[:15] == b"SQLite format 3":
            with sqlite3.connect(path) as file:
                found += [json.loads(row[0]) for row in file.execute("SELECT reply FROM results ORDER BY key")]
    return found


def all_values(found):
    return np.concatenate(list(found.segments.values()))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_random_replies_under_a_grammar_can_be_read(llama, tmp_path, protocol):
    found = score(llama, tmp_path, protocol, "temperature=1", "retries=9")
    low, high = (-25, 0) if protocol == "mqm" else (0, 100)
    values = all_values(found)
    read = values[np.isfinite(values)]
    assert len(read) >= 6
    assert ((low <= read) & (read <= high)).all()
    kept = replies(tmp_path)
    assert kept
    assert all(reply["is_structured"] and reply["model"] == llama_server.MODEL for reply in kept)
    assert all(isinstance(json.loads(reply["text"]), dict) for reply in kept if reply["finish"] == "stop")
    assert all(reply["input_tokens"] > 100 and reply["output_tokens"] > 0 for reply in kept)
    assert f"|reported_model.digest:{llama_server.MODEL}|" in str(found.signature)


def test_a_second_run_needs_no_server(model, tmp_path):
    with llama_server.llama_server(model) as server:
        first = {protocol: score(server, tmp_path, protocol, "temperature=1") for protocol in PROTOCOLS}
        asked = server.asked
        for protocol in PROTOCOLS:
            score(server, tmp_path, protocol, "temperature=1")
        assert server.asked == asked == len(replies(tmp_path))
    for protocol, found in first.items():
        again = score(server, tmp_path, protocol, "temperature=1")
        assert str(again.signature) == str(found.signature)
        assert np.array_equal(all_values(again), all_values(found), equal_nan=True)


def test_what_is_marked_but_does_not_occur_has_no_place(llama, tmp_path):
    with pytest.warns(AssayWarning, match=r"\d+ of \d+ marked errors have no place"):
        found = score(llama, tmp_path, "mqm")
    values = all_values(found)
    assert (values[np.isfinite(values)] <= 0).all()


@pytest.mark.parametrize("protocol", ["esa", "mqm"])
def test_random_text_without_a_grammar_is_no_score(llama, tmp_path, monkeypatch, protocol):
    """As with a server that takes no schema."""
    monkeypatch.setattr(judge_server, "_FORMATS", ("",))
    with (
        pytest.warns(AssayWarning, match="nothing was scored"),
        pytest.warns(AssayWarning, match=rf"{DISTINCT} of {DISTINCT} answers could not be read, after 2 attempts"),
    ):
        score(llama, tmp_path, protocol, "temperature=1", "retries=1")
    kept = replies(tmp_path)
    assert len(kept) == 2 * DISTINCT
    assert not any(reply["is_structured"] for reply in kept)


def test_random_text_without_a_grammar_prefers_nothing(llama, tmp_path, monkeypatch):
    monkeypatch.setattr(judge_server, "_FORMATS", ("",))
    with pytest.warns(AssayWarning, match="6 of 6 answers could not be read, after 1 attempts? each: "):
        found = score(llama, tmp_path, "pairwise", "temperature=1", "retries=0")
    for values in found.segments.values():
        assert np.array_equal(values, [np.nan, 50, np.nan, np.nan], equal_nan=True)  # two outputs are equal


def test_a_reply_that_is_cut_off_is_no_score(llama, tmp_path):
    with (
        pytest.warns(AssayWarning, match="nothing was scored"),
        pytest.warns(AssayWarning, match=r"cut off at the largest number of tokens"),
    ):
        score(llama, tmp_path, "da", "retries=0", max_tokens=2)


def test_votes_differ_at_temperature_1(llama, tmp_path):
    found = score(llama, tmp_path, "da", "temperature=1", "votes=6", "retries=9")
    before = llama.asked
    assert len(replies(tmp_path)) >= 6 * DISTINCT
    table = found.statistics.table
    assert table.shape[-1] == 4
    assert (table[..., 2] > 0).any()
    again = score(llama, tmp_path, "da", "temperature=1", "votes=6", "retries=9")
    assert np.array_equal(again.statistics.table, table)
    assert llama.asked == before


def test_a_text_that_is_longer_than_the_context_of_the_model(llama, tmp_path):
    """The server refuses it, and answers all others."""
    outputs = {"elm": [*OUTPUTS["elm"][:3], "lang und länger " * 3000]}
    with (
        pytest.warns(AssayWarning, match="a line of 48,000 characters"),
        pytest.warns(AssayWarning, match=r"no reply to 1 of 4 questions: .*context length"),
    ):
        found = score(llama, tmp_path, "da", "temperature=1", "retries=9", outputs=outputs)
    assert np.isnan(found.segments["elm"]).tolist() == [False, False, False, True]


def test_a_key_that_the_server_does_not_know(model, tmp_path, monkeypatch):
    with llama_server.llama_server(model, "--api_key", "right-and-secret") as server:
        monkeypatch.setenv("ASSAY_JUDGE_KEY", "wrong-and-secret")
        with pytest.raises(AssayError, match="key") as caught:
            score(server, tmp_path, "da")
        assert "wrong-and-secret" not in f"{caught.value!r}{caught.value}"
        monkeypatch.setenv("ASSAY_JUDGE_KEY", "right-and-secret")
        assert np.isfinite(all_values(score(server, tmp_path, "da"))).any()
    assert not any(b"and-secret" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def command(server, folder, cache, *options, lines=1):
    """A run of `assay score`, and the environment for it."""
    texts = {"src": SOURCES, **{f"{name}.txt": column for name, column in OUTPUTS.items()}}
    for name, column in texts.items():
        numbered = [f"{text[:-1]} {i}." for i in range(lines) for text in column]
        (folder / name).write_text("\n".join(numbered) + "\n", encoding="utf-8")
    run = [sys.executable, "-m", "assay", "score", "--src", "src", "--lp", "en-de", "elm.txt", "oak.txt"]
    run += ["-m", spec_of(server, "da", *options), "--format", "json"]
    return {"args": run, "cwd": folder, "env": os.environ | {"ASSAY_CACHE": str(cache), "PYTHONPATH": SOURCE}}


def test_two_runs_print_the_same_bytes(llama, tmp_path):
    printed = [
        subprocess.run(**command(llama, tmp_path, tmp_path / cache), capture_output=True, check=True).stdout
        for cache in ("one", "one", "two")  # the last one asks again
    ]
    assert printed[0]
    assert printed[0] == printed[1] == printed[2]


def test_a_run_that_is_killed_goes_on_where_it_was(model, tmp_path):
    with llama_server.llama_server(model) as server:
        run = command(server, tmp_path, tmp_path / "cache", "retries=0", lines=12)
        for wanted in (20, 40):
            process = subprocess.Popen(**run, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            while server.asked < wanted and process.poll() is None:
                time.sleep(0.02)
            assert process.poll() is None
            process.kill()
            process.communicate()
        completed = subprocess.run(**run, capture_output=True, check=True)
        assert completed.stdout
        time.sleep(0.5)
        assert len(replies(tmp_path / "cache")) == 12 * DISTINCT
        assert 12 * DISTINCT <= server.asked <= 12 * DISTINCT + 2 * 8  # those under way are asked again

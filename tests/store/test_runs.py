from __future__ import annotations

import io
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from assay import diff, load, open_run, save_run, score
from assay.errors import CorruptError, InputError, StoreError
from assay.store.runs import _digest, _index_bytes


@pytest.fixture(scope="module")
def run():
    testset = load(
        outputs={"a/b"[:1]: ["x y z w", "p", None], "<b>": ["x y z w v u", "q r", ""]},
        references={"refA": ["x y z w v", "p q", "s"], "refB": [None, "p", "s"]},
        sources=["s1", "s2", "s3"],
        domains=["m", "n", "m"],
        lp="de-en",
    )
    return score(testset, ["bleu", "chrf:word_order=2"], by="domain", resamples=50)


@pytest.mark.parametrize("texts", [False, True])
def test_it_comes_back_whole(run, tmp_path, texts):
    save_run(run, tmp_path / "deep" / "saved", texts=texts, command="assay score …")
    again = open_run(tmp_path / "deep" / "saved")
    assert not diff(run, again).different
    assert again.to_dict(segments=True, sacrebleu=True) == run.to_dict(segments=True, sacrebleu=True)
    assert again.record == run.record
    for spec, metric in run.metrics.items():
        assert (again[spec].statistics.table == metric.statistics.table).all()
        assert again[spec].statistics.table.dtype == metric.statistics.table.dtype
        assert (again[spec].statistics.scored == metric.statistics.scored).all()
        assert again[spec].statistics.signature == metric.statistics.signature
        assert not again[spec].segments["<b>"].flags.writeable
    assert again["chrf:word_order=2"].spec == "chrf++"
    if texts:
        assert again.testset == run.testset
    else:
        with pytest.raises(InputError, match="saved without its texts"):
            _ = again.testset
    assert json.loads((tmp_path / "deep/saved/run.json").read_bytes())["command"] == "assay score …"
    assert os.listdir(tmp_path / "deep") == ["saved"]


def test_saved_twice_the_bytes_are_the_same(run, tmp_path):
    for name in ("one", "two"):
        save_run(run, tmp_path / name, texts=True)
    names = sorted(os.listdir(tmp_path / "one"))
    plain = sorted(re.sub(r"\.[0-9a-f]{16}", "", name) for name in names)
    arrays = [f"{k}.{name}.npy" for k in (0, 1) for name in ("scored", "segments", "statistics")]
    assert plain == [*arrays, "run.json", "texts.json"]
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_reopened_run_can_be_saved_again(run, tmp_path):
    save_run(run, tmp_path / "one")
    save_run(open_run(tmp_path / "one"), tmp_path / "two")
    assert (tmp_path / "one/run.json").read_bytes() == (tmp_path / "two/run.json").read_bytes()
    with pytest.raises(InputError, match="without its texts"):
        save_run(open_run(tmp_path / "one"), tmp_path / "three", texts=True)
    assert not (tmp_path / "three").exists()


def test_an_earlier_run_is_replaced_and_nothing_else(run, tmp_path):
    target = tmp_path / "saved"
    target.mkdir()
    save_run(run, target, texts=True)
    save_run(run, target)
    assert not any(name.startswith("texts") for name in os.listdir(target))
    assert len(os.listdir(target)) == 7
    (target / "thesis.tex").write_text("ten years of work", encoding="utf-8")
    with pytest.raises(StoreError, match=r"holds other files \(thesis.tex\)"):
        save_run(run, target)
    assert (target / "thesis.tex").exists()
    with pytest.raises(StoreError, match="is not a folder"):
        save_run(run, target / "thesis.tex")


@pytest.mark.parametrize("calls", range(1, 9))
def test_a_failure_leaves_the_earlier_run(run, tmp_path, monkeypatch, calls):
    """Each renaming into place is made to fail: six arrays, then the index; the eighth never comes."""
    save_run(run, tmp_path / "saved", command="earlier")
    replace, made = Path.replace, []

    def fail(self, target):
        made.append(target)
        if len(made) == calls:
            raise OSError(5, "Input/output error")
        return replace(self, target)

    other = score(run.testset, ["bleu:tok=char", "chrf"], resamples=10)
    monkeypatch.setattr(Path, "replace", fail)
    if calls < 8:
        with pytest.raises(InputError, match="input/output error"):
            save_run(other, tmp_path / "saved", command="later")
    else:
        save_run(other, tmp_path / "saved", command="later")
    monkeypatch.undo()
    assert open_run(tmp_path / "saved").command == ("earlier" if calls < 8 else "later")
    save_run(other, tmp_path / "saved")
    assert len(os.listdir(tmp_path / "saved")) == 7  # what the failure left behind is gone


def test_a_killed_process_leaves_one_run_or_the_other(run, tmp_path):
    """Saved over and over by a process that is killed at any moment."""
    save_run(run, tmp_path / "saved")
    code = (
        "import sys, itertools, assay\n"
        "runs = [assay.score(assay.open_run(sys.argv[1] + 't').testset, m, resamples=5) for m in ('bleu', 'chrf')]\n"
        "print('ready', flush=True)\n"
        "for k in itertools.count():\n"
        "    assay.save_run(runs[k % 2], sys.argv[1])\n"
    )
    save_run(run, tmp_path / "savedt", texts=True)
    for delay in (0.003, 0.011, 0.017, 0.029):
        with subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "saved")], stdout=subprocess.PIPE) as child:
            child.stdout.readline()
            time.sleep(delay)
            child.kill()
        assert open_run(tmp_path / "saved").systems == run.systems
    save_run(run, tmp_path / "saved")
    assert len(os.listdir(tmp_path / "saved")) == 7


def test_several_processes_save_at_once(run, tmp_path):
    save_run(run, tmp_path / "t", texts=True)
    code = (
        "import sys, assay\n"
        "run = assay.score(assay.open_run(sys.argv[1] + '/t').testset, sys.argv[2], resamples=5)\n"
        "for _ in range(20): assay.save_run(run, sys.argv[1] + '/saved'); assay.open_run(sys.argv[1] + '/saved')\n"
    )
    children = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), m]) for m in ("bleu", "chrf", "chrf++")]
    assert [child.wait() for child in children] == [0, 0, 0]
    assert len(open_run(tmp_path / "saved").metrics) == 1
    assert len(os.listdir(tmp_path / "saved")) == 4


def test_the_folder_stays_the_one_it_was(run, tmp_path, monkeypatch):
    (tmp_path / "private").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("private")
    save_run(run, tmp_path / "link", texts=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "private").stat().st_mode & 0o777 == 0o700
    monkeypatch.chdir(tmp_path / "private")
    save_run(run, ".")
    assert "run.json" in os.listdir()


def test_every_flipped_bit_is_noticed(run, tmp_path):
    save_run(run, tmp_path / "saved", texts=True)
    draw = random.Random(1)
    for path in sorted((tmp_path / "saved").iterdir()):
        data = path.read_bytes()
        for _ in range(10):
            place = draw.randrange(len(data))
            path.write_bytes(data[:place] + bytes([data[place] ^ (1 << draw.randrange(8))]) + data[place + 1 :])
            with pytest.raises(StoreError, match=re.escape(path.name)):
                open_run(tmp_path / "saved")
        path.write_bytes(data)
    open_run(tmp_path / "saved")


def rewrite(place, change):
    """Change the index as a tamperer would who knows how its digest is made."""
    index = json.loads((place / "run.json").read_bytes())
    del index["digest"]
    change(index)
    index["digest"] = _digest(_index_bytes(index))
    (place / "run.json").write_bytes(_index_bytes(index))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda index: index.update(kind="else"), "not a saved run"),
        (lambda index: index.update(version=99), "version 99"),
        (lambda index: index.pop("metrics"), "not as it was written"),
        (lambda index: index["metrics"][0].pop("scores"), "not as it was written"),
        (lambda index: index["metrics"][0].update(signature="x"), "not a signature"),
        (lambda index: index["test_set"]["systems"].pop(), "not as it was written"),
        (lambda index: index["test_set"].update(segments=2), "have shape"),
        (lambda index: index["test_set"]["digests"].update(sources="00"), "do not fit their fingerprint"),
        (lambda index: index["files"].append("../../etc/passwd"), "names a file that is not part of a run"),
        (lambda index: index["files"].append(f"9.scored.{'0' * 16}.npy"), "no such file"),
        (lambda index: index.update(files=3), "not as it was written"),
        (lambda index: index["files"].clear(), "not as it was written"),
    ],
)
def test_a_damaged_index_is_refused(run, tmp_path, change, message):
    save_run(run, tmp_path)
    rewrite(tmp_path, change)
    with pytest.raises(StoreError, match=message):
        open_run(tmp_path)


def test_what_is_no_saved_run(tmp_path):
    with pytest.raises(StoreError, match="no such file") as caught:
        open_run(tmp_path)
    assert "assay score --save DIR" in caught.value.hint
    for text in ("{", "[]", "\xff"):
        (tmp_path / "run.json").write_bytes(text.encode("latin-1"))
        with pytest.raises(CorruptError, match=r"run\.json"):
            open_run(tmp_path)


def test_nothing_is_pickled(run, tmp_path):
    save_run(run, tmp_path)
    buffer = io.BytesIO()
    np.save(buffer, np.array([object()]), allow_pickle=True)
    name = f"0.scored.{_digest(buffer.getvalue())}.npy"
    (tmp_path / name).write_bytes(buffer.getvalue())

    def swap(index):
        index["files"] = [name if file.startswith("0.scored") else file for file in index["files"]]

    rewrite(tmp_path, swap)
    with pytest.raises(CorruptError, match="not as it was written"):
        open_run(tmp_path)


def test_places_that_cannot_be_used(run, tmp_path):
    for folder in ("", tmp_path / ("x" * 300), tmp_path / "a\0b"):
        with pytest.raises(StoreError):
            save_run(run, folder)
    with pytest.raises(StoreError, match="cannot be written"):
        save_run(run, "/proc/nothing/here")


def test_the_command_survives_odd_bytes_and_reopening(run, tmp_path):
    save_run(run, tmp_path / "one", command="assay score ref\udcff.de")
    again = open_run(tmp_path / "one")
    assert again.command == "assay score ref\\udcff.de"
    save_run(again, tmp_path / "two")
    assert open_run(tmp_path / "two").command == again.command


def test_deep_json_is_refused(tmp_path):
    (tmp_path / "run.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(CorruptError, match="not JSON"):
        open_run(tmp_path)

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import numpy as np
import pytest

from assay import diff, load, open_run, save_run, score
from assay.errors import CorruptError, InputError, StoreError


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
    assert names == [
        "0.scored.npy",
        "0.segments.npy",
        "0.statistics.npy",
        *(f"1{n[1:]}" for n in names[:3]),
        "run.json",
        "texts.json",
    ]
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
    assert "texts.json" not in os.listdir(target)
    (target / "thesis.tex").write_text("ten years of work", encoding="utf-8")
    with pytest.raises(StoreError, match=r"holds other files \(thesis.tex\)"):
        save_run(run, target)
    assert (target / "thesis.tex").exists()
    with pytest.raises(StoreError, match="is not a folder"):
        save_run(run, target / "thesis.tex")


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_a_failure_leaves_the_earlier_run(run, tmp_path, monkeypatch, calls):
    """The renames are made to fail one after another."""
    save_run(run, tmp_path / "saved", command="earlier")
    rename, made = Path.rename, []

    def fail(self, target):
        made.append(target)
        if len(made) == calls:
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail)
    if calls <= 2:
        with pytest.raises(StoreError, match="input/output error"):
            save_run(run, tmp_path / "saved", command="later")
    else:
        save_run(run, tmp_path / "saved", command="later")
    monkeypatch.undo()
    open_run(tmp_path / "saved")
    index = json.loads((tmp_path / "saved/run.json").read_bytes())
    assert index["command"] == ("earlier" if calls <= 2 else "later")
    assert os.listdir(tmp_path) == ["saved"]


def test_every_flipped_bit_is_noticed(run, tmp_path):
    save_run(run, tmp_path / "saved", texts=True)
    draw = random.Random(1)
    for path in sorted((tmp_path / "saved").glob("[0-9t]*")):
        data = path.read_bytes()
        for _ in range(10):
            place = draw.randrange(len(data))
            path.write_bytes(data[:place] + bytes([data[place] ^ (1 << draw.randrange(8))]) + data[place + 1 :])
            with pytest.raises(CorruptError, match=f"{path.name}: has changed since it was saved"):
                open_run(tmp_path / "saved")
        path.write_bytes(data)
    open_run(tmp_path / "saved")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda index: index.update(kind="else"), "not a saved run"),
        (lambda index: index.update(version=99), "version 99"),
        (lambda index: index.pop("metrics"), "not as it was written"),
        (lambda index: index["metrics"][0].pop("scores"), "not as it was written"),
        (lambda index: index["metrics"][0].update(signature="x"), "not a signature"),
        (lambda index: index["test_set"]["systems"].pop(), "not as it was written"),
        (lambda index: index["files"].update({"../../etc/passwd": "00"}), "names a file outside its folder"),
        (lambda index: index["files"].update({"gone.npy": "00"}), "no such file"),
        (lambda index: index.update(files=3), "not as it was written"),
    ],
)
def test_a_damaged_index_is_refused(run, tmp_path, change, message):
    save_run(run, tmp_path)
    index = json.loads((tmp_path / "run.json").read_bytes())
    change(index)
    (tmp_path / "run.json").write_text(json.dumps(index), encoding="utf-8")
    with pytest.raises(StoreError, match=message):
        open_run(tmp_path)


def test_what_is_no_saved_run(tmp_path):
    with pytest.raises(StoreError, match="no such file") as caught:
        open_run(tmp_path)
    assert "assay score --save DIR" in caught.value.hint
    for text in ("{", "[]", "\xff"):
        (tmp_path / "run.json").write_bytes(text.encode("latin-1"))
        with pytest.raises(CorruptError):
            open_run(tmp_path)


def test_nothing_is_pickled(run, tmp_path):
    save_run(run, tmp_path)
    np.save(tmp_path / "0.scored.npy", np.array([object()]), allow_pickle=True)
    index = json.loads((tmp_path / "run.json").read_bytes())
    from assay.store.runs import _digest

    index["files"]["0.scored.npy"] = _digest((tmp_path / "0.scored.npy").read_bytes())
    (tmp_path / "run.json").write_text(json.dumps(index), encoding="utf-8")
    with pytest.raises(CorruptError, match="not as it was written"):
        open_run(tmp_path)

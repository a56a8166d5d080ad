"""Saved runs that are no longer what was saved, for `assay diff`; and scores that `assay match` cannot look for."""

from __future__ import annotations

import functools
import hashlib
import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.badinputs.case import FILES, Case

_diff = functools.partial(Case, family="saved runs", command=("diff",), arguments=("one", "two"))
_match = functools.partial(Case, family="match", command=("match",))
_Files = dict[str, bytes]


@functools.cache
def _saved() -> tuple[tuple[str, bytes], ...]:
    """The files of a saved run."""
    import assay
    from assay.store import save_run

    outputs = {"a": ["the cat sat", "a dog ran"], "b": ["the cat", "a dog ran off"]}
    testset = assay.load(outputs=outputs, references=["the cat sat", "a dog ran off"])
    with tempfile.TemporaryDirectory() as folder:
        save_run(assay.score(testset, ["bleu"], resamples=5), folder, command="assay score")
        return tuple((path.name, path.read_bytes()) for path in Path(folder).iterdir())


def _run(change: Callable[[_Files], _Files]) -> Callable[[], _Files]:
    """A run, and beside it one of which something is different."""

    def make() -> _Files:
        whole = {f"one/{name}": raw for name, raw in _saved()}
        return whole | {f"two/{name}": raw for name, raw in change(dict(_saved())).items()}

    return make


def _refused(name: str, change: Callable[[_Files], _Files], what: str, **rest: Any) -> Case:
    return _diff(name=name, makes=_run(change), **{"code": 3, "says": (f"error: two/{what}",)} | rest)


def _segments(files: _Files) -> str:
    return next(name for name in files if name.startswith("0.segments."))


def _digest(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=8).hexdigest()


def _signed(files: _Files, change: Callable[[dict[str, Any]], object]) -> _Files:
    """With an index that was changed by somebody who knows how its digest is made."""

    def written(tree: dict[str, Any]) -> bytes:
        return (json.dumps(tree, indent=1, ensure_ascii=False) + "\n").encode()

    index = json.loads(files["run.json"])
    index.pop("digest")
    change(index)
    return files | {"run.json": written(index | {"digest": _digest(written(index))})}


def _forged(name: str, change: Callable[[dict[str, Any]], object], what: str = "run.json: ", **rest: Any) -> Case:
    return _refused(name, lambda files: _signed(files, change), what, **rest)


def _with_segments(raw: bytes) -> Callable[[_Files], _Files]:
    """With another array of segments, which the index names."""

    def change(files: _Files) -> _Files:
        old, new = _segments(files), f"0.segments.{_digest(raw)}.npy"
        kept = {name: data for name, data in files.items() if name != old}
        return _signed(
            kept | {new: raw}, lambda index: index.update(files=[new if f == old else f for f in index["files"]])
        )

    return change


def _array(values: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, values, allow_pickle=True)
    return buffer.getvalue()


def _claim(shape: str) -> bytes:
    """An array that says it has this shape, and holds nothing."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00v\x00" + header.ljust(117) + b"\n"


def _set_system(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda index: index["test_set"].update(systems=[name, "b"])


_RUNS = (
    _diff(name="the same", makes=_run(dict), shows=("one and two are the same",)),
    _diff(name="a foreign file beside it", makes=_run(lambda f: f | {"x.txt": b"x"}), shows=("are the same",)),
    _diff(name="not there", code=3, says=("error: one/run.json: no such file or directory", "hint: a saved run is")),
    _diff(name="a file", files={"one": b"x"}, code=3, says=("error: one/run.json: not a directory",)),
    _refused("empty folder", lambda f: {"x": b""}, "run.json: no such file or directory"),
    _refused("no arrays", lambda f: {"run.json": f["run.json"]}, "0."),
    _refused("array missing", lambda f: {k: v for k, v in f.items() if k != _segments(f)}, "0.segments."),
    _refused("index empty", lambda f: f | {"run.json": b""}, "run.json: not JSON"),
    _refused("index truncated", lambda f: f | {"run.json": f["run.json"][:200]}, "run.json: not JSON"),
    _refused("index of bad bytes", lambda f: f | {"run.json": b"\xff\xfe"}, "run.json: not JSON"),
    _refused("index nested too deeply", lambda f: f | {"run.json": b"[" * 100_000}, "run.json: not JSON"),
    _refused("other JSON", lambda f: f | {"run.json": b"{}"}, "run.json: not a saved run"),
    _refused(
        "index changed",
        lambda f: f | {"run.json": f["run.json"].replace(b'"segments": 2', b'"segments": 3')},
        "run.json: has changed since it was saved",
    ),
    _refused("array changed", lambda f: f | {_segments(f): f[_segments(f)][:-1] + b"x"}, "0.segments."),
    _refused("array truncated", lambda f: f | {_segments(f): f[_segments(f)][:40]}, "0.segments."),
    _refused("array of objects", _with_segments(_array(np.array([[{}]], dtype=object))), "run.json: not as it was wr"),
    _refused(
        "array of another shape", _with_segments(_array(np.zeros((2, 7)))), "run.json: not as it was written: the"
    ),
    _refused(
        "array of 1.4 PiB",
        _with_segments(_claim("(2, 99999999999999)")),
        "run.json: ",
    ),
    _forged("another version", lambda i: i.update(version=2), "run.json: written in version 2 of the form"),
    _forged("path as a file", lambda i: i.update(files=["../../etc/passwd"]), "run.json: names a file that is not"),
    _forged("no metrics", lambda i: i.pop("metrics")),
    _forged("files that are none", lambda i: i.update(files=None)),
    _forged("more segments", lambda i: i["test_set"].update(segments=5), "run.json: not as it was written: the stat"),
    _forged("other digests", lambda i: i["test_set"].update(digests={"x": "y"}), "run.json: the digests of the texts"),
    _forged("signature that is none", lambda i: i["metrics"][0].update(signature="x")),
    _forged(
        "text for a score",
        lambda i: i["metrics"][0]["scores"][0]["estimates"]["a"].update(value="x"),
    ),
    _forged("path as a system", _set_system("../a"), hides=("\x1b",)),
    _forged("other systems", _set_system("c")),
    _diff(
        name="escape sequence in a name",
        makes=_run(lambda files: _signed(files, lambda index: index["test_set"].update(name="\x1b[2J"))),
        hides=("\x1b",),
    ),
    _refused("nothing is written", lambda f: {"x": b""}, "run.json: ", arguments=("one", "two", "-o", "new.json")),
    _diff(name="one run", arguments=("one",), code=2, says=("Missing argument 'SECOND'",)),
    _diff(name="unknown condition", arguments=("one", "two", "--fail-if", "x"), code=2, says=("'x' is not one of",)),
    Case(
        name="a folder of other files is not replaced",
        family="saved runs",
        files={"run/mine.txt": b"mine"},
        arguments=(*FILES, "--save", "run"),
        code=3,
        says=("error: run: holds other files (mine.txt), and is not replaced",),
    ),
    Case(
        name="texts of no run",
        family="saved runs",
        arguments=(*FILES, "--save-texts"),
        code=2,
        says=("goes with --save",),
    ),
)

_MATCHES = (
    _match(name="good", arguments=("100", *FILES, "--resamples", "0"), shows=("100",)),
    *(
        _match(
            name=f"score {score}",
            arguments=("--ref", "ref.txt", "--", score, "out.txt"),
            code=2,
            says=(f"error: '{score}' is not a publ",),
        )
        for score in ("x", "27,3", "nan", "inf", "1e2", "-3", "27.3%", "")
    ),
    _match(name="400 decimals", arguments=("1." + "9" * 400, *FILES), code=2, says=("error: ",)),
    _match(name="400 digits", arguments=("9" * 400, *FILES), code=2, says=("error: ",)),
    _match(
        name="digits of another script",
        arguments=("٢٧", *FILES),
        code=2,
        says=("error: ",),
    ),
    _match(
        name="no output", arguments=("27.3", "--ref", "ref.txt"), code=3, says=("error: no system output was given",)
    ),
    _match(name="no file", arguments=("27.3", "--ref", "ref.txt", "x"), code=3, says=("error: x: no such file",)),
    _match(name="top -1", arguments=("27.3", *FILES, "--top", "-1"), code=2, says=("-1 is not in the range",)),
)

CASES = (*_RUNS, *_MATCHES)

"""Saved results that were damaged or forged, for `assay diff`; and scores that `assay match` cannot look for."""

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

_diff = functools.partial(Case, family="saved results", command=("diff",), arguments=("one", "two"))
_match = functools.partial(Case, family="match", command=("match",))
_Files = dict[str, bytes]


def _files(result: object) -> tuple[tuple[str, bytes], ...]:
    """The files that saving a result writes."""
    from assay.store import save_result

    with tempfile.TemporaryDirectory() as folder:
        save_result(result, folder, command="assay score")
        return tuple((path.name, path.read_bytes()) for path in Path(folder).iterdir())


@functools.cache
def _saved() -> tuple[tuple[str, bytes], ...]:
    """A saved run."""
    import assay

    outputs = {"a": ["the cat sat", "a dog ran"], "b": ["the cat", "a dog ran off"]}
    testset = assay.load(outputs=outputs, references=["the cat sat", "a dog ran off"])
    return _files(assay.score(testset, ["bleu"], resamples=5))


def _findings(files: _Files) -> _Files:
    """Another kind of result."""
    from assay.results import Findings

    return dict(_files(Findings((), ())))


def _run(change: Callable[[_Files], _Files]) -> Callable[[], _Files]:
    """A saved run in `one`, and a changed copy of it in `two`."""

    def make() -> _Files:
        whole = {f"one/{name}": raw for name, raw in _saved()}
        return whole | {f"two/{name}": raw for name, raw in change(dict(_saved())).items()}

    return make


def _refused(name: str, change: Callable[[_Files], _Files], message: str, **rest: Any) -> Case:
    return _diff(name=name, makes=_run(change), **{"code": 3, "says": (f"error: two/{message}",)} | rest)


def _segments(files: _Files) -> str:
    return next(name for name in files if name.startswith("segments."))


def _digest(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=8).hexdigest()


def _signed(files: _Files, change: Callable[[dict[str, Any]], object]) -> _Files:
    """With an index changed by somebody who knows how its digest is computed."""

    def written(tree: dict[str, Any]) -> bytes:
        return (json.dumps(tree, indent=1, ensure_ascii=False) + "\n").encode()

    index = json.loads(files["result.json"])
    index.pop("digest")
    change(index)
    return files | {"result.json": written(index | {"digest": _digest(written(index))})}


def _forged(
    name: str, change: Callable[[dict[str, Any]], object], message: str = "result.json: invalid content: ", **rest: Any
) -> Case:
    return _refused(name, lambda files: _signed(files, change), message, **rest)


def _with_segments(raw: bytes) -> Callable[[_Files], _Files]:
    """With another array of segment scores, which the index lists."""

    def change(files: _Files) -> _Files:
        old, new = _segments(files), f"segments.{_digest(raw)}.npy"

        def swap(index: dict[str, Any]) -> None:
            index["files"] = [new if file == old else file for file in index["files"]]
            _metric(index)["segments"]["rows"][1] = new

        return _signed({name: data for name, data in files.items() if name != old} | {new: raw}, swap)

    return change


def _array(values: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, values, allow_pickle=True)
    return buffer.getvalue()


def _claim(shape: str) -> bytes:
    """An array that claims this shape and holds nothing."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00v\x00" + header.ljust(117) + b"\n"


def _metric(index: dict[str, Any]) -> dict[str, Any]:
    metric: dict[str, Any] = index["result"]["Run"]["metrics"]["map"]["bleu"]["MetricScores"]
    return metric


def _record(index: dict[str, Any]) -> dict[str, Any]:
    record: dict[str, Any] = index["result"]["Run"]["inputs"]["TestSetRecord"]
    return record


def _set_value(index: dict[str, Any]) -> None:
    scores = _metric(index)["aggregations"]["map"]["corpus"]["Scores"]
    scores["estimates"]["map"]["a"]["Estimate"]["value"] = "x"


def _set_system(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda index: _record(index).update(systems=[name, "b"])


_RUNS = (
    _diff(name="equal", makes=_run(dict), shows=("one and two are the same",)),
    _diff(name="a foreign file beside it", makes=_run(lambda f: f | {"x.txt": b"x"}), shows=("are the same",)),
    _diff(
        name="no folder", code=3, says=("error: one/result.json: no such file or directory", "hint: a saved result is")
    ),
    _diff(name="a file", files={"one": b"x"}, code=3, says=("error: one/result.json: not a directory",)),
    _diff(
        name="another kind of result",
        makes=_run(_findings),
        code=3,
        says=("error: two: expected a Run, got a Findings", "hint: diff compares runs, which are results of score"),
    ),
    _refused("empty folder", lambda f: {"x": b""}, "result.json: no such file or directory"),
    _refused("no arrays", lambda f: {"result.json": f["result.json"]}, "scored."),
    _refused("array missing", lambda f: {k: v for k, v in f.items() if k != _segments(f)}, "segments."),
    _refused("index empty", lambda f: f | {"result.json": b""}, "result.json: invalid JSON"),
    _refused("index truncated", lambda f: f | {"result.json": f["result.json"][:200]}, "result.json: invalid JSON"),
    _refused("index of bad bytes", lambda f: f | {"result.json": b"\xff\xfe"}, "result.json: invalid JSON"),
    _refused("index nested too deeply", lambda f: f | {"result.json": b"[" * 100_000}, "result.json: invalid JSON"),
    _refused("other JSON", lambda f: f | {"result.json": b"{}"}, "result.json: not a saved result"),
    _refused(
        "index changed",
        lambda f: f | {"result.json": f["result.json"].replace(b'"segments": 2', b'"segments": 3')},
        "result.json: has changed since it was saved",
    ),
    _refused("array changed", lambda f: f | {_segments(f): f[_segments(f)][:-1] + b"x"}, "segments."),
    _refused("array truncated", lambda f: f | {_segments(f): f[_segments(f)][:40]}, "segments."),
    _refused(
        "array of objects",
        _with_segments(_array(np.array([[{}]], dtype=object))),
        "result.json: invalid content: not an array of booleans or numbers",
    ),
    _refused(
        "array of another shape",
        _with_segments(_array(np.zeros((2, 7)))),
        "result.json: invalid content: bleu does not have one score for each of 2 segments",
    ),
    _refused(
        "array of 1.4 PiB",
        _with_segments(_claim("(2, 99999999999999)")),
        "result.json: invalid content: an array of shape",
    ),
    _forged("another version", lambda i: i.update(version=2), "result.json: has format version 2, but"),
    _forged("path as a file", lambda i: i.update(files=["../../etc/passwd"]), "result.json: lists '../../etc/passwd'"),
    _forged("no metrics", lambda i: i["result"]["Run"].pop("metrics")),
    _forged("no result", lambda i: i.pop("result")),
    _forged("class that is no result", lambda i: i.update(result={"Path": "/"})),
    _forged("files that are none", lambda i: i.update(files=None), "result.json: does not list"),
    _forged("more segments", lambda i: _record(i).update(segments=5)),
    _forged("signature that is none", lambda i: _metric(i).update(segment_signature="x")),
    _forged("text for a score", _set_value),
    _forged("path as a system", _set_system("../a"), hides=("\x1b",)),
    _forged("other systems", _set_system("c")),
    _diff(
        name="escape sequence in a name",
        makes=_run(lambda files: _signed(files, lambda index: _record(index).update(name="\x1b[2J"))),
        hides=("\x1b",),
    ),
    _refused("nothing is written", lambda f: {"x": b""}, "result.json: ", arguments=("one", "two", "-o", "new.json")),
    _diff(name="one run", arguments=("one",), code=2, says=("Missing argument 'SECOND'",)),
    _diff(name="unknown condition", arguments=("one", "two", "--fail-if", "x"), code=2, says=("'x' is not one of",)),
    Case(
        name="a folder of other files is not replaced",
        family="saved results",
        files={"run/mine.txt": b"mine"},
        arguments=(*FILES, "--save", "run"),
        code=3,
        says=("error: run: contains other files (mine.txt) and will not be overwritten",),
    ),
    Case(
        name="texts of no run",
        family="saved results",
        arguments=(*FILES, "--save-texts"),
        code=2,
        says=("--save-texts needs --save DIR",),
    ),
)

_MATCHES = (
    _match(name="good", arguments=("100", *FILES, "--resamples", "0"), shows=("100",)),
    *(
        _match(
            name=f"score {score}",
            arguments=("--ref", "ref.txt", "--", score, "out.txt"),
            code=2,
            says=(f"error: '{score}' is not a score",),
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
        name="no output", arguments=("27.3", "--ref", "ref.txt"), code=2, says=("error: no system output was given",)
    ),
    _match(name="no file", arguments=("27.3", "--ref", "ref.txt", "x"), code=3, says=("error: x: no such file",)),
    _match(name="top -1", arguments=("27.3", *FILES, "--top", "-1"), code=2, says=("-1 is not in the range",)),
)

CASES = (*_RUNS, *_MATCHES)

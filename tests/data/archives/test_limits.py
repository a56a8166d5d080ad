from __future__ import annotations

import io

import pytest

from assay.data.archives.limits import BoundedFile, Budget, Limits, Names, Unsafe, flaw_of_name
from assay.types.runtime import Runtime


@pytest.mark.parametrize(
    "name",
    ["a", "a.txt", ".hidden", "wmt22", "名前", "Ωmega.v1-2_3", "console", "com", "nul1", "-dash", "a b", "é" * 127],
)
def test_plain_names(name):
    assert flaw_of_name(name) is None


@pytest.mark.parametrize(
    ("name", "flaw"),
    [
        ("", "empty"),
        (".", "leads out"),
        ("..", "leads out"),
        ("a\\b", "backslash"),
        ("C:", "drive"),
        ("z:name", "drive"),
        ("a\x00b", "control"),
        ("a\x7f", "control"),
        ("a\u200bb", "control"),
        ("a\ud800", "control"),
        ("NUL", "device"),
        ("Com1.txt", "device"),
        ("lpt9.tar.gz", "device"),
        ("a.", "dot or space"),
        ("a ", "dot or space"),
        (".ASSAY-import.json", "record"),
        ("a" * 256, "too long"),
        ("é" * 128, "too long"),
    ],
)
def test_names_that_are_refused(name, flaw):
    assert flaw in (flaw_of_name(name) or "")


def test_paths():
    names = Names(Limits(path_bytes=20, depth=3, members=8))
    assert names.add("./", True) == ()
    assert names.add("./a/b", False) == ("a", "b")
    assert names.add("a/", True) == ("a",)
    assert names.add("a/c", True) == ("a", "c")
    for path, is_folder in [("a/b/", True), ("A/d", False), ("a/b/c/d", False), ("a" * 21, False), ("/a", True)]:
        with pytest.raises(Unsafe):
            names.add(path, is_folder)


def budget(limits: Limits, packed: int, **options: object) -> Budget:
    return Budget(limits, BoundedFile(io.BytesIO(bytes(packed))), "unpacking", options.get("runtime"))


def test_limits_hold_to_the_byte():
    total = budget(Limits(total_bytes=10, free_bytes=100), 5)
    assert total.spend(bytes(10)) == bytes(10)
    with pytest.raises(Unsafe, match="more than 10 bytes"):
        total.spend(b"1")
    ratio = budget(Limits(ratio=3, free_bytes=12), 5)
    ratio.spend(bytes(15))
    with pytest.raises(Unsafe, match="more than 3 times its size"):
        ratio.spend(b"1")


def test_progress_is_told_now_and_then():
    told = []
    spent = budget(Limits(), 5, runtime=Runtime(progress=lambda *step: told.append(step)))
    for _ in range(64):
        spent.spend(bytes(1 << 16))
    assert told == [("unpacking", 0, 5)] * 3


def test_nobody_reads_too_much_at_once():
    file = BoundedFile(io.BytesIO(bytes(1000)))
    assert (file.size(), len(file.read(10)), len(file.read()), file.read()) == (1000, 10, 990, b"")
    with pytest.raises(Unsafe, match="table of contents"):
        file.read(1 << 27)

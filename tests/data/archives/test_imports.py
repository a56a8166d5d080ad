from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import lzma
import shutil
import stat
import struct
import tarfile
import warnings
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.data.archives import imports
from assay.data.archives.imports import Limits, check, import_archive, stem_of, unpack
from assay.data.archives.record import RECORD, ImportRecord, verify
from assay.errors import ArchiveError, AssayError, ChecksumError, ConfigError, FetchError
from assay.types.runtime import Runtime
from tests import archives as wmt

FILES = {"set/sources/en-de.txt": b"one\ntwo\n", "set/système.txt": b"", "set/a/b/c.txt": b"deep" * 5000}


def entry(name: str, kind: bytes = tarfile.REGTYPE, **fields: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def tar(*members: tuple[tarfile.TarInfo | str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for member, data in members:
            info = entry(member) if isinstance(member, str) else member
            if info.isreg():
                info.size = info.size or len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def zipped(*members: tuple[zipfile.ZipInfo | str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about members of the same name
        for member, data in members:
            archive.writestr(member, data)
    return buffer.getvalue()


def zip_entry(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def raw_header(name: bytes, size: int, kind: bytes = b"0") -> bytes:
    """A tar header with any bytes for a name, and a right sum."""
    block = bytearray(entry("x").tobuf(tarfile.USTAR_FORMAT))
    block[0:100] = name.ljust(100, b"\0")
    block[124:136] = b"%011o\0" % size if size >= 0 else b"\xff" * 12
    block[156:157] = kind
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def pax(records: bytes, kind: bytes = b"x") -> bytes:
    return raw_header(b"pax", len(records), kind) + records.ljust(512, b"\0")


def record(key: str, value: str) -> bytes:
    text = f" {key}={value}\n".encode()
    size = len(text) + 1
    while len(str(size)) + len(text) != size:
        size += 1
    return str(size).encode() + text


def patched(data: bytes, old: bytes, new: bytes, count: int = -1) -> bytes:
    assert old in data
    return data.replace(old, new, count)


def directory_field(data: bytes, offset: int, value: bytes) -> bytes:
    """A zip archive whose table of contents says something else about its first member."""
    at = data.index(b"PK\x01\x02") + offset
    return data[:at] + value + data[at + len(value) :]


def hungry(data: bytes) -> bytes:
    """xz data that asks for a dictionary of 4 GB; the block header begins at byte 12 and ends with its CRC-32."""
    end = 12 + (data[12] + 1) * 4 - 4
    header = bytearray(data[12:end])
    assert header[2:4] == b"\x21\x01"  # LZMA2, one byte of properties
    header[4] = 40
    return data[:12] + bytes(header) + struct.pack("<L", zlib.crc32(header)) + data[end + 4 :]


PLAIN = list(FILES.items())
GOOD = {
    "set.tar": tar(*PLAIN),
    "set.tar.gz": gzip.compress(tar(*PLAIN)),
    "set.tgz": gzip.compress(tar((entry("./", tarfile.DIRTYPE), b""), *[(f"./{n}", d) for n, d in PLAIN])),
    "set.tar.xz": lzma.compress(tar(*PLAIN, form=tarfile.GNU_FORMAT)),
    "set.tar.bz2": bz2.compress(tar((entry("set", tarfile.DIRTYPE), b""), *PLAIN)),
    "set.zip": zipped(*PLAIN, ("set/empty/", b"")),
    "set.two streams.tar.gz": gzip.compress(tar(*PLAIN)[:700]) + gzip.compress(tar(*PLAIN)[700:]) + bytes(99),
    "set.two streams.tar.xz": lzma.compress(tar(*PLAIN)[:700]) + lzma.compress(tar(*PLAIN)[700:]) + bytes(4),
    "set.two streams.tar.bz2": bz2.compress(tar(*PLAIN)[:700]) + bz2.compress(tar(*PLAIN)[700:]),
    "set.commented.tar.gz": gzip.compress(pax(record("comment", "0f1e"), b"g") + tar(*PLAIN)),  # as GitHub does
}


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("name", GOOD)
def test_every_kind_of_archive_is_unpacked(tmp_path, name):
    archive = put(tmp_path, name, GOOD[name])
    found = unpack(archive, tmp_path / "out")
    content = tree(found.folder)
    record = json.loads(content.pop(RECORD))
    assert content == FILES
    assert (found.files, found.bytes, found.already_there) == (3, 20_008, False)
    assert (record["archive"], record["sha256"]) == (name, hashlib.sha256(GOOD[name]).hexdigest())
    assert record["files"]["set/sources/en-de.txt"] == {"bytes": 8, "sha256": hashlib.sha256(b"one\ntwo\n").hexdigest()}
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["out", name])
    assert verify(found.folder) == []


def test_long_names_of_both_tar_dialects(tmp_path):
    name = "set/" + "/".join(["folder" * 6] * 5) + "/" + "é" * 100
    for number, form in enumerate((tarfile.PAX_FORMAT, tarfile.GNU_FORMAT)):
        archive = put(tmp_path, f"{number}.tar", tar((name, b"text"), form=form))
        assert (unpack(archive, tmp_path / str(number)).folder / name).read_bytes() == b"text"


def test_import_leaves_out_a_top_folder_of_the_same_name(tmp_path):
    home = tmp_path / "home" / "assay"
    assert set(tree(import_archive(put(tmp_path, "set.tar.gz", GOOD["set.tar.gz"]), home))) == {
        RECORD,
        *(name.removeprefix("set/") for name in FILES),
    }
    assert "set/a/b/c.txt" in tree(import_archive(put(tmp_path, "other.tar.gz", GOOD["set.tar.gz"]), home))
    commit = tar(("repo-0f1e/README", b"x"), ("repo-0f1e/data/y", b"y"))
    repository = import_archive(put(tmp_path, "repo.tar", commit), home)
    assert set(tree(repository)) == {RECORD, "README", "data/y"}
    assert all(verify(home / name) == [] for name in ("set", "other", "repo"))
    assert sorted(p.name for p in home.iterdir()) == ["other", "repo", "set"]


def test_import_goes_to_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "mine"))
    assert import_archive(put(tmp_path, "set.zip", GOOD["set.zip"])) == tmp_path / "mine" / "set"


def test_the_same_import_again_is_left_alone(tmp_path):
    archive = put(tmp_path, "set.tar", GOOD["set.tar"])
    first = unpack(archive, tmp_path / "out")
    (tmp_path / "out" / RECORD).touch()
    again = unpack(archive, tmp_path / "out")
    assert (again.already_there, again.sha256, again.files, again.bytes) == (
        True,
        first.sha256,
        first.files,
        first.bytes,
    )


def test_anything_else_in_the_place_is_refused(tmp_path):
    archive = put(tmp_path, "set.tar", GOOD["set.tar"])
    unpack(put(tmp_path, "other.tar", tar(("x", b"1"))), tmp_path / "out")
    with pytest.raises(FetchError, match=r"from another archive: other\.tar"):
        unpack(archive, tmp_path / "out")
    (tmp_path / "mine").mkdir()
    put(tmp_path / "mine", "notes.txt", b"mine")
    with pytest.raises(FetchError, match="not imported by Assay"):
        unpack(archive, tmp_path / "mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FetchError, match="not imported by Assay"):
        unpack(archive, tmp_path / "link")
    assert tree(tmp_path / "mine") == {"notes.txt": b"mine"}
    assert not (tmp_path / "nowhere").exists()


def test_sums_beside_the_archive_are_held_to(tmp_path):
    archive = put(tmp_path, "set.tar", GOOD["set.tar"])
    right = hashlib.sha256(GOOD["set.tar"]).hexdigest()
    put(tmp_path, "SHA256SUMS", f"{'0' * 64}  other.tar\nnonsense\n{right.upper()} *set.tar\n".encode())
    assert not unpack(archive, tmp_path / "out").already_there
    put(tmp_path, "SHA256SUMS", f"{'0' * 64}  set.tar\n".encode())
    with pytest.raises(ChecksumError, match="SHA256SUMS says 0000"):
        unpack(archive, tmp_path / "new")
    assert not (tmp_path / "new").exists()


SMALL = Limits(members=50, total_bytes=200_000, ratio=50, free_bytes=100_000, path_bytes=200, depth=5)
ONE = tar(("a.txt", b"text"))
ZIP = zipped(("a.txt", b"some text " * 50))
END = bytes(1024)
HOSTILE = {
    "absolute.tar": (tar(("/etc/x", b"1")), "absolute"),
    "parent.tar": (tar(("../x", b"1")), "leads out"),
    "parent inside.tar": (tar(("a/../../x", b"1")), "leads out"),
    "parent in pax.tar": (pax(record("path", "../x")) + tar(("a", b"1")), "leads out"),
    "parent in GNU long name.tar": (raw_header(b"L", 5, b"L") + b"../x\0".ljust(512, b"\0") + ONE, "leads out"),
    "parent in prefix.tar": (tar((entry("a/../" + "b" * 98), b"1"), form=tarfile.USTAR_FORMAT), "leads out"),
    "dot inside.tar": (tar(("a/./x", b"1")), "leads out"),
    "empty part.tar": (tar(("a//x", b"1")), "empty"),
    "file called like a folder.tar": (raw_header(b"a/", 0, b"0") + END, "empty"),
    "drive.tar": (tar(("C:/x", b"1")), "drive"),
    "drive without slash.tar": (tar(("c:x", b"1")), "drive"),
    "backslash.tar": (tar(("..\\x", b"1")), "backslash"),
    "newline.tar": (tar(("a\nb", b"1")), "control"),
    "escape sequence.tar": (tar(("a\x1b[2J", b"1")), "control"),
    "direction.tar": (tar(("a\u202etxt.exe", b"1")), "control"),
    "not UTF-8.tar": (raw_header(b"\xff\xfe", 0) + END, "undecodable bytes"),
    "NUL in header.tar": (raw_header(b"a\0/../x", 0) + END, "NUL"),
    "NUL in pax.tar": (pax(record("path", "a\0b")) + ONE, "control"),
    "device name.tar": (tar(("aux.txt", b"1")), "device"),
    "trailing dot.tar": (tar(("a.", b"1")), "dot or space"),
    "trailing space.tar": (tar(("a /b", b"1")), "dot or space"),
    "own record.tar": (tar((".assay-import.json", b"{}")), "record"),
    "long part.tar": (tar(("é" * 130, b"1")), "too long"),
    "long path.tar": (tar(("/".join(["abcdefgh" * 8] * 4), b"1")), "too long or too deep"),
    "deep path.tar": (tar(("/".join("abcdefg"), b"1")), "too long or too deep"),
    "symbolic link.tar": (tar((entry("l", tarfile.SYMTYPE, linkname="/etc"), b"")), "a symbolic link"),
    "link, then write.tar": (tar((entry("l", tarfile.SYMTYPE, linkname=".."), b""), ("l/x", b"1")), "a symbolic link"),
    "hard link.tar": (tar(("a", b"1"), (entry("l", tarfile.LNKTYPE, linkname="a"), b"")), "a hard link"),
    "device.tar": (tar((entry("d", tarfile.CHRTYPE), b"")), "a device"),
    "block device.tar": (tar((entry("d", tarfile.BLKTYPE), b"")), "a device"),
    "pipe.tar": (tar((entry("p", tarfile.FIFOTYPE), b"")), "a pipe"),
    "sparse.tar": (raw_header(b"s", 0, b"S") + END, "a sparse file"),
    "sparse in pax.tar": (pax(record("GNU.sparse.realsize", "9" * 12)) + ONE, "sparse"),
    "unknown type.tar": (raw_header(b"x", 0, b"Z") + END, "type b'Z'"),
    "a name for all.tar": (pax(record("path", "x"), b"g") + ONE, "for all files"),
    "folder with data.tar": (raw_header(b"d", 4, b"5") + b"data".ljust(512, b"\0") + END, "its header says 0"),
    "twice.tar": (tar(("a", b"1"), ("a", b"2")), "twice"),
    "folder twice.tar": (tar((entry("a", tarfile.DIRTYPE), b""), (entry("a", tarfile.DIRTYPE), b"")), "twice"),
    "case twins.tar": (tar(("Straße", b"1"), ("STRASSE", b"2")), "the same path"),
    "case twins of folders.tar": (tar(("A/x", b"1"), ("a/y", b"2")), "the same path"),
    "normal form twins.tar": (tar(("é", b"1"), ("e\u0301", b"2")), "the same path"),
    "file as folder.tar": (tar(("a", b"1"), ("a/b", b"2")), "the same path"),
    "folder as file.tar": (tar(("a/b", b"1"), ("a", b"2")), "the same path"),
    "many members.tar": (tar(*((f"{k}", b"") for k in range(60))), "more than 50 files"),
    "many folders.tar": (tar(*((f"{k}/{k}/{k}", b"") for k in range(20))), "more than 50 files"),
    "large.tar": (tar(("a", bytes(300_000))), "more than 200 kB"),
    "bomb.tar.gz": (gzip.compress(tar(("a", bytes(30 << 20)))), "it unpacks to more than"),
    "bomb.tar.xz": (lzma.compress(tar(("a", bytes(30 << 20)))), "it unpacks to more than"),
    "bomb.tar.bz2": (bz2.compress(tar(("a", bytes(30 << 20)))), "it unpacks to more than"),
    "bomb.zip": (zipped(("a", bytes(30 << 20))), "it unpacks to more than"),
    "bomb by ratio.tar.gz": (gzip.compress(tar(("a", bytes(150_000)))), "more than 50 times"),
    "bomb behind the end.tar.gz": (gzip.compress(ONE + bytes(30 << 20)), "it unpacks to more than"),
    "huge size, little data.tar": (raw_header(b"a", 8**11 - 1) + b"text".ljust(512, b"\0") + END, "truncated"),
    "huge extension.tar": (raw_header(b"x", 1 << 30, b"x") + END, "an extended header has"),
    "negative size.tar": (raw_header(b"a", -1) + END, "negative"),
    "negative size in pax.tar": (pax(record("size", "-512")) + ONE, "extended header"),
    "nonsense in pax.tar": (pax(b"999999 path=x\n") + ONE, "extended header"),
    "wrong sum of header.tar": (patched(ONE, b"a.txt", b"b.txt"), "checksum"),
    "cut in data.tar": (tar(("a", b"x" * 600))[:800], "truncated"),
    "cut before the end.tar": (ONE[:1024], "truncated"),
    "cut.tar.gz": (gzip.compress(ONE)[:-9], "truncated"),
    "cut sum.tar.gz": (gzip.compress(ONE)[:-4], "truncated"),
    "cut.tar.xz": (lzma.compress(ONE)[:-9], "truncated"),
    "cut.tar.bz2": (bz2.compress(ONE)[:-9], "truncated"),
    "wrong sum.tar.gz": (gzip.compress(ONE)[:-8] + b"\0\0\0\0" + gzip.compress(ONE)[-4:], "damaged"),
    "wrong data.tar.bz2": (bz2.compress(ONE)[:40] + b"\0\0\0\0" + bz2.compress(ONE)[44:], "damaged"),
    "more behind.tar": (ONE + b"more".ljust(512, b"\0"), "unexpected data after the end"),
    "second archive behind.tar": (ONE + tar(("b.txt", b"2")), "unexpected data after the end"),
    "more behind.tar.gz": (gzip.compress(ONE) + b"more", "unexpected data after the compressed"),
    "more behind.tar.xz": (lzma.compress(ONE) + b"more", "unexpected data after the compressed"),
    "more behind.tar.bz2": (bz2.compress(ONE) + b"more", "unexpected data after the compressed"),
    "header for nothing.tar": (pax(record("path", "x")) + END, "has no file"),
    "no file.tar": (tar((entry("a", tarfile.DIRTYPE), b"")), "no file"),
    "no file.zip": (zipped(), "no file"),
    "empty.tar": (b"", "truncated"),
    "web page.tar.gz": (b"\n<!DOCTYPE html><title>Not found</title>", "a web page"),
    "text.tar.gz": (b"a text " * 200, "not an archive"),
    "not tar.tar.gz": (gzip.compress(b"a text " * 200), "damaged"),
    "memory.tar.xz": (hungry(lzma.compress(ONE, preset=1)), "(?i)memory"),
    "parent.zip": (zipped(("../x", b"1")), "leads out"),
    "absolute.zip": (zipped(("/x", b"1")), "absolute"),
    "backslash.zip": (zipped(("..\\x", b"1")), "backslash"),
    "NUL.zip": (patched(zipped(("a+.txt", b"1")), b"a+.txt", b"a\0.txt"), "control"),
    "symbolic link.zip": (zipped((zip_entry("l", stat.S_IFLNK | 0o777), b"/etc")), "neither a file nor a folder"),
    "pipe.zip": (zipped((zip_entry("l", stat.S_IFIFO), b"")), "neither a file nor a folder"),
    "twice.zip": (zipped(("a", b"1"), ("a", b"2")), "twice"),
    "case twins.zip": (zipped(("a", b"1"), ("A", b"2")), "the same path"),
    "encrypted.zip": (directory_field(ZIP, 8, b"\x01"), "encrypted"),
    "other method.zip": (zipped(("a", b"1"), method=zipfile.ZIP_LZMA), "unsupported compression"),
    "Latin name.zip": (patched(zipped(("a+.txt", b"1")), b"a+.txt", b"a\xe9.txt"), "encoding"),
    "wrong sum.zip": (directory_field(ZIP, 16, b"\0\0\0\0"), "damaged"),
    "size too small.zip": (directory_field(ZIP, 24, struct.pack("<L", 9)), "damaged"),
    "size too large.zip": (directory_field(ZIP, 24, struct.pack("<L", 5000)), "its header says 5,000"),
    "other name inside.zip": (patched(ZIP, b"a.txt", b"b.txt", 1), "damaged"),
    "overlap.zip": (directory_field(zipped(("a", b"1"), ("b", b"2")), 20, struct.pack("<L", 40)), "overlap"),
    "more behind.zip": (ZIP + b"more", "unexpected data after the end"),
    "more before.zip": (b"PK\x03\x04more" + ZIP, "before the archive"),
    "cut.zip": (ZIP[:-30], "damaged"),
    "huge table.zip": (ZIP[:-10] + struct.pack("<L", 1 << 30) + ZIP[-6:], "damaged"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_and_damaged_archives(tmp_path, monkeypatch, name):
    data, expected = HOSTILE[name]
    used = []

    def removed(place: Path, **options: object) -> None:
        used.append(sum(len(content) for content in tree(Path(place)).values()))
        remove(place, **options)

    remove = shutil.rmtree
    monkeypatch.setattr(shutil, "rmtree", removed)
    (tmp_path / "home").mkdir()
    archive = put(tmp_path, name, data)
    with pytest.raises(ArchiveError, match=expected) as caught:
        unpack(archive, tmp_path / "home" / "out", limits=SMALL)
    assert str(caught.value).startswith(f"{archive}: ")
    assert {place.name for place in tmp_path.iterdir()} == {name, "home"}
    assert list((tmp_path / "home").iterdir()) == []
    assert max(used) <= SMALL.total_bytes
    with pytest.raises(ArchiveError, match=expected):
        check(archive, limits=SMALL)


def test_there_are_enough_of_them():
    assert len(HOSTILE) >= 32


@pytest.mark.parametrize(
    ("name", "stem"),
    [("wmt22.tar.xz", "wmt22"), ("a.TGZ", "a"), ("wmt21.news.tar.xz", "wmt21.news"), ("x.zip", "x"), ("x.tar", "x")],
)
def test_stems(name, stem):
    assert stem_of(name) == stem


@pytest.mark.parametrize("name", ["x.rar", "x", ".tar.gz", "..tar.gz", "...tgz", "con.zip", "a\nb.zip", "x.tar.zst"])
def test_names_that_no_import_can_have(name):
    with pytest.raises(ConfigError):
        stem_of(name)


def test_what_is_not_there(tmp_path):
    with pytest.raises(FetchError, match="no such file"):
        unpack(tmp_path / "none.tar", tmp_path / "out")
    with pytest.raises(FetchError, match="not a file"):
        unpack(tmp_path, tmp_path / "out")
    with pytest.raises(FetchError, match="no such file"):
        check(tmp_path / "none.tar")


def test_a_place_that_cannot_be_written_to(tmp_path):
    archive = put(tmp_path, "set.tar", GOOD["set.tar"])
    with pytest.raises(FetchError, match=r"cannot be written: (not a directory|file exists)") as caught:
        import_archive(archive, archive / "home")
    assert "ASSAY_HOME" in str(caught.value)


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    class Full(io.BytesIO):
        def write(self, data: object) -> int:
            raise OSError(28, "No space left on device")

    archive = put(tmp_path, "set.tar", GOOD["set.tar"])
    opened = Path.open
    monkeypatch.setattr(Path, "open", lambda path, mode="r": Full() if mode == "xb" else opened(path, mode))
    with pytest.raises(FetchError, match="no space left on device") as caught:
        unpack(archive, tmp_path / "out")
    assert "free some space" in str(caught.value)
    assert list(tmp_path.iterdir()) == [archive]


def test_an_interrupted_import_leaves_nothing_behind(tmp_path):
    def interrupt(what: str, done: int, total: int) -> None:
        if what.startswith("unpacking"):
            raise KeyboardInterrupt

    archive = put(tmp_path, "set.tar", tar(("a", bytes(3 << 20))))
    with pytest.raises(KeyboardInterrupt):
        unpack(archive, tmp_path / "out", runtime=Runtime(progress=interrupt))
    assert list(tmp_path.iterdir()) == [archive]


def test_another_import_may_be_faster(tmp_path, monkeypatch):
    archive = put(tmp_path, "set.tar", GOOD["set.tar"])
    record = imports.write_record

    def faster(place: Path, found: ImportRecord) -> None:
        monkeypatch.setattr(imports, "write_record", record)
        unpack(archive, tmp_path / "out")
        record(place, found)

    monkeypatch.setattr(imports, "write_record", faster)
    assert unpack(archive, tmp_path / "out").already_there
    assert verify(tmp_path / "out") == []
    assert {p.name for p in tmp_path.iterdir()} == {"set.tar", "out"}


def test_progress_goes_up_to_the_size_of_the_archive(tmp_path):
    told = []
    archive = put(tmp_path, "set.tar", tar(("a", bytes(5 << 20))))
    unpack(archive, tmp_path / "out", runtime=Runtime(progress=lambda *step: told.append(step)))
    assert {what for what, _, _ in told} == {"checking set.tar", "unpacking set.tar"}
    assert all(0 <= done <= total == archive.stat().st_size for _, done, total in told)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["set.tar", "set.tar.gz", "set.tar.xz", "set.tar.bz2", "set.zip"]), st.data())
def test_mutations_end_in_an_error_or_a_whole_folder(tmp_path_factory, name, data):
    content = bytearray(GOOD[name])
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content))) :]
    place = tmp_path_factory.mktemp("fuzz")
    try:
        found = unpack(put(place, name, bytes(content)), place / "out", limits=SMALL)
    except AssayError:
        assert [p.name for p in place.iterdir()] == [name]
    else:
        assert verify(found.folder) == []
    shutil.rmtree(place)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([b"", b"PK\x03\x04", b"\x1f\x8b\x08\0", b"BZh9", b"\xfd7zXZ\0"]), st.binary(max_size=600))
def test_any_bytes_end_in_an_error(tmp_path_factory, start, rest):
    place = tmp_path_factory.mktemp("fuzz")
    with pytest.raises(ArchiveError):
        check(put(place, "any.tar", start + rest))
    shutil.rmtree(place)


@pytest.mark.skipif(wmt.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives")
def test_the_wmt_archives_are_imported(tmp_path):
    for name in ("wmt15", "wmt21.tedtalks"):
        place = import_archive(wmt.folder() / f"{name}.tar.xz", tmp_path)
        assert place == tmp_path / name
        assert verify(place) == []
        (place / RECORD).unlink()
        assert tree(place) == tree(wmt.unpacked(name))

"""Archives that `assay data import` must not unpack; each leaves the data folder as it was."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import stat
import tarfile
import zipfile
from collections.abc import Callable
from typing import Any

from tests.badinputs.case import IMPORT, Case

_MEMBERS = {"wmt/sources/en-de.txt": b"one\n", "wmt/system-outputs/en-de/a.txt": b"ein\n"}
_NEW = ("", "/.assay-import.json", "/sources", "/sources/en-de.txt", "/system-outputs", "/system-outputs/en-de")
_IMPORTED = tuple(f"home/wmt{name}" for name in (*_NEW, "/system-outputs/en-de/a.txt"))
_BOMB = 17 << 20  # bytes of which 16 MiB may come out of anything


def _tar(name: str = "", data: bytes = b"", **header: Any) -> bytes:
    """A tar archive of the usual files and one more."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path, content in (*_MEMBERS.items(), *([(name, data)] if name else [])):
            info = tarfile.TarInfo(path)
            info.size = len(content)
            for key, value in header.items() if path == name else ():
                setattr(info, key, value)
            archive.addfile(info, io.BytesIO(content) if info.isreg() else None)
    return buffer.getvalue()


def _zip(name: str = "", data: bytes = b"", mode: int = stat.S_IFREG | 0o644) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in (*_MEMBERS.items(), *([(name, data)] if name else [])):
            info = zipfile.ZipInfo(path)
            info.external_attr = (mode if path == name else stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _gz(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def _encrypted() -> bytes:
    """Two bits say so, in the header of a member and in the table of contents."""
    raw = bytearray(_zip())
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    return bytes(raw)


def _import(name: str, make: Callable[[], bytes], file: str = "wmt.tar.gz", **rest: Any) -> Case:
    """An archive, where there is a data folder already."""
    known: dict[str, Any] = {"makes": lambda: {file: make()}, "arguments": (file,), "folders": ("home",)}
    return Case(name=name, family="archives", command=IMPORT, **known | rest)


def _refused(name: str, make: Callable[[], bytes], what: str, file: str = "wmt.tar.gz", **rest: Any) -> Case:
    return _import(name, make, file, **{"code": 3, "says": (f"error: {file}: {what}", "hint: nothing was unp")} | rest)


def _in_the_way(name: str, what: str, **files: bytes) -> Case:
    there = {f"home/{path}": content for path, content in files.items()}
    return _import(name, lambda: _gz(_tar()), files=there, folders=(), code=3, says=(f"error: home/wmt: {what}",))


def _record(sha256: str, archive: str = "wmt.tar.gz") -> bytes:
    tree = {"kind": "assay import", "version": 1, "archive": archive, "sha256": sha256, "files": {}}
    return json.dumps(tree).encode()


_GOOD_DIGEST = hashlib.sha256(_gz(_tar())).hexdigest()

CASES = (
    _import("good", lambda: _gz(_tar()), shows=("home/wmt\n",), writes=_IMPORTED),
    _import("good zip", _zip, "wmt.zip", shows=("home/wmt\n",), writes=_IMPORTED),
    _import("zip by another name", _zip, shows=("home/wmt\n",), writes=_IMPORTED),
    *(
        _refused(name, lambda path=path: _gz(_tar(path)), f"refused: unsafe name '{shown}': {flaw}")
        for name, path, shown, flaw in (
            ("absolute path", "/etc/evil", "/etc/evil", "it is an absolute path"),
            ("path that leads out", "wmt/../../evil", "wmt/../../evil", "it leads out of its folder"),
            ("path with a backslash", "wmt\\..\\evil", "wmt\\..\\evil", "it has a backslash"),
            ("drive", "C:/evil", "C:/evil", "it starts with a drive letter"),
            ("escape sequence in a path", "wmt/\x1b[2J", r"wmt/\x1b[2J", "it has control characters"),
            ("name of a device", "wmt/CON.txt", "wmt/CON.txt", "it is a device name"),
            ("record of our own", "wmt/.assay-import.json", "wmt/.assay-import.json", "it is reserved for Assay's own"),
            ("path of 20 levels", "/".join("d" * 20), "/".join("d" * 20), "it is too long or too deep"),
        )
    ),
    *(
        _refused(
            name, lambda kind=kind: _gz(_tar("wmt/x", type=kind, linkname="/etc/passwd")), f"refused: 'wmt/x' is {what}"
        )
        for name, kind, what in (
            ("symbolic link", tarfile.SYMTYPE, "a symbolic link"),
            ("hard link", tarfile.LNKTYPE, "a hard link"),
            ("device", tarfile.CHRTYPE, "a device"),
            ("pipe", tarfile.FIFOTYPE, "a pipe"),
        )
    ),
    _refused(
        "link in a zip", lambda: _zip("wmt/x", b"/etc/passwd", stat.S_IFLNK | 0o777), "refused: 'wmt/x' is", "wmt.zip"
    ),
    _refused("path that leads out of a zip", lambda: _zip("../evil"), "refused: unsafe name '../evil'", "wmt.zip"),
    _refused("encrypted zip", _encrypted, "refused: 'wmt/sources/en-de.txt' is encrypted", "wmt.zip"),
    _refused("names that differ in case", lambda: _gz(_tar("WMT/x")), "refused: 'WMT' and 'wmt' are the same path"),
    _refused("bomb", lambda: _gz(_tar("wmt/x", bytes(_BOMB))), "refused: it unpacks to more than 200 times"),
    _refused(
        "bomb in a zip", lambda: _zip("wmt/x", bytes(_BOMB)), "refused: it unpacks to more than 200 times", "wmt.zip"
    ),
    _refused("empty", bytes, "corrupt: not an archive: the file is empty"),
    _refused("web page", lambda: b"<html>404</html>", "corrupt: not an archive but a web page"),
    _refused("truncated gzip", lambda: _gz(_tar())[:-30], "corrupt: the compressed data is truncated"),
    _refused("truncated tar", lambda: _gz(_tar()[:700]), "corrupt: the archive is truncated"),
    _refused("truncated zip", lambda: _zip()[:-10], "corrupt: ", "wmt.zip"),
    _refused("gzip and more", lambda: _gz(_tar()) + b"more", "corrupt: unexpected data after the compressed stream"),
    _refused("something before a zip", lambda: b"more" + _zip(), "corrupt: not an archive", "wmt.zip"),
    _import("nothing in it", lambda: _gz(bytes(1024)), code=3, says=("error: wmt.tar.gz: contains no files",)),
    _import("not there", bytes, makes=dict, code=3, says=("error: wmt.tar.gz: no such file or directory",)),
    _import(
        "a folder", bytes, makes=dict, folders=("home", "wmt.tar.gz"), code=3, says=("error: wmt.tar.gz: not a file",)
    ),
    _import(
        "suffix of no archive",
        lambda: _gz(_tar()),
        "wmt.7z",
        code=2,
        says=("error: unsupported archive extension: wmt.7z",),
    ),
    _import(
        "device as its name",
        lambda: _gz(_tar()),
        "con.tar.gz",
        code=2,
        says=("error: unsafe archive name 'con.tar.gz'",),
    ),
    _import(
        "no name but a suffix", lambda: _gz(_tar()), "..tar.gz", code=2, says=("error: unsafe archive name '..tar.gz'",)
    ),
    _import(
        "another digest than SHA256SUMS says",
        lambda: _gz(_tar()),
        files={"SHA256SUMS": b"0" * 64 + b"  wmt.tar.gz\n"},
        code=3,
        says=("error: wmt.tar.gz: the SHA-256 is ", "but SHA256SUMS says 0000"),
    ),
    _import(
        "no data folder before or after",
        bytes,
        folders=(),
        code=3,
        says=("error: wmt.tar.gz: corrupt: ",),
    ),
    _in_the_way("folder in the way", "already exists and was not imported by Assay", **{"wmt/mine.txt": b"mine"}),
    _in_the_way("file in the way", "already exists and was not imported by Assay", wmt=b"mine"),
    _in_the_way("record that is none", "already exists and was not", **{"wmt/.assay-import.json": b'{"kind": [' * 99}),
    _in_the_way(
        "another archive was there first",
        r"already exists, imported from another archive: \x1b[2J, SHA-256 0000",
        **{"wmt/.assay-import.json": _record("0" * 64, "\x1b[2J")},
    ),
    _import(
        "the same again changes nothing",
        lambda: _gz(_tar()),
        folders=(),
        files={"home/wmt/.assay-import.json": _record(_GOOD_DIGEST)},
        shows=("home/wmt\n",),
    ),
    _import(
        "file in place of the data folder",
        lambda: _gz(_tar()),
        folders=(),
        files={"home": b"mine"},
        code=3,
        says=("error: home/wmt: cannot be written: ", "hint: use a folder you can write to: ASSAY_HOME"),
    ),
)

"""Bytes that are not UTF-8 text, and some that only look odd."""

from __future__ import annotations

import functools
import gzip

from tests.badinputs.case import GOOD, JSON, LINES, Case, text

_case = functools.partial(Case, family="encodings")
_refused = functools.partial(_case, code=3)
_PACKED = gzip.compress(GOOD, mtime=0)
_MARK = b"\xef\xbb\xbf"
_GZ = ("--ref", "ref.txt", "out.txt.gz", *JSON)
_RUSSIAN = text("Кошка сидела на коврике.", "Никто не сказал ей про собаку.", encoding="utf-16-le")


def _at_line_2(raw: bytes) -> dict[str, bytes]:
    """An output with some bytes in place of the 7 of `Nobody `."""
    return {"out.txt": GOOD.replace(b"Nobody ", raw)}


def _wide(encoding: str, mark: str = "") -> dict[str, bytes]:
    return {"out.txt": (mark + GOOD.decode()).encode(encoding)}


CASES = (
    _refused(
        name="bad first byte",
        files={"out.txt": b"\xff" + GOOD},
        says=("error: out.txt, line 1: byte 1 of the line (0xFF) is not UTF-8", "hint: if it is Latin-1, convert it"),
    ),
    _refused(
        name="bad byte inside",
        files=_at_line_2(b"Nob\xfedy "),
        says=("out.txt, line 2: byte 4 of the line (0xFE) is not UTF-8",),
    ),
    _refused(
        name="bad last byte",
        files={"out.txt": GOOD[:-1] + b"\x80"},
        says=("out.txt, line 4: byte 44 of the line (0x80) is not UTF-8",),
    ),
    _refused(
        name="cut inside the last character",
        files={"out.txt": GOOD[:-1] + "語".encode()[:2]},
        says=("out.txt, line 4: byte 44", "the file ends in the middle of a character", "hint: the file is truncated"),
    ),
    _refused(name="overlong form", files=_at_line_2(b"\xc0\xaf"), says=("out.txt, line 2: byte 1 of the line (0xC0)",)),
    _refused(name="overlong NUL", files=_at_line_2(b"x\xc0\x80"), says=("out.txt, line 2: byte 2 of the line (0xC0)",)),
    _refused(
        name="high surrogate",
        files=_at_line_2(b"\xed\xa0\x80"),
        says=("out.txt, line 2: byte 1 of the line (0xED)", "a lone surrogate", "CESU-8"),
    ),
    _refused(
        name="surrogate pair",
        files=_at_line_2(b"ab\xed\xa0\xbd\xed\xb8\x80"),
        says=("out.txt, line 2: byte 3 of the line (0xED)", "a lone surrogate"),
    ),
    _refused(
        name="beyond U+10FFFF", files=_at_line_2(b"\xf4\x90\x80\x80"), says=("line 2: byte 1 of the line (0xF4)",)
    ),
    _refused(name="five-byte form", files=_at_line_2(b"\xf8\x88\x80\x80\x80"), says=("line 2: byte 1", "(0xF8)")),
    _refused(
        name="Latin-1",
        files={"out.txt": text(*LINES[:2], "Schön für Zoë", LINES[3], encoding="latin-1")},
        says=("out.txt, line 3: byte 4 of the line (0xF6)", "iconv -f ISO-8859-1 -t UTF-8 < out.txt > NEW-FILE"),
    ),
    _refused(
        name="Latin-1 reference with a space in its name",
        files={"the ref.txt": text("Schön", encoding="latin-1")},
        arguments=("--ref", "the ref.txt", "out.txt"),
        says=("error: the ref.txt, line 1: byte 4", "iconv -f ISO-8859-1 -t UTF-8 < 'the ref.txt' > NEW-FILE"),
    ),
    _refused(
        name="Latin-1 on standard input",
        stdin=text("Schön", encoding="latin-1"),
        arguments=("--ref", "ref.txt", "-"),
        says=("error: standard input, line 1: byte 4", "… | iconv -f ISO-8859-1 -t UTF-8 | assay"),
    ),
    _refused(name="Shift-JIS", files={"out.txt": text("猫が座る", encoding="shift-jis")}, says=("out.txt, line 1",)),
    *(
        _refused(
            name=f"{encoding}{order} with a mark",
            files=_wide(f"{encoding}-{order}", "\ufeff"),
            says=(
                f"error: out.txt: looks like {encoding}, not UTF-8",
                f"hint: convert it: iconv -f {encoding} -t UTF-8 < out.txt > NEW-FILE",
            ),
        )
        for encoding in ("UTF-16", "UTF-32")
        for order in ("LE", "BE")
    ),
    *(
        _refused(
            name=f"{encoding} without a mark",
            files=_wide(encoding),
            says=(f"error: out.txt: looks like {encoding}, not UTF-8", f"iconv -f {encoding} -t UTF-8 < out.txt"),
        )
        for encoding in ("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")
    ),
    _refused(name="Russian UTF-16LE without a mark", files={"out.txt": _RUSSIAN}, says=("looks like UTF-16LE",)),
    _refused(
        name="UTF-16 on standard input",
        stdin=GOOD.decode().encode("utf-16"),
        arguments=("--ref", "ref.txt", "-"),
        says=("error: standard input: looks like UTF-16", "… | iconv -f UTF-16 -t UTF-8 | assay"),
    ),
    _case(
        name="byte order mark",
        files={"out.txt": _MARK + GOOD},
        bleu=100.0,
        says=("note: out.txt: removed a byte order mark",),
    ),
    _case(
        name="byte order mark in the reference",
        files={"ref.txt": _MARK + GOOD},
        bleu=100.0,
        says=("note: ref.txt: removed a byte order mark",),
    ),
    _case(
        name="byte order mark inside is content",
        files=_at_line_2(_MARK + b"Nobody "),
        bleu=97.00562137356246,  # sacreBLEU 2.6.0
        hides=("byte order mark",),
    ),
    _refused(name="nothing but a mark", files={"out.txt": _MARK}, says=("error: out.txt has no segments",)),
    _refused(
        name="NUL",
        files=_at_line_2(b"Nob\0dy "),
        says=("out.txt, line 2: byte 4 of the line is NUL", "NUL bytes in the file: 1", r"tr -d '\000' < out.txt"),
    ),
    _refused(
        name="nothing but NUL",
        files={"out.txt": bytes(1000)},
        says=("error: out.txt, line 1: byte 1 of the line is NUL", "in the file: 1,000"),
    ),
    _refused(
        name="NUL in the reference",
        files={"ref.txt": GOOD + b"\0"},
        says=("ref.txt, line 5: byte 1 of the line is NUL",),
    ),
    _refused(
        name="NUL among the documents",
        files={"documents.txt": b"a\na\n\0\nb\n"},
        arguments=("--ref", "ref.txt", "out.txt", "--documents", "documents.txt", "--by", "document"),
        says=("documents.txt, line 3: byte 1 of the line is NUL",),
    ),
    _refused(
        name="gzip under a plain name",
        files={"out.txt": _PACKED},
        says=(
            "out.txt: looks like gzip-compressed data, not text",
            "rename it to end in .gz",
            "gunzip -c < out.txt",
        ),
    ),
    _refused(
        name="plain text under a gzip name",
        files={"out.txt.gz": GOOD},
        arguments=_GZ,
        says=("error: out.txt.gz: not gzip-compressed, although its name ends in .gz", "hint: rename it"),
    ),
    *(
        _refused(
            name=f"gzip cut to {size} bytes",
            files={"out.txt.gz": _PACKED[:size]},
            arguments=_GZ,
            says=("error: out.txt.gz: not a complete gzip file: the compressed data is truncated", "truncated"),
        )
        for size in (2, 12, len(_PACKED) - 3)
    ),
    _refused(
        name="gzip with something after it",
        files={"out.txt.gz": _PACKED + b"garbage"},
        arguments=_GZ,
        says=("out.txt.gz: not a complete gzip file: unexpected data after its end",),
    ),
    _refused(
        name="gzip with a wrong checksum",
        files={"out.txt.gz": _PACKED[:-8] + bytes(4) + _PACKED[-4:]},
        arguments=_GZ,
        says=("out.txt.gz: not a complete gzip file: the compressed data is corrupt",),
    ),
    _refused(
        name="gzip with damaged data",
        files={"out.txt.gz": _PACKED[:10] + b"\xff" * 20 + _PACKED[30:]},
        arguments=_GZ,
        says=("out.txt.gz: not a complete gzip file: the compressed data is corrupt",),
    ),
    _refused(
        name="bad byte inside gzip",
        files={"out.txt.gz": gzip.compress(b"good\nb\xffd\n")},
        arguments=_GZ,
        says=("out.txt.gz, line 2: byte 2 of the line (0xFF) is not UTF-8",),
    ),
    _refused(
        name="gzip in gzip",
        files={"out.txt.gz": gzip.compress(_PACKED)},
        arguments=_GZ,
        says=("out.txt.gz: looks like gzip-compressed data, not text",),
    ),
    _refused(
        name="empty file under a gzip name",
        files={"out.txt.gz": b""},
        arguments=_GZ,
        says=("error: out.txt.gz has no segments",),
    ),
    _case(name="gzip", files={"out.txt.gz": _PACKED}, arguments=_GZ, bleu=100.0, segments=4),
    _case(
        name="several gzip members",
        files={"out.txt.gz": gzip.compress(GOOD[:50]) + gzip.compress(GOOD[50:])},
        arguments=_GZ,
        bleu=100.0,
        segments=4,
    ),
    *(
        _refused(name=what, files={"out.txt": start + bytes(range(256))}, says=(f"out.txt: looks like {what}",))
        for what, start in {
            "xz-compressed data": b"\xfd7zXZ\x00",
            "zstd-compressed data": b"\x28\xb5\x2f\xfd",
            "bzip2-compressed data": b"BZh9",
            "a zip archive": b"PK\x03\x04",
            "a Word document": b"PK\x03\x04word/",
            "an Excel workbook": b"PK\x03\x04xl/",
            "a PDF": b"%PDF-1.7",
            "a PNG image": b"\x89PNG\r\n\x1a\n",
            "a JPEG image": b"\xff\xd8\xff\xe0",
            "a Parquet file": b"PAR1",
            "a NumPy array": b"\x93NUMPY",
            "a Python pickle": b"\x80\x04",
            "an SQLite database": b"SQLite format 3\0",
            "binary data, not text": b"",
        }.items()
    ),
)

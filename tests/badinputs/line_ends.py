"""Where lines end, how many there are, and how long they may be."""

from __future__ import annotations

import functools

from tests.badinputs.case import FILES, GOOD, JSON, LINES, Case, Process, text

_case = functools.partial(Case, family="lines")
_refused = functools.partial(_case, code=3)
_WRITTEN = {"CR": "\r", "U+0085": "\x85", "U+2028": "\u2028", "U+2029": "\u2029", "VT": "\v", "FF": "\f", "FS": "\x1c"}
_LONG_LINE = text("the cat sat on the mat and slept, " * 300_000)  # 10.2 MB
_MANY_LINES = GOOD * 25_000


CASES = (
    _case(
        name="CR LF",
        files={"out.txt": text(*LINES, end="\r\n")},
        bleu=100.0,
        segments=4,
        says=("note: out.txt: removed carriage returns at the end of 4 of 4 lines",),
    ),
    _case(
        name="CR LF and LF",
        files={"ref.txt": text(*LINES[:2], end="\r\n") + text(*LINES[2:])},
        bleu=100.0,
        segments=4,
        says=("note: ref.txt: removed carriage returns at the end of 2 of 4 lines",),
    ),
    _case(
        name="CR LF after a byte order mark",
        files={"out.txt": b"\xef\xbb\xbf" + text(*LINES, end="\r\n")},
        bleu=100.0,
        says=("out.txt: removed a byte order mark", "out.txt: removed carriage returns"),
    ),
    _case(name="CR CR LF", files={"out.txt": text(*LINES, end="\r\r\n")}, bleu=100.0, segments=4),
    *(
        _case(
            name=f"{name} is content",
            files={"out.txt": GOOD.replace(b" on ", f" on{character}".encode())},
            bleu=100.0,  # white space is white space to the tokeniser
            segments=4,
            hides=("note:", "warning:"),
        )
        for name, character in _WRITTEN.items()
    ),
    _refused(
        name="CR only",
        files={"out.txt": text(*LINES, end="\r")},
        says=("out.txt has 1 segment, ref.txt has 4", "out.txt contains CR 3 times, and only LF ends a line"),
    ),
    _refused(
        name="U+2028 for a line end",
        files={"out.txt": GOOD.replace(b"\nShe", "\u2028She".encode())},
        says=("out.txt has 3 segments, ref.txt has 4", "out.txt contains U+2028 once, and only LF ends a line"),
    ),
    _refused(name="LF CR", files={"out.txt": text(*LINES, end="\n\r")}, says=("the last line of out.txt is blank",)),
    _case(name="no final line end", files={"out.txt": GOOD[:-1]}, bleu=100.0, segments=4),
    _refused(
        name="blank last line",
        files={"out.txt": GOOD + b"\n"},
        says=("ref.txt has 4 segments, out.txt has 5: the last line of out.txt is blank", "hint: "),
    ),
    _refused(
        name="blank last lines of a reference",
        files={"ref.txt": GOOD + b"\n \r\n"},
        says=("out.txt has 4 segments, ref.txt has 6: the last 2 lines of ref.txt are blank",),
    ),
    _refused(
        name="blank last line of one of three",
        files={"new.txt": GOOD + b"\n"},
        arguments=(*FILES, "new.txt"),
        says=("new.txt has 5 segments, out.txt has 4: the last line of new.txt is blank",),
    ),
    _case(name="nothing but line ends", files={"out.txt": b"\n\n\n\n"}, bleu=0.0, segments=4),
    _refused(
        name="too many line ends and nothing else",
        files={"out.txt": b"\n" * 9},
        says=("ref.txt has 4 segments, out.txt has 9: the last 5 lines of out.txt are blank",),
    ),
    _case(name="spaces at line ends", files={"out.txt": text(*LINES, end="  \n")}, bleu=100.0, segments=4),
    _case(name="spaces and tabs for spaces", files={"out.txt": GOOD.replace(b" ", b" \t  ")}, bleu=100.0, segments=4),
    _case(
        name="no-break spaces",
        files={"out.txt": GOOD.replace(b" ", "\u00a0".encode())},
        bleu=100.0,
        segments=4,
    ),
    _case(
        name="a line of 10 MB",
        files={"ref.txt": _LONG_LINE, "out.txt": _LONG_LINE},
        process=Process(max_seconds=5.0, max_megabytes=400.0),
        bleu=100.0,
        segments=1,
    ),
    _case(
        name="a line of 10 MB and four of a reference",
        files={"out.txt": _LONG_LINE},
        process=Process(max_seconds=5.0, max_megabytes=150.0),
        code=3,
        says=("out.txt has 1 segment, ref.txt has 4",),
    ),
    _case(
        name="a bad byte after 10 MB",
        files={"out.txt": _LONG_LINE[:-1] + b"\xff\n"},
        code=3,
        says=("out.txt, line 1: byte 10,200,001 of the line (0xFF) is not UTF-8",),
    ),
    _case(
        name="100,000 lines",
        files={"ref.txt": _MANY_LINES, "out.txt": _MANY_LINES},
        process=Process(max_seconds=5.0, max_megabytes=250.0),
        bleu=100.0,
        segments=100_000,
    ),
    _refused(
        name="100,000 lines without the first",
        files={"ref.txt": _MANY_LINES, "out.txt": _MANY_LINES[len(LINES[0]) + 1 :]},
        says=("out.txt has 99,999 segments, ref.txt has 100,000",),
    ),
    _case(
        name="no line end at all",
        files={"ref.txt": LINES[0].encode(), "out.txt": LINES[0].encode()},
        arguments=(*FILES, *JSON),
        bleu=100.0,
        segments=1,
    ),
)

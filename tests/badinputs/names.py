"""Names of systems and references."""

from __future__ import annotations

import functools

from tests.badinputs.case import FILES, GOOD, JSON, Case, Process

_case = functools.partial(Case, family="names")
_refused = functools.partial(_case, code=2)
_REF = ("--ref", "ref.txt")
_BASE = "base=out.txt"


def _named(*names: str) -> tuple[str, ...]:
    return (*_REF, *(f"--sys={name}=out.txt" for name in names), *JSON)


def _as(form: str, name: str) -> tuple[str, ...]:
    return (*_REF, f"--sys={name}=out.txt", "--format", form, "--resamples", "10")


CASES = (
    _refused(
        name="twice the same file",
        arguments=(*FILES, "out.txt"),
        says=("error: two systems are called 'out': out.txt and out.txt", "hint: give them different names: NAME=FILE"),
    ),
    _refused(
        name="same stem",
        files={"x/out.txt": GOOD},
        arguments=(*_REF, "out.txt", "x/out.txt"),
        says=("error: two systems are called 'out': out.txt and x/out.txt",),
    ),
    _refused(name="same name", arguments=_named("base", "base"), says=("error: two systems are called 'base'",)),
    _refused(
        name="same name of references",
        arguments=("--ref", "a=ref.txt", "--ref", "a=out.txt", "out.txt"),
        says=("error: two references are called 'a': ref.txt and out.txt",),
    ),
    _refused(
        name="composed and decomposed",
        arguments=_named("Zoe\u0308", "Zo\u00eb"),
        says=("error: two systems are called 'Zoë'", "different code points"),
    ),
    _refused(
        name="other spaces",
        arguments=_named("base", "base "),
        says=("error: two systems are called 'base ' (the other is 'base', with other spaces)",),
    ),
    _case(name="case twins are two", arguments=_named("base", "Base"), shows=('"base"', '"Base"'), bleu=100.0),
    _refused(name="empty", arguments=_named(""), says=("error: a system has no name",)),
    _refused(name="only spaces", arguments=_named("  "), says=("error: a system has no name",)),
    _refused(
        name="empty name of a reference",
        arguments=("--ref", "=ref.txt", "out.txt"),
        says=("error: a reference has no name",),
    ),
    *(
        _refused(
            name=what,
            arguments=_named(name),
            says=(f"error: {shown} cannot be the name of a system", "hint: give it another name: NAME=FILE"),
        )
        for what, name, shown in (
            ("parent folder", "..", "'..'"),
            ("this folder", ".", "'.'"),
            ("path", "../../x", "'../../x'"),
            ("absolute path", "/etc/passwd", "'/etc/passwd'"),
            ("backslash", "a\\b", r"'a\\b'"),
            ("drive", "C:\\x", r"'C:\\x'"),
            ("line feed", "a\nb", r"'a\nb'"),
            ("carriage return", "a\rb", r"'a\rb'"),
            ("tab", "a\tb", r"'a\tb'"),
            ("escape sequence", "\x1b[31mred", r"'\x1b[31mred'"),
            ("direction override", "base\u202etxt", r"'base\u202etxt'"),
            ("direction isolate", "\u2066base", r"'\u2066base'"),
            ("zero width space", "ba\u200bse", r"'ba\u200bse'"),
            ("line separator", "a\u2028b", r"'a\u2028b'"),
            ("byte order mark", "\ufeffbase", r"'\ufeffbase'"),
            ("stray byte", "a\udcff", r"'a\udcff'"),
            ("201 bytes", "é" * 100 + "e", "'" + "é" * 100 + "e'"),
        )
    ),
    _refused(
        name="300 bytes",
        arguments=_named("x" * 300),
        says=("cannot be the name of a system: it is too long, with more than 200 bytes",),
    ),
    _case(name="200 bytes", arguments=_named("é" * 100), shows=("é" * 100,), bleu=100.0),
    *(
        _case(name=f"reserved word {name}", arguments=_named(name), shows=(f'"{name}"',), bleu=100.0)
        for name in ("CON", "NUL", "nan", "null", "__proto__", "constructor", "system", "corpus")
    ),
    _case(name="leading dash", arguments=_named("-o"), shows=('"-o"',), bleu=100.0),
    _case(name="leading dot", arguments=_named(".hidden"), shows=('".hidden"',), bleu=100.0),
    _case(name="other scripts", arguments=_named("基线", "база", "خط"), shows=('"基线"', '"база"', '"خط"'), bleu=100.0),
    _case(
        name="HTML in Markdown",
        arguments=_as("md", "<img onerror>"),
        shows=(r"\<img onerror\>",),
        hides=("| <img",),
    ),
    _case(name="HTML in JSON", arguments=_named("<script>"), shows=('"<script>"',), bleu=100.0),
    _case(name="table mark-up in Markdown", arguments=_as("md", "a|b`c`"), shows=(r"| a\|b\`c\` |",)),
    _case(name="commands in LaTeX", arguments=_as("latex", "a_b & 50%{}$#"), shows=(r"a\_b \& 50\%\{\}\$\#",)),
    *(
        _case(
            name=f"formula {start} in CSV",
            arguments=_as("csv", f"{start}cmd|' C'!A0"),
            shows=(f"\n'{start}cmd|' C'!A0,",),
            hides=(f"\n{start}cmd",),
        )
        for start in ("+", "-", "@", "＠")
    ),
    _case(
        name="formula = in CSV",
        files={"=1+1.txt": GOOD},
        arguments=(*_REF, "=1+1.txt", "--format", "csv"),
        shows=("\n'=1+1,",),
        hides=("\n=1",),
    ),
    _case(name="quotes in CSV", arguments=_as("csv", 'a"b,c'), shows=('\n"a""b,c",',)),
    _case(
        name="equals sign in a file name",
        files={"a=b.txt": GOOD},
        arguments=(*_REF, "a=b.txt", *JSON),
        shows=('"a=b"',),
        bleu=100.0,
    ),
    _case(
        name="line feed in a path",
        code=3,
        files={"a\nb.txt": b"\xff\n"},
        arguments=(*_REF, "--sys", "base=a\nb.txt"),
        says=(r"error: a\nb.txt, line 1: byte 1",),
    ),
    _case(
        name="escape sequence in a path",
        code=3,
        files={"\x1b[2J.txt": b""},
        arguments=(*_REF, "--sys", "base=\x1b[2J.txt"),
        says=(r"error: \x1b[2J.txt has no segments",),
        hides=("\x1b",),
    ),
    _case(
        name="stray byte in a path",
        files={"a\udcff.txt": b"\xef\xbb\xbf" + GOOD},
        arguments=(*_REF, "--sys", "base=a\udcff.txt", *JSON),
        process=Process(),
        says=(r"note: a\udcff.txt: removed a byte order mark",),
        bleu=100.0,
    ),
    _case(
        name="NUL in a path",
        code=3,
        arguments=(*_REF, "a\0b.txt"),
        says=(r"error: a\x00b.txt: embedded null byte",),
    ),
)

"""Columns that do not belong together, and files that are not there."""

from __future__ import annotations

import functools

from tests.badinputs.case import FILES, GOOD, JSON, LINES, Case, Process, text

_case = functools.partial(Case, family="alignment")
_refused = functools.partial(_case, code=3)
_SHORT = text(*LINES[:1], *LINES[2:])
_LONG = text(*LINES[:2], "Something else was written here.", *LINES[2:])
_MANY = (*LINES, "Cats sleep all day.", "The river rose again.", "Who knows?", "An old song about bread.")
_ASK = "hint: all columns need one text per segment, in the same order; nothing was scored"


CASES = (
    _refused(
        name="one line short",
        files={"out.txt": _SHORT},
        says=(
            "error: out.txt has 3 segments, ref.txt has 4: "
            "the first lacks 1 segment, or the second has 1 too many, most likely at line 2",
            _ASK,
        ),
    ),
    _refused(
        name="a table as an output",
        files={"out.csv": text("source,new", *LINES)},
        arguments=("--ref", "ref.txt", "out.csv"),
        says=("hint: out.csv is read as a text per line; if it is a table: --data out.csv",),
    ),
    _refused(
        name="one line long",
        files={"out.txt": _LONG},
        says=(
            "error: ref.txt has 4 segments, out.txt has 5: "
            "the first lacks 1 segment, or the second has 1 too many, most likely at line 3",
            _ASK,
        ),
    ),
    _refused(
        name="one of three is long",
        files={"new.txt": _LONG},
        arguments=(*FILES, "new.txt"),
        says=(
            "error: new.txt has 5 segments, out.txt has 4: the first has 1 segment too many, most likely at line 3",
            _ASK,
        ),
    ),
    _refused(
        name="first of three outputs is short",
        files={"old.txt": _SHORT},
        arguments=("old.txt", *FILES),
        says=("error: old.txt has 3 segments, out.txt has 4: the first lacks 1 segment, most likely at line 2",),
    ),
    _refused(
        name="one reference of two is short",
        files={"refB.txt": _SHORT},
        arguments=(*FILES, "--ref", "refB.txt"),
        says=("error: refB.txt has 3 segments, out.txt has 4: the first lacks 1 segment, most likely at line 2",),
    ),
    _refused(
        name="two references in one file",
        files={"ref.txt": GOOD + GOOD},
        says=("out.txt has 4 segments, ref.txt has 8",),
    ),
    _refused(
        name="a file for each segment's references",
        files={f"{i}.txt": text(line) for i, line in enumerate(LINES)},
        arguments=("out.txt", *(part for i in range(4) for part in ("--ref", f"{i}.txt"))),
        says=("error: there are 4 segments and 4 references of 1 texts: the references are transposed", "hint: "),
    ),
    _refused(
        name="all lengths differ",
        files={"out.txt": text("a"), "ref.txt": text("a", "b"), "src.txt": text("a", "b", "c")},
        arguments=(*FILES, "--src", "src.txt"),
        says=(" segment, ", ".txt has ", _ASK),
    ),
    _refused(name="empty output", files={"out.txt": b""}, says=("error: out.txt has no segments", "hint: ")),
    _refused(name="empty reference", files={"ref.txt": b""}, says=("error: ref.txt has no segments",)),
    _refused(name="everything empty", files={"ref.txt": b"", "out.txt": b""}, says=("error: out.txt has no segments",)),
    _refused(
        name="empty among several outputs",
        files={"new.txt": b""},
        arguments=("new.txt", *FILES),
        says=("error: new.txt has no segments",),
    ),
    _refused(
        name="empty among several references",
        files={"refB.txt": b""},
        arguments=(*FILES, "--ref", "refB.txt"),
        says=("error: refB.txt has no segments",),
    ),
    _refused(
        name="empty standard input",
        arguments=("--ref", "ref.txt", "-"),
        says=("error: standard input has no segments",),
    ),
    *(
        _refused(
            name=f"{what} of another length",
            files={"labels.txt": text("a", "a", "b")},
            arguments=(*FILES, *options, "labels.txt"),
            says=("error: labels.txt has 3 segments, out.txt has 4",),
        )
        for what, options in {
            "documents": ("--by", "document", "--documents"),
            "domains": ("--by", "domain", "--domains"),
            "sources": ("--src",),
        }.items()
    ),
    _case(
        code=2,
        name="by domain without domains",
        arguments=(*FILES, "--by", "domain"),
        says=("error: cannot score by domain", "hint: give --domains"),
    ),
    _case(
        name="blank labels are labels",
        files={"domains.txt": text("news", "", "", "news")},
        arguments=(*FILES, *JSON, "--domains", "domains.txt", "--by", "domain"),
        shows=('"domain:news"', '"domain:"'),
        bleu=100.0,
    ),
    _case(
        name="shifted by a line",
        files={"ref.txt": text(*_MANY), "out.txt": text(*_MANY[1:], "")},
        segments=8,
        says=("warning: out, line 1: misaligned: lines 1 to 7 fit the next line of ref better than their own",),
    ),
    _refused(
        name="a folder for an output",
        folders=("outputs",),
        arguments=("--ref", "ref.txt", "outputs"),
        says=("error: outputs: is a directory", "hint: give the files in the folder: outputs/*"),
    ),
    _refused(
        name="a folder for a reference",
        folders=("references.gz",),
        arguments=("--ref", "references.gz/", "out.txt"),
        says=("error: references.gz: is a directory", "references.gz/*"),
    ),
    _refused(name="no such output", arguments=(*FILES, "absent.txt"), says=("absent.txt: no such file or directory",)),
    _refused(
        name="no such reference",
        arguments=("--ref", "absent.txt", "out.txt"),
        says=("error: absent.txt: no such file or directory",),
    ),
    _refused(
        name="no such documents",
        arguments=(*FILES, "--documents", "absent.txt", "--by", "document"),
        says=("error: absent.txt: no such file or directory",),
    ),
    _refused(
        name="a pattern that matched nothing",
        arguments=("--ref", "ref.txt", "*.de"),
        says=("error: *.de: no such file or directory",),
    ),
    _refused(
        name="a file for a folder",
        arguments=("--ref", "ref.txt", "out.txt/1"),
        says=("error: out.txt/1: not a directory",),
    ),
    _refused(
        name="a path too long",
        arguments=("--ref", "ref.txt", "x" * 300),
        says=("x: file name too long",),
    ),
    _refused(
        name="an empty path",
        arguments=("--ref", "ref.txt", "--sys", "base="),
        says=("error: empty file name", "hint: write NAME=FILE"),
    ),
    _refused(
        name="a link to nothing",
        arguments=("--ref", "ref.txt", "link"),
        process=Process(script='ln -s absent link && "$@"; code=$?; rm link; exit $code'),
        says=("error: link: no such file or directory",),
    ),
    _refused(
        name="a link to itself",
        arguments=("--ref", "ref.txt", "link"),
        process=Process(script='ln -s link link && "$@"; code=$?; rm link; exit $code'),
        says=("error: link: too many levels of symbolic links",),
    ),
    _refused(
        name="an unreadable file",
        process=Process(script='chmod 0 out.txt; "$@"; code=$?; chmod 600 out.txt; exit $code', is_unprivileged=True),
        says=("error: out.txt: permission denied", "hint: check its permissions: ls -l out.txt"),
    ),
)

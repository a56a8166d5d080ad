"""The smallest and the largest."""

from __future__ import annotations

import functools

from tests.badinputs.case import FILES, GOOD, JSON, Case, Process, text

_case = functools.partial(Case, family="sizes")
_TOKENS = text(" ".join(f"w{i % 1000}" for i in range(100_000)))
_DISTINCT = text(" ".join(f"w{i}" for i in range(100_000)))
_CHARACTERS = text("x" * 1_000_000)
_BLEU_ONLY = (*FILES, *JSON, "-m", "bleu")


CASES = (
    _case(
        name="one segment", files={"ref.txt": text("a b c d e"), "out.txt": text("a b c d e")}, bleu=100.0, segments=1
    ),
    _case(
        name="one token",
        files={"ref.txt": text("yes"), "out.txt": text("yes")},
        bleu=0.0,  # no 2-grams to match, as in sacreBLEU
        segments=1,
        shows=('"aggregation": "segment"', "100.0"),
    ),
    _case(name="one character", files={"ref.txt": b"x", "out.txt": b"x"}, bleu=0.0, segments=1),
    _case(name="empty output text", files={"ref.txt": text("a b c d"), "out.txt": b"\n"}, bleu=0.0, segments=1),
    _case(name="empty reference text", files={"ref.txt": b"\n", "out.txt": text("a b c d")}, bleu=0.0, segments=1),
    _case(name="empty texts", files={"ref.txt": b"\n", "out.txt": b"\n"}, bleu=0.0, segments=1),
    _case(name="one resample", arguments=(*FILES, "--format", "json", "--resamples", "1"), bleu=100.0),
    _case(name="a resample of one", arguments=(*FILES, *JSON, "--agg", "corpus,bootstrap", "--size", "1"), bleu=100.0),
    _case(
        name="more resampled than there is",
        arguments=(*FILES, *JSON, "--agg", "corpus,bootstrap", "--size", "1000"),
        bleu=100.0,
    ),
    _case(name="more threads than segments", arguments=(*FILES, *JSON, "--threads", "64"), bleu=100.0),
    _case(name="100,000 tokens in a segment", files={"ref.txt": _TOKENS, "out.txt": _TOKENS}, bleu=100.0, segments=1),
    _case(
        name="100,000 distinct tokens in a segment",
        files={"ref.txt": _DISTINCT, "out.txt": _DISTINCT},
        bleu=100.0,
        segments=1,
    ),
    _case(
        name="a word of a million letters",
        files={"ref.txt": _CHARACTERS, "out.txt": _CHARACTERS},
        bleu=0.0,
        segments=1,
    ),
    _case(
        name="orders longer than any text",
        arguments=(*FILES, *JSON, "-m", "bleu:max_order=100"),
        bleu=0.0,
        segments=4,
    ),
    _case(
        name="300 systems",
        arguments=(*(f"--sys=s{i}=out.txt" for i in range(300)), "--ref", "ref.txt", *JSON),
        bleu=100.0,
        shows=('"s0"', '"s299"'),
    ),
    _case(
        name="100 references",
        files={f"ref{i}": GOOD for i in range(100)},
        arguments=("out.txt", *(part for i in range(100) for part in ("--ref", f"ref{i}")), *JSON),
        bleu=100.0,
        shows=("refs:100",),
    ),
    _case(
        name="a file larger than memory",
        arguments=("--ref", "ref.txt", "huge.txt"),
        process=Process(
            script='truncate -s 3G huge.txt; ulimit -v 1500000; "$@"; code=$?; rm huge.txt; exit $code',
        ),
        code=3,
        says=("error: huge.txt: too large for the available memory", "hint: "),
    ),
)

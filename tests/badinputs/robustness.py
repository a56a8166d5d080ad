"""Robustness over subsets of systems: sizes too large or too small, and unknown names."""

from __future__ import annotations

import functools

from tests.badinputs.case import Case


def _folder(systems: str, people: str, metric: str) -> dict[str, bytes]:
    """A test set without texts: a score of people and of a metric for each letter, by its place in the alphabet."""
    return {
        f"t/{name}.sys.score": "".join(f"{s} {among.index(s)}\n" for s in systems if s in among).encode()
        for name, among in (("human-scores/en-de.da", people), ("metric-scores/en-de/M-refA", metric))
    }


_GOOD = _folder("abcdef", "abcdef", "abcdef")
_START = ("t", "--lp", "en-de")
_case = functools.partial(Case, family="robustness", command=("robustness",), files=_GOOD)


def _asked(name: str, *options: str, says: tuple[str, ...], code: int = 2, **rest: object) -> Case:
    return _case(name=name, arguments=(*_START, *options), says=says, code=code, **rest)


def _sampled(name: str, *options: str, says: tuple[str, ...]) -> Case:
    return _asked(name, "--kind", "subsamples", *options, says=says)


_SIZES = (
    _asked(
        "min-systems above the systems",
        "--min-systems",
        "7",
        says=("--min-systems must be between 2 and 6 (the number of systems)",),
    ),
    _asked(
        "min-systems 1",
        "--min-systems",
        "1",
        says=("--min-systems must be between 2 and 6 (the number of systems), not 1",),
    ),
    _asked("min-systems -3", "--min-systems", "-3", says=("--min-systems must be between 2",)),
    _asked("min-systems x", "--min-systems", "x", says=("'x' is not a valid integer",)),
    _asked(
        "window above the systems",
        "--kind",
        "windows",
        "--subset-size",
        "7",
        says=("--subset-size must be between 2 and 6", "not 7"),
    ),
    _asked(
        "window 0", "--kind", "windows", "--subset-size", "0", says=("--subset-size must be between 2 and 6", "not 0")
    ),
    _sampled(
        "sample above the systems",
        "--subset-size",
        "7",
        says=("--subset-size must be between 2 and 6 (the number of systems)",),
    ),
    _sampled(
        "sample above the usual systems",
        *("--subset-size", "6", "--outliers", "a"),
        says=("--subset-size must be between 2 and 5 (the number of systems that are not outliers), not 6",),
    ),
    _sampled("sample of outliers only", "--subset-size", "2", "--outliers", "a,b", says=("--subset-size must be bet",)),
    _sampled("resamples 0", "--resamples", "0", says=("resamples must be an integer between 1 and 10,000,000, not 0",)),
    _sampled("resamples 10^9", "--resamples", "1000000000", says=("resamples must be an integer between 1 and",)),
    _sampled("seed -1", "--seed", "-1", says=("seed must be an integer between 0 and",)),
    *(
        _asked(f"cutoff {value}", "--cutoff", value, says=("cutoff must be positive and finite",))
        for value in ("0", "-1", "nan", "inf")
    ),
)

_NAMES = (
    _asked(
        "unknown kind",
        "--kind",
        "bottom",
        says=("unknown kind 'bottom'", "available: subsamples, top, windows, without-one"),
    ),
    _asked("unknown metric name", "--metrics", "N*", says=("error: no stored metric matches 'N*'", "hint: ")),
    _asked("unknown metric", "-m", "blue", says=("unknown metric 'blue'", "did you mean 'bleu'?")),
    _asked("metric without texts", "-m", "bleu", says=("has no texts to compute bleu from",), code=3),
    _asked("unknown statistic", "-s", "r2", says=("error: unknown statistic 'r2'", "hint: ")),
    _asked("statistic of segments", "-s", "kendall-like", says=("kendall-like is not defined at the system",)),
    _asked(
        "statistic that reads segments", "-s", "spa", says=("reads segment scores, so it has no value over subsets",)
    ),
    _asked("unknown human scores", "--gold", "mqm", says=("there are no human scores called 'mqm'", "hint: ")),
    _asked("unknown system", "--systems", "z", says=("no system matches 'z'", "hint: ")),
    _asked("nobody left", "--exclude", "*", says=("t en-de is left out: no system is left",), code=3),
    _sampled("unknown outlier", "--outliers", "z", says=("error: no system is called 'z'", "hint: ")),
    _case(
        name="unknown language pair",
        arguments=("t", "--lp", "de-en"),
        code=2,
        says=("t has no language pair 'de-en'",),
    ),
    _case(
        name="no such test set",
        arguments=("u",),
        code=3,
        says=("error: u: no such file, and no test set of this name in home",),
    ),
    _case(name="no test set", arguments=(), code=2, says=("Missing argument 'DATA...'",)),
)

_UNUSED = tuple(
    _asked(
        f"{option} of {kind}",
        *("--kind", kind, option, value),
        says=(f"{option} does not apply to --kind {kind}", "hint: it applies to "),
    )
    for option, value, kinds in (
        ("--min-systems", "4", ("windows", "without-one", "subsamples")),
        ("--subset-size", "4", ("top", "without-one")),
        ("--outliers", "a", ("top", "windows", "without-one")),
        ("--resamples", "9", ("top", "windows", "without-one")),
        ("--seed", "9", ("top", "windows", "without-one")),
    )
    for kind in kinds
)

_FEW = (
    _asked(
        "three systems",
        says=("error: --min-systems must be between 2 and 3 (the number of systems), not 4",),
        files=_folder("abc", "abc", "abc"),
    ),
    _asked(
        "two systems, without one",
        *("--kind", "without-one"),
        says=("error: leaving one out needs at least 3 systems, not 2",),
        files=_folder("ab", "ab", "ab"),
    ),
    _asked(
        "metric with too few systems",
        says=("error: no metric has scores for enough systems", "scores of fewer than 4 systems"),
        code=3,
        files=_folder("abcdef", "abcdef", "abc"),
    ),
    _asked(
        "nobody judged what the metric scored",
        says=("left out: no system in common: metrics have e, f, g, h, 'da' has a, b, c, d",),
        code=3,
        files=_folder("abcdefgh", "abcd", "efgh"),
    ),
    _asked(
        "no human scores",
        says=("error: t en-de has no human scores",),
        code=3,
        files={name: raw for name, raw in _GOOD.items() if "metric" in name},
    ),
    _asked(
        "no metric scores",
        says=("error: t en-de is left out: it has no system scores of metrics", "-m"),
        code=3,
        files={name: raw for name, raw in _GOOD.items() if "human" in name},
    ),
    _case(
        name="people see no difference",
        arguments=_START,
        files=_GOOD | {"t/human-scores/en-de.da.sys.score": b"".join(b"%c 1\n" % s for s in b"abcdef")},
        shows=("M-refA        ···", "no outliers: more than half of the systems have the same human score"),
    ),
)

CASES = (
    _case(name="good", arguments=_START, shows=("pearson, top", "M-refA        ███")),
    *_SIZES,
    *_NAMES,
    *_UNUSED,
    *_FEW,
)

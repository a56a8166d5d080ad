"""Agreement over parts of the systems: too many asked for, too few there, and names that are not."""

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
    _asked("least above the systems", "--least", "7", says=("least must be between 2 and the number of systems, 6",)),
    _asked("least 1", "--least", "1", says=("least must be between 2 and the number of systems, 6, not 1",)),
    _asked("least -3", "--least", "-3", says=("least must be between 2",)),
    _asked("least x", "--least", "x", says=("'x' is not a valid integer",)),
    _asked("window above the systems", "--kind", "windows", "--size", "7", says=("size must be between 2", "6, not 7")),
    _asked("window 0", "--kind", "windows", "--size", "0", says=("size must be between 2", "6, not 0")),
    _sampled("sample above the systems", "--size", "7", says=("size must be between 2 and the number of systems, 6",)),
    _sampled(
        "sample above the usual systems",
        *("--size", "6", "--outlier", "a"),
        says=("size must be between 2 and the number of systems that are no outliers, 5, not 6",),
    ),
    _sampled("sample of outliers only", "--size", "2", "--outlier", "a", "--outlier", "b", says=("size must be bet",)),
    _sampled("draws 0", "--draws", "0", says=("draws must be a whole number between 1 and 10,000,000, not 0",)),
    _sampled("draws 10^9", "--draws", "1000000000", says=("draws must be a whole number between 1 and",)),
    _sampled("seed -1", "--seed", "-1", says=("seed must be a whole number between 0 and",)),
    *(
        _asked(f"cut-off {value}", "--cutoff", value, says=("the cut-off of outliers must be above 0",))
        for value in ("0", "-1", "nan", "inf")
    ),
)

_NAMES = (
    _asked("unknown kind", "--kind", "bottom", says=("'bottom' is not one of 'top', 'windows'",)),
    _asked("unknown metric name", "--metrics", "N", says=("error: no metric matches 'N'", "hint: ")),
    _asked("unknown metric", "-m", "blue", says=("unknown metric 'blue'", "did you mean 'bleu'?")),
    _asked("metric without texts", "-m", "bleu", says=("has no texts to compute bleu from",), code=3),
    _asked("unknown statistic", "--stat", "r2", says=("error: unknown statistic 'r2'", "hint: ")),
    _asked("statistic of segments", "--stat", "kendall-like", says=("kendall-like is not defined at the system",)),
    _asked("statistic that reads segments", "--stat", "spa", says=("reads scores of segments: it is not computed",)),
    _asked("unknown human scores", "--gold", "mqm", says=("there are no human scores 'mqm'", "hint: ")),
    _asked("unknown system", "--systems", "z", says=("no system matches 'z'", "hint: ")),
    _asked("nobody left", "--exclude", "*", says=("no system of t en-de is left",), code=3),
    _sampled("unknown outlier", "--outlier", "z", says=("error: no system is called 'z'", "hint: ")),
    _asked("unknown language pair", "--lp", "de-en", says=("has no language pair 'de-en'",), code=3),
    _case(name="no such test set", arguments=("u",), code=3, says=("there is no test set 'u'",)),
    _case(name="no test set", arguments=(), code=2, says=("Missing argument 'DATA'",)),
)

_UNUSED = tuple(
    _asked(f"{option} of {kind}", "--kind", kind, option, value, says=(f"{option} is of no use for {kind}", "hint: it"))
    for option, value, kinds in (
        ("--least", "4", ("windows", "without-one", "subsamples")),
        ("--size", "4", ("top", "without-one")),
        ("--outlier", "a", ("top", "windows", "without-one")),
        ("--draws", "9", ("top", "windows", "without-one")),
        ("--seed", "9", ("top", "windows", "without-one")),
    )
    for kind in kinds
)

_FEW = (
    _asked(
        "three systems",
        says=("error: least must be between 2 and the number of systems, 3, not 4",),
        files=_folder("abc", "abc", "abc"),
    ),
    _asked(
        "two systems, without one",
        *("--kind", "without-one"),
        says=("error: leaving one out takes at least 3 systems, not 2",),
        files=_folder("ab", "ab", "ab"),
    ),
    _asked(
        "metric with too few systems",
        says=("error: no metric has scores of enough systems", "scores of fewer than 4 systems"),
        code=3,
        files=_folder("abcdef", "abcdef", "abc"),
    ),
    _asked(
        "nobody judged what the metric scored",
        says=("error: no metric has scores of enough systems",),
        code=3,
        files=_folder("abcdefgh", "abcd", "efgh"),
    ),
    _asked(
        "no human scores",
        says=("error: there are no human scores",),
        code=3,
        files={name: raw for name, raw in _GOOD.items() if "metric" in name},
    ),
    _asked(
        "no metric scores",
        says=("error: t en-de has no metric scores", "hint: compute a metric: -m bleu"),
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

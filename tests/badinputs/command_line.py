"""What may be asked for, and where it may be written."""

from __future__ import annotations

import functools

from tests.badinputs.case import FILES, GOOD, JSON, Case, Process

_case = functools.partial(Case, family="command line")
_usage = functools.partial(_case, code=2)
_refused = functools.partial(_case, code=3)


def _wrong_option(name: str, *arguments: str, says: tuple[str, ...]) -> Case:
    return _usage(name=name, arguments=(*FILES, *arguments), says=says)


def _to(target: str, name: str, *says: str, **rest: object) -> Case:
    """Writing fails, and what stood there before still does."""
    return _refused(name=name, arguments=(*FILES, "-o", target, "--force"), says=says, **rest)


_OPTIONS = (
    _wrong_option("unknown metric", "-m", "blue", says=("error: unknown metric 'blue'", "hint: did you mean 'bleu'?")),
    _wrong_option("unknown metric, nothing near", "-m", "qqq", says=("unknown metric 'qqq'", "hint: available: act")),
    _wrong_option("no metric", "-m", "", says=("error: unknown metric ''",)),
    _wrong_option("unknown option of a metric", "-m", "bleu:tokk=zh", says=("no option 'tokk'", "did you mean 'tok'?")),
    _wrong_option("unknown tokeniser", "-m", "bleu:tok=xyz", says=("unknown tokeniser 'xyz'", "hint: ")),
    _wrong_option("order 0", "-m", "bleu:max_order=0", says=("max_order must be between 1 and 100, not 0",)),
    _wrong_option("order 101", "-m", "bleu:max_order=101", says=("max_order must be between 1 and 100, not 101",)),
    _wrong_option("order x", "-m", "bleu:max_order=x", says=("'max_order=x' of 'bleu': expected an integer",)),
    _wrong_option("option without a value", "-m", "bleu:tok", says=("'tok' in 'bleu:tok' is not an option",)),
    _wrong_option("unknown smoothing", "-m", "bleu:smooth=exq", says=("'exq'", "did you mean 'exp'?")),
    _wrong_option("contradictory smoothing", "-m", "bleu:smooth=exp,smooth_value=1", says=("smooth_value requires",)),
    _wrong_option("smoothing by NaN", "-m", "bleu:smooth=floor,smooth_value=nan", says=("smooth_value must be",)),
    _wrong_option("unknown aggregation", "--agg", "corpis", says=("unknown aggregation 'corpis'", "'corpus'?")),
    _wrong_option("no aggregation", "--agg", ",", says=("error: no aggregation was given",)),
    _wrong_option("unknown grouping", "--by", "genre", says=("error: unknown grouping 'genre'", "hint: ")),
    _wrong_option("resamples -1", "--resamples", "-1", says=("resamples must be an integer between 0",)),
    _wrong_option("resamples 10^8", "--resamples", "100000000", says=("between 0 and 10,000,000, not 100000000",)),
    _wrong_option("resamples 1.5", "--resamples", "1.5", says=("'1.5' is not a valid integer",)),
    _wrong_option(
        "bootstrap without resamples",
        *("--resamples", "0", "--agg", "bootstrap"),
        says=("error: the bootstrap aggregation needs at least one resample", "hint: e.g. --resamples 1000"),
    ),
    *(
        _wrong_option(f"confidence {level}", "--confidence", level, says=("confidence must be between 0 and 1, not",))
        for level in ("1.5", "0", "1", "-0.5", "nan", "inf")
    ),
    _wrong_option("confidence 95%", "--confidence", "95%", says=("'95%' is not a valid float",)),
    _wrong_option("seed -1", "--seed", "-1", says=("seed must be an integer between 0 and",)),
    _wrong_option("seed 2^70", "--seed", str(2**70), says=("seed must be an integer between 0 and 18,4", str(2**70))),
    _wrong_option("seed of 5,000 digits", "--seed", "9" * 5000, says=("is not a valid integer",)),
    _wrong_option("threads 0", "--threads", "0", says=("threads must be an integer between 1 and 1,024, not 0",)),
    _wrong_option("threads 10^9", "--threads", "1000000000", says=("threads must be an integer between 1 and",)),
    _wrong_option(
        "device gpu",
        "--device",
        "gpu",
        says=("device must be auto, cpu, cuda", "not 'gpu'"),
    ),
    _wrong_option("no request at a time", "--parallel", "0", says=("parallel must be an integer between 1 and 1,024",)),
    _wrong_option("rate 0", "--rate", "0", says=("rate must be a positive number, not 0",)),
    _wrong_option("budget -1", "--budget", "-1", says=("budget must be a positive number, not -1",)),
    _wrong_option("budget nan", "--budget", "nan", says=("budget must be a positive number, not nan",)),
    _wrong_option("a budget without prices", "--budget", "3", says=("--budget needs --prices", "--prices 2.50,10")),
    _wrong_option("one price", "--prices", "3", says=("--prices must be two numbers", "not 3.0")),
    _wrong_option("prices in words", "--prices", "a,b", says=("--prices must be finite numbers",)),
    _wrong_option("size 0", "--size", "0", says=("size must be an integer between 1 and",)),
    _wrong_option("size -5", "--size", "-5", says=("size must be an integer between 1 and",)),
    _wrong_option("language pair", "--lp", "german", says=("error: 'german' is not a language pair", "hint: ")),
    _wrong_option("unknown format", "--format", "x", says=("'x' is not one of 'table', 'json'",)),
    _wrong_option("unknown signature", "--signatures", "x", says=("'x' is not one of 'short', 'full', 'sacrebleu'",)),
    _wrong_option("unknown amount of notes", "--notes", "x", says=("'x' is not one of 'all', 'few', 'none'",)),
    _wrong_option("one of two metrics unknown", "-m", "bleu,blue", says=("error: unknown metric 'blue'",)),
    _wrong_option(
        "unknown option", "--resample", "5", says=("unknown option '--resample'; did you mean '--resamples'?",)
    ),
    _wrong_option("option without its value", "--seed", says=("Option '--seed' requires an argument",)),
    _wrong_option("model that is not named", "-m", "bertscore", says=("needs word vectors or an encoder",)),
)

_STREAMS = (
    _usage(name="no output", arguments=("--ref", "ref.txt"), says=("error: no system output was given; example: ",)),
    _usage(name="no reference", arguments=("out.txt",), says=("error: bleu needs a reference", "hint: e.g. --ref")),
    _usage(
        name="standard input twice", arguments=("--ref", "-", "-"), says=("standard input (-) can be read only once",)
    ),
    _wrong_option("two seeds", "--seed", "1", "--seed", "2", says=("--seed was given twice",)),
    _case(name="a metric twice is one", arguments=(*FILES, *JSON, "-m", "bleu,bleu", "-m", "bleu"), bleu=100.0),
    _case(name="standard input", arguments=("--ref", "ref.txt", "-", *JSON), stdin=GOOD, bleu=100.0, segments=4),
    _refused(
        name="standard input closed",
        arguments=("--ref", "ref.txt", "-"),
        process=Process(script='"$@" <&-'),
        says=("error: standard input: closed",),
    ),
    _case(name="no terminal", arguments=FILES, process=Process(script='setsid "$@" < /dev/null'), shows=("100.00 [",)),
    _case(
        name="closed pipe",
        arguments=(*FILES, "--segments"),
        process=Process(script='set -o pipefail; "$@" | head -1'),
        shows=("bleu (n=4)",),
    ),
    _case(
        name="nobody reads the pipe",
        arguments=FILES,
        process=Process(script='set -o pipefail; "$@" | true'),
    ),
    _refused(
        name="standard output on a full device",
        arguments=FILES,
        process=Process(script='"$@" > /dev/full'),
        says=("error: standard output", "no space left on device"),
    ),
    _refused(
        name="standard output closed",
        arguments=FILES,
        process=Process(script='"$@" >&-'),
        says=("error: standard output",),
    ),
    _case(
        name="standard error closed",
        process=Process(script='"$@" 2>&-'),
        bleu=100.0,
    ),
    _case(
        name="standard output that cannot show a name",
        arguments=("--ref", "ref.txt", "--sys", "基线=out.txt"),
        process=Process(environment={"PYTHONIOENCODING": "latin-1"}),
        shows=("100.00 [",),
    ),
    _case(
        name="C locale",
        arguments=("--ref", "ref.txt", "--sys", "基线=out.txt"),
        process=Process(environment={"LC_ALL": "C"}),
        shows=("基线",),
    ),
    _case(
        name="no home",
        process=Process(script='env -u HOME "$@"', environment={"HOME": "/nonexistent"}),
        bleu=100.0,
    ),
)

_TARGETS = (
    _case(name="to a new file", arguments=(*FILES, "-o", "new.json"), writes=("new.json",)),
    _case(
        name="to an old file",
        files={"old.json": b"old"},
        arguments=(*FILES, "-o", "old.json", "--force"),
        writes=("old.json",),
    ),
    _refused(
        name="to an old file that is not a result",
        files={"old.json": b"old"},
        arguments=(*FILES, "-o", "old.json"),
        says=("error: old.json: already exists", "hint: choose another name, or replace it with --force"),
    ),
    _refused(
        name="to an input",
        arguments=(*FILES, "-o", FILES[FILES.index("--ref") + 1], "--force"),
        says=("is an input and will not be replaced",),
    ),
    _usage(
        name="suffix that no format has",
        arguments=(*FILES, "-o", "scores.doc"),
        says=("error: no output format has the suffix '.doc'", "hint: use .txt, .json"),
    ),
    _usage(
        name="no suffix",
        arguments=(*FILES, "-o", "scores"),
        says=("error: no output format has the suffix ''", "hint: "),
    ),
    _refused(
        name="data wrong, old result stays",
        files={"old.json": b"old", "out.txt": b"\xff\n"},
        arguments=(*FILES, "-o", "old.json", "--force"),
        says=("error: out.txt, line 1",),
    ),
    _to(
        "absent/x.json",
        "to a folder that is not there",
        "error: absent/x.json: cannot be written: no such folder",
    ),
    _to(
        "results.json",
        "to a folder",
        "error: results.json: is a folder",
        "hint: name a file",
        folders=("results.json",),
    ),
    _to(".", "to the current folder", "error: .: is a folder"),
    _to("new.json/", "to a name with a slash at the end", "error: new.json/: is the name of a folder, not of a file"),
    _usage(name="to an empty name", arguments=(*FILES, "-o", ""), says=("the name of the output file is empty",)),
    _case(name="to standard output", arguments=(*FILES, "-o", "-"), shows=("bleu (n=",)),
    _case(name="to a device", arguments=(*FILES, "-o", "/dev/null")),
    _to("out.txt/x.json", "below a file", "error: out.txt/x.json: cannot be written: no such folder"),
    _to("x" * 300 + ".json", "to a name too long", ".json: cannot be written: file name too long"),
    _to(
        "locked/old.json",
        "to a read-only folder",
        "error: locked/old.json: cannot be written: permission denied",
        folders=("locked",),
        files={"locked/old.json": b"old"},
        process=Process(script='chmod 555 locked; "$@"; code=$?; chmod 755 locked; exit $code', is_unprivileged=True),
    ),
    _refused(
        name="to a full device",
        arguments=(*FILES, "--format", "json", "-o", "/dev/full"),
        says=("error: /dev/full: cannot be written: no space left on device",),
    ),
    _to(
        "old.json",
        "the disk fills up",
        "error: old.json: cannot be written: file too large",
        files={"old.json": b"old"},
        process=Process(script='ulimit -f 1; "$@"'),
    ),
)

CASES = (*_OPTIONS, *_STREAMS, *_TARGETS)

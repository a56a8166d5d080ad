"""Lines as long as books: every metric ends with a score or with an error that says which line is too long."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from assay import _core
from assay.errors import ConfigError
from assay.metrics import long_lines, metric
from tests.metrics import made_up_vectors

_PATIENCE = 600  # seconds until a process is taken to hang
_MODELS = {"bleurt", "comet", "cometkiwi", "metricx", "unite", "xcomet"}  # which cut texts to what the network reads
_SERVERS = {"judge"}  # which refuse what is too long
_PACKAGES = {"spbleu"}
_USUAL_PAIRS = ("different", "frequent words", "no space, different")
"""The pairs of texts in every run of the tests; `make long-lines` has all of them, of longer lines."""
_ALL = bool(os.environ.get("ASSAY_ALL_LONG_LINES"))
_WORDS = 150_000 if _ALL else 60_000  # a table of their squares would take more memory than there may be used
_MAX_CELLS = 10**11 * _WORDS**2 // 150_000**2  # a tenth of the time until a refusal

# One process for a metric: a signal would end the tests. It prints a line for each pair of texts.
_PROGRAM = """
import json, random, sys
from assay import Runtime, load, score
from assay.errors import SegmentError
from assay.metrics import metric
from assay.types import TestSet

spec, count = sys.argv[1], int(sys.argv[2])
distinct, others = (" ".join(f"{letter}{i}" for i in range(count)) for letter in "wu")
draw = random.Random(1)
frequent = [" ".join(f"v{int(draw.paretovariate(0.7))}" for _ in range(count)) for _ in range(2)]
PAIRS = {
    "equal": (distinct, distinct),
    "different": (distinct, others),
    "one word": ("the " * count, "the " * count),
    "one word, less often": ("the " * count, "the " * (count // 2)),
    "two words": ("a b " * (count // 2), "b a " * (count // 2) + "c"),
    "frequent words": frequent,
    "long output": (frequent[0], "v1 v2 v3"),
    "long reference": ("v1 v2 v3", frequent[0]),
    "in reverse": (distinct, " ".join(reversed(distinct.split()))),
    "no space": ("x" * 10 * count, "x" * 10 * count),
    "no space, different": ("x" * 10 * count, "y" * 10 * count),
    "spaces": (" " * 10 * count, " " * 10 * count),
    "Chinese": ("\\u4e2d\\u6587" * count, "\\u6587\\u5b57\\u4e2d" * count),
    "punctuation": ("." * count, ",." * count),
    "connectives": ("because since " * (count // 2), "parce que puisque " * (count // 2)),
}
def layers_of(text):
    words = text.split()
    heads = range(len(words))  # a chain as long as the text
    return {
        "tokens": " ".join(words), "lemma": " ".join(words), "pos": " ".join(["NOUN"] * len(words)),
        "sempos": " ".join(f"{word}|n" for word in words), "dependencies": " ".join(f"{head}:dep" for head in heads),
        "errors": " ".join(f"{place}-{place + 1}:minor" for place in heads),
        "roles": " | ".join(f"{word}:V {word}:ARG0" for word in range(1, len(words))),
    }

for name in sys.argv[3:] or PAIRS:
    output, reference = PAIRS[name]
    if metric.create(spec).needs - {"reference", "source"}:
        sides = {"x": layers_of(output), "ref": layers_of(reference)}
        layers = {layer: {side: [values[layer]] for side, values in sides.items()} for layer in sides["x"]}
        testset = TestSet(outputs={"x": (output,)}, references={"ref": (reference,)}, annotations=layers)
    else:
        testset = load(outputs={"x": [output]}, references={"ref": [reference]}, sources=[output], lp="en-fr")
    try:
        run = score(testset, spec, agg="corpus", resamples=0)
        value = run[spec].corpus["x"]
        outcome = {"score": None if value != value else value, "reason": run[spec].corpus.estimate("x").reason}
    except SegmentError as error:
        outcome = {"error": error.message, "hint": error.hint}
    print(json.dumps({"pair": name, **outcome}), flush=True)
with open("/proc/self/status") as status:
    print(int(next(line for line in status if line.startswith("VmHWM")).split()[1]) // 1024)
"""


def _specs(vectors, terms):
    names = set(metric.names()) - _MODELS - _SERVERS - _PACKAGES
    with_vectors = {"bertscore", "ebleu", "yisi", "yisi-1", "yisi-2"}
    of_layers = {"meant", "umeant", "yisi-srl", "yisi-1-srl"}
    options = dict.fromkeys(with_vectors, f":vectors={vectors},tok=none") | dict.fromkeys(
        of_layers, f":vectors={vectors}"
    )
    options |= {"yisi-2": f":vectors={vectors},source_vectors={vectors},tok=none"}
    options |= {"term": f":list={terms}", "term-consistency": f":list={terms}", "ensemble": ":metrics=chrf+wer"}
    more = (
        "bleu:tok=char",
        "bleu:tok=intl",
        "bleu:tok=zh",
        "lepor:alignment=strict",
        "ter-moses:tok=char",
        "meteor:language=en",
    )
    return [*(name + options.get(name, "") for name in sorted(names)), *more]


def _outcomes(spec, count, *pairs, max_cells=10**11):
    """By pair of texts (all, unless some are named), and the peak in megabytes."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, spec, str(count), *pairs],
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
        env=os.environ | {long_lines.MAX_CELLS_VARIABLE: str(max_cells)},
    )
    assert done.returncode == 0, (done.returncode, done.stdout[-300:], done.stderr[-1000:])
    *lines, peak = done.stdout.splitlines()
    return {outcome.pop("pair"): outcome for outcome in map(json.loads, lines)}, int(peak)


def _check(outcomes):
    for pair, outcome in outcomes.items():
        if "error" in outcome:
            assert outcome["error"].startswith("line 1 "), pair
            assert "is too long for" in outcome["error"], pair
            assert "is a line break missing?" in outcome["hint"], pair
        else:
            assert outcome["score"] is not None or outcome["reason"], pair


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
def _without_files(spec):
    return re.sub(":(vectors|list)=.*", "", spec)


@pytest.mark.parametrize("name", [_without_files(spec) for spec in _specs("V", "T")])
def test_every_metric_ends(tmp_path, name):
    vectors = made_up_vectors.write(tmp_path / "small.vec", {"the": (1.0, 0.0), "v1": (0.5, 1.0)})
    terms = tmp_path / "terms.tsv"
    terms.write_text("".join(f"{word}\t{word}\n" for word in ("v1", "the", "x", "a b")), encoding="utf-8")
    spec = next(spec for spec in _specs(vectors, terms) if _without_files(spec) == name)
    pairs = () if _ALL else _USUAL_PAIRS
    outcomes, peak = _outcomes(spec, _WORDS, *pairs, max_cells=_MAX_CELLS)
    assert len(outcomes) == (len(pairs) or 15)
    _check(outcomes)
    assert peak < 2000


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
def test_moses_ter_of_more_than_99999_edits():
    """tercpp takes 99999 for infinity; a shorter line has no path of that cost."""
    outcomes, _ = _outcomes("ter-moses", 100_200, "equal", "long reference", "long output", "no space, different")
    _check(outcomes)
    assert outcomes["equal"]["score"] == 1
    assert outcomes["long reference"]["score"] == pytest.approx(0, abs=1e-4)
    assert outcomes["long output"]["score"] == pytest.approx(-33_399, abs=2)
    assert outcomes["no space, different"]["score"] == 0


def test_the_limit(monkeypatch):
    monkeypatch.delenv(long_lines.MAX_CELLS_VARIABLE, raising=False)
    assert long_lines.max_cells() == 10**12
    monkeypatch.setenv(long_lines.MAX_CELLS_VARIABLE, "77")
    assert long_lines.max_cells() == 77
    monkeypatch.setenv(long_lines.MAX_CELLS_VARIABLE, "-1")
    with pytest.raises(ConfigError, match="must be a positive integer"):
        long_lines.max_cells()


def test_the_error_names_line_system_reference_and_lengths():
    error = _core.TooLongError(1, 0, 6, 2000, 1000)
    refused = long_lines.too_long(error, "m", ["x"], ["a", "b"], because=", which differ")
    assert refused.message == (
        "line 7 is too long for m: 1,000 words of the system 'x' and 2,000 of the reference 'b', which differ"
    )
    assert refused.hint == (
        "is a line break missing? Split the text into segments; to compute it nevertheless, set the environment "
        f"variable ASSAY_MAX_EDIT_CELLS above {long_lines.max_cells()}"
    )
    assert "nevertheless" not in long_lines.too_long(error, "m", ["x"], ["a", "b"], is_adjustable=False).hint

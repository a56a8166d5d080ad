"""METEOR 1.5 as its own program computes it: kept results, and the program itself where Java is installed."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from assay import load, score
from assay.lexicons.stemmers import stemmer_version
from assay.metrics import metric
from assay.runtime import Runtime
from tests import archives, meteor_folder

FOLDER = Path(__file__).parents[1] / "golden"
INPUTS = json.loads((FOLDER / "inputs.json").read_text(encoding="utf-8"))["sets"]
GOLDEN = json.loads((FOLDER / "meteor.json").read_text(encoding="utf-8"))
MODULES = ("exact", "stem", "synonym", "paraphrase")


@pytest.fixture(scope="module")
def folder():
    pytest.importorskip("Stemmer")
    if not stemmer_version().startswith("PyStemmer-2."):
        pytest.skip("only PyStemmer 2 has METEOR's stemmers")
    return meteor_folder.real()


def spec_of(arguments, folder):
    """Our spec for the arguments of the program."""
    words = shlex.split(arguments)
    given = {word: words[i + 1] for i, word in enumerate(words) if word in ("-l", "-t", "-m")}
    language = given["-l"].replace("cz", "cs")
    ending = "-no-punct" if "-noPunct" in words else ""
    options = [f"language={language}", f"files={folder}"]
    options += [f"tok=(meteor-{language}{ending}:files={folder})" if "-norm" in words else "tok=space"]
    options += [f"task={given['-t']}"] if "-t" in given else []
    options += [f"modules={given['-m'].replace(' ', '+')}"] if "-m" in given else []
    return f"meteor:{','.join(options)}"


@pytest.mark.parametrize("case", GOLDEN["results"], ids=lambda case: f"{case['set']}{case['args']}")
def test_golden(case, folder):
    texts = INPUTS[case["set"]]
    references = {f"ref{k}": column for k, column in enumerate(texts["refs"][: case["nrefs"]])}
    testset = load(outputs={"x": texts["hyp"]}, references=references)
    spec = spec_of(case["args"], folder)
    run = score(testset, spec, agg="corpus,segment", resamples=0)[spec]
    assert run.corpus["x"] == pytest.approx(case["final"], abs=1e-15)
    np.testing.assert_allclose(run.segments["x"], case["segments"], rtol=0, atol=1e-15)
    totals = metric.create(spec).statistics(testset, Runtime())[0].sum(axis=0)
    assert totals[:2].tolist() == [case["test_words"], case["reference_words"]]
    for stage, (_, *counts) in enumerate(case["stage_matches"][:-1]):  # content, function, both; output, then reference
        module = MODULES.index(spec_modules(case["args"])[stage])
        content, other_content, function, other_function = totals[4 + 4 * module :][:4].tolist()
        expected = [
            content,
            function,
            content + function,
            other_content,
            other_function,
            other_content + other_function,
        ]
        assert expected == list(map(int, counts))


def spec_modules(arguments):
    words = shlex.split(arguments)
    return words[words.index("-m") + 1].split() if "-m" in words else MODULES


@pytest.mark.parametrize("i", range(len(GOLDEN["alignments_full_en"])))
def test_golden_alignments(i, folder):
    expected = GOLDEN["alignments_full_en"][i]
    made = metric.create(f"meteor:language=en,files={folder}")
    found = made.alignment(INPUTS["en"]["hyp"][i], INPUTS["en"]["refs"][0][i])
    assert (" ".join(found.output), " ".join(found.reference)) == (expected["hyp"], expected["ref"])
    assert [
        [*(f"{side.start}:{side.stop - side.start}" for side in (match.reference, match.output)),
         str(MODULES.index(match.module)), "1.0"]
        for match in found.matches
    ] == expected["matches"]  # fmt: skip


def test_a_whole_system_against_the_program(folder, tmp_path):
    """All 3,000 segments of a system of WMT13, with all modules."""
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    if archives.folder() is None:
        pytest.skip("ASSAY_DATA does not name the folder of the WMT archives")
    references, outputs = archives.texts("wmt13", "de-en", ("ref",))
    output, reference = outputs["online-B"], references["ref"]
    for name, column in (("output", output), ("reference", reference)):
        (tmp_path / name).write_text("".join(f"{text}\n" for text in column), encoding="utf-8")
    (jar,) = Path(folder).glob("meteor*.jar")
    command = ("java", "-Xmx2G", "-jar", str(jar), "output", "reference", "-l", "en", "-norm")
    printed = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, encoding="utf-8").stdout
    segments = [float(value) for value in re.findall(r"^Segment \d+ score:\t(\S+)$", printed, re.MULTILINE)]
    spec = f"meteor:language=en,files={folder}"
    run = score(load(outputs={"x": output}, references={"r": reference}), spec, agg="corpus,segment", resamples=0)[spec]
    np.testing.assert_allclose(run.segments["x"], segments, rtol=0, atol=1e-14)
    assert run.corpus["x"] == pytest.approx(float(re.search(r"Final score:\s+(\S+)", printed)[1]), abs=1e-14)

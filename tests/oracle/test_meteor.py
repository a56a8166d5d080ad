"""METEOR 1.5 as its own program computes it: kept results, and the program itself where Java is installed."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from assay import load, score
from assay.lexicons.stemmers import stem, stemmer_version
from assay.metrics import metric
from assay.types.runtime import Runtime
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
    totals = run.statistics.table[0].sum(axis=0)
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


def jar_of(folder, *, with_archives=True):
    """METEOR's jar; skips without Java and the WMT archives."""
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    if with_archives and archives.folder() is None:
        pytest.skip("ASSAY_DATA does not name the folder of the WMT archives")
    (jar,) = Path(folder).glob("meteor*.jar")
    return str(jar)


@pytest.mark.slow
def test_white_space(folder, tmp_path):
    """Tabs and form feeds separate words, no-break spaces and vertical tabs do not."""
    jar = jar_of(folder, with_archives=False)
    outputs = ["a\tb c", "x\fy z", "foo\u00a0bar baz", "q\vr s"]
    references = ["a b c", "x y z", "foo bar baz", "q r s"]
    for name, column in {"output": outputs, "reference": references}.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in column), encoding="utf-8", newline="\n")
    command = ("java", "-Xmx1G", "-jar", jar, "output", "reference", *shlex.split("-l en -m exact -w 1.0"))
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    expected = [float(value) for value in re.findall(r"^Segment \d+ score:\s+(\S+)", printed, re.M)]
    spec = f"meteor:language=en,modules=exact,tok=space,files={folder}"
    run = score(load(outputs={"x": outputs}, references=references), spec, agg="corpus,segment", resamples=0)[spec]
    np.testing.assert_allclose(run.segments["x"], expected, rtol=0, atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("campaign", "lp", "reference", "system", "arguments"),
    [
        ("wmt13", "de-en", "ref", "online-B", "-l en -norm"),
        ("wmt22", "en-de", "refA", "Online-B", "-l de -norm -m 'exact stem' -w '1.0 0.8'"),
        ("wmt22", "en-ru", "refA", "Online-B", "-l ru -norm -m 'exact stem' -w '1.0 0.5'"),
        ("wmt22", "de-fr", "refA", "Online-B", "-l fr -norm -m 'exact stem' -w '1.0 0.2'"),
        ("wmt22", "en-cs", "refB", "Online-B", "-l cz -norm -m exact -w 1.0"),
    ],
)
def test_all_counts_of_a_system(folder, tmp_path, campaign, lp, reference, system, arguments):
    """With -ssOut, the program prints the 23 counts of every segment; for us, one chunk of all words is none."""
    jar = jar_of(folder)
    references, outputs = archives.texts(campaign, lp, (reference,))
    columns = {"output": outputs[system], "reference": references[reference]}
    for name, column in columns.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in column), encoding="utf-8")
    command = ("java", "-Xmx2G", "-jar", jar, *columns, *shlex.split(arguments), "-ssOut")
    printed = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, encoding="utf-8").stdout
    expected = np.array([[float(count) for count in line.split()] for line in printed.splitlines()])
    lengths, chunks, matches = expected[:, :2], expected[:, 20], expected[:, 21:]
    expected[(chunks == 1) & (matches == lengths).all(axis=1), 20] = 0
    testset = load(outputs={"x": columns["output"]}, references={"r": columns["reference"]})
    prepared = metric.create(spec_of(arguments, folder)).prepare(testset)
    np.testing.assert_array_equal(prepared.statistics(testset, Runtime())[0], expected)


WORDS = {  # campaign and file with texts of a language, and the share of stems that must be equal
    "en": ("wmt22", "references/de-en.refA.txt", 1),
    "de": ("wmt22", "references/en-de.refA.txt", 1),
    "ru": ("wmt22", "references/en-ru.refA.txt", 1),
    "fr": ("wmt22", "references/de-fr.refA.txt", 1),
    "es": ("wmt13", "sources/es-en.txt", 1),
    "tr": ("wmt17", "sources/tr-en.txt", 1),
    "fi": ("wmt19", "references/en-fi.ref.txt", 0.98),
}


@pytest.mark.slow
@pytest.mark.parametrize("language", WORDS)
def test_stems_of_the_words_of_a_test_set(folder, language):
    jar = jar_of(folder)
    campaign, file, share = WORDS[language]
    texts = " ".join(archives.lines(archives.unpacked(campaign) / file))
    words = sorted(set(re.findall(r"\w+", texts.lower())))
    command = ("java", "-Dfile.encoding=UTF-8", "-cp", jar, "Stemmer", language)
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    stems = subprocess.run(
        command,
        check=True,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        input="".join(f"{word}\n" for word in words),
    ).stdout.split("\n")[:-1]
    assert len(stems) == len(words) > 5000
    equal = sum(one == other for one, other in zip(stem(words, language), stems, strict=True))
    assert equal >= share * len(words)

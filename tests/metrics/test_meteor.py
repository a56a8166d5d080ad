"""METEOR: its modules, parameters and formula on a small made-up lexicon, its options, errors and notes."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError, MissingExtraError
from assay.metrics import metric
from assay.metrics.meteor import Meteor
from assay.runtime import Runtime
from assay.testing import check_metric
from assay.types import NoteKind, as_column
from tests import meteor_folder

WITHOUT_STEMS = "exact+synonym+paraphrase"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return meteor_folder.write(tmp_path_factory.mktemp("meteor") / "folder")


@pytest.fixture(autouse=True)
def _no_package(monkeypatch):
    """Nothing is found unless a test names it."""
    monkeypatch.setattr("assay.lexicons.meteor_files._installed", lambda: None)


def english(folder, modules=WITHOUT_STEMS, **options):
    return Meteor(language="en", modules=modules, files=folder, **options)


def value(made, output, *references):
    testset = load(outputs={"x": [output]}, references={f"r{i}": [text] for i, text in enumerate(references)})
    prepared = made.prepare(testset)
    return prepared.score(prepared.statistics(testset, Runtime(threads=1)))[0, 0]


def matches(made, output, reference):
    found = made.alignment(output, reference)
    return [(" ".join(found.output[m.output]), " ".join(found.reference[m.reference]), m.module) for m in found.matches]


def test_alignments_of_columns(folder):
    outputs, references = as_column(["Kids run", None, "", "at home"]), as_column(["Children sprint", "x", "a", "home"])
    made = english(folder)
    found = list(made.alignments(outputs, references))
    assert found[:2] == [made.alignment("Kids run", "Children sprint"), None]
    assert found[2:] == [made.alignment("", "a"), made.alignment("at home", "home")]
    assert [len(alignment.matches) for alignment in found if alignment] == [2, 0, 1]


def test_modules(folder):
    found = matches(english(folder), "Kids don't run at home", "The children do not sprint at the house")
    assert found == [
        ("kids", "children", "synonym"),
        ("don 't", "do not", "paraphrase"),
        ("run", "sprint", "synonym"),
        ("at", "at", "exact"),
        # found in both directions, so it is two matches, between which the search chooses
        ("home", "the house", "paraphrase"),
    ]
    assert matches(english(folder, "exact"), "Kids run at home", "Children sprint at the house") == [
        ("at", "at", "exact")
    ]


def test_stems(folder):
    pytest.importorskip("Stemmer")
    assert matches(english(folder, "exact+stem"), "jumping y", "jumped x") == [("jumping", "jumped", "stem")]


def test_a_single_ambiguous_match_is_not_taken(folder):
    """It covers half a word on each side, rounded down, and is a chunk more: the search is better off without it."""
    assert matches(english(folder), "kid child", "children") == []
    assert matches(english(folder), "kid", "children") == [("kid", "children", "synonym")]


def test_the_formula(folder):
    """One function word and three content words on each side, two chunks; equations 1 to 4 of the paper by hand."""
    precision = recall = (1.0 * 0.75 * 2 + 1.0 * 0.25) / (0.75 * 3 + 0.25)
    mean = 1 / (0.15 / precision + 0.85 / recall)
    expected = mean * (1 - 0.6 * (2 / 3) ** 0.2)
    assert value(english(folder), "the dog saw cats", "cats saw the mouse") == pytest.approx(
        1 / (0.15 / precision + 0.85 / recall) * (1 - 0.6 * (3 / 3) ** 0.2), abs=1e-15
    )
    assert value(english(folder), "the dog x cats", "the dog y cats") == pytest.approx(expected, abs=1e-15)


def test_an_output_that_is_the_reference(folder):
    assert value(english(folder), "a b c", "a b c") == 1
    assert value(english(folder), "a", "a") == 1


def test_no_match_and_no_words(folder):
    assert value(english(folder), "x y", "a b") == 0
    assert value(english(folder), "", "a b") == 0
    assert math.isnan(value(english(folder), "a b", ""))


def test_the_best_reference_counts(folder):
    made = english(folder)
    one, other = value(made, "a b c", "x b y"), value(made, "a b c", "a b z")
    assert value(made, "a b c", "x b y", "a b z") == max(one, other) == other


def test_matches_count_characters(folder):
    testset = load(outputs={"x": ["the houses 😀"]}, references={"r": ["the mouse"]})
    row = english(folder, characters=True, tok="space").statistics(testset, Runtime())[0, 0]
    columns = dict(zip(english(folder).columns, row.tolist(), strict=True))
    assert (columns["output_length"], columns["reference_length"]) == (11, 8)  # UTF-16, as Java counts
    assert (columns["output_function_length"], columns["exact_output_function"]) == (3, 3)
    assert (columns["chunks"], columns["output_matches"], columns["reference_matches"]) == (1, 1, 1)


def test_columns(folder):
    assert len(english(folder).columns) == 23
    testset = load(outputs={"x": ["home is big"]}, references={"r": ["the house is large"]})
    row = english(folder).statistics(testset, Runtime())[0, 0]
    counted = {name: count for name, count in zip(english(folder).columns, row.tolist(), strict=True) if count}
    assert counted == {
        "output_length": 3,
        "reference_length": 4,
        "reference_function_length": 1,
        "exact_output_content": 1,
        "exact_reference_content": 1,
        "paraphrase_output_content": 2,
        "paraphrase_reference_content": 2,
        "paraphrase_reference_function": 1,
        "output_matches": 3,
        "reference_matches": 4,
    }  # no chunks: all words are matched, in one chunk


def test_a_corpus_is_the_sum_of_its_segments(folder):
    spec = f"meteor:language=en,modules={WITHOUT_STEMS},files={folder}"
    outputs, references = ["the cat", "kids run home"], ["the cat sat", "the children sprint"]
    run = score(load(outputs={"x": outputs}, references={"r": references}), spec, agg="corpus,segment", resamples=0)[
        spec
    ]
    made = metric.create(spec)
    table = made.statistics(load(outputs={"x": outputs}, references={"r": references}), Runtime())
    assert run.corpus["x"] == made.score(table.sum(axis=1))[0]
    assert np.allclose(run.segments["x"], made.score(table)[0])


def test_function_words(folder):
    testset = load(outputs={"x": ["the der"]}, references={"r": ["x"]})
    made = Meteor(language="de", modules="exact", files=folder)
    counts = [
        made.statistics(testset, Runtime())[0, 0, 2],
        Meteor(language="de", modules="exact", files=folder, function_words="own").statistics(testset, Runtime())[
            0, 0, 2
        ],
        Meteor(language="de", modules="exact", files="none").statistics(testset, Runtime())[0, 0, 2],
    ]
    assert counts == [1, 1, 0]


@pytest.mark.parametrize(
    ("options", "lp", "expected"),
    [
        ("", "de-en", "language=en,task=rank,modules=exact+stem+synonym+paraphrase,tok=TOK-en,files=FOLDER"),
        ("task=universal", "de-en", "language=en,task=universal,modules=exact+paraphrase,tok=TOK-en,files=FOLDER"),
        ("", "en-de", "language=de,task=rank,modules=exact+stem,tok=TOK-de,files=FOLDER"),
        ("", "en-cs", "language=cs,task=rank,modules=exact,tok=TOK-cs,files=FOLDER"),
        ("", "en-sv", "language=sv,task=li,modules=exact+stem,tok=space,files=FOLDER"),
        ("", "en-zh", "language=other,task=li,modules=exact,tok=space,files=FOLDER"),
        ("version=1.3", "en-ru",
         "language=ru,task=li,modules=exact+stem,tok=TOK-ru,files=FOLDER,version=1.3-unverified"),
    ],
)  # fmt: skip
def test_auto(folder, options, lp, expected):
    """What the language and the files decide is in the signature."""
    testset = load(outputs={"x": ["a"]}, references={"r": ["a"]}, lp=lp)
    made = metric.create(f"meteor:files={folder}" + (f",{options}" if options else ""))
    expected = re.sub(r"TOK-(\w+)", r"(meteor-\1:files=FOLDER)", expected).replace("FOLDER", folder)
    assert made.prepare(testset) == metric.create(f"meteor:{expected}")


def test_without_files(capsys):
    testset = load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp="de-en")
    prepared = Meteor(modules="exact").prepare(testset)
    assert (prepared.files, prepared.tok) == ("none", "meteor-en:files=none")
    assert prepared.resources == {"prefixes": "none"}
    (note,) = [note for note in prepared.advice(testset) if note.kind == NoteKind.MISSING]
    assert "without METEOR's files only the modules exact are used" in note.text
    assert "pycocoevalcap" in note.text
    assert score(testset, "meteor:modules=exact", resamples=0)["meteor:modules=exact"].corpus["x"] > 0


def test_the_signature_names_the_files(folder):
    spec = f"meteor:language=en,modules={WITHOUT_STEMS},files={folder}"
    run = score(load(outputs={"x": ["a b"]}, references={"r": ["a c"]}), spec, resamples=0)[spec]
    assert [key for key, _ in run.signature.resources] == ["paraphrases", "prefixes", "words"]


def test_notes(folder):
    unknown = load(outputs={"x": ["a b"]}, references={"r": ["a c"]})
    kinds = [note.kind for note in Meteor(files=folder, version="1.3").advice(unknown)]
    assert kinds == [NoteKind.PROVENANCE, NoteKind.ADVICE]
    chinese = load(outputs={"x": ["今天天气很好"]}, references={"r": ["今天天气不错"]}, lp="en-zh")
    assert any("meteor:tok=zh" in note.text for note in Meteor(files=folder).advice(chinese))


def test_other_stemmers_are_noted(folder, monkeypatch):
    monkeypatch.setattr("assay.metrics.meteor.stemmer_version", lambda: "PyStemmer-3.1.0")
    testset = load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp="de-en")
    assert any("PyStemmer-3.1.0 has other rules" in note.text for note in Meteor(files=folder).advice(testset))


@pytest.mark.parametrize(
    ("options", "lp", "message"),
    [
        ("task=adq", "en-de", "task=adq of meteor has no parameters for language=de"),
        ("task=rank", "en-zh", "task=rank of meteor has no parameters for language=other"),
        ("task=universal,version=1.3", "de-en", "no parameters for language=en in version 1.3"),
        ("modules=exact+synonym", "en-de", "task=rank of meteor has no weight of the module synonym for language=de"),
        ("modules=exact+stem,task=li", "en-zh", "METEOR has no stemmer for language=other"),
    ],
)
def test_options_that_do_not_go_together(options, lp, message):
    testset = load(outputs={"x": ["a"]}, references={"r": ["a"]}, lp=lp)
    with pytest.raises(ConfigError, match=message):
        score(testset, f"meteor:{options}", resamples=0)


@pytest.mark.parametrize("options", ["modules=stem", "modules=stem+exact", "language=xx", "task=best", "version=1.4"])
def test_bad_options(options):
    with pytest.raises(ConfigError):
        metric.create(f"meteor:{options}")


@pytest.mark.parametrize("modules", ["exact+paraphrase", "exact+synonym"])
def test_modules_without_their_files(modules):
    with pytest.raises(
        MissingExtraError, match=r"there (is no table of paraphrases|are no synonyms) for language=en"
    ) as caught:
        value(Meteor(language="en", modules=modules), "a", "b")
    assert "pycocoevalcap" in caught.value.hint


def test_variants_can_be_computed(folder):
    testset = load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp="de-en")
    made = english(folder)
    for name, values in made.variants(testset).items():
        for option in values:
            assert value(dataclasses.replace(made, **{name: option}), "a b", "a c") > 0


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", "tok=space,lowercase=no,characters=yes", "task=util,version=1.3"])
def test_the_contract(folder, options):
    check_metric(
        metric.create(f"meteor:language=en,modules={WITHOUT_STEMS},files={folder}" + (options and f",{options}"))
    )

"""METEOR: its modules, parameters and formula on a small made-up lexicon, its options, errors and notes."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError, MissingExtraError
from assay.lexicons.meteor_files import MeteorFiles
from assay.metrics import metric
from assay.metrics.meteor import Meteor
from assay.metrics.tokenized_texts import tokenize
from assay.testing import check_metric
from assay.types import NoteKind, as_column
from assay.types.runtime import Runtime
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


def table(made, testset):
    return made.prepare(testset).statistics(testset, Runtime(threads=1))


def value(made, output, *references):
    testset = load(outputs={"x": [output]}, references={f"r{i}": [text] for i, text in enumerate(references)})
    return made.prepare(testset).score(table(made, testset))[0, 0]


def matches(made, output, reference):
    found = made.alignment(output, reference)
    return [(" ".join(found.output[m.output]), " ".join(found.reference[m.reference]), m.module) for m in found.matches]


def test_alignments_of_columns(folder):
    """The matches of each pair are those of the two texts alone; absent texts have none."""
    references = ["Children sprint", "x", "a", "home"], ["kids", "x", None, "at the house"]
    outputs = ["Kids run", None, "", "at home"], ["x", "x y", "a", None]
    made = english(folder).prepare(load(outputs=["a"], references=["a"]))
    texts = tokenize(tuple(map(as_column, (*references, *outputs))), "space", lowercase=True)
    rows, starts = made.align(texts, 2, Runtime(threads=2))
    cells = [rows[a:b].tolist() for a, b in itertools.pairwise(starts.tolist())]
    expected = []
    for reference, output in itertools.product(references, outputs):
        for one, other in zip(reference, output, strict=True):
            is_absent = one is None or other is None
            alone = () if is_absent else dataclasses.replace(made, tok="space").alignment(other, one).matches
            expected.append([(match.reference.start, match.output.start) for match in alone])
    assert [[(row[0], row[2]) for row in cell] for cell in cells] == expected
    assert sum(map(len, expected)) > 4


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
    row = table(english(folder, characters=True, tok="space"), testset)[0, 0]
    columns = dict(zip(english(folder).columns, row.tolist(), strict=True))
    assert (columns["output_length"], columns["reference_length"]) == (11, 8)  # UTF-16, as Java counts
    assert (columns["output_function_length"], columns["exact_output_function"]) == (3, 3)
    assert (columns["chunks"], columns["output_matches"], columns["reference_matches"]) == (1, 1, 1)


def test_columns(folder):
    assert len(english(folder).columns) == 23
    testset = load(outputs={"x": ["home is big"]}, references={"r": ["the house is large"]})
    row = table(english(folder), testset)[0, 0]
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
    testset = load(outputs={"x": outputs}, references={"r": references})
    run = score(testset, spec, agg="corpus,segment", resamples=0)[spec]
    made = metric.create(spec).prepare(testset)
    rows = table(made, testset)
    assert run.corpus["x"] == made.score(rows.sum(axis=1))[0]
    assert np.allclose(run.segments["x"], made.score(rows)[0])


def test_function_words(folder):
    """The English list has `the`, the German one `der` and `die`."""
    testset = load(outputs={"x": ["the der die"]}, references={"r": ["x"]})

    def count(**options):
        made = Meteor(language="de", modules="exact", **options)
        return table(made, testset)[0, 0, made.columns.index("output_function_length")]

    assert count(files=folder) == 1
    assert count(files=folder, function_words="own") == 2
    assert count(files="none") == 0


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
         "language=ru,task=li,modules=exact+stem,tok=TOK-ru,files=FOLDER,version=1.3"),
    ],
)  # fmt: skip
def test_auto(folder, options, lp, expected):
    """What the language and the files decide is in the signature."""
    testset = load(outputs={"x": ["a"]}, references={"r": ["a"]}, lp=lp)
    made = metric.create(f"meteor:files={folder}" + (f",{options}" if options else ""))
    expected = re.sub(r"TOK-(\w+)", r"(meteor-\1:files=FOLDER)", expected).replace("FOLDER", folder)
    assert made.prepare(testset) == metric.create(f"meteor:{expected}")


@pytest.mark.warns("files were not found")
def test_without_files():
    testset = load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp="de-en")
    prepared = Meteor(modules="exact").prepare(testset)
    assert (prepared.files, prepared.tok, prepared.function_words) == ("none", "meteor-en:files=none", "none")
    assert prepared.resources == {"jar": "none"}
    (note,) = [note for note in prepared.advice(testset) if note.kind == NoteKind.MISSING]
    assert note.text == (
        "METEOR's files were not found: scored without METEOR's function words; not comparable with published METEOR "
        "scores"
    )  # the modules are the user's choice
    assert score(testset, "meteor:modules=exact", resamples=0)["meteor:modules=exact"].corpus["x"] > 0


def test_the_signature_names_the_files(folder):
    spec = f"meteor:language=en,modules={WITHOUT_STEMS},files={folder}"
    run = score(load(outputs={"x": ["a b"]}, references={"r": ["a c"]}), spec, resamples=0)[spec]
    assert [key for key, _ in run.signature.resources] == ["jar", "paraphrases"]


def test_the_signature_names_the_files_of_the_tokeniser_if_they_are_others(folder, tmp_path):
    other = meteor_folder.write(tmp_path / "other", {"function/english.words": "x"})
    made = english(folder, tok=f"meteor-en:files={other}")
    jars = made.resources["jar"].split("+")
    assert jars == [MeteorFiles(Path(path)).jar.digest for path in (other, folder)]
    assert len(set(jars)) == 2


def test_modules_can_be_named_without_the_language(folder):
    """Which is then that of the test set: the table of paraphrases is not looked for before."""
    spec = f"meteor:modules={WITHOUT_STEMS},files={folder}"
    run = score(load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp="de-en"), spec, resamples=0)[spec]
    assert "paraphrases" in dict(run.signature.resources)
    german = load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp="en-de")
    with pytest.raises(MissingExtraError, match="no paraphrase table found for language=de"):
        score(german, f"meteor:modules=exact+paraphrase,files={folder}", resamples=0)


def test_notes(folder):
    unknown = load(outputs={"x": ["a b"]}, references={"r": ["a c"]})
    kinds = [note.kind for note in Meteor(files=folder, version="1.3").prepare(unknown).advice(unknown)]
    assert kinds == [NoteKind.ADVICE, NoteKind.PROVENANCE]
    croatian = load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp="en-hr")
    texts = [note.text for note in Meteor(files=folder).prepare(croatian).advice(croatian)]
    assert texts[0] == "METEOR does not know the language hr: as in its program, only exact matches are used"
    chinese = load(outputs={"x": ["今天天气很好"]}, references={"r": ["今天天气不错"]}, lp="en-zh")
    assert any("meteor:tok=zh" in note.text for note in Meteor(files=folder).prepare(chinese).advice(chinese))


@pytest.mark.warns("files were not found|METEOR's")
@pytest.mark.parametrize(
    ("options", "lp", "reason", "without", "remedy"),
    [
        ("files=FOLDER", "en-de", "there is no paraphrase table for language=de", "paraphrase module", ""),
        ("files=FOLDER", "en-cs", "there is no paraphrase table for language=cs", "paraphrase module", ""),
        ("files=FOLDER,task=universal", "en-fr", "there is no paraphrase table for language=fr", "paraphrase module",
         ""),
        ("files=BARE", "de-en", "there is no paraphrase table for language=en", "paraphrase module",
         "; put paraphrase-en.gz of the package pycocoevalcap into the folder data of BARE"),
        ("files=none", "de-en", "files=none", "synonym and paraphrase modules and function words", ""),
        ("", "de-en", "METEOR's files were not found", "synonym and paraphrase modules and function words",
         "; pip install pycocoevalcap, or put METEOR's folder into the resource folder as meteor-1.5"),
        ("", "en-sv", "METEOR's files were not found", "function words",
         "; pip install pycocoevalcap, or put METEOR's folder into the resource folder as meteor-1.5"),
    ],
)  # fmt: skip
def test_what_is_missing_is_noted(folder, tmp_path, options, lp, reason, without, remedy):
    pytest.importorskip("Stemmer")
    bare = meteor_folder.write(tmp_path / "bare")
    (tmp_path / "bare" / "data" / "paraphrase-en.gz").unlink()
    options, remedy = (text.replace("FOLDER", folder).replace("BARE", bare) for text in (options, remedy))
    testset = load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp=lp)
    notes = score(testset, f"meteor:{options}" if options else "meteor", resamples=0).notes
    (note,) = [note for note in notes if note.kind == NoteKind.MISSING]
    assert note.text == (
        f"{reason}: scored without METEOR's {without}; not comparable with published METEOR scores{remedy}"
    )
    assert note.severity == "warning"


@pytest.mark.parametrize(
    ("options", "lp"),
    [
        *(("files=FOLDER", "de-en"), ("files=FOLDER,modules=exact", "en-de"), ("files=none,modules=exact", "de-en")),
        *(("files=FOLDER,language=other,tok=space", "en-hr"), ("files=FOLDER,modules=exact,tok=13a", "en-hr")),
    ],
)
def test_no_note_on_what_the_user_chose(folder, options, lp):
    pytest.importorskip("Stemmer")
    testset = load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp=lp)
    assert list(metric.create(f"meteor:{options}".replace("FOLDER", folder)).prepare(testset).advice(testset)) == []


@pytest.mark.parametrize(
    ("lp", "language"),
    [
        *(("en-cs", "cs"), ("en-deu", "de"), ("eng-deu", "de"), ("en-ger", "de"), ("en-nb", "no"), ("en-nob", "no")),
        *(("en-nn", "other"), ("en-de_AT", "de"), ("en-hr", "other")),
    ],
)
def test_codes_of_languages(folder, lp, language):
    testset = load(outputs={"x": ["a"]}, references={"r": ["a"]}, lp=lp)
    assert Meteor(files=folder).prepare(testset).language == language


def test_the_option_language_takes_the_same_codes():
    assert [Meteor(language=code).language for code in ("cz", "deu", "nb", "other")] == ["cs", "de", "no", "other"]


@pytest.mark.parametrize("lp", ["en-hr", "en-sv"])
def test_texts_of_languages_without_a_normaliser(folder, lp):
    testset = load(outputs={"x": ["word."]}, references={"r": ["word"]}, lp=lp)
    texts = [note.text for note in Meteor(files=folder, modules="exact").prepare(testset).advice(testset)]
    assert texts == [
        f"METEOR has no tokeniser for {lp[3:]}: words are split at white space, and 'word.' differs from 'word'; use "
        "meteor:tok=13a unless the texts are tokenised"
    ]
    assert value(Meteor(language="other", modules="exact", tok="13a"), "word.", "word") > 0


@pytest.mark.parametrize(
    ("text", "words"), [("a\tb", 2), ("a\rb\fc\n", 3), ("a\u00a0b", 1), ("a\vb", 1), ("\t a \t", 1)]
)
def test_white_space(folder, text, words):
    """As METEOR's program splits these texts: at spaces, tabs, line ends and form feeds (Java's StringTokenizer)."""
    made = english(folder, tok="space")
    assert len(made.alignment(text, "x").output) == words
    testset = load(outputs={"x": [text]}, references={"r": ["x"]})
    assert table(made, testset)[0, 0, made.columns.index("output_length")] == words


def test_version_1_3_is_labelled(folder):
    spec = f"meteor:language=en,modules=exact,files={folder},version=1.3"
    run = score(load(outputs={"x": ["a b"]}, references={"r": ["a c"]}), spec, resamples=0)[spec]
    assert dict(run.signature.resources)["definition"] == "1.3-unverified"
    with pytest.raises(ConfigError, match=r"expected 1\.5 or 1\.3"):
        metric.create("meteor:version=1.3-unverified")


def test_finnish_stems_differ(folder):
    testset = load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp="en-fi")
    texts = [note.text for note in Meteor(files=folder).prepare(testset).advice(testset)]
    assert "about 1 % of stems differ from those of METEOR's program" in texts


def test_other_stemmers_are_noted(folder, monkeypatch):
    monkeypatch.setattr("assay.metrics.meteor.stemmer_version", lambda: "PyStemmer-3.1.0")
    testset = load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp="de-en")
    (note,) = Meteor(files=folder).prepare(testset).advice(testset)
    assert note.text == (
        'PyStemmer-3.1.0 differs from METEOR\'s stemmers; install PyStemmer 2: pip install "PyStemmer>=2,<3"'
    )


@pytest.mark.parametrize(
    ("options", "lp", "message"),
    [
        ("task=adq", "en-de", "meteor has no parameters for task=adq and language=de"),
        ("task=rank", "en-zh", "meteor has no parameters for task=rank and language=other"),
        ("task=universal,version=1.3", "de-en", "no parameters for task=universal and language=en in version 1.3"),
        ("modules=exact+synonym", "en-de", "meteor: task=rank has no weight for the module synonym with language=de"),
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


@pytest.mark.parametrize(
    ("module", "language", "message", "hint"),
    [
        ("paraphrase", "en", "no paraphrase table found for language=en", "pip install pycocoevalcap"),
        ("paraphrase", "de", "no paraphrase table found for language=de", "only the English table is still available"),
        ("synonym", "en", "no synonyms found for language=en", "pip install pycocoevalcap"),
        ("synonym", "de", "no synonyms found for language=de", "only English has synonyms"),
    ],
)
def test_modules_without_their_files(module, language, message, hint):
    """The hint names something that helps."""
    with pytest.raises(MissingExtraError, match=message) as caught:
        value(Meteor(language=language, task="li", modules=f"exact+{module}"), "a", "b")
    assert caught.value.hint.startswith(hint)


def test_variants_can_be_computed(folder):
    testset = load(outputs={"x": ["a b"]}, references={"r": ["a c"]}, lp="de-en")
    made = english(folder).prepare(testset)
    for name, values in made.variants(testset).items():
        for option in values:
            assert value(dataclasses.replace(made, **{name: option}), "a b", "a c") > 0


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", "tok=space,lowercase=no,characters=yes", "task=util,version=1.3"])
def test_the_contract(folder, options):
    check_metric(
        metric.create(f"meteor:language=en,modules={WITHOUT_STEMS},files={folder}" + (options and f",{options}"))
    )

"""Hjerson's error classes by hand, and against stored results of hjerson.py."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from assay import _core, load, score
from assay.errors import ConfigError, InputError
from assay.metrics import metric
from assay.testing import check_metric, sample_testset
from assay.types import TestSet, as_column

GOLDEN = json.loads((Path(__file__).parents[1] / "golden/hjerson.json").read_text(encoding="utf-8"))
TEXTS = GOLDEN["input"]
PRINTED = {  # our columns, as hjerson.py calls their rates
    "inflection": "hypINFer",
    "order": "hypRer",
    "extra": "EXTer",
    "lexical": "hypLEXer",
    "reference_inflection": "refINFer",
    "reference_order": "refRer",
    "missing": "MISer",
    "reference_lexical": "refLEXer",
}
CATEGORIES = {"infl": "inflection", "reord": "order", "miss": "missing", "ext": "extra", "lex": "lexical"}


def golden_texts(*, has_bases):
    words = {"x": TEXTS["hyp"], "ref": TEXTS["ref"]}
    bases = {"x": TEXTS["hyp_base"], "ref": TEXTS["ref_base"]}
    return TestSet(
        outputs={"x": TEXTS["hyp"]},
        references={"ref": TEXTS["ref"]},
        annotations={"tokens": words, "lemma": bases} if has_bases else {},
    )


def scored(spec, texts, **options):
    """With further options, if any are given: those that only some of the stored results have."""
    name, _, given = spec.partition(":")
    given = ",".join(filter(None, [given, *(f"{key}={value}" for key, value in options.items())]))
    spec = f"{name}:{given}" if given else name
    return score(texts, spec, resamples=0, agg="corpus,segment")[spec]


def printed(lines, segment=""):
    """Name → (count, rate) of one sentence, or of all."""
    rows = (re.fullmatch(rf"{segment}(\w+): *\t(\d+)\t([\d.]+)", line) for line in lines)
    return {row[1]: (int(row[2]), float(row[3])) for row in rows if row}


@pytest.mark.parametrize("has_bases", [True, False])
def test_all_counts_and_rates(has_bases):
    lines = GOLDEN["stdout_with_bases_and_sentences" if has_bases else "stdout_without_bases"]
    found = scored("hjerson", golden_texts(has_bases=has_bases), base="lemma" if has_bases else "letters")
    sources = [(f"{i + 1}::", found.statistics.table[0, i]) for i in range(3 * has_bases)]
    for segment, row in [*sources, ("", found.statistics.table[0].sum(axis=0))]:
        expected, counts = printed(lines, segment), dict(zip(found.statistics.columns, row.tolist(), strict=True))
        for column, name in PRINTED.items():
            assert counts[column] == expected[name][0], (segment, column)
            assert counts[f"{column}_blocks"] == expected[f"b{name}"][0], (segment, column)
            is_of_reference = column == "missing" or column.startswith("reference")
            length = counts["reference_length" if is_of_reference else "output_length"]
            for key, printed_name in ((column, name), (f"{column}_blocks", f"b{name}")):
                if segment and printed_name == "refINFer":
                    continue  # the program prints the rate of Rper beside this count of a sentence
                rate = expected[printed_name][1]
                assert 100 * counts[key] / length == pytest.approx(rate, abs=0.0051), (segment, key)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        *(("hjerson", "SUMerr"), ("hjerson:blocks=all", "bSUMerr"), ("hjerson:blocks=order", "rbSUMerr")),
        *(
            ("hjerson:error=inflection", "hypINFer"),
            ("hjerson:error=order", "hypRer"),
            ("hjerson:error=extra", "EXTer"),
        ),
        *(("hjerson:error=missing", "MISer"), ("hjerson:error=lexical", "hypLEXer")),
        *(("hjerson:error=inflection,blocks=all", "bhypINFer"), ("hjerson:error=lexical,blocks=order", "hypLEXer")),
    ],
)
def test_rates(spec, name):
    lines = GOLDEN["stdout_with_bases_and_sentences"]
    found = scored(spec, golden_texts(has_bases=True), base="lemma")
    assert found.corpus["x"] == pytest.approx(printed(lines)[name][1], abs=0.0051)
    for segment in range(3):
        expected = printed(lines, f"{segment + 1}::")[name][1]
        assert found.segments["x"][segment] == pytest.approx(expected, abs=0.0051)
    assert not found.higher_is_better
    without = scored(spec, golden_texts(has_bases=False))
    assert without.corpus["x"] == pytest.approx(printed(GOLDEN["stdout_without_bases"])[name][1], abs=0.0051)


def test_labels():
    texts = golden_texts(has_bases=True)
    found = metric.create("hjerson:base=lemma").prepare(texts).word_labels(texts)
    for line in GOLDEN["categories"]:
        number, side, words = re.fullmatch(r"(\d)::(ref|hyp)-err-cats: (.*) ", line).groups()
        pairs = [word.split("~~") for word in words.split()]
        expected = [[word, CATEGORIES[category]] for word, category in pairs if category != "x"]
        segment = int(number) - 1
        reference, spans = found.references["x"][segment]
        assert reference == "ref"
        text = texts.references["ref"][segment] if side == "ref" else texts.outputs["x"][segment]
        spans = spans if side == "ref" else found.outputs["x"][segment]
        assert [[text[start:end], found.names[label]] for start, end, label in spans] == expected


def test_labels_of_changed_texts():
    texts = load(outputs={"x": ["The Café, closed"]}, references=["the cafe, open"])
    spec = metric.create("hjerson:tok=13a,lowercase=yes").prepare(texts)
    assert spec.word_labels(texts).outputs["x"] == {0: ((4, 8, 4), (10, 16, 4))}


@pytest.mark.parametrize(
    ("options", "output", "reference", "expected"),
    [
        ("tok=13a", 'say &quot;yes&quot; and "no" now', "say yes and no then", ["&quot;", "&quot;", '"', '"', "now"]),
        ("lowercase=yes", "The İstanbul cat", "the Istanbul dog", ["İstanbul", "cat"]),
    ],
)
def test_labels_are_at_the_words_they_belong_to(options, output, reference, expected):
    texts = load(outputs={"x": [output]}, references=[reference])
    labels = metric.create(f"hjerson:{options}").prepare(texts).word_labels(texts)
    assert [output[start:end] for start, end, _ in labels.outputs["x"][0]] == expected


def test_labels_do_not_depend_on_threads():
    columns = as_column(["a b c", None, "c a"] * 50), as_column(["a c b", "x", None] * 50)
    arguments = (columns[:1], columns, (), (), "none")
    assert _core.hjerson_labels(*arguments, threads=1) == _core.hjerson_labels(*arguments, threads=4)


def test_the_reference_with_the_lowest_wer_counts():
    references = {"A": ["x y", "a"], "B": ["a b c d", None], "C": ["a b", "b"]}
    found = scored("hjerson", load(outputs={"x": ["a b", "b"]}, references=references))
    assert found.statistics.table[0, :, :2].tolist() == [[2, 2], [1, 1]]
    assert found.segments["x"].tolist() == [0, 0]
    absent = scored("hjerson", load(outputs={"x": ["a", None]}, references=["a", "b"]))
    assert absent.statistics.table[0, 1].tolist() == [0] * 18


@pytest.mark.warns("nothing was scored")
def test_empty_texts():
    found = scored("hjerson", load(outputs={"x": ["", "a", ""]}, references=["a b", "", ""]))
    assert found.segments["x"][0] == 100
    assert math.isnan(found.segments["x"][1])
    nothing = scored("hjerson", load(outputs={"x": ["a"]}, references=[""])).corpus.estimate("x")
    assert nothing.reason == "the references are empty"


def test_the_first_four_letters_are_the_base_form():
    found = scored("hjerson:error=inflection", load(outputs={"x": ["walking cats"]}, references=["walked cat"]))
    assert found.statistics.table[0, 0, 2] == 1
    assert found.corpus["x"] == 50


def annotated(**layers):
    """One segment of a system x and a reference A, with the values of these layers."""
    return TestSet(outputs={"x": ["Don't go."]}, references={"A": ["Do not go."]}, annotations=layers)


def test_scores_do_not_depend_on_layers_that_were_not_asked_for():
    """Another metric of the command may have loaded them."""
    with_layer, without = (scored("hjerson", golden_texts(has_bases=has_bases)) for has_bases in (True, False))
    assert with_layer.statistics.table.tolist() == without.statistics.table.tolist()
    assert with_layer.signature == without.signature


def test_layers_are_needed_if_they_are_asked_for():
    both = {"x": ["a"], "A": ["a"]}
    for layer, columns in (("tokens", {"lemma": both}), ("lemma", {"tokens": both})):
        with pytest.raises(InputError, match=f"needs the annotation layer '{layer}'"):
            scored("hjerson:base=lemma", annotated(**columns))


def test_words_are_those_that_the_base_forms_belong_to():
    """White space splits these texts into other words than the tagger does."""
    tokens = {"x": ["Do n't go ."], "A": ["Do not go ."]}
    texts = annotated(tokens=tokens, lemma={"x": ["do not go ."], "A": ["do not go ."]})
    found = scored("hjerson:base=lemma", texts)
    assert found.statistics.table[0, 0, :3].tolist() == [4, 4, 1]
    assert "|base:lemma|" in str(found.signature)
    labels = metric.create("hjerson:base=lemma").prepare(texts).word_labels(texts)
    assert labels.outputs["x"] == {0: ((2, 5, 0),)}
    assert labels.references["x"] == {0: ("A", ((3, 6, 0),))}


def test_words_of_the_layer_without_case():
    layers = {"tokens": {"x": ["GO"], "A": ["go"]}, "lemma": {"x": ["go"], "A": ["go"]}}
    assert scored("hjerson:base=lemma", annotated(**layers)).corpus["x"] == 100
    assert scored("hjerson:base=lemma,lowercase=yes", annotated(**layers)).corpus["x"] == 0
    layers = {"tokens": {"x": ["house"], "A": ["Houses"]}, "lemma": {"x": ["house"], "A": ["House"]}}
    found = scored("hjerson:base=lemma,lowercase=yes,error=inflection", annotated(**layers))
    assert found.corpus["x"] == 100  # base forms are compared without case, too


def test_every_word_needs_a_base_form():
    texts = TestSet(
        outputs={"x": ["a b", "a b"]},
        references={"A": ["a", "b"]},
        annotations={"tokens": {"x": ["a b", "a b"], "A": ["a", "b"]}, "lemma": {"x": ["a b", "a"], "A": ["a", "b"]}},
    )
    message = "line 2 of 'x' has 2 words in the annotation layer 'tokens', but 1 base form in the layer 'lemma'"
    with pytest.raises(InputError, match=message) as caught:
        scored("hjerson:base=lemma", texts)
    assert "base=letters" in caught.value.hint


def test_a_tokeniser_has_no_effect_on_lemmas():
    with pytest.raises(ConfigError, match="tok=13a requires base=letters"):
        metric.create("hjerson:base=lemma,tok=13a")
    texts = annotated()
    assert metric.create("hjerson:base=lemma").variants(texts)["tok"] == ("none",)
    assert "13a" in metric.create("hjerson").variants(texts)["tok"]


def test_a_text_that_is_too_long():
    words = "a " * 70_000
    with pytest.raises(InputError, match="line 2 is too long for hjerson: 70,000 words of the system 'x'"):
        scored("hjerson", load(outputs={"x": ["a", words]}, references=["a", words]))


def test_classes_share_their_statistics():
    texts = load(outputs={"x": ["a"]}, references=["b"])
    run = score(texts, ["hjerson", "hjerson:error=lexical", "hjerson:blocks=all"], resamples=0)
    tables = [run[spec].statistics.table for spec in run.metrics]
    assert tables[0] is tables[1] is tables[2]


def test_the_contract():
    sample = sample_testset()
    columns = {**sample.outputs, **sample.references}
    lemmas = {
        name: [" ".join(word[:2] for word in text.split()) for text in column] for name, column in columns.items()
    }
    texts = TestSet(
        outputs=sample.outputs,
        references=sample.references,
        sources=sample.sources,
        annotations={"tokens": columns, "lemma": lemmas},
    )
    check_metric(metric.create("hjerson:base=lemma"), texts)


@pytest.mark.parametrize("spec", ["hjerson:error=lex", "hjerson:blocks=yes", "hjerson:base=stem"])
def test_wrong_options(spec):
    with pytest.raises(ConfigError, match="expected"):
        metric.create(spec)

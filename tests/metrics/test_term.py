"""TERM: occurrences, terms and segments, lemmas, lists of segments, marks in reports."""

from __future__ import annotations

import json
import math

import pytest

import assay
from assay.errors import AnnotationError, ConfigError, InputError
from assay.metrics import metric
from assay.testing import check_metric

LIST = "central bank\tZentralbank|Notenbank\nbank\tBank\ninterest rate\tZinssatz\nrise\tsteigen|Bank\n"
SOURCES = ["The central bank and a bank set the interest rate, an interest rate.", "nothing", "Interest rate rise"]
OUTPUTS = {
    "right": ["Zentralbank und BANK: Zinssatz, Zinssatz.", "nichts", "Zinssatz steigen"],
    "part": ["Die Bank und die Notenbank: Zinssatzrisiko, Zinssatz.", "nichts", "Zinssätze"],
}


@pytest.fixture
def terms(tmp_path):
    path = tmp_path / "terms.tsv"
    path.write_text(LIST)
    return f"term:list={path}"


def run(spec, outputs=OUTPUTS, sources=SOURCES, **columns):
    testset = assay.load(sources=sources, outputs=outputs, lp="en-de", **columns)
    return assay.score(testset, spec, resamples=0)[spec]


@pytest.mark.parametrize(
    ("options", "right", "part"),
    [
        ("", 100, 100 * 3 / 6),
        (",unit=terms", 100, 100 * 3 / 5),
        (",unit=segments", 100, 0),
        (",lowercase=no", 100 * 4 / 5, 100 * 3 / 5),  # "Interest rate" is no term, "BANK" no translation
    ],
)
def test_values(terms, options, right, part):
    found = run(terms + options).corpus
    assert found.estimate("right").value == pytest.approx(right)
    assert found.estimate("part").value == pytest.approx(part)


def test_a_segment_without_terms_has_no_score(terms):
    result = run(terms)
    assert math.isnan(result.segments["right"][1])
    assert result.segments["part"].tolist()[::2] == [75, 0]


def test_a_text_is_for_one_term_only(terms):
    """Bank translates both `bank` and `rise`: one occurrence is enough for one of them."""
    result = run(terms, {"one": ["Bank"], "two": ["Bank Bank"], "other": ["Bank steigen"]}, ["bank rise"])
    assert [result.segments[name].tolist() for name in ("one", "two", "other")] == [[50], [100], [100]]


def test_extra_occurrences_do_not_count(terms):
    assert run(terms, {"x": ["Bank Bank Bank"]}, ["bank"]).corpus.estimate("x").value == 100


def test_no_terms_at_all(terms):
    with pytest.warns(assay.AssayWarning, match="no term of the list occurs in the source"):
        estimate = run(terms, {"x": ["a"]}, ["banking"]).corpus.estimate("x")
    assert math.isnan(estimate.value)


def test_the_list_is_in_the_signature(terms, tmp_path):
    first = str(run(terms).signature)
    (tmp_path / "terms.tsv").write_text(f"{LIST}more\tmehr\n")
    assert "list.digest:sha256-" in first
    assert str(run(terms).signature) != first


def lemma_layers(outputs):
    tokens = {name: [text.replace(".", " .") for text in texts] for name, texts in outputs.items()}
    return {
        "tokens": tokens,
        "lemma": {
            name: [text.replace("Zinssätze", "Zinssatz").replace("rates", "rate") for text in texts]
            for name, texts in tokens.items()
        },
    }


def test_lemmas(terms):
    outputs = {"x": ["Zinssätze.", "Zinssätze"]}
    sources = ["The interest rate.", "Interest rates."]
    annotations = lemma_layers({"source": sources, **outputs})
    expected = {"none": [0, None], "outputs": [100, None], "both": [100, 100]}
    for lemma, values in expected.items():
        found = run(f"{terms},lemma={lemma}", outputs, sources, annotations=annotations).segments["x"].tolist()
        assert [None if math.isnan(value) else value for value in found] == values, lemma


def test_lemmas_are_needed(terms):
    annotations = lemma_layers({"x": ["Zinssätze."]})
    with pytest.raises(ConfigError, match="needs the annotation layer 'tokens' of the source"):
        run(f"{terms},lemma=both", {"x": ["Zinssätze."]}, ["The interest rate."], annotations=annotations)
    annotations["lemma"]["x"] = ["Zinssatz . ."]
    with pytest.raises(AnnotationError, match=r"tokens and lemma have different lengths \(2 and 3\)"):
        run(f"{terms},lemma=outputs", {"x": ["Zinssätze."]}, ["The interest rate."], annotations=annotations)


def test_words_of_several_tokens_and_tokens_of_several_words(terms, tmp_path):
    (tmp_path / "terms.tsv").write_text("mail\te-mail schreiben\n")
    annotations = {"tokens": {"x": ["E-Mails schrieb's"]}, "lemma": {"x": ["e-mail schreiben_es"]}}
    found = run(f"{terms},lemma=outputs", {"x": ["E-Mails schrieb's"]}, ["mail"], annotations=annotations)
    assert found.corpus.estimate("x").value == 0  # schrieb's is three words, its lemma two
    annotations["lemma"]["x"] = ["e-mail schreiben_'_es"]
    found = run(f"{terms},lemma=outputs", {"x": ["E-Mails schrieb's"]}, ["mail"], annotations=annotations)
    assert found.corpus.estimate("x").value == 100


def by_segment(path, rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return f"term:list={path}"


def test_lists_by_text(tmp_path):
    rows = [
        {"en": "The bank.", "terms": {"bank": "Ufer"}},
        {"en": "The bank!", "terms": {"bank": ["Bank", "Institut"], "absent": "x"}},
    ]
    spec = by_segment(tmp_path / "x.jsonl", rows)
    outputs = {"x": ["Das Ufer", "Das Ufer", "Bank"]}
    with pytest.warns(assay.AssayWarning, match=r"1 of 3 sources is not in x\.jsonl, and has no terms"):
        found = run(spec, outputs, ["The bank.", "The bank!", "A bank?"])
    assert found.segments["x"].tolist()[:2] == [100, 0]
    assert math.isnan(found.segments["x"][2])


def test_lists_by_line(tmp_path):
    spec = by_segment(tmp_path / "x.txt", [{"bank": "Ufer"}, {}, {"bank": "Bank"}])
    outputs = {"x": ["Ufer", "y", "Bank"]}
    found = run(spec, outputs, ["A bank.", "The bank.", "A bank."])
    assert found.segments["x"].tolist()[::2] == [100, 100]  # equal sources have the terms of both
    assert "|lines.digest:" in str(found.signature)
    with pytest.raises(InputError, match="has the terms of 3 lines, but there are 2 segments"):
        run(spec, {"x": ["a", "b"]}, ["a", "b"])


def test_modes(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"proper": {"bank": ["Bank"]}, "random": {"the": ["die"]}}))
    for mode, expected in (("proper", 100), ("random", 0)):
        found = run(f"term:list={path},mode={mode}", {"x": ["Bank"]}, ["The bank"])
        assert found.corpus.estimate("x").value == expected


def test_marks(terms):
    testset = assay.load(sources=SOURCES, outputs=OUTPUTS, references={"ref": OUTPUTS["right"]}, lp="en-de")
    labels = metric.create(terms).prepare(testset).word_labels(testset)
    part = OUTPUTS["part"][0]
    assert [part[start:end] for start, end, _ in labels.outputs["part"][0]] == ["Bank", "Notenbank", "Zinssatz"]
    assert labels.references["part"][0] == ("ref", ((22, 30, 1), (32, 40, 1)))
    assert labels.references["right"][0] == ("ref", ())
    assert 1 not in labels.outputs["part"]


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", ",unit=terms", ",unit=segments,lowercase=no"])
def test_the_contract(terms, options):
    testset = assay.load(sources=SOURCES, outputs=OUTPUTS, references={"ref": OUTPUTS["right"]}, lp="en-de")
    check_metric(metric.create(terms + options), testset)


def test_errors(tmp_path):
    with pytest.raises(ConfigError, match="the metric term needs a terminology list"):
        run("term")
    with pytest.raises(InputError, match="is a folder"):
        run(f"term:list={tmp_path}")
    with pytest.raises(InputError, match="terminology list not found"):
        run(f"term:list={tmp_path}/x.tsv")
    with pytest.raises(ConfigError, match="unit"):
        metric.create("term:unit=words")
    testset = assay.load(references=["a"], outputs={"x": ["a"]}, lp="en-de")
    (tmp_path / "t.tsv").write_text(LIST)
    with pytest.raises(ConfigError, match="source"):
        assay.score(testset, f"term:list={tmp_path}/t.tsv")


def test_a_term_in_capitals_is_no_other_word(tmp_path):
    path = tmp_path / "us.tsv"
    path.write_text("US\tUSA|Vereinigte Staaten\nbank\tBank\n")
    sources = ["The US told us: let us, Us.", "THE BANK of the US"]
    outputs = {"x": ["Die Vereinigten Staaten", "Die BANK der Usa"], "y": ["Die USA", "Die Bank der USA"]}
    result = run(f"term:list={path}", outputs, sources)
    assert [result.segments[name].tolist() for name in ("x", "y")] == [[0, 100], [100, 100]]


def test_what_capitals_leave_out_is_noted(tmp_path):
    path = tmp_path / "us.tsv"
    path.write_text("US\tUSA\nIT\tIT\nbank\tBank\n")
    testset = assay.load(
        sources=["The US told us: let us; it is", "a Bank"], outputs={"x": ["USA", "Bank"]}, lp="en-de"
    )
    (note,) = [each for each in assay.score(testset, f"term:list={path}", resamples=0).notes if "capitals" in each.text]
    assert note.count == 3
    assert "stand 3 times in the sources in other letters" in note.text
    assert "(most often 'US': 2)" in note.text
    quiet = assay.score(testset, f"term:list={path},lowercase=no", resamples=0).notes
    assert not any("capitals" in each.text for each in quiet)


@pytest.mark.parametrize(
    ("term", "source"),
    [
        ("Moody's", "Moody’s"),
        ("Moody’s", "Moody's"),
        ("e-mail", "e‑mail"),
        ("ABC", "ＡＢＣ"),
        ("caf\u00e9", "cafe\u0301"),
    ],
)
def test_typography_does_not_count(tmp_path, term, source):
    path = tmp_path / "x.tsv"
    path.write_text(f"{term}\t{term}\n")
    assert run(f"term:list={path}", {"x": [source]}, [source]).corpus.estimate("x").value == 100


def test_soft_hyphens_do_not_count(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("bank\tZentralbank\n")
    assert run(f"term:list={path}", {"x": ["Zentral\u00adbank"]}, ["bank"]).corpus.estimate("x").value == 100

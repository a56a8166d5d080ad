"""METEOR's normaliser: its rules one after another, as regular expressions, and texts that METEOR itself normalised."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ConfigError
from assay.text import make_tokenizer, tokenizer_spec
from assay.text.meteor import LANGUAGES
from assay.types import as_column
from tests import meteor_folder

ALPHA = "A-Za-zÀ-ÖØ-öø-žЀ-ԧꙀ-ꙮ꙾-ꚗᴀ-ᵿ"
DIGIT = "0-9"
DOTS = "\uf8ff"  # a run of dots
PREFIXES = {"Mr": False, "No": True}
CONTRACTIONS = {
    "en": [
        (rf"([^{ALPHA}])'([^{ALPHA}])", r"\1 ' \2"),
        (rf"([^{ALPHA}{DIGIT}])'([{ALPHA}])", r"\1 ' \2"),
        (rf"([{ALPHA}])'([^{ALPHA}])", r"\1 ' \2"),
        (rf"([{ALPHA}])'([{ALPHA}])", r"\1 '\2"),
        (rf"([{DIGIT}])'(s)", r"\1 '\2"),
    ],
    "fr": [
        (rf"([^{ALPHA}])'([^{ALPHA}])", r"\1 ' \2"),
        (rf"([^{ALPHA}])'([{ALPHA}])", r"\1 ' \2"),
        (rf"([{ALPHA}])'([^{ALPHA}])", r"\1 ' \2"),
        (rf"([{ALPHA}])'([{ALPHA}])", r"\1' \2"),
    ],
}


def normalised(text, language, no_punct):
    """The rules of the specification."""
    text = re.sub(rf"([^{DIGIT}{ALPHA} \t\n\r\f\v.'`,\-‘’])", r" \1 ", f" {text} ")
    text = re.sub(r"\.\.+", lambda run: f" {DOTS * len(run[0])} ", text)
    for before, after in ((f"^{DIGIT}", f"^{DIGIT}"), (DIGIT, f"^{DIGIT}"), (f"^{DIGIT}", DIGIT)):
        text = re.sub(rf"([{before}]),([{after}])", r"\1 , \2", text)
    text = re.sub("[`‘’]", "'", text)
    text = re.sub("[“”]|''", ' " ', text).replace("–", "-").replace("--", "-")
    text = re.sub(rf"([{DIGIT}{ALPHA}.])-([{DIGIT}{ALPHA}])", r"\1 \2", text)
    for pattern, replacement in CONTRACTIONS.get(language, [("'", " ' ")]):
        text = re.sub(pattern, replacement, text)
    words = [word for word in re.split("[ \t\n\r\f]", text) if word]
    text = " ".join(map(_with_dot, words, [*words[1:], " "])).replace(DOTS, ".")
    if no_punct:
        text = re.sub(f"[^{DIGIT}{ALPHA}]", " ", text)
    text = re.sub("[ \u00a0\u2000-\u200a\u202f\u205f\u3000]+", " ", text)
    return text.strip("".join(map(chr, range(33))))


def _with_dot(word, following):
    if len(word) == 1 or not word.endswith("."):
        return word
    stem = word[:-1]
    if "." in stem and re.search(f"[{ALPHA}]", stem):
        return word.replace(".", "")
    only_numbers = PREFIXES.get(stem)
    keeps = re.match("[a-z]", following) or only_numbers is False or (only_numbers and re.match("[0-9]", following))
    return word if keeps else f"{stem} ."


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    prefixes = {f"nonbreaking/{name}.prefixes": "Mr\nNo #NUMERIC_ONLY#\n" for name in ("english", "french", "german")}
    return meteor_folder.write(tmp_path_factory.mktemp("meteor") / "folder", prefixes)


pieces = st.sampled_from(
    [*"aZéßж0 5.,-'`‘’“”–%中😀&\t\v\u00a0\u3000\x01", "..", "--", "''", "U.S.", "Mr.", "No.", "don't", "’s", "s ", " "]
)


@given(
    text=st.lists(pieces, max_size=25).map("".join),
    language=st.sampled_from(["en", "fr", "de"]),
    no_punct=st.booleans(),
)
def test_the_rules(folder, text, language, no_punct):
    found = make_tokenizer(f"meteor-{language}:files={folder},no_punct={'yes' if no_punct else 'no'}").cut(text)
    assert found == normalised(text, language, no_punct)


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        ("en", "Children don't like well-known U.S. politicians (e.g. Mr. Smith), he's told.",
         "Children don 't like well known US politicians ( eg Mr. Smith ) , he 's told ."),
        ("en", "He said 3.5% in 1,000 cases – “a record”... No. 5, no. 7.",
         'He said 3.5 % in 1,000 cases - " a record " ... No. 5 , no . 7 .'),
        ("fr", "L'élève n’a pas fini son travail à 3,5 %.", "L' élève n' a pas fini son travail à 3,5 % ."),
        ("de", "Er sagte: „Das ist gut“ – und ging.", 'Er sagte : „ Das ist gut " - und ging .'),
    ],
)  # fmt: skip
def test_lines_that_meteor_normalised(folder, language, line, expected):
    assert make_tokenizer(f"meteor-{language}:files={folder}").cut(line) == expected


def test_lower_case_comes_last(folder):
    change, core = make_tokenizer(f"meteor-en:files={folder}").reader(lowercase=True)
    assert (change("Mr. Smith slept."), core) == ("mr. smith slept .", "space")


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_columns_are_normalised_like_their_texts(folder, lowercase, threads):
    texts = ["Mr. Smith's ΟΔΟΣ İ.", None, "", "don't 😀 中"] * 100
    made = make_tokenizer(f"meteor-en:files={folder}")
    change, _ = made.reader(lowercase=lowercase)
    expected = [None if text is None else change(text) for text in texts]
    for column in (as_column(texts), as_column(texts)[1:]):
        assert list(made.read_column(column, lowercase=lowercase, threads=threads)) == expected[-len(column) :]


def test_without_the_abbreviations(folder):
    assert make_tokenizer("meteor-en:files=none").cut("Mr. Smith") == "Mr . Smith"
    assert make_tokenizer("meteor-en:files=none").resources == {"jar": "none"}
    assert make_tokenizer(f"meteor-en:files={folder}").resources["jar"].startswith("sha256-")


def test_names():
    assert tokenizer_spec("meteor-en:language=de,no_punct=yes") == "meteor-de-no-punct"
    assert {tokenizer_spec(f"meteor-{language}") for language in LANGUAGES} == {f"meteor-{name}" for name in LANGUAGES}
    with pytest.raises(ConfigError, match="language"):
        make_tokenizer("meteor-en:language=tr")

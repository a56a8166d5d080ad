"""Terminology lists in every format, and twenty files that are refused with their places."""

from __future__ import annotations

import pytest

from assay.errors import AssayError, ConfigError
from assay.lexicons.term_files import read_term_list
from tests.lexicons.test_tbx import VERSION_2

BANK = (("central bank", ("Zentralbank", "Notenbank")),)
RANDOM = (("the", ("die",)),)


@pytest.fixture
def read(tmp_path):
    def read(name, content, mode="proper", languages=("en", "de")):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_term_list(path, content if isinstance(content, str) else content.hex(), mode, languages)

    return read


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.tsv", "# a comment\n\ncentral bank\tZentralbank|Notenbank\n"),
        ("x.tsv", "\ufeffSource\tTarget\r\ncentral  bank\tZentralbank\r\ncentral bank\t Notenbank \r\n"),
        ("x.json", '{"central bank": ["Zentralbank", "Notenbank"]}'),
        ("x.json", '{"proper": {"central bank": ["Zentralbank", "Notenbank"]}, "random": {"the": "die"}}'),
        ("x.json", '{"proper_terms": {"central bank": ["Zentralbank", "Notenbank"]}, "noterm": {}}'),
        ("x.json", '[{"source": "central bank", "target": ["Zentralbank", "Notenbank"]}]'),
        (
            "x.jsonl",
            '{"source": "central bank", "target": "Zentralbank"}\n{"source":"central bank","target":"Notenbank"}',
        ),
        ("x.tbx", VERSION_2),
        ("terms", VERSION_2),
    ],
)
def test_lists_for_all_segments(read, name, content):
    found = read(name, content)
    assert found.terms == BANK
    assert not found.is_by_segment


@pytest.mark.parametrize(
    "line",
    [
        '{"en": " A.\\n", "terms": {"the": "die"}}',
        '{"en": "A.", "de": "B.", "proper": {"x": "y"}, "random": {"the": "die"}, "noterm": {}}',
        '{"en": "A.", "proper_terms": {"x": "y"}, "random_terms": {"the": ["die"]}}',
        '{"source": "A.", "terms": {"proper": {"x": "y"}, "random": {"the": "die"}}}',
    ],
)
def test_lists_by_text(read, line):
    found = read("x.jsonl", f'{line}\n{{"source": "B.", "terms": {{}}}}\n', mode="random")
    assert found.by_text == {"A.": RANDOM, "B.": ()}


def test_the_terms_of_equal_texts_are_joined(read):
    lines = '{"en": "A.", "terms": {"the": "die"}}\n{"en": "A.", "terms": {"the": "der", "a": "ein"}}\n'
    assert read("x.jsonl", lines).by_text == {"A.": (("the", ("die", "der")), ("a", ("ein",)))}


def test_lists_by_line(read):
    assert read("x.txt", '{"the": "die"}\n{}\n[]\n').by_line == (RANDOM, (), ())


BAD = [
    ("x.tsv", "bank\tBank\nbank Bank\n", 2, "not a term and its translation: 'bank Bank'"),
    ("x.tsv", "bank\tBank\tnoun\n", 1, "not a term and its translation"),
    ("x.tsv", "bank\t\n", 1, "not a term and its translation"),
    ("x.tsv", "\tBank\n", 1, "not a term and its translation"),
    ("x.tsv", "# only a comment\n", None, "the terminology list has no terms"),
    ("x.tsv", "a\tb\nbank\tBank||Institut\n", 2, "an empty alternative among the translations"),
    ("x.tsv", b"a\tb\nb\xe4nk\tBank\n", 2, "not UTF-8"),
    ("x.json", '{"bank": "Bank",}', 1, "invalid JSON"),
    ("x.json", '{"bank": "Bank",\n"bank": "Institut"}', None, "duplicate key 'bank'"),
    ("x.json", '{"bank": 3}', None, "the term 'bank' has no translation, but 3"),
    ("x.json", '{"bank": []}', None, r"the term 'bank' has no translation, but \[\]"),
    ("x.json", '{"bank": ["Bank", " "]}', None, "the term 'bank' has no translation"),
    ("x.json", '{" ": "Bank"}', None, "an empty term, translated as 'Bank'"),
    ("x.json", '{"random": {"bank": "Bank"}}', None, "no list 'proper', only random"),
    ("x.json", '[{"source": "a", "target": "b"}, 3]', None, "row 2: expected a JSON object, not 3"),
    ("x.json", '"bank"', None, "expected terms, not bank"),
    ("x.jsonl", '{"bank": "Bank"}\n\n{}\n', 2, "an empty line"),
    ("x.jsonl", '{"en": "A.", "terms": {}}\n{"a": "b"}\n', 2, "this row has the terms of a line, those before have"),
    ("x.jsonl", '{"fr": "A.", "terms": {"a": "b"}}\n', 1, "no text in 'en', 'source' or 'src'"),
    ("x.jsonl", '{"en": 3, "terms": {"a": "b"}}\n', 1, "'en' is not a text: 3"),
    ("x.jsonl", '{"en": "A.", "random": {"a": "b"}}\n', 1, "no terms in 'terms', 'proper' or 'proper_terms' among"),
    ("x.jsonl", '{"en": "A.", "terms": {}}\n', None, "the terminology list has no terms"),
    ("x.tbx", "<a>\n<b></a>", 2, "invalid XML"),
]


@pytest.mark.parametrize(("name", "content", "line", "message"), BAD)
def test_faulty_files(read, tmp_path, name, content, line, message):
    with pytest.raises(AssayError, match=message) as error:
        read(name, content)
    assert (error.value.path, error.value.line) == (str(tmp_path / name), line)


@pytest.mark.parametrize(("name", "content"), [("x.tbx", VERSION_2), ("x.jsonl", '{"en": "A.", "terms": {"a": "b"}}')])
def test_a_language_pair_may_be_needed(read, name, content):
    with pytest.raises(ConfigError, match="is sorted by language, and the language pair is not known"):
        read(name, content, languages=None)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(AssayError, match="cannot be read: no such file"):
        read_term_list(tmp_path / "x.tsv", "", "proper", None)

"""Dictionaries in both formats: what is read from them, and what they find in texts."""

from __future__ import annotations

import pytest

from assay.errors import InputError, MissingExtraError
from assay.lexicons.connective_files import BUNDLED, find_dictionary, read_dictionary

PERL = r"""#!/usr/bin/perl
$EnConnectors="although|eventhough|^while| while|notyet";
@EnConnectorsSenses = ("althoughCONTRAST","whileCONTRAST","whileTEMPORAL");
$NotEnConnectors="in the meanwhile| a while|^a while|asthough";
$although = "pur|benché|^ma| ma|per quanto|anchese|sauf qu(e|'| ')|saufqu(e|'| ')|d('| ')un coup|puisqu(e|')";
$althoughCONTRAST = "^ma| ma|per";
$althoughCONCESSION	= "benché|anchese|sauf qu(e|'| ')";
$eventhough = "anche se|anchese";
$while = "mentre|mentre che|mentreche";
#$whileCAUSAL = "mentre";
$whileCONTRAST = "mentre";
$whileTEMPORAL = "mentre che";
$notyet = "non ancora";
our @EXPORT = qw($EnConnectors);
1;
"""


@pytest.fixture
def read(tmp_path):
    def read(text, suffix):
        path = tmp_path / f"dictionary{suffix}"
        path.write_bytes(text.encode())
        resource = find_dictionary(str(path))
        return read_dictionary(resource.path, resource.digest)

    return read


@pytest.mark.parametrize("pair", BUNDLED)
def test_our_dictionaries(pair):
    resource = find_dictionary(pair)
    dictionary = read_dictionary(resource.path, resource.digest)
    names = {"although", "though", "even though", "since", "while", "meanwhile", "yet", "not yet", "however"}
    assert set(dictionary.translations) == names
    for entries in dictionary.translations.values():
        forms = [entry.form for entry in entries]
        assert len(set(forms)) == len(forms)
        senses = set().union(*(entry.senses for entry in entries))
        assert senses <= {"contrast", "concession", "temporal", "causal", "adverb"}
    assert "as though" in dictionary.exceptions


def test_the_published_structure(read):
    dictionary = read(PERL, ".pl")
    assert set(dictionary.translations) == {"although", "even though", "while", "not yet"}
    senses = {entry.form: set(entry.senses) for entry in dictionary.translations["although"]}
    assert senses == {
        "pur": set(),
        "benché": {"concession"},
        "ma": {"contrast"},
        "perquanto": {"contrast"},  # `per` starts it
        "anchese": {"concession"},
        "saufque": {"concession"},
        "d'uncoup": set(),
        "puisque": set(),
    }
    source = "as though a while , even though it is not yet done while although"
    assert [connective.form for connective in dictionary.find_connectives(source)] == [
        "even though",
        "not yet",
        "while",
        "although",
    ]


def test_published_forms_are_found_as_the_program_finds_them(read):
    dictionary = read(PERL, ".pl")

    def forms(text, connective="although"):
        return [occurrence.form for occurrence in dictionary.find_translations(connective, text)]

    assert forms("oppur , somma ma") == ["pur", "ma"]  # inside a word, unless a space or ^ is before it
    assert forms("per  quanto, anche se anchese") == ["perquanto", "anchese", "anchese"]
    assert forms("mentre che mentre mentreche", "while") == ["mentreche", "mentre", "mentreche"]
    assert forms("sauf que sauf qu' il sauf qu'il saufque d'un coup d' un coup") == ["saufque"] * 4 + ["d'uncoup"] * 2
    assert forms("puisque puisqu'il puisqu' il") == ["puisque"] * 3
    assert forms("mas purx") == []


def test_whole_words_of_our_structure(read):
    dictionary = read("# made up\n\nWhile\tContrast\tZwar | in  dem\nwhile\tnot\ta while\n", ".tsv")
    translations = dictionary.find_translations("while", "(zwar) zwar, in\tDEM indem zwarten «in dem»")
    assert [(translation.form, translation.start) for translation in translations] == [
        *(("zwar", 1), ("zwar", 7), ("indem", 13), ("indem", 35))
    ]
    assert [connective.start for connective in dictionary.find_connectives("while A while")] == [0]


def test_lines_end_at_line_feeds(read):
    """Other separators are content, and a byte order mark is not."""
    dictionary = read("\ufeffwhile\tcontrast\tzwar\u2028x|in\x85dem\r\nsince\tcausal\tda\r\n", ".tsv")
    assert {name: len(entries) for name, entries in dictionary.translations.items()} == {"while": 2, "since": 1}
    assert [entry.form for entry in read(f"\ufeff{PERL}", ".pl").translations["not yet"]] == ["nonancora"]


@pytest.mark.parametrize("line", ["while\tcontrast", "while\t\tmais", "while contrast mais", "a\tb\tc\td"])
def test_lines_that_are_not_of_our_structure(read, line):
    with pytest.raises(InputError, match="not a connective, its sense and its translations") as caught:
        read(f"# made up\n{line}\n", ".tsv")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("text", "suffix"), [("", ".tsv"), ("# nothing\n", ".tsv"), ("1;\n", ".pl"), ('$EnConnectors="yet";', ".pl")]
)
def test_files_without_connectives(read, text, suffix):
    with pytest.raises(InputError, match="no connective with translations found"):
        read(text, suffix)


def test_unknown_senses(read):
    with pytest.raises(InputError, match=r"line 1: unknown sense 'contrst'") as caught:
        read("while\tcontrst\tmais\n", ".tsv")
    assert caught.value.hint == "did you mean 'contrast'?"


def test_files_that_cannot_be_read(tmp_path):
    path = tmp_path / "binary.tsv"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match=r"binary\.tsv, line 1: the dictionary is not UTF-8"):
        read_dictionary(path, "")
    with pytest.raises(InputError, match=r"absent\.tsv: the dictionary cannot be read: no such file or directory"):
        read_dictionary(tmp_path / "absent.tsv", "")
    with pytest.raises(InputError, match="is a folder, not a dictionary"):
        find_dictionary(str(tmp_path))
    with pytest.raises(MissingExtraError, match="dictionary of connectives not found: 'en-xx'"):
        find_dictionary("en-xx")

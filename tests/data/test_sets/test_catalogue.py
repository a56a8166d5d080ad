from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from sacrebleu.dataset import DATASETS

from assay.data.test_sets.catalogue import Place, public_test_set, public_test_sets
from assay.errors import ConfigError, UnknownNameError


@pytest.mark.parametrize("name", DATASETS)
def test_the_test_sets_of_sacrebleu_have_its_pairs_files_and_digests(name):
    ours, theirs = public_test_set(name), DATASETS[name]
    digests = dict(zip(theirs.data, theirs.md5, strict=True))
    assert list(ours.pairs) == list(theirs.langpairs)
    for lp, files in theirs.langpairs.items():
        pair = ours.pair(lp)
        members = [files["path"]] if isinstance(files, dict) else files
        assert len(pair.places) == len(members)
        for place, member in zip(pair.places, members, strict=True):
            assert digests[place.file.urls[0]] == place.file.md5
            assert _is_member(place, member)
        if ours.format == "wmt-xml":
            names = files["refs"] if isinstance(files, dict) else theirs.kwargs["refs"]
            assert pair.use == tuple(n if len(n) > 1 else f"ref{n}" for n in names)


def _is_member(place: Place, member: str) -> bool:
    """Whether a place is the file that sacreBLEU names: in an archive by its path, else by the end of its name."""
    column, _, path = member.rpartition(":")
    if place.member:
        return place.member == path and place.column == (int(column) if column else None)
    return path.endswith(place.file.file_name)


@pytest.mark.parametrize("testset", public_test_sets(), ids=lambda each: each.name)
def test_every_entry_is_complete(testset):
    assert testset.description
    assert testset.licence
    assert all(urlsplit(address).scheme == "https" for address in testset.cite)
    assert len(testset.cite) > 0
    codes = testset.languages[:2] or (testset.pairs or ["en-de_DE"])[0].split("-")
    for place in testset.pair("-".join(codes)).places:
        assert urlsplit(place.file.urls[0]).scheme == "https"
        assert "*" not in place.file.urls[0]
        assert place.file.folder.startswith("test-sets/")


@pytest.mark.parametrize(
    ("written", "name"),
    [("WMT23", "wmt23"), ("wmt24pp", "wmt24++"), ("flores_plus", "flores+"), ("FLORES+/dev", "flores+/dev")],
)
def test_spellings(written, name):
    assert public_test_set(written).name == name


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("ntrex", "did you mean 'ntrex-128'?"),
        ("newstest2023", "did you mean 'wmt23'?"),
        ("newstest2014", "did you mean 'wmt14'?"),
        ("wmt2019", "did you mean 'wmt19'?"),
        ("my-own-texts", "available: flores+, iwslt17, mtnt2019, ntrex-128, wmt08, "),
    ],
)
def test_a_misspelt_name(written, hint):
    with pytest.raises(UnknownNameError) as caught:
        public_test_set(written)
    assert caught.value.hint.startswith(hint)
    assert re.search(r"[?.] A test set of your own is given with ", caught.value.hint)


@pytest.mark.parametrize(
    ("name", "lp", "own"),
    [
        ("wmt24++", "en-de", "en-de_DE"),
        ("wmt24++", "en-fr_CA", "en-fr_CA"),
        ("ntrex-128", "en-de", "eng-deu"),
        ("ntrex-128", "deu-zho_TW", "deu-zho_TW"),
        ("flores+", "en-ja", "eng_Latn-jpn_Jpan"),
        ("flores+", "eng_Latn-ace_Arab", "eng_Latn-ace_Arab"),
        ("wmt25", "en-de", "en-de"),
    ],
)
def test_two_letter_codes(name, lp, own):
    assert public_test_set(name).pair(lp).lp == own


def test_regions_are_spelt_as_in_the_names_of_files():
    pair = public_test_set("ntrex-128").pair("eng-zho_TW")
    assert [place.file.file_name for place in pair.places] == [
        "newstest2019-src.eng.txt",
        "newstest2019-ref.zho-TW.txt",
    ]
    pair = public_test_set("ntrex-128").pair("de-en")
    assert [place.file.file_name for place in pair.places] == ["newstest2019-ref.deu.txt", "newstest2019-src.eng.txt"]


@pytest.mark.parametrize(
    ("name", "lp", "message"),
    [
        ("wmt24++", "en-fr", "choose one: en-fr_CA, en-fr_FR"),
        ("wmt23", "de-cs", "has no language pair 'de-cs'"),
        ("wmt23", "en-de_DE", "did you mean 'en-de'"),
        ("wmt23", "ende", "is not a language pair"),
        ("ntrex-128", "en-zh", "choose one: zho_CN, zho_TW"),
        ("flores+", "en-mk", "which variety of 'mk'"),
    ],
)
def test_unknown_pairs(name, lp, message):
    with pytest.raises(ConfigError, match=message):
        public_test_set(name).pair(lp)

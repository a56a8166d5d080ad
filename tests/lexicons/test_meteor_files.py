"""METEOR's folder is found by name, by path and in the package that has it, and read without running anything."""

from __future__ import annotations

import sys
import zipfile
from itertools import pairwise

import pytest

from assay.errors import InputError, MissingExtraError
from assay.lexicons.meteor_files import MeteorFiles, find_meteor_files
from assay.types import as_column
from tests import meteor_folder


@pytest.fixture
def files(tmp_path):
    return MeteorFiles(tmp_path / meteor_folder.write(tmp_path / "meteor"))


def test_word_lists(files):
    assert files.function_words("en") == {"the", "of", ",", ".", ""}
    assert files.function_words("tr") == {""}
    assert files.prefixes("en") == {"Mr": False, "No": True}
    assert files.prefixes("de") == {}


def test_paraphrases_and_synonyms(files):
    assert files.paraphrases("en").path.name == "paraphrase-en.gz"
    assert files.paraphrases("de") is None
    starts, synsets = files.synonyms.look_up(as_column(["kid", "children", "kids", "ran", "table", ""]))
    assert [synsets[a:b].tolist() for a, b in pairwise(starts)] == [
        [7, 8],
        [7],
        [7, 8],
        [20],
        [],
        [],
    ]


def test_the_resource_folder_comes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    meteor_folder.write(tmp_path / "meteor-1.5")
    assert find_meteor_files().folder == tmp_path / "meteor-1.5"


def test_the_package_is_found_and_not_imported(tmp_path, monkeypatch):
    package = tmp_path / "pycocoevalcap"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError")
    meteor_folder.write(package / "meteor")
    monkeypatch.syspath_prepend(tmp_path)
    assert find_meteor_files().folder == package / "meteor"
    assert "pycocoevalcap" not in sys.modules


def test_nothing_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert find_meteor_files() is None
    assert find_meteor_files("none") is None
    with pytest.raises(MissingExtraError, match="METEOR's folder not found: 'elsewhere'"):
        find_meteor_files("elsewhere")


def test_other_files_are_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="is not a folder"):
        find_meteor_files(str(tmp_path / "file"))
    with pytest.raises(InputError, match=r"no meteor\*\.jar found"):
        _ = MeteorFiles(tmp_path).jar
    (tmp_path / "meteor-1.5.jar").write_bytes(b"PK")
    with pytest.raises(InputError, match="is not a jar"):
        MeteorFiles(tmp_path).function_words("en")
    (tmp_path / "meteor-1.4.jar").touch()
    with pytest.raises(InputError, match=r"several meteor\*\.jar found"):
        _ = MeteorFiles(tmp_path).jar


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("function/english.words", lambda files: files.function_words("en")),
        ("nonbreaking/german.prefixes", lambda files: files.prefixes("de")),
        ("synonym/english.synsets", lambda files: files.synonyms),
    ],
)
def test_a_jar_without_its_word_lists_is_refused(tmp_path, name, read):
    lists = {key: text for key, text in meteor_folder.LISTS.items() if key != name}
    files = MeteorFiles(tmp_path / meteor_folder.write(tmp_path / "other", lists))
    with pytest.raises(InputError, match=f"meteor-1.5.jar: is not METEOR's jar: it has no {name}"):
        read(files)


def test_a_damaged_list_is_refused(files):
    with zipfile.ZipFile(files.jar.path, "w", zipfile.ZIP_DEFLATED) as jar:
        jar.writestr("function/english.words", "the\n" * 100)
    content = bytearray(files.jar.path.read_bytes())
    content[52:56] = b"\xff" * 4  # after the local header
    files.jar.path.write_bytes(content)
    with pytest.raises(InputError, match=r"the jar is damaged: function/english\.words cannot be read"):
        files.function_words("en")


def test_a_jar_that_is_replaced_is_read_again(files):
    assert files.function_words("en") > {"the"}
    with zipfile.ZipFile(files.jar.path, "w") as jar:
        jar.writestr("function/english.words", "a\n")
    assert files.function_words("en") == {"a", ""}


def test_a_jar_is_opened_once_for_a_list(files, monkeypatch):
    words = files.function_words("en")
    monkeypatch.setattr("zipfile.ZipFile", None)
    assert files.function_words("en") == words

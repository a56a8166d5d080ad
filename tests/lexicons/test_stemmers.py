"""Stems are those of METEOR's own stemmers. The expected ones were printed by the stemmers in meteor-1.5.jar."""

from __future__ import annotations

import sys
from importlib.metadata import version

import pytest

from assay.errors import MissingExtraError
from assay.lexicons import stemmers
from assay.lexicons.stemmers import stem, stemmer_version

OF_THE_JAR = {
    "de": "bedürfnisse bedurfniss bündnisses bundniss nissan nissan größe gross abgebildet abgebildet häuser haus",
    "en": "added ad jumping jump biologist biologist generously generous 's 's skies sky",
    "es": "canciones cancion",
    "fr": "ambiguïté ambiguït archaïques archaïqu aiguës aiguë aiguë aiguë bijoux bijoux drôles drôl c'est c'est",
    "ru": "безнадёжно безнадёжн боёв боёв вдохновлённо вдохновлён домами дом",
    "tr": "evlerinden ev",
}


@pytest.mark.parametrize("language", OF_THE_JAR)
def test_stems_of_the_jar(language):
    pytest.importorskip("Stemmer")
    if not stemmer_version().startswith("PyStemmer-2."):
        pytest.skip("only PyStemmer 2 has these rules")
    words = OF_THE_JAR[language].split()
    assert stem(words[::2], language) == words[1::2]


def test_the_version_is_that_of_the_package():
    """The module reports 2.0.1 for versions 2.0.1 to 3.0.0."""
    assert stemmer_version() == f"PyStemmer-{version('PyStemmer')}"


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    stemmers._stemmer.cache_clear()
    with pytest.raises(MissingExtraError, match="METEOR's stem module needs PyStemmer") as caught:
        stem(["words"], "en")
    assert (
        caught.value.hint
        == 'pip install ".[meteor]" in the folder of Assay, or choose modules without stem, such as modules=exact'
    )

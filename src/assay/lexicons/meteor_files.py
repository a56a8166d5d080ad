"""The files that METEOR comes with: word lists and synonyms in its jar, which is a zip file, and tables of paraphrases.

`meteor-1.5` is METEOR's folder, with `meteor-1.5.jar` and `data/paraphrase-en.gz`, in the resource folder; if it is not
there, the one in the PyPI package pycocoevalcap, if that is installed. Its code is neither imported nor run.
"""

from __future__ import annotations

import functools
import importlib.util
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay import _core
from assay.errors import InputError, MissingExtraError
from assay.files.resources import Resource, find_resource

__all__ = ["LANGUAGES", "METEOR_FILES", "NO_FILES", "MeteorFiles", "find_meteor_files"]

METEOR_FILES = "meteor-1.5"
"""The name of the resource."""
NO_FILES = "none"
"""Stands for no folder."""
LANGUAGES: Mapping[str, str] = {
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}
"""The languages that METEOR knows, and what it calls them."""
_PACKAGE = "pycocoevalcap"
_NUMERIC = "#NUMERIC_ONLY#"
_INCOMPLETE = "was it downloaded completely?"
_FOLDER_HINT = "give METEOR's own folder, with meteor-1.5.jar and the folder data"


@dataclass(frozen=True, slots=True)
class MeteorFiles:
    """METEOR's folder."""

    folder: Path

    @property
    def jar(self) -> Resource:
        """The jar, whose digest stands for all word lists."""
        jars = sorted(self.folder.glob("meteor*.jar"))
        if len(jars) != 1:
            count = "several" if jars else "no"
            raise InputError(f"{count} meteor*.jar found", path=str(self.folder), hint=_FOLDER_HINT)
        return Resource(jars[0].stem, jars[0])

    def paraphrases(self, language: str) -> Resource | None:
        """The table of paraphrases of a language, if it is there."""
        code = "cz" if language == "cs" else language
        names = (f"{place}paraphrase-{name}.gz" for place in ("data/", "") for name in (code, language))
        table = next((path for path in map(self.folder.joinpath, names) if path.is_file()), None)
        return None if table is None else Resource(f"paraphrase-{language}", table)

    def function_words(self, language: str) -> frozenset[str]:
        """The words that carry little content."""
        return _function_words(self.jar.path, self.jar.digest, f"function/{LANGUAGES.get(language, 'other')}.words")

    def prefixes(self, language: str) -> dict[str, bool]:
        """Words that end in a dot inside a sentence, and whether only before a number."""
        name = f"nonbreaking/{LANGUAGES.get(language, 'other')}.prefixes"
        lines = (line.split() for line in _lines(self.jar.path, name))
        return {words[0]: words[1:2] == [_NUMERIC] for words in lines if words and not words[0].startswith("#")}

    @property
    def synonyms(self) -> _core.Synonyms:
        """The English synonyms; METEOR has no others."""
        return _synonyms(self.jar.path, self.jar.digest)


def find_meteor_files(source: str = METEOR_FILES) -> MeteorFiles | None:
    """METEOR's folder by name or path; None for `none`, and for `meteor-1.5` if it cannot be found."""
    if source == NO_FILES:
        return None
    try:
        resource = find_resource(source, "METEOR's folder")
    except MissingExtraError:
        if source != METEOR_FILES:
            raise
        return _installed()
    if not resource.path.is_dir():
        raise InputError("is not a folder", path=str(resource.path), hint=_FOLDER_HINT)
    return MeteorFiles(resource.path)


def _installed() -> MeteorFiles | None:
    """The folder in the package, found without importing it."""
    package = importlib.util.find_spec(_PACKAGE)
    places = [] if package is None else package.submodule_search_locations or []
    return next((MeteorFiles(Path(place) / "meteor") for place in places if (Path(place) / "meteor").is_dir()), None)


# What is in a jar is kept while the jar has the same digest.


@functools.cache
def _synonyms(jar: Path, digest: str) -> _core.Synonyms:
    return _core.Synonyms(*(_read(jar, f"synonym/english.{kind}") for kind in ("synsets", "exceptions")))


@functools.cache
def _function_words(jar: Path, digest: str, name: str) -> frozenset[str]:
    return frozenset(_lines(jar, name))


def _lines(jar: Path, name: str) -> list[str]:
    """The lines of a file in the jar."""
    return _read(jar, name).decode("utf-8", "replace").split("\n")


def _read(jar: Path, name: str) -> bytes:
    with _opened(jar) as archive:
        try:
            return archive.read(name)
        except KeyError as error:
            raise InputError(f"is not METEOR's jar: it has no {name}", path=str(jar), hint=_FOLDER_HINT) from error
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise InputError(f"the jar is damaged: {name} cannot be read", path=str(jar), hint=_INCOMPLETE) from error


def _opened(jar: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(jar)
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"is not a jar: {str(error).lower()}", path=str(jar), hint=_INCOMPLETE) from error

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
from assay.resources import Resource, find_resource

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


@dataclass(frozen=True, slots=True)
class MeteorFiles:
    """METEOR's folder."""

    folder: Path

    @property
    def jar(self) -> Resource:
        """The jar, whose digest stands for all word lists."""
        jars = sorted(self.folder.glob("meteor*.jar"))
        if len(jars) != 1:
            hint = "give METEOR's own folder, with meteor-1.5.jar and the folder data"
            raise InputError(f"has {len(jars) or 'no'} files like meteor-1.5.jar", path=str(self.folder), hint=hint)
        return Resource(jars[0].stem, jars[0])

    def paraphrases(self, language: str) -> Resource | None:
        """The table of paraphrases of a language, if it is there."""
        code = "cz" if language == "cs" else language
        names = (f"{place}paraphrase-{name}.gz" for place in ("data/", "") for name in (code, language))
        found = next((path for path in map(self.folder.joinpath, names) if path.is_file()), None)
        return None if found is None else Resource(f"paraphrase-{language}", found)

    def function_words(self, language: str) -> frozenset[str]:
        """The words that carry little content; none for most languages."""
        return frozenset(self._lines(f"function/{LANGUAGES.get(language, 'other')}.words"))

    def prefixes(self, language: str) -> dict[str, bool]:
        """Words that end in a dot inside a sentence, and whether only before a number."""
        lines = (line.split() for line in self._lines(f"nonbreaking/{LANGUAGES.get(language, 'other')}.prefixes"))
        return {words[0]: words[1:2] == [_NUMERIC] for words in lines if words and not words[0].startswith("#")}

    def has_synonyms(self, language: str) -> bool:
        """Whether there are synonyms of a language."""
        return any(name == f"synonym/{LANGUAGES.get(language)}.synsets" for name in _names(self.jar.path))

    def synonyms(self, language: str) -> _core.Synonyms:
        """The synonyms of a language."""
        return _synonyms(self, self.jar.digest, language)

    def _lines(self, name: str) -> list[str]:
        """The lines of a file in the jar; none if it is not there."""
        return (
            _read(self.jar.path, name).decode("utf-8", "replace").split("\n") if name in _names(self.jar.path) else []
        )


def find_meteor_files(source: str = METEOR_FILES) -> MeteorFiles | None:
    """METEOR's folder by name or path; None for `none`, and for `meteor-1.5` if it is nowhere. Others must exist."""
    if source == NO_FILES:
        return None
    try:
        resource = find_resource(source, "METEOR's folder")
    except MissingExtraError:
        if source != METEOR_FILES:
            raise
        return _installed()
    if not resource.path.is_dir():
        hint = "give METEOR's own folder, with meteor-1.5.jar and the folder data"
        raise InputError("is not a folder", path=str(resource.path), hint=hint)
    return MeteorFiles(resource.path)


def _installed() -> MeteorFiles | None:
    """The folder in the package, found without importing it."""
    package = importlib.util.find_spec(_PACKAGE)
    places = [] if package is None else package.submodule_search_locations or []
    return next((MeteorFiles(Path(place) / "meteor") for place in places if (Path(place) / "meteor").is_dir()), None)


@functools.cache
def _synonyms(files: MeteorFiles, digest: str, language: str) -> _core.Synonyms:
    """Read once while the jar has this digest."""
    return _core.Synonyms(
        *(_read(files.jar.path, f"synonym/{LANGUAGES[language]}.{kind}") for kind in ("synsets", "exceptions"))
    )


@functools.lru_cache(maxsize=4)
def _names(jar: Path) -> frozenset[str]:
    with _opened(jar) as archive:
        return frozenset(archive.namelist())


def _read(jar: Path, name: str) -> bytes:
    with _opened(jar) as archive:
        try:
            return archive.read(name)
        except (KeyError, zipfile.BadZipFile, zlib.error) as error:
            raise InputError(f"{name} in it cannot be read: {error}", path=str(jar)) from error


def _opened(jar: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(jar)
    except (OSError, zipfile.BadZipFile) as error:
        hint = "was it downloaded completely?"
        raise InputError(f"is not a jar: {str(error).lower()}", path=str(jar), hint=hint) from error

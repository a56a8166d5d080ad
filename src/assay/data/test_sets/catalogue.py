"""The public test sets that have a name, and which file holds which text. `catalogue.toml` has the facts."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from assay.data.archives.catalogue import Source
from assay.data.archives.folder import TEST_SETS
from assay.data.archives.hub_address import on_hub
from assay.data.archives.imports import SUFFIXES
from assay.errors import ConfigError, UnknownNameError, most_similar, nearest, option_name
from assay.types.language_codes import not_a_language_pair, two_letter_code

__all__ = ["Pair", "Place", "PublicTestSet", "public_test_set", "public_test_sets"]

_REFERENCES = ("refA", "refB", "refC", "refD")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text is: a file to download; if it is an archive, a file in it; and perhaps a column."""

    file: Source
    member: str = ""
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A language pair: where its texts are. If one file has them all, it is the only place."""

    lp: str
    source: Place
    references: Mapping[str, Place]
    use: tuple[str, ...]
    """The references that count unless others are asked for: those of them that exist; empty: all."""

    @property
    def places(self) -> tuple[Place, ...]:
        """All places."""
        return (self.source, *self.references.values())


@dataclass(frozen=True, slots=True)
class PublicTestSet:
    """A public test set: what it is, its licence, what to cite, and its language pairs."""

    name: str
    description: str
    licence: str
    cite: tuple[str, ...]
    format: str
    pairs: tuple[str, ...]
    """Empty if any two `languages` make a pair, or if only the file says which there are."""
    languages: tuple[str, ...]
    facts: Mapping[str, Any]

    def pair(self, lp: str) -> Pair:
        """A language pair, by its own codes or by two-letter codes if these are not ambiguous."""
        lp = self._own_codes(lp)
        facts = dict(self.facts)
        for pattern, changed in facts.get("other", {}).items():
            if fnmatchcase(lp, pattern):
                facts |= changed
        first = facts["texts"] if "texts" in facts else facts["source"]
        others = facts.get("references", ())
        names = ("ref",) if len(others) == 1 else _REFERENCES
        places = (_place(each, lp, self) for each in (first, *others))
        source = next(places)
        return Pair(lp, source, dict(zip(names, places, strict=False)), tuple(facts.get("use", ())))

    def _own_codes(self, lp: str) -> str:
        if re.fullmatch(r"[A-Za-z0-9_]+-[A-Za-z0-9_]+", lp) is None:
            raise not_a_language_pair(lp)
        if self.languages:
            return "-".join(self._own_code(code) for code in lp.split("-"))
        if not self.pairs or lp in self.pairs:
            return lp
        fitting = [known for known in self.pairs if _short(known) == _short(lp)]
        if len(fitting) != 1 or lp != _short(lp):
            hint = _choices(lp, fitting, self.pairs)
            raise UnknownNameError(f"{self.name} has no language pair '{lp}'", hint=hint)
        return fitting[0]

    def _own_code(self, code: str) -> str:
        if code in self.languages:
            return code
        fitting = [known for known in self.languages if _short(known) == _short(code)]
        plain = [known for known in fitting if "_" not in known] or fitting
        if len(plain) == 1 and code == _short(code):
            return plain[0]
        if self.facts.get("other_languages"):
            if "_" in code:
                return code
            raise ConfigError(f"{self.name}: which variety of '{code}'?", hint="write its code, e.g. eng_Latn-mkd_Cyrl")
        raise UnknownNameError(f"{self.name} has no language '{code}'", hint=_choices(code, fitting, self.languages))


def _choices(written: str, fitting: Sequence[str], known: Iterable[str]) -> str:
    """What to write instead: one of those that fit, or the nearest."""
    return f"choose one: {', '.join(fitting)}" if len(fitting) > 1 else nearest(written, fitting or known)


def _short(codes: str) -> str:
    """Two-letter codes, without regions and scripts: en-de for eng_Latn-deu_Latn."""
    return "-".join(two_letter_code(code.partition("_")[0]) for code in codes.split("-"))


def _place(template: str, lp: str, testset: PublicTestSet) -> Place:
    source, target = lp.split("-")
    path = template.format(s=source, t=target, s_dashed=source.replace("_", "-"), t_dashed=target.replace("_", "-"))
    path, _, column = path.partition(":")
    top, name = path.split("/")[:2]
    file = next((file for file in _files() if file.startswith(f"{top}/") and _is_archive(file, name)), None)
    if file is None or path in _files():
        return Place(_source(path, testset))
    return Place(_source(file, testset), path.split("/", 2)[2], int(column) if column else None)


def _is_archive(file: str, stem: str) -> bool:
    return any(file.rpartition("/")[2] == f"{stem}{suffix}" for suffix in SUFFIXES)


def _source(path: str, testset: PublicTestSet) -> Source:
    """What to download for a place in the folder of test sets."""
    pattern = next(key for key in (path, f"{path.split('/')[0]}/*") if key in _files())
    facts = _files()[pattern]
    folder, _, name = path.rpartition("/")
    suffix = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), Path(name).suffix)
    return Source(
        name=name.removesuffix(suffix),
        description=testset.description,
        urls=(on_hub(facts["url"].replace("*", path.partition("/")[2])),),
        suffix=suffix,
        licence=testset.licence,
        md5=facts.get("md5"),
        folder=f"{TEST_SETS}/{folder}",
    )


@functools.cache
def _facts() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("catalogue.toml").read_text("utf-8"))


def _files() -> Mapping[str, Mapping[str, str]]:
    files: Mapping[str, Mapping[str, str]] = _facts()["files"]
    return files


def public_test_sets() -> tuple[PublicTestSet, ...]:
    """All public test sets, in the order of the catalogue."""
    return tuple(map(_test_set, _facts()["sets"]))


def public_test_set(name: str) -> PublicTestSet:
    """The public test set of this name; case, hyphens and the like do not matter."""
    folded = {_folded(known): known for known in _facts()["sets"]}
    if _folded(name) not in folded:
        raise UnknownNameError(f"unknown test set '{name}'", hint=_hint(name, folded))
    return _test_set(folded[_folded(name)])


def _hint(name: str, folded: Mapping[str, str]) -> str:
    """The test set that was probably meant, such as wmt23 for newstest2023; else all, without their variants."""
    year = re.sub(r"^(newstest|generaltest|wmt)(20)?(?=[0-9]{2})", "wmt", _folded(name))
    if year in folded:
        meant = f"did you mean '{folded[year]}'?"
    elif close := most_similar(name, folded.values()):
        meant = f"did you mean '{close}'?"
    else:
        meant = f"available: {', '.join(sorted(known for known in folded.values() if '/' not in known))}."
    return f"{meant} A test set of your own is given with {option_name('data', 'FOLDER')}"


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9/]", "", name.casefold().replace("plus", "+").replace("pp", "++").replace("+", "p"))


def _test_set(name: str) -> PublicTestSet:
    facts = _facts()["sets"][name]
    return PublicTestSet(
        name=name,
        description=facts["about"],
        licence=facts["licence"],
        cite=tuple(facts["cite"]),
        format=facts["format"],
        pairs=tuple(facts.get("pairs", "").split()),
        languages=tuple(facts.get("languages", "").split()),
        facts=facts,
    )

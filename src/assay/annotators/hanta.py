"""HanTa, the Hanover Tagger (Wartena 2019): lemmas and tags of German and Dutch."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from assay.annotators import Annotator, annotator, importing, missing_model_error, package_version, split_words
from assay.types import AnnotatedSegment, AnnotatedSentence, Word

__all__ = ["Hanta"]

_REMEDY = "pip install HanTa==1.2.1 (licence: LGPL-3.0)"
_FILES = {"de": "morphmodel_ger.pgz", "nl": "morphmodel_dutch.pgz"}

# The start of a tag (of STTS, and of the Dutch treebank) → the universal part of speech; the longest start counts.
_UNIVERSAL: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "de": {
            **dict.fromkeys(("NN", "TRUNC"), "NOUN"),
            "NE": "PROPN",
            "VV": "VERB",
            **dict.fromkeys(("VA", "VM"), "AUX"),
            "ADJ": "ADJ",
            **dict.fromkeys(("ADV", "PAV", "PROAV", "PROP", "PWAV"), "ADV"),
            "CARD": "NUM",
            **dict.fromkeys(("PP", "PD", "PI", "PW", "PR"), "PRON"),
            **dict.fromkeys(("ART", "PPOSAT", "PDAT", "PIAT", "PIDAT", "PWAT", "PRELAT"), "DET"),
            "AP": "ADP",
            "KON": "CCONJ",
            **dict.fromkeys(("KOU", "KOKOM"), "SCONJ"),
            "PTK": "PART",
            "PTKVZ": "ADP",
            "PTKANT": "INTJ",
            "ITJ": "INTJ",
            **dict.fromkeys(("XY", "FM"), "X"),
        },
        "nl": {
            "N": "NOUN",
            "SPEC": "PROPN",
            "WW": "VERB",
            "ADJ": "ADJ",
            "BW": "ADV",
            "TW": "NUM",
            "VNW": "PRON",
            "LID": "DET",
            "VZ": "ADP",
            "VG": "CCONJ",
            "TSW": "INTJ",
            "LET": "PUNCT",
        },
    }
)


@annotator("hanta")
@dataclass(frozen=True)
class Hanta(Annotator):
    """Words, lemmas and tags of German and Dutch, without dependencies. Options: language (default: the
    language of the texts).
    """

    language: str = ""

    def for_language(self, language: str) -> Hanta:
        chosen = self.language or language
        if chosen not in _FILES:
            raise missing_model_error("hanta", chosen, sorted(_FILES))
        return dataclasses.replace(self, language=chosen)

    @property
    def program(self) -> str:
        return f"HanTa {package_version('HanTa', 'hanta', _REMEDY)}"

    @property
    def model_version(self) -> str:
        return _FILES[self.language].partition(".")[0]

    def annotate(self, texts: Sequence[str]) -> Iterator[AnnotatedSegment]:
        tagger = _tagger(self.language)
        for text in texts:
            forms = split_words(text)
            tagged = tagger.tag_sent(forms) if forms else []
            words = tuple(Word(form, lemma, self._universal(form, tag), tag) for form, lemma, tag in tagged)
            yield [AnnotatedSentence(text.strip(), words)] if words else []

    def _universal(self, form: str, tag: str) -> str:
        if not any(map(str.isalnum, form)):
            return "PUNCT"
        starts = _UNIVERSAL[self.language]
        plain = re.sub(r"\W.*", "", tag)  # VV(FIN) is VVFIN in STTS
        return next((starts[plain[:n]] for n in range(len(plain), 0, -1) if plain[:n] in starts), "X")


@functools.cache
def _tagger(language: str) -> Any:
    with importing("hanta", _REMEDY):
        from HanTa.HanoverTagger import HanoverTagger

        return HanoverTagger(_FILES[language])

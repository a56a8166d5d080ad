"""Synonyms as METEOR looks them up in WordNet: two words are synonyms if they, or their base forms, share a synset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Synonyms"]

_ENDINGS = (  # WordNet's rules: nouns, verbs, adjectives
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    *(("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)


@dataclass(frozen=True, slots=True, eq=False)
class Synonyms:
    """Which synsets words are in, and the base forms of irregular words."""

    _synsets: dict[str, str]
    """The numbers of the synsets of a word, as text: most words are never looked up."""
    _base_forms: dict[str, list[str]]

    @classmethod
    def of(cls, synsets: Sequence[str], exceptions: Sequence[str]) -> Synonyms:
        """Lines by twos: a word and its synsets; a base form and its irregular forms."""
        base_forms: dict[str, list[str]] = {}
        for base, forms in zip(exceptions[::2], exceptions[1::2], strict=False):
            for form in forms.split():
                base_forms.setdefault(form, []).append(base)
        return cls(dict(zip(synsets[::2], synsets[1::2], strict=False)), base_forms)

    def synsets(self, word: str) -> list[int]:
        """The synsets of a word and of its base forms, sorted."""
        forms = [word, *(self._base_forms.get(word) or [self._base_form(word)])]
        return sorted({int(number) for form in forms for number in self._synsets.get(form, "").split()})

    def _base_form(self, word: str) -> str:
        """The first form by the rules that has synsets; empty if there is none."""
        if len(word) <= 2 or word.endswith("ss"):
            return word
        candidates = (word.removesuffix(old) + new for old, new in _ENDINGS if word.endswith(old))
        return next((form for form in candidates if form in self._synsets), "")

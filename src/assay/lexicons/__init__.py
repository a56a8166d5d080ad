"""Word lists, stems, synonyms and paraphrases: what METEOR knows about a language, from the files it comes with."""

from __future__ import annotations

__all__: list[str] = []

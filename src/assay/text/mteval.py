"""The tokenisers of NIST's mteval-v13a.pl and mteval-v14.pl: the default one and the international one.

Both un-escape entities before they lower-case, so `&AMP;` is never an entity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assay.text import CoreTokenizer, Tokenizer, tokenizer

__all__ = ["Mteval", "MtevalInternational", "MtevalSplit"]

_HYPHENS = "\u002d\u00ad\u058a\u1806\u2010\u2011\u2e17\u30fb\ufe63\uff0d\uff65"  # \\p{Hyphen}
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&apos;", "'"))


@tokenizer("mteval")
@dataclass(frozen=True)
class Mteval(CoreTokenizer):
    """mteval's default: rules for ASCII; only A to Z are lower-cased. The core does all the work."""

    core = "mteval"
    needs_spaces = True

    def reader(self, *, lowercase: bool) -> tuple[Callable[[str], str] | None, str]:
        return None, "mteval-lower" if lowercase else self.core


@tokenizer("mteval-intl")
@dataclass(frozen=True)
class MtevalInternational(Tokenizer):
    """mteval's --international-tokenization: Unicode categories. The core splits the un-escaped text."""

    core = "mteval-intl"
    needs_spaces = True

    def cut(self, line: str) -> str:
        if "&" not in line and "<" not in line and "\u2028" not in line:
            return line
        line = line.replace("<skipped>", "")
        for hyphen in _HYPHENS:
            line = line.replace(hyphen + "\u2028", "")
        line = line.replace("\u2028", " ")
        for entity, character in _ENTITIES:
            line = line.replace(entity, character)
        return line

    def reader(self, *, lowercase: bool) -> tuple[Callable[[str], str] | None, str]:
        return (lambda text: _lower(self.cut(text))) if lowercase else self.cut, self.core


@tokenizer("mteval-intl-split")
@dataclass(frozen=True)
class MtevalSplit(MtevalInternational):
    """The same with mteval's -e: every character beyond ASCII is a token."""

    core = "mteval-intl-split"


def _lower(text: str) -> str:
    """Perl's lc, which does not treat a final sigma specially."""
    return "".join(map(str.lower, text)) if "\u03a3" in text else text.lower()

"""Prompts: texts with places for the texts of a segment, one file each, which a user can copy and change.

`{source}`, `{output}` and other names in braces are places. Lines between `[if reference]` and `[end]` are only sent to
a judge that reads references. A bundled prompt is named with its version, `esa-spans.1`; a published one never changes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.errors import ConfigError, InputError, nearest

__all__ = ["PROMPTS", "Prompt", "bundled_names", "open_prompt"]

PROMPTS = Path(__file__).parent / "prompts"
"""The folder of the bundled prompts."""

_DIGITS = 12
_PLACE = re.compile(r"\{([a-z_]+)\}")
_REFERENCE = re.compile(r"^\[if reference\]\n(.*?)^\[end\]\n?", re.DOTALL | re.MULTILINE)
_MARK = re.compile(r"^\[(?:if\b[^\]]*|end)\]", re.MULTILINE)
_ALWAYS = ("source_language", "target_language", "source", "reference")


@dataclass(frozen=True)
class Prompt:
    """The text of a prompt, and the name of the bundled one or of the file."""

    name: str
    text: str

    @property
    def digest(self) -> str:
        """Of the whole text, for signatures."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:_DIGITS]

    def filled(self, texts: Mapping[str, str], *, reference: bool) -> str:
        """The prompt with these texts in its places. Braces in the texts are no places."""
        return _PLACE.sub(lambda place: texts[place[1]], self._template(reference))

    def check(self, places: Collection[str], *, reference: bool) -> None:
        """Raise unless the prompt has these places, one for the reference if it is read, and no unknown ones."""
        template = self._template(reference)
        if mark := _MARK.search(template):
            hint = "[if reference] and [end] come in pairs, each on a line of its own"
            raise ConfigError(f"the prompt {self.name} has {mark[0]} without its counterpart", hint=hint)
        found = set(_PLACE.findall(template))
        for name in (*places, *(["reference"] if reference else [])):
            if name not in found:
                raise ConfigError(f"the prompt {self.name} has no place {{{name}}}", hint=f"see those in {PROMPTS}")
        if "reference" in found and not reference:
            hint = "set reference=yes, or put the lines between [if reference] and [end]"
            raise ConfigError(f"the prompt {self.name} has a place {{reference}}, but the judge reads none", hint=hint)
        if unknown := sorted(found.difference(_ALWAYS, places)):
            hint = nearest(unknown[0], sorted({*_ALWAYS, *places}))
            raise ConfigError(f"the prompt {self.name} has an unknown place {{{unknown[0]}}}", hint=hint)

    def _template(self, reference: bool) -> str:
        """The text with the lines on the reference, or without them."""
        return _REFERENCE.sub(r"\1" if reference else "", self.text)


def bundled_names() -> list[str]:
    """The names of the bundled prompts, such as `da.1`."""
    return sorted(path.stem for path in PROMPTS.glob("*.txt"))


def open_prompt(name: str) -> Prompt:
    """The bundled prompt of this name, or the one in a file."""
    path = PROMPTS / f"{name}.txt" if name in bundled_names() else Path(name)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else (error.strerror or str(error)).lower()
        hint = f"a prompt is a file, or one of {', '.join(bundled_names())}, which are in {PROMPTS}"
        raise InputError(f"the prompt cannot be read: {reason}", path=name, hint=hint) from error
    return Prompt(name, text)

"""The test set of the WMT26 evaluation task: one segment per line, with the outputs of all systems.

    {"item_id": "official_###_eng_Latn_###_deu_Latn_###_social_###_DOCUMENT_###_0", "src": "…",
     "ref": {"text": "…", "type": "postedit"}, "hyps": {"SystemA": "…", …}, …}

A segment is called what follows the languages in `item_id`, as in the human evaluation. A reference is called by its
type: `human`, `postedit` (edited MT) or `pseudo` (selected MT). The segments of challenge sets are the test set
`challenge`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, json_keys
from assay.data.tables.document_ids import ITEM, ItemId, item_of
from assay.data.tables.names import checked_name
from assay.data.tables.notes import unread_notes
from assay.data.tables.rows import EVERY_SYSTEM, Row, campaigns_from_rows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.files.strict_json import parse_object
from assay.types import Campaign

__all__ = ["MtevalTest"]

_SOURCE, _REFERENCE, _OUTPUTS = "src", "ref", "hyps"
_FIELDS = (ITEM, _SOURCE, _REFERENCE, _OUTPUTS)
_UNTYPED = "ref"


@data_format("mteval-test")
@dataclass(frozen=True)
class MtevalTest(Format):
    """Sources, references and outputs of several systems; a campaign for each language pair."""

    suffixes = (".jsonl",)

    def recognises(self, path: Path, head: str) -> int:
        return CERTAIN if {ITEM, _OUTPUTS} <= json_keys(head) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        rows, unread, seen = [], dict[str, None](), set[str]()
        for number, text in enumerate(lines, 1):
            line = _Line(parse_object(text, path=shown, line=number), shown, number)
            rows.append(line.row(item_of(line.content, seen, path=shown, line=number)))
            unread |= dict.fromkeys(name for name in line.content if name not in _FIELDS)
        all_notes = (*notes, *unread_notes(shown, unread, "field"))
        return campaigns_from_rows(rows, path=shown, digest=digest_of(path), notes=all_notes)


@dataclass(frozen=True, slots=True)
class _Line:
    """An object, and where it is."""

    content: Mapping[str, Any]
    path: str
    number: int

    def row(self, item: ItemId) -> Row:
        outputs = self.content.get(_OUTPUTS)
        if not isinstance(outputs, dict):
            raise self._error(f"'{_OUTPUTS}' must be an object of texts by system, not {type(outputs).__name__}")
        return Row(
            line=self.number,
            dataset=item.dataset,
            lp=item.lp,
            segment=item.name,
            source=self._text(self.content.get(_SOURCE), "source"),
            document=item.document,
            domain=item.domain or None,
            references=self._references(),
            outputs={
                checked_name("system", name, path=self.path, line=self.number): self._text(text, f"output of '{name}'")
                for name, text in outputs.items()
            },
            system=EVERY_SYSTEM,
        )

    def _references(self) -> dict[str, str]:
        """The reference by its type; none if the segment has none."""
        reference = self.content.get(_REFERENCE)
        if not isinstance(reference, dict | None):
            message = f"'{_REFERENCE}' must be an object with a text and a type, not {type(reference).__name__}"
            raise self._error(message)
        text = self._text((reference or {}).get("text"), "text of the reference")
        name = self._text((reference or {}).get("type"), "type of the reference") or _UNTYPED
        return {} if text is None else {checked_name("reference", name, path=self.path, line=self.number): text}

    def _text(self, value: object, label: str) -> str | None:
        if not isinstance(value, str | None):
            raise self._error(f"the {printable(label)} must be text, not {type(value).__name__}")
        return value

    def _error(self, message: str) -> InputError:
        return InputError(message, path=self.path, line=self.number)

"""A single judgement table of a test set, `judgements/LP.NAME.tsv`, outside its folder.

The columns are those that `assay.data.tables.judgement_tables` reads; the folder of the test set has the texts, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.judgement_tables import is_judgement_header, read_judgement_table
from assay.data.tables.names import stem_of
from assay.data.text_files import shown_path
from assay.errors import printable
from assay.types import Campaign, Note, NoteKind, Ratings
from assay.types.language_codes import LANGUAGE_PAIR

__all__ = ["JudgementTable"]

_NAMED = re.compile(rf"(?P<lp>{LANGUAGE_PAIR})\.(?P<name>.+)")


@data_format("judgement-table")
@dataclass(frozen=True)
class JudgementTable(Format):
    """Rankings or ratings with the columns of a judgement table."""

    suffixes = (".tsv",)

    def recognises(self, path: Path, head: str) -> int:
        header = head.removeprefix("\ufeff").partition("\n")[0].rstrip("\r").split("\t")
        return CERTAIN if is_judgement_header(header) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        stem = stem_of(path)
        named = _NAMED.fullmatch(stem)
        name, lp = (named["name"], named["lp"]) if named else (stem, "")
        notes: list[Note] = []
        if not lp:
            text = "no language pair in the name of the file (LP.NAME.tsv, such as en-de.esa.tsv)"
            text += f"; these are the judgements '{printable(name)}' of an unknown one"
            notes.append(Note(NoteKind.MISSING, text, shown_path(path)))
        judged = read_judgement_table(path, name, notes=notes)
        items = len(judged.items) if isinstance(judged, Ratings) else 0
        segments = items or int(judged.segment.max(initial=-1)) + 1
        return (Campaign("", lp, segments, judged.systems, (), None, judgements=(judged,), notes=tuple(notes)),)

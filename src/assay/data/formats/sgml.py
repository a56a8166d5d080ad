"""The SGML of mteval: sources, references and outputs in separate files, and its XML variant (<mteval>).

    <srcset setid="newstest2014" srclang="any">  <refset … trglang="de" refid="ref">  <tstset … sysid="base">
    <doc docid="bbc.1" genre="news" sysid="base"><hl><seg id="1">…</seg></hl> <p><seg id="2">…</seg></p></doc>

Segments are matched by document and number, never by position. Tags and attributes are case-insensitive, values may be
unquoted. Texts are read as by mteval-v13a: line breaks become spaces, a hyphen before one is removed, and `&amp; &lt;
&gt; &quot;` are characters. In a file that starts with an XML declaration, other character references are too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.data import CERTAIN
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import check_cells
from assay.data.tables.languages import language_code, pair_of_codes
from assay.data.tables.names import checked_name, stem_of
from assay.data.tables.rows import Row, campaigns_from_rows
from assay.data.text_files import read_text, shown_path
from assay.errors import AlignmentError, EmptyInputError, InputError
from assay.types import Campaign, Note, NoteKind
from assay.types.note import plural

__all__ = ["Sgml", "read_sgml"]

_KINDS = {"srcset": "source", "refset": "reference", "tstset": "output"}
_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)(?![\w.:-])([^<>]*)(>?)", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![\w.:-])([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_NUMBER = re.compile(r"[0-9]{1,9}")
_FOUR = {"amp": "&", "lt": "<", "gt": ">", "quot": '"'}
_ENTITY = re.compile(r"&(amp|lt|gt|quot);")
_XML_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});")


@data_format("sgml")
@dataclass(frozen=True)
class Sgml(Format):
    """Files of mteval; the sources, references and outputs of a test set are read together."""

    suffixes = (".sgm", ".sgml")

    def recognises(self, path: Path, head: str) -> int:
        return CERTAIN if re.search(r"<(srcset|refset|tstset)[\s>]", head, re.I) else super().recognises(path, head)

    def read(self, path: Path) -> tuple[Campaign, ...]:
        return (read_sgml([path]),)

    def read_together(self, paths: Sequence[Path]) -> tuple[Campaign, ...]:
        return (read_sgml(paths),)


def read_sgml(paths: Iterable[str | Path]) -> Campaign:
    """The test set in these files, which hold its sources, references and outputs in any order."""
    files = [_File(Path(path)) for path in paths]
    if not any(piece.kind == "tstset" for file in files for piece in file.pieces):
        present = ", ".join(sorted({_KINDS[piece.kind] for file in files for piece in file.pieces}))
        raise EmptyInputError(
            f"no system output (<tstset>){f', only: {present}' if present else ''}",
            path=files[0].path if files else None,
            hint="give the files together: src.sgm ref.sgm sys1.sgm (each after --data, where that is needed)",
        )
    pieces = [piece for file in files for piece in file.pieces]
    columns = _columns(pieces)
    places = _places(pieces)
    texts = plural(len(pieces), "text")
    message = f"{len(columns):,} references and outputs of {plural(len(places), 'segment')}, but only {texts}"
    hint = "does sysid contain system names?"
    check_cells(len(columns) * len(places), len(pieces), message, path=files[0].path, hint=hint)
    headers = {key: _common_value(key, files) for key in ("setid", "srclang", "trglang")}
    lp = pair_of_codes(*(_code(headers[key]) for key in ("srclang", "trglang")))
    notes = [note for file in files for note in file.notes]
    if lp is None:
        languages = ", ".join(f"{key} {headers[key] or 'missing'}" for key in ("srclang", "trglang"))
        notes.append(Note(NoteKind.MISSING, f"unknown language pair: {languages}", files[0].path))
    notes += _gap_notes(columns, places, files[0].path)
    rows = list(_rows(columns, places, headers["setid"] or "", lp))
    return campaigns_from_rows(rows, path=files[0].path, notes=notes)[0]


def _code(language: str | None) -> str | None:
    """The code for a name like `German`; anything else is returned as it is."""
    try:
        return language and language_code(language, path="", line=0)
    except InputError:
        return language


@dataclass(frozen=True, slots=True)
class _Piece:
    """A segment of a source, a reference or an output; `name` is the reference or system."""

    kind: str
    name: str
    document: str
    segment: str
    text: str
    genre: str | None
    path: str
    line: int

    @property
    def place(self) -> tuple[str, str]:
        return self.document, self.segment

    @property
    def owner(self) -> str:
        return f"{_KINDS[self.kind]} '{self.name}'" if self.name else _KINDS[self.kind]

    def __str__(self) -> str:
        return f"segment {self.segment} of document '{self.document}'"


@dataclass(frozen=True)
class _Tag:
    name: str
    line: int
    attributes: dict[str, str]


@dataclass
class _File:
    """A file, parsed tag by tag; other text between tags is not read."""

    place: Path
    pieces: list[_Piece] = field(default_factory=list)
    sets: list[_Tag] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    _open: list[_Tag] = field(default_factory=list)
    _joined: int = 0
    _repeated: int = 0

    def __post_init__(self) -> None:
        self.path = shown_path(self.place)
        text, self.notes = read_text(self.place)
        text = text.replace("\r\n", "\n")
        self._entity = _XML_ENTITY if text.lstrip().startswith("<?xml") else _ENTITY
        line, end, between = 1, 0, 0
        for match in _TAG.finditer(text):
            content = text[end : match.start()]
            line += content.count("\n")
            between += not self._inside("seg") and bool(re.sub("<[^<>]*>", "", content).strip())
            self._take(match, content, line)
            line += match[0].count("\n")
            end = match.end()
        if self._open:
            raise self._error(f"<{self._open[-1].name}> is never closed; is the file truncated?", self._open[-1].line)
        if between:
            text = f"text outside segments not read ({plural(between, 'place')})"
            self.notes.append(Note(NoteKind.UNREAD, text, self.path, between))
        if self._repeated:
            text = f"an attribute is given twice in {plural(self._repeated, 'place')}; the first counts"
            self.notes.append(Note(NoteKind.SUSPECT, text, self.path, self._repeated))
        if self._joined:
            text = f"lines joined in {plural(self._joined, 'segment')}"
            self.notes.append(Note(NoteKind.CHANGED, text, self.path, self._joined))

    def _error(self, message: str, line: int, hint: str | None = None) -> InputError:
        return InputError(message, path=self.path, line=line, hint=hint)

    def _inside(self, name: str) -> bool:
        return bool(self._open) and self._open[-1].name == name

    def _take(self, match: re.Match[str], content: str, line: int) -> None:
        """Process a tag and the content before it."""
        name = match[2].lower()
        if not match[4]:
            raise self._error(f"the tag <{match[1]}{name} has no >", line)
        if not match[1]:
            self._start(name, match[3], line)
        elif not self._inside(name):
            opened = f"; <{self._open[-1].name}> of line {self._open[-1].line} is open" if self._open else ""
            raise self._error(f"unexpected </{name}>{opened}", line)
        else:
            tag = self._open.pop()
            if name == "seg":
                self._add(tag, content)

    def _start(self, name: str, attributes: str, line: int) -> None:
        parent = {"doc": _KINDS, "seg": ("doc",)}.get(name)
        here = self._open[-1].name if self._open else None
        if here not in (parent or (None,)):
            where = f"inside <{here}> of line {self._open[-1].line}" if self._open else "at the top level"
            raise self._error(f"unexpected <{name}> {where}", line, "is a closing tag missing?" if self._open else None)
        is_empty = name == "seg" and attributes.endswith("/")
        tag = _Tag(name, line, self._attributes(attributes.removesuffix("/") if is_empty else attributes, line))
        if name in _KINDS:
            self.sets.append(tag)
        if is_empty:
            self._add(tag, "")
        else:
            self._open.append(tag)

    def _attributes(self, text: str, line: int) -> dict[str, str]:
        attributes: dict[str, str] = {}
        for match in _ATTRIBUTE.finditer(text):
            name = match[1].lower()
            if name in attributes:
                if name in ("id", "docid"):
                    raise self._error(f"duplicate attribute {name}", line)
                self._repeated += 1
                continue  # mteval takes the first
            attributes[name] = self._decoded(match[2] or match[3] or match[4] or "", line).strip()
        return attributes

    def _decoded(self, text: str, line: int) -> str:
        def character(match: re.Match[str]) -> str:
            name = match[1]
            if not name.startswith("#"):
                return _FOUR.get(name, "'")
            code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
            if code < 32 or code > 0x10FFFF or 0xD800 <= code < 0xE000:
                raise self._error(f"invalid character reference {match[0]}", line)
            return chr(code)

        return self._entity.sub(character, text)

    def _add(self, tag: _Tag, content: str) -> None:
        collection, document = self._open[-2:]
        docid, number = document.attributes.get("docid", ""), tag.attributes.get("id", "")
        if not docid:
            raise self._error("the document has no docid", document.line)
        if not number:
            raise self._error(f"a segment of document '{docid}' has no id", tag.line, "segments are matched by id")
        joined = content.strip().replace("-\n", "").replace("\n", " ")
        self._joined += "\n" in content.strip()
        self.pieces.append(
            _Piece(
                kind=collection.name,
                name=self._name(collection, document),
                document=docid,
                segment=str(int(number)) if _NUMBER.fullmatch(number) else number,
                text=self._decoded(joined, tag.line).strip(),
                genre=document.attributes.get("genre") or None,
                path=self.path,
                line=tag.line,
            )
        )

    def _name(self, collection: _Tag, document: _Tag) -> str:
        """The name of a system or reference: from the set, the document or the file."""
        if collection.name == "srcset":
            return ""
        is_output = collection.name == "tstset"
        name = collection.attributes.get("sysid" if is_output else "refid") or document.attributes.get("sysid")
        default = stem_of(self.place) if is_output else "ref"
        kind = "system" if is_output else "reference"
        return checked_name(kind, name or default, path=self.path, line=document.line)


_Columns = dict[tuple[str, str], dict[tuple[str, str], _Piece]]


def _columns(pieces: Iterable[_Piece]) -> _Columns:
    """Segments by document and number, for each source, reference and output."""
    columns: _Columns = {}
    for piece in pieces:
        column = columns.setdefault((piece.kind, piece.name), {})
        if piece.place in column:
            first = column[piece.place]
            message = f"duplicate {piece.owner} for {piece}; the first is in {first.path}, line {first.line}"
            raise InputError(message, path=piece.path, line=piece.line)
        column[piece.place] = piece
    return columns


def _places(pieces: Sequence[_Piece]) -> list[tuple[str, str]]:
    """All segments in order: those of the sources, else of the references, else of the outputs; no other may occur."""
    leading = next(kind for kind in _KINDS if any(piece.kind == kind for piece in pieces))
    places = dict.fromkeys(piece.place for piece in pieces if piece.kind == leading)
    for piece in pieces:
        if piece.place not in places:
            message = f"{piece.owner} has {piece}, but no {_KINDS[leading]} does"
            raise AlignmentError(message, path=piece.path, line=piece.line)
    documents = {name: i for i, name in enumerate(dict.fromkeys(document for document, _ in places))}
    if leading == "tstset" and all(_NUMBER.fullmatch(number) for _, number in places):
        return sorted(places, key=lambda place: (documents[place[0]], int(place[1])))
    return list(places)


def _common_value(key: str, files: Iterable[_File]) -> str | None:
    """The value of an attribute in all sets that have it; the language `any` does not count."""
    first: tuple[str, str] | None = None
    for file in files:
        for tag in file.sets:
            value = tag.attributes.get(key, "")
            if not value or (value == "any" and key != "setid"):
                continue
            if first is not None and first[0] != value:
                message = f"the {key} is '{value[:40]}', but '{first[0][:40]}' in {first[1]}"
                raise AlignmentError(message, path=file.path, line=tag.line)
            first = first or (value, file.path)
    return first[0] if first else None


def _gap_notes(columns: _Columns, places: Sequence[tuple[str, str]], path: str) -> Iterator[Note]:
    for column in columns.values():
        absent = [place for place in places if place not in column]
        if absent:
            document, number = absent[0]
            owner = next(iter(column.values())).owner
            first = f"first segment {number} of document '{document}'"
            text = f"{owner}: {len(absent):,} of {plural(len(places), 'segment')} missing, {first}"
            yield Note(NoteKind.MISSING, text, path, len(absent))


def _rows(columns: _Columns, places: Iterable[tuple[str, str]], dataset: str, lp: str | None) -> Iterator[Row]:
    ordered = sorted(columns.items(), key=lambda item: list(_KINDS).index(item[0][0]))
    for position, place in enumerate(places):
        pieces = {key: column[place] for key, column in ordered if place in column}
        first = next(iter(pieces.values()))
        source = pieces.get(("srcset", ""))
        yield Row(
            line=first.line,
            dataset=dataset,
            lp=lp,
            segment=str(position),
            source=source.text if source else None,
            document=first.document,
            domain=next((piece.genre for piece in pieces.values() if piece.genre), None),
            references={name: piece.text for (kind, name), piece in pieces.items() if kind == "refset"},
            outputs={name: piece.text for (kind, name), piece in pieces.items() if kind == "tstset"},
        )

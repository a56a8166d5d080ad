"""The texts of public test sets, segment by segment, as sacreBLEU takes them from the publishers' files.

White space within a segment becomes a single space, as in sacreBLEU. In SGML, `&amp;` and the like stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.data.formats.wmt_xml import read_rows
from assay.data.test_sets.catalogue import Pair, Place
from assay.data.text_files import read_lines, shown_path
from assay.errors import AlignmentError, EmptyInputError, InputError, UnknownNameError, nearest
from assay.files.strict_json import parse_object
from assay.types import Note, NoteKind
from assay.types.language_codes import two_letter_code
from assay.types.note import plural

__all__ = ["Segment", "read_segments"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A source, its references by name, and where it is from."""

    source: str
    references: Mapping[str, str | None]
    document: str | None = None
    domain: str | None = None


@dataclass(slots=True)
class _Files:
    """The files of a language pair, and notes on what is not used of them."""

    pair: Pair
    paths: Mapping[Place, Path]
    notes: list[Note] = field(default_factory=list)

    @property
    def source(self) -> Path:
        return self.paths[self.pair.source]


def read_segments(format_name: str, pair: Pair, paths: Mapping[Place, Path]) -> tuple[list[Segment], list[Note]]:
    """All segments of a language pair that have a reference, and notes. The format is one of the catalogue."""
    files = _Files(pair, paths)
    segments = list(_READERS[format_name](files))
    if not segments:
        raise EmptyInputError(f"no segments of {pair.lp}", path=shown_path(files.source))
    return segments, files.notes


def _clean(text: str) -> str:
    return " ".join(text.split())


def _sgml(files: _Files) -> Iterator[Segment]:
    """The SGML of WMT and the XML of IWSLT: a segment is a line that starts with `<seg `, and nothing else counts."""
    sources = list(_sgml_segments(files.source))
    references = {
        name: [text for text, *_ in _sgml_segments(files.paths[place])]
        if _is_sgml(files.paths[place])
        else _column(files.paths[place], None)
        for name, place in files.pair.references.items()
    }
    yield from _aligned(files, sources, references)


def _is_sgml(path: Path) -> bool:
    return path.suffix in (".sgm", ".xml")


def _sgml_segments(path: Path) -> Iterator[tuple[str, str | None, str | None]]:
    """The text, document and genre of each segment."""
    document = genre = None
    for line in read_lines(path)[0]:
        if re.match(r"<doc\s", line, re.IGNORECASE):
            document, genre = _attribute(line, "docid"), _attribute(line, "genre")
        elif line.startswith("<seg "):
            text = re.search(r"<seg.*?>(.*)</seg>", line)
            yield _clean(text[1] if text else line), document, genre


def _attribute(tag: str, name: str) -> str | None:
    found = re.search(rf'\b{name}="(.*?)"', tag)
    return found[1] if found else None


def _lines(files: _Files) -> Iterator[Segment]:
    """Plain text, or columns of a table without names."""
    source, *others = (_column(files.paths[place], place.column) for place in files.pair.places)
    yield from _aligned(
        files, [(text, None, None) for text in source], dict(zip(files.pair.references, others, strict=True))
    )


def _column(path: Path, column: int | None) -> list[str]:
    lines = read_lines(path)[0]
    if column is None:
        return [line.rstrip() for line in lines]
    fields = [line.split("\t") for line in lines]
    for number, cells in enumerate(fields, start=1):
        if len(cells) <= column:
            raise InputError(f"has only {plural(len(cells), 'column')}", path=shown_path(path), line=number)
    return [cells[column] for cells in fields]


def _aligned(
    files: _Files,
    sources: Sequence[tuple[str, str | None, str | None]],
    references: Mapping[str, Sequence[str]],
) -> Iterator[Segment]:
    """The segments of files with one text per segment, which must have the same number of them."""
    for name, texts in references.items():
        if len(texts) != len(sources):
            path = shown_path(files.paths[files.pair.references[name]])
            other = shown_path(files.source)
            raise AlignmentError(f"{plural(len(texts), 'segment')}, but {other} has {len(sources):,}", path=path)
    for i, (source, document, domain) in enumerate(sources):
        yield Segment(source, {name: texts[i] for name, texts in references.items()}, document, domain)


def _wmt_xml(files: _Files) -> Iterator[Segment]:
    """WMT since 2021. Segments without any reference are left out, and so are test suites."""
    for row in read_rows(files.source):
        references = {name: _clean(text) for name, text in row.references.items() if text and text.strip()}
        if references:
            yield Segment(_clean(row.source or ""), references, row.document, row.domain)


def _wmt24pp(files: _Files) -> Iterator[Segment]:
    """WMT24++ without the sources that its authors call bad and leave out of evaluations."""
    bad = 0
    for line in _records(files.source):
        if line.get("is_bad_source"):
            bad += 1
            continue
        references = {"ref": _clean(str(line["target"]))}
        yield Segment(_clean(str(line["source"])), references, str(line["document_id"]), str(line["domain"]))
    if bad:
        text = f"left out {plural(bad, 'segment')} whose source is marked as bad"
        files.notes.append(Note(NoteKind.EXCLUDED, text, shown_path(files.source), bad))


def _flores(files: _Files) -> Iterator[Segment]:
    """FLORES+: a file for each language, whose lines have the same numbers."""
    (place,) = files.pair.references.values()
    targets = {line["id"]: line for line in _records(files.paths[place])}
    for line in _records(files.source):
        if line["id"] not in targets:
            message = f"has no segment {line['id']}, which {shown_path(files.source)} has"
            raise AlignmentError(message, path=shown_path(files.paths[place]))
        reference = _clean(str(targets[line["id"]]["text"]))
        yield Segment(_clean(str(line["text"])), {"ref": reference}, str(line["url"]), str(line["domain"]))


def _genmt(files: _Files) -> Iterator[Segment]:
    """WMT since 2025: documents, whose paragraphs are the segments. One with other paragraphs is no reference."""
    pairs: set[str] = set()
    uneven = 0
    for line in _records(files.source):
        pairs.add(lp := f"{line['src_lang']}-{line['tgt_lang']}")
        if not _is_pair(lp, files.pair.lp):
            continue
        paragraphs = _paragraphs(line["src_text"])
        references = {name: _paragraphs(_text_of(text)) for name, text in (line.get("refs") or {}).items()}
        even = {name: texts for name, texts in references.items() if len(texts) == len(paragraphs)}
        uneven += len(references) - len(even)
        for i, paragraph in enumerate(paragraphs):
            yield Segment(paragraph, {name: texts[i] for name, texts in even.items()}, line["doc_id"], line["domain"])
    if not any(_is_pair(lp, files.pair.lp) for lp in pairs):
        hint = nearest(files.pair.lp, pairs)
        raise UnknownNameError(f"{shown_path(files.source)} has no language pair '{files.pair.lp}'", hint=hint)
    if uneven:
        text = f"no reference for {plural(uneven, 'document')}: it has other paragraphs than the source"
        files.notes.append(Note(NoteKind.MISSING, text, shown_path(files.source), uneven))


def _is_pair(lp: str, wanted: str) -> bool:
    """Whether a language pair is the wanted one, which may be in two-letter codes."""
    return wanted in (lp, "-".join(two_letter_code(code.partition("_")[0]) for code in lp.split("-")))


def _text_of(reference: object) -> object:
    """A reference is a text, or an object with the text as `ref`."""
    return reference.get("ref", "") if isinstance(reference, dict) else reference


def _paragraphs(text: object) -> list[str]:
    """The paragraphs of a document: between empty lines, or with a line and tags of their own, which they keep."""
    return [_clean(paragraph) for paragraph in re.split(r"\n\s*\n|(?<=</p>)\s*\n", str(text).strip())]


def _records(path: Path) -> Iterator[Mapping[str, Any]]:
    """The lines of a file of JSON lines. A field that is missing is an error with its line."""
    for number, line in enumerate(read_lines(path)[0], start=1):
        yield _Record(parse_object(line, path=shown_path(path), line=number), path, number)


class _Record(dict[str, Any]):
    def __init__(self, fields: Mapping[str, Any], path: Path, line: int) -> None:
        super().__init__(fields)
        self._path, self._line = path, line

    def __missing__(self, key: str) -> object:
        raise InputError(f"has no field '{key}'", path=shown_path(self._path), line=self._line)


_READERS: Mapping[str, Callable[[_Files], Iterator[Segment]]] = {
    "sgml": _sgml,
    "lines": _lines,
    "tsv": _lines,
    "wmt-xml": _wmt_xml,
    "wmt24pp": _wmt24pp,
    "flores": _flores,
    "genmt": _genmt,
}

"""The XML of WMT test sets since 2021: documents, each with its source, references and outputs.

    <dataset id="wmttest2022"><collection id="general"><doc id="news.1" origlang="en" domain="news">
      <src lang="en"><p><seg id="1">…</seg></p></src>
      <ref lang="de" translator="A">…</ref>
      <hyp system="Online-W" lang="de">…</hyp></doc></collection></dataset>

Segments are matched by document and number. If a document lacks an output or reference that others have, its texts are
missing. Nothing outside the file is read, and a file that declares entities is refused.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from xml.parsers import expat

from assay.data.certainty import CERTAIN
from assay.data.formats import Format, data_format
from assay.data.tables.languages import pair_of_codes
from assay.data.tables.long_table import encoded, write_packed
from assay.data.tables.names import checked_name
from assay.data.tables.notes import plural
from assay.data.tables.numbers import parse_index
from assay.data.tables.rows import Row, campaigns_from_rows
from assay.data.text_files import read_text, shown_path
from assay.errors import AlignmentError, ConfigError, EmptyInputError, InputError
from assay.types import Campaign, Column, Note, NoteKind, TestSet

__all__ = ["WmtXml"]

_PARENTS = {
    "dataset": ("",),
    "collection": ("dataset",),
    "doc": ("dataset", "collection"),
    "src": ("doc",),
    "ref": ("doc",),
    "hyp": ("doc",),
    "p": ("src", "ref", "hyp"),
    "seg": ("p", "src", "ref", "hyp"),
}
_UNREAD = "?"  # the tag of an element whose content is skipped
_MAX_DEPTH = 64  # the format needs six
_UNUSED_ATTRIBUTES = (
    ("origlang", "the original languages of documents"),
    ("testsuite", "the test suites of documents"),
)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = str.maketrans({c: f"&#{ord(c)};" for c in '&<>"\r\n\t'})


@data_format("wmt-xml")
@dataclass(frozen=True)
class WmtXml(Format):
    """Sources, references and outputs by document."""

    suffixes = (".xml",)

    def recognises(self, path: Path, head: str) -> int:
        return CERTAIN if re.search(r"<dataset[\s>]", head) else super().recognises(path, head)

    def read(self, path: Path) -> tuple[Campaign, ...]:
        text, notes = read_text(path)
        reader = _Reader(shown_path(path))
        reader.parse(text)
        return reader.campaigns(notes)

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        written = list(campaigns)
        if not any(campaign.testset is not None for campaign in written):
            raise ConfigError("no texts to write")
        if len(written) != 1 or written[0].testset is None:
            raise ConfigError(f"{self.name} files hold the texts of one test set in one language pair")
        if written[0].scores or written[0].judgements:
            raise ConfigError(f"{self.name} files cannot hold scores or judgements", hint="write texts: --only texts")
        write_packed(path, encoded("\n".join(_lines_of(written[0].testset)) + "\n"))


@dataclass
class _Part:
    """A source, reference or output of a document: texts by segment number, from 1."""

    kind: str
    name: str = ""
    line: int = 0
    texts: dict[int, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return {"src": "the source", "ref": f"reference '{self.name}'", "hyp": f"the output of '{self.name}'"}[
            self.kind
        ]


@dataclass
class _Document:
    name: str
    line: int
    domain: str | None
    source: _Part = field(default_factory=lambda: _Part("src"))
    parts: dict[tuple[str, str], _Part] = field(default_factory=dict)


class _Reader:
    """The handlers of the parser, and the documents read so far."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.dataset = ""
        self.documents: dict[str, _Document] = {}
        self.languages: dict[str, str] = {}
        self.unused: dict[str, Counter[str]] = defaultdict(Counter)
        self._parser = _safe_parser(self)
        self._open: list[str] = []
        self._collection: str | None = None
        self._document = _Document("", 0, None)
        self._part = _Part("src")
        self._number = 0
        self._text: list[str] = []

    def parse(self, text: str) -> None:
        try:
            self._parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise InputError(f"invalid XML: {reason}", path=self.path, line=error.lineno) from None

    def error(self, message: str, *, line: int | None = None, hint: str | None = None) -> InputError:
        return InputError(message, path=self.path, line=line or self._parser.CurrentLineNumber, hint=hint)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        parent = self._open[-1] if self._open else ""
        if len(self._open) >= _MAX_DEPTH:
            raise self.error(f"elements are nested more than {_MAX_DEPTH} levels deep")
        if parent == "seg":
            raise self.error(f"unexpected element <{tag[:40]}> inside a segment", hint="write < in texts as &lt;")
        if parent == _UNREAD or (parent and tag not in _PARENTS):
            self.unused["other elements"].update([tag] if parent != _UNREAD else [])
            self._open.append(_UNREAD)
            return
        if parent not in _PARENTS.get(tag, ()):
            where = f"inside <{parent}>" if parent else "as the root"
            raise self.error(
                f"unexpected element <{tag[:40]}> {where}", hint="the root is <dataset>, with <doc> inside"
            )
        self._open.append(tag)
        self._begin(tag, attributes)

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "dataset":
            self.dataset = attributes.get("id", "")
        elif tag == "collection":
            self._collection = attributes.get("id")
        elif tag == "doc":
            self._begin_document(attributes)
        elif tag == "seg":
            self._begin_segment(attributes.get("id", ""))
        elif tag != "p":
            self._begin_part(tag, attributes)

    def text(self, text: str) -> None:
        inside = self._open[-1] if self._open else ""
        if inside == "seg":
            self._text.append(text)
        elif inside != _UNREAD and text.strip():
            raise self.error(f"text outside segments: {text.strip()[:40]!r}")

    def end(self, tag: str) -> None:
        if self._open.pop() == _UNREAD:
            return
        if tag == "seg":
            self._part.texts[self._number] = "".join(self._text)
        elif tag == "doc":
            self._check_document()
        elif tag == "collection":
            self._collection = None

    def _begin_document(self, attributes: Mapping[str, str]) -> None:
        name = attributes.get("id", "")
        if not name:
            raise self.error("the document has no id")
        if name in self.documents:
            raise self.error(f"duplicate document '{name}', first in line {self.documents[name].line:,}")
        domain = attributes.get("domain", self._collection)
        self._document = self.documents[name] = _Document(name, self._parser.CurrentLineNumber, domain)
        for attribute, label in _UNUSED_ATTRIBUTES:
            if attribute in attributes:
                self.unused[label][attributes[attribute]] += 1

    def _begin_segment(self, number: str) -> None:
        line = self._parser.CurrentLineNumber
        self._number = parse_index(number, path=self.path, line=line, name="id of a segment") + 1
        self._text = []
        if self._number in self._part.texts:
            raise self.error(f"duplicate segment {self._number} in {self._part} of document '{self._document.name}'")

    def _begin_part(self, kind: str, attributes: Mapping[str, str]) -> None:
        line, document = self._parser.CurrentLineNumber, self._document
        self._part = _Part(kind, line=line)
        if kind == "ref":
            name = _reference_name(attributes.get("translator", ""))
            self._part.name = checked_name("reference", name, path=self.path, line=line)
        elif kind == "hyp":
            self._part.name = checked_name("system", attributes.get("system", ""), path=self.path, line=line)
        else:
            document.source = self._part
        if (kind, self._part.name) in document.parts:
            raise self.error(f"{self._part} occurs twice in document '{document.name}'")
        document.parts[kind, self._part.name] = self._part
        side = "source" if kind == "src" else "target"
        language = attributes.get("lang") or attributes.get("language")
        if language and self.languages.setdefault(side, language) != language:
            message = f"the {side} language is '{language[:20]}' here, but '{self.languages[side][:20]}' before"
            raise self.error(message, hint="a file holds one language pair")

    def _check_document(self) -> None:
        name, source = f"document '{self._document.name}'", self._document.source.texts
        if not source:
            raise self.error(f"{name} has no source", line=self._document.line)
        for part in self._document.parts.values():
            extra = sorted(part.texts.keys() - source.keys())
            if len(part.texts) != len(source) or extra:
                message = f"{part} of {name} has {len(part.texts):,} segments, but the source has {len(source):,}"
                message += f"; segment {extra[0]} is not in the source" if extra else ""
                raise AlignmentError(message, path=self.path, line=part.line)

    def campaigns(self, notes: Iterable[Note]) -> tuple[Campaign, ...]:
        """The campaigns of the file, once it is parsed."""
        names = dict.fromkeys(key for document in self.documents.values() for key in document.parts)
        if not any(kind == "hyp" for kind, _ in names):
            raise EmptyInputError("no system output (<hyp system=…>)", path=self.path)
        lp = pair_of_codes(self.languages.get("source"), self.languages.get("target"))
        noted = [*notes, *self._notes(lp)]
        return campaigns_from_rows(self._rows(lp), path=self.path, notes=noted)

    def _rows(self, lp: str | None) -> Iterator[Row]:
        places = (
            (document, number) for document in self.documents.values() for number in sorted(document.source.texts)
        )
        for position, (document, number) in enumerate(places):
            texts = {key: part.texts[number] for key, part in document.parts.items()}
            yield Row(
                line=document.line,
                dataset=self.dataset,
                lp=lp,
                segment=str(position),
                source=texts["src", ""],
                document=document.name,
                domain=document.domain,
                references={name: text for (kind, name), text in texts.items() if kind == "ref"},
                outputs={name: text for (kind, name), text in texts.items() if kind == "hyp"},
            )

    def _notes(self, lp: str | None) -> Iterator[Note]:
        documents: Counter[tuple[str, str]] = Counter()
        segments: Counter[tuple[str, str]] = Counter()
        for document in self.documents.values():
            documents.update(list(document.parts))
            segments.update(dict.fromkeys(document.parts, len(document.source.texts)))
        for key, count in documents.items():
            if count < len(self.documents):
                absent = segments["src", ""] - segments[key]
                documents_missing = f"{len(self.documents) - count:,} of {plural(len(self.documents), 'document')}"
                text = f"{_Part(*key)} is missing in {documents_missing} ({plural(absent, 'segment')})"
                yield Note(NoteKind.MISSING, text, self.path, absent)
        if lp is None:
            languages = ", ".join(f"{side} {language}" for side, language in self.languages.items()) or "none given"
            yield Note(NoteKind.MISSING, f"unknown language pair: {languages}", self.path)
        for label, counts in self.unused.items():
            values = ", ".join(f"{name}: {n:,}" for name, n in sorted(counts.items()))
            yield Note(NoteKind.UNREAD, f"{label} are not used ({values})", self.path, counts.total())


def _safe_parser(reader: _Reader) -> expat.XMLParserType:
    """A parser that reports lines, and neither declares entities nor reads other files."""

    def refuse_subset(name: str, system: str | None, public: str | None, has_internal_subset: bool) -> None:
        if has_internal_subset:
            raise reader.error("declarations in the DOCTYPE are not allowed", hint="remove them")

    def refuse_entity(name: str, *_: object) -> int:
        raise reader.error(f"unknown entity '{name[:40]}'", hint="write the character itself")

    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartDoctypeDeclHandler = refuse_subset
    parser.EntityDeclHandler = refuse_entity
    parser.SkippedEntityHandler = refuse_entity
    parser.ExternalEntityRefHandler = refuse_entity
    parser.StartElementHandler = lambda tag, attributes: reader.start(tag, attributes)
    parser.EndElementHandler = lambda tag: reader.end(tag)
    parser.CharacterDataHandler = lambda text: reader.text(text)
    return parser


def _reference_name(translator: str) -> str:
    """`refA` for translator A of 2021 and 2022; later files write `refA` themselves."""
    return f"ref{translator}" if len(translator) <= 1 else translator


def _lines_of(testset: TestSet) -> Iterator[str]:
    if testset.sources is None or testset.lp is None:
        raise ConfigError("WMT XML needs sources and a language pair")
    source, target = (code.replace("_", "-") for code in testset.lp.split("-"))
    yield "<?xml version='1.0' encoding='utf-8'?>"
    yield f"<dataset{_attributes(id=testset.name)}>"
    for document, domain, segments in _documents(testset):
        yield f"  <doc{_attributes(id=document, domain=domain)}>"
        yield from _part("src", testset.sources, segments, lang=source)
        for name, column in testset.references.items():
            if _reference_name(name) != name:
                raise ConfigError(f"the reference '{name}' would be read as '{_reference_name(name)}'")
            yield from _part("ref", column, segments, lang=target, translator=None if name == "ref" else name)
        for name, column in testset.outputs.items():
            yield from _part("hyp", column, segments, system=name, lang=target)
        yield "  </doc>"
    yield "</dataset>"


def _documents(testset: TestSet) -> Iterator[tuple[str, str | None, range]]:
    """Each document with its domain and segments. A test set without documents is one document."""
    labels = testset.documents or (testset.name or "document",) * len(testset)
    first, seen = 0, set()
    for document, group in groupby(labels):
        segments = range(first, first + len(list(group)))
        first = segments.stop
        domains = {testset.domains[i] for i in segments} if testset.domains else {None}
        if document is None or document in seen or len(domains) > 1:
            reason = "has no document, or its document is not contiguous or has two domains"
            hint = "WMT XML is written document by document"
            raise AlignmentError(f"segment {segments.start + 1:,} {reason}", hint=hint)
        seen.add(document)
        yield document, domains.pop(), segments


def _part(tag: str, column: Column, segments: range, **attributes: str | None) -> Iterator[str]:
    """An element with its texts; nothing if the whole document has none."""
    texts = [column[i] for i in segments]
    if all(text is None for text in texts) and tag != "src":
        return
    yield f"    <{tag}{_attributes(**attributes)}><p>"
    for number, text in enumerate(texts, 1):
        if text is None:
            message = f"segment {segments.start + number:,} of <{tag}{_attributes(**attributes)}> is missing"
            raise AlignmentError(message, hint="in WMT XML, only whole documents can be missing")
        yield f'      <seg id="{number}">{_escaped(text)}</seg>'
    yield f"    </p></{tag}>"


def _attributes(**attributes: str | None) -> str:
    return "".join(f' {name}="{_escaped(value)}"' for name, value in attributes.items() if value is not None)


def _escaped(text: str) -> str:
    flaw = _NOT_XML.search(text)
    if flaw is not None:
        raise InputError(f"XML cannot hold the character U+{ord(flaw[0]):04X} in {text[:40]!r}")
    return text.translate(_ESCAPES)

"""The XML of WMT test sets since 2021: documents, each with its source, references and outputs side by side.

    <dataset id="wmttest2022"><collection id="general"><doc id="news.1" origlang="en" domain="news">
      <src lang="en"><p><seg id="1">…</seg></p></src>
      <ref lang="de" translator="A">…</ref>
      <hyp system="Online-W" lang="de">…</hyp></doc></collection></dataset>

Segments belong together by document and number. A document that lacks an output or reference which others have is a
gap. Nothing outside the file is ever read, and a file that declares entities of its own is refused.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from xml.parsers import expat

from assay.data.collecting import checked_name
from assay.data.formats import CERTAIN, Format, form
from assay.data.formats.sgml import language_pair
from assay.data.longtable import encoded, write_packed
from assay.data.numbers import parse_index
from assay.data.rows import Row, campaigns_from_rows
from assay.data.text import read_text, shown_path
from assay.errors import AlignmentError, ConfigError, EmptyInputError, InputError
from assay.types import Campaign, Column, TestSet

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
_UNREAD = "?"  # the tag of an element whose content is passed over
_MAX_DEPTH = 64  # the format needs six
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = str.maketrans({c: f"&#{ord(c)};" for c in '&<>"\r\n\t'})


@form("wmt-xml")
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
        given = list(campaigns)
        if not any(campaign.testset is not None for campaign in given):
            raise ConfigError("there are no texts to write")
        if len(given) != 1 or given[0].testset is None:
            raise ConfigError(f"a file of {self.name} holds the texts of one test set in one language pair")
        if given[0].scores or given[0].judgements:
            raise ConfigError(f"scores and judgements cannot be written as {self.name}", hint="write them elsewhere")
        write_packed(path, encoded("\n".join(_lines_of(given[0].testset)) + "\n"))


@dataclass
class _Part:
    """A source, reference or output of a document: texts by number, from 1."""

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
    """What the parser calls, and what has been read so far."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.dataset = ""
        self.documents: dict[str, _Document] = {}
        self.languages: dict[str, str] = {}
        self.unkept: dict[str, Counter[str]] = defaultdict(Counter)
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
            what = expat.ErrorString(error.code)
            raise InputError(f"not well-formed XML: {what}", path=self.path, line=error.lineno) from None

    def error(self, message: str, *, line: int | None = None, hint: str | None = None) -> InputError:
        return InputError(message, path=self.path, line=line or self._parser.CurrentLineNumber, hint=hint)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        parent = self._open[-1] if self._open else ""
        if len(self._open) >= _MAX_DEPTH:
            raise self.error(f"elements are nested more than {_MAX_DEPTH} deep")
        if parent == "seg":
            raise self.error(f"an element <{tag[:40]}> inside a segment", hint="write < as &lt; in texts")
        if parent == _UNREAD or (parent and tag not in _PARENTS):
            self.unkept["other elements"].update([tag] if parent != _UNREAD else [])
            self._open.append(_UNREAD)
            return
        if parent not in _PARENTS.get(tag, ()):
            where = f"inside <{parent}>" if parent else "as the root"
            raise self.error(f"an element <{tag[:40]}> {where}", hint="the root is <dataset>, which holds <doc>")
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
            raise self.error(f"the text {text.strip()[:40]!r} stands outside of segments")

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
            raise self.error("a document without id")
        if name in self.documents:
            raise self.error(f"a second document '{name}', the first is in line {self.documents[name].line:,}")
        domain = attributes.get("domain", self._collection)
        self._document = self.documents[name] = _Document(name, self._parser.CurrentLineNumber, domain)
        for attribute, what in (("origlang", "original languages"), ("testsuite", "test suites")):
            if attribute in attributes:
                self.unkept[what][attributes[attribute]] += 1

    def _begin_segment(self, number: str) -> None:
        line = self._parser.CurrentLineNumber
        self._number = parse_index(number, path=self.path, line=line, what="id of a segment") + 1
        self._text = []
        if self._number in self._part.texts:
            raise self.error(f"a second segment {self._number} in {self._part} of document '{self._document.name}'")

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
            raise self.error(f"{self._part} is given a second time in document '{document.name}'")
        document.parts[kind, self._part.name] = self._part
        side = "source" if kind == "src" else "target"
        language = attributes.get("lang") or attributes.get("language")
        if language and self.languages.setdefault(side, language) != language:
            what = f"a {side} in '{language[:20]}', others are in '{self.languages[side][:20]}'"
            raise self.error(what, hint="one file holds one language pair")

    def _check_document(self) -> None:
        name, source = f"document '{self._document.name}'", self._document.source.texts
        if not source:
            raise self.error(f"{name} has no source", line=self._document.line)
        for part in self._document.parts.values():
            extra = sorted(part.texts.keys() - source.keys())
            if len(part.texts) != len(source) or extra:
                what = f"{part} of {name} has {len(part.texts):,} segments, the source has {len(source):,}"
                what += f"; segment {extra[0]} is not among them" if extra else ""
                raise AlignmentError(what, path=self.path, line=part.line)

    def campaigns(self, notes: Iterable[str]) -> tuple[Campaign, ...]:
        """What was read, as soon as all is read."""
        names = dict.fromkeys(key for document in self.documents.values() for key in document.parts)
        if not any(kind == "hyp" for kind, _ in names):
            raise EmptyInputError("there is no output of a system, that is no <hyp system=…>", path=self.path)
        lp = language_pair(self.languages.get("source"), self.languages.get("target"))
        told = [*notes, *self._notes(lp)]
        return campaigns_from_rows(self._rows(lp), path=self.path, notes=told)

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

    def _notes(self, lp: str | None) -> Iterator[str]:
        documents: Counter[tuple[str, str]] = Counter()
        segments: Counter[tuple[str, str]] = Counter()
        for document in self.documents.values():
            documents.update(list(document.parts))
            segments.update(dict.fromkeys(document.parts, len(document.source.texts)))
        for key, count in documents.items():
            if count < len(self.documents):
                absent = segments["src", ""] - segments[key]
                where = f"{len(self.documents) - count:,} of {len(self.documents):,} documents ({absent:,} segments)"
                yield f"{_Part(*key)} is missing in {where}"
        if lp is None:
            yield f"the language pair is not known: {self.languages or 'no language is given'}"
        for what, counts in self.unkept.items():
            yield f"{what} are not kept: {', '.join(f'{name} {n:,}' for name, n in sorted(counts.items()))}"


def _safe_parser(reader: _Reader) -> expat.XMLParserType:
    """A parser that knows lines, declares nothing and fetches nothing."""

    def refuse_subset(name: str, system: str | None, public: str | None, has_internal_subset: bool) -> None:
        if has_internal_subset:
            raise reader.error("a DOCTYPE with declarations of its own, which are not read", hint="take it out")

    def refuse_entity(name: str, *_: object) -> int:
        raise reader.error(f"the entity '{name[:40]}' is not declared here", hint="write the character itself")

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
    """`refA` for the translators A, B, … of 2021 and 2022; later files write `refA` themselves."""
    return f"ref{translator}" if len(translator) <= 1 else translator


def _lines_of(testset: TestSet) -> Iterator[str]:
    if testset.sources is None or testset.lp is None:
        raise ConfigError("WMT XML needs sources and a language pair", hint="give them: --src FILE --lp en-de")
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
    """Each document with its domain and segments. A test set that knows no documents is one."""
    labels = testset.documents or (testset.name or "document",) * len(testset)
    first, seen = 0, set()
    for document, group in groupby(labels):
        segments = range(first, first + len(list(group)))
        first = segments.stop
        domains = {testset.domains[i] for i in segments} if testset.domains else {None}
        if document is None or document in seen or len(domains) > 1:
            why = "has no document, or its document is elsewhere too, or in another domain"
            raise AlignmentError(f"segment {segments.start + 1:,} {why}", hint="WMT XML writes document by document")
        seen.add(document)
        yield document, domains.pop(), segments


def _part(tag: str, column: Column, segments: range, **attributes: str | None) -> Iterator[str]:
    """An element with its texts; nothing where the whole document has none."""
    texts = [column[i] for i in segments]
    if all(text is None for text in texts) and tag != "src":
        return
    yield f"    <{tag}{_attributes(**attributes)}><p>"
    for number, text in enumerate(texts, 1):
        if text is None:
            what = f"segment {segments.start + number:,} of <{tag}{_attributes(**attributes)}> is missing"
            raise AlignmentError(what, hint="WMT XML can leave out whole documents only")
        yield f'      <seg id="{number}">{_escaped(text)}</seg>'
    yield f"    </p></{tag}>"


def _attributes(**attributes: str | None) -> str:
    return "".join(f' {name}="{_escaped(value)}"' for name, value in attributes.items() if value is not None)


def _escaped(text: str) -> str:
    flaw = _NOT_XML.search(text)
    if flaw is not None:
        raise InputError(f"XML cannot hold the character U+{ord(flaw[0]):04X} of {text[:40]!r}")
    return text.translate(_ESCAPES)

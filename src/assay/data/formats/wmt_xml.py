"""The XML of WMT test sets since 2021: documents, each with its source, references and outputs.

    <dataset id="wmttest2022"><collection id="general"><doc id="news.1" origlang="en" domain="news">
      <src lang="en"><p><seg id="1">…</seg></p></src>
      <ref lang="de" translator="A">…</ref>
      <hyp system="Online-W" lang="de">…</hyp></doc></collection></dataset>

Segments are matched by document and number. If a document lacks an output or reference that others have, its texts are
missing. Sources, references and outputs may be in several files, which are then read together. The documents of test
suites, which stand beside the test set, are left out unless asked for. Nothing outside the files is read, and a file
that declares entities is refused.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Literal
from xml.parsers import expat

from assay.data import CERTAIN
from assay.data.formats import Format, data_format
from assay.data.tables.languages import pair_of_codes
from assay.data.tables.long_table import encoded, write_packed
from assay.data.tables.names import checked_name
from assay.data.tables.numbers import parse_index
from assay.data.tables.rows import Row, campaigns_from_rows
from assay.data.text_files import read_text, shown_path
from assay.errors import AlignmentError, ConfigError, EmptyInputError, InputError, option_name
from assay.types import Campaign, Column, Note, NoteKind, TestSet
from assay.types.note import plural

__all__ = ["WmtXml", "read_rows"]

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
_WITH_TESTSUITES = option_name("input_format", "wmt-xml:testsuites=yes")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = str.maketrans({c: f"&#{ord(c)};" for c in '&<>"\r\n\t'})


@data_format("wmt-xml")
@dataclass(frozen=True)
class WmtXml(Format):
    """Sources, references and outputs by document."""

    testsuites: Literal["no", "yes"] = "no"
    """Whether to read the documents of test suites, too."""

    suffixes = (".xml",)

    def recognises(self, path: Path, head: str) -> int:
        return CERTAIN if re.search(r"<dataset[\s>]", head) else super().recognises(path, head)

    def read(self, path: Path) -> tuple[Campaign, ...]:
        return self.read_together([path])

    def read_together(self, paths: Sequence[Path]) -> tuple[Campaign, ...]:
        files = []
        for path in paths:
            text, notes = read_text(path)
            files.append(_Reader(shown_path(path), notes))
            files[-1].parse(text)
        return tuple(self._campaign(group) for group in _groups(files))

    def _campaign(self, files: Sequence[_Reader]) -> Campaign:
        """The test set in these files."""
        path, notes = files[0].path, [note for file in files for note in file.notes()]
        documents = _merged(files)
        if self.testsuites == "no":
            notes += _testsuite_notes(documents.values(), path)
            documents = {name: document for name, document in documents.items() if not document.testsuite}
        if not documents:
            raise EmptyInputError("only documents of test suites", path=path, hint=f"read them: {_WITH_TESTSUITES}")
        sides = [dict(file.languages()) for file in files]
        languages = {side: code for known in reversed(sides) for side, code in known.items()}
        lp = pair_of_codes(languages.get("source"), languages.get("target"))
        if lp is None:
            shown = ", ".join(f"{side} {language}" for side, language in languages.items()) or "none given"
            notes.append(Note(NoteKind.MISSING, f"unknown language pair: {shown}", path))
        notes += _gap_notes(documents.values(), path)
        return campaigns_from_rows(_rows(documents.values(), files[0].dataset, lp), path=path, notes=notes)[0]

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        written = list(campaigns)
        if not any(campaign.testset is not None for campaign in written):
            raise ConfigError("no texts to write")
        if len(written) != 1 or written[0].testset is None:
            raise ConfigError(f"{self.name} files hold the texts of one test set in one language pair")
        if written[0].scores or written[0].judged_or_predicted:
            raise ConfigError(
                f"{self.name} files cannot hold scores or judgements",
                hint=f"write texts: {option_name('only', 'texts')}",
            )
        write_packed(path, encoded("\n".join(_lines_of(written[0].testset)) + "\n"))


def read_rows(path: Path) -> Iterator[Row]:
    """The segments of one file without the documents of test suites; there need not be any outputs."""
    file = _Reader(shown_path(path))
    file.parse(read_text(path)[0])
    documents = (document for document in file.documents.values() if not document.testsuite)
    return _rows(documents, file.dataset, None)


@dataclass
class _Part:
    """A source, reference or output of a document: texts by segment number, from 1."""

    kind: str
    name: str = ""
    line: int = 0
    path: str = ""
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
    testsuite: str = ""
    source: _Part = field(default_factory=lambda: _Part("src"))
    parts: dict[tuple[str, str], _Part] = field(default_factory=dict)


class _Reader:
    """The handlers of the parser, and the documents read so far."""

    def __init__(self, path: str, notes: Iterable[Note] = ()) -> None:
        self.path = path
        self.dataset = ""
        self.documents: dict[str, _Document] = {}
        self._notes = list(notes)
        self._lines: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        """Where the language of sources, references and outputs is given: by kind and language."""
        self._empty: list[str] = []
        self._unused: dict[str, Counter[str]] = defaultdict(Counter)
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
            self._unused["other elements"].update([tag] if parent != _UNREAD else [])
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
            raise self.error(f"duplicate document '{name}', first in line {self.documents[name].line}")
        domain = attributes.get("domain", self._collection)
        testsuite = attributes.get("testsuite", "")
        self._document = _Document(name, self._parser.CurrentLineNumber, domain, testsuite)
        self.documents[name] = self._document
        if "origlang" in attributes:
            self._unused["the original languages of documents"][attributes["origlang"]] += 1

    def _begin_segment(self, number: str) -> None:
        line = self._parser.CurrentLineNumber
        self._number = parse_index(number, path=self.path, line=line, name="id of a segment") + 1
        self._text = []
        if self._number in self._part.texts:
            raise self.error(f"duplicate segment {self._number} in {self._part} of document '{self._document.name}'")

    def _begin_part(self, kind: str, attributes: Mapping[str, str]) -> None:
        line, document = self._parser.CurrentLineNumber, self._document
        self._part = _Part(kind, line=line, path=self.path)
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
        if language := attributes.get("lang") or attributes.get("language"):
            self._lines[kind][language].append(line)

    def _check_document(self) -> None:
        name, source = f"document '{self._document.name}'", self._document.source.texts
        if not any(part.texts for part in self._document.parts.values()):
            self._empty.append(self._document.name)
            del self.documents[self._document.name]
            return
        if not source:
            raise self.error(f"{name} has no source", line=self._document.line)
        for part in self._document.parts.values():
            extra = sorted(part.texts.keys() - source.keys())
            if len(part.texts) != len(source) or extra:
                message = (
                    f"{part} of {name} has {plural(len(part.texts), 'segment')}, but the source has {len(source):,}"
                )
                message += f"; segment {extra[0]} is not in the source" if extra else ""
                raise AlignmentError(message, path=self.path, line=part.line)

    @property
    def has_outputs(self) -> bool:
        return any(kind == "hyp" for document in self.documents.values() for kind, _ in document.parts)

    def languages(self) -> Iterator[tuple[str, str]]:
        """The languages of the two sides. The outputs' is that of the references, whatever the systems wrote."""
        for side, kinds in (("source", ("src",)), ("target", ("ref", "hyp"))):
            kind = next((kind for kind in kinds if self._lines[kind]), None)
            if kind is None:
                continue
            (language, _), *others = self._lines[kind].items()
            if others:
                other, (line, *_) = others[0]
                message = f"the {side} language is '{other[:20]}' here, but '{language[:20]}' before"
                raise self.error(message, line=line, hint="a file holds one language pair")
            yield side, language

    def notes(self) -> Iterator[Note]:
        yield from self._notes
        target = dict(self.languages()).get("target")
        for language, lines in self._lines["hyp"].items():
            if language != target:
                place = plural(len(lines), "place")
                text = f"the language of outputs is '{language[:20]}' in {place}, first in line {lines[0]}: "
                text += f"read as '{target}', the language of the references"
                yield Note(NoteKind.CHANGED, text, self.path, len(lines))
        if self._empty:
            names = ", ".join(self._empty[:5])
            text = f"{plural(len(self._empty), 'document')} without any text: {names}"
            yield Note(NoteKind.MISSING, text, self.path, len(self._empty))
        for label, counts in self._unused.items():
            values = ", ".join(f"{name}: {n:,}" for name, n in sorted(counts.items()))
            yield Note(NoteKind.UNREAD, f"{label} are not used ({values})", self.path, counts.total())


def _groups(files: Sequence[_Reader]) -> list[list[_Reader]]:
    """Files of the same test set and language pair. One without outputs belongs to all that it does not contradict."""
    groups: dict[tuple[str, ...], list[_Reader]] = {}
    for file in files:
        if file.has_outputs:
            languages = dict(file.languages())
            key = file.dataset, languages.get("source", ""), languages.get("target", "")
            groups.setdefault(key, []).append(file)
    for file in files:
        if file.has_outputs:
            continue
        known = dict(file.languages())
        fitting = [
            group
            for (dataset, source, target), group in groups.items()
            if dataset == file.dataset
            and known.get("source", source) == source
            and known.get("target", target) == target
        ]
        if not fitting:
            hint = "give it together with the outputs: src-ref.xml hyp.xml (each after --data, where that is needed)"
            raise EmptyInputError("no system output (<hyp system=…>)", path=file.path, hint=hint)
        for group in fitting:
            group.append(file)
    return list(groups.values())


def _merged(files: Sequence[_Reader]) -> dict[str, _Document]:
    """The documents of several files. A text may occur in several of them if it is the same everywhere."""
    documents = dict(files[0].documents)
    for file in files[1:]:
        for name, document in file.documents.items():
            first = documents.setdefault(name, document)
            if first is document:
                continue
            for key, part in document.parts.items():
                if first.parts.setdefault(key, part).texts != part.texts:
                    message = f"{part} of document '{name}' is not the one in {first.parts[key].path}"
                    raise AlignmentError(message, path=part.path, line=part.line)
            if any(part.texts.keys() != first.source.texts.keys() for part in document.parts.values()):
                message = f"document '{name}' has other segments than in {first.source.path}"
                raise AlignmentError(message, path=file.path, line=document.line)
    return documents


def _testsuite_notes(documents: Iterable[_Document], path: str) -> Iterator[Note]:
    segments: Counter[str] = Counter()
    left_out = [document for document in documents if document.testsuite]
    for document in left_out:
        segments[document.testsuite] += len(document.source.texts)
    if left_out:
        suites = ", ".join(f"{name}: {plural(count, 'segment')}" for name, count in sorted(segments.items()))
        text = (
            f"left out {plural(len(left_out), 'document')} of test suites ({suites}); to read them: {_WITH_TESTSUITES}"
        )
        yield Note(NoteKind.EXCLUDED, text, path, segments.total())


def _gap_notes(documents: Iterable[_Document], path: str) -> Iterator[Note]:
    """Notes on sources, references and outputs that some documents lack."""
    counts: Counter[tuple[str, str]] = Counter()
    segments: Counter[tuple[str, str]] = Counter()
    for document in documents:
        counts.update(list(document.parts))
        segments.update(dict.fromkeys(document.parts, len(document.source.texts)))
    total = counts["src", ""]
    for key, count in counts.items():
        if count < total:
            absent = segments["src", ""] - segments[key]
            missing = f"{total - count:,} of {plural(total, 'document')}"
            text = f"{_Part(*key)} is missing in {missing} ({plural(absent, 'segment')})"
            yield Note(NoteKind.MISSING, text, path, absent)


def _rows(documents: Iterable[_Document], dataset: str, lp: str | None) -> Iterator[Row]:
    places = ((document, number) for document in documents for number in sorted(document.source.texts))
    for position, (document, number) in enumerate(places):
        texts = {key: part.texts[number] for key, part in document.parts.items()}
        yield Row(
            line=document.line,
            dataset=dataset,
            lp=lp,
            segment=str(position),
            source=texts["src", ""],
            document=document.name,
            domain=document.domain,
            references={name: text for (kind, name), text in texts.items() if kind == "ref"},
            outputs={name: text for (kind, name), text in texts.items() if kind == "hyp"},
        )


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

"""The WMT general task since 2025: the test set, and submissions to it, one document per line.

    {"doc_id": "WMT26_###_news_###_eng_Latn_###_isl_Latn_###_NAME", "src_text": "…", "refs": {"refA": …}, …}
    {"doc_id": "WMT26_###_news_###_eng_Latn_###_isl_Latn_###_NAME", "hypothesis": "…", "metadata": {…}}

`doc_id` says the language pair and the domain; if it does not, `src_lang`, `tgt_lang` and `domain` do. A reference is a
text, or an object with the text as `ref`. A submission is called after its file, unless it has a field `system`. What
was said to systems and raters, and the transcript of a video, stay beside the sources as layers of annotation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, json_keys
from assay.data.joined import join_campaigns
from assay.data.tables.document_ids import parse_document_id
from assay.data.tables.languages import pair_of_codes
from assay.data.tables.names import stem_of
from assay.data.tables.notes import unread_notes
from assay.data.tables.rows import Row, campaigns_from_rows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, NameClashError, printable
from assay.files.strict_json import parse_object
from assay.types import Campaign, Note, NoteKind, TestSet, as_column
from assay.types.note import plural

__all__ = ["WmtGenmt"]

_DOCUMENT, _SOURCE, _OUTPUT, _REFERENCES, _SYSTEM = "doc_id", "src_text", "hypothesis", "refs", "system"
_LABELS = ("domain", "src_lang", "tgt_lang")
_LAYERS = ("prompt_instruction", "multimodal_instruction", "evaluation_instruction", "gold_transcript")
_TABLE_FIELDS = {"segment", "segment_id", "score", "rater", "annotator", "src", "source", "prediction", "errors"}


@data_format("wmt-genmt")
@dataclass(frozen=True)
class WmtGenmt(Format):
    """Documents of several language pairs: sources, references and instructions, or the outputs of a system."""

    suffixes = (".jsonl",)

    def recognises(self, path: Path, head: str) -> int:
        keys = json_keys(head)
        if {_DOCUMENT, _SOURCE, _REFERENCES} <= keys and not {"tgt_text", "scores"} & keys:
            return CERTAIN
        line = head.removeprefix("\ufeff").partition("\n")[0]
        is_output = {_DOCUMENT, _OUTPUT} <= keys and not keys & {_SOURCE, *_TABLE_FIELDS}
        return CERTAIN if is_output and _has_document_id(line) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        return self.read_together((path,))

    def read_together(self, paths: Sequence[Path]) -> tuple[Campaign, ...]:
        """A campaign for each language pair, with the outputs of all submissions."""
        documents: dict[str, _Document] = {}
        submissions, notes = [], list[Note]()
        for path in paths:
            lines = _Lines.of(path)
            if lines.are_outputs:
                submissions.append(lines)
            else:
                _add_documents(documents, lines)
                notes += lines.notes(_SOURCE, _REFERENCES, *_LABELS, *_LAYERS)
        if not submissions:
            return tuple(_texts_only(documents, paths, notes))
        of_pairs: dict[str, list[Campaign]] = {}
        for campaign in chain(*(_outputs(lines, documents) for lines in submissions)):
            of_pairs.setdefault(campaign.lp, []).append(campaign)
        absent = _without_documents(submissions, documents)
        notes += _unused_documents(submissions, documents, paths)
        return tuple(
            _with_layers(join_campaigns(group, ""), documents, [*notes, *absent]) for group in of_pairs.values()
        )


def _has_document_id(line: str) -> bool:
    """Whether the first document of a file has an identifier of the task. The line may be cut."""
    _, _, rest = line.partition(f'"{_DOCUMENT}"')
    return parse_document_id(rest.lstrip(" :").removeprefix('"').partition('"')[0]) is not None


@dataclass(frozen=True, slots=True)
class _Document:
    """A document of the test set."""

    lp: str
    domain: str | None
    source: str
    references: Mapping[str, str]
    layers: Mapping[str, str]


@dataclass
class _Lines:
    """The objects of a file, with the numbers of their lines."""

    path: Path
    objects: list[dict[str, Any]]
    origin: list[Note] = field(default_factory=list)

    @classmethod
    def of(cls, path: Path) -> _Lines:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        return cls(path, [parse_object(text, path=shown, line=n) for n, text in enumerate(lines, 1)], notes)

    @property
    def shown(self) -> str:
        return shown_path(self.path)

    @property
    def are_outputs(self) -> bool:
        return _OUTPUT in self.objects[0]

    def __iter__(self) -> Iterator[tuple[int, str, dict[str, Any]]]:
        """The number of each line, its document and its object."""
        for number, content in enumerate(self.objects, 1):
            name = self.text(content, _DOCUMENT, number)
            if not name:
                raise InputError(f"no {_DOCUMENT}", path=self.shown, line=number)
            yield number, name, content

    def text(self, content: Mapping[str, Any], key: str, line: int) -> str | None:
        value = content.get(key)
        if not isinstance(value, str | None):
            message = f"'{key}' must be text, not {type(value).__name__}"
            raise InputError(message, path=self.shown, line=line)
        return value

    def notes(self, *read: str) -> tuple[Note, ...]:
        """Notes of reading, and one on the fields that are not among those that were read."""
        names = dict.fromkeys(chain(*self.objects))
        unread = [name for name in names if name not in (_DOCUMENT, *read)]
        return (*self.origin, *unread_notes(self.shown, unread, "field"))


def _add_documents(documents: dict[str, _Document], lines: _Lines) -> None:
    """Add the documents of a test set. One that occurs again must be the same."""
    for number, name, content in lines:
        source = lines.text(content, _SOURCE, number)
        if source is None:
            message = f"no {_SOURCE}, which other lines have"
            hint = f"a file has either documents or outputs ({_OUTPUT})"
            raise InputError(message, path=lines.shown, line=number, hint=hint)
        lp, domain = _labels(lines, content, name, number)
        layers = {key: text for key in _LAYERS if (text := lines.text(content, key, number))}
        document = _Document(lp, domain, source, _references(lines, content, number), layers)
        if documents.setdefault(name, document) != document:
            message = f"the document '{printable(name)}' differs from an earlier one of this name"
            raise NameClashError(message, path=lines.shown, line=number)


def _labels(lines: _Lines, content: Mapping[str, Any], name: str, line: int) -> tuple[str, str | None]:
    """The language pair and the domain of a document, by its identifier, else by the fields."""
    domain, source, target = (lines.text(content, key, line) for key in _LABELS)
    known = parse_document_id(name)
    if known is not None:
        return known.lp, known.domain
    lp = pair_of_codes(source, target)
    if lp is None:
        shown = printable(name[:60])
        message = f"no language pair: neither '{_DOCUMENT}' ({shown}) nor 'src_lang' and 'tgt_lang' say it"
        raise InputError(message, path=lines.shown, line=line)
    return lp, domain


def _references(lines: _Lines, content: Mapping[str, Any], line: int) -> dict[str, str]:
    """The references of a document by name, without missing ones."""
    named = content.get(_REFERENCES)
    if not isinstance(named, dict | None):
        message = f"'{_REFERENCES}' must be an object of texts by name, not {type(named).__name__}"
        raise InputError(message, path=lines.shown, line=line)
    texts = {name: text.get("ref") if isinstance(text, dict) else text for name, text in (named or {}).items()}
    for name, text in texts.items():
        if not isinstance(text, str | None):
            message = f"the reference '{printable(name)}' must be text, not {type(text).__name__}"
            raise InputError(message, path=lines.shown, line=line)
    return {name: text for name, text in texts.items() if text is not None}


def _outputs(lines: _Lines, documents: Mapping[str, _Document]) -> tuple[Campaign, ...]:
    """The outputs of a submission with what is known of the documents, by language pair."""

    def rows() -> Iterator[Row]:
        for number, name, content in lines:
            if _OUTPUT not in content:
                message = f"no {_OUTPUT}, which other lines have"
                raise InputError(message, path=lines.shown, line=number)
            known = documents.get(name)
            lp, domain = _labels(lines, content, name, number) if known is None else (known.lp, known.domain)
            system = lines.text(content, _SYSTEM, number) or stem_of(lines.path)
            yield Row(
                line=number,
                lp=lp,
                segment=name,
                source=None if known is None else known.source,
                document=name,
                domain=domain,
                references={} if known is None else known.references,
                outputs={system: lines.text(content, _OUTPUT, number)},
                system=system,
            )

    notes = lines.notes(_OUTPUT, _SYSTEM, *_LABELS)
    return campaigns_from_rows(rows(), path=lines.shown, digest=digest_of(lines.path), notes=notes)


def _texts_only(documents: Mapping[str, _Document], paths: Sequence[Path], notes: Iterable[Note]) -> Iterator[Campaign]:
    """Campaigns of a test set without submissions: only the numbers of documents, and the names of references."""
    of_pairs: dict[str, list[_Document]] = {}
    for document in documents.values():
        of_pairs.setdefault(document.lp, []).append(document)
    hint = f"no outputs, so not used: source, reference; give the files of systems, too ({_OUTPUT})"
    unused = Note(NoteKind.UNREAD, hint, ", ".join(map(shown_path, paths)), len(documents))
    for lp, group in of_pairs.items():
        references = dict.fromkeys(chain(*(document.references for document in group)))
        yield Campaign("", lp, len(group), (), tuple(references), None, notes=(*notes, unused))


def _without_documents(submissions: Iterable[_Lines], documents: Mapping[str, _Document]) -> Iterator[Note]:
    """Outputs of documents that the test set does not have."""
    for lines in submissions:
        absent = [name for _, name, _ in lines if name not in documents] if documents else []
        if absent:
            text = f"{plural(len(absent), 'output')} of documents that the test set lacks: no source, no reference; "
            yield Note(NoteKind.MISSING, f"{text}the first is '{printable(absent[0])}'", lines.shown, len(absent))


def _unused_documents(
    submissions: Iterable[_Lines], documents: Mapping[str, _Document], paths: Sequence[Path]
) -> Iterator[Note]:
    """Documents that no system translated."""
    translated = {name for lines in submissions for _, name, _ in lines}
    if unused := [name for name in documents if name not in translated]:
        text = f"{plural(len(unused), 'document')} without an output not used; the first is '{printable(unused[0])}'"
        yield Note(NoteKind.UNREAD, text, ", ".join(map(shown_path, paths)), len(unused))


def _with_layers(campaign: Campaign, documents: Mapping[str, _Document], notes: Iterable[Note]) -> Campaign:
    """The campaign with instructions and transcripts beside the sources, and with notes."""
    texts = campaign.testset
    all_notes = (*campaign.notes, *notes)
    if texts is None or texts.sources is None:
        return replace(campaign, notes=all_notes, testset=texts and replace(texts, notes=all_notes))
    return replace(campaign, notes=all_notes, testset=replace(_annotated(texts, documents), notes=all_notes))


def _annotated(texts: TestSet, documents: Mapping[str, _Document]) -> TestSet:
    found = [documents.get(name) for name in texts.items]
    layers = {
        key: {"source": as_column(None if document is None else document.layers.get(key) for document in found)}
        for key in _LAYERS
    }
    present = {key: columns for key, columns in layers.items() if any(columns["source"])}
    return replace(texts, annotations={**texts.annotations, **present})

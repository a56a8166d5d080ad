"""Read a public test set: find or download its files, unpack them, and choose references."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data.archives.catalogue import Source
from assay.data.archives.downloads import fetch
from assay.data.archives.folder import data_folder
from assay.data.archives.imports import stem_of, unpack
from assay.data.archives.record import checked_file
from assay.data.test_sets.catalogue import Pair, Place, PublicTestSet, public_test_set
from assay.data.test_sets.texts import read_segments
from assay.errors import ConfigError, UnknownNameError, nearest
from assay.types import Column, Note, NoteKind, as_column
from assay.types.runtime import Runtime

__all__ = ["PublicTexts", "fetch_files", "read_public_texts"]


@dataclass(frozen=True, slots=True)
class PublicTexts:
    """The texts of a public test set in one language pair, to be translated or to score translations with."""

    name: str
    lp: str
    sources: Column
    references: dict[str, Column]
    documents: Column | None = None
    domains: Column | None = None
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        return len(self.sources)


def read_public_texts(
    names: Sequence[str], lp: str, *, references: Iterable[str] = (), runtime: Runtime | None = None
) -> PublicTexts:
    """The texts of one test set, or of several one after the other, which must have the same references."""
    if not names:
        raise ConfigError("no test set was given", hint="give a name, such as wmt23")
    wanted = tuple(references)
    parts = [_read_one(public_test_set(name), lp, wanted, runtime) for name in names]
    first = parts[0]
    for part in parts[1:]:
        if part.references.keys() != first.references.keys():
            shown = [f"{each.name} has {', '.join(each.references) or 'none'}" for each in (first, part)]
            raise ConfigError(
                f"the test sets have different references: {'; '.join(shown)}", hint="score them one by one"
            )
    return first if len(parts) == 1 else _joined(parts)


def _joined(parts: Sequence[PublicTexts]) -> PublicTexts:
    """Test sets one after the other. Documents get the name of their test set: two may have the same."""

    def documents(part: PublicTexts) -> list[str | None]:
        return [f"{part.name}:{name}" for name in part.documents or [""] * len(part)]

    domains = [domain for part in parts for domain in part.domains or [None] * len(part)]
    return PublicTexts(
        name=",".join(part.name for part in parts),
        lp=parts[0].lp,
        sources=as_column([text for part in parts for text in part.sources]),
        references={
            name: as_column([t for part in parts for t in part.references[name]]) for name in parts[0].references
        },
        documents=as_column([name for part in parts for name in documents(part)]),
        domains=as_column(domains) if None not in domains else None,
        notes=tuple(note for part in parts for note in part.notes),
    )


def _read_one(testset: PublicTestSet, lp: str, wanted: tuple[str, ...], runtime: Runtime | None) -> PublicTexts:
    pair = testset.pair(lp)
    paths, notes = fetch_files(testset, pair, runtime)
    segments, more = read_segments(testset.format, pair, paths)
    known = sorted({name for segment in segments for name in segment.references})
    names = _chosen(testset, pair, known, wanted)
    if unused := [name for name in known if name not in names]:
        text = f"scored with {', '.join(names)}; there is also {', '.join(unused)}"
        more.append(Note(NoteKind.PROVENANCE, text, testset.name))

    def column(values: Iterable[str | None]) -> Column | None:
        texts = list(values)
        return None if None in texts else as_column(texts)

    return PublicTexts(
        name=testset.name,
        lp=pair.lp,
        sources=as_column([segment.source for segment in segments]),
        references={name: as_column([segment.references.get(name) for segment in segments]) for name in names},
        documents=column(segment.document for segment in segments),
        domains=column(segment.domain for segment in segments),
        notes=(*notes, *more),
    )


def _chosen(testset: PublicTestSet, pair: Pair, names: list[str], wanted: tuple[str, ...]) -> list[str]:
    """The references that were asked for, or those that count by default."""
    for name in wanted:
        if name not in names:
            raise UnknownNameError(f"{testset.name} {pair.lp} has no reference '{name}'", hint=nearest(name, names))
    return list(wanted) or [name for name in names if name in pair.use] or names


def fetch_files(
    testset: PublicTestSet, pair: Pair, runtime: Runtime | None = None
) -> tuple[dict[Place, Path], list[Note]]:
    """The files of a language pair, and notes on those that were downloaded now: where from, and their licence."""
    notes: list[Note] = []
    paths = {place: _path(place, testset, notes, runtime) for place in pair.places}
    return paths, notes


def _path(place: Place, testset: PublicTestSet, notes: list[Note], runtime: Runtime | None) -> Path:
    if not place.member:
        return _fetched(place.file, testset, notes, runtime)
    folder = data_folder() / place.file.folder / stem_of(place.file.file_name)
    if not folder.exists():
        unpack(_fetched(place.file, testset, notes, runtime), folder, runtime=runtime)
    return checked_file(folder, place.member)


def _fetched(file: Source, testset: PublicTestSet, notes: list[Note], runtime: Runtime | None) -> Path:
    is_new = not (data_folder() / file.folder / file.file_name).exists()
    path = fetch(file, runtime=runtime)
    if is_new:
        text = f"downloaded {file.urls[0]}; licence: {testset.licence}; cite {', '.join(testset.cite)}"
        notes.append(Note(NoteKind.PROVENANCE, text, testset.name))
    return path

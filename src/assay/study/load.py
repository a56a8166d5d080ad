"""`assay.load`: create a checked `TestSet` from columns."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Annotated, Any, TypeAlias, Unpack

from assay.data.annotation_files import (
    check_folder,
    has_annotations,
    missing_error,
    with_annotations,
    with_annotations_in,
)
from assay.data.lengths import odd_lengths
from assay.data.rerank_records import read_record
from assay.data.tables.languages import check_language_codes
from assay.data.tables.names import stem_of
from assay.data.tables.quoting import text_notes
from assay.data.text_files import is_pipe, read_column, shown_path
from assay.errors import (
    AlignmentError,
    DecodeError,
    EmptyInputError,
    InputError,
    NameClashError,
    most_similar,
    shortened,
)
from assay.files import exists
from assay.options.option import DATA, Option
from assay.options.parameters import kind_of
from assay.options.shared import RUNTIME, SOURCE_FLAGS, pair_option
from assay.options.verb import verb
from assay.types import Column, Note, NoteKind, TestSet, as_column
from assay.types.language_codes import LANGUAGES, is_language_pair
from assay.types.note import plural
from assay.types.runtime import Runtime, RuntimeFields
from assay.types.testset import ONE_TEXT_PER_SEGMENT

__all__ = ["AnnotationsLike", "ColumnLike", "load"]

ColumnLike: TypeAlias = str | Path | Sequence[str | None]
AnnotationsLike: TypeAlias = Mapping[str, Mapping[str, ColumnLike]] | str | Path | bool | None

_MAX_DOMAIN_SHARE = 0.5  # of different domains among the segments
_MIN_DOMAINS = 20  # that are not doubtful in a small test set

_FILE_NAME = re.compile(r"\S+\.[A-Za-z][A-Za-z0-9]{0,7}")
_MAX_FILE_NAMES = 100  # among texts: nobody lists more files than this
_TEXT_SUFFIXES = ("txt", "csv", "tsv", "json", "jsonl", "gz", "xlsx", "parquet", "src", "ref", "hyp", "out")

# Characters that some programs treat as line ends. Here they are content.
_MISSING = ("float", "NAType", "NaTType")  # what pandas has instead of None


def _column_option(help_text: str, *flags: str) -> Option:
    """The option for columns, which `load` itself reads and checks; with flags, commands have it, too."""
    return Option(
        help_text,
        group=DATA,
        flags=flags,
        metavar="FILE",
        takes_file=True,
        is_checked=False,
        is_command_option=bool(flags),
    )


@verb
def load(
    *,
    outputs: Annotated[
        Mapping[str, ColumnLike] | ColumnLike,
        _column_option('System outputs by name: {"base": column}. A single one needs no name.'),
    ],
    references: Annotated[
        Mapping[str, ColumnLike] | ColumnLike | None,
        _column_option('References by name: {"refA": column}. A single one needs no name.'),
    ] = None,
    sources: Annotated[ColumnLike | None, _column_option("The source texts.", *SOURCE_FLAGS)] = None,
    documents: Annotated[ColumnLike | None, _column_option("The document of each segment.", "--documents")] = None,
    domains: Annotated[ColumnLike | None, _column_option("The domain of each segment.", "--domains")] = None,
    lp: Annotated[
        str | None,
        pair_option(
            "Language pair, such as en-zh: it selects BLEU's tokeniser and, of data with several pairs, which to use."
        ),
    ] = None,
    annotations: Annotated[
        AnnotationsLike,
        Option(
            "True for the files beside the texts (base.de.conllu and base.de.alignment for base.de); a folder with "
            'such files (base.conllu); or layers of named columns, {"pos": {"base": column}}.',
            is_checked=False,
            is_command_option=False,
        ),
    ] = None,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> TestSet:
    """Create a test set from columns. A column is a path or a list of N strings (None: absent)."""
    notes: list[Note] = []
    runtime = runtime or Runtime()
    outputs, references = _told_apart(outputs, references)
    outputs_read = _named_columns("outputs", outputs, "output", notes, runtime)
    if not outputs_read:
        hint = 'give at least one: outputs={"base": ["first segment", …]}, or outputs={"base": "base.de"}'
        raise EmptyInputError("no system output was given", hint=hint)
    size = len(next(iter(outputs_read.values())))
    references_read = _named_columns("references", references, "ref", notes, runtime, segments=size)
    plain = {"sources": sources, "documents": documents, "domains": domains}
    plain_read = {name: _column(name, column, notes) for name, column in plain.items() if column is not None}
    if domains is None and isinstance(documents, str | Path):
        plain_read |= _domains_and_documents(plain_read["documents"], shown_path(documents), notes)
    labelled_outputs = {_label(f"output '{name}'", outputs, name): column for name, column in outputs_read.items()}
    labelled_references = {
        _label(f"reference '{name}'", references, name): column for name, column in references_read.items()
    }
    labelled_plain = {_label(name, plain[name], name): column for name, column in plain_read.items()}
    labelled = labelled_outputs | labelled_references | labelled_plain
    _check_empty(labelled)
    _check_transposed(references_read, size)
    _check_lengths(labelled)
    _check_same_names(outputs_read, references_read)
    notes += _doubtful_domains(plain_read.get("domains"))
    notes += (
        check_language_codes(lp) if lp is not None and is_language_pair(str(lp)) else ()
    )  # else `TestSet` refuses it
    layers = _layers(annotations, notes) if isinstance(annotations, Mapping) else {}
    chosen_by = {}
    for name, path in _paths("output", outputs).items():
        record, record_notes = read_record(path)
        notes += record_notes
        if record is not None:
            chosen_by[name] = record
    testset = TestSet(
        outputs=outputs_read,
        references=references_read,
        lp=lp,
        notes=tuple(notes),
        annotations=layers,
        chosen_by=chosen_by,
        **plain_read,  # type: ignore[arg-type]
    )
    if annotations is None or isinstance(annotations, bool | Mapping):
        given = _paths("source", sources) | _paths("ref", references) | _paths("output", outputs)
        return with_annotations(testset, given) if annotations is True else testset
    folder = check_folder(annotations)
    if not has_annotations(testset, folder):
        raise missing_error(testset, folder, folder)
    return with_annotations_in(testset, folder)


def _told_apart(
    output: Mapping[str, ColumnLike] | ColumnLike, reference: Mapping[str, ColumnLike] | ColumnLike | None
) -> tuple[Mapping[str, ColumnLike] | ColumnLike, Mapping[str, ColumnLike] | ColumnLike | None]:
    """The same, but two files that only their suffixes tell apart (`m.hyp`, `m.ref`) keep these in their names."""
    if isinstance(output, str | Path) and isinstance(reference, str | Path):
        names = Path(output).name, Path(reference).name
        if names[0] != names[1] and stem_of(output) == stem_of(reference) and not is_pipe(output):
            return {names[0]: output}, {names[1]: reference}
    return output, reference


def _check_same_names(outputs: Mapping[str, Column], references: Mapping[str, Column]) -> None:
    """A system with the name of a reference stands for it and is not compared with it, so it must have its texts."""
    for name in outputs.keys() & references.keys():
        if any(text != other for text, other in zip(outputs[name], references[name], strict=True)):
            raise NameClashError(
                f"an output and a reference are both called '{name}', and their texts differ",
                hint="give one of them another name",
            )


def _layers(annotations: Mapping[str, Mapping[str, ColumnLike]], notes: list[Note]) -> dict[str, dict[str, Column]]:
    layers: dict[str, dict[str, Column]] = {}
    for layer, columns in annotations.items():
        if not isinstance(columns, Mapping):
            hint = 'annotations={"pos": {"base": column}}'
            raise InputError(f"annotations[{layer!r}] is {kind_of(columns)}, not named columns", hint=hint)
        layers[layer] = {name: _column(f"annotations[{layer!r}]", column, notes) for name, column in columns.items()}
    return layers


def _paths(default_name: str, argument: Mapping[str, ColumnLike] | ColumnLike | None) -> dict[str, str | Path]:
    """The columns that are files, by name."""
    if isinstance(argument, str | Path) and default_name != "source":
        argument = {stem_of(argument) if str(argument) != "-" else default_name: argument}
    columns = argument if isinstance(argument, Mapping) else {default_name: argument}
    return {name: column for name, column in columns.items() if isinstance(column, str | Path) and str(column) != "-"}


def _domains_and_documents(column: Column, path: str, notes: list[Note]) -> dict[str, Column]:
    """The two columns of a file in the form of mt-metrics-eval, `DOMAIN DOCUMENT`; nothing if it has one.

    A tab separates them, or in a file `.docs` a space; elsewhere, spaces may be part of a name.
    """
    rows = [(line or "").split(None if path.endswith(".docs") else "\t") for line in column]
    if not rows or any(len(row) != 2 or not all(map(str.strip, row)) for row in rows):
        return {}
    notes.append(Note(NoteKind.PROVENANCE, "read as domains and documents", path, len(rows)))
    return {name: as_column(row[k] for row in rows) for k, name in enumerate(("domains", "documents"))}


def _doubtful_domains(domains: Column | None) -> Iterator[Note]:
    """A note if most segments have a domain of their own: the column is probably something else."""
    different = len(set(domains or ()))
    if domains is not None and different > max(_MAX_DOMAIN_SHARE * len(domains), _MIN_DOMAINS):
        text = f"{different:,} different domains for {plural(len(domains), 'segment')}: is this a column of domains?"
        yield Note(NoteKind.SUSPECT, text, "domains", different, "warning")


def _label(name: str, argument: object, key: str) -> str:
    """What to call a column in a message: its file, if it came from one."""
    column = argument.get(key) if isinstance(argument, Mapping) else argument
    return shown_path(column) if isinstance(column, str | Path) else name


def _check_empty(columns: Mapping[str, Column]) -> None:
    for label, column in columns.items():
        if not column:
            raise EmptyInputError(f"{label} has no segments", hint="was the program that wrote it interrupted?")


def _check_transposed(references: Mapping[str, Column], segments: int) -> None:
    """Raise if there are as many references as segments, each with as many texts as there should be references."""
    lengths = {len(column) for column in references.values()}
    if len(references) == segments > 1 and lengths != {segments}:
        raise AlignmentError(
            f"there are {segments} segments and {segments} references of {_span(lengths)} texts: the references are "
            "transposed, with one column per segment instead of one per reference",
            hint='references={"refA": [the first reference of each segment], …}',
        )


def _check_lengths(columns: Mapping[str, Column]) -> None:
    """Raise if columns differ in length; the error names the odd one out and where it starts to differ."""
    for odd in odd_lengths(columns):
        raise AlignmentError(odd.text, hint=odd.hint or ONE_TEXT_PER_SEGMENT)


def _named_columns(
    parameter: str,
    argument: Mapping[str, ColumnLike] | ColumnLike | None,
    default_name: str,
    notes: list[Note],
    runtime: Runtime,
    *,
    segments: int | None = None,
) -> dict[str, Column]:
    if argument is None:
        return {}
    if hasattr(argument, "columns") and hasattr(argument, "iloc"):
        hint = f'name its columns: {parameter}={{"base": frame["base"]}}'
        raise InputError(f"{parameter} is a table, not a column", hint=hint)
    if isinstance(argument, Mapping):
        columns = runtime.track(argument.items(), lambda item: f"reading {parameter}: {item[0]}")
        return {name: _column(f"{parameter}[{name!r}]", column, notes, segments) for name, column in columns}
    name = stem_of(argument) if isinstance(argument, str | Path) and str(argument) != "-" else default_name
    return {name: _column(parameter, argument, notes, segments)}


def _column(label: str, value: ColumnLike, notes: list[Note], segments: int | None = None) -> Column:
    if isinstance(value, str | Path):
        lines, reading_notes = _read_column(label, value)
        notes += (*reading_notes, *text_notes(lines, path=shown_path(value)))
        return lines
    if isinstance(value, bytes | bytearray | Mapping | Set) or not isinstance(value, Iterable):
        raise DecodeError(
            f"{label} is {kind_of(value)}; a column is a list of texts, one per segment, or the name of a file",
            hint=_call(label, "[first segment, second segment, …]"),
        )
    column = as_column(value)
    if column.flaw is None:
        _check_file_names(label, column)
        return column
    place, _ = column.flaw
    odd: Any = column[place]
    if hasattr(odd, "__len__") and not isinstance(odd, str | bytes):
        raise _nested(label, column, segments)
    kind = "a lone surrogate" if isinstance(odd, str) else type(odd).__name__
    hint = "decode it, e.g. text.decode('utf-8')" if isinstance(odd, bytes) else None
    if kind in _MISSING:
        hint = "a missing text is None; of a pandas column: column.astype(object).where(column.notna(), None)"
    raise DecodeError(f"{label}, segment {place + 1}: {kind} is not text", hint=hint)


def _check_file_names(label: str, column: Column) -> None:
    """Raise for names of files where texts are expected: they would be scored as texts."""
    if not 0 < len(column) <= _MAX_FILE_NAMES:
        return
    named = [text for text in column if text is not None and _FILE_NAME.fullmatch(text)]
    found = next((text for text in named if os.path.isfile(text)), None)
    if found is None and (len(named) < len(column) or not all(map(_has_known_suffix, named))):
        return
    name, parameter = found or named[0], label.partition("[")[0]
    several = parameter in ("outputs", "references") and "[" not in label
    files = {stem_of(text): text for text in named}
    value = repr(files) if several and len(named) > 1 else repr(name)
    raise InputError(
        f"{label} is a list of texts, but '{shortened(name)}' is the name of a file",
        hint=f"give the name without a list: {parameter}={value}" if "[" not in label else _call(label, value),
    )


def _has_known_suffix(name: str) -> bool:
    """Whether a name ends as those of files of texts do: .de, .txt, .tsv."""
    suffix = name.rpartition(".")[2].casefold()
    return suffix in _TEXT_SUFFIXES or suffix in LANGUAGES


def _read_column(label: str, path: str | Path) -> tuple[Column, list[Note]]:
    """The lines of a file. A string that is no file may be meant as a text."""
    try:
        return read_column(path)
    except InputError as error:
        if error.hint is None and (similar := _similar_file(Path(path))) is not None:
            error.hint = f"did you mean '{similar}'?"
        elif error.hint is None and os.path.islink(path):  # Path.is_symlink raises for odd names
            error.hint = f"it is a link to {shown_path(Path(path).readlink())}"
        elif error.hint is None and isinstance(path, str) and not exists(path):
            error.hint = (
                f"a string is the name of a file; texts are a list: {_call(label, f'[{shortened(path)!r}, …]')}"
            )
        raise


def _similar_file(path: Path) -> Path | None:
    """The file in the same folder that a file that does not exist is probably meant to be."""
    if exists(path) or os.path.islink(path) or not exists(path.parent) or not path.parent.is_dir():
        return None
    close = most_similar(path.name, (other.name for other in path.parent.iterdir() if path.suffix == other.suffix))
    return None if close is None else path.with_name(close)


def _call(label: str, value: str) -> str:
    """How to write an argument: a column that is called `outputs['base']` as `outputs={"base": value}`."""
    named = re.fullmatch(r"(\w+)\['(.*)'\]", label, re.DOTALL)
    return f"{label}={value}" if named is None else f'{named[1]}={{"{named[2]}": {value}}}'


def _nested(label: str, column: Sequence[Any], segments: int | None) -> AlignmentError:
    """Explain nested lists: how they are arranged, and the call to use instead."""
    lengths = {len(row) for row in column if row is not None and not isinstance(row, str) and hasattr(row, "__len__")}
    shape = f"{label} is {plural(len(column), 'list')} of {_span(lengths)}"
    if not label.startswith("references"):
        return AlignmentError(f"{shape}; a column is one flat list with one text per segment")
    by_reference = _reference_call("refs[0]", "refs[1]", len(column))
    second = "r[1]" if len(lengths) == 1 else "r[1] if len(r) > 1 else None"
    by_segment = _reference_call("[r[0] for r in refs]", f"[{second} for r in refs]", max(lengths))
    if segments is not None and lengths == {segments} and len(column) != segments:
        return AlignmentError(
            f"{shape}, one per reference, as in sacreBLEU; a column is one flat list",
            hint=by_reference,
        )
    if segments is not None and len(column) == segments and lengths != {segments}:
        return AlignmentError(
            f"{shape}, one per segment: transposed (sacreBLEU would score only the first segment)",
            hint=by_segment,
        )
    return AlignmentError(
        f"{shape}; a column is one flat list with one text per segment",
        hint=f"if a list is a reference: {by_reference}; if a list is a segment: {by_segment}",
    )


def _reference_call(first: str, second: str, references: int) -> str:
    columns = [f'"refA": {first}', f'"refB": {second}', "…"][: min(references, 3)]
    return f"references={{{', '.join(columns)}}}"


def _span(lengths: set[int]) -> str:
    return str(min(lengths)) if len(lengths) == 1 else f"{min(lengths)} to {max(lengths)}"

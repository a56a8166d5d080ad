"""`assay.rerank`: choose among the candidates of each segment by a metric, or by minimum Bayes risk."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, Unpack

from assay.contracts import Metric
from assay.data.candidate_files import FORMATS, read_candidates
from assay.data.rerank_records import is_record, record_path, written_record
from assay.data.tables.names import stem_of
from assay.data.tables.numbers import parse_score
from assay.data.text_files import digest_of_bytes, read_lines, shown_path
from assay.errors import AlignmentError, ConfigError, InputError, nearest, option_name
from assay.files import check_replaceable, write_atomic
from assay.lazily import numpy as np
from assay.measurement import signature_of
from assay.measurement.chosen_outputs import chosen_by_metric, chosen_by_scores
from assay.measurement.utilities import candidate_scores, expected_utilities
from assay.metrics import metric as metric_registry
from assay.metrics import with_lower_is_better
from assay.options.checks import check_integer
from assay.options.option import DATA, METRICS, Option
from assay.options.shared import RUNTIME, SOURCE_FLAGS, Force, LowerIsBetter, pair_option
from assay.options.verb import verb
from assay.registry import split_spec
from assay.results import RerankedSegment, Reranking
from assay.store.utilities import FORMS
from assay.study.load import ColumnLike, load
from assay.types import Candidates, ChosenBy, Column, FloatArray, Mask, Note, NoteKind
from assay.types.note import listed, plural, verb_for
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["CandidatesLike", "rerank"]

CandidatesLike: TypeAlias = Candidates | str | Path | Sequence[Sequence[str]] | Sequence[Path]
Rule: TypeAlias = Literal["score", "mbr"]

_ROUNDING = 1e-12
"""Values that differ by less, relative to the largest of the segment, are equal."""
_HINT = "judge the chosen texts by metrics of another kind, or by people"


def _check_count(name: str, value: object) -> None:
    check_integer(name, value, low=1, high=1 << 20)


@verb
def rerank(
    candidates: Annotated[
        CandidatesLike,
        Option(
            "A list of texts for each segment; a file with all of them; or several files (paths), each with one "
            "candidate of every segment.",
            group=DATA,
            is_checked=False,
            is_command_option=False,
        ),
    ],
    metric: Annotated[
        str | Metric | None,
        Option(
            "The metric that chooses: by its score if it needs no reference, else by minimum Bayes risk.",
            group=METRICS,
            flags=("-m", "--metric"),
            metavar="SPEC",
            names=metric_registry.names,
            is_checked=False,
        ),
    ] = None,
    *,
    per_segment: Annotated[
        int | None,
        Option(
            "How many candidates each segment has in a file with one per line.",
            group=DATA,
            flags=("-n", "--per-segment"),
            metavar="N",
            check=_check_count,
        ),
    ] = None,
    input_format: Annotated[
        str | None,
        Option(
            "Format of the candidates.",
            group=DATA,
            choices=FORMATS,
            default="detected",
        ),
    ] = None,
    pseudo_references: Annotated[
        CandidatesLike | None,
        Option(
            "Texts to compare the candidates with, in a file like theirs; segments may have other numbers of them.",
            group=DATA,
            metavar="FILE",
            takes_file=True,
            is_checked=False,
            default="the candidates themselves",
        ),
    ] = None,
    sources: Annotated[
        ColumnLike | None,
        Option(
            "The source texts, for metrics that need them.",
            group=DATA,
            flags=SOURCE_FLAGS,
            metavar="FILE",
            takes_file=True,
            is_checked=False,
        ),
    ] = None,
    lp: Annotated[str | None, pair_option("Language pair, such as en-zh: it selects BLEU's tokeniser.")] = None,
    scores: Annotated[
        str | Path | Sequence[float] | None,
        Option(
            "Scores computed elsewhere instead of a metric: a line for each candidate, in their order.",
            group=METRICS,
            metavar="[NAME=]FILE",
            takes_file=True,
            is_checked=False,
        ),
    ] = None,
    lower_is_better: LowerIsBetter = (),
    output: Annotated[
        str | Path | None, Option("File for the chosen texts, one per line.", is_command_option=False)
    ] = None,
    matrix: Annotated[
        str | Path | None,
        Option(
            "Also write all utilities to this file: .npz, .jsonl or .tsv.",
            group="Output",
            metavar="FILE",
            takes_file=True,
        ),
    ] = None,
    force: Force = False,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Reranking:
    """Choose among candidates by a metric, or by minimum Bayes risk.

    A metric that needs no reference chooses, in each segment, the candidate with the best score. Any other chooses by
    minimum Bayes risk: the candidate with the best mean utility, its mean segment score against each pseudo-reference
    of its segment. By default the candidates are their own pseudo-references, each also of itself. Of several with the
    same value, the first is chosen.

    A system that was chosen by a metric must not be judged by it: a file beside the output says which one chose it.
    """
    runtime = runtime or Runtime()
    if (metric is None) == (scores is None):
        hint = f"e.g. {option_name('metric', 'chrf')}, or scores that another program computed"
        number = "neither" if metric is None else "both"
        raise ConfigError(f"{number} a metric {'nor' if metric is None else 'and'} scores were given", hint=hint)
    targets = _targets(output, matrix, force=force)
    found = _read(candidates, per_segment, input_format, "candidate")
    notes = list(found.notes)
    source_column = _sources(sources, found, notes)
    lower = tuple([lower_is_better] if isinstance(lower_is_better, str) else lower_is_better)
    if metric is not None:
        chosen = _by_metric(
            metric, found, _pseudo(pseudo_references, found, notes), source_column, lp, lower, runtime, matrix=matrix
        )
    else:
        for name, value in (("pseudo_references", pseudo_references), ("matrix", matrix)):
            if value is not None:
                raise ConfigError(f"{option_name(name)} does not apply to scores, which are chosen as they are")
        chosen = _by_scores(scores, found, lower)
    segments = tuple(_segments(found, chosen.values, higher_is_better=chosen.higher_is_better))
    notes += chosen.notes
    notes += _notes(found, segments, chosen)
    settings = {
        "rule": chosen.rule,
        **({"pseudo_references": chosen.pseudo_references} if chosen.rule == "mbr" else {}),
        "metric": chosen.chosen_by.signature,
    }
    result = Reranking(
        settings=settings,
        rule=chosen.rule,
        metric=chosen.spec,
        metric_signature=chosen.chosen_by.signature,
        higher_is_better=chosen.higher_is_better,
        segments=segments,
        notes=tuple(dict.fromkeys(notes)),
    )
    _write(result, chosen, targets)
    return result


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The values of the candidates, and the metric or the scores that they are of."""

    spec: str
    rule: Rule
    chosen_by: ChosenBy
    higher_is_better: bool
    values: FloatArray
    """By candidate."""
    undefined: str = "the score is missing"
    utilities: tuple[FloatArray, ...] | None = None
    notes: tuple[Note, ...] = ()
    pseudo_references: str = ""


def _read(
    given: CandidatesLike,
    per_segment: int | None,
    input_format: str | None,
    noun: str,
    *,
    segments: int | None = None,
) -> Candidates:
    if isinstance(given, Candidates):
        return given
    if isinstance(given, str | Path):
        return read_candidates(given, per_segment=per_segment, segments=segments, input_format=input_format, noun=noun)
    groups: list[Sequence[str] | Path] = list(given)
    if groups and all(isinstance(each, Path) for each in groups):
        files: list[str | Path] = [each for each in groups if isinstance(each, Path)]
        return read_candidates(files, per_segment=per_segment, input_format=input_format, noun=noun)
    for name, value in (("per_segment", per_segment), ("input_format", input_format)):
        if value is not None:
            raise ConfigError(f"{option_name(name, value)} is for files, not for lists of texts")
    return Candidates.of([each for each in groups if not isinstance(each, Path)], noun=noun)


def _sources(sources: ColumnLike | None, candidates: Candidates, notes: list[Note]) -> Column | None:
    if sources is None:
        return None
    testset = load(outputs={"sources": sources})
    notes += testset.notes
    column = testset.outputs["sources"]
    if len(column) != len(candidates):
        label = shown_path(sources) if isinstance(sources, str | Path) else "sources"
        counts = f"{plural(len(column), 'source')}, but there are candidates of {plural(len(candidates), 'segment')}"
        raise AlignmentError(f"{label} has {counts}", hint="there must be one source for each segment")
    return column


def _pseudo(given: CandidatesLike | None, candidates: Candidates, notes: list[Note]) -> Candidates | None:
    """The pseudo-references: of a plain text file one for each segment, or a fixed number of them."""
    if given is None:
        return None
    found = _read(given, None, None, "pseudo-reference", segments=len(candidates))
    notes += found.notes
    if len(found) != len(candidates):
        counts = f"pseudo-references of {plural(len(found), 'segment')}, but candidates of {len(candidates):,}"
        raise AlignmentError(
            f"there are {counts}", hint="there must be at least one for each segment, in the same order"
        )
    return found


def _by_metric(
    requested: str | Metric,
    candidates: Candidates,
    references: Candidates | None,
    sources: Column | None,
    lp: str | None,
    lower_is_better: tuple[str, ...],
    runtime: Runtime,
    *,
    matrix: str | Path | None,
) -> _Chosen:
    if isinstance(requested, str) and lower_is_better:
        (requested,), rest = with_lower_is_better((requested,), lower_is_better)
        if rest:
            raise ConfigError(f"{option_name('lower_is_better', rest[0])} names neither the scores nor a function")
    if isinstance(requested, str) and "," in requested and ":" not in requested:
        hint = f"choose one, or their mean: ensemble:metrics={requested.replace(',', '+')}"
        raise ConfigError(f"{requested}: one metric chooses, not several", hint=hint)
    metric = metric_registry.create(requested)
    spec = metric_registry.spec(metric, split_spec(requested)[0] if isinstance(requested, str) else None)
    rule: Rule = "mbr" if "reference" in metric.needs else "score"
    if rule == "score":
        for name, value in (("pseudo_references", references), ("matrix", matrix)):
            if value is not None:
                message = f"{option_name(name)} does not apply to {spec}, which needs no reference"
                raise ConfigError(message, hint="it scores each candidate by itself")
        worth = candidate_scores(spec, metric, candidates, sources, lp, runtime)
    else:
        worth = expected_utilities(
            spec, metric, candidates, references, sources, lp, runtime, keeps_all=matrix is not None
        )
    prepared = worth.metric
    signature = str(signature_of(prepared.segment_form, "1" if rule == "mbr" else "0", "none", ()))
    return _Chosen(
        spec,
        rule,
        chosen_by_metric(prepared, signature),
        higher_is_better=prepared.higher_is_better,
        values=worth.values,
        undefined=prepared.undefined,
        utilities=worth.utilities,
        notes=worth.notes,
        pseudo_references="candidates" if references is None else _digest(references),
    )


def _digest(candidates: Candidates) -> str:
    """A digest of the texts and of their number in each segment."""
    lines = [" ".join(map(str, candidates.sizes)), *candidates.texts]
    return digest_of_bytes("\n".join(lines).encode())


def _by_scores(
    scores: str | Path | Sequence[float] | None, candidates: Candidates, lower_is_better: tuple[str, ...]
) -> _Chosen:
    name, origin, values = _score_values(scores)
    if len(values) != len(candidates.texts):
        counts = f"{plural(len(values), 'score')}, but there are {plural(len(candidates.texts), 'candidate')}"
        where = f"{origin} has" if origin else "there are"
        raise AlignmentError(f"{where} {counts}", hint="there must be one score for each candidate, in their order")
    for other in lower_is_better:
        if other != name:
            raise ConfigError(
                f"{option_name('lower_is_better', other)}: the scores are called '{name}'", hint=nearest(other, [name])
            )
    higher = name not in lower_is_better
    signature = f"scores:{name}|digest:{digest_of_bytes(values.tobytes())}|better:{'higher' if higher else 'lower'}"
    signature += f"|version:{__version__}"
    return _Chosen(name, "score", chosen_by_scores(name, signature), higher_is_better=higher, values=values)


def _score_values(scores: str | Path | Sequence[float] | None) -> tuple[str, str, FloatArray]:
    """The name of scores, where they are from, and their values."""
    if isinstance(scores, str | Path):
        name, equals, file = str(scores).partition("=")
        if not equals or isinstance(scores, Path):  # the name of a path may have a =
            name, file = stem_of(scores), str(scores)
        path = shown_path(file)
        lines, _ = read_lines(file)
        values = [parse_score(line, path=path, line=number) for number, line in enumerate(lines, 1)]
        return name, path, np.asarray(values, dtype=np.float64)
    try:
        values_array = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("the scores are not a list of numbers", hint="give one number for each candidate") from None
    if values_array.ndim != 1 or np.isinf(values_array).any():
        raise InputError("the scores are not a list of finite numbers", hint="give one number for each candidate")
    return "scores", "", values_array


def _segments(candidates: Candidates, values: FloatArray, *, higher_is_better: bool) -> Iterator[RerankedSegment]:
    for number, texts in enumerate(candidates, 1):
        first, last = candidates.starts[number - 1 : number + 1]
        own = values[first:last]
        is_best = _are_best(own, higher_is_better=higher_is_better)
        best = int(is_best.argmax())
        tied = {text for text, is_tied in zip(texts, is_best.tolist(), strict=True) if is_tied} - {texts[best]}
        defined = own[~np.isnan(own)].tolist()
        yield RerankedSegment(
            segment=number,
            text=texts[best],
            chosen=best + 1,
            candidates=len(texts),
            value=float(own[best]),
            first_value=float(own[0]),
            mean_value=math.fsum(defined) / len(defined) if defined else math.nan,
            ties=len(tied),
            values=tuple(own.tolist()),
        )


def _are_best(values: FloatArray, *, higher_is_better: bool) -> Mask:
    """Which values are the best, as far as rounding lets one say: means of the same numbers in another order differ."""
    if np.isnan(values).all():
        return np.zeros(len(values), dtype=np.bool_)
    best = np.nanmax(values) if higher_is_better else np.nanmin(values)
    is_best: Mask = np.abs(values - best) <= _ROUNDING * np.nanmax(np.abs(values))
    return is_best


def _notes(candidates: Candidates, segments: Sequence[RerankedSegment], chosen: _Chosen) -> Iterator[Note]:
    """What to know about the candidates, and that the metric must not judge what it chose."""
    if empty := sum(not text.strip() for text in candidates.texts):
        text = f"{plural(empty, 'candidate')} {verb_for(empty, 'is', 'are')} empty, and compared like any other"
        yield Note(NoteKind.KEPT, text, count=empty)
    if alone := sum(size == 1 for size in candidates.sizes):
        text = f"{plural(alone, 'segment')} {verb_for(alone, 'has', 'have')} a single candidate, which was chosen"
        yield Note(NoteKind.PROVENANCE, text, count=alone)
    if undefined := sum(math.isnan(value) for each in segments for value in each.values):
        text = f"{plural(undefined, 'candidate')} of {len(candidates.texts):,} cannot be chosen: {chosen.undefined}"
        yield Note(NoteKind.UNDEFINED, text, where=chosen.spec, count=undefined)
    if nowhere := sum(math.isnan(each.value) for each in segments):
        text = f"in {plural(nowhere, 'segment')} no candidate has a value, and the first was taken: {chosen.undefined}"
        yield Note(NoteKind.UNDEFINED, text, where=chosen.spec, count=nowhere, severity="warning")
    by = chosen.chosen_by
    parts = f", nor by its parts {listed(by.parts)}" if by.parts else ""
    relatives = f", nor by other metrics that reward {' and '.join(by.families)}" if by.families else ""
    text = f"texts that were chosen by {by.metric} must not be judged by it{parts}{relatives}"
    yield Note(NoteKind.ADVICE, text, where=chosen.spec, hint=_HINT)


def _targets(output: str | Path | None, matrix: str | Path | None, *, force: bool) -> tuple[Path | None, Path | None]:
    """The files to write, which are checked before anything is computed."""
    texts = None if output is None else Path(output)
    if texts is not None:
        check_replaceable(texts, force=force)
        check_replaceable(record_path(texts), force=force, is_result=is_record)
    table = None if matrix is None else Path(matrix)
    if table is not None:
        if table.suffix.lower() not in FORMS:
            message = f"no format of {option_name('matrix')} has the suffix '{table.suffix}'"
            raise ConfigError(message, hint=f"use {', '.join(FORMS)}")
        if not table.parent.is_dir():
            raise InputError("cannot be written: no such folder", path=str(table))
        check_replaceable(table, force=force)
    return texts, table


def _write(result: Reranking, chosen: _Chosen, targets: tuple[Path | None, Path | None]) -> None:
    texts, table = targets
    if table is not None and chosen.utilities is not None:
        write_atomic(table, FORMS[table.suffix.lower()](chosen.utilities))
    if texts is not None:
        content = "".join(f"{text}\n" for text in result.texts).encode()
        write_atomic(texts, content)
        write_atomic(record_path(texts), written_record(content, chosen.chosen_by, result.rule))

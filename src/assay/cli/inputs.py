"""The options that name texts or test sets, and loading what they describe."""

from __future__ import annotations

import functools
import itertools
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from assay.cli.options import (
    FILE,
    ScoreFiles,
    completion,
    data_option,
    explicit_options,
    file_option,
    list_option,
    split_name,
    verb_options,
)
from assay.console import terminal_runtime
from assay.errors import (
    AlignmentError,
    ConfigError,
    EmptyInputError,
    InputError,
    NameClashError,
    UnsafeNameError,
    printable,
)
from assay.files import exists
from assay.options.option import DATA, split_list
from assay.options.shared import (
    REFERENCE_FLAGS,
    Annotations,
    Columns,
    Exclude,
    InputFormat,
    KeepReferences,
    LanguagePairs,
    Strict,
    Systems,
)
from assay.study.load import load

if TYPE_CHECKING:
    from assay.cli.output import Output
    from assay.data.test_sets.reading import PublicTexts
    from assay.results import Result
    from assay.study.load_scores import LoadedScores
    from assay.types import Campaign, Note, Ratings, ScoreTable, TestSet
    from assay.types.runtime import Runtime

__all__ = [
    "campaign_options",
    "files_by_name",
    "input_options",
    "other_data_option",
    "read_all_inputs",
    "read_campaigns",
    "read_inputs",
    "read_other_data",
    "read_public",
    "read_scored_campaigns",
    "read_scored_inputs",
    "read_texts",
    "scored_campaign_options",
]

_F = TypeVar("_F", bound=Callable[..., Any])


def _test_set_names() -> list[str]:
    from assay.data.test_sets.catalogue import public_test_sets

    return [testset.name for testset in public_test_sets()]


_OPTIONS = (
    click.argument("outputs", nargs=-1, metavar="[OUTPUT]...", type=FILE),
    file_option(
        *REFERENCE_FLAGS,
        multiple=True,
        metavar="[NAME=]FILE",
        help="A reference; repeat the option for several. With --data and -t, the name of a reference.",
    ),
    file_option(
        "--sys", "named_outputs", multiple=True, metavar="NAME=FILE", help="A system output; repeat for several."
    ),
    verb_options(load),
    file_option(
        "--data",
        multiple=True,
        metavar="DATA",
        help="Take the texts from a test set, given as a folder, a file or a name; repeat the option for files that "
        "belong together.",
    ),
    list_option(
        "-t",
        "--test-set",
        group=DATA,
        metavar="NAME",
        shell_complete=completion(_test_set_names),
        help="Take source and reference from a public test set, such as wmt23; it is downloaded when it is first used. "
        "Several are joined. `assay data fetch` lists the names.",
    ),
    data_option("input_format", InputFormat),
    data_option("columns", Columns),
    data_option("strict", Strict, False),
    data_option("annotations", Annotations),
    data_option("systems", Systems, ("*",)),
    data_option("exclude", Exclude, ()),
    data_option("keep_references", KeepReferences, False),
)
_MAX_TABLES = 3  # in the command that a message shows
_FILES = ("outputs", "named_outputs", "sources", "documents", "domains")
_ONLY_WITH_DATA = ("keep_references", "input_format", "columns", "strict")
_FLAGS = {"sources": "src"}
_TABLES = (".csv", ".tsv")
_RENAME = "give it another name: NAME=FILE"
_OPTION_NAMES = (*_FILES, *_ONLY_WITH_DATA, "systems", "exclude", "references", "lp", "data", "test_set", "annotations")
_CAMPAIGN_OPTIONS = (
    click.argument("data", type=FILE, nargs=-1, required=True, metavar="DATA..."),
    data_option("lps", LanguagePairs, ()),
    data_option("input_format", InputFormat),
    data_option("columns", Columns),
    data_option("strict", Strict, False),
)
_CAMPAIGN_OPTION_NAMES = ("data", "lps", "input_format", "columns", "strict")


def input_options(command: _F) -> _F:
    """Add the options for texts. The command gets them as one argument, `inputs`, for `read_inputs`."""
    return _as_inputs(command, _OPTIONS, _OPTION_NAMES)


def campaign_options(command: _F) -> _F:
    """Add the options for test sets. The command gets them as one argument, `inputs`, for `read_campaigns`."""
    return _as_inputs(command, _CAMPAIGN_OPTIONS, _CAMPAIGN_OPTION_NAMES)


def scored_campaign_options(command: _F) -> _F:
    """The same for commands that compute metrics, which may need annotations; for `read_scored_campaigns`."""
    options, names = (
        (*_CAMPAIGN_OPTIONS, data_option("annotations", Annotations)),
        (*_CAMPAIGN_OPTION_NAMES, "annotations"),
    )
    return _as_inputs(command, options, names)


def _as_inputs(command: _F, options: tuple[Callable[[Any], Any], ...], names: tuple[str, ...]) -> _F:
    @functools.wraps(command)
    def call(**values: Any) -> Any:
        return command(inputs={name: values.pop(name) for name in names}, **values)

    wrapped: Any = call
    for add_option in reversed(options):
        wrapped = add_option(wrapped)
    return wrapped  # type: ignore[no-any-return]


def read_campaigns(inputs: dict[str, Any], runtime: Runtime) -> tuple[Campaign, ...]:
    """The campaigns that the options for test sets name."""
    from assay.study.load_campaign import load_campaigns

    others = {name: value for name, value in inputs.items() if name != "data"}
    return load_campaigns(*inputs["data"], runtime=runtime, **others)


def other_data_option(flag: str, *, group: str, help_text: str) -> Callable[[_F], _F]:
    """Add an option for test sets besides those that a command works on; for `read_other_data`."""
    return list_option(flag, group=group, metavar="DATA", help=help_text)


def read_other_data(
    data: Sequence[str], runtime: Runtime, *, lps: Sequence[str] = (), annotations: str | None = None
) -> tuple[Campaign, ...]:
    """The campaigns of such an option; none if it was not given."""
    from assay.study.load_campaign import load_campaigns

    return load_campaigns(*data, lps=lps, annotations=annotations, runtime=runtime) if data else ()


def read_scored_campaigns(
    inputs: dict[str, Any], scores: ScoreFiles, runtime: Runtime
) -> tuple[tuple[Campaign, ...], LoadedScores]:
    """The same, with scores of them that were computed elsewhere."""
    campaigns = read_campaigns(inputs, runtime)
    return campaigns, scores.load(campaigns)


def evaluate_campaigns(
    verb: Callable[..., Result],
    inputs: dict[str, Any],
    scores: ScoreFiles,
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """What a command does that calls a public function on the campaigns with the scores, and nothing else."""
    with terminal_runtime(**runtime_settings) as runtime:
        campaigns, external = read_scored_campaigns(inputs, scores, runtime)
        result = verb(campaigns, external=external, runtime=runtime, **explicit_options(options))
    output.write(result, notes=external.notes)


class ScoredInputs(NamedTuple):
    """What `score` and `compare` work on."""

    testset: TestSet
    metrics: dict[str, Any]
    """The argument `metrics` of the public functions, if any metric or score file was given."""
    notes: tuple[Note, ...]
    human: tuple[ScoreTable | Ratings, ...]
    """The human scores in the data, and the ratings in which errors are marked."""

    @property
    def rated(self) -> tuple[Campaign, ...]:
        """The texts with what raters said of them, for a page."""
        from assay.types import Campaign, Ratings

        texts, ratings = self.testset, tuple(each for each in self.human if isinstance(each, Ratings))
        return (Campaign("", texts.lp or "", len(texts), texts.systems, (), texts, judgements=ratings),)


def read_scored_inputs(
    inputs: dict[str, Any], metrics: tuple[str, ...], scores: ScoreFiles, *, needs_metric: bool = True
) -> ScoredInputs:
    """The test set, with metric scores computed elsewhere and human scores.

    If no metric is chosen, none is needed and the texts have no reference, those count that the campaign stores.
    """
    testset, campaign = read_inputs(**inputs, metrics=metrics)
    human: tuple[ScoreTable | Ratings, ...] = () if campaign is None else (*campaign.human, *campaign.ratings)
    if not any(scores):
        if campaign is not None and not (needs_metric or metrics or testset.references):
            return ScoredInputs(testset, *_stored_metrics(testset, campaign), human)
        return ScoredInputs(testset, {"metrics": list(metrics)} if metrics else {}, (), human)
    external = scores.load(testset, campaign=campaign)
    requested = [*metrics, *external.tables]
    return ScoredInputs(testset, {"metrics": requested} if requested else {}, external.notes, human)


def _stored_metrics(testset: TestSet, campaign: Campaign) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """The argument `metrics` with all segment scores of these systems in the data, and a note that says so."""
    import numpy as np

    from assay.types import Note, NoteKind
    from assay.types.note import listed

    stored = [replace(t, items=()) for t in campaign.metrics if t.level == "segment" and not t.references]
    usable = [t for t in stored if (~np.isnan(t.take(testset.systems).values)).all(axis=0).any()]
    text = f"no reference, and no metric chosen: compared by the scores in the data ({listed(t.name for t in usable)})"
    return ({"metrics": usable}, (Note(NoteKind.PROVENANCE, text),)) if usable else ({}, ())


def read_inputs(
    *, data: tuple[str, ...], test_set: tuple[str, ...] = (), metrics: tuple[str, ...] = (), **inputs: Any
) -> tuple[TestSet, Campaign | None]:
    """The test set that the options describe, and with --data the campaign it belongs to.

    Annotations beside the texts are read if one of the metrics needs them.
    """
    if test_set:
        return _read_public(test_set, data=data, **inputs), None
    files = {name: inputs[name] for name in _FILES}
    annotations = inputs["annotations"]
    if not data:
        for name in _ONLY_WITH_DATA:
            if inputs[name]:
                raise click.UsageError(f"--{name.replace('_', '-')} needs --data")
        place = Path(annotations) if annotations else _need_annotations(metrics)
        chosen = {name: inputs[name] for name in ("references", "lp", "systems", "exclude")}
        return _read_files(place, **chosen, **files), None
    if any(files.values()):
        _refuse_more_tables(data, files["outputs"])
        raise click.UsageError(
            "--data cannot be combined with text files: all texts come from the test set; to add an output, put it "
            "into the folder of the test set, as system-outputs/LP/NAME.txt"
        )
    from assay.study.load_campaign import load_campaign

    settings = {name: inputs[name] for name in ("lp", "input_format", "columns", "strict")}
    campaign = load_campaign(*data, annotations=annotations, **settings)
    return campaign.select_texts(**_selection(inputs, campaign)), campaign


def _refuse_more_tables(data: tuple[str, ...], files: tuple[str, ...]) -> None:
    """Refuse files that are tables like the last one of --data: the shell put them there for a pattern."""
    suffixes = Path(data[-1]).suffixes
    if files and suffixes and all(Path(each).suffixes == suffixes for each in files) and Path(data[-1]).is_file():
        options = " ".join(f"--data {shlex.quote(each)}" for each in (*data, *files)[:_MAX_TABLES])
        more = "" if len(data) + len(files) <= _MAX_TABLES else " …"
        raise click.UsageError(f"--data takes one file; repeat it for each: {options}{more}")


def read_all_inputs(
    inputs: dict[str, Any], metrics: tuple[str, ...], runtime: Runtime
) -> tuple[list[TestSet], tuple[Note, ...]]:
    """The test set that the options describe, or with --data those of all language pairs with at least two outputs."""
    if not inputs["data"] or inputs["test_set"]:
        return [read_inputs(**inputs, metrics=metrics)[0]], ()
    if any(inputs[name] for name in _FILES):
        read_inputs(**inputs)  # says what cannot be combined
    from assay.study.load_campaign import load_campaigns
    from assay.types import Note, NoteKind

    lps = split_list(inputs["lp"]) if inputs["lp"] else ()
    options = {name: inputs[name] for name in ("input_format", "columns", "strict", "annotations")}
    campaigns = load_campaigns(*inputs["data"], lps=lps, runtime=runtime, **options)
    known = list(dict.fromkeys(name for campaign in campaigns for name in campaign.systems))
    ranked = [campaign for campaign in campaigns if campaign.testset and len(campaign.testset.systems) > 1]
    if not ranked:
        raise EmptyInputError("no language pair has the outputs of two systems", path=inputs["data"][0])
    left_out = [campaign.label for campaign in campaigns if campaign not in ranked]
    reason = f"left out: {', '.join(left_out)} (without the outputs of two systems)"
    notes = [Note(NoteKind.EXCLUDED, reason, count=len(left_out))] if left_out else []
    testsets = []
    for campaign, selection in _selections(inputs, ranked):
        if isinstance(selection, str):
            notes.append(Note(NoteKind.EXCLUDED, f"left out: {selection}", campaign.lp, severity="warning"))
        else:
            testsets.append(campaign.select_texts(known=known, **selection))
    return testsets, tuple(notes)


def _selections(
    inputs: Mapping[str, Any], campaigns: Sequence[Campaign]
) -> Iterator[tuple[Campaign, dict[str, Any] | str]]:
    """What is used of each campaign: of the references that are named, those that it has; or why it is left out.

    If none has any of them, all are used as they were asked for, which is an error.
    """
    found = [(campaign, _selection(inputs, campaign)) for campaign in campaigns]
    from assay.types.note import listed

    known = [campaign.testset.references if campaign.testset else {} for campaign in campaigns]
    held = [[name for name in each["references"] if name in has] for (_, each), has in zip(found, known, strict=True)]
    for (campaign, selection), has, names in zip(found, known, held, strict=True):
        if names or not any(held):
            yield campaign, {**selection, "references": names or selection["references"]}
        else:
            wanted = " or ".join(selection["references"])
            yield campaign, f"it has no reference {wanted}, but {listed(has)}; --ref may name several"


def _selection(inputs: Mapping[str, Any], campaign: Campaign) -> dict[str, Any]:
    """Which references and systems of a test set are used."""
    references = [name for item in inputs["references"] for name in split_list(item)]
    known = campaign.testset.references if campaign.testset else {}
    for name in references:
        if name not in known and exists(split_name(name)[1]):
            raise ConfigError(
                f"--ref {printable(name)}: with --data, the name of a reference in the test set, not a file",
                hint="add the references to the data, in a table as a column 'reference'; or give all texts as files: "
                "assay score --ref ref.de base.de new.de",
            )
    return {
        "references": references,
        "systems": inputs["systems"] or ("*",),
        "exclude": inputs["exclude"],
        "keep_references": inputs["keep_references"],
    }


def _read_public(test_set: tuple[str, ...], **inputs: Any) -> TestSet:
    """The outputs with the texts of a public test set."""
    from assay.study.load_test_set import with_outputs

    texts = read_public(test_set, **inputs)
    files = files_by_name("system", (*inputs["outputs"], *inputs["named_outputs"]))
    if not files:
        raise click.UsageError(
            f"no system output was given; example: assay score -t {','.join(test_set)} -l {texts.lp} new.txt"
        )
    chosen, notes = _select_systems(files, inputs["systems"] or ("*",), inputs["exclude"])
    testset = with_outputs(texts, _as_paths(chosen))
    return replace(testset, notes=(*testset.notes, *notes))


def read_public(test_set: tuple[str, ...], **inputs: Any) -> PublicTexts:
    """The texts of the public test sets that the options name."""
    from assay.study.load_test_set import read_test_set

    for name in ("data", "sources", "documents", "domains", "annotations", *_ONLY_WITH_DATA):
        if inputs[name]:
            raise click.UsageError(f"--{_FLAGS.get(name, name).replace('_', '-')} cannot be combined with --test-set")
    if not inputs["lp"]:
        raise click.UsageError(f"which language pair? example: -t {','.join(test_set)} -l en-de")
    references = [name for item in inputs["references"] for name in split_list(item)]
    with terminal_runtime() as runtime:
        return read_test_set(test_set, lp=inputs["lp"], references=references, runtime=runtime)


def _need_annotations(metrics: tuple[str, ...]) -> bool:
    from assay.metrics import metric

    return any(metric.create(spec).needs - {"reference", "source"} for spec in metrics)


def _read_files(
    annotations: Path | bool,
    *,
    outputs: tuple[str, ...],
    named_outputs: tuple[str, ...],
    references: tuple[str, ...],
    systems: tuple[str, ...],
    exclude: tuple[str, ...],
    **columns: Any,
) -> TestSet:
    files = files_by_name("system", (*outputs, *named_outputs), beside=references)
    if not files:
        raise click.UsageError("no system output was given; example: assay score --ref ref.de base.de new.de")
    chosen, notes = _select_systems(files, systems or ("*",), exclude)
    named_references = files_by_name("reference", references, beside=outputs)
    if [*chosen.values(), *named_references.values(), *columns.values()].count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")
    try:
        testset = load(
            outputs=_as_paths(chosen),
            references=_as_paths(named_references) or None,
            annotations=annotations,
            **_as_paths(columns),
        )
    except (UnsafeNameError, NameClashError) as error:
        error.hint = _RENAME
        raise
    except AlignmentError as error:
        tables = [file for file in (*chosen.values(), *named_references.values()) if Path(file).suffix in _TABLES]
        if tables:
            error.hint = f"{printable(tables[0])} is read as a text per line; if it is a table: --data {tables[0]}"
        raise
    return replace(testset, notes=(*testset.notes, *notes)) if notes else testset


def _select_systems(
    files: Mapping[str, str], systems: tuple[str, ...], exclude: tuple[str, ...]
) -> tuple[dict[str, str], tuple[Note, ...]]:
    """The output files of the systems that were asked for, in the order of the patterns; the others are not read."""
    if systems == ("*",) and not exclude:
        return dict(files), ()
    from assay.types.campaign import in_order_of, select

    selection = select(files, systems=systems, exclude=exclude)
    if not selection.systems:
        raise click.UsageError("all systems are excluded")
    return {name: files[name] for name in in_order_of(selection.systems, systems)}, selection.notes


def read_texts(files: tuple[str, ...], *, need_names: bool) -> tuple[TestSet, dict[str, str]]:
    """A test set with the texts of these files as outputs, and the files by name.

    Files may differ in length: the texts that a file does not have are absent. Without `need_names`, files of different
    folders may have the same name.
    """
    from assay.types import TestSet, as_column

    named = files_by_name("text", files, are_needed=need_names)
    try:
        testsets = [load(outputs=_as_paths({name: file})) for name, file in named.items()]
    except EmptyInputError as error:
        error.hint = "was the program that wrote it interrupted?"
        raise
    size = max(map(len, testsets))
    outputs = {
        name: column if len(column) == size else as_column((*column, *[None] * (size - len(column))))
        for testset in testsets
        for name, column in testset.outputs.items()
    }
    return TestSet(outputs=outputs, notes=tuple(note for testset in testsets for note in testset.notes)), named


def _as_paths(files: Mapping[str, str | None]) -> dict[str, Any]:
    """File names as paths: a string that is no file could be meant as a text in Python, but not here."""
    return {name: Path(file) if file and name != "lp" else file for name, file in files.items()}


def files_by_name(
    kind: str, items: tuple[str, ...], *, are_needed: bool = True, beside: tuple[str, ...] = ()
) -> dict[str, str]:
    """The file under NAME for NAME=FILE; a FILE without a name is named after itself.

    That is without its suffix, unless only the suffix tells it from another file, also of those `beside`. Two with the
    same name are an error if the names `are_needed`; otherwise the second gets a number.
    """
    from assay.data.tables.names import stem_of
    from assay.data.text_files import is_pipe
    from assay.types import check_names

    files: dict[str, str] = {}
    unnamed = [Path(item) for item in (*items, *beside) if split_name(item)[1] == item and not is_pipe(item)]
    for item in items:
        name, path = split_name(item)
        if path == item:
            name, whole = stem_of(item), Path(item).name
            clashes = any(stem_of(other) == name and other.name != whole for other in unnamed)
            name = whole if clashes and not is_pipe(item) else name
        if name in files and not are_needed:
            name = next(f"{name} {number}" for number in itertools.count(2) if f"{name} {number}" not in files)
        if name in files:
            raise ConfigError(
                f"two {kind}s are called '{printable(name)}': {printable(files[name])} and {printable(path)}",
                hint="give them different names: NAME=FILE",
            )
        files[name] = path
    try:
        check_names(kind, [name for name, path in files.items() if f"{name}={path}" in items])
    except InputError as error:  # names on the command line, not of files
        raise ConfigError(error.message, hint=_RENAME) from None
    return files

"""What two systems differ in: n-grams and words that one gets right more often, and errors that people marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from assay.reports.blocks import Beside, Block, Fold, Heading, PageTable, Sentences
from assay.reports.cells import BLANK, Cell, Count, Flag, Number, Segments, Text
from assay.reports.documents import Column, Grid
from assay.reports.page.scored_texts import ScoredTexts
from assay.reports.system_comparison import marked_grids
from assay.results import MarkedErrors, NgramDifference, NgramDifferences, WordGroup, WordGroups
from assay.types.note import plural
from assay.words.statement import Name

__all__ = ["gains", "marked"]

_NGRAMS = 12  # are shown for each system
_LEAST = 2  # occurrences more: one more is no habit of a system
_MOST_SEGMENTS = 100  # that a group of words keeps
_TIMES = {"0": "never", "1": "once", "2": "twice"}
_TITLES = {"frequency": "Times in the references", "case": "Case", "script": "Script", "kind": "Kind"}


def gains(scored: ScoredTexts, viewer: str) -> tuple[Block, ...]:
    """N-grams and words of the results, by pair. `viewer` is the id of the viewer with the segments that show it."""
    found = [each for each in scored.contrasts if isinstance(each, NgramDifferences | WordGroups)]
    return _by_pair(scored, found, lambda contrast: _words(contrast, viewer))


def marked(scored: ScoredTexts) -> tuple[Block, ...]:
    """The errors that people marked, by pair."""
    return _by_pair(scored, [each for each in scored.contrasts if isinstance(each, MarkedErrors)], _marked)


_C = TypeVar("_C", NgramDifferences | WordGroups, MarkedErrors)


def _by_pair(
    scored: ScoredTexts, contrasts: Iterable[_C], blocks_of: Callable[[_C], Iterator[Block]]
) -> tuple[Block, ...]:
    """The blocks of contrasts, with the pair shown first at the top."""
    held: dict[tuple[str, str], list[_C]] = {}
    for each in contrasts:
        contrast = each.reversed() if (each.second, each.first) == scored.pair else each
        held.setdefault((contrast.first, contrast.second), []).append(contrast)
    ordered = sorted(held.items(), key=lambda item: set(item[0]) != set(scored.pair))
    return tuple(
        Fold(
            (Name(first, "a"), " and ", Name(second, "b")),
            tuple(block for contrast in of_pair for block in blocks_of(contrast)),
            is_open=place == 0,
            style="gains",
        )
        for place, ((first, second), of_pair) in enumerate(ordered)
    )


def _marked(contrast: MarkedErrors) -> Iterator[Block]:
    who, verb = ("people", "rated") if contrast.is_human else (contrast.name, "read")
    over = f"In 100 {contrast.unit} of {plural(contrast.n, 'segment')} that {who} {verb} of both systems."
    yield Heading((f"Judgements '{contrast.name}'" if contrast.is_human else contrast.name,), (over,))
    for grid in marked_grids(contrast):
        yield PageTable(grid, f"Errors that {who} marked", draws=False)


def _words(contrast: NgramDifferences | WordGroups, viewer: str) -> Iterator[Block]:
    over = f"over {plural(contrast.n, 'segment')}; tokens by {contrast.settings['tok']}."
    if isinstance(contrast, WordGroups):
        about = "F-measure of the words of a group, and the segments in which one system gets more of them right, "
        yield Heading(("Groups of words",), (f"{about}{over}",))
        yield PageTable(_word_grid(contrast, viewer), "F-measure of groups of words", draws=False)
        return
    yield Heading(
        ("N-grams of the references",),
        (
            f"How often each system has them where a reference has them, {over} Left out: n-grams that one system has "
            "only once more, and further pieces of a phrase. Any two systems have such lists.",
        ),
    )
    sides = [
        _ngrams(contrast, phrases, is_first=is_first, viewer=viewer)
        for is_first, ngrams in ((True, contrast.best), (False, contrast.worst))
        if (phrases := _phrases(ngrams))
    ]
    yield (
        Beside(tuple(sides)) if sides else Sentences(("No n-gram is found at least twice more often by one of them.",))
    )


def _phrases(ngrams: Iterable[NgramDifference]) -> list[NgramDifference]:
    """One n-gram of each phrase: those that are found in the same segments are its pieces. Of them, the first."""
    found: dict[tuple[tuple[int, ...], ...], NgramDifference] = {}
    for ngram in ngrams:
        if abs(ngram.first_matches - ngram.second_matches) >= _LEAST:
            found.setdefault((ngram.first_segments, ngram.second_segments), ngram)
    return list(found.values())[:_NGRAMS]


def _ngrams(
    contrast: NgramDifferences, ngrams: Sequence[NgramDifference], *, is_first: bool, viewer: str
) -> tuple[Block, ...]:
    """The n-grams that one system finds more often."""
    system, flag = (contrast.first, Flag.FIRST) if is_first else (contrast.second, Flag.SECOND)
    rows = tuple(
        (
            Text(ngram.text),
            Count(ngram.first_matches),
            Count(ngram.second_matches),
            Segments(
                ngram.first_segments if is_first else ngram.second_segments,
                f"“{ngram.text}”: {system} finds it more often",
                viewer,
                (contrast.first, contrast.second),
                ngram.text,
                flags=frozenset({flag}),
            ),
        )
        for ngram in ngrams
    )
    columns = (Column("N-gram", "left"), *_systems(contrast), Column("segments"))
    title = Heading((Name(system, "a" if is_first else "b"), " finds more often"), level=4)
    return (title, PageTable(Grid(columns, rows), f"N-grams that {system} finds more often"))


def _systems(contrast: NgramDifferences | WordGroups) -> tuple[Column, ...]:
    return (Column(contrast.first, role="first"), Column(contrast.second, role="second"))


def _word_grid(contrast: WordGroups, viewer: str) -> Grid:
    """The groups of words by grouping. Words that no reference has cannot be right."""
    rows: list[tuple[Cell, ...]] = []
    last = ""
    for group in contrast.groups:
        grouping, _, label = group.group.partition(":")
        if group.reason is not None:
            continue
        title = Text(_TITLES.get(grouping, grouping)) if grouping != last else BLANK
        last = grouping
        rows.append(
            (
                title,
                Text(label),
                Count(group.first.reference_words),
                Number(group.first.f_measure, 3),
                Number(group.second.f_measure, 3),
                Number(group.better_by, 3, style="signed"),
                *_leading(contrast, group, _words_of(grouping, label), viewer),
            )
        )
    columns = (
        *(Column("Words", "left"), Column("", "left"), Column("in the references")),
        *_systems(contrast),
        Column("better by"),
        Column(f"{contrast.first} better", role="first"),
        Column(f"{contrast.second} better", role="second"),
    )
    return Grid(columns, tuple(rows))


def _words_of(grouping: str, label: str) -> str:
    """The words of a group where no title stands above them."""
    if grouping != "frequency":
        return label
    return f"words seen {_TIMES.get(label, f'{label} times')} in the references"


def _leading(contrast: WordGroups, group: WordGroup, label: str, viewer: str) -> Iterator[Segments]:
    systems = (contrast.first, contrast.second)
    places = (group.first_segments, group.second_segments)
    for system, numbers, flag in zip(systems, places, (Flag.FIRST, Flag.SECOND), strict=True):
        is_cut = len(numbers) == _MOST_SEGMENTS
        text = f"{label}: {system} gets more right"
        yield Segments(numbers, text, viewer, systems, is_cut=is_cut, flags=frozenset({flag}))

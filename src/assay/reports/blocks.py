"""What a page says, before it becomes HTML: sections of typed blocks. A block holds no result and no markup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from assay.reports.cells import Cell
from assay.reports.documents import Grid
from assay.types import Note
from assay.words.statement import Answer, Words

if TYPE_CHECKING:
    from assay.charts.layout import AltairChart

__all__ = [
    "Answers",
    "Beside",
    "Block",
    "Copied",
    "Described",
    "Facts",
    "Figure",
    "Fold",
    "Heading",
    "Key",
    "Matrix",
    "Notes",
    "Page",
    "PageSection",
    "PageTable",
    "Panels",
    "SegmentView",
    "Sentences",
]


@dataclass(frozen=True, slots=True)
class Heading:
    """What the blocks below it show, and how to read them."""

    words: Words
    subtitle: Words = ()
    level: Literal[3, 4] = 3


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences below each other: paragraphs, a list, or notes in small type."""

    sentences: tuple[str, ...]
    style: Literal["paragraphs", "list", "notes"] = "paragraphs"


@dataclass(frozen=True, slots=True)
class Answers:
    """Short answers to the questions of a reader."""

    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Notes:
    """Notes of results, warnings first."""

    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class PageTable:
    """A grid as a table. `draws`: also draw the intervals of columns, unless many columns have some."""

    grid: Grid
    caption: str
    is_sortable: bool = False
    draws: bool = True
    style: Literal["", "plot", "lanes", "outcomes"] = ""
    """plot: rows are drawings first, and stay readable on a phone; lanes: drawings are never left out; outcomes: cells
    are coloured by the system that is better."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart, drawn for a wide and for a narrow page."""

    name: str
    wide: AltairChart
    narrow: AltairChart


@dataclass(frozen=True, slots=True)
class Beside:
    """Two columns of blocks."""

    columns: tuple[tuple[Block, ...], ...]


@dataclass(frozen=True, slots=True)
class Key:
    """What colours mean (the role of each, and words), and how to read a table; `hint` needs a script."""

    colours: tuple[tuple[str, str], ...]
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Systems by systems. None on the diagonal; each other cell has the number of the pair that it is of."""

    title: str
    systems: tuple[str, ...]
    clusters: tuple[int | None, ...]
    cells: tuple[tuple[tuple[Cell, int] | None, ...], ...]

    @property
    def has_clusters(self) -> bool:
        """Whether the systems fall into several."""
        return len(set(self.clusters)) > 1


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks behind a summary. `style` is the kind of content: paper leaves out other pairs and what is copied."""

    summary: Words
    blocks: tuple[Block, ...]
    is_open: bool = False
    style: Literal["", "block", "other-pairs", "gains"] = ""


@dataclass(frozen=True, slots=True)
class Panels:
    """One of several panels is shown, chosen by its title; without a script, and on paper, all of them."""

    id: str
    panels: tuple[tuple[str, tuple[Block, ...]], ...]


@dataclass(frozen=True, slots=True)
class Described:
    """Tables of pairs, beside which the chosen pair is described, by the data with the id `ID-data`."""

    id: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and values."""

    facts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Copied:
    """A text that can be copied: a command, signatures, LaTeX, BibTeX."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class SegmentView:
    """The viewer of segments: what a reader can choose in it. Its data has the id `ID-data`."""

    id: str
    systems: tuple[str, ...]
    references: tuple[str, ...] = ()
    """None if no text is shown."""
    groupings: tuple[str, ...] = ()
    has_texts: bool = False
    has_errors: bool = False
    labels: str = ""
    """The metric that labels words, if one does."""


Block: TypeAlias = (
    Heading
    | Sentences
    | Answers
    | Notes
    | PageTable
    | Figure
    | Beside
    | Key
    | Matrix
    | Fold
    | Panels
    | Described
    | Facts
    | Copied
    | SegmentView
)


@dataclass(frozen=True, slots=True)
class PageSection:
    """A section of a page. `id` is also its anchor."""

    id: str
    link: str
    """Its name in the list of contents."""
    heading: str | Words
    """A question or a finding."""
    blocks: tuple[Block, ...]
    lede: str = ""
    """A sentence or two below the heading."""
    eyebrow: str = ""
    """A line above the heading: what all of it is about."""
    part: str = ""
    """The part of the contents it belongs to, such as Systems; parts stand in the order of their first sections."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What scripts read, by id."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page for people."""

    title: str
    sections: tuple[PageSection, ...]

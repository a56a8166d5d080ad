"""A study as a page: text, tables, figures, and three sentences for practitioners."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay import charts
from assay.charts.intervals import dots, label_width, reference_line
from assay.charts.layout import compose, value_axis
from assay.labels.numbers import difference_text, interval_text, number, true_minus, with_interval
from assay.results import Estimate

FOLDER = Path(__file__).parents[2] / "docs" / "studies"
_WIDTH = 760
_ROW = 22  # px
_DIGITS = 9  # of a difference; what is beyond is rounding
_WIDE = 1.2  # labels in a reader's font may be wider than they are estimated
_DIGEST = re.compile(r"\n<!-- digest ([0-9a-f]{64}): a script wrote this page; edit the script, not a number -->\n\Z")


@dataclass(frozen=True)
class Figure:
    """Rows of dots with intervals: name, value, low, high, and a role, which is a colour."""

    name: str
    title: str
    subtitle: str
    axis: str
    rows: Sequence[Mapping[str, Any]]
    line: float | None = None

    def svg(self) -> str:
        """The figure; the same rows give the same text."""
        x = value_axis(self.axis, _WIDTH, nice=True)
        names = dict.fromkeys(row["name"] for row in self.rows)
        lines = [] if self.line is None else [reference_line(x, self.line)]
        chart = compose(
            *lines,
            *dots([{"role": "first", **row} for row in self.rows], x, extent=_WIDE * label_width(names)),
            title=self.title,
            subtitle=self.subtitle,
            width=_WIDTH,
            height=_ROW * len(names),
        )
        return charts.svg(chart, theme="light")


@dataclass(frozen=True)
class Page:
    """A study."""

    title: str
    parts: Sequence[str | Figure]
    said: tuple[str, str, str]
    """What a practitioner can use. Each follows from a table above, and advises only what an interval supports."""

    def write(self, name: str) -> None:
        """Write the page and its figures."""
        FOLDER.mkdir(exist_ok=True)
        for part in self.parts:
            if isinstance(part, Figure):
                (FOLDER / f"{name}-{part.name}.svg").write_text(part.svg() + "\n", encoding="utf-8")
        (FOLDER / f"{name}.md").write_text(self.text(name), encoding="utf-8")

    def text(self, name: str) -> str:
        """The page, with a digest of its numbers and words at the end."""
        lines = [f"# {self.title}", f"<!-- written by scripts/studies (make studies ONLY={name}) -->"]
        for part in self.parts:
            lines.append(f"![{part.title}]({name}-{part.name}.svg)" if isinstance(part, Figure) else part)
        lines += ["## What to take from this", "\n".join(f"{k}. {each}" for k, each in enumerate(self.said, 1))]
        text = "\n\n".join(lines) + "\n"
        return text + f"\n<!-- digest {_digest(text)}: a script wrote this page; edit the script, not a number -->\n"


def is_as_written(text: str) -> bool:
    """Whether nobody changed a page after its script wrote it."""
    found = _DIGEST.search(text)
    return found is not None and found[1] == _digest(text[: found.start()])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def table(titles: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int = 1) -> str:
    """A table whose first columns are texts, and all others numbers, which get true minus signs."""
    marks = ["---"] * texts + ["--:"] * (len(titles) - texts)
    shown = ([*row[:texts], *map(true_minus, row[texts:])] for row in rows)
    return "\n".join("| " + " | ".join(row) + " |" for row in (titles, marks, *shown))


def estimate_text(estimate: Estimate, decimals: int = 2) -> str:
    """A number with its interval, if it has one: 0.83 [0.69, 0.94]."""
    interval = interval_text(estimate.low, estimate.high, decimals)
    return true_minus(with_interval(number(estimate.value, decimals), interval))


def points(difference: Estimate) -> str:
    """A difference of two shares in percentage points, with its interval: +4.1 [+1.7, +6.4]."""
    value, low, high = (
        difference_text(round(100 * each, _DIGITS), 1) for each in (difference.value, difference.low, difference.high)
    )
    return true_minus(value if math.isnan(difference.low) else f"{value} [{low}, {high}]")


def is_sure(difference: Estimate) -> bool:
    """Whether there is an interval, and 0 is not in it."""
    return difference.low > 0 or difference.high < 0


def claim(difference: Estimate, *, above: str, below: str, unclear: str) -> str:
    """What a difference says, if it is sure."""
    if not is_sure(difference):
        return unclear
    return above if difference.value > 0 else below

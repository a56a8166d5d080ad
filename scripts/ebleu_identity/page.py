"""What the comparison found, as a section of docs/methods/ebleu.md, a figure, and a table of all readings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path

import numpy as np

from scripts.ebleu_identity.figure import svg
from scripts.ebleu_identity.fit import BINS, Fits, Texts, correlation_with_length, means
from scripts.ebleu_identity.readings import PRINTED, Reading, grid, one_change
from scripts.ebleu_identity.vectors import SOURCES

__all__ = ["table_of_all", "write"]

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "methods" / "ebleu.md"
FIGURE = ROOT / "docs" / "images" / "ebleu-identity.svg"
BEGIN = "<!-- written by scripts/ebleu_identity (make ebleu-identity) -->"
END = "<!-- end of what scripts/ebleu_identity wrote -->"

FIRST = SOURCES[0].name
CHOSEN_ON = [source.name for source in SOURCES if source.is_chosen_on]
_TOLERANCE = 2e-7  # of a score of 1 in single precision
_SURELY = 1e-4  # above the lowest score by so much
_TIE = 0.0005  # a difference of RMSE that does not count
_BEST = 5


def write(texts: Texts, fits: Fits, lowest: Mapping[Reading, float]) -> None:
    """The section between its marks, and the figure."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    lines = (*_without_vectors(texts, lowest), *_by_length(texts, fits, lowest), *_by_source(fits), *_of_grid(fits))
    section = "\n".join([BEGIN, "", *lines, END])
    PAGE.write_text(f"{before}{section}{after}", encoding="utf-8")
    FIGURE.write_text(svg(texts, fits), encoding="utf-8")


def table_of_all(fits: Fits) -> str:
    """Every reading on every source, separated by tabs."""
    names = [field.name for field in fields(Reading)]
    lines = [[*names, "vectors", "rmse", "rank", "within", *map(_bin, BINS), "texts"]]
    for (source, reading), fit in fits.items():
        numbers = (fit.rmse, fit.rank, fit.within, *fit.means)
        chosen = [str(getattr(reading, name)) for name in names]
        lines.append([*chosen, source, *(f"{number:.4f}" for number in numbers), str(fit.n)])
    return "".join("\t".join(line) + "\n" for line in lines)


def _without_vectors(texts: Texts, lowest: Mapping[Reading, float]) -> Iterator[str]:
    """What the scores show whatever the vectors were."""
    is_one = np.abs(texts.official - 1) <= _TOLERANCE
    lengths, of_13a = texts.lengths, np.array([len(words) for words in texts.words["13a"]])
    different = np.array([len(set(words)) for words in texts.words["spaces"]])
    two, more = lengths == 2, different > 2
    low = texts.official[lengths == 3].min()
    too_high = [_named(name) for name, reading in one_change() if lowest.get(reading, 0) > low + _SURELY]
    yield f"The {len(texts.official)} segments have 1 to {int(lengths.max())} words. Whatever the vectors were:\n"
    yield (
        "- **Words are what stands between spaces.** Two words have rows of *S* with equal sums, so that a text of two "
        f"scores 1 on any vectors. Of {two.sum()} texts with two words between spaces, {(two & is_one).sum()} score 1 "
        f"(in single precision); {(two & is_one & (of_13a > 2)).sum()} of these have three or more tokens by 13a. Of "
        f"{more.sum()} texts with three or more different words between spaces, {(more & is_one).sum()} score 1."
    )
    yield (
        f"- **Some readings cannot give so low a score.** The lowest score of a text of three words is {low:.4f}. On "
        f"no vectors do {'; '.join(too_high)} give three words less than {_floor(lowest, low):.4f}."
    )
    yield ""


def _floor(lowest: Mapping[Reading, float], low: float) -> float:
    return math.floor(1e4 * min(value for value in lowest.values() if value > low + _SURELY)) / 1e4


def _by_length(texts: Texts, fits: Fits, lowest: Mapping[Reading, float]) -> Iterator[str]:
    yield (
        '<img src="../images/ebleu-identity.svg" alt="Mean score by length, of the authors and of four readings, on '
        'four sources of vectors" width="960">\n'
    )
    yield (
        f"Mean scores by the number of words, on `{FIRST}`. A reading differs from the printed one in what it is named "
        "after. RMSE: of the scores of segments. Rank: Spearman's correlation with the authors' scores; within: the "
        "same among texts with equally many words, pooled. The number of words alone has a rank correlation of "
        f"{correlation_with_length(texts):.2f}. Lowest: what any vectors can give to three words.\n"
    )
    yield f"| reading | {' | '.join(map(_bin, BINS))} | RMSE | rank | within | lowest |"
    yield f"|---|{'--:|' * (len(BINS) + 4)}"
    official = (f"{value:.3f}" for value in means(texts.official, texts.lengths))
    yield f"| **the authors' scores** | {' | '.join(official)} | | | | |"
    for name, reading in one_change():
        fit = fits[FIRST, reading]
        cells = (
            *map(_three, fit.means),
            _three(fit.rmse),
            _two(fit.rank),
            _two(fit.within),
            _three(lowest.get(reading)),
        )
        yield f"| {_named(name)} | {' | '.join(cells)} |"
    yield ""


def _by_source(fits: Fits) -> Iterator[str]:
    yield (
        "RMSE and rank correlation of the same readings by the source of the vectors. Nearer: on how many sources the "
        "RMSE is lower than that of the printed reading, and on how many higher, by more than 0.0005.\n"
    )
    names = [source.name for source in SOURCES]
    yield f"| reading | {' | '.join(names)} | nearer |"
    yield f"|---|{'--:|' * (len(names) + 1)}"
    for name, reading in one_change():
        found = [fits[source, reading] for source in names]
        gains = [fits[source, PRINTED].rmse - fits[source, reading].rmse for source in names]
        nearer = f"{sum(gain > _TIE for gain in gains)}, farther {sum(gain < -_TIE for gain in gains)}"
        cells = [f"{_three(fit.rmse)}, {_two(fit.rank)}" for fit in found]
        yield f"| {_named(name)} | {' | '.join(cells)} | {'' if reading == PRINTED else nearer} |"
    yield ""
    for source in SOURCES:
        chosen = " Readings are chosen on these." if source.is_chosen_on else ""
        yield f"- `{source.name}`: {source.about}.{chosen}"
    yield ""


def _of_grid(fits: Fits) -> Iterator[str]:
    """All combinations, ordered on some sources, and how the first of them do on the others."""
    readings = sorted(grid(), key=lambda reading: _mean_rmse(fits, reading))
    place = readings.index(PRINTED) + 1
    others = [source.name for source in SOURCES if not source.is_chosen_on]
    yield (
        f"All {len(readings)} combinations of tokens, unknown words, n-grams, meaning, diffusion and weights, ordered "
        f"by their mean RMSE on {' and '.join(f'`{name}`' for name in CHOSEN_ON)}: the printed reading is number "
        f"{place}, {_mean_rmse(fits, PRINTED) - _mean_rmse(fits, readings[0]):.4f} behind the first. The first "
        f"{_BEST}, and their RMSE on the other sources:\n"
    )
    yield f"| combination | chosen on | the others | {' | '.join(others)} |"
    yield f"|---|{'--:|' * (len(others) + 2)}"
    for reading in [*readings[:_BEST], *([PRINTED] if place > _BEST else [])]:
        elsewhere = [fits[name, reading].rmse for name in others]
        cells = [_mean_rmse(fits, reading), sum(elsewhere) / len(elsewhere), *elsewhere]
        yield f"| {_described(reading)} | {' | '.join(map(_three, cells))} |"
    yield ""


def _mean_rmse(fits: Fits, reading: Reading) -> float:
    values = [fits[source, reading].rmse for source in CHOSEN_ON]
    return math.inf if any(map(math.isnan, values)) else sum(values) / len(values)


def _described(reading: Reading) -> str:
    """What differs from the printed reading."""
    different = [
        field.name for field in fields(Reading) if getattr(reading, field.name) != getattr(PRINTED, field.name)
    ]
    parts = [f"`{name}={_value(getattr(reading, name))}`" for name in different]
    return ", ".join(parts) or "as printed"


def _value(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _named(name: str) -> str:
    return name if name == "as printed" else f"`{name}`"


def _bin(bounds: tuple[int, int]) -> str:
    low, high = bounds
    return str(low) if low == high else f"{low}+" if high == BINS[-1][1] else f"{low}-{high}"


def _three(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.3f}"


def _two(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"

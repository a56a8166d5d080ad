"""Small made-up test sets with the names and files that the papers need, so that every paper runs without archives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

__all__ = ["OUTLIER", "write_test_set", "write_test_sets"]

SEGMENTS = 255  # pairs of systems need 250 judged segments
OUTLIER = "en_de_task.1"
_WORDS = ["a", "dog", "saw", "the", "small", "cat", "on", "one", "warm", "day", "in", "may", "and", "then", "it", "ran"]


def write_test_sets(folder: Path, *names: str) -> Path:
    """The test sets of these names."""
    for name in names:
        _WRITERS[name](folder / name)
    return folder


METRICS = ("BLEU", "chrF", "COMET", "YiSi-1", "COMET-22", "BLEURT-20", "BERTScore")


def write_test_set(
    folder: Path,
    *lps: str,
    golds: Sequence[str] = ("wmt-z",),
    systems: int = 6,
    metrics: Sequence[str] = METRICS,
    references: Sequence[str] = ("refA",),
    by_segment: bool = False,
) -> None:
    """A test set with texts, stored metrics, and human scores of systems and segments."""
    for number, lp in enumerate(lps):
        generator = np.random.default_rng(number)
        reference = [list(generator.choice(_WORDS, size=generator.integers(4, 9))) for _ in range(SEGMENTS)]
        names = [f"sys{k}" for k in range(systems)]
        outputs = {name: [_worsened(words, 0.1 * k, generator) for words in reference] for k, name in enumerate(names)}
        for name in references:
            _lines(folder / "references" / f"{lp}.{name}.txt", (" ".join(words) for words in reference))
        for name, lines in outputs.items():
            _lines(folder / "system-outputs" / lp / f"{name}.txt", (" ".join(words) for words in lines))
        domains = ("news", "social", "ecommerce", "conversation")
        _lines(folder / "documents" / f"{lp}.docs", (f"{domains[k % 4]} d{k // 5}" for k in range(SEGMENTS)))
        for gold in golds:
            drawn = {name: generator.normal(-k, 2, SEGMENTS).clip(-24, 0) for k, name in enumerate(names)}
            is_raw = gold in ("wmt", "wmt-raw", "wmt-appraise", "da-sqm", "esa")  # from 0 to 100
            scores = {name: 95 + 3 * values if is_raw else values for name, values in drawn.items()}
            _scores(folder / "human-scores" / f"{lp}.{gold}.seg.score", scores)
            _scores(
                folder / "human-scores" / f"{lp}.{gold}.sys.score", {name: [x.mean()] for name, x in scores.items()}
            )
        for metric, name in ((metric, name) for metric in metrics for name in references):
            values = {system: 30 - k + generator.normal(0, 1, SEGMENTS) for k, system in enumerate(names)}
            stored = folder / "metric-scores" / lp / f"{metric}-{name}"
            _scores(stored.with_name(f"{stored.name}.sys.score"), {key: [x.mean()] for key, x in values.items()})
            if by_segment:
                _scores(stored.with_name(f"{stored.name}.seg.score"), values)


def _worsened(words: Sequence[str], share: float, generator: np.random.Generator) -> list[str]:
    return [str(generator.choice(_WORDS)) if generator.random() < share else word for word in words]


def _wmt13(folder: Path) -> None:
    """Five systems ranked by a judge on each segment, as strict pairs in a row."""
    for lp in ("fr-en", "de-en", "es-en", "cs-en"):
        write_test_set(folder, lp, golds=(), systems=5)
        generator = np.random.default_rng(3)
        rows = ["segment\tbetter\tworse"]
        for segment in range(1, 60):
            order = np.argsort([k + generator.normal(0, 1.5) for k in range(5)])
            pairs = [(one, other) for place, one in enumerate(order) for other in order[place + 1 :]]
            rows += [f"{segment}\tsys{one}\tsys{other}" for one, other in pairs]
        _lines(folder / "judgements" / f"{lp}.rr-pairs.tsv", rows)
        for path in (folder / "metric-scores").rglob("*"):
            if path.is_file():
                path.unlink()


def _wmt23(folder: Path) -> None:
    """All language pairs of MQM, two of DA+SQM, and metrics as they were called that year."""
    metrics = ("BERTscore", "BLEU", "BLEURT-20", "chrF", "COMET", "eBLEU", "f200spBLEU")
    write_test_set(folder, "zh-en", "en-de", golds=("mqm", "da-sqm"), metrics=metrics)
    write_test_set(folder, "he-en", golds=("mqm",), metrics=metrics, references=("refA", "refB"))


def _wmt19(folder: Path) -> None:
    """System scores only; the last system of each pair is an outlier."""
    for number, lp in enumerate(("de-en", "en-de", "en-kk", "gu-en", "en-ru", "lt-en", "en-fi", "de-cs")):
        generator = np.random.default_rng(number)
        names = [*(f"sys{k}.{k}" for k in range(11)), OUTLIER]
        human = {name: [-0.05 * k if name != OUTLIER else -5.0] for k, name in enumerate(names)}
        _scores(folder / "human-scores" / f"{lp}.wmt-z.sys.score", human)
        for metric in ("sacreBLEU-BLEU", "sacreBLEU-chrF", "TER", "YiSi-1", "ESIM", "YiSi-2"):
            end = "src" if metric == "YiSi-2" else "ref"
            values = {name: [30 + score + generator.normal(0, 0.3)] for name, (score,) in human.items()}
            _scores(folder / "metric-scores" / lp / f"{metric}-{end}.sys.score", values)


_WRITERS = {
    "wmt13": _wmt13,
    "wmt17": lambda folder: write_test_set(folder, "de-en"),
    "wmt19": _wmt19,
    "wmt20": lambda folder: write_test_set(folder, "en-iu", "de-en"),
    "wmt21.news": lambda folder: write_test_set(folder, "de-en", "en-de", golds=("wmt-z", "mqm")),
    "wmt22": lambda folder: write_test_set(folder, "cs-en", "zh-en", "en-de", golds=("wmt", "wmt-z", "mqm")),
    "wmt23": _wmt23,
}


def _scores(path: Path, table: Mapping[str, Sequence[float]]) -> None:
    _lines(path, (f"{name} {value:.6f}" for name, values in table.items() for value in values))


def _lines(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

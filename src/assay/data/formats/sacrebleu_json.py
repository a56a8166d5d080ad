"""What sacreBLEU prints as JSON: system scores of one system, or of several with or without paired tests.

One system: an object for each metric, `{"name": "BLEU", "score": 27.3, "signature": "nrefs:1|…", …}`, alone or in a
list; the system is named after the file. Several: a list of `{"system": FILE, "BLEU": "27.3", …}`, in paired tests
`{"score": 27.3, "p_value": …, "mean": …, "ci": …}` in the place of "27.3"; this form has no signatures.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from assay.data.collecting import ScoreCollector, checked_name
from assay.data.fields import flaw_of_json
from assay.data.formats import CERTAIN, LIKELY, NO, Format, form
from assay.data.numbers import check_size_of_score
from assay.data.text import digest_of, read_text, shown_path
from assay.errors import InputError, NameClashError, printable
from assay.types import Campaign

__all__ = ["SacrebleuJson", "named_after_files", "number_of", "read_json"]

_BASELINE = "Baseline: "
_SEVERAL = re.compile(r'\s*\[\s*\{\s*"system"\s*:\s*"[^"]*"\s*,\s*"[^"]+"\s*:\s*("[-\d]|\{\s*"score")')
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?")


@form("sacrebleu-json")
@dataclass(frozen=True)
class SacrebleuJson(Format):
    """System scores, with their signatures as notes."""

    suffixes = (".json",)

    def recognises(self, path: Path, head: str) -> int:
        head = head.removeprefix("\ufeff")
        if re.match(r"\s*[\[{]", head) and all(f'"{key}"' in head for key in ("name", "score", "signature", "nrefs")):
            return CERTAIN
        return LIKELY if _SEVERAL.match(head) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        content, notes = read_json(path)
        shown = shown_path(path)
        objects = content if isinstance(content, list) else [content]
        if not objects or not all(isinstance(item, dict) for item in objects):
            raise InputError("no object with a score, nor a list of such", path=shown)
        rows = _Rows(shown)
        if "system" in objects[0]:
            rows.add_systems(objects)
        else:
            rows.add_metrics(checked_name("system", _stem(path.name), path=shown), objects)
        tables = tuple(collector.table(1) for collector in rows.collectors(str(path), digest_of(path)))
        systems = tuple(dict.fromkeys(system for table in tables for system in table.systems))
        name = rows.testset or _stem(path.name)
        gaps = (f"{table.name}: {table.gaps:,} gaps" for table in tables if table.gaps)
        return (Campaign(name, rows.lp, 0, systems, (), None, tables, notes=(*notes, *rows.notes, *gaps)),)


class _Rows:
    """Scores by metric and system, and what is said about them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.scores: dict[str, dict[str, float]] = {}
        self.testset = ""
        self.lp = ""
        self.notes: list[str] = []

    def add_metrics(self, system: str, objects: Iterable[Mapping[str, Any]]) -> None:
        for item in objects:
            name, signature = item.get("name"), item.get("signature", "")
            if not isinstance(name, str) or not name or not isinstance(signature, str) or "score" not in item:
                raise InputError("an object without name and score of a metric", path=self.path)
            self._add(name, system, item["score"])
            self.notes.append(f"{name}: {signature}" if signature else f"{name}: no signature")
            if "confidence" in item:
                self.notes.append(f"{name}: the interval {str(item['confidence'])[:60]} is not kept")
            self._place(item)

    def add_systems(self, objects: Collection[Mapping[str, Any]]) -> None:
        given = [name for item in objects if isinstance(name := item.get("system"), str) and name]
        if len(given) < len(objects):
            raise InputError("an object in which a system has no name", path=self.path)
        baselines = [name.removeprefix(_BASELINE) for name in given if name.startswith(_BASELINE)]
        names = named_after_files([name.removeprefix(_BASELINE) for name in given], self.path)
        not_kept: dict[str, int] = {}
        for item, name in zip(objects, names, strict=True):
            if len(item) < 2:
                raise InputError(f"there is no score of system '{name}'", path=self.path)
            for metric, value in item.items():
                if metric != "system":
                    detail = value if isinstance(value, dict) else {"score": value}
                    if "score" not in detail:
                        raise InputError(f"'{printable(metric)}' of system '{name}' has no score", path=self.path)
                    self._add(metric, name, detail["score"])
                    for key in detail.keys() - {"score"}:
                        not_kept[key] = not_kept.get(key, 0) + (detail[key] is not None)
        self.notes += [f"the baseline of the paired tests is {name}" for name in baselines]
        kept_out = [f"{key} {count}" for key, count in sorted(not_kept.items()) if count]
        self.notes += [f"values that are not kept: {', '.join(kept_out)}"] if kept_out else []
        self.notes.append("this form of sacreBLEU's JSON does not tell the signatures")

    def _add(self, metric: str, system: str, value: object) -> None:
        text = value.partition(" (")[0] if isinstance(value, str) else value  # "27.3 (μ = 27.3 ± 0.5)"
        scores = self.scores.setdefault(metric, {})
        if system in scores:
            raise InputError(f"a second score '{metric}' of system '{system}'", path=self.path)
        scores[system] = number_of(text, f"the score '{metric}' of system '{system}'", self.path)

    def _place(self, item: Mapping[str, Any]) -> None:
        """The test set and language pair, where sacreBLEU was told them with -t and -l."""
        for key, attribute in (("test", "testset"), ("lang", "lp")):
            value = item.get(key)
            if isinstance(value, str) and getattr(self, attribute) not in ("", value):
                raise InputError(f"scores of '{value[:40]}' and of '{getattr(self, attribute)[:40]}'", path=self.path)
            if isinstance(value, str):
                setattr(self, attribute, value)

    def collectors(self, origin: str, digest: str) -> Iterator[ScoreCollector]:
        for metric, scores in self.scores.items():
            better = not metric.upper().startswith("TER")
            collector = ScoreCollector(metric, "system", origin, digest, higher_is_better=better)
            for system, score in scores.items():
                collector.add(system, 0, score, line=0)
            yield collector


def read_json(path: Path) -> tuple[Any, list[str]]:
    """The JSON value a file holds, and notes on what was changed in reading. A key must not come twice."""
    text, notes = read_text(path)
    line, why = None, ""
    try:
        value = json.loads(text, object_pairs_hook=_without_twins, parse_constant=_constant)
        if "\\u" in text:  # the only way to write half a surrogate pair
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        line, why = error.lineno, error.msg.lower()
    except UnicodeEncodeError:
        why = "half a surrogate pair is not text"
    except RecursionError:
        why = "it is nested too deeply"
    except ValueError as error:
        why = flaw_of_json(error)
    else:
        return value, notes
    raise InputError(f"not JSON that can be read: {why}", path=shown_path(path), line=line)


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twin, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key '{printable(twin)}' comes twice in one object")
    return found


def _constant(word: str) -> float:
    """NaN, as Python's programs write a missing number; no other word is a number."""
    if word != "NaN":
        raise ValueError(f"{word} is not a number")
    return math.nan


def number_of(value: object, what: str, path: str) -> float:
    """A finite number, given as such or as text; NaN where it is null, NaN or None."""
    if value is None or value in ("None", "NaN", "nan", ""):
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        _no_number(value, what, path)
    try:
        number = float(value)
    except (ValueError, OverflowError):
        _no_number(value, what, path)
    if math.isinf(number) or (isinstance(value, str) and not _NUMBER.fullmatch(value.strip())):
        _no_number(value, what, path)
    check_size_of_score(number, what, path=path)
    return number


def _no_number(value: object, what: str, path: str) -> NoReturn:
    is_comma = isinstance(value, str) and re.fullmatch(r"[+-]?\d+,\d+", value.strip())
    hint = "write a decimal point, not a comma" if is_comma else None
    shown = f"a {type(value).__name__}" if isinstance(value, list | dict) else json.dumps(value)[:40]
    raise InputError(f"{what} is not a number: {shown}", path=path, hint=hint)


def named_after_files(files: list[str], path: str) -> list[str]:
    """Names of systems for their files: without folder and suffix, unless that makes two the same."""
    whole = [re.sub(r"[/\\]+", "_", file) for file in files]
    for names in ([_stem(file) for file in files], whole):
        if len(set(names)) == len(names):
            return [checked_name("system", name, path=path) for name in names]
    twin, _ = Counter(whole).most_common(1)[0]
    raise NameClashError(f"two systems are called '{twin[:80]}'", path=path)


def _stem(file: str) -> str:
    return Path(file.removesuffix(".gz")).stem

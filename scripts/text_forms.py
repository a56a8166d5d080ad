"""Measures the checks of the form of texts: what they report in published data, and which mistakes they find.

`make text-forms` writes both tables of docs/methods/texts.md to build/text_forms.md. It needs the archives in
$ASSAY_DATA.
"""

from __future__ import annotations

import html
import json
import random
import re
import time
import unicodedata
import urllib.parse
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import assay
from assay.data.form_list import FORMS, Form
from assay.data.text_files import read_column
from assay.data.text_forms import reported_forms
from assay.types import Column, as_column
from scripts.archives import folder, unpacked

_SPLIT = re.compile(r"(\w{4})(?=\w)")
_PUNCTUATION = re.compile(r"(?<=\S)([.,!?;:)])(?=\s|$)")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LONG_WORD = re.compile(r"(\w{4})(?=\w{4})")
_INTRODUCTIONS = (
    "Here is the translation: ",
    "Sure! Here's the translation:\n".replace("\n", " "),
    "Hier ist die Übersetzung: ",
    "Voici la traduction : ",
    "当然！以下是翻译：",
    "Вот перевод: ",
)
_CYRILLIC = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "абцдефгхийклмнопкрстуввхызАБЦДЕФГХИЙКЛМНОПКРСТУВВХЫЗ"
)
_ODD = ("Lan-Bridge", "refA", "refB")  # outputs with <unk>, and references
_SIZES = (200, 1000, 2037)
_SHORTENED = 50  # characters
_CUT = 20  # words, or characters of texts without spaces: 40


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an output with its place and its source."""

    text: str
    number: int
    source: str


def _cut_off(line: Line) -> str:
    if " " in line.text[: _CUT * 2]:
        return " ".join(line.text.split()[:_CUT])
    return line.text[: 2 * _CUT]


def _without_accents(text: str) -> str:
    return unicodedata.normalize("NFD", text.replace("ß", "ss")).encode("ascii", "ignore").decode()


MISTAKES: dict[str, Callable[[Line], str]] = {
    "bpe": lambda line: _SPLIT.sub(r"\1@@ ", line.text),
    "joiners": lambda line: re.sub(r"([.,。，])", r" ￭\1", line.text),
    "wordpiece": lambda line: _SPLIT.sub(r"\1 ##", line.text),
    "byte-level bpe": lambda line: line.text.replace(" ", " Ġ"),
    "sentencepiece": lambda line: " ".join("▁" + _SPLIT.sub(r"\1 ", word) for word in line.text.split()),
    "thoughts": lambda line: f"<think>The user wants a translation.</think>{line.text}",
    "special tokens": lambda line: f"<s> {line.text} </s>",
    "colours": lambda line: f"\x1b[32m{line.text}\x1b[0m",
    "fairseq": lambda line: f"H-{line.number - 1}\t-0.23\t{line.text}",
    "log": lambda line: f"PRED {line.number}: {line.text}",
    "n-best": lambda line: f"{line.number - 1} ||| {line.text} ||| -2.3 ||| -0.4",
    "numbers": lambda line: f"{line.number}. {line.text}",
    "tabs": lambda line: f"segment{line.number}\t{line.text}",
    "json strings": lambda line: json.dumps(f"„{line.text}“"),
    "quoted": lambda line: '"' + line.text.replace('"', '""') + '"',
    "in quotes": lambda line: f"„{line.text}“",
    "json": lambda line: json.dumps({"translation": line.text}, ensure_ascii=False),
    "python": lambda line: repr(line.text.encode()),
    "markup": lambda line: f'<seg id="{line.number}">{line.text}</seg>',
    "entities": lambda line: html.escape(line.text).encode("ascii", "xmlcharrefreplace").decode(),
    "url codes": lambda line: urllib.parse.quote(line.text),
    "escapes": lambda line: json.dumps(line.text)[1:-1],
    "invisible": lambda line: _LONG_WORD.sub("\\1\u00ad", line.text),
    "byte order marks": lambda line: f"\ufeff{line.text}",
    "lost characters": lambda line: _NOT_ASCII.sub("\ufffd", line.text),
    "question marks": lambda line: line.text.encode("ascii", "replace").decode(),
    "letters apart": lambda line: " ".join(line.text),
    "underscores": lambda line: line.text.replace(" ", "_"),
    "reversed": lambda line: " ".join(reversed(line.text.split())),
    "letters reversed": lambda line: line.text[::-1],
    "tokenised": lambda line: _PUNCTUATION.sub(r" \1", line.text),
    "spaced out": lambda line: " ".join(line.text),
    "lower case": lambda line: line.text.lower(),
    "upper case": lambda line: line.text.upper(),
    "markdown": lambda line: f"**{line.text}**",
    "bullets": lambda line: f"- {line.text}",
    "introduction": lambda line: _INTRODUCTIONS[line.number % len(_INTRODUCTIONS)] + line.text,
    "notes": lambda line: f"{line.text} (Note: the names were kept as they are.)",
    "refusals": lambda line: "I'm sorry, but I can't assist with that request.",
    "failed": lambda line: "FAILED",
    "no words": lambda line: "[]" if line.number % 2 else "-",
    "same text": lambda line: "The quota of requests was used up.",
    "source": lambda line: f"{line.source} {line.text}",
    "shortened": lambda line: f"{line.text[:_SHORTENED]}..." if len(line.text) > _SHORTENED else line.text,
    "unfinished": _cut_off,
    "loops": lambda line: line.text + " " + " ".join(line.text.split()[-3:] * 20),
    "script": lambda line: line.text.translate(_CYRILLIC) if line.text.isascii() else line.source,
    "mixed letters": lambda line: line.text.replace("a", "\u0430").replace("\u043e", "o"),
    "same start": lambda line: f"target: {line.text}",
    "same end": lambda line: f"{line.text} (confidence: {line.number / 7:.2f})",
    "small start": lambda line: line.text[:1].lower() + line.text[1:],
    "no spaces": lambda line: line.text.replace(" ", ""),
    "no punctuation": lambda line: re.sub(r"[.,!?;:。，、！？।؟،]", "", line.text),
    "no accents": lambda line: _without_accents(line.text),
    "twice": lambda line: f"{line.text} ({line.text})",
}
SHARES = {"all": 1.0, "a third": 1 / 3, "5 %": 0.05, "one line": 0.0}
PAIRS = (
    ("wmt13", "fr-en"), ("wmt19", "de-en"), ("wmt19", "en-fi"), ("wmt19", "ru-en"), ("wmt21.news", "en-ha"),
    ("wmt21.news", "en-is"), ("wmt21.tedtalks", "en-de"), ("wmt22", "de-en"), ("wmt22", "en-cs"), ("wmt22", "en-de"),
    ("wmt22", "en-ja"), ("wmt22", "en-ru"), ("wmt21.news", "en-zh"), ("wmt22", "cs-uk"), ("wmt24", "en-es"),
    ("wmt24", "en-hi"),
)  # fmt: skip
SYSTEMS = 2  # of each pair
LINES = (200, 0)  # of a small test set, and all
BESIDE = ("the reference and the sources", "the reference", "the sources", "another output", "nothing")


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one language pair."""

    campaign: str
    lp: str
    outputs: dict[str, Column]
    references: dict[str, Column]
    sources: Column

    @classmethod
    def read(cls, campaign: str, lp: str) -> Texts:
        """The texts of a campaign, as they were published."""
        root = unpacked(campaign)

        def column(path: Path) -> Column:
            return read_column(path, keep_mark=True)[0]

        outputs = {path.stem: column(path) for path in sorted((root / "system-outputs" / lp).glob("*.txt"))}
        paths = sorted((root / "references").glob(f"{lp}.*.txt"))
        references = {path.stem.partition(".")[2]: column(path) for path in paths}
        return cls(campaign, lp, outputs, references, column(root / "sources" / f"{lp}.txt"))


def all_texts() -> Iterator[Texts]:
    """The texts of all archives that have some."""
    archives = folder()
    for path in sorted(archives.glob("wmt*.tar.xz")) if archives else ():
        campaign = path.name.removesuffix(".tar.xz")
        for source in sorted((unpacked(campaign) / "sources").glob("*.txt")):
            if (unpacked(campaign) / "system-outputs" / source.stem).exists():
                yield Texts.read(campaign, source.stem)


Reported = dict[str, dict[tuple[str, str], list[str]]]
"""For each form, campaign and column, the language pairs."""


def reported() -> tuple[int, dict[str, Reported]]:
    """The number of files, and what scoring reports: as warnings, and as notes."""
    files, found = 0, {severity: _nothing() for severity in ("warning", "note")}
    for texts in all_texts():
        files += len(texts.outputs) + len(texts.references) + 1
        for one in reported_forms(texts.outputs, texts.references, texts.sources, thorough=False):
            for column in one.lines:
                found[one.severity][one.form.name][texts.campaign, column].append(texts.lp)
    return files, found


def _nothing() -> Reported:
    return defaultdict(lambda: defaultdict(list))


def reported_alone(beside: str) -> tuple[int, Reported]:
    """The number of outputs, and the warnings if each is checked alone, as most users do, or beside one other."""
    outputs, found = 0, _nothing()
    for texts in all_texts():
        references = dict(list(texts.references.items())[:1]) if "reference" in beside else {}
        sources = texts.sources if "sources" in beside else None
        systems = {name: column for name, column in texts.outputs.items() if column not in texts.references.values()}
        for before, (name, column) in zip([*systems][-1:] + [*systems][:-1], systems.items(), strict=True):
            outputs += 1
            columns = {name: column, before: systems[before]} if "another output" in beside else {name: column}
            for one in reported_forms(columns, references, sources, thorough=False):
                if one.severity == "warning" and name in one.lines:
                    found[one.form.name][texts.campaign, name].append(texts.lp)
    return outputs, found


def spoiled(form: str, output: Column, sources: Column, share: str) -> Column:
    """An output with a mistake in a share of its lines."""
    make, size = MISTAKES[form], len(output)
    chosen = set(random.Random(size).sample(range(size), max(1, round(SHARES[share] * size))))
    lines = enumerate(zip(output, sources, strict=True))
    return as_column(
        make(Line(text or "", i + 1, source or "")) if i in chosen else text for i, (text, source) in lines
    )


def applies(form: Form, lp: str) -> bool:
    """Whether a mistake can be made in the target language."""
    target = lp.partition("-")[2]
    if form.name == "spaced out":
        return target in ("zh", "ja")
    if form.name in ("question marks", "no accents"):
        return target in ("de", "es", "cs", "is", "fi")
    if form.name == "lost characters":
        return target != "en"
    if form.name == "script":
        return target not in ("ru", "uk")
    if form.name in (
        "lower case",
        "upper case",
        "small start",
        "bpe",
        "invisible",
        "tokenised",
        "letters apart",
        "wordpiece",
        "byte-level bpe",
        "underscores",
        "no spaces",
        "reversed",
        "shortened",
    ):
        return target not in ("zh", "ja", "hi")
    return True


def detection(lines: int) -> dict[str, dict[str, list[bool]]]:
    """For each form and share of lines, whether it was reported in each output. One line: by `data check`."""
    found: dict[str, dict[str, list[bool]]] = {form.name: {share: [] for share in SHARES} for form in FORMS}
    for texts, name, form in _cases():
        size = lines or len(texts.sources)
        reference, sources = texts.references[next(iter(texts.references))][:size], texts.sources[:size]
        for share in SHARES:
            output = spoiled(form.name, texts.outputs[name][:size], sources, share)
            reported = reported_forms({"new": output}, {"ref": reference}, sources, thorough=share == "one line")
            found[form.name][share].append(any(one.form is form for one in reported))
    return found


def _cases() -> Iterator[tuple[Texts, str, Form]]:
    for campaign, lp in PAIRS:
        texts = Texts.read(campaign, lp)
        names = [name for name in texts.outputs if name not in texts.references][:SYSTEMS]
        yield from ((texts, name, form) for name in names for form in FORMS if applies(form, lp))


def damage() -> dict[str, tuple[float, float]]:
    """For each form, the mean BLEU of the outputs, and with the mistake in all lines."""
    scores = defaultdict[str, list[tuple[float, float]]](list)
    for texts, name, form in _cases():
        intact = texts.outputs[name]
        output = spoiled(form.name, intact, texts.sources, "all")
        references = dict(list(texts.references.items())[:1])
        testset = assay.load(outputs={"intact": intact, "spoiled": output}, references=references, lp=texts.lp)
        run = assay.score(testset, metrics="bleu")
        scores[form.name].append((run["bleu"].corpus["intact"], run["bleu"].corpus["spoiled"]))
    return {
        form: (sum(a for a, _ in pairs) / len(pairs), sum(b for _, b in pairs) / len(pairs))
        for form, pairs in scores.items()
    }


def cost(lp: str, size: int) -> float:
    """The time of the checks as a share of a score with BLEU and chrF, for texts of WMT22 without a wrong form."""
    texts = Texts.read("wmt22", lp)
    outputs = {name: as_column(column[:size]) for name, column in texts.outputs.items() if name not in _ODD}
    references = {"ref": as_column(texts.references["refA"][:size])}
    sources = as_column(texts.sources[:size])
    testset = assay.load(outputs=outputs, references=references, sources=sources, lp=lp)

    def seconds(task: Callable[[], object]) -> float:
        start = time.perf_counter()
        task()
        return time.perf_counter() - start

    scores, checks = [], []
    for _ in range(20):  # in turn, so that both meet the same machine
        scores.append(seconds(lambda: assay.score(testset, metrics=("bleu", "chrf"))))
        checks.append(seconds(lambda: reported_forms(outputs, references, sources, thorough=False)))
    return min(checks) / min(scores)


def alone() -> list[str]:
    """A table: for each form, the outputs with a warning, by what they were checked beside."""
    by_text = {beside: reported_alone(beside) for beside in BESIDE}
    outputs = next(iter(by_text.values()))[0]
    lines = ["", f"{outputs:,} outputs", "", f"| form | {' | '.join(BESIDE)} |", "|---|" + "--:|" * len(BESIDE)]
    for form in FORMS:
        counts = [sum(map(len, found[form.name].values())) for _, found in by_text.values()]
        if any(counts):
            lines.append(f"| {form.name} | {' | '.join(map(str, counts))} |")
    return lines


def main() -> None:
    """Write all tables."""
    files, found = reported()
    lines = [f"{files:,} files"]
    for severity, by_form in found.items():
        lines += ["", f"| {severity} | data |", "|---|---|"]
        for form in FORMS:
            data = by_form[form.name].items()
            cells = [f"{column} ({campaign} {', '.join(pairs)})" for (campaign, column), pairs in data]
            if cells:
                lines.append(f"| {form.name} | {'; '.join(cells)} |")
    lines += alone()
    scores = damage()
    rates = {size: detection(size) for size in LINES}
    lines += ["", f"| form | BLEU | {' | '.join(SHARES)} |", "|---|--:|" + "--:|" * len(SHARES)]
    for form in FORMS:
        cells = ["{:.1f} → {:.1f}".format(*scores[form.name])]
        for share in SHARES:
            by_size = [rates[size][form.name][share] for size in LINES]
            cells.append(" / ".join(f"{sum(hits) / len(hits):.0%}".replace("%", " %") for hits in by_size))
        lines.append(f"| {form.name} | {' | '.join(cells)} |")
    lines += [
        "",
        *(f"{lp}, {size} lines: {cost(lp, size):.1%} of a score" for lp in ("en-de", "en-ru") for size in _SIZES),
    ]
    target = Path("build/text_forms.md")
    target.parent.mkdir(exist_ok=True)
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

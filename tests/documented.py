"""A folder with every file that the commands of the documents name, so that they can be run as they stand."""

from __future__ import annotations

import csv
import json
import re
import shlex
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import openpyxl

from assay.data.archives.imports import unpack
from assay.data.conllu import conllu_text
from assay.data.test_sets.catalogue import public_test_set
from assay.sample import write
from assay.types import AnnotatedSentence, Word

_SGML = (
    '<{kind}set setid="t" srclang="en" trglang="de" {name}><doc docid="d"><seg id="1">{text}</seg></doc></{kind}set>\n'
)


def _tables(folder: Path) -> None:
    """The same texts as a spreadsheet would have them."""
    columns = [
        (folder / name).read_text(encoding="utf-8").splitlines() for name in ("src.en", "ref.de", "base.de", "new.de")
    ]
    rows = list(zip(*columns, strict=True))
    with (folder / "texts.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("English", "German", "DeepL", "GPT-4"), *rows])
    book = openpyxl.Workbook()
    book.active.title = "Texts"
    for row in (("Source", "Reference", "DeepL", "GPT-4"), *rows):
        book.active.append(row)
    book.save(folder / "texts.xlsx")


def _challenge_set(folder: Path) -> None:
    names = ("source", "good-translation", "incorrect-translation", "reference", "phenomena", "langpair")
    pair = ("He left.", "Er ging fort.", "Er ging.", "Er ging weg.", "omission", "en-de")
    (folder / "aces.jsonl").write_text(f"{json.dumps(dict(zip(names, pair, strict=True)))}\n", encoding="utf-8")


def prepare(folder: Path) -> None:
    """The sample campaign under the names that the documents use, and a small test set called wmt22."""
    german, chinese = write(folder / "sample")
    for name in ("refA.de", "refB.de", "domains.txt", "documents.txt"):
        (folder / name).write_bytes((german / name).read_bytes())
    (folder / "ref.de").write_bytes((german / "refA.de").read_bytes())
    (folder / "ref.zh").write_bytes((chinese / f"refA.{chinese.name.partition('-')[2]}").read_bytes())
    (folder / "src.en").write_bytes(next(german.glob("*.en")).read_bytes())
    for place in ("systems", "out"):
        (folder / place).mkdir()
    for number, (name, system) in enumerate((("base", "elm"), ("new", "alder")), 1):
        for target in (f"{name}.de", f"systems/{system}.de", f"out/{number}.de"):
            (folder / target).write_bytes((german / "systems" / f"{system}.de").read_bytes())
        (folder / f"out/{number}.zh").write_bytes(sorted((chinese / "systems").iterdir())[number].read_bytes())
    (folder / "out.de").write_bytes((folder / "new.de").read_bytes())
    for name in ("ref", "base", "new"):
        (folder / f"{name}.en").write_bytes((folder / f"{name}.de").read_bytes())
        for language in ("de", "en"):
            file = folder / f"{name}.{language}"
            (folder / f"{file.name}.conllu").write_text(_annotated(file), encoding="utf-8")
        lines = (folder / f"{name}.de").read_text(encoding="utf-8").splitlines()
        items = "".join(" ".join(f"{word}|n" for word in line.split()) + "\n" for line in lines)
        (folder / f"{name}.de.sempos").write_text(items, encoding="utf-8")
        roles = "".join(f"1:V 2-{len(line.split())}:ARG1\n" if " " in line else "1:V\n" for line in lines)
        (folder / f"{name}.de.roles").write_text(roles, encoding="utf-8")
    words = sorted(set((folder / "ref.de").read_text(encoding="utf-8").split()))
    rows = "".join(f"{word} {i % 7} {i % 5} 1\n" for i, word in enumerate(words))
    (folder / "cc.de.300.vec").write_text(f"{len(words)} 3\n{rows}", encoding="utf-8")
    (folder / "src.sgm").write_text(_SGML.format(kind="src", name="", text="one"), encoding="utf-8")
    (folder / "ref.sgm").write_text(_SGML.format(kind="ref", name='refid="ref"', text="eins"), encoding="utf-8")
    (folder / "sys1.sgm").write_text(_SGML.format(kind="tst", name='sysid="sys1"', text="ein"), encoding="utf-8")
    (folder / "terms.tsv").write_text("bridge\tBrücke|Hafenbrücke\nmayor\tBürgermeisterin\n", encoding="utf-8")
    (folder / "my_metric.py").write_text(_function("CONTRIBUTING.md", "overlap"), encoding="utf-8")
    _tables(folder)
    _campaign(folder / "wmt22")
    (folder / "FOLDER").symlink_to("wmt22")
    with tarfile.open(folder / "wmt22.tar.xz", "w:xz") as tar:
        tar.add(folder / "wmt22", "wmt22")
    _marked_errors(folder)
    _challenge_set(folder)
    _public_test_sets(folder)


def _marked_errors(folder: Path) -> None:
    """Outputs in which two people marked errors, in a test set called wmt25, and errors that metrics marked."""
    texts, columns = (
        folder / "wmt25",
        "system document segment domain annotator wave counted score start end minor major",
    )
    marked = [(name, k, k % 3) for name in ("AMI", "NLLB") for k in range(1, 13)]
    ratings = [
        [
            *(name, f"d{k // 2}", str(k), "news", rater, wave, "1", str(90 - k), "1", "2", str(int(size > 0)), "0"),
            json.dumps([{"start_i": 0, "end_i": size, "severity": "minor"}] if size else []),
        ]
        for rater, wave in (("r", "1"), ("s", "2"))
        for name, k, size in marked
    ]
    rows = ("\t".join(row) for row in ([*columns.split(), "errors"], *ratings))
    files = {"sources/en-is_IS.txt": "one\n" * 12, "judgements/en-is_IS.esa.tsv": "".join(f"{row}\n" for row in rows)}
    files |= {f"system-outputs/en-is_IS/{name}.txt": "einn\n" * 12 for name in ("AMI", "NLLB")}
    files["references/en-is_IS.refA.txt"] = "einn\n" * 12
    scores = {name: [90 - k for k in range(12)] for name in ("AMI", "NLLB")}
    files["metric-scores/en-is_IS/GEMBA-ESA-GPT4.1-src.seg.score"] = _scores(scores)
    (folder / "new.txt").write_text("85\n80\n", encoding="utf-8")
    for name, text in files.items():
        (texts / name).parent.mkdir(parents=True, exist_ok=True)
        (texts / name).write_text(text, encoding="utf-8")
    places = [f"{name},{k},0,{1 + size}," for name, k, size in marked]
    for name, severity in (("xcomet", "minor"), ("judge", "major")):
        lines = ["system,segment,start,end,severity", *(f"{place}{severity}" for place in places)]
        (folder / f"{name}.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")


def _public_test_sets(folder: Path) -> None:
    """The files of public test sets that the documents name, in the data folder `home`, as if they had been fetched."""
    pairs = [(folder / name).read_text(encoding="utf-8").splitlines() for name in ("src.en", "ref.de")]
    sources, targets = ([escape(line) for line in lines] for lines in pairs)

    def part(tag: str, lines: Sequence[str]) -> str:
        segments = "".join(f'<seg id="{i}">{line}</seg>' for i, line in enumerate(lines, 1))
        return f"<{tag}>{segments}</{tag.split()[0]}>"

    references = "".join(part(f'ref lang="de" translator="{name}"', targets) for name in ("refA", "refB", "refC"))
    source = part('src lang="en"', sources)
    texts = f'<dataset><doc id="d" origlang="en">{source}{references}</doc></dataset>'
    for name, lp in (("wmt21", "en-de"), ("wmt23", "en-de")):
        place = public_test_set(name).pair(lp).source
        archive = folder / place.file.file_name
        (folder / "text.xml").write_text(texts, encoding="utf-8")
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(folder / "text.xml", place.member)
        unpack(archive, folder / "home" / place.file.folder / place.file.name)
    place = public_test_set("wmt24++").pair("en-de").source
    fields = {"source": "One", "target": "Eins", "document_id": "d", "domain": "news", "is_bad_source": False}
    file = folder / "home" / place.file.folder / place.file.file_name
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(fields) + "\n", encoding="utf-8")


def _annotated(file: Path) -> str:
    """Every word is a noun and the head of the next."""
    segments = []
    for text in file.read_text(encoding="utf-8").splitlines():
        words = (Word(word, word, "NOUN", None, i, "dep") for i, word in enumerate(text.split()))
        segments.append([AnnotatedSentence(text, tuple(words))])
    return conllu_text(segments, "test 1")


def _function(page: str, name: str) -> str:
    """The block of a page that defines a function."""
    text = (Path(__file__).parents[1] / page).read_text(encoding="utf-8")
    (block,) = re.findall(rf"^```python\n(def {name}\(.*?)^```$", text, re.M | re.S)
    return block


def _campaign(folder: Path) -> None:
    """Six systems, of which five were judged."""
    outputs = {
        "Lan-Bridge": ("one", "two", "three", "four"),
        "Online-A": ("one", "two", "three", "five"),
        "Online-B": ("one", "2", "three", "four"),
        "Online-G": ("one", "2", "3", "four"),
        "Online-W": ("1", "2", "3", "4"),
    }
    people = {"Lan-Bridge": (0, 0, 0, -1), "Online-A": (0, -1, 0, -5), "Online-B": (-1, -5, 0, 0)}
    people |= {"Online-G": (-1, -5, -5, 0), "Online-W": (-5, -25, -5, -5)}
    comet = {name: [len(set(text) & set("onetwhrfu")) - k for text in outputs[name]] for k, name in enumerate(outputs)}
    files = {
        "references/zh-en.refA.txt": "one\ntwo\nthree\nfour\n",
        "documents/zh-en.docs": "news\tfirst\nnews\tfirst\nsocial\tsecond\nsocial\tsecond\n",
        "human-scores/zh-en.mqm.seg.score": _scores(people),
        "metric-scores/zh-en/COMET-22-refA.seg.score": _scores(comet),
        **{
            f"system-outputs/zh-en/{name}.txt": "".join(f"{line}\n" for line in lines)
            for name, lines in {**outputs, "bleu_bestmbr": "abcd"}.items()
        },
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def _scores(table: Mapping[str, Sequence[int]]) -> str:
    return "".join(f"{name} {value}\n" for name, values in table.items() for value in values)


def commands(page: str) -> list[list[str]]:
    """The command lines of a page, without comments, in order, patterns of files not yet expanded.

    Papers need the test sets that they used: tests/reproduction runs them. Taggers need packages: tests/annotators.
    """
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.M | re.S)
    shell = [text.replace("\\\n", " ") for language, text in blocks if language in ("", "sh", "bash")]
    lines = [line for text in shell for line in text.splitlines()]
    starts = ("assay ", "python -m assay.compat.sacrebleu ")
    return [
        shlex.split(line, comments=True)
        for line in lines
        if line.startswith(starts) and not line.startswith(("assay reproduce ", "assay annotate "))
    ]

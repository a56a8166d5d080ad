"""The same command line through sacreBLEU 2.6.0 and through Assay: standard output is the same, byte for byte."""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import assay.compat.sacrebleu.command as command_module
from scripts.oddtext import SEED
from tests.compat.sacrebleu.oracle import corpus, ours, theirs
from tests.tokenizer_model import train

pytestmark = pytest.mark.slow  # sacreBLEU runs beside Assay every time

NO_LINES = re.compile(r"[\n\x00]")  # an end of line, and what our reader refuses
NO_FIELDS = re.compile(r"[\t\r]")  # cannot be told from separators in one stream


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two references and three systems in files of many kinds."""
    place = tmp_path_factory.mktemp("texts")
    outputs, references = corpus("command", 60)
    third = [a if i % 3 else b for i, (a, b) in enumerate(zip(outputs, references[1], strict=True))]
    columns = {
        "refA.txt": references[0],
        "refB.txt": references[1],
        "base.txt": outputs,
        "new_1&2.txt": [a if i % 2 else b for i, (a, b) in enumerate(zip(outputs, references[0], strict=True))],
        "a^{third}~system%.txt": third,
        "nothing.txt": ["zzz"] * 60,
        "perfect.txt": references[0],
    }
    columns = {name: [NO_LINES.sub(" ", text) for text in column] for name, column in columns.items()}
    for name, column in columns.items():
        write(place / name, column)
    one_stream = {name: [NO_FIELDS.sub(" ", text) for text in column] for name, column in columns.items()}
    write(place / "piped.txt", one_stream["base.txt"])
    write(place / "two-refs.tsv", rows(one_stream["refA.txt"], one_stream["refB.txt"]))
    write(place / "two-systems.tsv", rows(one_stream["base.txt"], one_stream["perfect.txt"]))
    write(place / "three-systems.tsv", rows(*(one_stream[n] for n in ("base.txt", "nothing.txt", "perfect.txt"))))
    (place / "base.txt.gz").write_bytes(gzip.compress((place / "base.txt").read_bytes()))
    (place / "crlf.txt").write_bytes((place / "piped.txt").read_bytes().replace(b"\n", b"\r\n"))
    (place / "unended.txt").write_bytes((place / "base.txt").read_bytes().removesuffix(b"\n") + b" The end")
    write(place / "plain.txt", ["The cat sat on the mat.", "Good morning!"] * 30)
    write(place / "ref.latin1", ["Die Straße ist naß.", "Über Nacht"] * 5, "latin-1")
    write(place / "out.latin1", ["Die Straße ist nass.", "über  Nacht "] * 5, "latin-1")
    write(place / "ref.zh", ["我们 今天去北京。", "他說：“好”"] * 5)
    write(place / "out.zh", ["我们今天去上海。", "她說：“很好”"] * 5)
    write(place / "ref.utf16", ["日本語", "über"] * 5, "utf-16")
    (place / "ref.utf16.gz").write_bytes(gzip.compress((place / "ref.utf16").read_bytes()))
    return place


def write(path, lines, encoding="utf-8"):
    path.write_bytes("".join(f"{line}\n" for line in lines).encode(encoding))


def rows(*columns):
    """Fields that are never empty, so that a line keeps its tabs."""
    return ["\t".join(text.strip() or "x" for text in row) for row in zip(*columns, strict=True)]


SYSTEMS = "base.txt 'new_1&2.txt' 'a^{third}~system%.txt'"
COMMAND_LINES = [
    # one system in every format
    "refA.txt -i base.txt",
    "refA.txt -i base.txt -f text",
    "refA.txt -i base.txt -f latex",
    "refA.txt refB.txt -i base.txt -m bleu chrf",
    "refA.txt refB.txt -i base.txt -m bleu chrf -f text",
    "refA.txt refB.txt -i base.txt -m chrf bleu -f latex",
    "refA.txt -i base.txt -m bleu bleu -f text",
    "refA.txt -i nothing.txt -m bleu chrf -f text",
    "refA.txt -i perfect.txt -m bleu chrf -f text -w 6",
    # how numbers and signatures are written
    "refA.txt -i base.txt -b",
    "refA.txt -i base.txt -b -f text",
    "refA.txt -i base.txt -b -m bleu chrf",
    "refA.txt -i base.txt -b -m bleu chrf -f text -w 4",
    "refA.txt -i base.txt -w 0 -f text",
    "refA.txt -i base.txt -w 8",
    "refA.txt -i base.txt -sh -f text -m bleu chrf",
    "refA.txt -i base.txt -sh -m bleu chrf",
    "SACREBLEU_FORMAT=text refA.txt -i base.txt",
    "SACREBLEU_FORMAT=TEXT refA.txt -i base.txt -f json",
    "SACREBLEU_FORMAT=yaml refA.txt -i base.txt",
    "refA.txt -i base.txt -q -nc --force",
    # BLEU's options
    "refA.txt -i base.txt -lc -f text",
    "refA.txt -i base.txt -tok intl -f text",
    "refA.txt -i base.txt --tokenize char -f text",
    "refA.txt -i base.txt -tok none -s none -f text",
    "refA.txt -i base.txt -tok zh -s floor",
    "refA.txt -i nothing.txt -s floor -sv 0.5 -f text",
    "refA.txt refB.txt -i base.txt -s add-k -f text",
    "refA.txt -i base.txt -s add-k -sv 2.5",
    "refA.txt -i base.txt -s exp -sv 2.5 -f text",
    "ref.zh -i out.zh -l en-zh",
    "ref.zh -i out.zh -l en-de -f text",
    "ref.zh -i out.zh -l en-zh -tok char -f text",
    "ref.zh -i out.zh -l zh-ja -f text",
    # chrF's options
    "refA.txt -i base.txt -m chrf --chrf-word-order 2 -f text",
    "refA.txt -i base.txt -m chrf -cw 1 -cc 3 --chrf-beta 3",
    "refA.txt refB.txt -i base.txt -m chrf --chrf-whitespace --chrf-lowercase -f text",
    "refA.txt -i base.txt -m chrf --chrf-eps-smoothing -sh -f text",
    "refA.txt -i base.txt -m ter",
    "refA.txt refB.txt -i base.txt -m ter bleu chrf -f text",
    "refA.txt -i base.txt -m ter --ter-normalized --ter-asian-support -w 4",
    "refA.txt -i base.txt -m ter --ter-no-punct --ter-case-sensitive -sh -f text",
    "refA.txt -i base.txt -m ter -b -w 3",
    "refA.txt -i perfect.txt -m ter -f text",
    "refA.txt -i base.txt -sl -m ter -sh",
    f"refA.txt refB.txt -i {SYSTEMS} -m ter bleu -f text",
    "refA.txt -i base.txt --confidence -cin 100 -f text -m ter",
    # intervals
    "refA.txt -i base.txt --confidence -cin 100 -f text -m bleu chrf",
    "refA.txt refB.txt -i base.txt -ci --confidence-n 50",
    "refA.txt -i base.txt -ci -cin 50 -b -m bleu chrf -f text",
    "SACREBLEU_SEED=7 refA.txt -i base.txt -ci -cin 50 -f text -sh",
    "refA.txt -i base.txt -ci -cin 1 -f text",
    "refA.txt -i base.txt -cin 50 -f text",
    "refA.txt -i nothing.txt -ci -cin 50 -f text",
    # segments
    "refA.txt -i base.txt -sl",
    "refA.txt refB.txt -i base.txt -sl -b -w 3",
    "refA.txt -i base.txt -sl -m chrf -sh",
    "refA.txt -i base.txt -sl -m chrf --chrf-word-order 2 -f json",
    "refA.txt refB.txt -i base.txt -sl -s add-k -tok intl -lc",
    "refA.txt -sl < piped.txt",
    # several systems
    f"refA.txt -i {SYSTEMS}",
    f"refA.txt refB.txt -i {SYSTEMS} -m bleu chrf",
    f"refA.txt refB.txt -i {SYSTEMS} -m bleu chrf -f text",
    f"refA.txt -i {SYSTEMS} -m bleu chrf -f latex",
    f"refA.txt -i {SYSTEMS} -m chrf --chrf-word-order 2 -f text -sh -w 3",
    "refA.txt -i base.txt perfect.txt -f latex -b",
    "refA.txt -i base.txt perfect.txt -f text -w 0",
    "refA.txt -i base.txt perfect.txt -f latex -w 12",
    # paired tests
    f"refA.txt -i {SYSTEMS} --paired-bs -pbsn 60",
    f"refA.txt refB.txt -i {SYSTEMS} --paired-bs --paired-bs-n 60 -f text -m bleu chrf",
    f"refA.txt -i {SYSTEMS} -pbs -pbsn 60 -f latex -m chrf bleu -w 3",
    f"refA.txt -i {SYSTEMS} -pbs -pbsn 60 -f text -m ter -sh -j 2",
    f"refA.txt refB.txt -i {SYSTEMS} --paired-ar --paired-ar-n 90 -m ter chrf bleu",
    f"refA.txt -i {SYSTEMS} -par -parn 90 -m ter chrf bleu -f text -sh",
    f"refA.txt -i {SYSTEMS} -par -parn 90 -f latex --paired-jobs 0",
    "refA.txt -i base.txt base.txt perfect.txt nothing.txt base.txt -par -parn 90 -f text -w 8",
    "refA.txt -i base.txt nothing.txt perfect.txt -pbs -pbsn 90 -f text -m bleu chrf ter -w 8",
    "refA.txt -i base.txt nothing.txt perfect.txt -pbs -pbsn 90 -w 8 -s add-k -sv 1.7 -tok intl",
    "refA.txt -i perfect.txt base.txt -par -parn 90 -s add-k -sv 1.7 -f text -b",
    "SACREBLEU_SEED=7 refA.txt -i base.txt perfect.txt -pbs -pbsn 90 -f text",
    "SACREBLEU_SEED=007 refA.txt -i base.txt perfect.txt -par -parn 90 -f text",
    "SACREBLEU_SEED=007 refA.txt -i base.txt -ci -cin 90 -f text -w 9",
    "refA.txt -pbs -pbsn 60 -f text < three-systems.tsv",
    "refA.txt -par -parn 60 -f text -m bleu chrf < three-systems.tsv",
    "refA.txt -par -parn 60 < two-systems.tsv",
    "refA.txt -i base.txt -ci -cin 90 -m bleu chrf ter -w 12 -f text",
    "refA.txt -i perfect.txt -w 15 -f text",
    # standard input
    "refA.txt < piped.txt",
    "refA.txt refB.txt -m bleu chrf -f text < piped.txt",
    "refA.txt -m bleu chrf -f text < two-systems.tsv",
    "refA.txt -m bleu chrf < three-systems.tsv",
    "refA.txt -f latex < three-systems.tsv",
    "refA.txt -m chrf --chrf-whitespace < two-systems.tsv",
    "refA.txt -ci -cin 20 -f text < crlf.txt",
    # files
    "two-refs.tsv -nr 2 -i base.txt -m bleu chrf -f text",
    "two-refs.tsv --num-refs 2 -f text -m chrf --chrf-whitespace < two-systems.tsv",
    "refA.txt refA.txt -i base.txt -f text",
    "refA.txt -i base.txt.gz",
    "refA.txt -i crlf.txt unended.txt -f text",
    "ref.latin1 -i out.latin1 -e latin-1 -f text",
    "ref.latin1 -e ISO-8859-1 -m chrf --chrf-whitespace < out.latin1",
    "ref.utf16 -e utf-16 -i ref.utf16.gz -f text",
    "refA.txt -e UTF8 -i base.txt",
    # as argparse abbreviates
    "refA.txt --inp base.txt --form text --metr chrf --chrf-word 2",
]


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_the_same_bytes(folder, monkeypatch, line):
    monkeypatch.chdir(folder)
    code, expected = theirs(line)
    assert (code, ours(line)[:2]) == (0, (0, expected))
    assert expected


def test_the_same_bytes_for_random_options(folder, monkeypatch):
    monkeypatch.chdir(folder)
    rng = random.Random(f"{SEED}/command lines")
    choices = [
        ["refA.txt", "refA.txt refB.txt", "two-refs.tsv -nr 2"],
        ["-i base.txt", "-i unended.txt nothing.txt", f"-i {SYSTEMS}"],
        ["", "-m bleu", "-m chrf", "-m bleu chrf", "-m chrf bleu"],
        ["", "-f json", "-f text", "-f latex"],
        ["", "-tok intl", "-tok none", "-tok zh", "-tok char"],
        ["", "-s floor", "-s add-k -sv 0.3", "-s none", "-s floor -sv 0.2"],
        ["", "-lc", "--chrf-lowercase", "-lc --chrf-lowercase"],
        ["", "-cw 2", "-cc 4 -cw 1", "--chrf-eps-smoothing --chrf-beta 1", "--chrf-whitespace"],
        ["", "-w 2", "-w 5", "-b", "-sh", "-b -w 3"],
    ]
    for _ in range(40):
        line = " ".join(filter(None, map(rng.choice, choices)))
        assert ours(line)[:2] == theirs(line), line


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("-i base.txt -f text -- refA.txt", "refA.txt -i base.txt -f text"),
        ("-m bleu refA.txt -i base.txt", "refA.txt -i base.txt"),
        ("-i base.txt -m bleu chrf refA.txt refB.txt -f text", "refA.txt refB.txt -i base.txt -m bleu chrf -f text"),
        ("-lc refA.txt -i base.txt -b refB.txt", "refA.txt refB.txt -i base.txt -lc -b"),
        ("-f text refA.txt < piped.txt", "refA.txt -f text < piped.txt"),
    ],
)
def test_references_may_stand_anywhere(folder, monkeypatch, line, same):
    monkeypatch.chdir(folder)
    assert ours(line)[:2] == theirs(same)


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_json_of_numbers_in_single_precision(folder, monkeypatch, metric):
    """sacreBLEU cannot write them; they are the numbers of its table."""
    monkeypatch.chdir(folder)
    line = f"refA.txt -i base.txt perfect.txt -pbs -pbsn 50 -m {metric} -w 4"
    with pytest.raises(TypeError, match="float32 is not JSON serializable"):
        theirs(line)
    baseline, perfect = json.loads(ours(line)[1])
    assert (baseline["system"], perfect["system"]) == ("Baseline: base.txt", "perfect.txt")
    table = theirs(f"{line} -f text")[1].decode()
    for _, result in (list(system.values()) for system in (baseline, perfect)):
        assert f"{result['score']:.4f} ({result['mean']:.4f} ± {result['ci']:.4f})" in table


def test_a_score_is_never_lost_beside_one_without_an_interval(folder, monkeypatch):
    """sacreBLEU prints BLEU's score twice here and chrF's not at all.

    "abcd" for "ab": precisions 2/4 and 1/3, recalls 1 and 1, so P = 5/12, R = 1 and F2 = 5P / (4P + 1) = 0.78125.
    """
    monkeypatch.chdir(folder)
    write(folder / "a.txt", ["a b"] * 5)
    write(folder / "b.txt", ["abc d"] * 5)
    line = "a.txt -i b.txt -m bleu chrf -ci -cin 20 -b -f text"
    assert ours(line)[:2] == (0, "0.0\n78.1 (μ = 78.1 ± 0.0)\n".encode())
    assert b"78.1" not in theirs(line)[1]


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("refA.txt -i absent.txt", 3, "error: absent.txt: no such file or directory\n"),
        ("refA.txt -i ref.zh", 3, "error: ref.zh has 10 segments, refA.txt has 60\nhint: all files need"),
        ("refA.txt -i base.txt base.txt", 3, "error: two systems are called 'base.txt'\nhint: "),
        ("refA.txt -i base.txt perfect.txt -sl", 2, "error: --sentence-level accepts one system, not 2\n"),
        ("refA.txt -i base.txt perfect.txt -ci", 2, "error: --confidence accepts one system, not 2\nhint: "),
        ("refA.txt -i base.txt -m chrf --chrf-beta 0", 2, "error: beta must be positive"),
        ("refA.txt -i base.txt -s floor -sv -1", 2, "error: smooth_value must be non-negative"),
        ("SACREBLEU_SEED=x plain.txt -i plain.txt -ci", 2, "error: SACREBLEU_SEED is 'x'\nhint: "),
        (
            "refA.txt -i base.txt --paired-bs",
            2,
            "error: --paired-bs needs two or more systems\nhint: give the baseline",
        ),
        ("refA.txt -i base.txt base.txt --paired-ar", 2, "error: --paired-ar needs two or more systems\nhint: "),
        ("refA.txt -i base.txt perfect.txt perfect.txt --paired-ar", 3, "error: two systems are called 'perfect.txt'"),
        ("refA.txt -i base.txt perfect.txt -par -sl", 2, "error: --sentence-level cannot be combined with --paired-ar"),
        ("refA.txt -i base.txt perfect.txt -par -ci", 2, "error: --confidence accepts one system, not 2\nhint: "),
        (
            "refA.txt -i base.txt perfect.txt -par -pbs",
            2,
            "error: argument --paired-bs/-pbs: not allowed with argument",
        ),
        ("refA.txt -i base.txt perfect.txt -par -parn 0", 2, "error: --paired-ar-n must be 1 or more, not 0\n"),
        ("refA.txt -i base.txt perfect.txt -pbs -pbsn -1", 2, "error: --paired-bs-n must be 1 or more, not -1\n"),
        ("refA.txt -i base.txt perfect.txt -pbs -j -1", 2, "error: --paired-jobs must be 0 or more, not -1\n"),
        ("SACREBLEU_SEED=-1 plain.txt -i plain.txt nothing.txt -par", 2, "error: SACREBLEU_SEED is '-1'\nhint: "),
    ],
)
def test_errors(folder, monkeypatch, line, code, message):
    monkeypatch.chdir(folder)
    found, out, err = ours(line)
    assert (found, out) == (code, b"")
    assert err.startswith(message)
    assert err.count("\n") <= 2


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("plain.txt -i plain.txt", ""),
        ("SACREBLEU_FORMAT=yaml plain.txt -i plain.txt", "note: SACREBLEU_FORMAT=yaml (supported: json, text, latex)"),
        ("SACREBLEU_FORMAT=yaml plain.txt -i plain.txt -q", ""),
        ("plain.txt -i plain.txt -sv 3", "note: --smooth-value without --smooth-method floor or add-k has no"),
        ("plain.txt -i plain.txt -cin 50", "note: --confidence-n without --confidence has no effect"),
        ("plain.txt -i plain.txt -ci -cin 1", "note: --confidence-n below 2 has no effect"),
        ("plain.txt -i plain.txt -f latex", "note: --format latex with one system"),
        ("plain.txt -i plain.txt nothing.txt -b", "note: --score-only with several systems"),
        ("tokenised.txt -i tokenised.txt", "note: tokenised.txt: 120 lines end in ' .'. Is the text tokenised?"),
        (
            "plain.txt -i plain.txt nothing.txt -pbs -pbsn 9",
            "note: the p-values of sacreBLEU's paired bootstrap are too small",
        ),
        ("plain.txt -i plain.txt nothing.txt -pbs -pbsn 9 -q", ""),
        ("plain.txt -i plain.txt nothing.txt -par -parn 9", ""),
        ("plain.txt -i plain.txt copy.txt -par -parn 9", "note: copy.txt: the same output as plain.txt, but"),
        ("plain.txt -i plain.txt nothing.txt -par -parn 9 -pbsn 7", "note: --paired-bs-n without --paired-bs has no"),
        ("plain.txt -i plain.txt -parn 7", "note: --paired-ar-n without --paired-ar has no effect"),
        ("plain.txt -i plain.txt -j 2", "note: --paired-jobs without a paired test has no effect"),
        ("tokenised.txt -i tokenised.txt --force", ""),
        ("tokenised.txt -i tokenised.txt -m chrf", ""),
    ],
)
def test_notes(folder, monkeypatch, line, note):
    monkeypatch.chdir(folder)
    write(folder / "copy.txt", (folder / "plain.txt").read_text(encoding="utf-8").split("\n")[:-1])
    write(folder / "tokenised.txt", ["a b c d ."] * 120)
    code, _, err = ours(line)
    assert code == 0
    assert err.startswith(note)
    assert bool(err) == bool(note)


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [(KeyboardInterrupt(), 130, "interrupted\n"), (RuntimeError("boom"), 1, "unexpected error: RuntimeError: boom\n")],
)
def test_how_errors_end(monkeypatch, raised, code, message):
    def fail(_arguments):
        raise raised

    monkeypatch.setattr(command_module, "parse", fail)
    found, _, err = ours("ref.txt")
    assert (found, err.partition("hint")[0]) == (code, message)
    with pytest.raises(type(raised)):
        command_module.run(["--debug"])


def test_the_programs_themselves(folder):
    """In processes of their own, where sacreBLEU colours what goes to a terminal and streams have any encoding."""
    for arguments in (
        ["refA.txt", "-i", "base.txt", "perfect.txt", "-m", "bleu", "chrf", "-f", "text"],
        ["refA.txt", "-i", "base.txt", "-ci", "-cin", "20", "-f", "text"],
    ):
        outputs = [
            subprocess.run(
                [sys.executable, "-m", module, *arguments],
                cwd=folder,
                check=True,
                capture_output=True,
                env={"PATH": "", "LC_ALL": "C", "PYTHONIOENCODING": "latin-1"},
            ).stdout
            for module in ("sacrebleu", "assay.compat.sacrebleu")
        ]
        assert outputs[0] == outputs[1]


def test_a_closed_pipe_is_no_error(folder):
    command = f"'{sys.executable}' -m assay.compat.sacrebleu refA.txt -i base.txt -sl -q | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated")  # in sacreBLEU
def test_sentencepiece_with_the_model_at_hand(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)
    for module in ("assay.compat.sacrebleu", "sacrebleu"):
        monkeypatch.setattr(f"{module}.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(tmp_path))
    line = "refA.txt -i base.txt -tok flores200"
    code, out, err = ours(line)
    assert (code, out) == (4, b"")
    assert err.startswith("error: there is no SentencePiece model for flores200 at ")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "flores200sacrebleuspm").write_bytes(Path(train(tmp_path)).read_bytes())
    assert ours(line)[:2] == theirs(line)

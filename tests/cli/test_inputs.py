from __future__ import annotations

import shlex
import subprocess
import sys

import click
import pytest

from assay.cli.inputs import files_by_name, input_options
from assay.errors import ConfigError


def test_names_of_files():
    assert files_by_name("system", ("a/b.de", "c.txt.gz", "x=d.de", "-", "e,f.de")) == {
        "b": "a/b.de",
        "c": "c.txt.gz",
        "x": "d.de",
        "stdin": "-",
        "e,f": "e,f.de",
    }
    assert files_by_name("system", ("a/b.de", "c/b.fr", "b=d")) == {"b.de": "a/b.de", "b.fr": "c/b.fr", "b": "d"}
    assert files_by_name("system", ("m.hyp", "n.hyp"), beside=("m.ref", "n.hyp")) == {"m.hyp": "m.hyp", "n": "n.hyp"}
    with pytest.raises(ConfigError, match=r"two systems are called 'b': a/b.de and c/b.de"):
        files_by_name("system", ("a/b.de", "c/b.de"))
    for item in ("=a.de", " =a.de"):
        with pytest.raises(ConfigError, match="a system has no name"):
            files_by_name("system", (item,))


def test_options_keep_their_order():
    command = click.command()(input_options(lambda **_: None))
    assert [parameter.name for parameter in command.params] == [
        *("outputs", "references", "named_outputs", "sources", "documents", "domains", "lp", "data", "test_set"),
        *("input_format", "columns", "strict", "annotations", "systems", "exclude", "keep_references"),
    ]


def test_pipes_of_the_shell(tmp_path):
    (tmp_path / "ref.txt").write_text("a b c d e\n", encoding="utf-8")
    (tmp_path / "Claude-3.5").write_text("a b c d e f\n", encoding="utf-8")
    (tmp_path / "data.tsv").write_text(
        "system\tsegment\toutput\tref\nx\t1\ta b c e\ta b c d\ny\t1\ta b d\ta b c d\n", encoding="utf-8"
    )
    assay = f"{shlex.quote(sys.executable)} -m assay"
    for command, expected in (
        (f"{assay} score --ref <(cat ref.txt) Claude-3.5 --scores m=<(echo 0.5) --resamples 0", "Claude-3.5"),
        (f"{assay} score --ref ref.txt <(cat Claude-3.5) --resamples 0 --format json", '"pipe"'),
        (f"cat data.tsv | {assay} score --data - --resamples 0", "x"),
        (f"{assay} score --data <(cat data.tsv) --resamples 0", "x"),
        (f"{assay} data check <(cat data.tsv)", "checked: "),
        (f"{assay} data list <(cat data.tsv) --format json", '"segments": 1'),
        (f"cat data.tsv | {assay} data list /dev/stdin --format json", '"segments": 1'),
    ):
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, expected in done.stdout) == (0, True), done.stderr


def test_a_reference_file_beside_data_is_no_name_of_a_reference(tmp_path):
    (tmp_path / "data.csv").write_text("source,A,B\none house,ein Haus,Haus\n", encoding="utf-8")
    (tmp_path / "ref.de").write_text("ein Haus\n", encoding="utf-8")
    command = [sys.executable, "-m", "assay", "score", "--data", "data.csv", "--ref", "ref.de", "-m", "chrf"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "error: --ref ref.de: with --data, the name of a reference in the test set, not a file" in done.stderr
    assert "in a table as a column 'reference'" in done.stderr

"""sacreBLEU's own tests, from its source distribution on PyPI, run on Assay: only the import lines change.

The distribution is downloaded once, into an ignored folder. Where that is not possible, the tests are skipped.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

import assay

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
CACHE = ROOT / ".cache"
NAME = "sacrebleu-2.6.0"
SHA256 = "91499b6cd46138d95154fff1e863c2f9be57e82f0c719d8dd718d0006cf6c566"
PASSING = {
    "test_bleu": 27,
    "test_chrf": 25,
    "test_sentence_bleu": 30,
    "test_ter": 7,
    "test_tokenizer_ter": 11,
    "test_significance": 30,
}
ALIAS = 'import sys\nimport assay.compat.sacrebleu\nsys.modules["sacrebleu"] = assay.compat.sacrebleu\n'


def source_distribution():
    """The path of the distribution, checked by its digest; skips the test if it cannot be had."""
    path = CACHE / f"{NAME}.tar.gz"
    if not path.exists():
        download = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:", "--dest", CACHE]
        done = subprocess.run([*download, NAME.replace("-", "==")], capture_output=True, text=True, check=False)
        if not path.exists():
            reason = done.stderr.strip().rpartition("\n")[2] or "pip failed"
            pytest.skip(f"sacreBLEU's source distribution cannot be downloaded from PyPI: {reason}")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == SHA256
    return path


@pytest.fixture
def tests(tmp_path):
    """The folder of the distribution, without the package itself."""
    with tarfile.open(source_distribution()) as archive:
        members = [member for member in archive if member.name.startswith(f"{NAME}/test/")]
        archive.extractall(tmp_path, members, filter="data")
    return tmp_path / NAME


def passed(folder, modules):
    """How many tests of each module pass; a test that fails fails this one."""
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "none.ini", f"--junitxml={report}"]
    (folder / "none.ini").write_text("[pytest]\n")
    done = subprocess.run(
        [*command, *(f"test/{module}.py" for module in modules)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(Path(assay.__file__).parents[1])},
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    cases = ElementTree.parse(report).getroot().iter("testcase")  # noqa: S314 - written by pytest above
    names = [case.get("classname").rpartition(".")[2] for case in cases if len(case) == 0]
    return {module: names.count(module) for module in modules}


def test_with_other_import_lines(tests):
    for path in tests.glob("test/*.py"):
        text = re.sub(r"^import sacrebleu$", "from assay.compat import sacrebleu", path.read_text(), flags=re.M)
        path.write_text(re.sub(r"^from sacrebleu\b", "from assay.compat.sacrebleu", text, flags=re.M))
    assert passed(tests, PASSING) == PASSING


def test_with_an_alias(tests):
    """No line of the tests is changed."""
    (tests / "conftest.py").write_text(ALIAS)
    fast = {module: count for module, count in PASSING.items() if module != "test_significance"}
    assert passed(tests, fast) == fast

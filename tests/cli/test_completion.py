from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli.group import _run

ASSAY = str(Path(sys.executable).with_name("assay"))


def complete(*words):
    """What bash is offered after these words."""
    environment = {"_ASSAY_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    done = subprocess.run([ASSAY], env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return [line.partition(",")[2] for line in done.stdout.splitlines()], done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script(shell, capsys):
    assert _run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "_ASSAY_COMPLETE" in script
    if shutil.which(shell) is not None:
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_another_shell_is_refused(capsys):
    assert _run(["completion", "tcsh"]) == 2
    assert "'tcsh' is not one of" in capsys.readouterr().err


@pytest.mark.slow
def test_commands_options_metrics_and_values():
    assert complete("assay", "sc")[0] == ["score"]
    assert "--resamples" in complete("assay", "score", "--re")[0]
    assert complete("assay", "score", "-m", "chr")[0] == ["chrf", "chrf++"]
    assert complete("assay", "score", "-m", "bleu,chr")[0] == ["bleu,chrf", "bleu,chrf++"]
    assert complete("assay", "score", "--format", "js")[0] == ["json", "jsonl"]
    assert complete("assay", "score", "--ref", "x")[1] == "file,x\n"
    assert complete("assay", "rob")[0] == ["robustness"]
    assert complete("assay", "robustness", "--kind", "w")[0] == ["windows", "without-one"]
    assert complete("assay", "robustness", "x")[1] == "file,x\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_itself_completes():
    code = f"""
        PATH="{Path(ASSAY).parent}:$PATH"; eval "$(assay completion bash)"
        COMP_WORDS=(assay sco); COMP_CWORD=1; _assay_completion assay; echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["score"]

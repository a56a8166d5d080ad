"""`assay align` against mwerSegmenter's own program, as mweralign packages it: the same number of edits."""

from __future__ import annotations

import string

import pytest

import assay
from assay import sample
from assay.metrics import metric
from assay.types.runtime import Runtime

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
"""The program ignores the case of these letters alone."""


def edits(lines, reference):
    testset = assay.load(outputs={"x": list(lines)}, references={"ref": list(reference)})
    made = metric.create("wer").prepare(testset)
    return made.statistics(testset, Runtime(threads=1))[0].sum(axis=0).tolist()[made.columns.index("edits")]


@pytest.mark.filterwarnings("ignore")  # of the texts, and of what the program imports
def test_as_few_edits_and_other_cuts_only_where_they_are_doubtful(tmp_path):
    mweralign = pytest.importorskip("mweralign", reason="mweralign is not installed")
    german, _ = sample.write(tmp_path)
    reference = (german / "refA.de").read_text(encoding="utf-8").translate(_LOWER).splitlines()
    for path in sorted((german / "systems").glob("*.de")):
        text = " ".join(path.read_text(encoding="utf-8").translate(_LOWER).split())
        theirs = mweralign.align_texts("\n".join(reference), text).removesuffix("\n").split("\n")
        ours = assay.align(outputs={"x": [text]}, reference=reference, verbatim=True).outputs[0]
        assert " ".join(" ".join(theirs).split()) == text
        assert sum(each.edits for each in ours.segments) == edits(theirs, reference), path.stem
        assert edits(ours.lines, reference) == edits(theirs, reference), path.stem
        differing = [n for n, pair in enumerate(zip(ours.lines, theirs, strict=True)) if pair[0] != pair[1].strip()]
        doubtful = [n for n in differing if ours.segments[n].doubtful]
        assert len(doubtful) >= 0.95 * len(differing), path.stem

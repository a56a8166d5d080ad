from __future__ import annotations

import pytest

from assay import _core
from assay.text import make_tokenizer


@pytest.mark.parametrize(
    ("line", "tokens"),
    [(" a,b  c. ", ["a,b", "c."]), ("a\tb\u00a0c", ["a\tb\u00a0c"]), ("a \t", ["a", "\t"]), ("", [])],
)
def test_only_the_space_separates(line, tokens):
    change, core = make_tokenizer("space").reader(lowercase=False)
    assert change is None
    assert _core.tokenize(line, core) == tokens


def test_lowercase():
    change, _ = make_tokenizer("space").reader(lowercase=True)
    assert change("Ä\t") == "ä\t"

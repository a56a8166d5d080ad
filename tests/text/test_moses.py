from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from assay import _core, load, score
from assay.errors import ConfigError, MissingExtraError
from assay.text import make_tokenizer, moses

GOLDEN = Path(__file__).parents[1] / "golden" / "moses_tokenizer.json"


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


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", json.loads(GOLDEN.read_text(encoding="utf-8"))["results"], ids=lambda case: case["lang"]
)
def test_tokenizer_perl(case):
    """tokenizer.perl -no-escape; its entities are other spellings of the same tokens."""
    spellings = {"&amp;": "&", "&#124;": "|", "&lt;": "<", "&gt;": ">", "&apos;": "'", "&quot;": '"', "&#91;": "["}
    plain, aggressive = (make_tokenizer(f"moses-{case['lang']}{end}") for end in ("", "-aggressive"))
    assert [plain.cut(line) for line in case["input"]] == case["no_escape"]
    for line, expected in zip(case["input"], case["aggressive_escaped"], strict=True):
        for entity, character in ({**spellings, "&#93;": "]"}).items():
            expected = expected.replace(entity, character)
        assert aggressive.cut(line) == expected


def test_lower_case_comes_last():
    change, core = make_tokenizer("moses-en").reader(lowercase=True)
    assert (change("Mr. Smith slept."), core) == ("mr. smith slept .", "space")


def test_scorers_of_moses_may_tokenise():
    data = load(outputs={"x": ["It's me, Mr. Smith."]}, references={"r": ["It is me, Mr. Smith!"]})
    ready = load(outputs={"x": ["It 's me , Mr. Smith ."]}, references={"r": ["It is me , Mr. Smith !"]})
    for name in ("bleu-moses", "sentbleu", "ter-moses", "wer-moses", "per-moses", "cder-moses"):
        spec = f"{name}:tok=moses-en"
        found, expected = score(data, spec)[spec], score(ready, name)[name]
        assert found.headline["x"] == expected.headline["x"]
        assert "moses.digest:sha256-" in found.signature_text(found.headline, sacrebleu=False)
    with pytest.raises(ConfigError, match="tok=moses-en requires flavour=moses"):
        score(data, "ter:tok=moses-en")


def test_the_language_counts():
    assert make_tokenizer("moses-fr").cut("l'été") == "l' été"
    assert make_tokenizer("moses-en").cut("l'été") == "l 'été"
    assert make_tokenizer("moses-fr").resources != make_tokenizer("moses-en").resources


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacremoses", None)
    moses._moses.cache_clear()
    with pytest.raises(MissingExtraError, match="needs sacremoses"):
        make_tokenizer("moses-en").cut("a")
    moses._moses.cache_clear()

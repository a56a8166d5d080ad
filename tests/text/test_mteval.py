"""mteval's tokenisers by example, and against its substitutions in Python."""

from __future__ import annotations

import random

import pytest
import regex

from assay import _core
from assay.text import make_tokenizer
from scripts.oddtext import SEED, odd_line

SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"  # Perl's \s


def tokens(name, line, *, lowercase=False):
    change, core = make_tokenizer(name).reader(lowercase=lowercase)
    return _core.tokenize(change(line) if change else line, core)


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        ("mteval", "U.S. 3.5% „so“ well-known", "U . S . 3.5 % „so“ well-known"),
        ("mteval", "a&amp;lt;b &apos;", "a < b & apos ;"),
        ("mteval", "word-\n", "word"),
        ("mteval-intl", "„So“ don't 3,5 €", "„ So “ don ' t 3,5 €"),
        ("mteval-intl", "a&apos;b <skipped>c", "a ' b c"),
        ("mteval-intl", "end 3.", "end 3."),
        ("mteval-intl", "end 3. ", "end 3 ."),
        ("mteval-intl", "co\u2010\u2028operate x\u2028y", "cooperate x y"),
        ("mteval-intl-split", "úpěl ódy 5", "ú p ě l ó dy 5"),
    ],
)
def test_examples(name, line, expected):
    assert tokens(name, line) == expected.split()


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        ("mteval", "ÄA &AMP; &amp;", "Äa & amp ; &"),  # A to Z only, and after un-escaping
        ("mteval-intl", "ÄA &AMP; &amp;", "äa & amp ; &"),
        ("mteval-intl", "ΟΔΟΣ", "οδοσ"),  # Perl knows no final sigma
        ("mteval-intl-split", "ÄA", "ä a"),
    ],
)
def test_lowercase(name, line, expected):
    assert tokens(name, line, lowercase=True) == expected.split()


def default_rules(line, lowercase):
    for what, instead in (("<skipped>", ""), ("-\n", ""), ("\n", " "), ("&quot;", '"'), ("&amp;", "&")):
        line = line.replace(what, instead)
    line = " " + line.replace("&lt;", "<").replace("&gt;", ">") + " "
    if lowercase:
        line = regex.sub("[A-Z]", lambda match: match[0].lower(), line)
    line = regex.sub(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 ", line)
    line = regex.sub(r"([^0-9])([\.,])", r"\1 \2 ", line)
    line = regex.sub(r"([\.,])([^0-9])", r" \1 \2", line)
    return regex.sub(r"([0-9])(-)", r"\1 \2 ", line)


def international_rules(line, lowercase, splits):
    line = regex.sub(
        "[-\u00ad\u058a\u1806\u2010\u2011\u2e17\u30fb\ufe63\uff0d\uff65]\u2028", "", line.replace("<skipped>", "")
    )
    for what, instead in (
        ("\u2028", " "),
        ("&quot;", '"'),
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&apos;", "'"),
    ):
        line = line.replace(what, instead)
    if lowercase:
        line = "".join(map(str.lower, line))
    if splits:
        line = regex.sub(r"([^\x00-\x7f])", r" \1 ", line)
    line = regex.sub(r"(\P{N})(\p{P})", r"\1 \2 ", line)
    line = regex.sub(r"(\p{P})(\P{N})", r" \1 \2", line)
    return regex.sub(r"(\p{S})", r" \1 ", line)


@pytest.mark.slow
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", ["mteval", "mteval-intl", "mteval-intl-split"])
def test_rules(name, lowercase):
    rng = random.Random(f"{SEED}/{name}/{lowercase}")
    for _ in range(3000):
        line = odd_line(rng)
        if name == "mteval":
            expected = default_rules(line, lowercase)
        else:
            expected = international_rules(line, lowercase, name.endswith("split"))
        words = [word for word in regex.split(f"[{SPACE}]+", expected) if word]
        assert tokens(name, line, lowercase=lowercase) == words, repr(line)

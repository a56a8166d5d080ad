from __future__ import annotations

import itertools
import random

import pytest

from assay.data import misalignment
from assay.data.misalignment import Misalignment, ReferenceColumn
from assay.sample import generate

CAMPAIGN = generate("de")


@pytest.mark.parametrize("target", ["de", "zh"])
@pytest.mark.parametrize("system", ["alder", "willow"])
def test_shifted_and_shuffled_lines_are_found(target, system):
    campaign = generate(target)
    output, reference = campaign.output(system), ReferenceColumn(campaign.references["refA"])
    size = len(output)
    assert reference.misalignment(output) is None
    assert reference.misalignment((*output[1:], "")).shift == 1
    assert reference.misalignment(("", *output[:-1])).shift == -1
    assert reference.misalignment((*output[3:], *output[:3])).shift == 3
    from_the_middle = reference.misalignment((*output[: size // 2], *output[size // 2 + 1 :], ""))
    assert from_the_middle.shift == 1
    assert abs(from_the_middle.first - size // 2) <= 3
    assert reference.misalignment(output[::-1]) == Misalignment(1, size)
    assert reference.misalignment(["the same in every line"] * size) == Misalignment(1, size)
    assert ReferenceColumn(campaign.sources, min_windows=4).misalignment(output) is None


def test_absent_outputs_are_not_misaligned():
    output, reference = list(CAMPAIGN.output("maple")), ReferenceColumn(CAMPAIGN.references["refA"])
    assert reference.misalignment([None] * 60 + output[60:]) is None
    assert reference.misalignment([text if i % 3 else None for i, text in enumerate(output)]) is None
    assert reference.misalignment([text if i % 3 else None for i, text in enumerate(output[::-1])]) is not None


def test_too_few_or_equal_lines():
    assert ReferenceColumn(["efgh"]).misalignment(["abcd"]) is None
    assert ReferenceColumn(["efgh", "abcd"]).misalignment(["abcd", "efgh"]) is None
    assert ReferenceColumn(["", "", ""] * 20).misalignment([None, None, None] * 20) is None
    assert ReferenceColumn(["Yes."] * 60).misalignment(["Yes."] * 60) is None


def test_lengths_decide_fast():
    reference = ReferenceColumn(CAMPAIGN.references["refA"] * 2)
    output = CAMPAIGN.output("maple") * 2
    assert reference.fits(output)
    assert not reference.fits(output[::-1])
    assert not reference.fits((*output[1:], output[0]))


def test_words_are_compared_only_where_lengths_do_not_fit(monkeypatch):
    """Ten lines that are translated, but ten times as long as they should be."""
    references, output = CAMPAIGN.references["refA"] * 2, CAMPAIGN.output("maple") * 2
    long_lines = [text * (10 if i % 5 == 0 and 100 <= i < 150 else 1) for i, text in enumerate(output)]
    compared, trigrams = [], misalignment._trigrams
    monkeypatch.setattr(misalignment, "_trigrams", lambda lines: compared.append(tuple(lines)) or trigrams(lines))
    assert ReferenceColumn(references).fits(long_lines)
    assert compared == [references[100:150], tuple(long_lines[100:150])]
    assert ReferenceColumn(references).misalignment(long_lines) is None


def test_long_columns_are_compared_in_chunks(monkeypatch):
    monkeypatch.setattr(misalignment, "_CHUNK", 64)
    reference, output = ReferenceColumn(CAMPAIGN.references["refA"]), CAMPAIGN.output("alder")
    assert reference.misalignment(output) is None
    assert reference.misalignment((*output[1:], "")).shift == 1


CHANGES = {
    "shuffled": lambda texts: random.Random(5).sample(texts, len(texts)),
    "shifted back": lambda texts: (*texts[1:], texts[0]),
    "shifted on": lambda texts: (texts[-1], *texts[:-1]),
    "shifted from the middle on": lambda texts: (*texts[: len(texts) // 2], *texts[len(texts) // 2 + 1 :], texts[-1]),
    "a block of 100 lines moved": lambda texts: (*texts[:50], *texts[150:400], *texts[50:150], *texts[400:]),
}
MISALIGNED = {  # in the published data, as the texts show
    ("wmt17", "zh-en"): "reference, lines 954 to 977",
    ("wmt19", "en-gu"): "reference, lines 209 to 233",
    ("wmt22", "ja-en"): "AIST: nonsense",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("campaign", "lp", "reference"),
    [
        ("wmt12", "cs-en", "ref"),
        ("wmt17", "zh-en", "ref"),
        ("wmt19", "en-gu", "ref"),
        ("wmt19", "kk-en", "ref"),
        ("wmt21.news", "en-zh", "refA"),
        ("wmt21.flores", "zu-xh", "refA"),
        ("wmt21.tedtalks", "en-de", "refA"),
        ("wmt22", "en-ja", "refA"),
        ("wmt22", "ja-en", "refA"),
        ("wmt22", "liv-en", "refA"),
    ],
)
def test_real_outputs_that_are_intact_and_changed(wmt_texts, campaign, lp, reference):
    """Each output is changed in one way, and over all systems in every way."""
    references, outputs = wmt_texts(campaign, lp, (reference,))
    column = ReferenceColumn(references[reference])
    changes = itertools.cycle(CHANGES.items())
    for output in outputs.values():
        if output == references[reference]:
            continue
        if (campaign, lp) not in MISALIGNED:
            assert column.fits(output) or column.misalignment(output) is None
        name, change = next(changes)
        changed = change(output)
        assert not column.fits(changed), name
        assert column.misalignment(changed) is not None, name


def test_texts_that_say_nothing_are_not_misaligned():
    """Lines that repeat a few words share these again and again with any line that has them."""
    random_words = random.Random(3)
    words = ["".join(random_words.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(600)]
    reference = [" ".join(random_words.choices(words, k=15)) for _ in range(300)]
    output = list(reference)
    for line in range(100, 110):  # what the model repeats is in the reference, five lines further on
        output[line] = f"{reference[line + 5].split()[3]} " * 100
    column = ReferenceColumn(reference)
    assert column.misalignment(output) is None
    assert column.misalignment([""] * len(reference)) is None
    moved = [*reference[:100], *reference[101:111], "nothing", *reference[111:]]
    assert column.misalignment(moved) == (101, 110, 1)


def test_a_poor_system_in_the_right_order_is_not_misaligned():
    """It knows one word in eight and loses the lengths, but the words are those of its own line."""
    numbers = random.Random(4)
    words = ["".join(numbers.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(3000)]
    reference = [" ".join(numbers.choices(words, k=numbers.randint(4, 40))) for _ in range(400)]

    def poor(text):
        known = [word for word in text.split() if numbers.random() < 0.12]
        return " ".join([*known, *numbers.choices(words, k=numbers.randint(4, 40))])

    output = list(map(poor, reference))
    assert ReferenceColumn(reference).misalignment(output) is None
    numbers.shuffle(output)
    assert ReferenceColumn(reference).misalignment(output) is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("campaign", "lp", "misaligned"),
    [
        ("wmt24", "en-is", {}),  # ONLINE-empty, and TSU-HITs, which is poor
        ("wmt25", "en-mas_KE", {}),  # all systems are very poor, many repeat words on and on
        ("wmt25", "en-is_IS", {"AyaExpanse-8B": (206, 216, -1), "DeepSeek-V3": (199, 204, -1)}),
    ],
)
def test_real_outputs_that_are_poor(wmt_texts, campaign, lp, misaligned):
    references, outputs = wmt_texts(campaign, lp, ("refA",))
    column = ReferenceColumn(references["refA"])
    found = {name: column.misalignment(output) for name, output in outputs.items() if output != references["refA"]}
    assert {name: stretch for name, stretch in found.items() if stretch} == misaligned

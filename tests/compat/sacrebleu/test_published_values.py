"""The numbers that sacreBLEU's own tests expect.

From mjpost/sacrebleu: test/test_bleu.py, test/test_sentence_bleu.py, test/test_chrf.py, test/test_ter.py and
test/test_tokenizer_ter.py.
"""

from __future__ import annotations

import pytest

from assay import _core
from assay.compat.sacrebleu import (
    BLEU,
    TER,
    corpus_bleu,
    corpus_chrf,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
)

DOG = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
DOG_REFERENCES = [
    ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
    ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
]


@pytest.mark.parametrize(
    ("hypotheses", "references", "score"),
    [
        (["this is a test", "another test"], ["ref1", "ref2"], 0.0),
        (["this is a test"], ["this is a test"], 100.0),
        (["this is a fest"], ["this is a test"], 22.3606797749979),
        # fewer words than orders
        (["test"], ["a test"], 36.78794411714425),
        (["a test"], ["a test"], 100.0),
        (["a little test"], ["a test"], 3.218297948685433),
    ],
)
def test_raw_bleu(hypotheses, references, score):
    assert raw_corpus_bleu(hypotheses, [references], 0.01).score == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize(
    ("hypotheses", "options", "score"),
    [
        (DOG, {}, 48.530827),
        (["", "", ""], {}, 0.0),
        (DOG, {"tokenize": "none"}, 49.1919566),
        (DOG, {"tokenize": "13a"}, 48.530827),
        (DOG, {"tokenize": "intl"}, 43.91623493),
        (DOG, {"smooth_method": "none"}, 48.530827),
    ],
)
def test_corpus_bleu(hypotheses, options, score):
    assert corpus_bleu(hypotheses, DOG_REFERENCES, **options).score == pytest.approx(score, abs=1e-8)


@pytest.mark.parametrize(
    ("order", "score"), [(1, "77.65"), (2, "60.50"), (3, "53.93"), (4, "48.53"), (5, "46.14"), (6, "43.28")]
)
def test_orders(order, score):
    assert f"{BLEU(max_ngram_order=order).corpus_score(DOG, DOG_REFERENCES).score:.2f}" == score


@pytest.mark.parametrize(
    ("floor", "score"), [((0.0,), 0.0), ((None,), 15.55722182), ((), 15.55722182)], ids=["0", "None", "default"]
)
def test_smoothing_value(floor, score):
    found = raw_corpus_bleu(["am I am a character sequence"], [["I am a symbol string sequence a a"]], *floor)
    assert (found.counts, found.totals) == ([4, 2, 1, 0], [6, 5, 4, 3])
    assert found.score == pytest.approx(score, abs=1e-6)


def test_statistics():
    assert BLEU.compute_bleu([9, 7, 5, 3], [10, 8, 6, 4], 11, 11).score == pytest.approx(83.75922397, abs=1e-6)


@pytest.mark.parametrize(
    ("matches", "ngrams", "output_length", "reference_length", "floor"),
    [
        ([0, 0, 0, 0], [4, 4, 2, 1], 0, 1, 0.0),
        ([0, 0, 0, 0], [10, 11, 12, 0], 14, 10, 0.0),
        ([0, 0, 0, 0], [0, 0, 0, 0], 0, 0, 0.0),
        ([6, 5, 4, 0], [6, 5, 4, 3], 6, 6, 0.0),
        ([0, 0, 0, 0], [0, 0, 0, 0], 0, 0, 0.1),
        ([0, 0, 0, 0], [0, 0, 0, 0], 1, 5, 0.01),
    ],
)
def test_degenerate_statistics(matches, ngrams, output_length, reference_length, floor):
    score = BLEU.compute_bleu(
        matches, ngrams, output_length, reference_length, smooth_method="floor", smooth_value=floor
    )
    assert score.score == 0.0


ROMANIAN = "Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;"
ROMANIAN_REFERENCE = "producţia de zahăr brut se exprimă în zahăr alb;"


@pytest.mark.parametrize(
    ("smooth", "value", "lowercase", "tokenize", "score"),
    [
        ("exp", None, False, "13a", 8.493),
        ("none", None, False, "13a", 0.0),
        ("floor", None, False, "13a", 4.51688),
        ("floor", 0.1, False, "13a", 4.51688),
        ("floor", 0.5, False, "13a", 10.10),
        ("add-k", None, False, "13a", 14.882),
        ("add-k", 1, False, "13a", 14.882),
        ("add-k", 2, False, "13a", 21.389),
        ("exp", None, False, "none", 7.347),
        ("exp", None, False, "intl", 8.493),
        ("exp", None, False, "char", 40.8759),
        ("exp", None, True, "char", 42.0267),
    ],
)
def test_sentence_bleu(smooth, value, lowercase, tokenize, score):
    options = {"smooth_method": smooth, "smooth_value": value, "lowercase": lowercase, "tokenize": tokenize}
    by_function = sentence_bleu(ROMANIAN, [ROMANIAN_REFERENCE], **options)
    by_object = BLEU(**options, effective_order=True).sentence_score(ROMANIAN, [ROMANIAN_REFERENCE])
    assert (by_function.score, by_object.score) == (pytest.approx(score, abs=1e-3), by_function.score)


@pytest.mark.parametrize(
    ("smooth", "value"),
    [("exp", None), ("none", None), ("floor", None), ("floor", 0.1), ("add-k", None), ("add-k", 1)],
)
def test_sentence_bleu_without_a_match(smooth, value):
    metric = BLEU(smooth_method=smooth, smooth_value=value, effective_order=True)
    assert metric.sentence_score("this is a cat", ["okay thanks"]).score == 0.0


RISK = (
    "risk assessment must be made of those who are qualified and expertise in the sector - these are the scientists ."
)
RISK_REFERENCE = (
    "risk assessment has to be undertaken by those who are qualified and expert in that area - that is the scientists ."
)
NETANYAHU_REFERENCE = "Das Verhältnis zwischen Obama und Netanyahu ist nicht gerade freundschaftlich."
WALL = "Niemand hat die Absicht, eine Mauer zu errichten"


@pytest.mark.parametrize(
    ("hypotheses", "references", "score"),
    [
        (["abcdefg"], ["hijklmnop"], 0.0),
        (["a"], ["b"], 0.0),
        ([""], ["b"], 0.0),
        ([""], ["ref"], 0.0),
        ([""], ["reference"], 0.0),
        (["aa"], ["ab"], 8.3333),
        (["a", "b"], ["a", "c"], 8.3333),
        (["a"], ["a"], 16.6667),
        (["a b c"], ["a b c"], 50.0),
        (["a b c"], ["abc"], 50.0),
        ([f" {RISK}"], [RISK_REFERENCE], 63.361730),
        (
            [" Die    Beziehung zwischen  Obama und Netanjahu ist nicht gerade  freundlich. "],
            [NETANYAHU_REFERENCE],
            64.1302698,
        ),
        ([WALL], [WALL], 100.0),
    ],
)
def test_chrf_with_epsilon(hypotheses, references, score):
    found = corpus_chrf(hypotheses, [references], char_order=6, word_order=0, beta=3, eps_smoothing=True)
    assert found.score == pytest.approx(score, abs=1e-4)


@pytest.mark.parametrize(
    ("hypotheses", "references", "score"),
    [
        (["a"], ["a"], 100.0),
        ([""], ["reference"], 0.0),
        (["a b c"], ["a b c"], 100.0),
        (["a b c"], ["abc"], 100.0),
        ([""], ["c"], 0.0),
        (["a", "b"], ["a", "c"], 50.0),
        (["aa"], ["ab"], 25.0),
    ],
)
def test_chrf_with_effective_order(hypotheses, references, score):
    found = corpus_chrf(hypotheses, [references], char_order=6, word_order=0, beta=3)
    assert found.score == pytest.approx(score, abs=1e-4)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "score"),
    [
        (
            "Die Beziehung zwischen Obama und Netanjahu ist nicht gerade freundlich.",
            NETANYAHU_REFERENCE,
            67.3481606,
        ),
        (RISK, RISK_REFERENCE, 65.2414427),
    ],
)
def test_chrf_with_spaces(hypothesis, reference, score):
    found = corpus_chrf([hypothesis], [[reference]], char_order=6, word_order=0, beta=3, remove_whitespace=False)
    assert found.score == pytest.approx(score, abs=1e-4)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "score"),
    [
        (
            "Co nás nejvíc trápí, protože lékaři si vybírají, kdo bude žít a kdo zemře.",
            "Nejvíce smutní jsme z toho, že musíme rozhodovat o tom, kdo bude žít a kdo zemře.",
            39.14078509,
        ),
        (
            "Nebo prostě nemají vybavení, které by jim pomohlo, uvedli lékaři.",
            "A někdy nemáme ani potřebný materiál, abychom jim pomohli, popsali lékaři.",
            31.22557079,
        ),
        (
            "Lapali po dechu, jejich životy skončily dřív, než skutečně začaly.",
            "Lapali po dechu a pak jejich život skončil - dřív, než skutečně mohl začít, připomněli.",
            57.15704367,
        ),
    ],
)
def test_sentence_chrf(hypothesis, reference, score):
    assert sentence_chrf(hypothesis, [reference], eps_smoothing=True).score == pytest.approx(score, abs=1e-4)


ADOBE = [
    'wählen Sie " Bild neu berechnen , " um beim Ändern der Bildgröße Pixel hinzuzufügen oder zu entfernen , damit das '
    "Bild ungefähr dieselbe Größe aufweist wie die andere Größe .",
    "wenn Sie alle Aufgaben im aktuellen Dokument aktualisieren möchten , wählen Sie im Menü des Aufgabenbedienfelds "
    'die Option " Alle Aufgaben aktualisieren . "',
    'klicken Sie auf der Registerkarte " Optionen " auf die Schaltfläche " Benutzerdefiniert " und geben Sie Werte für '
    '" Fehlerkorrektur-Level " und " Y / X-Verhältnis " ein .',
    "Sie können beispielsweise ein Dokument erstellen , das ein Auto über die Bühne enthält .",
    'wählen Sie im Dialogfeld " Neu aus Vorlage " eine Vorlage aus und klicken Sie auf " Neu . "',
]
ADOBE_REFERENCE = [
    'wählen Sie " Bild neu berechnen , " um beim Ändern der Bildgröße Pixel hinzuzufügen oder zu entfernen , damit die '
    "Darstellung des Bildes in einer anderen Größe beibehalten wird .",
    ADOBE[1],
    'klicken Sie auf der Registerkarte " Optionen " auf die Schaltfläche " Benutzerdefiniert " und geben Sie für '
    '" Fehlerkorrektur-Level " und " Y / X-Verhältnis " niedrigere Werte ein .',
    "Sie können beispielsweise ein Dokument erstellen , das ein Auto enthalt , das sich über die Bühne bewegt .",
    ADOBE[4],
]


@pytest.mark.parametrize(
    ("hypotheses", "references", "score"),
    [
        (["aaaa bbbb cccc dddd"], ["aaaa bbbb cccc dddd"], 0),
        (["dddd eeee ffff"], ["aaaa bbbb cccc"], 100),
        ([""], ["a"], 100),
        (["d e f g h a b c"], ["a b c d e f g h"], 12.5),
        (ADOBE, ADOBE_REFERENCE, 13.6),
    ],
)
def test_ter(hypotheses, references, score):
    assert TER().corpus_score(hypotheses, [references]).score == pytest.approx(score, abs=1e-3)


@pytest.mark.parametrize(
    ("options", "text", "tokens"),
    [
        ("", "a b c d", "a b c d"),
        ("", "", ""),
        ("", "a b c d.", "a b c d."),
        ("+no_punct", "a b c d.", "a b c d"),
        ("+no_punct", "a ; b ) c : d.", "a b c d"),
        ("+normalized", "a b (c) d.", "a b ( c ) d ."),
        ("+normalized", "jim's car.", "jim 's car ."),
        ("+normalized", "4.2", "4.2"),
        ("+normalized+asian", "美众院公布对特", "美 众 院 公 布 对 特"),
        ("+normalized+asian", "りの拳銃を持", "りの 拳 銃 を 持"),
    ],
)
def test_tercom_tokens(options, text, tokens):
    """Lower-cased, as the scorer hands texts over."""
    assert _core.tokenize(text, f"tercom{options}") == tokens.split()

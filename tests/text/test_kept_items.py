"""What a translation keeps: tags, placeholders, URLs, numbers and emoji."""

from __future__ import annotations

import pytest

from assay.text.kept_items import KINDS, kept_items


def items(text, *kinds):
    return sorted(kept_items(text, frozenset(kinds or KINDS)).elements())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<b>x</b> <br/> <a href="u" id=2>', ["</b>", '<a href="u" id=2>', "<b>", "<br/>"]),
        ('<a  href="u"\n>', ['<a href="u">']),
        ("<br /> <br/> <BR>", ["<BR>", "<br/>", "<br/>"]),
        ("<a href = 'u' id= 2 />", ["<a href='u' id= 2/>"]),
        ("a < b and c > d, <3, 2 <x", []),
        ("<x", []),
    ],
)
def test_tags(text, expected):
    assert items(text, "tags") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See https://a.b/c?d=1%20e.", ["https://a.b/c?d=1%20e"]),
        ("(www.x.org), mail x.y@z.de!", ["www.x.org", "x.y@z.de"]),
        ("**https://a.b**", ["https://a.b"]),
        ("@user and a:b", []),
    ],
)
def test_urls(text, expected):
    assert items(text, "urls") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%s of %1$s, %(name)s, %.2f %-5d %@ %ld", ["%(name)s", "%-5d", "%.2f", "%1$s", "%@", "%ld", "%s"]),
        ("100 % der, 5%discount, 20% a, 50%%", []),
        ("{name} {0} {{ x }} ${y} %HOME%", ["${y}", "%HOME%", "{0}", "{name}", "{{x}}"]),
        ("{n, number} {d, date, short}", ["{d, date}", "{n, number}"]),
        ("{ not a name }", []),
        ('{"a": 1}', []),
    ],
)
def test_placeholders(text, expected):
    assert items(text, "placeholders") == expected


def test_cases_of_a_plural_may_be_more_or_fewer():
    english = "{n, plural, one {# file of {who}} other {# files of {who}}}"
    polish = "{n, plural, one {# plik {who}} few {# pliki {who}} many {# plików {who}} other {# pliku {who}}}"
    assert items(english) == items(polish) == ["{n, plural}", "{who}"]
    assert items("{g, select, male {his {n, plural, one {book} other {books}}} other {x}} {who}") == [
        "{g, select}",
        "{n, plural}",
        "{who}",
    ]


def test_a_brace_that_is_not_closed_ends_with_the_text():
    assert items("{n, plural, one {a {x}") == ["{n, plural}", "{x}"]


@pytest.mark.parametrize("text", ["3.5", "3,5", "٣٫٥", "३.५"])
def test_numbers_are_their_digits(text):
    assert items(f"about {text} million", "numbers") == ["35"]


def test_grouped_numbers():
    for text in ("10,000", "10.000", "10 000", "10\u202f000", "10\u00a0000", "10’000"):
        assert items(f"of {text}, all", "numbers") == ["10000"], text
    assert items("2012–2013, in 2012 300 people", "numbers") == ["2012", "2012", "2013", "300"]


def test_emoji():
    assert items("👍🏽 🇩🇪🇫🇷 ❤️ ❤ 👩‍💻 1️⃣", "emoji") == sorted(["👍🏽", "🇩🇪", "🇫🇷", "❤", "❤", "👩‍💻", "1⃣"])


def test_each_part_of_a_text_is_of_one_kind():
    assert items('<a href="https://x.y/3"> https://x.y/4 %5d {6} 1️⃣') == sorted(
        ['<a href="https://x.y/3">', "https://x.y/4", "%5d", "{6}", "1⃣"]
    )


def test_what_occurs_twice_counts_twice():
    assert items("<b>1</b> <b>1</b>") == ["1", "1", "</b>", "</b>", "<b>", "<b>"]


def test_long_texts_take_linear_time():
    """Unclosed braces, tags and digits do not make the patterns go back again and again."""
    for part in (
        "{",
        "<a ",
        "{a, plural, ",
        "{a, plural, one {",
        "1 ",
        "%s ",
        "{a} ",
        "${a} ",
        "{a{",
        "1,",
        "www.",
        "x",
        "@",
    ):
        assert isinstance(items(part * 20_000), list)

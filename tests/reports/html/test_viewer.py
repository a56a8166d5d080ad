"""The viewer in a browser: what is shown, how it is found, and that nothing else happens."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from assay import compare, load, score
from assay.reports.cells import PValue, cell_text
from assay.types import Campaign, ErrorSpan, Ratings
from tests.reports.page.built import page_text
from tests.store.examples import example

pytestmark = pytest.mark.slow

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!--<script>",
    "]]>'\"&lt;&#x3c;",
    "\u2028\u2029\u202e txt",
    "{{ 7*7 }} ${alert(1)}",
    "javascript:alert(1)",
    "\\u003cb\\u003e",
)
MANY = 450


@cache
def many():
    """Segments of three systems: the second is better in those with an even number, the first in the others."""
    references = [f"segment {number} has these words in it {'x' * (number % 50)}" for number in range(1, MANY + 1)]
    worse = [text.replace("these", "zzz") for text in references]
    testset = load(
        outputs={
            "base": [worse[i] if i % 2 else references[i] for i in range(MANY)],
            "new": [references[i] if i % 2 else worse[i] for i in range(MANY)],
            "third": ["nothing right"] * MANY,
        },
        references=references,
        sources=[f"source {number}" for number in range(1, MANY + 1)],
        domains=["news" if i < 300 else "chat" for i in range(MANY)],
        documents=[f"doc-{i // 10}" for i in range(MANY)],
        lp="en-de",
    )
    return compare(testset, ["chrf", "ter"], resamples=10)


@cache
def page_of_many():
    return page_text(many())


def small(outputs, references, **options):
    fields = {name: options.pop(name) for name in ("campaigns", "texts") if name in options}
    comparison = compare(load(outputs=outputs, references=references, **options), ["chrf"], resamples=10)
    return page_text(comparison, **fields)


def choose(shown, control, value):
    shown.select_option(f"[data-control={control}]", value)


def numbers(shown):
    """The numbers of the segments in the page, in order."""
    return [int(text.split()[-1]) for text in shown.locator("article.segment > header > b").all_text_contents()]


def count(shown):
    return shown.locator("[data-part=count]").text_content()


def test_source_references_and_outputs(open_page):
    shown = open_page(
        small(
            {"base": ["ein Haus"], "new": ["das Haus"]},
            {"refA": ["das Haus"], "refB": ["dies Haus"]},
            sources=["the house"],
            lp="en-de",
        )
    )
    assert shown.locator("article bdi.text").all_text_contents() == [
        "the house",
        "das Haus",
        "dies Haus",
        "das Haus",
        "ein Haus",
    ]
    assert shown.locator("article .who bdi.name").all_text_contents() == [
        "Source",
        "Reference refA",
        "Reference refB",
        "new",
        "base",
    ]
    assert shown.locator("article bdi.text").first.get_attribute("lang") == "en"
    assert shown.locator("article bdi.text").nth(1).get_attribute("lang") == "de"
    assert shown.locator("#segments .lede").text_content() == "This file holds 5 texts of 1 segment."


def test_words_and_characters_that_differ(open_page):
    outputs = {"base": ["Der Hund, sah Anna."], "new": ["Der Hund sah die Anne."]}
    shown = open_page(small(outputs, ["Der Hund sah Anna."]))
    choose(shown, "a", "1")  # new
    assert shown.locator("mark.differs-a").all_text_contents() == ["die Anne"]
    assert shown.locator("mark.differs-b").all_text_contents() == [","]
    choose(shown, "mark", "characters")
    assert shown.locator("mark.differs-a").all_text_contents() == ["die ", "e"]
    choose(shown, "against", "other")
    assert shown.locator("mark.differs-b").all_text_contents() == [",", "a"]
    choose(shown, "mark", "")
    assert shown.locator("article mark").count() == 0


def test_the_nearest_of_several_references_is_compared(open_page):
    shown = open_page(small({"base": ["x y z"], "new": ["a b c"]}, {"refA": ["x y w"], "refB": ["a b d"]}))
    assert shown.locator("mark.differs-a").all_text_contents() == ["c"]
    assert shown.locator("mark.differs-b").all_text_contents() == ["z"]
    choose(shown, "against", "0")
    assert shown.locator("mark.differs-a").all_text_contents() == ["a b c"]


def test_chinese_and_japanese_are_compared_by_character(open_page):
    shown = open_page(small({"base": ["電源を離します。"], "new": ["電源を放します。"]}, ["電源を離します。"]))
    choose(shown, "a", "1")  # new
    assert shown.locator("mark.differs-a").all_text_contents() == ["放"]


def test_very_long_texts_are_compared_and_folded(open_page):
    words = [f"w{number}" for number in range(3000)]
    changed = [*words[:100], "new", *words[100:2500], *words[2510:]]
    shown = open_page(small({"base": ["x"], "new": [" ".join(changed)]}, [" ".join(words)]))
    assert shown.locator("mark.differs-a").all_text_contents() == ["new"]
    button = shown.get_by_role("button", name="Show all of the text")
    folded = shown.locator("article").bounding_box()["height"]
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    assert shown.locator("article").bounding_box()["height"] > 3 * folded


def test_at_most_200_rows_are_in_the_page(open_page):
    shown = open_page(page_of_many())
    assert shown.locator("article").count() == 50
    shown.locator(".more > summary").click()
    for rows in ("25", "100", "200"):
        choose(shown, "rows", rows)
        assert shown.locator("article").count() == int(rows)
    assert shown.locator("[data-part=range]").text_content() == "1–200 of 450"
    shown.get_by_role("button", name="Next").click()
    shown.get_by_role("button", name="Next").click()
    assert shown.locator("[data-part=range]").text_content() == "401–450 of 450"
    assert shown.locator("article").count() == 50
    assert shown.get_by_role("button", name="Next").is_disabled()
    # Even a page that asks for more gets no more.
    shown.evaluate("document.querySelector('[data-control=rows]').append(new Option('9999', '9999', true, true))")
    choose(shown, "rows", "9999")
    assert shown.locator("article").count() == 200


def test_order_by_difference_score_and_place(open_page):
    shown = open_page(page_of_many())
    differences = many().segments["chrf"]["new"] - many().segments["chrf"]["base"]
    best = sorted(range(MANY), key=lambda i: (-differences[i].astype("f4"), i))
    assert numbers(shown) == [i + 1 for i in best[:50]]
    choose(shown, "order", "order")
    assert numbers(shown) == list(range(1, 51))
    choose(shown, "order", "b")
    assert all(number % 2 for number in numbers(shown))
    choose(shown, "order", "low")
    lowest = many().segments["chrf"]["new"]
    assert lowest[numbers(shown)[0] - 1] == pytest.approx(lowest.min())


def test_a_lower_score_can_be_better(open_page):
    shown = open_page(page_of_many())
    choose(shown, "metric", "1")
    assert all(number % 2 == 0 for number in numbers(shown))  # new has less TER there
    assert "new better by 14.29 TER" in shown.locator("article header").first.text_content()


def test_swapping_turns_the_difference_round(open_page):
    shown = open_page(page_of_many())
    summary = shown.locator("[data-part=summary]")
    before = re.search(r": (\S+) in favour of new", summary.text_content()).group(1)
    assert all(number % 2 == 0 for number in numbers(shown))
    shown.get_by_role("button", name="Swap A and B").click()
    after = re.search(r": (\S+) in favour of base", summary.text_content()).group(1)
    assert {before[0], after[0]} == {"+", "−"}
    assert before[1:] == after[1:]
    assert all(number % 2 for number in numbers(shown))
    assert shown.locator(".groups thead bdi").all_text_contents() == ["base", "new", "base"]


def test_another_pair(open_page):
    shown = open_page(page_of_many())
    choose(shown, "b", "2")
    assert "new better in 450 segments, third in 0" in shown.locator("[data-part=summary]").text_content()
    assert shown.locator("article").first.locator(".who .name").all_text_contents()[-1] == "third"


def test_filters_and_the_number_of_hits(open_page):
    shown = open_page(page_of_many())
    assert count(shown) == "450 segments"
    assert shown.locator("[data-part=count]").get_attribute("aria-live") == "polite"
    shown.locator(".more > summary").click()
    shown.locator("[data-filter='0']").select_option("chat")
    assert count(shown) == "150 of 450 segments"
    choose(shown, "show", "a")
    assert count(shown) == "75 of 450 segments"
    shown.locator("[data-filter='1']").select_option("doc-44")
    assert sorted(numbers(shown)) == [442, 444, 446, 448, 450]
    shown.get_by_role("button", name="Clear filters").click()
    assert count(shown) == "450 segments"
    shown.get_by_label("from", exact=True).fill("99")
    assert count(shown) == "225 of 450 segments"  # new is right
    choose(shown, "scored", "difference")
    shown.get_by_label("from", exact=True).fill("-100")
    shown.get_by_label("to", exact=True).fill("-1")
    assert count(shown) == "225 of 450 segments"
    assert all(number % 2 for number in numbers(shown))
    shown.get_by_role("button", name="Clear filters").click()
    shown.locator("[data-filter='2']").select_option(index=1)
    assert 0 < int(count(shown).split()[0]) < 450


def test_search_is_plain_text_and_marks_what_it_finds(open_page):
    texts = ["a.c (1)", "abc", "Größe [x]", "A.C"]
    shown = open_page(small({"base": texts, "new": texts}, texts))
    search = shown.get_by_role("searchbox")
    for query, hits in {
        "a.c": [1, 4],
        "[x]": [3],
        "größe": [3],
        "(1": [1],
        "nowhere": [],
        "\\": [],
        "/-^$": [],
    }.items():
        search.fill(query)
        assert numbers(shown) == hits, query
    assert shown.locator("[data-part=range]").text_content() == "No segment meets all conditions."
    search.fill("a.c")
    assert set(shown.locator("mark.hit").all_text_contents()) == {"a.c", "A.C"}


def test_groups_lead_to_their_segments(open_page):
    shown = open_page(page_of_many())
    rows = shown.locator(".groups tbody tr")
    assert rows.count() == 2
    shown.locator(".by-group > summary").click()
    shown.locator(".groups tbody").get_by_role("button", name="chat").click()
    assert count(shown) == "150 of 450 segments"
    choose(shown, "grouping", "document")
    assert rows.count() == 30  # of 45
    assert "The 30 of 45 documents with the largest differences" in shown.locator(".groups caption").text_content()


def test_words_lead_to_their_segments(open_page):
    outputs = {"base": ["the cat", "no", "the cat"], "new": ["the dog", "No", "the dog"], "other": ["q", "q", "q"]}
    shown = open_page(small(outputs, ["the dog", "No", "the dog"]))
    choose(shown, "a", "2")
    lead = shown.locator("#words .side tr", has_text="dog").get_by_role("button")
    assert lead.text_content() == "Show the 2 segments with “the dog”: new finds it more often"
    lead.click()
    assert numbers(shown) == [1, 3]
    assert count(shown) == "2 of 3 segments"
    assert shown.locator("[data-part=subset] bdi").text_content() == "“the dog”: new finds it more often"
    assert shown.locator("[data-control=a]").input_value() == "1"  # the pair of the words
    assert shown.locator("mark.hit").all_text_contents() == ["the dog"] * 4  # of the reference and of new
    shown.get_by_role("button", name="Show all segments").click()
    assert count(shown) == "3 segments"
    shown.locator("#words tr", has_text="capitalised").get_by_role("button").first.click()
    assert numbers(shown) == [2]


def test_keys(open_page):
    shown = open_page(page_of_many())

    def focused():
        return shown.evaluate("document.activeElement.getAttribute('aria-label')")

    order = numbers(shown)
    shown.keyboard.press("j")
    assert focused() == f"Segment {order[0]}"
    shown.keyboard.press("j")
    assert focused() == f"Segment {order[1]}"
    shown.keyboard.press("k")
    assert focused() == f"Segment {order[0]}"
    for _ in range(50):
        shown.keyboard.press("j")
    assert shown.locator("[data-part=range]").text_content() == "51–100 of 450"
    assert focused() == f"Segment {numbers(shown)[0]}"
    shown.keyboard.press("/")
    assert shown.evaluate("document.activeElement.type") == "search"
    shown.keyboard.type("jk/")
    assert shown.get_by_role("searchbox").input_value() == "jk/"


def test_a_link_to_a_segment_keeps_the_pair_and_the_metric(open_page):
    shown = open_page(page_of_many())
    choose(shown, "metric", "1")
    choose(shown, "b", "2")
    link = shown.locator("article .permalink").nth(3)
    address, said = link.get_attribute("href"), shown.locator("article header").nth(3).text_content()
    other = open_page(page_of_many(), anchor=address)
    number = address.split("?")[0].split("-")[-1]
    assert other.evaluate("document.activeElement.id") == f"segments-{number}"
    assert other.locator(f"#segments-{number} header").text_content() == said
    assert "better by" in said
    strange = open_page(page_of_many(), anchor="#segments-7?a=nobody&b=<b>&metric=none")
    assert strange.evaluate("document.activeElement.id") == "segments-7"


def test_choosing_the_system_of_the_other_side_swaps_the_two(open_page):
    shown = open_page(page_of_many())
    a, b = (shown.locator(f"[data-control={which}]").input_value() for which in "ab")
    choose(shown, "a", b)
    assert [shown.locator(f"[data-control={which}]").input_value() for which in "ab"] == [b, a]
    assert shown.locator("[data-control=order]").input_value() == "a"
    assert "in favour of" in shown.locator("[data-part=summary]").text_content()


def in_numbers(interval):
    """The ends of an interval as the page writes it."""
    return [float(end) for end in interval.replace("−", "-").strip("[]").split(", ")]


def test_one_sign_for_one_difference(open_page):
    """The matrix, the panel, the viewer and its groups, under a metric whose lower scores are better."""
    shown = open_page(page_text(compare(many().testset, ["ter"], all_pairs=True, resamples=10)))
    shown.locator("#pairs [data-panels] label").nth(1).click()
    cell = shown.locator("#pairs table.matrix").nth(1).locator("tbody tr").first.locator("[data-pair]").last
    cell.click()
    difference = cell.text_content()
    assert difference.startswith("+")
    assert shown.locator("#pairs .figure").text_content() == difference
    shown.get_by_role("button", name="Show the segments").click()
    row = shown.locator("[data-part=tests] tbody tr").last
    assert row.locator("td.strong").text_content() == difference
    assert difference in shown.locator("[data-part=summary]").text_content()
    better = shown.locator(".groups tbody tr td:nth-child(5)").all_text_contents()
    assert all(each.startswith("+") for each in better)
    interval = row.locator("td.muted").text_content()
    shown.get_by_role("button", name="Swap A and B").click()
    assert row.locator("td.strong").text_content() == difference.replace("+", "−")
    assert in_numbers(row.locator("td.muted").text_content()) == [-end for end in reversed(in_numbers(interval))]


def test_the_marks_are_explained(open_page):
    shown = open_page(small({"base": ["a x"], "new": ["a y"]}, ["a b"]))
    legend = shown.locator("[data-part=legend]")
    assert legend.text_content() == (
        "Marked: words of an output that the reference does not have. What an output lacks is not marked."
    )
    choose(shown, "against", "other")
    assert "the output of the other system" in legend.text_content()
    choose(shown, "mark", "")
    assert legend.text_content() == ""


def test_a_mean_of_segments_chosen_by_score_is_no_finding(open_page):
    shown = open_page(page_of_many())
    summary = shown.locator("[data-part=summary]")
    assert "chosen by their scores" not in summary.text_content()
    choose(shown, "show", "a")
    assert "chosen by their scores: this says nothing about the systems" in summary.text_content()


def test_a_link_to_a_segment(open_page):
    shown = open_page(page_of_many(), anchor="#segments-137")
    assert 137 in numbers(shown)
    assert shown.evaluate("document.activeElement.id") == "segments-137"


def test_all_systems(open_page):
    shown = open_page(page_of_many())
    shown.locator(".more > summary").click()
    choose(shown, "others", "all")
    names = shown.locator("article").first.locator(".who .name").all_text_contents()
    assert names == ["Source", "Reference", "new", "base", "third"]


def test_one_system(open_page):
    run = score(load(outputs={"only": ["a b", "c"]}, references=["a b", "d"]), ["chrf"], resamples=0)
    shown = open_page(page_text(run))
    assert count(shown) == "2 segments"
    choose(shown, "order", "low")
    assert numbers(shown) == [2, 1]
    assert not shown.get_by_role("button", name="Swap A and B").is_visible()
    assert "better" not in shown.locator("#segments").inner_text()


def test_marked_errors(open_page):
    outputs = {"base": ["𝒳 wrong word"], "new": ["right"]}
    errors = ((ErrorSpan("Accuracy", "major", 2, 7), ErrorSpan("Omission", "minor")), ())
    ratings = Ratings("mqm", "MQM", ("r1",), ("base", "new"), [0, 0], [0, 1], [0, 0], [float("nan")] * 2, errors=errors)
    rated = load(outputs=outputs, sources=["s"])
    campaign = Campaign("toy", "en-de", 1, ("base", "new"), (), rated, judgements=(ratings,))
    shown = open_page(small(outputs, ["right word"], campaigns=(campaign,)))
    assert "Raters marked the errors of 2 outputs." in shown.locator("#segments .lede").text_content()
    choose(shown, "mark", "errors")
    assert shown.locator("mark.error.major").all_text_contents() == ["wrong"]  # after a character of two units
    assert shown.locator(".errors li").all_text_contents() == ["“wrong” major · Accuracy · r1", "minor · Omission · r1"]
    assert shown.locator("article", has_text="No error marked.").count() == 1


def test_error_classes(open_page):
    outputs = {"base": ["𝒳 he walked home"], "new": ["home 𝒳 he walks"]}
    run = score(load(outputs=outputs, references=["𝒳 he walks home"]), ["chrf", "hjerson"], resamples=0)
    shown = open_page(page_text(run))
    assert shown.locator("[data-control=mark]").input_value() == "labels"
    words = shown.locator("article")
    marked = {
        name: words.locator(f"mark.label-{k}").all_text_contents() for k, name in enumerate(("inflection", "order"))
    }
    assert marked == {"inflection": ["walks", "walked"], "order": ["home", "home"]}  # the reference, then an output
    assert sorted(shown.locator(".errors li").all_text_contents()) == ["inflection: walked", "order: home"]
    assert words.locator("mark.label-0").first.get_attribute("title") == "inflection (base)"
    choose(shown, "mark", "words")
    assert shown.locator("mark.label").count() == 0


def test_error_classes_are_explained_and_those_of_the_reference_belong_to_an_output(open_page):
    outputs = {"base": ["the cat down", ""], "new": ["the dog walked down", "no"]}
    references = ["the cat walks down today", "yes"]
    run = score(load(outputs=outputs, references=references), ["chrf", "hjerson"], resamples=0)
    shown = open_page(page_text(run))
    choose(shown, "a", "0")
    choose(shown, "order", "order")
    legend = shown.locator("[data-part=legend]")
    assert legend.locator("mark").all_text_contents() == [
        *("inflection", "order", "missing", "extra", "lexical"),
        *("base", "new", "both"),
    ]
    assert "missing (only in the reference)" in legend.text_content()
    styles = [each.evaluate("e => getComputedStyle(e).textDecorationStyle") for each in legend.locator("mark").all()]
    assert styles == ["dotted", "wavy", "dashed", "dashed", "double", "solid", "solid", "solid"]
    reference, base, new = shown.locator("article").first.locator(".cell").all()
    assert base.locator(".errors li").all_text_contents() == ["missing: walks, today"]
    assert new.locator(".errors li").all_text_contents() == ["inflection: walked", "missing: today", "lexical: dog"]
    marks = {each.text_content(): each.get_attribute("class") for each in reference.locator("mark").all()}
    assert marks == {
        "cat": "label label-4 of-b",
        "walks": "label of-a label of-b",
        "today": "label label-2 of-a label label-2 of-b",
    }
    empty = shown.locator("article").nth(1).locator(".cell").nth(1)
    assert empty.locator(".errors li").all_text_contents() == ["missing: yes"]


def test_hostile_texts_and_names_are_shown_as_they_are(open_page):
    texts = [f"{text} end" for text in HOSTILE]
    domains = list(HOSTILE[:4]) * 2
    shown = open_page(small({"<b>one": texts, "two": texts[::-1]}, {"<i>ref": texts}, sources=texts, domains=domains))
    choose(shown, "order", "order")
    elements = {"mark", "bdi"}
    assert set(shown.evaluate("[...document.querySelectorAll('bdi.text *')].map((e) => e.localName)")) <= elements
    for place, text in enumerate(texts):
        found = shown.locator("article").nth(place).locator("bdi.text").first.text_content()
        assert found == re.sub(r"[\u2028-\u202e]", lambda c: f"U+{ord(c[0]):04X}", text)
    assert shown.locator("[data-control=a] option").all_text_contents() == ["<b>one", "two"]
    assert shown.locator("section img, section b b, section script:not([type])").count() == 0


def test_right_to_left(open_page):
    shown = open_page(small({"base": ["שלום עולם"], "new": ["שלום לך"]}, ["שלום עולם"], sources=["hello world"]))
    directions = shown.evaluate("[...document.querySelectorAll('bdi.text')].map((e) => getComputedStyle(e).direction)")
    assert directions == ["ltr", "rtl", "rtl", "rtl"]


def test_without_texts(open_page):
    secret = page_text(many(), texts=False)
    for word in ("these words", "source 1", "zzz", "nothing right"):
        assert word not in secret
    shown = open_page(secret)
    assert "made without texts" in shown.locator("#segments .lede").text_content()
    assert count(shown) == "450 segments"
    choose(shown, "show", "a")
    assert count(shown) == "225 of 450 segments"
    assert shown.locator("bdi.text").count() == 0


@pytest.mark.parametrize("width", [400, 1400])
def test_no_sideways_scrolling(open_page, width):
    names = ["a" * 60, "system-with-a-long-name-of-many-parts-and-more"]
    texts = ["https://example.org/" + "x" * 300, "short"]
    shown = open_page(
        small(dict.fromkeys(names, texts), texts, sources=texts, documents=["d" * 120, "e"]),
        viewport={"width": width, "height": 800},
    )
    shown.evaluate("document.querySelectorAll('main > section:not(#words, #segments)').forEach((e) => e.remove())")
    shown.locator(".more > summary").click()
    assert shown.evaluate("document.documentElement.scrollWidth") == width


def test_printing_shows_the_segments_and_no_controls(open_page):
    shown = open_page(page_of_many())
    shown.evaluate("window.print = () => { window.printed = document.documentElement.className; }")
    shown.get_by_role("button", name="Print these segments").click()
    assert shown.evaluate("window.printed") == "print-segments"
    assert shown.locator("article").count() == 200
    assert shown.locator("[data-part=range]").text_content() == "1–200 of 450"
    shown.emulate_media(media="print")
    assert shown.locator("article").first.is_visible()
    assert not shown.locator(".viewer .filters").is_visible()
    assert not shown.locator("#words").is_visible()
    shown.evaluate("dispatchEvent(new Event('afterprint'))")
    assert shown.locator("#words").is_visible()
    assert shown.locator("article").count() == 50


def test_every_control_has_a_label(open_page):
    shown = open_page(page_of_many())
    unlabelled = (
        "[...document.querySelectorAll('.viewer select, .viewer input')].filter((e) => !e.labels.length).length"
    )
    assert shown.evaluate(unlabelled) == 0


def test_the_tests_follow_the_chosen_pair(open_page):
    compared = example("compare")
    shown = open_page(page_text(compared))
    tested, rows = shown.locator("[data-part=tested]"), shown.locator("[data-part=tests] tbody tr")
    assert tested.text_content() == ""
    metric = compared.metrics[0]
    pair = metric.pair(*(shown.locator("[data-part=tests] h3 bdi").all_text_contents()))
    assert rows.count() == len(compared.metrics)
    assert rows.first.locator("th").text_content() == "BLEU"
    assert rows.first.locator("td").last.text_content() == cell_text(PValue(pair.p_corrected, 0.05))
    assert rows.first.locator("circle").count() == 1
    values = shown.evaluate("[...document.querySelector('[data-control=b]').options].map(o => o.value)")
    a, b = (shown.locator(f"[data-control={which}]").input_value() for which in "ab")
    shown.locator("[data-control=b]").select_option(next(value for value in values if value not in (a, b)))
    assert "The verdict and the figures above are about" in tested.text_content()
    assert tested.locator("a").get_attribute("href") == "#verdict"
    other = shown.locator("[data-part=tests] h3 bdi").all_text_contents()
    assert set(other) != {pair.first, pair.second}
    assert shown.locator("[data-part=histogram] h3 bdi").all_text_contents() == other


@pytest.mark.parametrize("width", [950, 1250, 1400])
def test_long_names_of_metrics_stay_in_their_column(open_page, width):
    metrics = ["bleu", "hlepor", "hjerson:error=inflection", "hjerson:blocks=order"]
    compared = compare(many().testset, metrics, agg=("corpus", "segment"), resamples=10)
    shown = open_page(page_text(compared), viewport={"width": width, "height": 900})
    figure, table = (shown.locator(f"[data-part=tests]{each}").bounding_box() for each in ("", " table"))
    assert table["x"] + table["width"] <= figure["x"] + figure["width"] + 1
    small = shown.locator("[data-part=tests] tbody tr", has_text="hLEPOR").first.locator(".lane line:not(.zero)")
    assert small.bounding_box()["width"] > 20, "each metric is drawn on its own scale"


def test_the_histogram_of_the_chosen_pair_counts_as_the_chart_does(open_page):
    shown = open_page(page_of_many())
    choose(shown, "metric", "1")
    choose(shown, "b", "2")
    a, b = shown.locator("[data-part=histogram] h3 bdi").all_text_contents()
    segments = many().segments["ter"]
    differences = segments[b] - segments[a]  # of TER, lower is better
    size = abs(differences).max()
    counts, _ = np.histogram(differences[differences != 0], bins=40, range=(-size, size))
    said = shown.locator("[data-part=histogram] rect title").all_text_contents()
    assert [int(each.split(": ")[1].split()[0]) for each in said] == [each for each in counts.tolist() if each]
    subtitle = shown.locator("[data-part=histogram] .subtitle").text_content()
    assert f"is better in {(differences > 0).sum()}, " in subtitle

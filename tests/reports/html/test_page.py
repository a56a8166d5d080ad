"""The file as a whole: one file, nothing loaded, nothing inline that the policy does not name."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest

from assay.reports.blocks import Page, PageSection
from assay.reports.html.interactive import library
from assay.reports.html.page import asset, page_html
from tests.reports.html.parsed import parsed
from tests.reports.page.built import page_text
from tests.store.examples import VERBS, example

pytestmark = pytest.mark.slow  # charts take long to draw

SOURCES = ("page.js", "interactive.js", "segments.js")
RESULTS = tuple(example(name) for name in ("score", "compare", "rank ratings", "meta", "robustness top"))


@pytest.fixture(scope="module")
def text():
    return page_text(*RESULTS, commands=("assay score --ref a b",))


def test_scripts_and_styles_are_those_of_the_policy(text):
    policy = parsed(text).having("meta", **{"http-equiv": "Content-Security-Policy"})[0]["content"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        contents = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        contents += [library()] if tag == "script" else []
        digests = [base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() for content in contents]
        assert contents
        assert re.findall("'sha256-([^']+)'", re.search(rf"{tag}-src ([^;]+)", policy)[1]) == digests


@pytest.mark.parametrize("name", VERBS)
def test_no_page_has_inline_code_or_addresses(name):
    for tag, attributes in parsed(page_text(example(name))).elements:
        assert not any(key.startswith("on") or key in ("style", "src", "srcset", "action") for key in attributes), tag
        assert (attributes.get("href") or "#").startswith("#"), attributes
        assert tag not in ("link", "iframe", "object", "embed", "img", "form", "base")


@pytest.mark.parametrize("name", SOURCES)
def test_scripts_set_texts_only(name):
    source = asset(name)
    for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch("):
        assert forbidden not in source


def test_links_lead_to_sections_and_ids_are_unique(text):
    found = parsed(text)
    ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = {attributes["href"][1:] for attributes in found.having("a") if attributes.get("href")}
    assert targets <= set(ids)


def test_headings_and_landmarks(text):
    found = parsed(text)
    assert len(found.having("h1")) == 1
    assert found.having("a", **{"class": "skip", "href": "#content"})
    assert found.having("main", id="content")
    assert found.having("nav")[0]["aria-label"] == "Contents"
    assert all("aria-labelledby" in attributes for attributes in found.having("section"))
    assert found.having("html")[0]["lang"] == "en"


def test_a_page_is_small_and_the_same_every_time(text):
    assert len(page_text(*RESULTS, texts=False).encode()) < 3_000_000
    assert page_text(*RESULTS, commands=("assay score --ref a b",)) == text


def test_data_cannot_end_its_element():
    hostile = {"a": "</script><script>alert(1)</script>\u2028<!--"}
    block = page_html(Page("", (PageSection("s", "s", "s", (), data={"x": hostile}),)))
    content = re.search(r'<script type="application/json" id="x">(.*?)</script>', block, re.DOTALL)[1]
    assert json.loads(content) == hostile
    assert not set("<>&\u2028") & set(content)

from __future__ import annotations

import json
import re
import urllib.parse
from pathlib import Path

import pytest

from assay import _core
from assay.data.form_list import FORMS, Form
from assay.data.text_forms import form_findings
from assay.sample import generate
from assay.types import Column, Note, as_column
from scripts import text_forms as script
from tests import archives

SAMPLES = {target: generate(target) for target in ("de", "zh")}
BY_NAME = {form.name: form for form in FORMS}
needs_archives = pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA does not name the WMT archives")


def findings(output: Column, target: str = "de", *, thorough: bool = False, times: int = 1) -> list[Note]:
    sample = SAMPLES[target]
    references = {"refA": as_column([*sample.references["refA"]] * times)}
    return list(form_findings({"new": output}, references, as_column([*sample.sources] * times), thorough=thorough))


def spoiled(form: str, share: str, target: str = "de") -> Column:
    sample = SAMPLES[target]
    return script.spoiled(form, as_column(sample.output("elm")), as_column(sample.sources), share)


def target_of(form: Form) -> str:
    return "zh" if form.name in ("spaced out", "script") else "de"


def names(found: list[Note]) -> list[str]:
    return [form.name for finding in found for form in FORMS if is_hint_of(form, finding)]


def is_hint_of(form: Form, finding: Note) -> bool:
    start, column, _ = form.hint.partition("{column}")
    return (finding.hint or "").startswith(start) if column else finding.hint == form.hint


@pytest.mark.parametrize("thorough", [True, False])
@pytest.mark.parametrize("target", ["de", "zh"])
def test_sound_texts_have_no_findings(target, thorough):
    sample = SAMPLES[target]
    outputs = {name: as_column(sample.output(name)) for name in ("alder", "elm", "willow")}
    references = {name: as_column(column) for name, column in sample.references.items()}
    assert list(form_findings(outputs, references, as_column(sample.sources), thorough=thorough)) == []
    assert list(form_findings(outputs, references, None, thorough=thorough)) == []
    assert list(form_findings(outputs, {}, as_column(sample.sources), thorough=thorough)) == []


def test_every_form_has_a_mistake_that_makes_it_and_a_hint_of_its_own():
    assert list(script.MISTAKES) == [form.name for form in FORMS]
    assert len({form.hint for form in FORMS}) == len(FORMS)
    assert len(FORMS) <= 60  # the marks of the core


def test_every_form_is_documented():
    page = (Path(__file__).parents[2] / "docs/methods/texts.md").read_text(encoding="utf-8")
    for form in FORMS:
        assert f"| {form.name} | {form.verb} " in page
        assert re.search(rf"^\| {form.name} \| \d+\.\d → \d+\.\d \|", page, re.MULTILINE)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_mistake_in_all_lines_is_found(form):
    (finding,) = [
        one
        for one in findings(spoiled(form.name, "all", target_of(form)), target_of(form))
        if form.text.format(reference="refA") in one.text
    ]
    assert (finding.severity, finding.where, is_hint_of(form, finding)) == ("warning", "new", True)
    assert (finding.line or 0) in range(1, 11)
    assert re.match(r"[\d,]+ of [\d,]+ lines ", finding.text)
    assert finding.example


@pytest.mark.parametrize("form", [form for form in FORMS if form.share <= 0.05], ids=lambda form: form.name)
def test_a_mistake_in_a_third_of_the_lines_is_found(form):
    found = findings(spoiled(form.name, "a third", target_of(form)), target_of(form))
    assert form.name in names(found)


SINGLE = [
    "bpe",
    "sentencepiece",
    "special tokens",
    "colours",
    "fairseq",
    "json",
    "markup",
    "refusals",
    "notes",
    "failed",
]


@pytest.mark.parametrize("name", SINGLE)
def test_a_mistake_in_one_line_is_a_note_of_a_check_and_of_scoring_if_it_is_no_translation(name):
    output = spoiled(name, "one line")
    (finding,) = findings(output, thorough=True)
    assert findings(output) == ([finding] if BY_NAME[name].is_no_translation else [])
    assert (finding.severity, finding.count, finding.hint) == ("note", 1, BY_NAME[name].hint)
    assert output[(finding.line or 0) - 1] != SAMPLES["de"].output("elm")[(finding.line or 0) - 1]
    assert finding.text.startswith("1 of 130 lines ")


def test_what_the_reference_or_the_source_has_too_is_no_mistake():
    sample = SAMPLES["de"]
    made = {name: script.spoiled("markdown", as_column(column), as_column(sample.sources), "a third")
            for name, column in (("new", sample.output("elm")), ("ref", sample.references["refA"]))}  # fmt: skip
    sources = as_column(sample.sources)
    assert list(form_findings({"new": made["new"]}, {"refA": made["ref"]}, sources, thorough=True)) == []
    of_source = as_column(f"**{text}**" for text in sample.sources)
    found = list(form_findings({"new": made["new"]}, {"refA": as_column(sample.references["refA"])}, of_source,
                               thorough=False))  # fmt: skip
    assert found == []


@pytest.mark.parametrize("name", ["markup", "entities", "markdown"])
def test_what_a_source_may_have_is_a_note_if_there_is_none(name):
    """Paragraphs of WMT26 are HTML, and a file of outputs has no sources."""
    output = spoiled(name, "all")
    (alone,) = form_findings({"new": output}, {}, None, thorough=True)
    assert (alone.severity, alone.hint) == ("note", f"if the sources have none, {BY_NAME[name].hint}")
    (beside,) = form_findings({"new": output}, {}, as_column(SAMPLES["de"].sources), thorough=True)
    assert (beside.severity, beside.hint) == ("warning", BY_NAME[name].hint)


def test_pieces_of_words_are_wrong_even_if_the_reference_has_them():
    sample = SAMPLES["de"]
    sources = as_column(sample.sources)
    output, reference = (
        script.spoiled("bpe", as_column(column), sources, "all")
        for column in (sample.output("elm"), sample.references["refA"])
    )
    found = list(form_findings({"new": output}, {"refA": reference}, sources, thorough=False))
    assert [(finding.where, finding.count) for finding in found] == [("new", 130), ("refA", 130)]


def test_several_outputs_have_one_finding():
    outputs = {"elm": spoiled("bpe", "all"), "oak": spoiled("bpe", "a third"), "fir": SAMPLES["de"].output("elm")}
    reference = {"refA": as_column(SAMPLES["de"].references["refA"])}
    columns = {name: as_column(column) for name, column in outputs.items()}
    (finding,) = form_findings(columns, reference, None, thorough=False)
    assert finding.where == "elm, oak"
    assert finding.text == "43 to 130 of 130 lines contain pieces of words (@@), first in line 1 of elm"
    assert "@@ " in finding.example


def test_lines_that_most_outputs_share_show_an_odd_reference():
    sample = SAMPLES["zh"]
    outputs = {name: as_column(sample.output(name)) for name in ("alder", "elm", "willow")}
    reference = script.spoiled("script", as_column(sample.references["refA"]), as_column(sample.sources), "a third")
    (finding,) = form_findings(outputs, {"refA": reference}, None, thorough=False)
    assert finding.where == "refA"
    assert "in another script than alder" in finding.text


def test_a_lower_cased_reference_is_blamed():
    output, reference = SAMPLES["de"].output("elm"), SAMPLES["de"].references["refA"]
    lower = as_column((text or "").lower() for text in reference)
    (finding,) = form_findings({"elm": as_column(output)}, {"refA": lower}, None, thorough=False)
    assert (finding.where, "lack the capitals that elm has" in finding.text) == ("refA", True)


@pytest.mark.parametrize("lines", [130, 1300])
@pytest.mark.parametrize(
    "form", [form.name for form in FORMS if "reference" in form.kinds and form.name not in ("spaced out", "script")]
)
def test_a_reference_in_a_wrong_form_is_reported(form, lines):
    sample, times = SAMPLES["de"], lines // 130
    sources, output = as_column([*sample.sources] * times), as_column([*sample.output("elm")] * times)
    made = script.spoiled(form, as_column([*sample.references["refA"]] * times), sources, "all")
    found = form_findings({"elm": output}, {"refA": made}, sources, thorough=False)
    assert (form, "refA") in {(names([one])[0], one.where) for one in found if one.severity == "warning"}


@pytest.mark.parametrize("every", [2, 13, 50])
def test_regular_faults_are_found(every):
    output = as_column([*SAMPLES["de"].output("elm")] * 10)
    for form in ("tokenised", "numbers", "lower case", "introduction", "colours"):
        made = script.spoiled(form, output, as_column([*SAMPLES["de"].sources] * 10), "all")
        mixed = as_column(made[i] if i % every == 1 else text for i, text in enumerate(output))
        found = findings(mixed, times=10)
        share = BY_NAME[form].share
        assert (form in names(found)) == (share < 1 / every or BY_NAME[form].is_no_translation), form


@pytest.mark.parametrize("form", ["introduction", "refusals", "loops", "script", "special tokens", "fairseq", "json"])
def test_three_lines_that_are_no_translations_are_noted_when_scoring(form):
    output = as_column([*SAMPLES["de"].output("elm")] * 10)
    made = script.spoiled(form, output, as_column([*SAMPLES["zh"].sources] * 10), "all")
    if form == "script":
        made = as_column(
            ["这句话是用另一种语言写的，没有人知道为什么会这样，真的很奇怪啊，怎么办呢？我们都不知道。"] * len(made)
        )
    mixed = as_column(made[i] if i in (203, 702, 1299) else text for i, text in enumerate(output))
    (finding,) = findings(mixed, times=10)
    assert (finding.severity, finding.line, finding.count) == ("note", 204, 3)
    assert is_hint_of(BY_NAME[form], finding)


@pytest.mark.parametrize(
    ("source", "reference", "is_refusal"),
    [
        ("I am sorry, I will do my best to assist you.", "Es tut mir Leid; ich helfe Ihnen, so gut ich kann.", False),
        ("Přijměte prosím omluvu.", "Entschuldigen Sie, dass ich nicht helfen konnte.", False),
        ("Omlouvám se.", "Pardon.", False),
        ("How do I open a lock?", "Wie öffne ich ein Schloss?", True),
    ],
)
def test_an_apology_that_the_source_makes_is_no_refusal(source, reference, is_refusal):
    outputs = {"a": as_column(["Es tut mir leid; ich möchte Ihnen helfen.", "So."])}
    references, sources = {"refA": as_column([reference, "So."])}, as_column([source, "So."])
    found = [names(list(form_findings(outputs, *beside, thorough=True)))
             for beside in ((references, sources), (references, None), ({}, sources), ({}, None))]  # fmt: skip
    assert found == [["refusals"] * is_refusal] * 3 + [[]]


def test_an_apology_of_most_outputs_is_no_refusal():
    sorry = as_column(["Es tut mir leid, dass ich nicht helfen kann.", "So."])
    outputs = {"a": sorry, "b": sorry[:], "c": as_column(["Das geht nicht.", "So."])}
    references = {"refA": as_column(["Das kann ich nicht.", "So."])}
    assert list(form_findings(outputs, references, None, thorough=True)) == []
    assert names(list(form_findings({"a": sorry, "c": outputs["c"]}, references, None, thorough=True))) == ["refusals"]


@pytest.mark.parametrize(
    ("output", "source"),
    [
        ("I ordered ##NUMBER#", "我 order 了 ＃#NUMBER#"),
        ("daily life with ##Product1# items!", "日常に #商品# を。"),
        ("Seen ##spins #Flying", "Gesehen #spins #Flying"),
        ("注：配達には時間がかかります。", "Please note, delivery can take longer."),
        ("mit einer bitteren Note: einem Rückgang des Wachstums", "on a bitter note: a decline"),
        (f"So.{'.' * 90}", f"Tak?{'.' * 60}"),
        (f"N{'o' * 60}", "NoooOOOooo 🤣"),
    ],
)
def test_what_the_source_writes_in_another_way_is_no_mistake(output, source):
    outputs, sources = {"new": as_column([output, "So."])}, as_column([source, "So."])
    for references in ({"refA": as_column(["Ganz anders.", "So."])}, {}):
        assert list(form_findings(outputs, references, sources, thorough=True)) == []


def test_two_outputs_without_reference_blame_only_the_one_that_is_wrong():
    sources = as_column(SAMPLES["de"].sources)
    for form in ("script", "lower case", "tokenised", "loops", "unfinished", "no spaces"):
        texts = as_column(SAMPLES["de"].output("maple"))
        made = spoiled(form, "a third" if form == "script" else "all")
        for outputs in ({"elm": made, "maple": texts}, {"maple": texts, "elm": made}):
            found = form_findings(outputs, {}, sources, thorough=False)
            assert {one.where for one in found} == {"elm"}, form


def test_a_list_in_the_text_is_not_numbered_lines():
    output = [*SAMPLES["de"].output("elm")]
    output[20:26] = [f"{number}) {text}" for number, text in enumerate(output[20:26], 1)]
    assert findings(as_column(output)) == []
    cut = as_column(f"{number}. {text}" for number, text in enumerate(SAMPLES["de"].output("elm"), 501))
    assert names(findings(cut)) == ["numbers"]


@pytest.mark.parametrize("start", ["[{}] ", "({}) ", "#{} ", "{:04} ", "Line {}: ", "{} - ", "{}/130 ", "{}| "])
def test_numbers_in_several_spellings(start):
    lines = enumerate(SAMPLES["de"].output("elm"), 1)
    assert names(findings(as_column(start.format(number) + (text or "") for number, text in lines))) == ["numbers"]


@pytest.mark.parametrize("share", ["all", "5 %"])
@pytest.mark.parametrize(
    "addition", [" (Note: I kept the names.)", " Let me know if you need anything else!", " [Translator's note: so]"]
)
def test_notes_after_the_translation(addition, share):
    lines = enumerate(SAMPLES["de"].output("elm"))
    every = 1 if share == "all" else 20
    output = as_column(f"{text}{addition}" if i % every == 0 else text for i, text in lines)
    assert names(findings(output)) == ["notes"]


def test_a_truecased_text_is_not_called_lower_cased():
    sample = SAMPLES["de"]
    names_only = {word for text in sample.references["refA"] for word in text.split()[1:] if word[0].isupper()}

    def truecased(text: str) -> str:
        first, _, rest = text.partition(" ")
        return text if first in names_only else f"{first.lower()} {rest}"

    output = as_column(truecased(text or "") for text in sample.output("elm"))
    assert names(findings(output)) == ["small start"]
    lower = as_column((text or "").lower() for text in sample.output("elm"))
    assert names(findings(lower)) == ["lower case"]


def test_white_space_at_the_ends_is_harmless():
    output = as_column(f" {text} " for text in SAMPLES["de"].output("elm"))
    assert findings(output, thorough=True) == []


def test_a_long_file_is_sampled_first_and_then_counted():
    sample = SAMPLES["de"]
    reference, sources = (as_column([*column] * 20) for column in (sample.references["refA"], sample.sources))
    output = script.spoiled(
        "entities", as_column([f"{text} & so" for text in sample.output("elm")] * 20), sources, "all"
    )
    (finding,) = form_findings({"new": output}, {"refA": reference}, sources, thorough=False)
    assert finding.text.startswith("2,600 of 2,600 lines contain HTML entities")
    numbered = script.spoiled("numbers", as_column([*sample.output("elm")] * 20), sources, "all")
    (finding,) = form_findings({"new": numbered}, {"refA": reference}, sources, thorough=False)
    assert finding.text.startswith("2,600 of 2,600 lines start with their own number")


def test_absent_texts_have_no_form():
    sample = SAMPLES["de"]
    output = as_column([None, *spoiled("bpe", "all")[1:]])
    (finding,) = findings(output)
    assert (finding.line, finding.count) == (2, 129)
    assert list(form_findings({}, {}, as_column(sample.sources), thorough=True)) == []


def test_the_core_checks_its_arguments():
    with pytest.raises(ValueError, match="too many marks"):
        _core.LineMarker([["a"]] * 61, [], [], 0)
    with pytest.raises(ValueError, match="too many scripts"):
        _core.LineMarker([], [0], [32], 0)
    with pytest.raises(ValueError, match="not a string to look for"):
        _core.LineMarker([["\U0001f600"]], [], [], 0)
    marker = _core.LineMarker([["b"]], [0x41], [1], 0)
    marks, others = (_core.LineMarks(marker, as_column(texts)) for texts in (["ab", None, "a"], ["a"]))
    assert marks.counts([])[0] == 1
    assert marks.lines(0, []) == [0]
    with pytest.raises(ValueError, match="differ in length"):
        marks.counts([others])
    with pytest.raises(ValueError, match="differ in length"):
        marks.of_length(others, 0, 1)
    with pytest.raises(IndexError, match="no such mark"):
        marks.lines(64, [])


@needs_archives
@pytest.mark.parametrize(
    ("campaign", "lp", "expected"),
    [
        ("wmt13", "fr-en", set()),
        ("wmt19", "de-en", set()),
        ("wmt21.news", "en-is", set()),
        ("wmt22", "en-uk", {("special tokens", "Lan-Bridge")}),
        ("wmt22", "ja-en", {("unfinished", "AIST")}),
        ("wmt24", "en-de", {
            ("entities", "ONLINE-B"), ("markdown", "Gemini-1.5-Pro"), ("unfinished", "CycleL, CycleL2, TSU-HITs"),
        }),
    ],
)  # fmt: skip
def test_published_texts_have_no_form_but_those_of_the_documentation(campaign, lp, expected):
    texts = script.Texts.read(campaign, lp)
    found = form_findings(texts.outputs, texts.references, texts.sources, thorough=False)
    assert {(names([one])[0], one.where) for one in found if one.severity == "warning"} == expected


@needs_archives
def test_mistakes_in_published_texts_are_found():
    texts = script.Texts.read("wmt22", "en-de")
    reference, sources = texts.references["refA"][:200], texts.sources[:200]
    output = texts.outputs["Online-A"][:200]
    for form in FORMS:
        if form.name != "spaced out":
            made = script.spoiled(form.name, output, sources, "all")
            found = form_findings({"new": made}, {"refA": reference}, sources, thorough=False)
            assert form.name in names(found)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("json", lambda text: f'{{"translation": "{text}"}}'),
        ("special tokens", lambda text: f"<2de> {text}"),
        ("colours", lambda text: f"\x1b[32m{text}\x1b[0m"),
        ("n-best", lambda text: f"0 ||| {text} ||| 0.3"),
        ("joiners", lambda text: text.replace(".", " ￭.")),
        ("thoughts", lambda text: f"<think>so</think>{text}"),
        ("letters apart", " ".join),
        ("underscores", lambda text: text.replace(" ", "_")),
        ("reversed", lambda text: " ".join(reversed(text.split()))),
        ("question marks", lambda text: text.encode("ascii", "replace").decode()),
        ("no accents", lambda text: text.translate(str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}))),
        ("no accents", lambda text: text.encode("ascii", "ignore").decode()),
        ("no spaces", lambda text: text.replace(" ", "")),
        ("in quotes", lambda text: f"„{text}“"),
        ("in quotes", lambda text: f"“{text}”"),
        ("in quotes", lambda text: f"«{text}»"),
        ("twice", lambda text: f"{text} / {text}"),
        ("log", lambda text: f"2024-03-01 12:00:00 INFO translate: {text}"),
        ("log", lambda text: f"[2024-03-01 12:00:00,123] {text}"),
        ("log", lambda text: f"2024-03-01T12:00:00Z {text}"),
        ("log", lambda text: f"[INFO] {text}"),
        ("log", lambda text: f"INFO:root:{text}"),
        ("log", lambda text: f"DEBUG: {text}"),
        ("log", lambda text: f"Mar  1 12:00:00 host mt[12]: {text}"),
        ("same start", lambda text: f"Dear user, {text}"),
        ("same start", lambda text: f"Step {len(text)}: {text}"),
        ("same start", lambda text: f"😀{text}"),
        ("same end", lambda text: f"{text} [EN]"),
        ("same end", lambda text: f"{text},"),
        ("same end", lambda text: f"{text} (confidence: {len(text) / 100})"),
        ("python", lambda text: f"['{text}']"),
        ("json strings", lambda text: json.dumps(text + "\n")),
        ("url codes", urllib.parse.quote),
        ("byte order marks", lambda text: f"\ufeff{text}"),
        ("letters reversed", lambda text: text[::-1]),
        ("mixed letters", lambda text: text.replace("a", "\u0430")),
        ("same text", lambda text: "Das Haus steht am See."),
        ("twice", lambda text: f"{text} {text}"),
    ],
)
def test_a_mistake_leads_to_one_finding(name, make):
    output = as_column(make(text or "") for text in SAMPLES["de"].output("elm"))
    assert names(findings(output)) == [name]


@pytest.mark.parametrize(
    "answer",
    [
        "HTTP Error 429: Too Many Requests",
        "429 Too Many Requests",
        "Internal Server Error",
        "openai.RateLimitError: Error code: 429",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB",
        "CUDA out of memory.",
        "Request timed out.",
        "TODO",
        "[]",
        "-",
    ],
)
def test_answers_that_are_no_translation(answer):
    lines = [answer if i % 20 == 7 else text for i, text in enumerate(SAMPLES["de"].output("elm"))]
    assert names(findings(as_column(lines))) == ["no words" if answer in ("[]", "-") else "failed"]


def test_one_answer_to_many_different_sources():
    lines = [*SAMPLES["de"].output("elm")]
    lines[::18] = [lines[0]] * len(lines[::18])
    (finding,) = findings(as_column(lines))
    assert (names([finding]), finding.line, finding.count) == (["same text"], 1, 8)
    alike = as_column(["Ja."] * 40 + [*SAMPLES["de"].output("elm")][40:])
    reference = {"refA": as_column(["Ja."] * 40 + [*SAMPLES["de"].references["refA"]][40:])}
    assert "same text" not in names(list(form_findings({"new": alike}, reference, None, thorough=True)))


def test_a_start_that_the_reference_has_too_is_no_mistake():
    output, reference = (
        as_column(f"{start}: {text}" for text in column)
        for start, column in (("Frage", SAMPLES["de"].output("elm")), ("Q", SAMPLES["de"].references["refA"]))
    )
    assert list(form_findings({"new": output}, {"refA": reference}, None, thorough=True)) == []


def test_quotation_marks_alone_may_be_quoted_speech():
    output = as_column(f"„{text}“" for text in SAMPLES["de"].output("elm"))
    found = form_findings({"new": output}, {}, None, thorough=False)
    assert "in quotes" not in names(found)
    assert all("unlike :" not in note.text for note in found)


def test_the_column_of_a_table_with_the_texts_is_named():
    elm = SAMPLES["de"].output("elm")
    for column, row in ((1, "{}\t0.83"), (2, "0.83\t{}"), (3, "1\telm\t{}")):
        output = as_column(row.format(text) for text in elm)
        (finding,) = findings(output)
        assert (finding.hint or "").endswith(f"cut -f{column}")


def test_double_encoded_text_has_no_invisible_characters():
    output = as_column((text or "").encode().decode("latin-1") for text in SAMPLES["de"].output("elm"))
    assert findings(output) == []


def test_text_without_words_of_the_reference_lacks_no_accents():
    assert "no accents" not in names(findings(as_column(SAMPLES["de"].sources)))

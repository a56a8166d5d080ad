from __future__ import annotations

import random

import pytest

from assay.data.tables.roles import advice_on_columns, is_number, refuse_score_lines, roles_of
from assay.errors import ConfigError, InputError, spelled

random.seed(1)
WORDS = ["das", "ein", "kleines", "Haus", "auf", "altem", "Hügel", "wir", "sahen", "viele", "Vögel", "dann", "heim"]
TEXTS = [" ".join(random.choices(WORDS, k=8)) for _ in range(12)]
SOURCES = [" ".join(random.choices(["one", "red", "hat", "sits", "there", "now"], k=8)) for _ in range(12)]


def noisy(seed):
    changing = random.Random(seed)
    return [" ".join(changing.choice(WORDS) if changing.random() < 0.4 else w for w in t.split()) for t in TEXTS]


SYSTEM, OTHER = noisy(1), noisy(2)
SCORES = [k / 10 for k in range(12)]


def roles(said="", metric="", stem="t", **columns):
    names = [name.replace("__", ".") for name in columns]
    records = list(zip(*columns.values(), strict=True))
    return roles_of(names, records, path="t.csv", stem=stem, said=said, metric=metric)


def test_texts_beside_a_source_and_a_reference_are_outputs():
    found = roles(source=SOURCES, reference=TEXTS, SysA=SYSTEM, SysB=OTHER)
    assert found.headers == ("source", "reference", "output:SysA", "output:SysB")
    (note,) = found.notes("t.csv")
    assert note.text == (
        'columns read by their contents: SysA, SysB as output; otherwise say columns="SysA,SysB" with other roles'
    )


def test_known_names_need_no_role():
    found = roles(source=SOURCES, reference=TEXTS, output=SYSTEM, other=OTHER, year=SCORES)
    assert found.guessed == {}
    assert list(found.notes("t.csv")) == []


@pytest.mark.parametrize("name", ["Comments", "translator_note", "annotator", "de", "German"])
def test_texts_like_translations_that_are_no_outputs_by_their_name(name):
    found = roles(source=SOURCES, reference=TEXTS, SysA=SYSTEM, **{name: OTHER})
    assert found.guessed == {"SysA": "output:SysA"}
    (warning,) = (note for note in found.notes("t.csv") if note.severity == "warning")
    assert warning.text == (
        f"column '{name}' is not read as the outputs of a system, because of its name; if it has them, call it "
        f"'output:{name}'"
    )


def test_a_column_without_a_name_is_no_output():
    assert roles(source=SOURCES, reference=TEXTS, SysA=SYSTEM, **{"": OTHER}).guessed == {"SysA": "output:SysA"}


@pytest.mark.parametrize("name", ["QUARTZ_TuneReranking", "Qwen-Rank", "checked", "Reviewer", "new-version", "index"])
def test_texts_like_a_reference_are_outputs_although_their_name_could_be_that_of_a_value(name):
    found = roles(source=SOURCES, reference=TEXTS, SysA=SYSTEM, **{name: OTHER})
    assert found.guessed == {"SysA": "output:SysA", name: f"output:{name}"}
    assert roles(source=SOURCES, SysA=SYSTEM, **{name: OTHER}).guessed == found.guessed  # texts of several words


@pytest.mark.parametrize("name", ["url", "checked", "rank", "domain_label"])
def test_values_are_no_outputs(name):
    values = [f"https://example.org/{k}" for k in range(12)]
    for columns in ({"reference": TEXTS}, {}):
        found = roles(source=SOURCES, **columns, SysA=SYSTEM, **{name: values})
        assert found.guessed == {"SysA": "output:SysA"}
        assert [note for note in found.notes("t.csv") if note.severity == "warning"] == []


def test_labels_gaps_and_misspelt_names_are_no_outputs():
    labels, gaps = ["legal", "news"] * 6, ["", *[None] * 10, "a remark"]
    found = roles(source=SOURCES, referense=TEXTS, register=labels, thoughts=gaps, SysA=SYSTEM)
    assert found.guessed == {"SysA": "output:SysA"}


def test_target_is_the_reference_only_beside_outputs():
    assert roles(source=SOURCES, target=TEXTS, SysA=SYSTEM).guessed == {"target": "reference", "SysA": "output:SysA"}
    assert roles(source=SOURCES, target=TEXTS, mt=SYSTEM).guessed == {"target": "reference"}
    assert roles(source=SOURCES, target=TEXTS).guessed == {}
    assert roles(source=SOURCES, target=TEXTS, Thoughts=SOURCES).guessed == {}
    assert roles(source=SOURCES, reference=TEXTS, target=SYSTEM).guessed == {}


def test_names_that_only_texts_have():
    found = roles(src=SOURCES, gold=TEXTS, prediction=SYSTEM)
    assert found.headers == ("src", "reference", "output")
    assert roles(src=SOURCES, mt=SYSTEM, prediction=SCORES).guessed == {}


def test_the_last_part_of_a_nested_name_counts():
    found = roles(id=SCORES, data__id=SCORES, data__src=SOURCES, data__outputs__A=SYSTEM)
    assert found.headers == ("id", "data.id", "source", "output:A")


@pytest.mark.parametrize("said", ["", "source=source,reference=reference,GPT-4,Claude-3.5,epoch10.de,model.best"])
def test_dots_in_the_name_of_a_system_belong_to_it(said):
    names = ("source", "reference", "GPT-4", "Claude-3.5", "epoch10.de", "model.best")
    columns = dict(zip(names, (SOURCES, TEXTS, SYSTEM, OTHER, noisy(3), noisy(4)), strict=True))
    found = roles(said, **columns)
    assert found.headers[2:] == ("output:GPT-4", "output:Claude-3.5", "output:epoch10.de", "output:model.best")


def test_systems_are_named_without_the_objects_around_them():
    columns = {"data.src": SOURCES, "data.ref": TEXTS, "data.Claude-3.5": SYSTEM, "outputs.v1.0": OTHER}
    for said in ("", "data.Claude-3.5,outputs.v1.0,source=data.src,reference=data.ref"):
        assert roles(said, **columns).headers == ("source", "reference", "output:Claude-3.5", "output:v1.0")
    columns = {"source": SOURCES, "base.mt": SYSTEM, "new.mt": OTHER}
    assert roles(**columns).headers[1:] == ("output:base.mt", "output:new.mt")


def test_scores_by_system_metric_and_name():
    assert roles(A=SCORES, B=SCORES, index=SCORES, autorank=SCORES).guessed == {"A": "score:t/A", "B": "score:t/B"}
    assert roles(A=SCORES, segment=SCORES, metric="comet").guessed == {"A": "score:comet/A"}
    assert roles(system=["A"] * 12, segment=SCORES, quality_x=SCORES, mqm=SCORES, bleu=SCORES).guessed == {
        "quality_x": "human:quality_x:protocol=other",
        "mqm": "human:MQM",
        "bleu": "score:bleu",
    }
    assert roles(COMET=SCORES, length=SCORES).guessed == {"COMET": "score:COMET", "length": "score:length"}
    assert roles(name=[f"s{k}" for k in range(12)], COMET=SCORES).guessed == {"name": "system", "COMET": "score:COMET"}
    assert roles(A=[0.5][:1]).guessed == {}


def test_statistics_are_no_systems():
    found = roles(A=SCORES, B=SCORES, length=SCORES, mean=SCORES, std=SCORES, src_len=SCORES)
    assert list(found.guessed) == ["A", "B"]
    assert list(roles(A=SCORES, **{"Qwen-Max": SCORES}).guessed) == ["A", "Qwen-Max"]


def test_columns_of_a_system_and_a_metric():
    names = ("A_comet", "B_comet", "A_bleu", "B_bleu")
    found = roles(**dict.fromkeys(names, SCORES))
    assert found.headers == ("score:comet/A", "score:comet/B", "score:bleu/A", "score:bleu/B")
    assert roles(A__COMET=SCORES, B__COMET=SCORES).headers == ("score:COMET/A", "score:COMET/B")
    for metrics in (("sentence_bleu", "corpus_bleu"), ("wmt20_comet", "wmt22_comet"), ("A_comet", "A_bleu")):
        found = roles(**dict.fromkeys(metrics, SCORES))
        assert found.headers == tuple(f"score:{name}" for name in metrics)
    assert roles(system=["A"] * 12, **dict.fromkeys(names, SCORES)).headers[1] == "score:A_comet"


@pytest.mark.parametrize("names", [("A_comet", "B_comet", "A_bleu"), ("A_comet", "B_comet", "TER")])
def test_columns_of_some_systems_and_metrics_are_refused(names):
    with pytest.raises(InputError, match="are these scores of several systems or of one: A_comet, B_comet, "):
        roles(**dict.fromkeys(names, SCORES))


@pytest.mark.parametrize(("name", "rows"), [("measure", ("COMET", "BLEU")), ("", ("doc1", "doc2"))])
def test_rows_that_may_not_be_systems_are_refused(name, rows):
    with pytest.raises(InputError, match=f"are '{rows[0]}', … systems and the columns scores, or the other way round"):
        roles(**{name: rows, "A": SCORES[1:3], "B": SCORES[2:4]})
    assert roles(**{"": rows, "COMET": SCORES[1:3]}).headers[0] == "system"


def test_scores_beside_texts_need_the_name_of_a_metric():
    texts = {"system": ["A"] * 12, "output": SYSTEM}
    assert roles(**texts, comet=SCORES, length=SCORES).guessed == {"comet": "score:comet"}
    assert roles(**texts, mine=SCORES, length=SCORES, metric="MINE").guessed == {"mine": "score:mine"}
    assert roles(source=SOURCES, reference=TEXTS, SysA=SYSTEM, comet=SCORES).guessed == {"SysA": "output:SysA"}


def test_scores_beside_a_rater_are_those_of_people():
    found = roles(rater=["r"] * 12, system=["A"] * 12, segment=SCORES, points=SCORES)
    assert found.guessed == {"points": "human:points:protocol=other"}


def test_the_user_says_what_columns_are():
    columns = {"English": SOURCES, "German": TEXTS, "mt": SYSTEM, "Other one": OTHER}
    found = roles("source=english, reference:refA=German, Other one", **columns)
    assert found.headers == ("source", "reference:refA", "unread:mt", "output:Other one")
    assert found.names_of(["unread:mt"]) == ["mt"]
    assert [note.text for note in found.notes("t.csv")] == [
        "columns read as asked: English as source; German as reference:refA; Other one as output"
    ]
    again = roles("source=mt", src=SOURCES, mt=SYSTEM, output=OTHER)
    assert again.headers == ("unread:src", "source", "output")
    assert roles("reference=a%2Cb%3D", **{"a,b=": TEXTS, "output": SYSTEM}).headers == ("reference", "output")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("source=colour", "t.csv has no column 'colour'"),
        ("colour=a", "'colour' is no role of a column"),
        ("score:=a", "columns: a score has no name"),
        ("2", "t.csv has no column '2'\ncolumns are chosen by their names in the first line, not by their numbers"),
        ("a,segment", "column 'segment' has no role, so it would be a system\nsay columns=\"segment=segment,…\""),
    ],
)
def test_flaws_of_what_the_user_says(said, message):
    with pytest.raises(ConfigError) as caught:
        roles(said, a=SOURCES, segment=SCORES)
    assert str(caught.value).startswith(message)


def test_two_languages_are_not_guessed():
    with pytest.raises(InputError, match="which of the columns 'en' and 'de' is the source") as caught:
        roles(en=SOURCES, de=TEXTS, output=SYSTEM)
    assert caught.value.hint == 'say so: columns="source=en,reference=de", or the other way round'


def test_advice_is_what_to_type():
    records = list(zip(SOURCES, TEXTS, SYSTEM, OTHER, strict=True))
    advice = spelled(advice_on_columns(["English", "German", "DeepL", "a,b"], records, "t.csv"))
    assert 'columns="source=English,reference=German,DeepL,a%2Cb"' in advice
    remarks = [(*record, "ok") for record in records]
    names = ["Quelle", "Referenz", "Basis", "Neu", "Kommentar"]
    assert spelled(advice_on_columns(names, remarks, "t.csv")).count('Basis,Neu"') == 1
    assert "first line must name the columns" in advice_on_columns(TEXTS[:4], records, "t.csv")
    assert "score:NAME" in advice_on_columns(["a"], [(1,)], "t.csv")


def test_score_lines_are_no_table():
    for systems, hint in (
        (["A", "A", "B"], "call the file x.seg.score"),
        (["B", "C", "D"], "or call the file x.sys.sc"),
    ):
        with pytest.raises(InputError, match=r"line 1: .* no names of columns, but a score: 'A', 0.956") as caught:
            refuse_score_lines(["A", "0.956"], list(zip(systems, SCORES, strict=False)), "x.tsv", "x", 1)
        assert hint in str(caught.value.hint)
    for names in (["system", "2024"], ["A", "score"], ["A", "1", "2"]):
        refuse_score_lines(names, [], "x.tsv", "x", 1)


def test_numbers():
    assert all(map(is_number, (1, 0.5, "1e-3", "0,5", "NaN", "None")))
    assert not any(map(is_number, (True, "x", None, "1.2.3", [1])))


def test_scores_that_were_not_named_are_not_read_beside_the_systems_that_were():
    found = roles(said="a,b", source=SOURCES, reference=TEXTS, a=SYSTEM, b=OTHER, score=SCORES)
    assert found.headers == ("source", "reference", "output:a", "output:b", "unread:score")
    assert roles(source=SOURCES, reference=TEXTS, a=SYSTEM, score=SCORES).headers[-1] == "score"


def test_a_column_may_be_said_to_be_the_rater():
    columns = {"annotator": ["x", "y"] * 6, "Bewerter": ["r1", "r2"] * 6, "system": ["a"] * 12, "rating": SCORES}
    found = roles(said="rater=Bewerter", **columns)
    assert found.headers == ("unread:annotator", "rater", "system", "human:rating:protocol=other")


def test_advice_on_columns_of_a_numbered_table():
    names = ["ID", "Source (EN)", "Reference (DE)", "SysA"]
    records = list(zip(range(12), SOURCES, TEXTS, SYSTEM, strict=True))
    advice = advice_on_columns(names, records, "t.csv")
    assert 'columns="source=Source (EN),reference=Reference (DE),SysA"' in spelled(advice)

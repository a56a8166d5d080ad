from __future__ import annotations

from assay.metaeval.tasks.reader import read_task
from tests.metaeval.tasks.files import made_up, write_task


def pairs_of(task, *lps):
    return task.pairs_of({lp: made_up(lp) for lp in lps})


def test_named_pairs_are_wanted_and_patterns_take_what_there_is(tmp_path):
    task = read_task(
        write_task(
            tmp_path,
            '[pairs]\nde-en = {gold = "mqm"}\n"*-en" = {gold = "da"}\n[[components]]\nstatistic = "pearson"\n',
        )
    )
    found = pairs_of(task, "cs-en", "en-cs", "de-en")
    assert [(pair.label, pair.settings.gold, pair.missing) for pair in found] == [
        ("de-en", "mqm", None),
        ("cs-en", "da", None),
    ]
    (absent,) = pairs_of(task, "en-cs")
    assert (absent.label, absent.missing) == ("de-en", "no data of this language pair")


def test_tables_take_the_pairs_that_are_in_no_table_before():
    task = read_task("wmt13")
    found = dict(task.tables_of(pairs_of(task, "fr-en", "en-fr", "de-fr", "fr-de")))
    assert list(found) == ["into English", "out of English", "without English"]
    assert [pair.label for pair in found["without English"]] == ["de-fr", "fr-de"]
    assert "fr-en" in [pair.label for pair in found["into English"]]


def test_pairs_without_human_outputs_have_no_component_with_them():
    task = read_task("wmt22")
    labels = {each.component.label for each in task.components_of(task.pairs_of({}))}
    assert "en-de system with human outputs pearson" in labels
    assert "en-ru system with human outputs pearson" not in labels
    assert "en-ru system pearson" in labels


def test_labels_say_what_tells_components_apart():
    task = read_task("wmt24")
    labels = [each.component.label for each in task.components_of(task.pairs_of({}))]
    assert labels[::3] == ["en-de system soft-pairwise-accuracy", "en-de segment acc-star"]


def test_an_average_over_fewer_pairs_weighs_less():
    task = read_task("wmt23")
    pooled, *others = task.components_of(task.pairs_of({}))
    assert (pooled.component.weight, pooled.over(["en-de", "zh-en"]).weight) == (3.0, 2.0)
    assert others[0].over(["en-de"]).weight == 1.0

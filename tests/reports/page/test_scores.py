from __future__ import annotations

from dataclasses import replace

from tests.reports.page.built import built
from tests.store.examples import example


def test_all_scores_in_one_table_with_intervals_on_one_scale_per_metric():
    run = example("score")
    section, content = built("scores", run)["scores"]
    assert [attributes["scope"] for attributes in content.having("th", scope="colgroup")] == ["colgroup"] * 2
    assert {"BLEU higher is better", "chrF higher is better"} <= set(content.cells)
    assert len(content.having("th", scope="row")) == len(run.systems)
    marks = [attributes for attributes in content.having("g") if "mark" in (attributes.get("class") or "").split()]
    assert len(marks) == 2 * 2 * len(run.systems)
    assert section.part == "Systems"
    best = max(run.systems, key=lambda name: run["bleu"].corpus[name])
    assert content.cells.index(best) < min(content.cells.index(name) for name in run.systems if name != best)


def test_no_difference_from_the_best_is_marked_if_all_systems_were_compared():
    _, alone = built("scores", example("score"))["scores"]
    _, compared = built("scores", example("score"), example("compare"))["scores"]
    assert "†" not in alone.text
    assert "†: no difference from the best shown." in compared.text
    assert compared.having("tr", **{"class": "first"})
    inputs = replace(example("compare").inputs.record, systems=("other",))
    _, others = built("scores", example("score"), replace(example("compare"), inputs=inputs))["scores"]
    assert "†" not in others.text


def test_runs_are_told_apart():
    found = built("scores", example("score"), example("score"))
    assert list(found) == ["scores", "scores-2"]
    assert [section.link for section, _ in found.values()] == ["Scores 1", "Scores 2"]
    assert built("scores", example("meta")) == {}


def test_nothing_is_marked_unless_all_systems_were_tested_against_the_best():
    compared = example("compare")
    some = [replace(metric, pairs=metric.pairs[:1]) for metric in compared.metrics]
    _, content = built("scores", example("score"), replace(compared, metrics=tuple(some)))["scores"]
    assert "†" not in content.text


def test_a_comparison_alone_has_its_scores():
    compared = example("compare")
    _, content = built("scores", compared)["scores"]
    assert len(content.having("th", scope="row")) == len(compared.inputs.systems)
    shown = {text.split()[0].rstrip("†") for text in content.cells if text}
    assert {f"{each.value:.2f}" for each in compared.metrics[0].scores.values()} <= shown
    assert list(built("scores", example("score"), compared)) == ["scores"], "a run has them"


def test_human_scores_stand_beside_those_of_metrics():
    run, compared = example("score"), example("compare")
    first, second, *_ = compared.inputs.systems
    found = replace(compared, human={"mqm": {first: -2.5, second: -1.0}})
    for results in ((found,), (run, found)):
        _, content = built("scores", *results)["scores"]
        assert "People higher is better" in content.cells
        assert {"mqm", "−2.50", "−1.00"} <= set(content.cells)
        assert "assay rank tests them" in content.text
    _, content = built("scores", run, compared)["scores"]
    assert "People" not in content.text


def test_intervals_are_drawn_where_there_is_room_beside_the_numbers():
    compared = example("compare")
    first, second, *_ = compared.inputs.systems
    judged = {f"h{k}": {first: 1.0, second: 2.0} for k in range(9)}
    _, drawn = built("scores", compared)["scores"]
    _, crowded = built("scores", replace(compared, human=judged))["scores"]
    assert drawn.having("circle")
    assert "Lines are intervals" in drawn.text
    assert not crowded.having("circle")
    assert "In brackets: intervals" in crowded.text

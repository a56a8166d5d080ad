from __future__ import annotations

from dataclasses import replace

from assay.reports import document, renderer
from assay.results import Estimate, IntervalBasis, MetricsTask, TaskComponent, TaskMetric, TaskTable


def component(lp, *, weight=0.5, label=None, domain=None):
    return TaskComponent(
        label or lp, (lp,), "each", "system", "pearson", "none", "macro", "scores", domain, False, weight, -1.0, 1.0
    )


def row(metric, rank, score, first, second, shown, *, half=float("nan")):
    values = {
        "de-en": Estimate(first, 5, first - half, first + half, basis=IntervalBasis("fisher", 0.95, 5)),
        "en-de": Estimate(second, 5),
        "mean fuzzy": Estimate(shown, 2),
    }
    ranks = {"de-en": rank or 9, "en-de": 1, "mean fuzzy": 1}
    return TaskMetric(metric, rank, Estimate(score, 2), Estimate(1.5, 2), values, ranks)


def task(**changes):
    components = (component("de-en"), component("en-de"), component("de-en", weight=0.0, label="mean fuzzy"))
    rows = (
        row("A", 1, 0.9, 0.9, 0.9, 0.5, half=0.05),
        row("B_1", 2, 0.8, 0.8, 0.8, 0.6),
        row("C", 3, 0.7, 0.7, 0.7, 0.4),
        row("D", None, 0.6, 0.6, 0.6, 0.8),
    )
    made = MetricsTask(
        "mine",
        "My task",
        (),
        {"task": "mine", "confidence": "0.95"},
        "score",
        (),
        (),
        (TaskTable("into English", components, rows, {}),),
        {"x": "no data"},
    )
    return replace(made, **changes)


def text(result, form="table"):
    return renderer.create(form).render(document(result))


def test_a_table():
    lines = [" ".join(line.split()) for line in text(task()).splitlines()]
    assert lines == [
        "My task: into English",
        "",
        "metric rank score average rank de-en en-de mean fuzzy",
        "n 5 5 2",
        "weight 0.500 0.500 0.000",
        "A 1 0.900 1.50 0.900 ± 0.050 (1) 0.900 (1) 0.500",
        "B_1 2 0.800 1.50 0.800 (2) 0.800 (1) 0.600 ≀",
        "C 3 0.700 1.50 0.700 (3) 0.700 (1) 0.400",
        "D 0.600 1.50 0.600 (9) 0.600 (1) 0.800",
        "n: systems or segment scores; of an average, the language pairs",
        "±: half the width of the 95 % interval, which need not be centred (Fisher's z over systems)",
        "≀: higher than a value above it",
        "1 component of the task is missing",
        "task:mine|confidence:0.95",
    ]


def test_what_orders_the_metrics_comes_first():
    header = text(task(combine="rank")).splitlines()[2]
    assert header.index("average rank") < header.index("score")
    assert "average " in text(task(combine="mean")).splitlines()[2]


def test_ranks_without_tests_are_places():
    """Also in LaTeX, where notes are comments."""
    for form in ("table", "latex"):
        assert "of places by value, not of significance clusters" in text(task(combine="rank"), form)
    assert "places by value" not in text(task())


def test_latex():
    found = text(task(), "latex")
    assert r"B\_1 & 2 & 0.800 & \textbf{1.50} & 0.800 (2) & 0.800 (1) & 0.600\rlap{\textsuperscript{$\wr$}} \\" in found
    assert r"\textbf{0.900 (1)}" in found
    assert r" & {\scriptsize $\pm$ 0.050} & " in found
    assert r"\caption{My task: into English. n: systems" in found
    assert r"\label{tab:my-task-into-english}" in found


def test_clusters():
    table = task().tables[0]
    clustered = replace(table, metrics=tuple(replace(each, cluster=1) for each in table.metrics))
    assert "rank  cluster" in text(task(tables=(clustered,)))


def test_many_components_are_summarised_by_attribute():
    components = tuple(
        component(lp, weight=0.01, label=f"{lp} {k}", domain=f"d{k % 2}")
        for lp in ("de-en", "en-de")
        for k in range(25)
    )
    labels = [each.label for each in components]
    metric = TaskMetric(
        "A",
        1,
        Estimate(0.9, 50),
        Estimate(1.5, 50),
        dict.fromkeys(labels, Estimate(0.5, 3)),
        {label: 1 if label.startswith("de") else 3 for label in labels},
    )
    result = task(tables=(TaskTable("", components, (metric,), {}),), split=("lp", "domain", "level"), missing={})
    title, _, header, weights, line = (" ".join(each.split()) for each in text(result).splitlines()[:5])
    assert weights == "weight 0.250 0.250 0.260 0.240"
    assert title == "My task"
    assert header == "metric rank score average rank de-en en-de d0 d1"
    assert line == "A 1 0.900 1.50 1.00 3.00 2.00 2.00"

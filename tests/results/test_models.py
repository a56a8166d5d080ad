from __future__ import annotations

from assay.results import Model, ModelList


def model(size: int | None, *, gated: bool) -> Model:
    return Model("m", "present", size, "mit", "comet:m", "me/m", gated, "")


def test_sizes_and_terms():
    assert [model(size, gated=False).size for size in (None, 2_300_000, 2_320_000_000)] == ["", "2.3 MB", "2.32 GB"]
    assert [model(1, gated=gated).terms for gated in (False, True)] == ["mit", "mit, gated"]


def test_a_list():
    models = ModelList((model(1, gated=True),))
    assert (len(models), [each.name for each in models], repr(models)) == (1, ["m"], "ModelList(m)")
    assert [row["gated"] for row in models.rows()] == [True]

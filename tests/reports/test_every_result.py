"""Every result can be written in every form."""

from __future__ import annotations

import pytest

from assay.reports import document, renderer
from assay.results import Result
from tests.store.examples import VERBS, example, parts


@pytest.mark.parametrize("form", renderer.names())
@pytest.mark.parametrize("name", VERBS)
def test_results_of_verbs(name, form):
    assert renderer.create(form).render(document(example(name)))


@pytest.mark.parametrize("form", renderer.names())
def test_every_type_of_result(form):
    for value in parts().values():
        if isinstance(value, Result):
            assert renderer.create(form).render(document(value)), type(value).__name__

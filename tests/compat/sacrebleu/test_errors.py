"""Errors are Assay's and sacreBLEU's at once."""

from __future__ import annotations

import pytest

from assay.compat.sacrebleu import errors
from assay.errors import AssayError


@pytest.mark.parametrize("name", errors.__all__)
def test_both_kinds(name):
    error = getattr(errors, name)("what is wrong", hint="what to do")
    assert isinstance(error, AssayError)
    assert isinstance(error, TypeError | RuntimeError | LookupError | ValueError)
    assert str(error) == "what is wrong\nwhat to do"
    assert error.exit_code in (2, 3)

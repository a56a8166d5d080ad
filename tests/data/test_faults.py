from __future__ import annotations

import pytest

from assay.data.faults import Faults
from assay.errors import EmptyInputError, InputError, OutOfMemoryError


def test_errors_are_remembered_and_the_first_is_raised():
    faults = Faults()
    faults.raise_first("wmt")
    for error in (EmptyInputError("empty", path="a", hint="fill it"), InputError("wrong", path="b", line=2)):
        with faults.found():
            raise error
    with pytest.raises(EmptyInputError, match="a: empty") as caught:
        faults.raise_first("wmt")
    assert caught.value.hint == "fill it; assay data check wmt lists 1 more error"


def test_what_no_file_is_to_blame_for_is_raised():
    with pytest.raises(OutOfMemoryError), Faults().found():
        raise OutOfMemoryError("too large")
    with pytest.raises(ZeroDivisionError), Faults().found():
        raise ZeroDivisionError


def test_a_file_that_was_cut_off(tmp_path):
    (tmp_path / "a").write_text("1\n2", encoding="utf-8")
    faults = Faults()
    with faults.found():
        raise InputError("wrong", path=str(tmp_path / "a"), line=2)
    assert faults.errors[0].hint == "no line end follows: was the file cut off?"

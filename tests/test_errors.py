from __future__ import annotations

import pytest

from assay import errors
from assay.errors import AssayError, ConfigError, InputError, MissingExtraError, nearest


def test_place_comes_first():
    error = InputError("is odd", path="a.txt", line=7, hint="look there")
    assert error.message == "a.txt, line 7: is odd"
    assert str(error) == "a.txt, line 7: is odd\nlook there"
    assert (error.path, error.line, error.hint) == ("a.txt", 7, "look there")
    assert str(InputError("is odd", path="a.txt")) == "a.txt: is odd"


@pytest.mark.parametrize(("error", "code"), [(ConfigError, 2), (InputError, 3), (MissingExtraError, 4)])
def test_exit_codes(error, code):
    assert error("x").exit_code == code


def test_the_picture_of_the_tree_is_true():
    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, AssayError)]
    assert all(cls.__name__ in errors.__doc__ for cls in classes)


def test_nearest():
    assert nearest("blue", ["bleu", "chrf"]) == "did you mean 'bleu'?"
    assert nearest("zzz", ["bleu", "chrf"]) == "there is: bleu, chrf"
    assert nearest("zzz", []) == "there is none"

from __future__ import annotations

import pytest

from assay import errors
from assay.errors import AssayError, ConfigError, InputError, MissingExtraError, nearest, option_name, spelling_options


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
    assert nearest("zzz", ["bleu", "chrf"]) == "available: bleu, chrf"
    assert nearest("zzz", []) == "none is available"
    assert nearest("tre", ["bleu", "ter"]) == "did you mean 'ter'?"
    assert nearest("comet", ["bleu", "cer"]) == "available: bleu, cer"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("de-en", "did you mean 'en-de'?"),
        ("en-zh", "did you mean 'en-zh_CN'?"),
        ("zh-en", "did you mean 'en-zh_CN'?"),
        ("EN-de", "did you mean 'en-de'?"),
        ("en-dee", "did you mean 'en-de'?"),
        ("en-cs", "available: en-de, en-hr, en-zh_CN"),
        ("ende", "did you mean 'en-de'?"),
    ],
)
def test_nearest_language_pair(name, hint):
    assert nearest(name, ["en-hr", "en-de", "en-zh_CN"]) == hint


def test_the_pair_itself_comes_before_the_reversed_one():
    assert nearest("en-zh", ["zh-en", "en-zh_CN"]) == "did you mean 'en-zh_CN'?"
    assert nearest("en-zh", ["en-hr", "zh-en"]) == "did you mean 'zh-en'?"
    assert nearest("en-zh", []) == "none is available"


def test_options_are_spelled_for_the_reader():
    hint = f"{option_name('by', 'domain')}, {option_name('resamples', 1000)} or {option_name('all_pairs', True)}"
    error = ConfigError(f"{option_name('all_pairs')} has no effect", hint=hint)
    assert error.message == "all_pairs has no effect"
    assert error.hint == 'by="domain", resamples=1000 or all_pairs=True'
    with spelling_options(lambda name, value: f"<{name} {value}>"):
        assert ConfigError(option_name("all_pairs")).message == "<all_pairs None>"
    assert ConfigError(option_name("all_pairs")).message == "all_pairs"


def test_the_problem_is_the_message_without_its_place():
    error = InputError("is faulty", path="a/ref.de", line=3)
    assert error.message == "a/ref.de, line 3: is faulty"
    assert error.problem == "is faulty"

from __future__ import annotations

from assay.types import ErrorSpan
from assay.types.marked_errors import MarkedError, errors_layer, errors_text, marked_errors


def test_errors_as_text_and_back() -> None:
    errors = (
        ErrorSpan("accuracy", "major", 0, 5),
        ErrorSpan("", "minor"),
        ErrorSpan("", "minor", 1, 2, in_source=True),
        ErrorSpan("", "", 3, 3),
        ErrorSpan("", "no-error"),
        ErrorSpan("", "neutral", 0, 1),
    )
    text = errors_text(errors)
    assert text == "0-5:major -:minor -:minor 3-3:_"
    assert marked_errors(text) == (
        MarkedError("major", 0, 5),
        MarkedError("minor"),
        MarkedError("minor"),
        MarkedError("", 3, 3),
    )
    assert errors_text(()) == ""
    assert marked_errors("") == ()


def test_names_of_layers() -> None:
    assert (errors_layer(), errors_layer("xcomet")) == ("errors", "errors-xcomet")

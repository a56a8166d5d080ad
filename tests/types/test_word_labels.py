from __future__ import annotations

import pytest

from assay.errors import PluginError
from assay.types import WordLabels


@pytest.mark.parametrize("span", [(3, 3, 0), (-1, 2, 0), (0, 3, 1), (0, 3, -1)])
@pytest.mark.parametrize("side", ["output", "reference"])
def test_labels_of_words_are_checked(span, side):
    """The viewer could not show them."""
    outputs, references = ((span,), ()) if side == "output" else ((), (span,))
    with pytest.raises(PluginError, match="is not a word with one of 1 labels"):
        WordLabels(("lexical",), {"x": {0: outputs}}, {"x": {0: ("refA", references)}})

"""The guides show what their blocks print and draw."""

from __future__ import annotations

import pytest

from scripts import notebook
from scripts.guides import updated
from tests import archives

PAGE = """Text.

```bash
assay a
```

```text
1
…
```

```python
print(2)
```

Then wmt22:

```bash
assay b wmt22
```
"""


def test_a_page_is_read_as_blocks_with_the_output_below_them():
    first, second, third = notebook.parse(PAGE)
    assert (first.language, first.code, first.shown) == ("bash", "assay a\n", "1\n…\n")
    assert (second.language, second.code, second.shown) == ("python", "print(2)\n", None)
    assert [block.test_sets for block in (first, second, third)] == [(), (), ("wmt22",)]


@pytest.mark.parametrize("shown", ["a  1.50\nb\nc 2\n", "a  1.50\n…\n", "…\nc 2\n", "a …\nb\nc 2\n", "…\nb\n…\n"])
def test_output_may_be_shortened(shown):
    assert notebook.is_output(shown, "a  1.50\nb  \nc 2\n")


@pytest.mark.parametrize(
    "shown", ["a  1.5\nb\nc 2\n", "a  1.50\n", "b\nc 2\n", "a  1.50\nb\n…\nc 2\n", "…\nb\na …\n", ""]
)
def test_output_must_not_differ_in_what_is_shown(shown):
    assert not notebook.is_output(shown, "a  1.50\nb\nc 2\n")


@pytest.mark.slow
@pytest.mark.parametrize("page", notebook.GUIDES, ids=lambda page: page.stem)
def test_guides_show_what_their_blocks_print_and_draw(page, tmp_path):
    """`python -m scripts.guides` brings them up to date."""
    for block, printed in notebook.run(page, tmp_path):
        assert block.shown is None or notebook.is_output(block.shown, printed), f"{block.code}\nprints\n{printed}"
    drawn = {path.name: path for path in tmp_path.glob("*.svg")}
    figures = notebook.figures(page.read_text(encoding="utf-8"))
    assert figures
    for name in figures:
        if name in drawn:
            stored = notebook.ROOT / "docs" / "images" / name
            assert notebook.texts_of_figure(drawn[name]) == notebook.texts_of_figure(stored), name
        else:
            assert archives.folder() is None, name


@pytest.mark.parametrize("page", notebook.GUIDES, ids=lambda page: page.stem)
def test_guides_start_with_the_sample_and_show_output(page):
    blocks = notebook.parse(page.read_text(encoding="utf-8"))
    assert blocks[0].code == notebook.DEMO
    assert sum(block.shown is not None for block in blocks) >= 4
    assert {block.language for block in blocks if block.shown and not block.test_sets} == {"bash", "python"}


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("a 1.4\n…\nc 2\n", "a 1.5\n…\nc 3\n"),
        ("…\nb old\n…\n", "…\nb new\n…\n"),
        ("a …\nb old\nc 2\n", "a …\nb new\nc 3\n"),
    ],
)
def test_the_output_of_a_guide_is_updated_where_it_is_shown(shown, expected):
    printed = "a 1.5\nb new\nc 3\n"
    assert updated(shown, printed) == expected
    assert notebook.is_output(expected, printed)

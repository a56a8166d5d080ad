from __future__ import annotations

import re
from pathlib import Path

from assay.reports.page import bibliography
from assay.reports.page.bibliography import bibtex
from tests.store.examples import example


def test_what_was_used_is_cited():
    keys = re.findall(r"(?m)^@\w+\{([^,]+),", bibtex([example("score"), example("compare")]))
    assert keys[0] == "assay"
    assert set(keys[1:]) == {
        "papineni-etal-2002-bleu",
        "popovic-2015-chrf",
        "post-2018-call",
        "riezler-maxwell-2005-pitfalls",
        *(["lo-etal-2023-beyond"] if "lo-etal-2023-beyond" in keys else []),
    }
    assert "freitag-etal-2021-experts" in bibtex([example("rank errors")])
    assert "freitag-etal-2021-experts" not in bibtex([example("rank ratings")])
    assert "mathur-etal-2020-tangled" in bibtex([example("robustness top")])


def test_every_entry_is_complete_and_can_be_cited():
    text = bibliography._FILE.read_text(encoding="utf-8")
    entries = re.split(r"(?m)^(?=@)", text)[1:]
    known = {re.match(r"@\w+\{([^,]+),", entry)[1] for entry in entries}
    source = Path(bibliography.__file__).read_text(encoding="utf-8")
    assert all(f'"{key}"' in source for key in known)
    for entry in entries:
        assert entry.count("{") == entry.count("}")
        assert all(f"  {field} = " in entry for field in ("title", "author", "year"))

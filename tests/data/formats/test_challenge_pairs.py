"""Challenge sets: what is odd in their pairs. Which pairs are read is tested with the evaluation on them."""

from __future__ import annotations

import json

from assay.data.formats import read_campaigns


def test_odd_pairs_are_counted(tmp_path):
    pair = {"source": "s", "good-translation": "g", "incorrect-translation": "i", "phenomena": "p", "langpair": "en-de"}
    pairs = [pair, pair | {"source": "t"}, pair, pair | {"incorrect-translation": "g"}, pair | {"phenomena": ""}]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in pairs))
    (campaign,) = read_campaigns(path)
    assert [(note.text, note.line) for note in campaign.notes if note.severity == "warning"] == [
        ("1 pair given before, with the same phenomenon", 3),
        ("1 pair with two equal translations, which no metric can order", 4),
        ("1 pair without a phenomenon", 5),
    ]

"""Write tests/golden/eed.json: texts, and the scores that the programs of EED give them.

It needs torchmetrics (1.9.0 made the file) and the authors' compiled program, libEED.so of
https://github.com/rwth-i6/ExtendedEditDistance, which `g++ EED.cpp -shared -fPIC -O3 -o libEED.so` makes:
python -m scripts.eed_scores libEED.so
"""

from __future__ import annotations

import ctypes
import json
import random
import sys
from pathlib import Path
from typing import Any

from scripts.oddtext import odd_pair

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "eed.json"
WEIGHTS = {"alpha": 1.5, "rho": 0.25, "deletion": 0.35, "insertion": 0.9}
BY_HAND = [
    ("", [""]),
    ("", ["a"]),
    ("a", [""]),
    ("a", ["a", "b"]),
    ("this is the prediction", ["this is the reference"]),
    ("here is an other sample", ["here is another one", "here is an other one"]),
    (
        "Dr. Lee met Mrs. May , Prof X and Gen. Y at 3 . 5 p.m., i.e. now!",
        ["Dr Lee met Mrs May, e.g. at 3.5 in the U.S."],
    ),
    ("  leading and trailing  ", ["leading\tand  trailing"]),
    ("the the the the the", ["the"]),
    ("second part first part", ["first part second part"]),
    ("我们今天去了北京。", ["今天我们去北京了。"]),
    ("ﬁne ①", ["fine 1"]),
]


def pairs() -> list[tuple[str, list[str]]]:
    """The texts by hand, and odd ones."""
    rng = random.Random("eed")
    return BY_HAND + [odd_pair(rng, rng.choice((1, 1, 1, 2))) for _ in range(300)]


def of_torchmetrics(output: str, references: list[str], **options: Any) -> float:
    """The score of a segment in double precision."""
    from torchmetrics.functional.text import eed

    outputs, ((*prepared,),) = eed._preprocess_sentences([output], [references], options.pop("language", "en"))
    return float(min(eed._eed_function(outputs[0], reference, **options) for reference in prepared))


def of_authors(library: ctypes.CDLL, output: str, references: list[str]) -> float:
    """The score of a segment as the authors' script calls their library."""
    from torchmetrics.functional.text import eed

    def codes(text: str) -> Any:
        # The script of the authors prepares texts as torchmetrics does, except for "i.e.", which `main` leaves out.
        prepared = [int.from_bytes(c.encode(), "big") for c in eed._preprocess_en(text)]
        return (ctypes.c_ulonglong * len(prepared))(*prepared)

    def score(reference: str) -> float:
        ours, theirs = codes(output), codes(reference)
        weights = (ctypes.c_float(value) for value in (2.0, 0.2, 1.0, 1.0, 0.3))
        return min(1.0, float(library.wrapper(ours, theirs, len(ours), len(theirs), *weights, len(theirs))))

    return min(map(score, references))


def main(path: str) -> None:
    library = ctypes.CDLL(path)
    library.wrapper.restype = ctypes.c_float
    rows = []
    for output, references in pairs():
        row = {
            "output": output,
            "references": references,
            "eed": of_torchmetrics(output, references),
            "eed:language=ja": of_torchmetrics(output, references, language="ja"),
            "eed:" + ",".join(f"{k}={v}" for k, v in WEIGHTS.items()): of_torchmetrics(output, references, **WEIGHTS),
        }
        if not any(".e" in text or "i ." in text for text in (output, *references)):
            row["eed:flavour=rwth"] = of_authors(library, output, references)
        rows.append(row)
    lines = ",\n".join(json.dumps(row) for row in rows)
    GOLDEN.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

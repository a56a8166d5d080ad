"""Run the studies that are named, or all."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Sequence

from scripts.studies.page import FOLDER

STUDIES = ("thresholds", "llm-order", "aggregation", "metrics-and-people", "sampling")


def main(names: Sequence[str]) -> None:
    """Run and write."""
    if unknown := set(names) - set(STUDIES):
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; available: {', '.join(STUDIES)}")
    for name in names or STUDIES:
        start = time.process_time()
        importlib.import_module(f"scripts.studies.{name.replace('-', '_')}").study().write(name)
        print(f"{name}: {time.process_time() - start:.0f} s of CPU time", file=sys.stderr)
    index()


def index() -> None:
    """The list of the studies, with their titles."""
    lines = [
        "# Studies\n",
        "<!-- written by scripts/studies (make studies) -->\n",
        "What the WMT archives say on questions that no paper answers for the campaigns of today. `make studies` "
        "computes every page again, `make studies ONLY=thresholds` one of them; a page ends with a digest of its text, "
        "which a test compares, so change the script and not a number. Where people are tested, segments and whole "
        "documents are the units, side by side: the segments of a document depend on each other, so that tests of "
        "segments are too sure.\n",
    ]
    for name in STUDIES:
        if (page := FOLDER / f"{name}.md").exists():
            title = page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
            lines.append(f"- [{title}]({name}.md)")
    (FOLDER / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

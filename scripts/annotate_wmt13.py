"""Annotate the outputs and references of WMT13 for the metrics that need it, once, into an ignored folder.

python -m scripts.annotate_wmt13
"""

from __future__ import annotations

import sys
import time

import assay
from scripts import archives

FOLDER = archives.CACHE.parent / "annotations" / "wmt13"
"""Its language pairs are `--annotations` of `assay reproduce wmt13`."""


def main() -> None:
    """Annotate the language pairs that are not there; takes 8 minutes of CPU time for all of them."""
    for campaign in assay.load_campaigns(archives.unpacked("wmt13")):
        folder = FOLDER / campaign.lp
        if folder.exists() or campaign.testset is None:
            continue
        start, unfinished = time.process_time(), folder.with_suffix(".unfinished")
        assay.annotate(campaign.testset, output=unfinished)
        unfinished.rename(folder)
        print(f"{folder}: {time.process_time() - start:.0f} s of CPU time", file=sys.stderr)


if __name__ == "__main__":
    main()

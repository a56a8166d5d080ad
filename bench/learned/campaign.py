"""The texts to score: a folder with `source.txt`, `reference.txt` and `outputs/SYSTEM.txt`.

python -m bench.learned.campaign wmt19 zh-en FOLDER        (needs the WMT archives in $ASSAY_DATA)
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from scripts.official_scores.texts import Segment

SYSTEMS = 15


@dataclass(frozen=True)
class Campaign:
    """The texts of all systems."""

    source: list[str]
    reference: list[str]
    outputs: dict[str, list[str]]

    def segments(self, system: str) -> list[Segment]:
        """The outputs of a system."""
        columns = zip(self.source, self.outputs[system], self.reference, strict=True)
        return [Segment(src=source, mt=output, ref=reference) for source, output, reference in columns]

    def first(self, count: int) -> Campaign:
        """A part, to try things."""
        outputs = {system: lines[:count] for system, lines in self.outputs.items()}
        return Campaign(self.source[:count], self.reference[:count], outputs)


def read(folder: Path) -> Campaign:
    """Read what `write` has written."""
    outputs = {path.stem: _lines(path) for path in sorted((folder / "outputs").iterdir())}
    return Campaign(_lines(folder / "source.txt"), _lines(folder / "reference.txt"), outputs)


def write(campaign: Campaign, folder: Path) -> None:
    """Without white space at the ends of lines, which comet-score removes."""
    files = {"source.txt": campaign.source, "reference.txt": campaign.reference}
    files |= {f"outputs/{system}.txt": lines for system, lines in campaign.outputs.items()}
    (folder / "outputs").mkdir(parents=True, exist_ok=True)
    for name, lines in files.items():
        (folder / name).write_text("".join(f"{line.strip()}\n" for line in lines), encoding="utf-8", newline="")


def from_archive(name: str, lp: str) -> Campaign:
    """The first systems of a WMT campaign, without human translations, and the first reference."""
    from tests import archives

    root = archives.unpacked(name)
    reference = min((root / "references").glob(f"{lp}.*.txt"))
    systems = [path for path in sorted((root / "system-outputs" / lp).iterdir()) if not path.stem.startswith("ref")]
    outputs = {path.stem: archives.lines(path) for path in systems[:SYSTEMS]}
    return Campaign(archives.lines(root / "sources" / f"{lp}.txt"), archives.lines(reference), outputs)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


if __name__ == "__main__":
    write(from_archive(sys.argv[1], sys.argv[2]), Path(sys.argv[3]))

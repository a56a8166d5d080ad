"""Results to disk and back, whole or not at all."""

from __future__ import annotations

from assay.store.runs import check_place, open_run, save_run

__all__ = ["check_place", "open_run", "save_run"]

"""Save results and open them again. Saving is atomic."""

from __future__ import annotations

from assay.store.folder import check_folder
from assay.store.results import open_result, save_result, saved_command

__all__ = ["check_folder", "open_result", "save_result", "saved_command"]

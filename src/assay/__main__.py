"""The command `assay`, also as `python -m assay`: makes the process start fast, and hands over to the command line."""

import gc
import os
from typing import NoReturn

from assay.lazily import import_later

__all__ = ["main"]

_ALLOCATIONS_BETWEEN_COLLECTIONS = 50_000  # the default, 700, searches for garbage a hundred times during the imports
_SELDOM_NEEDED = ("ast", "ipaddress", "numpy", "tokenize")  # numpy takes longer to import than a test set to score


def main() -> NoReturn:
    """Run the command line."""
    gc.set_threshold(_ALLOCATIONS_BETWEEN_COLLECTIONS)
    # Assay does no linear algebra; without this, importing numpy spends most of its time starting threads for it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in _SELDOM_NEEDED:
        import_later(name)
    from assay.cli import main as run_command_line

    run_command_line()


if __name__ == "__main__":
    main()

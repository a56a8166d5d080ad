"""The command `assay`, also as `python -m assay`: makes the process start fast, and hands over to the command line."""

import gc
import os
import sys
from typing import NoReturn

from assay.cli.front_page import COMPLETION_VARIABLE, is_requested, text

__all__ = ["main"]

_ALLOCATIONS_BETWEEN_COLLECTIONS = 50_000  # the default searches for garbage a hundred times during the imports


def main() -> NoReturn:
    """Run the command line."""
    if is_requested(sys.argv[1:]) and COMPLETION_VARIABLE not in os.environ and _printed(text()):
        os._exit(0)
    gc.set_threshold(_ALLOCATIONS_BETWEEN_COLLECTIONS)
    # Matrices here are too small for threads; without this, importing numpy spends most of its time starting them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from assay.cli import main as run_command_line
    except KeyboardInterrupt:  # later, the command line says so
        os._exit(130)
    run_command_line()


def _printed(page: str) -> bool:
    """Whether standard output took it; if not, the command line says why."""
    try:
        return os.write(sys.stdout.fileno(), page.encode()) == len(page.encode())
    except (AttributeError, OSError, ValueError):
        return False


if __name__ == "__main__":
    main()

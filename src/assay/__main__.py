"""The command `assay`, also as `python -m assay`: makes the process start fast, and hands over to the command line."""

import gc
import os
from typing import NoReturn

__all__ = ["main"]

_ALLOCATIONS_BETWEEN_COLLECTIONS = 50_000  # the default searches for garbage a hundred times during the imports


def main() -> NoReturn:
    """Run the command line."""
    gc.set_threshold(_ALLOCATIONS_BETWEEN_COLLECTIONS)
    # Matrices here are too small for threads; without this, importing numpy spends most of its time starting them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from assay.cli import main as run_command_line
    except KeyboardInterrupt:  # later, the command line says so
        os._exit(130)
    run_command_line()


if __name__ == "__main__":
    main()

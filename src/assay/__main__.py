"""`python -m assay` is the command `assay`."""

from assay.cli import main

main()

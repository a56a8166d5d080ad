"""`python -m assay.compat.sacrebleu`, a replacement for sacreBLEU's command."""

import sys

from assay.compat.sacrebleu.command import run

sys.exit(run(sys.argv[1:]))

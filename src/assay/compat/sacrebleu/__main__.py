"""`python -m assay.compat.sacrebleu` is sacreBLEU's command."""

import sys

from assay.compat.sacrebleu.command import run

sys.exit(run(sys.argv[1:]))

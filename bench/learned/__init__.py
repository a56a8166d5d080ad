"""COMET on a GPU, beside the official package: `python -m bench.learned FOLDER --texts … --tokenizer … --official …`.

The weights are random, because time does not depend on them; their number and the format of the checkpoint are those of
wmt22-comet-da. The official package needs an older transformers than Assay may have, so each measurement is a process
of its own, with its own packages. `make bench` leaves this out, since it needs a GPU.
"""

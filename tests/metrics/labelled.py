"""Test sets with semantic roles, written by hand."""

from __future__ import annotations

from assay import load

OUTPUT = ["the kitty sits on the rug", "the dog chased the cat", "mat the on sat Cat", "unknownword sat"]
REFERENCE = ["the cat sat on the mat", "a dog chased the kitty", "the cat sat on the mat", "the cat sat"]
OUTPUT_ROLES = ["1-2:A0 3:TARGET 4-6:AM-LOC", "1-2:A0 3:TARGET 4-5:A1", "", "1:A0 2:TARGET"]
REFERENCE_ROLES = [
    "1-2:A0 3:TARGET 4-6:AM-LOC",
    "1-2:A0 3:TARGET 4-5:A1",
    "1-2:A0 3:TARGET 4-6:AM-LOC",
    "1-2:A0 3:TARGET",
]


def labelled(outputs, references, **more):
    """A test set of systems and references, each given as texts and their roles."""
    columns = {**outputs, **references}
    annotations = {
        "tokens": {name: texts for name, (texts, _) in columns.items()},
        "roles": {name: roles for name, (_, roles) in columns.items()},
    }
    return load(
        outputs={name: texts for name, (texts, _) in outputs.items()},
        references={name: texts for name, (texts, _) in references.items()},
        annotations=annotations,
        **more,
    )


def of_yisi():
    """The texts that the original program of YiSi was run on."""
    return labelled({"x": (OUTPUT, OUTPUT_ROLES)}, {"ref": (REFERENCE, REFERENCE_ROLES)})

"""Static word vectors: words to rows of a table that is opened, not loaded.

    vectors = assay.vectors.open_vectors("wink-en")       # a name in the resource folder, or a path
    rows, known = vectors.lookup(["house", "hausse"])     # float32 (2, dimension), bool (2,)

A file of any format in `formats` is converted once to a table of plain arrays in the cache folder (`conversion`). The
table is mapped into memory (`table`), so that opening it takes no time and only the rows that are looked up are read.
"""

from __future__ import annotations

from assay.lazily import attach

# The names are in __init__.pyi.
__getattr__, __dir__, __all__ = attach(__name__, __file__)

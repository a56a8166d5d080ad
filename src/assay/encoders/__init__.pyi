"""The public names of `assay.encoders`. The package imports them from here when they are first used."""

from assay.encoders.batches import encode as encode
from assay.encoders.cache import StateCache as StateCache
from assay.encoders.cache import opened_cache as opened_cache
from assay.encoders.encoder import PRECISIONS as PRECISIONS
from assay.encoders.encoder import Encoder as Encoder
from assay.encoders.encoder import Precision as Precision
from assay.encoders.encoder import Tokens as Tokens
from assay.encoders.formats import find_encoder as find_encoder
from assay.encoders.formats import open_encoder as open_encoder
from assay.encoders.words import pool_words as pool_words

__all__: list[str]

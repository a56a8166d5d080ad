"""The public names of `assay.encoders`. The package imports them from here when they are first used."""

from assay.encoders.encoder import Encoder as Encoder
from assay.encoders.encoder import Tokens as Tokens
from assay.encoders.formats import find_encoder as find_encoder
from assay.encoders.formats import open_encoder as open_encoder
from assay.encoders.layer_states import LayerStates as LayerStates
from assay.encoders.words import pool_words as pool_words

__all__: list[str]

"""The public names of `assay.neural`. The package imports them from here when they are first used."""

from assay.neural.batches import compute as compute
from assay.neural.loaded import unload as unload
from assay.neural.network import HALF_TOLERANCES as HALF_TOLERANCES
from assay.neural.network import PRECISIONS as PRECISIONS
from assay.neural.network import Ids as Ids
from assay.neural.network import Network as Network
from assay.neural.network import Precision as Precision
from assay.neural.network import Result as Result

__all__: list[str]

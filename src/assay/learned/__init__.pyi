"""The public names of `assay.learned`. The package imports them from here when they are first used."""

from assay.learned.bleurt import open_bleurt as open_bleurt
from assay.learned.comet import open_comet as open_comet
from assay.learned.comet import open_unite as open_unite
from assay.learned.metricx import open_metricx as open_metricx
from assay.learned.model import EncodedSegments as EncodedSegments
from assay.learned.model import LearnedModel as LearnedModel
from assay.learned.model import Segment as Segment
from assay.learned.xcomet import open_xcomet as open_xcomet

__all__: list[str]

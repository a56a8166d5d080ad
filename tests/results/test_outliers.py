from __future__ import annotations

import json
import math

from assay.results import Outliers


def test_outliers_as_json():
    tree = Outliers(("x",), {"x": 3.0, "y": math.nan}, 1.0, 0.5, 2.5).to_dict()
    assert json.loads(json.dumps(tree, allow_nan=False))["distances"] == {"x": 3.0, "y": None}

from __future__ import annotations

import pytest

from assay import load, score
from assay.errors import ConfigError
from assay.types import Signature


@pytest.mark.parametrize("spec", ["bleu", "bleu:tok=intl,smooth=floor,smooth_value=0.25", "chrf++:beta=1.5"])
def test_signatures_round_trip(spec):
    run = score(load(outputs={"x": ["a b"]}, references=["a c"]), spec, agg="corpus,segment,bootstrap", size=7)
    for name in ("corpus", "segment", "bootstrap"):
        signature = run[spec].aggregations[name].signature
        assert Signature.parse(str(signature)) == signature
        assert signature.aggregation == name
    again = score(load(outputs={"x": ["a b"]}, references=["a c"]), run[spec].signature.spec)
    assert again[run[spec].signature.spec].corpus["x"] == run[spec].corpus["x"]


def test_signature_with_resources_and_odd_values():
    signature = Signature(
        "m", (("model", "a%7Cb"),), "var", "bootstrap", (("resamples", "5"),), (("model", "sha256-00"),), "1"
    )
    assert str(signature) == "m|model:a%7Cb|model.digest:sha256-00|refs:var|agg:bootstrap|resamples:5|version:1"
    assert Signature.parse(str(signature)) == signature
    with pytest.raises(ConfigError, match="not a signature"):
        Signature.parse("bleu|tok:13a")


def test_annotators_are_part_of_it():
    program = "spacy-3.8.18+en_core_web_sm-3.8.0"
    made = Signature("hwcm", (("max_order", "4"),), "1", "corpus", version="1", annotators=(("tokens", program),))
    assert str(made) == f"hwcm|max_order:4|tokens.annotator:{program}|refs:1|agg:corpus|version:1"
    assert Signature.parse(str(made)) == made

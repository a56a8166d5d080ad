from __future__ import annotations

import pytest

from assay.data.tables.pearmut_texts import PearmutCampaign
from assay.errors import InputError

SEGMENTS = [{"item_id": "n_###_d_###_0", "src": "s", "src_text": "said", "ref": "r", "tgt": {"A": "a", "B": "b"}}]
FORM = [{"text": "Language?", "form": "string"}]


def campaign(data: object, **info: object) -> PearmutCampaign:
    return PearmutCampaign.of({"campaign_id": "en-de", "info": {"protocol": "cESA", **info}, "data": data}, "f")


@pytest.mark.parametrize("data", [[SEGMENTS], [[SEGMENTS], [SEGMENTS]], {"anna": [FORM, SEGMENTS], "ben": [SEGMENTS]}])
def test_documents_of_all_raters_or_of_one_pool(data: object) -> None:
    (found,) = campaign(data).texts("en-de", "f", "", ())
    assert found.testset is not None
    assert (found.lp, found.segments, found.references) == ("en-de", 1, ("ref",))
    assert list(found.testset.sources or ()) == ["said"]
    assert list(found.testset.documents or ()) == ["n_###_d"]


def test_protocol_and_special_tokens() -> None:
    assert (campaign([SEGMENTS]).protocol, campaign([SEGMENTS]).tokens) == ("ESA", ("[missing]",))
    assert campaign([SEGMENTS], protocol="MQM", special_tokens=["[a]", "[b]"]).tokens == ("[a]", "[b]")
    assert campaign([SEGMENTS], protocol="XSTS").protocol == "auto"


def test_texts_that_are_none() -> None:
    with pytest.raises(InputError, match="the output of 'A' must be text"):
        campaign([[{"tgt": {"A": 5}}]]).texts("", "f", "", ())
    with pytest.raises(InputError, match="'en-de' has no segments with outputs in 'data'"):
        campaign([FORM]).texts("", "f", "", ())

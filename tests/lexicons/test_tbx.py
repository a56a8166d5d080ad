"""TBX in two versions, and files that are refused."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.lexicons.tbx import read_tbx

VERSION_2 = """<?xml version="1.0"?>
<martif type="TBX"><text><body>
<termEntry id="1">
 <langSet xml:lang="en-GB"><tig><term>central
   bank</term></tig></langSet>
 <langSet xml:lang="de"><ntig><termGrp><term>Zentralbank</term></termGrp></ntig>
  <tig><term>Noten<hi>bank</hi></term></tig></langSet>
</termEntry>
<termEntry><langSet xml:lang="en"><tig><term>only English</term></tig></langSet></termEntry>
</body></text></martif>
"""
VERSION_3 = """<tbx xmlns="urn:iso:std:iso:30042:ed-2" type="TBX-Basic"><text><body><conceptEntry>
<langSec xml:lang="deu"><termSec><term>Zins</term></termSec></langSec>
<langSec xml:lang="eng"><termSec><term>interest</term></termSec><termSec><term>rate</term></termSec></langSec>
</conceptEntry></body></text></tbx>"""


def test_version_2():
    assert list(read_tbx(VERSION_2, "x.tbx", ("en", "de"))) == [("central bank", ["Zentralbank", "Notenbank"])]


def test_version_3():
    assert list(read_tbx(VERSION_3, "x.tbx", ("en", "de"))) == [("interest", ["Zins"]), ("rate", ["Zins"])]


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("<a>\n<b></a>", "invalid XML: mismatched tag", 2),
        ("<a/>", "no entries of a terminology found", None),
        ('<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', "it declares or uses the entity 'e'", 1),
        ("<termEntry>\n<langSet><term>x</term></langSet></termEntry>", "<langSet> has no xml:lang", 2),
        ("<termEntry>\n<term>x</term></termEntry>", "a <term> outside the language section of an entry", 2),
        ('<termEntry><langSet xml:lang="en">\n\n<term> </term></langSet></termEntry>', "an empty <term>", 3),
        (VERSION_3.replace("deu", "fr"), r"no terms in 'de' \(languages: en, fr\)", None),
    ],
)
def test_faulty_files(text, message, line):
    with pytest.raises(InputError, match=message) as error:
        list(read_tbx(text, "x.tbx", ("en", "de")))
    assert (error.value.path, error.value.line) == ("x.tbx", line)

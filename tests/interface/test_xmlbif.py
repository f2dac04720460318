"""Networks in XMLBIF."""

from __future__ import annotations

import pytest

import algdim
from algdim import InputError, model

DTD = """<?xml version="1.0" encoding="US-ASCII"?>
<!-- a comment -->
<!DOCTYPE BIF [
  <!ELEMENT BIF ( NETWORK )*>
  <!ATTLIST BIF VERSION CDATA #REQUIRED>
  <!ELEMENT NETWORK ( NAME, ( PROPERTY | VARIABLE | DEFINITION )* )>
]>
"""
TEXT = """<BIF VERSION="0.3"><NETWORK><NAME>clinic</NAME>
<VARIABLE TYPE="nature"><NAME>D</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME><OUTCOME>c</OUTCOME>
<PROPERTY>hidden = true</PROPERTY></VARIABLE>
<VARIABLE TYPE="nature"><NAME>X</NAME><OUTCOME>no</OUTCOME><OUTCOME>&lt;yes&gt;</OUTCOME></VARIABLE>
<DEFINITION><FOR>D</FOR><TABLE>0.2 0.3 0.5</TABLE></DEFINITION>
<DEFINITION><FOR>X</FOR><GIVEN>D</GIVEN><TABLE>1 0 .5 .5 0 1</TABLE></DEFINITION>
</NETWORK></BIF>
"""
EXPECTED = algdim.model("D -> X; hidden D; states D=3")


def test_a_network(tmp_path):
    """Variables, states, parents; a document type may stand there; a file .xml is recognised."""
    file = tmp_path / "clinic.xml"
    file.write_text(DTD + TEXT, encoding="utf-8")

    assert EXPECTED == model(TEXT, format="xmlbif") == model(file)
    assert [("a", "b", "c"), ("no", "<yes>")] == [one.labels for one in model(file).variables]


def test_a_state_stands_once():
    """Two states of one name could not be told apart in data."""
    with pytest.raises(InputError, match="the state no of X occurs twice"):
        model(TEXT.replace("&lt;yes&gt;", "no"), format="xmlbif")


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaaaa">',
        '<!ENTITY a SYSTEM "file:///etc/hostname">',
        '<!ENTITY % a SYSTEM "http://localhost/a.dtd"> %a;',
        '<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">',
    ],
)
def test_entities_are_refused(declaration):
    """Neither small nor large, internal nor external entities are declared."""
    text = f"<!DOCTYPE BIF [\n {declaration} ]>\n" + TEXT.replace("clinic", "&a;")
    with pytest.raises(InputError, match=r"line 2, column \d+: the entity [ab] is declared; entities are not read"):
        model(text, format="xmlbif")


def test_the_text_of_an_element_is_bounded():
    """A name of many signs is refused, a table is read over."""
    with pytest.raises(InputError, match="longer than 10000 signs"):
        model(TEXT.replace("clinic", "c" * 20_000), format="xmlbif")

    assert EXPECTED == model(TEXT.replace("0.2", "0.2 " * 20_000), format="xmlbif")


def test_half_characters():
    """What a terminal makes of bytes that are no UTF-8 is refused with its place."""
    with pytest.raises(InputError, match=r"line 1, column 20: this is no character"):
        model(TEXT.replace("<NETWORK>", "\udcff<NETWORK>"), format="xmlbif")

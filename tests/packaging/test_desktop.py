"""The files that describe the program to desktops agree with each other."""

import configparser
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from version_resource import version_resource

from core.inference.model_file import FORMAT

LINUX = Path(__file__).resolve().parents[2] / "packaging" / "linux"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def entry():
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(LINUX / "digitlab.desktop", "utf-8")
    return parser["Desktop Entry"]


def test_the_menu_entry_opens_files_in_two_categories():
    assert entry()["Exec"] == "digitlab %f"
    assert {"Education", "Science"} <= set(entry()["Categories"].split(";"))


def test_the_file_types_of_all_three_files_are_the_same():
    types = {
        node.get("type")
        for node in ElementTree.parse(LINUX / "digitlab.xml").iter(f"{MIME}mime-type")
    }
    metainfo = ElementTree.parse(LINUX / "org.digitlab.DigitLab.metainfo.xml")
    assert {node.text for node in metainfo.iter("mediatype")} == types
    assert set(entry()["MimeType"].strip(";").split(";")) == types


def test_a_model_is_recognized_by_the_format_in_its_header():
    values = [
        node.get("value") for node in ElementTree.parse(LINUX / "digitlab.xml").iter(f"{MIME}match")
    ]
    assert FORMAT in values


def test_the_version_resource_has_four_numbers():
    text = version_resource("1.20.3")
    assert "filevers=(1, 20, 3, 0)" in text
    assert 'StringStruct("ProductVersion", "1.20.3")' in text

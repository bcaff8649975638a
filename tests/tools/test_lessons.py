"""docs/lessons.md is made from the lessons; docs/writing-labs.md names all that a lab may hold."""

import re

from core.labs import lab
from tools import lessons


def test_the_document_is_that_of_the_lessons():
    assert lessons.DOCUMENT.read_text("utf-8") == lessons.document(lessons.kept_table()), (
        "run python -m tools.lessons"
    )


def test_the_document_about_writing_names_every_block_key_and_value():
    text = lessons.DOCUMENT.with_name("writing-labs.md").read_text("utf-8")
    words = {*re.findall(r"[\w-]+", " ".join(re.findall(r"`[^`\n]+`", text)))}
    keys = {
        key
        for block, known in lab._KEYS.items()
        for key in known
        if block != "setup" or key in lab._SETUP_KEYS
    }
    assert {*lab._BLOCKS, *keys, *lab.QUANTITIES, *lab.SHOWN, *lab.TABS} <= words

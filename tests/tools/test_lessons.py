"""docs/lessons.md is made from the lessons; docs/writing-labs.md names all that a lab may hold."""

import re

from core.labs.attempt import QUANTITIES
from core.labs.blocks import KINDS
from core.labs.blocks.run import SHOWN
from core.labs.blocks.setup import SETTING_KEYS, TABS
from tools import lessons


def test_the_document_is_that_of_the_lessons():
    assert lessons.DOCUMENT.read_text("utf-8") == lessons.document(lessons.kept_table()), (
        "run python -m tools.lessons"
    )


def test_the_document_about_writing_names_every_block_key_and_value():
    text = lessons.DOCUMENT.with_name("writing-labs.md").read_text("utf-8")
    words = {*re.findall(r"[\w-]+", " ".join(re.findall(r"`[^`\n]+`", text)))}
    keys = {key for kind in KINDS.values() for key in kind.keys if key not in SETTING_KEYS}
    assert {"lab", "version", "minutes", *KINDS, *keys, *QUANTITIES, *SHOWN, *TABS} <= words

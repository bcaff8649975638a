"""docs/lessons.md is made from the lessons."""

from tools import lessons


def test_the_document_is_that_of_the_lessons():
    assert lessons.DOCUMENT.read_text("utf-8") == lessons.document(), "run python -m tools.lessons"

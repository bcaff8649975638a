"""A drawing as text, which is kept for the next start."""

import json

import pytest

from gui.drawing.document import MAX_TEXT, SIDE, WIDE, Document, Dot, Drawing, Stroke

STROKES = (
    Stroke((Dot(10.0, 20.25, 40.0), Dot(200.5, 300.0, 40.0))),
    Stroke((Dot(60.0, 60.0, 80.0),), erases=True),
)


@pytest.mark.parametrize(
    "drawing",
    [
        Drawing(strokes=STROKES),
        Drawing(strokes=STROKES, width=WIDE),
        Drawing(bytes(range(256)) * (SIDE * SIDE // 256), STROKES),
        Drawing(),
    ],
)
def test_a_drawing_becomes_text_and_the_same_drawing_again(drawing):
    text = drawing.as_text()
    assert (Drawing.from_text(text) if text else Drawing()) == drawing


def test_places_are_kept_to_a_hundredth_of_a_pixel():
    drawing = Drawing(strokes=(Stroke((Dot(1 / 3, 200 / 3, 40.0),)),))
    assert Drawing.from_text(drawing.as_text()).strokes[0].dots == (Dot(0.33, 66.67, 40.0),)


def test_a_very_large_drawing_is_not_kept():
    dots = tuple(Dot(100 + n % 7, 100 + n % 11, 40.0) for n in range(MAX_TEXT // 10))
    assert Drawing(strokes=(Stroke(dots),)).as_text() == ""


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "3", "null", '{"width":560}', '{"width":561,"strokes":[]}', '{"width":"560","strokes":[]}',
        '{"width":560,"strokes":[{"dots":[],"erases":false}]}',
        '{"width":560,"strokes":[{"dots":[[1,2]],"erases":false}]}',
        '{"width":560,"strokes":[{"dots":[[1,NaN,3]],"erases":false}]}',
        '{"width":560,"strokes":[{"dots":[[1,1e9,3]],"erases":false}]}',
        '{"width":560,"strokes":[{"dots":[[1,2,0]],"erases":false}]}',
        '{"width":560,"strokes":[],"background":"AAAA"}', '{"width":560,"strokes":[],"background":7}',
        "[" * 100_000,
    ],
)  # fmt: skip
def test_damaged_text_is_refused(text):
    with pytest.raises(ValueError, match=r"drawing|background|stroke|double|value|delimiter"):
        Drawing.from_text(text)


def test_a_background_of_another_size_is_refused():
    content = json.loads(Drawing(bytes(SIDE * SIDE)).as_text())
    with pytest.raises(ValueError, match="background"):
        Drawing.from_text(json.dumps({**content, "width": WIDE}))


def test_a_restored_drawing_is_painted_like_the_first_one(qapp):
    first, second = Document(), Document()
    first.show(Drawing(strokes=STROKES))
    second.show(Drawing.from_text(first.drawing.as_text()))
    assert (first.ink.pixels() == second.ink.pixels()).all()

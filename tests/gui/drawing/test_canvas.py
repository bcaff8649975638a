import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QInputDevice, QPointingDevice, QTabletEvent, QTouchEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.drawing.canvas import Canvas
from gui.drawing.document import SIDE, WIDE, Document, Dot, Drawing, Stroke, curve_of, fitted
from tests.gui.hand import at, drag, draw


@pytest.fixture
def canvas(qtbot):
    document = Document()
    canvas = Canvas(document)
    document.setParent(canvas)
    qtbot.addWidget(canvas)
    canvas.resize(300, 260)
    canvas.show()
    return canvas


def ink(canvas):
    return canvas.document.ink.pixels()


def test_the_curves_of_a_stroke_join_and_reach_its_last_dot():
    dots = [Dot(0, 0, 10), Dot(10, 0, 10), Dot(20, 10, 12), Dot(20, 30, 12)]
    curves = [curve_of(dots, index) for index in range(4)]
    assert curves[0].start == (0, 0)
    assert [c.end for c in curves[:-1]] == [c.start for c in curves[1:]]
    assert curves[-1].end == (20, 30)
    assert curve_of(dots[:1], 0).start == curve_of(dots[:1], 0).end == (0, 0)


@pytest.mark.parametrize(("width", "height"), [(300, 260), (260, 300), (280, 280), (1, 1), (0, 0)])
def test_the_document_is_centered_and_as_large_as_possible(qtbot, width, height):
    canvas = Canvas(Document())
    qtbot.addWidget(canvas)
    canvas.setMinimumSize(0, 0)
    canvas.resize(width, height)
    shown = canvas.to_widget().mapRect(QRectF(0, 0, SIDE, SIDE))
    assert shown.width() == shown.height() == pytest.approx(max(1, min(width, height)))
    assert (shown.center().x(), shown.center().y()) == pytest.approx((width / 2, height / 2))


def test_a_stroke_painted_dot_by_dot_equals_one_painted_at_once():
    rng = np.random.default_rng(0)
    dots = [
        Dot(*(float(v) for v in rng.uniform(40, 520, 2)), float(rng.uniform(20, 60)))
        for _ in range(30)
    ]
    growing = Document()
    growing.begin_stroke(dots[0])
    for dot in dots[1:]:
        growing.extend_stroke(dot)
    whole = Document()
    whole.show(Drawing(strokes=(Stroke(tuple(dots)),)))
    assert np.array_equal(growing.ink.pixels(), whole.ink.pixels())


def test_only_the_reported_rectangle_changes():
    document, painted = Document(), []
    document.painted.connect(painted.append)
    document.begin_stroke(Dot(50.0, 60.0, 40.0))
    for step in range(1, 12):
        before = document.ink.pixels()
        document.extend_stroke(Dot(50.0 + 37 * step, 60.0 + 31 * (step % 5), 40.0))
        part, changed = painted[-1], np.argwhere(document.ink.pixels() != before)
        (top, left), (bottom, right) = changed.min(axis=0), changed.max(axis=0)
        assert part.left() <= left
        assert part.top() <= top
        assert part.right() >= right
        assert part.bottom() >= bottom


def test_a_small_picture_keeps_its_pixels_and_a_wide_one_is_centered():
    picture = np.random.default_rng(1).integers(0, 256, (28, 28), np.uint8)
    square = np.frombuffer(fitted(picture), np.uint8).reshape(SIDE, SIDE)
    assert np.array_equal(square[::20, ::20], picture)
    assert np.array_equal(square[19::20, 19::20], picture)
    wide = np.frombuffer(fitted(np.full((300, 900), 255, np.uint8)), np.uint8).reshape(SIDE, SIDE)
    assert wide[SIDE // 2].min() == 255
    assert not wide[:180].any()
    assert not wide[-180:].any()


def test_ink_is_where_the_mouse_moved(canvas):
    drag(canvas, [(0.25, 0.5), (0.5, 0.5), (0.75, 0.5)])
    rows, columns = np.nonzero(ink(canvas) > 127)
    assert abs(rows.mean() - SIDE / 2) < 2
    assert abs(columns.mean() - SIDE / 2) < 2
    assert abs((rows.max() - rows.min()) - 40) < 4  # 20 pixels of 280
    assert abs((columns.max() - columns.min()) - (SIDE / 2 + 40)) < 4


def test_a_click_paints_a_dot_and_a_press_outside_the_square_nothing(canvas):
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at(canvas, -0.03, 0.5))
    assert not ink(canvas).any()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at(canvas, 0.5, 0.5))
    assert 900 < (ink(canvas) > 127).sum() < 1600


def test_undo_and_redo_restore_to_the_byte(canvas):
    states = [ink(canvas)]
    draw(canvas, "3")
    states.append(ink(canvas))
    drag(canvas, [(0.2, 0.5), (0.8, 0.5)], Qt.MouseButton.RightButton)
    states.append(ink(canvas))
    canvas.document.clear()
    states.append(ink(canvas))
    stack = canvas.document.undo_stack
    assert [stack.text(i) for i in range(stack.count())] == ["stroke", "erase stroke", "clear"]
    for state in reversed(states[:-1]):
        stack.undo()
        assert np.array_equal(ink(canvas), state)
    for state in states[1:]:
        stack.redo()
        assert np.array_equal(ink(canvas), state)


def test_the_eraser_and_the_right_button_remove_ink(canvas):
    drag(canvas, [(0.1, 0.5), (0.9, 0.5)])
    before = ink(canvas)
    drag(canvas, [(0.5, 0.2), (0.5, 0.8)], Qt.MouseButton.RightButton)
    assert ink(canvas)[SIDE // 2, SIDE // 2] == 0
    assert ink(canvas)[SIDE // 2, SIDE // 4] == 255
    canvas.document.undo_stack.undo()
    assert np.array_equal(ink(canvas), before)
    QTest.keyClick(canvas, Qt.Key.Key_E)
    drag(canvas, [(0.05, 0.5), (0.95, 0.5)])
    assert not (ink(canvas) > 127).any()
    QTest.keyClick(canvas, Qt.Key.Key_E)
    assert not canvas.tool.eraser


def test_undo_in_the_middle_of_a_stroke_removes_all_of_it(canvas):
    drag(canvas, [(0.2, 0.2), (0.8, 0.2)])
    drag(canvas, [(0.2, 0.8), (0.8, 0.8)], release=False)
    canvas.document.undo_stack.undo()
    QTest.mouseMove(canvas, at(canvas, 0.5, 0.5))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=at(canvas, 0.5, 0.5))
    assert not ink(canvas).any()


def test_keys_change_the_width_and_clear(canvas):
    for key, width in (
        (Qt.Key.Key_Plus, 22),
        (Qt.Key.Key_BracketRight, 24),
        (Qt.Key.Key_Minus, 22),
    ):
        QTest.keyClick(canvas, key)
        assert canvas.tool.pen_width == width
    for _ in range(30):
        QTest.keyClick(canvas, Qt.Key.Key_BracketLeft)
    assert canvas.tool.pen_width == 8
    draw(canvas, "7")
    assert ink(canvas).any()
    QTest.keyClick(canvas, Qt.Key.Key_Delete)
    assert not ink(canvas).any()


def test_the_keyboard_draws(canvas):
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Space)
    for _ in range(5):
        QTest.keyClick(canvas, Qt.Key.Key_Right)
    for _ in range(4):
        QTest.keyClick(canvas, Qt.Key.Key_Down)
    QTest.keyClick(canvas, Qt.Key.Key_Space)
    QTest.keyClick(canvas, Qt.Key.Key_Left)
    drawn = ink(canvas)
    assert drawn[SIDE // 2, SIDE // 2] == drawn[SIDE // 2 + 70, SIDE // 2 + 100] == 255
    assert drawn[SIDE // 2 + 80, SIDE // 2 + 20] == 0
    assert canvas.document.undo_stack.count() == 1
    assert canvas.accessibleDescription()


def test_a_resting_finger_on_a_touch_pad_draws_nothing(canvas):
    device = QTest.createTouchDevice(QInputDevice.DeviceType.TouchPad)
    QTest.touchEvent(canvas, device).press(0, at(canvas, 0.3, 0.5), canvas).commit()
    QTest.touchEvent(canvas, device).move(0, at(canvas, 0.7, 0.5), canvas).commit()
    QTest.touchEvent(canvas, device).release(0, at(canvas, 0.7, 0.5), canvas).commit()
    assert canvas.document.ink.pixels() is None or not canvas.document.ink.pixels().any()


def test_a_finger_draws_and_a_cancelled_touch_leaves_nothing(canvas):
    device = QTest.createTouchDevice()
    QTest.touchEvent(canvas, device).press(0, at(canvas, 0.3, 0.5), canvas).commit()
    QTest.touchEvent(canvas, device).move(0, at(canvas, 0.7, 0.5), canvas).commit()
    QTest.touchEvent(canvas, device).release(0, at(canvas, 0.7, 0.5), canvas).commit()
    drawn = ink(canvas)
    assert drawn[SIDE // 2, SIDE // 2] == 255
    QTest.touchEvent(canvas, device).press(0, at(canvas, 0.3, 0.8), canvas).commit()
    QTest.touchEvent(canvas, device).move(0, at(canvas, 0.7, 0.8), canvas).commit()
    assert not np.array_equal(ink(canvas), drawn)
    no_modifier = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(canvas, QTouchEvent(QEvent.Type.TouchCancel, device, no_modifier, []))
    assert np.array_equal(ink(canvas), drawn)
    assert canvas.document.undo_stack.count() == 1


def pen_event(canvas, kind, place, pressure, pointer=QPointingDevice.PointerType.Pen):
    capabilities = QInputDevice.Capability.Position | QInputDevice.Capability.Pressure
    device = QPointingDevice(
        "pen", 7, QInputDevice.DeviceType.Stylus, pointer, capabilities, 1, 2, "", parent=canvas
    )
    where = QPointF(at(canvas, *place))
    buttons = Qt.MouseButton.LeftButton
    event = QTabletEvent(
        kind,
        device,
        where,
        where,
        pressure,
        0,
        0,
        0,
        0,
        0,
        Qt.KeyboardModifier.NoModifier,
        buttons,
        buttons,
    )
    QApplication.sendEvent(canvas, event)


def pen_line(canvas, height, pressure, pointer=QPointingDevice.PointerType.Pen):
    pen_event(canvas, QEvent.Type.TabletPress, (0.2, height), pressure, pointer)
    pen_event(canvas, QEvent.Type.TabletMove, (0.8, height), pressure, pointer)
    pen_event(canvas, QEvent.Type.TabletRelease, (0.8, height), 0, pointer)


def test_a_pen_draws_wider_when_pressed_and_its_other_end_erases(canvas):
    pen_line(canvas, 0.25, 0.2)
    pen_line(canvas, 0.75, 0.9)
    column = ink(canvas)[:, SIDE // 2] > 127
    assert 1.5 * column[: SIDE // 2].sum() < column[SIDE // 2 :].sum()
    pen_line(canvas, 0.25, 1.0, QPointingDevice.PointerType.Eraser)
    assert not (ink(canvas)[: SIDE // 2, SIDE // 2] > 127).any()


def test_the_colors_follow_the_palette_and_the_ink_does_not(canvas):
    draw(canvas, "7")
    drawn = ink(canvas)
    palette = canvas.palette()
    for paper, line in (("#ffffff", "#101010"), ("#101010", "#f0f0f0")):
        palette.setColor(palette.ColorRole.Base, paper)
        palette.setColor(palette.ColorRole.Text, line)
        canvas.setPalette(palette)
        shown = canvas.grab().toImage()
        assert shown.pixelColor(at(canvas, 0.1, 0.9)).name() == paper
        assert shown.pixelColor(at(canvas, 0.5, 0.24)).name() == line
        assert np.array_equal(ink(canvas), drawn)


def test_a_drawing_keeps_its_size_on_the_wide_canvas_and_back(canvas):
    draw(canvas, "3")
    before = ink(canvas)
    canvas.document.set_width(WIDE)
    assert np.array_equal(ink(canvas)[:, (WIDE - SIDE) // 2 :][:, :SIDE], before)
    canvas.document.set_width(SIDE)
    assert np.array_equal(ink(canvas), before)


def test_a_picture_keeps_its_size_on_the_wide_canvas_and_back(canvas):
    picture = np.zeros((28, 28), np.uint8)
    picture[4:24, 12:16] = 255
    canvas.document.change("open image", Drawing(fitted(picture)))
    before = ink(canvas)
    canvas.document.set_width(WIDE)
    canvas.document.set_width(SIDE)
    assert np.array_equal(ink(canvas), before)


def test_a_number_that_does_not_fit_the_square_is_halved(canvas):
    canvas.document.set_width(WIDE)
    canvas.document.begin_stroke(Dot(100, 280, 20))
    canvas.document.extend_stroke(Dot(1000, 280, 20))
    canvas.document.set_width(SIDE)
    (stroke,) = canvas.document.drawing.strokes
    assert [dot.x for dot in stroke.dots] == [50, 500]

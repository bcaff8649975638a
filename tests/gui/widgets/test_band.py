"""The band: one page at a time, which the keyboard reaches and leaves."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from gui.widgets.band import Band, BandPage


def test_a_page_takes_the_place_of_another_and_escape_gives_the_focus_back(qtbot):
    usual = QLineEdit()
    band = Band(usual)
    qtbot.addWidget(band)
    with qtbot.waitActive(band):
        band.show()
    usual.setFocus()
    first, second = (BandPage(name, name.title()) for name in ("unit", "step"))
    closed = []
    for page in (first, second):
        page.closed.connect(lambda page=page: closed.append(page))
    editor = QLineEdit()
    second.add_leaf(editor)
    band.show_page(first)
    band.show_page(second)
    assert second.isVisible()
    assert closed == [first]
    assert not second.leaves.isVisible()  # there is one only
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert band.page is None
    assert closed == [first, second]
    assert usual.isVisible()
    assert usual.hasFocus()


def test_the_band_does_not_become_higher_by_a_page(qtbot):
    usual = QLineEdit()
    band = Band(usual)
    qtbot.addWidget(band)
    band.resize(400, 120)
    band.show()
    page = BandPage("page", "A page")
    tall = QLineEdit()
    tall.setMinimumHeight(900)
    page.add_leaf(tall, "One", "The first")
    page.add_leaf(QLineEdit(), "Two", "The second")
    band.show_page(page)
    assert band.height() == 120
    assert page.leaves.isVisible()

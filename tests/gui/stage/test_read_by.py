"""The rows of the networks that can read: what each says, and which has no room."""

import numpy as np
import pytest

from core.data import builtin
from core.inference.model_file import bundled_model
from core.reading.reader import Reading
from gui.stage import read_by
from gui.stage.read_by import ReadBy, Reader
from gui.widgets.theme import theme


@pytest.fixture
def rows(qtbot):
    rows = ReadBy()
    qtbot.addWidget(rows)
    rows.resize(190, 140)
    rows.show()
    return rows


def readers(count):
    names = ("mnist", "dense")
    return [Reader(f"{n}", f"network {n}", bundled_model(names[n % 2])) for n in range(count)]


def drawing(answer):
    image = builtin.draw(3, 1)[0].inputs[0, ..., 0]
    probabilities = np.zeros(10, np.float32)
    probabilities[answer] = 1
    return Reading(image, probabilities, tuple("0123456789"), model=bundled_model())


def said_by(rows):
    return [row.reads for row in rows.rows if row.isVisible()]


def test_each_network_says_what_it_reads_itself_after_the_answer(rows, qtbot):
    rows.show_readers(readers(3), "0")
    rows.show_reading(drawing(7))  # whatever the others say
    assert said_by(rows) == ["", "", ""]
    qtbot.waitUntil(lambda: any(said_by(rows)))
    said = said_by(rows)
    assert said[0] == "7"
    assert said[1] == said[2].strip() != ""
    assert rows.rows[1].accessibleName() == f"network 1: {said[1]}"
    rows.show_reading(Reading(blank=True))
    qtbot.waitUntil(lambda: not any(said_by(rows)))


def test_others_are_silent_where_they_would_take_too_long(rows, monkeypatch, qtbot):
    monkeypatch.setattr(read_by, "MOST_MILLISECONDS", 0.0)
    rows.show_readers(readers(2), "0")
    for _ in range(4):
        rows.show_reading(drawing(7))
        qtbot.wait(2 * read_by.REST_MILLISECONDS)
    assert said_by(rows) == ["7", ""]


def test_more_networks_than_rows_are_in_a_list_and_the_chosen_one_has_a_row(rows):
    rows.show_readers(readers(9), "8")
    shown = [row.reader.key for row in rows.rows if row.isVisible()]
    assert shown == ["0", "1", "8"]
    assert rows.more.text() == "6 more…"
    chosen = []
    rows.chosen.connect(chosen.append)
    rows.menu.aboutToShow.emit()
    assert len(rows.menu.actions()) == 9
    rows.menu.actions()[4].trigger()
    rows.choose_next()
    assert chosen == ["4", "0"]
    theme().presenting = True
    rows.show_readers(readers(9), "8")
    theme().presenting = False
    assert not any(part.isVisible() for part in (*rows.rows, rows.more))

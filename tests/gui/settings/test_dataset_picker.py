"""The data area with data for regression: Rastrigin's function and tables of numbers."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.data.dataset_cache import DatasetCache
from gui.settings.dataset_picker import FILE, DatasetPicker
from gui.settings.panel import SettingsPanel
from gui.widgets.dialogs import LastFolder
from tests.gui.person import choose_files

TABLE = "\n".join(f"{n};{n * n};{n + 1}" for n in range(20))


@pytest.fixture
def area(qtbot):
    area = DatasetPicker(DatasetCache(), LastFolder())
    qtbot.addWidget(area)
    area.show()
    return area


def open_file(area, path):
    choose_files(path)
    index = area.box.findData(FILE)
    area.box.setCurrentIndex(index)
    area.box.activated.emit(index)


def test_the_function_offers_its_grid_and_knows_its_shape_at_once(area):
    assert not area.side_box.isVisible()
    area.choose("rastrigin")
    assert area.side_box.isVisible()
    assert area.shape() == ((2,), 1)
    assert area.kind() == "regression"
    assert area.source() == "rastrigin:200"
    assert "40,000" in area.status.text()
    area.side_box.setValue(601)
    assert area.source() == "rastrigin:600"
    assert area.is_available()
    area.choose("builtin")
    assert not area.side_box.isVisible()
    assert area.shape() == ((28, 28, 1), 10)


def test_a_source_with_its_grid_is_chosen_by_name(area):
    assert area.has("rastrigin:400")
    area.choose("rastrigin:400")
    assert area.side_box.value() == 400
    assert area.source() == "rastrigin:400"


def test_an_impossible_grid_is_refused_with_a_message(area, qtbot):
    with qtbot.waitSignal(area.failed) as failed:
        area.choose("rastrigin:9999")
    assert "600" in failed.args[0].text
    assert area.source() == "builtin"


def test_a_table_is_opened_and_gives_the_network_its_shape(area, qtbot, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(TABLE)
    open_file(area, path)
    qtbot.waitUntil(lambda: area.source() == str(path))
    assert area.shape() == ((2,), 1)
    assert area.kind() == "regression"
    assert "16 lines" in area.status.text()
    assert area.summary() == "mine.csv (16)"


def test_a_table_that_is_opened_again_is_read_again(area, qtbot, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(TABLE)
    open_file(area, path)
    qtbot.waitUntil(lambda: area.source() == str(path))
    path.write_text("\n".join(f"{n};{n}" for n in range(10)))
    open_file(area, path)
    qtbot.waitUntil(lambda: area.shape() == ((1,), 1))
    assert area.box.findData(str(path)) == area.box.currentIndex()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"), ("a;b\n1;2\n3;x\n4;5\n6;7\n8;9\n", "line 3, column 2"),
        ("1\n2\n3\n4\n5\n6", "only one column"), ("1;2\n3;4", "at least 5"),
        ("1;2\n1;2\n1;2;3\n1;2\n1;2\n1;2", "line 3"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_learned_from_is_refused_in_one_sentence(
    area, qtbot, tmp_path, text, words
):
    path = tmp_path / "mine.csv"
    path.write_text(text)
    with qtbot.waitSignal(area.failed) as failed:
        open_file(area, path)
    assert words in failed.args[0].text
    assert not failed.args[0].details
    assert area.source() == "builtin"


def test_the_coursework_sets_its_grid_and_a_linear_output(qtbot):
    panel = SettingsPanel(DatasetCache())
    qtbot.addWidget(panel)
    panel.show()
    panel.preset_box.setCurrentIndex(panel.preset_box.findData("coursework"))
    assert panel.data.source() == "rastrigin:200"
    assert panel.preset_box.currentData() == "coursework"
    assert panel.network.network.text == "2-128-128-1"
    assert panel.network.default_activations()[-1] == "linear"
    panel.more_button.setChecked(True)
    assert not panel.fields["loss"].isVisible()
    panel.data.choose("builtin")
    assert panel.fields["loss"].isVisible()
    # The settings for a function do not suit images.
    assert panel.network.edit.text() == "8C5-MP2-16C5-MP2-64N-10N"
    panel.data.choose("rastrigin")
    assert panel.network.edit.text() == "2-128-128-1"
    # A preset for images brings images.
    panel.preset_box.choose("default")
    assert panel.data.source() == "builtin"
    assert panel.network.edit.text() == "8C5-MP2-16C5-MP2-64N-10N"
    assert panel.plan is not None


def test_the_column_of_a_table_is_chosen_and_the_network_fits_it(qtbot, tmp_path):
    panel = SettingsPanel(DatasetCache())
    qtbot.addWidget(panel)
    panel.show()
    assert not panel.data.column_box.isVisible()
    path = tmp_path / "flowers.csv"
    rows = (f"{n}.5,{n * n},{('red', 'blue', 'white')[n % 3]}\n" for n in range(30))
    path.write_text("length,width,color\n" + "".join(rows))
    panel.data.choose(str(path))
    qtbot.waitUntil(lambda: panel.data.source() == str(path))
    assert panel.data.column_box.currentText() == "color"
    assert "learns color, 3 classes, from 2 columns: 24 lines" in panel.data.status.text()
    assert panel.network.network.text == "2-128-3"
    path.write_text(path.read_text().replace("red", "0").replace("blue", "1").replace("white", "2"))
    panel.data.column_box.setFocus()
    QTest.keyClick(panel.data.column_box, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: panel.data.source() == f"{path}#length")
    assert "learns the values of length from 2 columns" in panel.data.status.text()
    assert panel.network.network.text.endswith("-1")
    assert panel.data.column_box.currentText() == "length"

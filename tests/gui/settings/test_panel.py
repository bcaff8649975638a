import shutil

import numpy as np
import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from core.data.dataset_cache import DatasetCache
from core.network import notation
from core.training.presets import PRESETS, find_preset
from core.training.run_settings import SETTINGS, RunSettings
from gui.settings.dataset_picker import FOLDER
from gui.settings.panel import SettingsPanel
from gui.widgets.basics import QuietComboBox
from gui.widgets.theme import theme
from tests.gui.person import choose, choose_files, part
from tests.limits import LONG


def test_every_setting_has_a_field_with_a_label_that_leads_to_it_and_a_tooltip(panel):
    assert {"network", *panel.fields} == {setting.name for setting in SETTINGS}
    places = panel, panel.line, panel.network_place
    buddies = [label.buddy() for place in places for label in place.findChildren(QLabel)]
    for field in panel.fields.values():
        assert field.editor in buddies
        assert field.editor.toolTip() == field.setting.help
        assert field.editor.accessibleName()


@pytest.mark.parametrize("preset", [preset.name for preset in PRESETS])
def test_a_preset_fills_the_fields_with_its_run(panel, preset):
    panel.preset_box.setCurrentIndex(panel.preset_box.findData(preset))
    assert panel.plan.settings == find_preset(preset).settings
    assert panel.preset_box.currentData() == preset


def test_changing_a_preset_selects_my_own_settings(panel):
    panel.preset_box.setCurrentIndex(panel.preset_box.findData("lecture"))
    panel.fields["epochs"].box.setValue(3)
    assert panel.preset_box.currentData() == ""
    assert panel.plan.settings == find_preset("lecture").settings.change(epochs=3)
    title = find_preset("lecture").title
    assert panel.preset_box.currentText() == f"{title}, changed"
    back = panel.preset_box.findText(f"Back to {title}")
    panel.preset_box.setCurrentIndex(back)
    assert panel.preset_box.currentText() == title
    assert panel.plan.settings == find_preset("lecture").settings


def test_a_preset_that_names_its_data_is_ones_own_settings_on_others(panel):
    panel.preset_box.choose("coursework")
    assert panel.preset_box.currentData() == "coursework"
    panel.preset_box.choose("lecture")
    assert panel.data.source() == "mnist"
    panel.data.choose("builtin")
    assert panel.preset_box.currentText().endswith(", changed")


def test_an_activation_that_the_loss_does_not_allow_is_reported_while_typing(panel):
    panel.network.edit.setText("64-10N:tanh")
    assert panel.plan is None
    assert "cross-entropy" in panel.start_problem().text
    panel.fields["loss"].box.choose("squared-error")
    assert panel.plan is not None
    assert panel.start_problem() is None


def test_presets_are_grouped_and_published_networks_are_one_level_down(panel):
    box = panel.preset_box
    box.menu.aboutToShow.emit()
    published = next(action.menu() for action in box.menu.actions() if action.menu())
    titles = [action.text().partition("\t")[0] for action in box.menu.actions()]
    assert (
        titles.index("Start here") < titles.index("Classics") < titles.index("Published networks")
    )
    places = {"Published networks": published}
    for index, preset in enumerate(PRESETS):
        actions = places.get(preset.group, box.menu).actions()
        (entry,) = [each for each in actions if each.text().startswith(f"{preset.title}\t")]
        assert preset.title in entry.defaultWidget().text()
        entry.trigger()
        assert box.currentIndex() == index
        assert box.currentData() == preset.name


def test_the_box_shows_the_title_of_the_chosen_preset(panel):
    box = panel.preset_box
    box.resize(600, box.height())
    for preset in PRESETS:
        box.choose(preset.name)
        assert box.shown_text() == preset.title


def test_a_preset_for_any_images_stays_when_other_images_are_chosen(panel):
    panel.preset_box.choose("dense")
    panel.data.choose("builtin")
    assert panel.preset_box.currentData() == "dense"
    panel.data.choose("rastrigin")
    assert panel.preset_box.currentText().endswith(", changed")


def test_a_preset_whose_data_are_not_here_is_itself_on_other_images(qtbot):
    panel = SettingsPanel(DatasetCache())
    qtbot.addWidget(panel)
    panel.preset_box.choose("lecture")
    assert panel.data.source() == "builtin"
    assert panel.preset_box.currentData() == "lecture"


@pytest.mark.parametrize("preset", [preset.name for preset in PRESETS])
def test_focus_in_the_network_field_does_not_change_a_preset(panel, preset):
    panel.preset_box.choose(preset)
    panel.network.edit.editingFinished.emit()
    assert panel.preset_box.currentData() == preset


def test_the_network_is_stored_in_its_whole_form(panel):
    panel.network.edit.setText("64")
    assert panel.plan.settings.network == "784-64-10"


@pytest.mark.parametrize(
    ("text", "rate"), [("0.05", 0.05), ("0,05", 0.05), (" 1e-3 ", 1e-3), ("3", 3.0)]
)
def test_the_learning_rate_takes_comma_and_point(panel, text, rate):
    panel.fields["learning_rate"].edit.setText(text)
    assert panel.plan.settings.learning_rate == rate


def test_of_a_long_rate_the_first_digits_are_seen(panel, qtbot):
    """The last ones alone look like another rate."""
    edit = panel.fields["learning_rate"].edit
    edit.setFixedWidth(60)
    panel.show()
    panel.fields["learning_rate"].show_value(0.004983518832)
    assert edit.cursorPositionAt(edit.rect().center()) < len("0.00498351")
    edit.selectAll()
    qtbot.keyClicks(edit, "0.001234567891")
    assert edit.cursorPosition() == len("0.001234567891")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert edit.cursorPositionAt(edit.rect().center()) < len("0.00123456")
    assert panel.plan.settings.learning_rate == 0.001234567891


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0", "more than 0"), ("-1", "more than 0"), ("nan", "finite"), ("inf", "finite"), ("abc", "number"),
        ("", "number"),
    ],
)  # fmt: skip
def test_a_wrong_number_is_explained_below_its_field(panel, text, words):
    field = panel.fields["learning_rate"]
    field.edit.setText(text)
    assert panel.plan is None
    assert words in field.error.text()
    assert field.error.text().startswith("Learning rate")
    field.edit.setText("0.1")
    assert panel.plan is not None
    assert not field.error.isVisible()


def test_numbers_are_written_as_the_language_does(panel):
    try:
        QLocale.setDefault(QLocale("de_DE"))
        panel.show_run(RunSettings(learning_rate=0.25), "")
        assert panel.fields["learning_rate"].edit.text() == "0,25"
        assert panel.plan.settings.learning_rate == 0.25
    finally:
        QLocale.setDefault(QLocale.c())


def visible_names(panel):
    return {name for name, field in panel.fields.items() if field.isVisible()}


def test_the_usual_settings_are_in_the_line_and_all_others_on_the_page(panel):
    panel.hide()
    assert visible_names(panel) == {"activation", "learning_rate", "batch_size", "epochs"}
    assert panel.device_box.isVisible()
    panel.show()
    assert {"loss", "optimizer", "l2", "seed"} <= visible_names(panel)


def test_the_page_goes_back_to_the_preset_and_leaves_the_line(panel):
    panel.preset_box.choose("lecture")
    panel.fields["l2"].edit.setText("0.5")
    panel.fields["epochs"].box.setValue(3)
    part(panel, "presetAgainButton").click()
    assert panel.plan.settings == find_preset("lecture").settings.change(epochs=3)


def test_fields_without_effect_are_not_shown(panel):
    panel.fields["optimizer"].box.choose("sgd")
    assert not panel.fields["momentum"].isVisible()
    panel.fields["optimizer"].box.choose("momentum")
    assert panel.fields["momentum"].isVisible()
    panel.fields["schedule"].box.choose("step")
    assert panel.fields["decay_epochs"].isVisible()
    panel.fields["schedule"].box.choose("constant")
    assert not panel.fields["decay_epochs"].isVisible()
    assert not panel.schedule.isVisible()


def test_no_field_above_moves_when_another_choice_is_made(panel):
    panel.resize(1200, 400)
    names = ("loss", "optimizer", "schedule", "initialization")
    for name in names:
        before = {each: panel.fields[each].mapTo(panel, QPoint()) for each in names}
        for choice in panel.fields[name].setting.choices:
            panel.fields[name].box.choose(choice)
            for _ in range(3):  # rows of fields get their heights one by one
                QApplication.processEvents()
            assert {each: panel.fields[each].mapTo(panel, QPoint()) for each in names} == before
        panel.fields[name].show_value(RunSettings().as_dict()[name])


def test_the_fields_of_the_line_are_equally_high_and_on_one_line(panel):
    panel.line.resize(1100, 80)
    QApplication.processEvents()
    editors = [panel.data.box, panel.preset_box, panel.more_button]
    editors += [
        panel.fields[name].editor
        for name in ("activation", "learning_rate", "batch_size", "epochs")
    ]
    assert len({editor.mapTo(panel.line, QPoint()).y() for editor in editors}) == 1
    assert len({editor.height() for editor in editors}) == 1


def test_choices_have_their_usual_capitals(panel):
    assert panel.fields["activation"].box.findText("ReLU") >= 0
    assert panel.fields["optimizer"].box.findText("Adam") >= 0
    assert panel.fields["initialization"].box.findText("He") >= 0


def test_a_field_without_effect_cannot_be_wrong(panel):
    panel.fields["optimizer"].box.choose("momentum")
    panel.fields["momentum"].edit.setText("nonsense")
    assert panel.plan is None
    panel.fields["optimizer"].box.choose("sgd")
    assert panel.plan is not None


def test_patience_shows_the_validation_share_that_it_sets(panel):
    panel.fields["patience"].box.setValue(3)
    assert panel.fields["validation"].value() == panel.plan.settings.validation == 0.1
    panel.fields["validation"].edit.setText("0,2")
    assert panel.plan.settings.validation == 0.2


def test_changes_of_the_rate_are_typed_as_text(panel):
    panel.fields["rate_changes"].edit.setText("300:0.01")
    assert panel.plan.settings.rate_changes == "300:0.01"
    panel.fields["rate_changes"].edit.setText("300")
    assert panel.plan is None
    assert "write a step" in panel.fields["rate_changes"].error.text()


def test_optional_settings_can_be_off(panel):
    assert panel.plan.settings.target_accuracy is None
    panel.fields["target_accuracy"].edit.setText("0.95")
    assert panel.plan.settings.target_accuracy == 0.95


def test_a_data_set_that_is_not_here_says_so_and_offers_to_fetch_it(panel):
    panel.data.box.setCurrentIndex(panel.data.box.findData("fashion"))
    assert not panel.data.is_available()
    assert "not on this machine" in panel.data.status.text()
    assert panel.data.download_button.isVisible()
    panel.data.choose("mnist")
    assert panel.data.is_available()
    assert not panel.data.download_button.isVisible()


def test_a_download_makes_the_data_set_available(panel, qtbot, monkeypatch, small_mnist):
    panel.data.box.setCurrentIndex(panel.data.box.findData("fashion"))

    def fetch(name, progress):
        progress(1, 2)
        shutil.copytree(small_mnist, small_mnist.parent / name)

    monkeypatch.setattr("core.data.sources.fetch", fetch)
    panel.data.download_button.click()
    assert panel.data.fetch.cancel_button.isVisible()
    qtbot.waitUntil(panel.data.is_available)
    assert not panel.data.download_button.isVisible()
    assert not panel.data.fetch.bar.isVisible()


def test_a_download_that_fails_says_why_and_can_be_tried_again(panel, qtbot, monkeypatch):
    panel.data.box.setCurrentIndex(panel.data.box.findData("fashion"))
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")  # nothing listens there
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with qtbot.waitSignal(panel.data.failed, timeout=LONG) as failed:
        panel.data.download_button.click()
    assert "Fashion-MNIST could not be downloaded" in failed.args[0].text
    assert panel.data.download_button.isVisible()


def test_a_download_can_be_cancelled(panel, qtbot, monkeypatch):
    panel.data.box.setCurrentIndex(panel.data.box.findData("fashion"))

    def fetch(name, progress):
        while True:
            progress(1, 1000)

    monkeypatch.setattr("core.data.sources.fetch", fetch)
    panel.data.download_button.click()
    panel.data.fetch.cancel_button.click()
    qtbot.waitUntil(panel.data.download_button.isVisible)
    assert not panel.data.is_available()


def choose_folder(panel, folder):
    choose_files(folder)
    index = panel.data.box.findData(FOLDER)
    panel.data.box.setCurrentIndex(index)
    panel.data.box.activated.emit(index)


def test_a_folder_is_read_and_becomes_a_choice(panel, qtbot, small_mnist):
    choose_folder(panel, small_mnist)
    qtbot.waitUntil(lambda: panel.data.source() == str(small_mnist))
    assert panel.data.is_available()
    assert "3,000" in panel.data.status.text()


def test_a_folder_without_data_is_refused_with_a_message_and_changes_nothing(
    panel, qtbot, tmp_path
):
    empty = tmp_path / "empty"
    empty.mkdir()
    with qtbot.waitSignal(panel.data.failed, timeout=LONG) as failed:
        choose_folder(panel, empty)
    assert str(empty) in failed.args[0].text
    assert panel.data.source() == "mnist"


def test_a_long_word_in_a_message_makes_the_page_no_wider(panel):
    before = panel.minimumSizeHint().width()
    panel.fields["l2"].edit.setText("x" * 300)
    assert panel.plan is None
    assert panel.minimumSizeHint().width() == before


def test_a_long_choice_ends_in_an_ellipsis(qtbot):
    box = QuietComboBox()
    qtbot.addWidget(box)
    box.addItem("clipped leaky ReLU, as the run")
    box.resize(400, 26)
    assert box.shown_text() == box.currentText()
    box.resize(110, 26)
    assert box.shown_text().endswith("…")
    assert box.fontMetrics().horizontalAdvance(box.shown_text()) < 110
    box.grab()


def test_the_schedule_is_drawn_before_the_run(panel):
    """From the formula of each schedule, computed here again."""
    panel.show_run(
        RunSettings(learning_rate=0.5, schedule="step", decay=0.1, decay_epochs=3, epochs=7)
    )
    expected = [0.5, 0.5, 0.5, 0.05, 0.05, 0.05, 0.005]
    np.testing.assert_allclose(panel.schedule.rates, expected)
    assert panel.schedule.accessibleDescription() == "0.5 in epoch 1, 0.005 in epoch 7"
    end = QPoint(panel.schedule.width(), 0)
    assert panel.schedule.tip_at(end).startswith("Epoch 7: learning rate 0.005\n")
    assert panel.schedule.tip_at(QPoint()).startswith("Epoch 1: learning rate 0.5\n")
    panel.fields["schedule"].show_value("constant")
    np.testing.assert_allclose(panel.schedule.rates, 0.5)
    panel.fields["learning_rate"].editor.setText("none")
    assert len(panel.schedule.rates) == 0


def test_the_line_of_the_schedule_falls_from_left_to_right(panel):
    panel.show_run(RunSettings(learning_rate=0.5, schedule="cosine", decay=0.01, epochs=40))
    preview = panel.schedule
    preview.resize(200, 40)
    image = preview.grab().toImage()
    line = QColor(theme().colors.train)

    def height_at(x):
        """The row of the pixel in the column that is most like the line's color."""
        return min(range(36), key=lambda y: abs(image.pixelColor(x, y).hue() - line.hue()) + (
            0 if image.pixelColor(x, y).saturation() > 100 else 1000))  # fmt: skip

    scale = image.width() / 200
    assert (
        height_at(round(10 * scale)) < height_at(round(100 * scale)) < height_at(round(180 * scale))
    )


@pytest.mark.parametrize(
    ("editor", "key"),
    [("networkEdit", "6"), ("learningRateEdit", "1"), ("networkEdit", "x"), ("seedBox", "7")],
)
def test_a_keystroke_parses_the_network_once_for_all_pages_that_show_it(
    window, monkeypatch, editor, key
):
    for tab in (window.compare, window.measuring, window.training):
        window.tabs.setCurrentWidget(tab)
        while tab.create_next():
            pass
    texts, split = [], notation._split
    monkeypatch.setattr(notation, "_split", lambda text: texts.append(text) or split(text))
    edited = part(window, editor)
    edited.setFocus()
    QTest.keyClick(edited, Qt.Key.Key_End)
    for _ in "-10" if editor == "networkEdit" else "":
        QTest.keyClick(edited, Qt.Key.Key_Left)
    QTest.keyClick(edited, key)
    assert len(texts) == (1 if editor == "networkEdit" else 0)
    assert (window.settings.plan is None) == (key == "x")


def test_the_plan_has_the_chosen_data_and_device(window):
    choose(part(window, "datasetBox"), "builtin")
    choose(part(window, "deviceBox"), "sequential")
    plan = window.settings.plan
    assert (plan.settings.network, plan.data, plan.device) == ("784-32-10", "builtin", "sequential")
    part(window, "learningRateEdit").setText("fast")
    assert window.settings.plan is None
    part(window, "learningRateEdit").setText("0.5")
    assert window.settings.plan.settings.learning_rate == 0.5

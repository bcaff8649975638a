"""Settings that were made for data of another kind are replaced when data are chosen."""

import pytest

from core.training.presets import find_preset


def test_settings_for_points_are_replaced_when_images_are_chosen(panel, qtbot):
    panel.preset_box.choose("coursework")
    panel.fields["epochs"].box.setValue(7)
    with qtbot.waitSignal(panel.preset_replaced) as replaced:
        panel.data.choose("builtin")
    assert replaced.args[0].name == "default"
    assert panel.preset_box.currentData() == "default"
    assert panel.plan.settings == find_preset("default").settings


@pytest.mark.parametrize("shown", ["restored", "of a run"])
def test_settings_for_points_are_replaced_wherever_they_come_from(panel, qtbot, shown):
    settings = find_preset("coursework").settings.change(epochs=7)
    if shown == "restored":
        panel.restore("rastrigin:200", settings)
    else:
        panel.data.choose("rastrigin")
        panel.show_run(settings)
    assert panel.plan.settings == settings
    with qtbot.waitSignal(panel.preset_replaced):
        panel.data.choose("builtin")
    assert panel.plan.settings == find_preset("default").settings


def test_settings_restored_with_a_table_are_replaced_when_images_are_chosen(panel, qtbot, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("".join(f"{n % 7},{n % 5},{n % 3},{n % 7 + n / 9}\n" for n in range(60)))
    settings = find_preset("coursework").settings.change(network="3-128-128-1", epochs=7)
    panel.restore(str(table), settings)
    qtbot.waitUntil(lambda: panel.data.source() == str(table))
    assert panel.plan.settings == settings
    panel.data.choose("builtin")
    assert panel.plan.settings == find_preset("default").settings


def test_a_preset_for_points_is_fitted_to_a_table(panel, qtbot, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("".join(f"{n % 7},{n % 5},{n % 3},{n % 7 + n / 9}\n" for n in range(60)))
    panel.preset_box.choose("default")
    with qtbot.waitSignal(panel.preset_replaced) as replaced:
        panel.data.choose(str(table))
    assert replaced.args[0].name == "coursework"
    assert panel.plan.settings == find_preset("coursework").settings.change(network="3-128-128-1")


def test_a_convolutional_preset_is_replaced_when_points_are_chosen(panel, qtbot):
    panel.preset_box.choose("default")
    with qtbot.waitSignal(panel.preset_replaced):
        panel.data.choose("rastrigin")
    assert panel.plan.settings == find_preset("coursework").settings

"""What race, comparisons and profile have in common: empty states, export, warnings of a busy
machine, options.
"""

import json
from pathlib import Path

import pytest

from core import bench as benches
from core.bench import NAMES
from core.bench.rows import Bench, Row, Table
from core.measure.machine_load import MachineLoad
from tests.gui.person import choose, choose_files
from tests.limits import LONG


def measure(tab, page, qtbot):
    page.start_button.click()
    qtbot.waitUntil(lambda: not tab.busy, timeout=LONG)


def export(page, folder, qtbot):
    choose_files(folder)
    page.export_button.click()
    qtbot.waitUntil(lambda: page.banner.text.text().startswith("Written"), timeout=LONG)
    return {path.name for path in folder.iterdir()}


@pytest.fixture
def busy_machine(monkeypatch):
    monkeypatch.setattr(MachineLoad, "other_cores", lambda self: 1.5)


def test_a_page_says_what_to_do_before_the_first_measurement(tab):
    tab.more.click()
    for page in tab.pages:
        assert page.hint.isVisible()
        assert page.start_button.text().strip("▶ ").replace("&", "") in page.hint.text()
        assert not page.stop_button.isVisible()
        assert not page.export_button.isEnabled()


def test_a_profile_is_exported(tab, qtbot, tmp_path):
    page = tab.profile
    measure(tab, page, qtbot)
    assert not page.hint.isVisible()
    assert page.export_button.isVisible()
    assert "±" in page.table.record_model.records[0].texts[3]
    assert export(page, tmp_path / "out", qtbot) == {
        "profile.json", "profile-operators.csv", "profile-step.csv",
    }  # fmt: skip
    tables = json.loads((tmp_path / "out" / "profile.json").read_text("utf-8"))["tables"]
    assert sum(row["share"] for row in tables["operators"]["rows"]) == pytest.approx(100)


def test_a_race_is_repeated_and_exported(tab, qtbot, tmp_path):
    page = tab.race
    page.repetitions_box.setValue(2)
    measure(tab, page, qtbot)
    assert page.lanes.record_model.records[0].texts[1] == "100 %"
    assert "±" in page.lanes.record_model.records[0].texts[2]
    assert "race-scores.csv" in export(page, tmp_path / "out", qtbot)
    rows = json.loads((tmp_path / "out" / "race.json").read_text("utf-8"))["tables"]["results"][
        "rows"
    ]
    assert [row["repetitions"] for row in rows] == [2, 2]


def test_a_warning_about_a_busy_machine_replaces_the_success_message(tab, qtbot, busy_machine):
    measure(tab, tab.race, qtbot)
    assert "Other programs used 1.5 cores" in tab.race.banner.text.text()
    assert tab.race.banner.property("tone") == "info"
    measure(tab, tab.profile, qtbot)
    assert "Other programs used 1.5 cores" in tab.profile.caution.text()


@pytest.fixture
def fake_bench(monkeypatch):
    """A benchmark with one row; returns the options that it was run with."""
    seen = []

    def iter_rows(options):
        seen.append(options)
        yield Row("t", {"n": 1})

    bench = Bench("fake", (Table("t", "T", {"n": "number"}),), iter_rows)
    monkeypatch.setattr(benches, "find_bench", lambda name: bench)
    return seen


def test_a_python_with_pytorch_reaches_the_benchmark(tab, qtbot, fake_bench, busy_machine):
    page = tab.comparisons
    tab.more.click()
    choose(page.box, "operators")
    assert not page.torch_button.isVisible()
    choose(page.box, "dense")
    choose_files("/opt/torch/bin/python")
    page.torch_button.click()
    assert "/opt/torch" in page.torch_label.text().replace("\u200b", "")
    measure(tab, page, qtbot)
    (options,) = fake_bench
    assert options.torch_python == Path("/opt/torch/bin/python")
    assert "Other programs used 1.5 cores" in page.remarks.text()


def test_every_benchmark_of_the_command_line_is_in_the_window(tab):
    box = tab.comparisons.box
    assert [box.itemData(index) for index in range(box.count())] == list(NAMES)
    assert all(box.itemText(index) != box.itemData(index) for index in range(box.count()))

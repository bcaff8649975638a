"""Numbers of the comparisons as people read them."""

import pytest

from gui.devices.benchmark_page import describe_ratio, format_cells, time_heading
from gui.widgets.plots.axis import LogAxis, format_ticks, log_ticks


@pytest.mark.parametrize(
    ("heading", "value", "text"),
    [
        ("seconds", 0.000001482, "1.48 µs"),
        ("seconds", 0.000249, "249 µs"),
        ("seconds", 0.0025, "2.5 ms"),
        ("seconds an epoch", 12.345, "12.3 s"),
        ("seconds, thesis", 1234.5, "1,234 s"),
        ("seconds", 0.0009999, "1 ms"),
        ("seconds", 0.0, "0 s"),
        ("times as fast as vectorized", 0.0531, "1/19"),
        ("times as fast as vectorized", 18.83, "18.8"),
        ("speed-up", 0.374, "0.374"),
        ("over vectorized", 0.0002, "1/5,000"),
        ("test accuracy", 0.0531, "0.0531"),
        ("images a second", 51_800_000.0, "51.8 M"),
        ("size", 2048, "2,048"),
        ("device", "cuda", "cuda"),
        ("speed-up", None, "–"),
    ],
)
def test_numbers_are_written_with_unit_and_few_digits(heading, value, text):
    assert format_cells(heading, [value]) == [text]


def test_ratios_have_one_format_in_a_column():
    heading = "times as fast as vectorized"
    assert format_cells(heading, [0.2854, 0.0833, None, 1.0]) == ["0.285", "0.083", "–", "1.000"]
    assert format_cells(heading, [0.2854, 0.0833, None]) == ["1/3.5", "1/12", "–"]


def test_other_numbers_of_a_column_have_the_same_decimals():
    assert format_cells("spread, %", [0.708, 2.032, None, 104.1]) == ["0.71", "2.03", "–", "104.10"]
    assert format_cells("test accuracy after it", [0.98123, 0.95]) == ["0.9812", "0.9500"]


def test_large_numbers_of_a_column_have_one_prefix():
    heading = "images a second"
    assert format_cells(heading, [906e6, 44.6e9, None]) == ["906 M", "44,600 M", "–"]
    assert format_cells(heading, [12.3, 434_000.0, 1_210_000.0]) == ["12.3", "434,000", "1,210,000"]


def test_times_of_a_column_have_one_unit():
    assert format_cells("seconds", [0.00025, 0.0025, None, 12.5]) == [
        "0.25 ms",
        "2.5 ms",
        "–",
        "12,500 ms",
    ]


def test_a_small_ratio_is_described():
    assert describe_ratio("times as fast as vectorized", 0.0531) == "19 times slower"
    assert not describe_ratio("times as fast as vectorized", 2.0)
    assert time_heading("seconds an epoch") == "time an epoch"
    assert time_heading("GB a second") == "GB a second"


@pytest.mark.parametrize(
    ("low", "high", "most", "words"),
    [
        (1, 2.1, 5, ["10", "20", "50", "100"]),
        (-6, -1.5, 5, ["10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²"]),
        (-3, 1, 5, ["0.001", "0.01", "0.1", "1", "10"]),
        (0.33, 0.43, 5, ["2.2", "2.4", "2.6"]),
        (2, 3.5, 4, ["100", "300", "1,000", "3,000"]),
        (2, 6, 5, ["100", "1 k", "10 k", "100 k", "1 M"]),
    ],
)
def test_logarithmic_ticks_are_round_numbers_in_one_format(low, high, most, words):
    assert format_ticks(log_ticks(low, high, most)) == words


def test_an_axis_of_times_has_their_units(qapp):
    axis = LogAxis("left")
    axis.timed = True
    assert axis.logTickStrings([-6, -4, -2, 0], 1, 1) == ["1 µs", "100 µs", "10 ms", "1 s"]
    assert axis.tickStrings([0, 0.5, 1], 1, 0.5) == ["0 s", "0.5 s", "1 s"]

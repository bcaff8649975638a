"""Numbers of the comparisons as people read them."""

import pytest

from gui.devices.benchmark_page import format_cells, time_heading


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
        ("times as fast as vectorized", 0.0531, "0.0531"),
        ("times as fast as vectorized", 18.83, "18.83"),
        ("speed-up", 0.374, "0.374"),
        ("over vectorized", 0.0002, "0.0002"),
        ("test accuracy", 0.0531, "0.0531"),
        ("images a second", 51_800_000.0, "51.8 M"),
        ("size", 2048, "2,048"),
        ("device", "cuda", "cuda"),
        ("speed-up", None, "–"),
    ],
)
def test_numbers_are_written_with_unit_and_few_digits(heading, value, text):
    assert format_cells(heading, [value]) == [text]


def test_times_of_a_column_have_one_unit():
    assert format_cells("seconds", [0.00025, 0.0025, None, 12.5]) == [
        "0.25 ms",
        "2.5 ms",
        "–",
        "12,500 ms",
    ]


def test_the_heading_of_times_leaves_the_unit_to_the_cells():
    assert time_heading("seconds an epoch") == "time an epoch"
    assert time_heading("GB a second") == "GB a second"

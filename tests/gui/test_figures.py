"""Figures of the comparisons, as people read them."""

import pytest

from gui.figures import figure, in_words, titled


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
        ("times as fast as vectorized", 18.83, "18.83"),
        ("speed-up", 0.374, "0.374"),
        ("over vectorized", 0.0002, "1/5,000"),
        ("test accuracy", 0.0531, "0.0531"),
        ("operations a second", 51_800_000.0, "51.8 M"),
        ("size", 2048, "2,048"),
        ("device", "cuda", "cuda"),
        ("speed-up", None, "–"),
    ],
)
def test_a_figure_has_its_unit_and_no_zeros_to_count(heading, value, text):
    assert figure(heading, value) == text


def test_a_fraction_says_what_it_means():
    assert in_words("times as fast as vectorized", 0.0531) == "19 times slower"
    assert not in_words("times as fast as vectorized", 2.0)
    assert titled("seconds an epoch") == "time an epoch"
    assert titled("GB a second") == "GB a second"

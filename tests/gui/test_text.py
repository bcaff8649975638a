"""Numbers as texts for people."""

import pytest
from PySide6.QtCore import QLocale

from gui.text import count, editable, fixed, number, percent, probability


@pytest.fixture
def german():
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.0 %"), (0.5, "50.0 %"), (0.9994, "99.9 %"), (0.9996, "> 99.9 %"), (1.0, "> 99.9 %")],
)
def test_no_probability_is_shown_as_certain(value, text):
    assert probability(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.004, "0 %"), (0.994, "99 %"), (0.996, "> 99 %"), (1.0, "> 99 %")]
)
def test_a_short_probability_is_not_certain_either(value, text):
    assert probability(value, 0) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (2.98, "2.98"),
        (-1.4, "\N{MINUS SIGN}1.4"),
        (3706, "3,706"),
        (0.0000321, "0.0000321"),
        (1234567.0, "1,235,000"),
        (2.5e-7, "2.5·10⁻⁷"),
        (-1.5e12, "\N{MINUS SIGN}1.5·10¹²"),
        (float("inf"), "∞"),
        (float("nan"), "nan"),
    ],
)
def test_a_number_has_a_true_minus_separated_thousands_and_powers_of_ten(value, text):
    assert number(value) == text


def test_numbers_of_one_kind_have_one_form():
    assert count(9658) == "9,658"
    assert fixed(-0.001, 2) == "0.00"
    assert fixed(-1234.5, 1) == "\N{MINUS SIGN}1,234.5"
    assert percent(0.9812) == "98.12 %"
    assert percent(0.125, 1) == "12.5 %"


def test_a_number_in_a_field_can_be_typed():
    assert [editable(value) for value in (0.1, -2.0, 2.5e-7, 12345.0)] == [
        "0.1",
        "-2",
        "2.5e-07",
        "12345",
    ]


def test_numbers_follow_the_language(german):
    assert number(-1234.5, 5) == "\N{MINUS SIGN}1.234,5"
    assert count(1234567) == "1.234.567"
    assert percent(0.9812) == "98,12 %"

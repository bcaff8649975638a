"""The sentence of an error is one line, whatever its values are."""

import numpy as np
import pytest

from core.errors import MAX_LIST_LENGTH, InputError


@pytest.mark.parametrize("value", ["decay a\nb", "\x1b[2Ja", ["a\r\n", "b"]])
def test_a_value_with_line_breaks_or_control_characters_makes_one_line(value):
    text = str(InputError("{name}: must be a number.", name=value))
    assert text.isprintable()
    assert text.endswith(": must be a number.")


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


HUGE = {
    "deep": nested(900),
    "deeper": nested(100_000),
    "many": [1] * 600_000,
    "long": ["x" * 1000] * 1000,
    "table": {"a": nested(100_000)},
    "text": "y" * 10**6,
}
NUMBERS = {"large": 10**400, "larger": 10**5000, "nan": float("nan"), "negative": -1e308}


@pytest.mark.parametrize("value", HUGE.values(), ids=[*HUGE])
def test_a_value_of_a_file_makes_no_long_message_and_never_another_error(value):
    text = str(InputError("{value} is of another version.", value=value))
    assert len(text) < MAX_LIST_LENGTH + 300
    assert text.endswith(" is of another version.")


@pytest.mark.parametrize("value", NUMBERS.values(), ids=[*NUMBERS])
def test_a_number_of_any_size_can_be_written_with_separators(value):
    text = str(InputError("{value:,} images are too many.", value=value))
    assert text.endswith(" images are too many.")
    assert len(text) < 300


@pytest.mark.parametrize("value", [1234, np.int64(1234), 1234.0])
def test_a_usual_number_has_its_format(value):
    assert str(InputError("{value:,.0f} images", value=value)) == "1,234 images"


def test_all_items_of_a_usual_list_are_named():
    names = [f"setting_{number}" for number in range(60)]
    assert (
        str(InputError("choose one of {names}.", names=names))
        == f"choose one of {', '.join(names)}."
    )

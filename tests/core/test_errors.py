"""The sentence of an error is one line, whatever its values are."""

import pytest

from core.errors import InputError


@pytest.mark.parametrize("value", ["decay a\nb", "\x1b[2Ja", ["a\r\n", "b"]])
def test_a_value_with_line_breaks_or_control_characters_makes_one_line(value):
    text = str(InputError("{name}: must be a number.", name=value))
    assert text.isprintable()
    assert text.endswith(": must be a number.")

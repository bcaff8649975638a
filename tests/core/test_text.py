"""Numbers as texts for people."""

import pytest

from core.text import format_r2


@pytest.mark.parametrize(
    ("score", "text"), [(0.98, "R² 0.9800"), (-3.5, "R² -3.5000"), (-8.2e45, "R² -8.200e+45")]
)
def test_r2_is_short_whatever_its_size(score, text):
    assert format_r2(score) == text

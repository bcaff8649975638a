"""Dense code only becomes less: no count of `tools.style_counts` is above its ceiling."""

from tools.style_counts import KINDS, ceilings, counts


def test_no_count_is_above_its_ceiling():
    limits = ceilings()
    above = {kind: number for kind, number in counts().items() if number > limits[kind]}
    assert not above, f"above the ceiling of tools/style_counts.toml: {above}"


def test_each_kind_has_a_ceiling():
    assert set(ceilings()) == {*KINDS, "syntax nodes"}

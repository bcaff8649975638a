"""The presets: each can be built on the data it is meant for, and says what it is."""

import pytest

from core.errors import InputError
from core.network.notation import parse
from core.training.presets import PRESETS, find_preset


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_preset_builds_on_its_data(preset):
    points = (preset.data or "").startswith("rastrigin")
    network = parse(preset.settings.network, (2,) if points else (28, 28, 1), 1 if points else 10)
    assert network.parameter_count > 0
    assert preset.title
    assert preset.description.endswith(".")


def test_the_source_systems_have_theirs():
    names = {preset.name for preset in PRESETS}
    assert {
        "default",
        "lecture",
        "thesis",
        "unicamp-dense",
        "unicamp-cnn",
        "coursework",
        "blog",
        "lenet5",
    } <= names


def test_unknown_preset_is_refused_with_the_names():
    with pytest.raises(InputError, match="lecture"):
        find_preset("none")

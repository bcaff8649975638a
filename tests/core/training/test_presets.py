"""The presets: each can be built on the data it is meant for, and says what it is."""

import pytest

from core.errors import InputError
from core.network.notation import parse
from core.training.presets import PRESETS, find_preset, fit_preset


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_preset_builds_on_its_data(preset):
    points = (preset.data or "").startswith("rastrigin")
    network = parse(preset.settings.network, (2,) if points else (28, 28, 1), 1 if points else 10)
    assert network.parameter_count > 0
    assert preset.title
    assert preset.description.endswith(".")


@pytest.mark.parametrize(
    "preset", [each for each in PRESETS if each.kind == "classes"], ids=lambda preset: preset.name
)
def test_a_preset_for_images_is_fitted_to_images_of_another_size(preset):
    settings = fit_preset(preset.settings, "classes", (32, 32, 1), 4)
    network = parse(settings.network, (32, 32, 1), 4)
    assert (network.input_shape, network.outputs) == ((32, 32, 1), 4)
    assert len(network.layers) == len(parse(preset.settings.network, (28, 28, 1), 10).layers)


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


@pytest.mark.parametrize(
    ("name", "network", "published"),
    [
        (
            "lecture",
            "784-30-10",
            {"learning_rate": 3.0, "batch_size": 10, "epochs": 20, "activation": "sigmoid"},
        ),
        ("thesis", "784-512-10", {"learning_rate": 1.0, "batch_size": 100, "epochs": 20}),
        (
            "blog",
            "32C5-MP2-64C5-MP2-512N-10N",
            {"learning_rate": 0.01, "batch_size": 100, "optimizer": "sgd"},
        ),
        (
            "coursework",
            "2-128-128-1",
            {"group": 8, "activation": "sigmoid", "loss": "squared-error"},
        ),
    ],
)
def test_the_source_systems_have_the_settings_that_were_published(name, network, published):
    settings = find_preset(name).settings
    assert settings.network == network
    assert {key: getattr(settings, key) for key in published} == published

"""Networks and layer kinds: the registry of kinds, activations of each layer."""

import pytest

from core.errors import InputError
from core.network.layers import KINDS
from core.network.losses import find_loss
from core.network.notation import hidden_layers_note, parse

IMAGE = (28, 28, 1)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_is_parsed_from_its_own_text_and_described(kind):
    layer = kind()
    network = parse(f"{layer.text}-10N", IMAGE, 10)
    assert network.layers[0] == layer
    assert layer.caption.format(**layer.values())
    assert {field.name for field in kind.fields} <= layer.values().keys()


@pytest.mark.parametrize(
    ("loss", "kind", "activations"),
    [
        ("cross-entropy", "classes", ("sigmoid", "linear", "tanh", "linear")),
        ("squared-error", "classes", ("sigmoid", "linear", "tanh", "sigmoid")),
        ("squared-error", "regression", ("sigmoid", "linear", "tanh", "linear")),
    ],
)
def test_activation_of_each_layer(loss, kind, activations):
    network = parse("8C3-MP2-9N:tanh-10N", IMAGE, 10)
    assert network.activations("sigmoid", find_loss(loss, kind)) == activations


def test_own_activation_of_the_last_layer():
    network = parse("9N-10N:tanh", IMAGE, 10)
    assert network.activations("relu", find_loss("squared-error", "classes")) == ("relu", "tanh")
    with pytest.raises(InputError, match="takes no activation"):
        network.activations("relu", find_loss("cross-entropy", "classes"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("784-100-11", "end it with 10"),
        ("100-50-10", "begin it with 784"),
        ("784-100-10", ""),
        ("100-50", ""),
    ],
)
def test_numbers_with_one_size_of_the_data_are_noted(text, words):
    note = hidden_layers_note(text, parse(text, IMAGE, 10))
    assert words in str(note) if words else note is None

"""The short form of networks: parsing, printing, and the errors of wrong texts."""

import pytest

from core.errors import InputError
from core.network.layers.convolution import Convolution
from core.network.layers.dense import Dense
from core.network.layers.dropout import Dropout
from core.network.layers.max_pool import MaxPool
from core.network.notation import NotationError, parse, refitted

IMAGE = (28, 28, 1)


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("784-512-10", "784-512-10"),
        ("512", "784-512-10"),
        ("300-100", "784-300-100-10"),
        ("784-10", "784-10"),
        ("10", "784-10-10"),
        (" 784 - 30 - 10 ", "784-30-10"),
        ("32c5-mp2-512N-10N", "32C5-MP2-512N-10N"),
        ("512:tanh-10", "512N:tanh-10N"),
        ("784-512:clipped-leaky-relu-10N", "512N:clipped-leaky-relu-10N"),
        ("8C3:valid:s2:leaky-relu-D50-10", "8C3:leaky-relu:valid:s2-D50-10N"),
    ],
)
def test_text_is_parsed_and_printed_completely(text, complete):
    network = parse(text, IMAGE, 10)
    assert network.text == complete
    assert parse(network.text, IMAGE, 10) == network


def test_layers_shapes_and_counts_of_an_example():
    network = parse("32C5-MP2-64C5-MP2-D50-512N-10N", IMAGE, 10)
    assert network.layers == (
        Convolution(32, 5),
        MaxPool(2),
        Convolution(64, 5),
        MaxPool(2),
        Dropout(50),
        Dense(512),
        Dense(10),
    )
    assert network.shapes == (
        (28, 28, 1),
        (28, 28, 32),
        (14, 14, 32),
        (14, 14, 64),
        (7, 7, 64),
        (7, 7, 64),
        (512,),
        (10,),
    )
    assert network.parameters == (832, 0, 51264, 0, 0, 1606144, 5130)
    assert network.layers[2].multiply_adds(network.shapes[2]) == 14 * 14 * 25 * 32 * 64


@pytest.mark.parametrize(
    ("text", "start", "words"),
    [
        ("784--10", 4, "missing at character 5"),
        ("784-", 3, "missing"),
        ("0", 0, "0 units"),
        ("784-0-10", 4, "character 5"),
        ("-5", 0, "minus"),
        ("abc", 0, "no layer"),
        ("", 0, "empty"),
        ("   ", 0, "empty"),
        ("32C4-10N", 0, "of this size"),
        ("32C13-10N", 0, "of this size"),
        ("MP4-10N", 0, "MP2, MP3, MP2x1"),
        ("512N-20N", 5, "10 units"),
        ("32C5-MP2", 5, "last layer"),
        ("512N-32C5-10N", 5, "before the first dense"),
        ("MP3-MP3-MP3-MP2-10N", 12, "1x1"),
        ("8C3:valid-MP3-MP2-11C11:valid-10N", 18, "larger than its"),
        ("512:sine-10", 0, "sine"),
        ("D50:relu-10", 0, "no options"),
        ("D99-10N", 0, "D95"),
        ("784-²-10", 4, "no layer"),
        ("9" * 5000, 1000, "at most 1000"),
        ("784-" + "9" * 400 + "-10", 4, "400 digits"),
        ("784 100 10", 2, "dashes"),
    ],
)
def test_error_of_a_wrong_text_has_position_and_reason(text, start, words):
    with pytest.raises(NotationError, match=words) as caught:
        parse(text, IMAGE, 10)
    assert caught.value.start == start


PLANE = (2,)


@pytest.mark.parametrize(
    ("text", "before", "now", "after"),
    [
        ("2-128-128-1", (PLANE, 1), (IMAGE, 10), "784-128-128-10"),
        ("784-128:tanh-10", (IMAGE, 10), (PLANE, 1), "2-128:tanh-1"),
        ("8C5-MP2-64N-10N", (IMAGE, 10), (IMAGE, 26), "8C5-MP2-64N-26N"),
        ("128", (IMAGE, 10), (PLANE, 1), "128"),
        ("784-128-9", (IMAGE, 10), (PLANE, 1), "784-128-9"),
        ("784--10-", (IMAGE, 10), (PLANE, 1), "784--10-"),
        ("", (IMAGE, 10), (PLANE, 1), ""),
    ],
)
def test_sizes_of_the_data_in_a_text_are_changed_with_the_data(text, before, now, after):
    assert refitted(text, before, now) == after


def test_a_convolution_of_points_is_refused_with_advice():
    with pytest.raises(NotationError, match="2-128-1") as caught:
        parse("D10-8C5-1N", PLANE, 1)
    assert (caught.value.start, caught.value.end) == (4, 7)


def test_network_too_large_names_the_memory_it_would_need():
    with pytest.raises(InputError, match=r"12\.7 TB"):
        parse("1000000000", IMAGE, 10)

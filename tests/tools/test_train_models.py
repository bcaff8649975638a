"""The recipes of the networks for the canvas: what they learn from, and the varied pen strokes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data import builtin
from core.data.class_names import DIGITS
from core.data.dataset import Dataset
from core.inference.scores import score_classes
from core.training.run_settings import RunSettings
from tools.models.pen_data import PenDigit, Placement, draw, varied_copies
from tools.models.train import FILES, RECIPES, Recipe, make_data, train

RUN = RunSettings(
    network="784-10", optimizer="adam", learning_rate=0.01, schedule="cosine", epochs=2
)
ONE = PenDigit(1, 1, (np.array([(40.0, 0.0), (40.0, 50.0), (40.0, 100.0)]),))
SEVEN = PenDigit(
    7,
    2,
    (np.array([(0.0, 0.0), (60.0, 0.0), (20.0, 100.0)]), np.array([(20.0, 50.0), (50.0, 50.0)])),
)


@pytest.fixture(scope="module")
def mnist():
    return Dataset("mnist", "few", "classes", DIGITS, *builtin.draw(300, 100))


@pytest.mark.parametrize(
    ("recipe", "labels", "name"),
    [
        (Recipe(RUN, builtin=50, copies=3), 50 + 6 + 300, "mnist+builtin"),
        (Recipe(RUN, builtin=50), 50 + 300, "mnist+builtin"),
        (Recipe(RUN, builtin=50, copies=3, mnist=1.5), 50 + 6 + 450, "mnist+builtin"),
        (Recipe(RUN, builtin=50, copies=2, mnist=0), 50 + 4, "builtin"),
    ],
)
def test_the_data_of_a_recipe(mnist, recipe, labels, name):
    data = make_data(recipe, [ONE, SEVEN], None, mnist)
    assert len(data.train) == labels
    assert data.name == name
    assert data.test is mnist.test
    strokes = data.train.targets[50 : 50 + 2 * recipe.copies]
    assert strokes.tolist() == [1, 7] * recipe.copies


def test_a_network_learns_by_a_recipe(mnist):
    recipe = Recipe(RUN, builtin=400, copies=1)
    model = train(recipe, [ONE, SEVEN], None, mnist)
    assert model.network.text == "784-10"
    assert model.data == "mnist+builtin"
    assert model.test_score > 0.4
    assert model.classes == DIGITS


def test_a_network_goes_on_from_what_it_learned_first(mnist):
    first = Recipe(RUN, builtin=400)
    slow = Recipe(RUN.change(learning_rate=1e-9, epochs=1), builtin=0, first=first)
    model = train(slow, [], None, mnist)
    np.testing.assert_allclose(
        model.parameters, train(first, [], None, mnist).parameters, atol=1e-5
    )
    assert model.data == "mnist"


def test_the_parameters_may_be_the_mean_of_the_last_epochs(mnist):
    # An epoch of 800 examples is four quarters of two steps; the mean of five of them has the end
    # of the first epoch.
    recipe = Recipe(RUN.change(schedule="constant"), builtin=500)
    one = train(
        replace(recipe, settings=recipe.settings.change(epochs=1)), [], None, mnist
    ).parameters
    second = [
        train(replace(recipe, averaged=count), [], None, mnist).parameters for count in (1, 4)
    ]
    mean = train(replace(recipe, averaged=5), [], None, mnist)
    np.testing.assert_allclose(mean.parameters, (4 * second[1] + one) / 5, atol=1e-6)
    assert not np.allclose(second[0], second[1], atol=1e-4)
    scores = score_classes(mean, mnist.test)
    assert mean.test_score == np.mean(scores.true_class == scores.predicted_class)


def test_copies_of_strokes_vary_and_stay_themselves():
    images, labels = varied_copies([ONE, SEVEN], 40, np.random.default_rng(3))
    again, _ = varied_copies([ONE, SEVEN], 40, np.random.default_rng(3))
    np.testing.assert_array_equal(images, again)
    assert images.shape == (80, 28, 28, 1)
    assert labels.tolist() == [1, 7] * 40
    assert len({image.tobytes() for image in images}) == 80
    plain, _ = draw([ONE, SEVEN], Placement())
    for digit in (0, 1):
        own = images[digit::2].astype(float).reshape(40, -1)
        distances = [
            np.linalg.norm(own.mean(axis=0) - image.astype(float).ravel()) for image in plain
        ]
        assert int(np.argmin(distances)) == digit


def test_each_file_of_a_network_has_a_recipe():
    assert set(FILES) <= set(RECIPES)
    for name, file in FILES.items():
        card = Path("resources/models", file).with_suffix(".md").read_text("utf-8")
        assert f"tools.models.train {name}" in card

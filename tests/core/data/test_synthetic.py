import numpy as np

from core.data.synthetic.pen import PATH, shape_model, write
from core.data.synthetic.styles import SAMPLES, STYLES, all_curves
from tools.models import shape_model as shape_tool
from tools.models.pen_data import PenDigit
from tools.models.shape_model import build


def lines(count=300, seed=0):
    return write(count, np.random.Generator(np.random.PCG64(seed)))


def test_every_digit_has_at_least_four_styles():
    counts = np.bincount([style.digit for style in STYLES], minlength=10)
    assert counts.min() >= 4


def test_a_curve_passes_through_its_points_and_its_weights_sum_to_one():
    curves = all_curves()
    np.testing.assert_allclose(curves.weights.sum(axis=2), 1)
    for style in range(len(STYLES)):
        path = (curves.points[style][curves.sources[style]] * curves.weights[style][..., None]).sum(
            axis=1
        )
        for point in curves.points[style]:
            assert np.hypot(*(path - point).T).min() < 1e-9
        breaks = np.flatnonzero(~curves.joined[style])
        assert len(breaks) == STYLES[style].strokes.count("|") + 1
        assert breaks[-1] == SAMPLES - 1


def test_no_two_digits_are_equal():
    images = lines().images()
    assert len({image.tobytes() for image in images}) == len(images)


# -- shape model -----------------------------------------------------------------------------------


def test_the_shape_model_has_several_clusters_of_every_digit():
    model = shape_model()
    assert np.bincount(model.labels, minlength=10).min() >= 4
    assert model.counts.sum() > 7_000
    assert PATH.stat().st_size < 300_000
    assert np.isfinite(model.components).all()


def test_the_mean_curves_fit_in_their_unit_square():
    """Coordinates are in longest sides of a digit, around the middle of its box."""
    model = shape_model()
    sides = np.ptp(model.means, axis=1).max(axis=1)
    assert (sides > 0.7).all()
    assert (np.abs(model.means) < 0.6).all()


def test_without_spread_the_mean_curves_are_drawn():
    model = shape_model()
    labels = np.arange(10).repeat(20)
    samples, joined = model.draw(labels, 0.0, np.random.default_rng(0))
    for label, curve, pen in zip(labels, samples, joined, strict=True):
        rows = np.flatnonzero(model.labels == label)
        (row,) = rows[(model.means[rows] == curve).all(axis=(1, 2))]
        np.testing.assert_array_equal(pen, model.joined[row])


def hand(label: int, writer: int, rng) -> PenDigit:
    """A slanting line with a bow of random size, for 1; with a second stroke across, for 7."""
    t = np.linspace(0, 1, 30)
    bow = rng.normal(0, 0.1) * np.sin(np.pi * t)
    strokes = [np.stack((100 + 40 * t + 100 * bow, 300 * t), axis=1)]
    if label == 7:
        strokes.append(np.array([[80.0, 150], [160, 150]]))
    return PenDigit(label, writer, tuple(strokes))


def test_a_model_is_built_from_strokes_and_keeps_their_variation():
    rng = np.random.default_rng(3)
    model = build([hand(label, 1, rng) for label in (1, 7) for _ in range(100)])
    assert model.labels.tolist() == [1, 7]
    assert model.counts.tolist() == [100, 100]
    assert (~model.joined).sum(axis=1).tolist() == [1, 2]
    spread = np.sqrt((model.components**2).sum(axis=(2, 3)))
    assert (spread[:, 0] > 5 * spread[:, 1]).all()  # a single bow is one component


def test_writers_can_be_left_out(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(shape_tool, "SMALLEST", 1)
    monkeypatch.setattr(
        shape_tool,
        "read",
        lambda path: [hand(1, writer, np.random.default_rng(writer)) for writer in range(1, 41)],
    )
    monkeypatch.setattr(
        "sys.argv",
        ["", "file", "--without-writers", "1-6,9", "--out", str(tmp_path / "m.safetensors")],
    )
    shape_tool.main()
    assert "33 digits of 33 writers" in capsys.readouterr().out
    assert shape_model(tmp_path / "m.safetensors").counts.sum() == 33


def test_the_source_and_license_are_in_the_file():
    from safetensors import safe_open

    with safe_open(PATH, framework="numpy") as file:
        texts = file.metadata()
    assert "Alpaydin" in texts["source"]
    assert texts["licence"].startswith("CC BY 4.0")

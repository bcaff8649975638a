import numpy as np
import pytest

from core.training.records import BINS_PER_EPOCH, StepBins, StepsDone

IMAGES, BATCH = 60_000, 100
STEPS = IMAGES // BATCH


def records(sizes, epochs=2):
    """Records of chunks with these numbers of steps, over and over; the loss of step s is s."""
    step, sizes = 0, list(sizes)
    while step < epochs * STEPS:
        position = step % STEPS
        count = min(sizes[0], STEPS - position)
        sizes = [*sizes[1:], sizes[0]]
        rows = [(BATCH, BATCH * s, BATCH / 2) for s in range(step, step + count)]
        step += count
        yield StepsDone(
            step=step,
            epoch=1 + (step - 1) // STEPS,
            position=(position + count) * BATCH,
            images=IMAGES,
            loss=0.0,
            score=0.5,
            learning_rate=0.1,
            seconds=1.0,
            images_per_second=1.0,
            step_metrics=np.array(rows, float),
            checkpoint=None,
        )


def points(sizes):
    bins = StepBins()
    return [point for record in records(sizes) for point in bins.add(record)]


@pytest.mark.parametrize("sizes", [(1,), (7, 1, 300), (1000,)])
def test_the_points_do_not_depend_on_the_speed_of_the_machine(sizes):
    assert points(sizes) == points((5,))


def test_bins_are_single_steps_at_the_start_and_equal_later():
    x = np.array([0.0, *(point[0] for point in points((40,)))])
    widths = np.diff(x) * STEPS
    np.testing.assert_allclose(widths[:20], 1)
    np.testing.assert_allclose(widths[x[:-1] > 0.5], STEPS / BINS_PER_EPOCH)
    assert len(x) > BINS_PER_EPOCH


def test_a_point_is_the_mean_of_its_steps():
    (x, loss, score), *_ = [point for point in points((3,)) if point[0] > 1]
    last = round(x * STEPS) - 1
    assert loss == pytest.approx(np.mean(np.arange(last - 5, last + 1)))
    assert score == 0.5


def test_the_steps_since_the_last_bin_are_available():
    bins = StepBins()
    for record in records((1,), epochs=1):
        if record.step == STEPS - 1:
            break
        bins.add(record)
    ((x, loss, _),) = bins.unfinished()
    assert x == pytest.approx((STEPS - 2) / STEPS)
    assert loss <= STEPS - 3

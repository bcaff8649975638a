"""The kernels of `cuda` in Numba's simulator, for a process with NUMBA_ENABLE_CUDASIM=1.

pytest does not collect this file; test_simulator.py runs it. Blocks are tiny, because each thread
is a Python thread.
"""

import gc
import sys

import numpy as np
import pytest
from numba import float32
from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

from core.data.dataset import Dataset, Split
from core.network.layers import KINDS
from core.network.layers.dense import Dense
from core.training.records import EpochDone, Finished, StepsDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.activations import NAMES
from kernels.augmentation import AugmentationParams
from kernels.cuda.device import Cuda
from kernels.cuda.operators.tiles import LARGE, MEDIUM, NARROW, SMALL, Tile
from kernels.cuda.toolkit import cuda, kernel
from kernels.registry import open_device, probe
from tests.core.network.layer_kinds import small, step_on
from tests.kernels.cuda.image_cases import small_image_cases, widened
from tests.kernels.cuda.races import FOUND, watch
from tests.kernels.operator_cases import cases, dense_cases, loss_cases, run_case

TOLERANCE = 2e-5

# The simulator polls its threads in a busy loop; with the default they would wait 5 ms for each
# round.
sys.setswitchinterval(1e-5)

# Threads of the first load single floats from shared memory, those of the second four at once, as
# in large tiles.
TINY, BY_FOURS = Tile(4, 4, 4, 2, 2), Tile(16, 16, 4, 4, 4)


watch()


@pytest.fixture(autouse=True)
def no_races():
    """The kernels of every test are checked for races."""
    FOUND.clear()
    yield
    assert not FOUND


def check(case, device):
    arrays = case.draw(np.random.default_rng(5), np.float32)
    found = run_case(case, device, arrays)
    for key, value in run_case(case, open_device("sequential"), widened(arrays)).items():
        np.testing.assert_allclose(found[key], value, rtol=TOLERANCE, atol=TOLERANCE, err_msg=key)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_operator_agrees_with_the_reference(case):
    check(case, Cuda(tile=TINY))


@pytest.mark.parametrize(
    "layer",
    [*(small(kind, 2) for kind in KINDS), *(Dense(2, name) for name in NAMES)],
    ids=lambda layer: layer.text,
)
def test_every_kind_of_layer_and_every_activation(layer):
    layers = (layer, Dense(2))
    expected = step_on(open_device("sequential"), layers)
    for found, value in zip(step_on(Cuda(tile=TINY), layers), expected, strict=True):
        np.testing.assert_allclose(found, value, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", [*dense_cases((9, 21, 18))[::4], *small_image_cases()], ids=lambda case: case.name
)
def test_products_with_four_floats_per_load(case):
    check(case, Cuda(tile=BY_FOURS))


@pytest.mark.parametrize(
    ("tile", "form"),
    [(LARGE, 0), (LARGE, 12), (MEDIUM, 1), (SMALL, 0), (NARROW, 1), (NARROW, 12)],
    ids=["large-nn", "large-tn", "medium-nt", "small-nn", "narrow-nt", "narrow-tn"],
)
def test_the_tiles_that_are_used_on_a_card(tile, form):
    check(dense_cases((7, 11, 5))[form], Cuda(tile=tile))


def test_a_split_product_repeats_to_the_bit_and_resets_its_counters():
    rng = np.random.default_rng(0)
    x, w = (
        rng.standard_normal((3, 40)).astype(np.float32),
        rng.standard_normal((40, 3)).astype(np.float32),
    )
    device = Cuda(tile=TINY)
    out = device.empty((3, 3))
    found = []
    for _ in range(3):
        device.dot(device.upload(x), device.upload(w), out)
        found.append(device.download(out))
    np.testing.assert_allclose(found[0], x.astype(float) @ w, rtol=1e-5, atol=1e-5)
    assert all(np.array_equal(found[0], other) for other in found[1:])


@kernel()
def _pass_on(numbers, barriers):
    """numbers[k] = numbers[k + 1]. barriers: 2, for all threads, as it has to be; 1, for some; 0,
    for none.
    """
    passed = cuda.shared.array(4, dtype=float32)
    thread = cuda.threadIdx.x
    passed[thread] = numbers[thread]
    if barriers == 2 or (barriers == 1 and thread > 0):
        cuda.syncthreads()
    numbers[thread] = passed[(thread + 1) % 4]


def test_a_race_is_found():
    numbers = cuda.to_device(np.arange(4, dtype=np.float32))
    _pass_on[1, 4](numbers, 2)
    assert not FOUND
    np.testing.assert_array_equal(numbers.copy_to_host(), [1, 2, 3, 0])
    _pass_on[1, 4](numbers, 0)
    assert any("meet without a barrier" in found for found in FOUND)
    _pass_on[1, 4](numbers, 1)
    assert "_pass_on: not all threads pass the same barriers" in FOUND
    FOUND.clear()
    _pass_on[2, 4](numbers, 2)
    assert {"_pass_on: blocks (0, 0, 0) and (1, 0, 0) meet in one element"} == FOUND
    FOUND.clear()


def test_many_rows_are_summed_in_slices():
    grad_z = np.random.default_rng(1).standard_normal((700, 3)).astype(np.float32)
    device = Cuda()
    out = device.empty((3,))
    device.bias_gradient(device.upload(grad_z), out)
    np.testing.assert_allclose(
        device.download(out), grad_z.astype(float).sum(0), rtol=1e-4, atol=1e-4
    )


@pytest.mark.parametrize(
    "amounts",
    [
        AugmentationParams(),
        AugmentationParams(1, 20, 0.2, 0.2, 1, 0.5),
        AugmentationParams(thickness=1.0),
    ],
    ids=str,
)
def test_augmentation_agrees_with_the_reference(amounts):
    x = np.random.default_rng(2).random((2, 9, 8, 1)).astype(np.float32)
    counters = np.array([0, 7], np.int32)
    expected, device = np.empty_like(x), Cuda()
    open_device("sequential").augment(x, amounts, 3, counters, expected)
    out = device.upload(np.full_like(x, np.nan))
    device.augment(device.upload(x), amounts, 3, device.upload(counters), out)
    np.testing.assert_allclose(device.download(out), expected, atol=2e-5)


def test_a_block_transforms_several_images_independently():
    x = np.random.default_rng(2).random((3, 9, 8, 1)).astype(np.float32)
    amounts, counters, few, many = (
        AugmentationParams(1, 20, 0.2, 0.2, 1, 0.5),
        np.zeros(2, np.int32),
        Cuda(),
        Cuda(),
    )
    # Room for one image.
    few._launcher.partial_floats = 9 * 8 + 2 * 5 * 5
    found = []
    for device in (few, many):
        out = device.empty(x.shape)
        device.augment(device.upload(x), amounts, 3, device.upload(counters), out)
        found.append(device.download(out))
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("case", loss_cases(7, 6), ids=lambda case: case.name)
def test_a_block_computes_several_groups_of_rows(case):
    device = Cuda(tile=TINY)
    device._launcher.loss_blocks = 1
    check(case, device)


def test_plots_show_a_diverging_loss():
    device = Cuda(tile=TINY)
    for activation in NAMES:
        out = device.empty((1, 1))
        nan, one = (
            device.upload(np.full((1, 1), np.nan, np.float32)),
            device.upload(np.ones((1, 1), np.float32)),
        )
        device.dense(nan, one, device.upload(np.ones(1, np.float32)), activation, out)
        assert np.isnan(device.download(out)[0, 0])


@pytest.mark.parametrize("place", [0, 1, 5, 9])
def test_with_nan_the_same_answers_are_correct(place):
    """Several threads find the largest output; NaN must have the same effect as in plain loops."""
    y = np.arange(10, dtype=np.float32).reshape(1, 10)
    y[0, place] = np.nan
    right = []
    for device in (Cuda(), open_device("sequential")):
        there, out = device.upload(y), device.empty((1, 10))
        for label in (0, 8, 9):
            metrics = device.upload(np.zeros(2))
            device.squared_error_classes(
                there, device.upload(np.array([label], np.int32)), "linear", metrics, out
            )
            right.append(device.download(metrics)[1])
    assert right[:3] == right[3:]
    assert sum(right) == 2


def test_only_float32_is_computed():
    device = Cuda(tile=TINY)
    wide = device.upload(np.ones((2, 2)))
    with pytest.raises(TypeError, match="float32 only; this array is float64"):
        device.dot(wide, wide, device.empty((2, 2)))
    with pytest.raises(
        ValueError, match=r"float64 \(2, 2\), the one in host memory float32 \(2, 2\)"
    ):
        device.write(wide, np.ones((2, 2), np.float32))


def test_it_says_that_it_is_the_simulator():
    info = probe("cuda")
    assert info.available
    assert "simulator" in info.title


def blobs():
    """Three classes of 3x3 images that differ in where they are bright."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 50).astype(np.int32)
    images = rng.integers(0, 100, (50, 3, 3, 1))
    images[np.arange(50), labels] += 100
    images = images.astype(np.uint8)
    return Dataset("blobs", "Blobs", "classes", ("a", "b", "c"), Split(images[:35], labels[:35]),
                   Split(images[35:], labels[35:]))  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "run",
    [
        RunSettings(network="9-4-3", activation="tanh", learning_rate=0.5, batch_size=10, epochs=2),
        RunSettings(network="2C3-MP2-D20-3N", optimizer="adam", learning_rate=0.02, batch_size=20, epochs=1,
            l2=0.01),
        RunSettings(network="9-3", activation="sigmoid", loss="squared-error", optimizer="momentum", group=2,
            batch_size=10, epochs=1, shift=0.5),
        RunSettings(network="2C3-BN-4N-BN-3N", activation="tanh", batch_size=10, group=2, epochs=1, l1=0.01),
    ],
    ids=["dense", "convolutional", "group", "normalized"],
)  # fmt: skip
def test_a_whole_training_is_the_same_as_on_the_cpu(run):
    found = list(iter_training(run, blobs(), Cuda(tile=BY_FOURS)))
    expected = list(iter_training(run, blobs(), open_device("sequential")))
    epochs = [[e for e in events if isinstance(e, EpochDone)] for events in (found, expected)]
    assert len(epochs[0]) == len(epochs[1]) == run.epochs
    for mine, its in zip(*epochs, strict=True):
        assert mine.train_loss == pytest.approx(its.train_loss, rel=1e-4)
        assert mine.test_loss == pytest.approx(its.test_loss, rel=1e-4)
        assert mine.test_score == its.test_score
    assert any(isinstance(event, StepsDone) for event in found)
    assert isinstance(found[-1], Finished)
    np.testing.assert_allclose(
        found[-1].checkpoint.parameters, expected[-1].checkpoint.parameters, rtol=1e-3, atol=1e-4
    )


def arrays_alive():
    return sum(isinstance(item, FakeCUDAArray) for item in gc.get_objects())


@pytest.mark.parametrize("group", [1, 2])
@pytest.mark.parametrize("finished", [True, False])
def test_a_closed_device_leaves_no_array_to_the_garbage_collector(group, finished):
    """The collector may run in any thread, and in the window only in its own, which has no CUDA
    context.
    """
    gc.collect()
    gc.disable()
    try:
        before = arrays_alive()
        device = Cuda(tile=BY_FOURS)
        records = iter_training(
            RunSettings(network="9-3", batch_size=5, group=group, epochs=1), blobs(), device
        )
        next(records)
        if finished:
            list(records)
        records.close()
        del records
        device.close()
        assert arrays_alive() <= before
    finally:
        gc.enable()


def test_several_recorded_steps_equal_single_ones():
    """Two steps are recorded together in the simulator; a chunk of one step uses none of these."""
    settings = RunSettings(
        network="9-4-3", batch_size=4, epochs=2, optimizer="adam", learning_rate=0.01
    )
    chunks = [
        list(iter_training(settings, blobs(), Cuda(tile=BY_FOURS), TrainingControl(chunk=n)))
        for n in (1, 5)
    ]
    parameters = [records[-1].checkpoint.parameters for records in chunks]
    np.testing.assert_array_equal(*parameters)
    losses = [
        [row for r in records if isinstance(r, StepsDone) for row in r.step_metrics]
        for records in chunks
    ]
    np.testing.assert_array_equal(*losses)

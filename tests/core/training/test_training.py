"""Training as a generator: its records, repeatability by the seed, continuation of checkpoints."""

import gc
import threading

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.data.functions import load_function
from core.errors import InputError
from core.network.forward_backward import ForwardBackward
from core.network.notation import parse
from core.training.checks import check_memory
from core.training.optimizers import OPTIMIZERS, Optimizer
from core.training.optimizers.optimizer import UpdateTerm
from core.training.records import EpochDone, Finished, RateChange, StepsDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.errors import DeviceError
from kernels.registry import open_device
from kernels.vectorized.device import Vectorized


@pytest.fixture(scope="module")
def blobs():
    """Three classes of 4x4 images that differ in where they are bright: learnable, not trivial."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 330).astype(np.int32)
    images = rng.integers(0, 120, (330, 4, 4, 1))
    images[np.arange(330), labels] += 90
    images = images.astype(np.uint8)
    train, test = Split(images[:250], labels[:250]), Split(images[250:], labels[250:])
    return Dataset("blobs", "Blobs", "classes", ("a", "b", "c"), train, test)


def small_run(**values):
    return RunSettings(network="16-12-3", batch_size=20, epochs=3).change(**values)


def train(run, data, device="vectorized", **options):
    return list(iter_training(run, data, open_device(device), **options))


def last_epoch(events):
    return [event for event in events if isinstance(event, EpochDone)][-1]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("loss", ["cross-entropy", "squared-error"])
@pytest.mark.parametrize("device", ["sequential", "vectorized"])
def test_networks_learn(blobs, device, loss, optimizer):
    rate = {"sgd": 0.5, "momentum": 0.1}.get(optimizer, 0.02)
    settings = small_run(
        loss=loss, optimizer=optimizer, learning_rate=rate, epochs=12, activation="tanh"
    )
    events = train(settings, blobs, device)
    assert last_epoch(events).test_score > 0.95
    assert events[-1].reason == "epochs"
    assert events[-1].test_score == last_epoch(events).test_score


@pytest.mark.parametrize("network", ["16-12-3", "2C3-MP2-6N-3N"])
def test_a_run_leaves_nothing_in_memory(blobs, network):
    before = count_of_arrays()
    for _ in range(2):
        train(small_run(network=network, epochs=1), blobs)
    assert count_of_arrays() == before


def count_of_arrays():
    """How many objects with the arrays of a batch exist."""
    gc.collect()
    # By its type: `isinstance` asks a weak proxy for the class of an object that may be gone.
    return sum(type(thing) is ForwardBackward for thing in gc.get_objects())


def test_records_count_images_and_steps(blobs):
    events = train(small_run(batch_size=60), blobs)
    epochs = [e for e in events if isinstance(e, EpochDone)]
    assert [e.epoch for e in epochs] == [1, 2, 3]
    assert [e.step for e in epochs] == [5, 10, 15]  # 60, 60, 60, 60 and the last 10
    ends = [e.position for e in events if isinstance(e, StepsDone) and e.position == 250]
    assert len(ends) == 3
    assert isinstance(events[-1], Finished)


@pytest.mark.parametrize("group", [1, 2])
@pytest.mark.parametrize("device", ["sequential", "vectorized"])
def test_each_step_has_its_metrics_whatever_the_size_of_the_chunks(blobs, device, group):
    def metrics(chunk):
        records = train(
            small_run(batch_size=60, group=group),
            blobs,
            device,
            control=TrainingControl(chunk=chunk),
        )
        steps = [record.step_metrics for record in records if isinstance(record, StepsDone)]
        return np.concatenate(steps), [r.train_loss for r in records if isinstance(r, EpochDone)]

    (single, losses), (together, losses_again) = metrics(1), metrics(100)
    np.testing.assert_array_equal(single, together)
    assert losses == losses_again
    assert single[:, 0].sum() == 3 * 250
    assert losses[0] == pytest.approx(single[: len(single) // 3, 1].sum() / 250, rel=1e-12)


@pytest.mark.parametrize("batch_size", [1, 7, 250, 1000])
def test_any_batch_size_trains(blobs, batch_size):
    done = last_epoch(train(small_run(batch_size=batch_size, epochs=1), blobs))
    assert done.step == -(-250 // min(batch_size, 250))


@pytest.mark.parametrize("device", ["sequential", "vectorized"])
def test_same_seed_gives_identical_parameters(blobs, device):
    settings = small_run(optimizer="adam", learning_rate=0.01, seed=7)
    first = train(settings, blobs, device)[-1]
    again = train(settings, blobs, device, control=TrainingControl(chunk=1))[-1]
    other = train(settings.change(seed=8), blobs, device)[-1]
    np.testing.assert_array_equal(first.checkpoint.parameters, again.checkpoint.parameters)
    assert not np.array_equal(first.checkpoint.parameters, other.checkpoint.parameters)


def test_devices_agree_from_the_same_seed(blobs):
    settings = small_run(activation="sigmoid", initialization="glorot")
    one, two = (last_epoch(train(settings, blobs, name)) for name in ("sequential", "vectorized"))
    assert one.train_loss == pytest.approx(two.train_loss, rel=1e-4)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_checkpoint_in_mid_epoch_continues_to_the_bit(blobs, optimizer):
    settings = small_run(optimizer=optimizer, learning_rate=0.01, validation=0.1, patience=3)
    whole = train(settings, blobs)[-1]
    generator = iter_training(settings, blobs, open_device("vectorized"), TrainingControl(chunk=1))
    kept = [next(generator) for _ in range(17)][-1].checkpoint
    generator.close()
    assert kept.position
    rest = train(settings, blobs, checkpoint=kept)
    np.testing.assert_array_equal(rest[-1].checkpoint.parameters, whole.checkpoint.parameters)
    assert rest[-1].checkpoint.best_loss == whole.checkpoint.best_loss


def test_a_checkpoint_before_an_evaluation_tells_the_rate_of_its_epoch(blobs):
    settings = small_run(schedule="cosine")
    whole = train(settings, blobs, control=TrainingControl(checkpoint_seconds=0))
    kept = [
        event for event in whole if isinstance(event, StepsDone) and event.position == event.images
    ]
    assert len(kept) == settings.epochs
    for event in kept:
        rest = train(settings, blobs, checkpoint=event.checkpoint)
        assert isinstance(rest[0], EpochDone)
        assert rest[0].learning_rate == event.learning_rate
    assert last_epoch(rest).train_loss == pytest.approx(
        whole_epoch_loss(settings, blobs), rel=1e-12
    )


def whole_epoch_loss(run, data):
    return last_epoch(train(run, data)).train_loss


@pytest.mark.parametrize("batch_size", [7, 20, 100])
def test_number_of_workers_does_not_change_the_parameters(blobs, batch_size):
    settings = small_run(group=5, batch_size=batch_size, learning_rate=0.5)
    one, two, many = (train(settings.change(workers=w), blobs)[-1] for w in (1, 2, 5))
    np.testing.assert_array_equal(one.checkpoint.parameters, two.checkpoint.parameters)
    np.testing.assert_array_equal(one.checkpoint.parameters, many.checkpoint.parameters)


def test_a_group_is_one_large_batch(blobs):
    grouped = train(small_run(group=5, batch_size=10, workers=2), blobs)[-1]
    whole = train(small_run(batch_size=50), blobs)[-1]
    np.testing.assert_allclose(
        grouped.checkpoint.parameters, whole.checkpoint.parameters, atol=1e-5
    )
    assert grouped.checkpoint.step == whole.checkpoint.step


def test_closing_the_generator_stops_the_workers(blobs):
    before = threading.active_count()
    generator = iter_training(
        small_run(group=4, workers=4), blobs, open_device("vectorized"), TrainingControl(chunk=1)
    )
    next(generator)
    assert threading.active_count() > before
    generator.close()
    assert threading.active_count() == before


def test_more_workers_than_batches_in_a_group_are_refused():
    with pytest.raises(InputError, match="set group to 4"):
        RunSettings(workers=4, group=2)


def test_target_accuracy_stops_and_reports_the_time(blobs):
    done = train(small_run(epochs=50, learning_rate=0.5, target_accuracy=0.9), blobs)[-1]
    assert done.reason == "target-accuracy"
    assert done.seconds_to_target == pytest.approx(done.seconds)
    assert done.test_score >= 0.9


def test_target_error_stops(blobs):
    done = train(small_run(epochs=50, learning_rate=0.5, target_error=0.3), blobs)[-1]
    assert done.reason == "target-error"
    assert done.checkpoint.epoch < 50


def test_patience_keeps_the_best_epoch(blobs):
    settings = small_run(epochs=60, learning_rate=2.5, validation=0.2, patience=2, seed=3)
    events = train(settings, blobs)
    epochs = [e for e in events if isinstance(e, EpochDone)]
    best = min(epochs, key=lambda e: e.validation_loss)
    done = events[-1]
    assert done.reason == "patience"
    assert len(epochs) == best.epoch + 2
    np.testing.assert_array_equal(done.checkpoint.parameters, best.checkpoint.parameters)
    assert done.test_score == best.test_score


def test_divergence_ends_the_run_with_advice_and_finite_parameters(blobs):
    settings = small_run(learning_rate=1e18, activation="linear", loss="squared-error")
    done = train(settings, blobs)[-1]
    assert done.reason == "diverged"
    assert "lower the learning rate" in done.advice
    assert np.isfinite(done.checkpoint.parameters).all()


def test_a_run_that_diverges_later_keeps_what_it_had_learned(blobs):
    steps = 13  # of an epoch
    run = small_run(
        loss="squared-error",
        activation="linear",
        learning_rate=0.01,
        rate_changes=f"{steps + 1}:1e18",
    )
    records = train(run, blobs)
    first = next(record for record in records if isinstance(record, EpochDone))
    end = records[-1]
    assert end.reason == "diverged"
    assert (end.checkpoint.epoch, end.checkpoint.step) == (1, steps)
    assert np.array_equal(end.checkpoint.parameters, first.checkpoint.parameters)


def test_learning_rate_changed_while_running_is_used(blobs):
    control = TrainingControl(chunk=1)
    generator = iter_training(small_run(), blobs, open_device("vectorized"), control)
    before = next(generator)
    control.learning_rate = 0.025
    assert (before.learning_rate, next(generator).learning_rate) == (0.1, 0.025)
    control.learning_rate = "schedule"
    assert next(generator).learning_rate == 0.1
    generator.close()


def test_l2_makes_weights_smaller(blobs):
    plain, pulled = (train(small_run(l2=l2), blobs)[-1].checkpoint.parameters for l2 in (0, 0.05))
    assert np.abs(pulled).sum() < 0.9 * np.abs(plain).sum()


def test_regression_is_scored_by_r2(product_data):
    settings = RunSettings(
        network="2-16-1",
        activation="tanh",
        optimizer="adam",
        learning_rate=0.02,
        epochs=40,
        batch_size=30,
    )
    events = train(settings, product_data)
    assert last_epoch(events).test_score > 0.9
    assert last_epoch(events).train_score is None


def test_network_that_does_not_fit_the_data_is_refused(blobs):
    with pytest.raises(InputError, match="3 units"):
        next(iter_training(small_run(network="12N-10N"), blobs, open_device("vectorized")))


def test_activation_on_a_softmax_output_is_refused(blobs):
    with pytest.raises(InputError, match="takes no activation"):
        next(iter_training(small_run(network="12N-3N:tanh"), blobs, open_device("vectorized")))


class SmallCard(Vectorized):
    """A device with as much memory of its own as it is told."""

    free = 0

    def memory_info(self):
        return self.free, 1 << 30


def test_a_run_too_large_for_the_card_is_refused_with_its_size(blobs):
    device = SmallCard()
    device.free = 10_000_000
    with pytest.raises(DeviceError, match=r"needs about 67.* MB .* 10 MB are free"):
        next(iter_training(small_run(), blobs, device))


def test_little_memory_halves_the_evaluation_batch_and_changes_no_result(blobs):
    wide = small_run(network="16-5000-3", epochs=1)
    large, small = SmallCard(), SmallCard()
    large.free, small.free = 1 << 30, 72_000_000
    results = [list(iter_training(wide, blobs, device))[-1] for device in (large, small)]
    network = parse(wide.network, (4, 4, 1), 3)
    batches = [check_memory(wide, network, blobs, device) for device in (large, small)]
    assert batches[1] < batches[0]
    assert results[0].test_score == results[1].test_score
    assert results[0].test_loss == pytest.approx(results[1].test_loss, rel=1e-5)


def test_schedules_follow_their_formulas():
    settings = RunSettings(learning_rate=1.0, decay=0.5, epochs=10, decay_epochs=4)
    rates = {name: [settings.change(schedule=name).rate_of(e) for e in range(10)]
             for name in ("constant", "exponential", "step", "cosine")}  # fmt: skip
    assert rates["constant"] == [1.0] * 10
    assert rates["exponential"][5] == pytest.approx(0.5**0.5)
    assert rates["step"] == [1.0] * 4 + [0.5] * 4 + [0.25] * 2
    assert rates["cosine"][5] == pytest.approx(0.75)
    assert all(a > b for a, b in zip(rates["cosine"], rates["cosine"][1:], strict=False))


def test_a_cancelled_evaluation_leaves_a_checkpoint_before_it(blobs):
    class EnoughError(Exception):
        pass

    def enough():
        raise EnoughError

    seen = []
    control = TrainingControl(checkpoint_seconds=1000, check=enough)

    def watch():
        for record in iter_training(small_run(), blobs, open_device("vectorized"), control):
            seen.append(record)

    with pytest.raises(EnoughError):
        watch()
    assert isinstance(seen[-1], StepsDone)
    assert seen[-1].position == 250
    assert seen[-1].checkpoint is not None
    assert seen[-1].checkpoint.step == 13


def test_a_run_that_ends_finite_but_has_learned_nothing_gets_advice(blobs):
    """One large step moves the weights so far that every answer is the same, with a huge but finite
    loss.
    """
    lost = train(small_run(learning_rate=1e8, epochs=1, batch_size=250), blobs)[-1]
    assert lost.reason == "epochs"
    assert "lower the learning rate" in lost.advice
    assert train(small_run(learning_rate=0.5, epochs=12), blobs)[-1].advice == ""


def test_a_changed_rate_is_recorded_with_its_step_and_used_again_after_a_checkpoint(blobs):
    settings = small_run(schedule="cosine", epochs=4)
    control = TrainingControl(chunk=1, checkpoint_seconds=0)
    records, saved = iter_training(settings, blobs, open_device("vectorized"), control), None
    rates = {}
    for record in records:
        if isinstance(record, StepsDone):
            rates[record.step] = record.learning_rate
            if record.step == 5:
                control.learning_rate = 0.025
            if record.step == 6:
                assert record.rate_change == RateChange(5, 0.025)
            if record.step == 20:
                saved = record.checkpoint
                control.learning_rate = "schedule"
        last = record
    assert {rates[step] for step in range(6, 21)} == {0.025}
    assert {rates[step] for step in range(21, 27)} == {settings.rate_of(1)}
    assert last.checkpoint.rate_changes == (RateChange(5, 0.025), RateChange(20, None))
    assert saved.rate_changes == (RateChange(5, 0.025),)
    resumed = train(settings, blobs, control=TrainingControl(chunk=1), checkpoint=saved)
    assert resumed[0].learning_rate == 0.025
    again = train(
        settings,
        blobs,
        control=TrainingControl(chunk=1, learning_rate="schedule"),
        checkpoint=saved,
    )
    np.testing.assert_array_equal(again[-1].checkpoint.parameters, last.checkpoint.parameters)


class SignDescent(Optimizer):
    """p -= rate · sign(g), by an operator that only one device has, and that has no instruction."""

    order, name, label, help, state_arrays = 9, "sign", "Sign", "sign takes steps of one length", 0

    def update(self, device, settings, arrays):
        device.sign_descent(arrays.parameters, arrays.gradient, arrays.rate)

    def terms(self, settings, weight):
        return (UpdateTerm("×", np.sign(weight.gradient), "sign of the gradient"),)


class SignDevice(Vectorized):
    recorded = None

    def record(self, step):
        self.recorded = super().record(step)
        return self.recorded

    def sign_descent(self, p, g, rate):
        p -= rate * np.sign(g)


@pytest.mark.parametrize("changes", [{}, {"group": 2, "workers": 2}], ids=["one batch", "group"])
def test_an_optimizer_without_an_instruction_keeps_the_recorded_step(monkeypatch, changes):
    monkeypatch.setitem(OPTIMIZERS, "sign", SignDescent())
    learned = []
    for recorded in (True, False):
        device = SignDevice()
        if not recorded:
            monkeypatch.setattr(SignDevice, "record", lambda self, step: step)
        settings = RunSettings(
            network="2-8-1",
            loss="squared-error",
            batch_size=5,
            learning_rate=0.001,
            epochs=2,
            **changes,
        )
        object.__setattr__(settings, "optimizer", "sign")
        *_, finished = iter_training(settings, load_function("rastrigin:5"), device)
        learned.append(finished.checkpoint.parameters)
        if recorded:  # all but its operator, and the average of a group, are instructions
            calls = [callable(part) for part in device.recorded.parts]
            assert calls == ([True, True, False] if changes else [False, True, False])
        device.close()
    np.testing.assert_allclose(learned[0], learned[1], rtol=1e-5, atol=1e-6)
    assert np.ptp(learned[0]) > 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("device", ["sequential", "vectorized"])
def test_a_rate_beyond_all_numbers_of_the_device_diverges_without_a_warning(blobs, device):
    for values in ({"learning_rate": 1e308}, {"rate_changes": "1:1e308"}):
        assert train(small_run(epochs=1, **values), blobs, device)[-1].reason == "diverged"


@pytest.mark.parametrize("network", ["16-12-3", "2C3-BN-5-D20-3"])
def test_layers_that_update_themselves_leave_the_bits_of_a_separate_update(blobs, network):
    found = []
    for fuses in (True, False):
        device = open_device("vectorized")
        device.fuses_updates = fuses
        run = small_run(network=network, optimizer="sgd", learning_rate=0.1, l2=0.01)
        *_, end = iter_training(run, blobs, device)
        found.append(end.checkpoint.parameters)
    assert np.isfinite(found[0]).all()
    np.testing.assert_array_equal(*found)

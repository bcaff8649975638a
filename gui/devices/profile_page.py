"""Where the time goes: the share of each operator in a training step, on the chosen device."""

from collections.abc import Generator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from core.bench.rows import Bench
from core.data.dataset import Dataset
from core.training.optimizers import OPTIMIZERS
from core.training.run_settings import RunSettings
from gui.background.task_runner import Task
from gui.devices.measurement_page import Check, ExportContent, Inputs, MeasurementPage
from gui.text import common_unit, count, device_title, in_unit, number, percent, translated_title
from gui.widgets import make
from gui.widgets.basics import show_availability
from gui.widgets.messages import note, set_message
from gui.widgets.tables import BarRow, BarTable
from gui.words import network_words
from kernels.registry import default_cpu_device, device_names, open_device

if TYPE_CHECKING:
    from core.measure.profile import Profile


class ProfilePage(MeasurementPage):
    def __init__(self, inputs: Inputs) -> None:
        super().__init__(
            "profile",
            self.tr("Measure"),
            self.tr(
                "Run some steps of the network on this device and time each operator by itself."
            ),
            inputs,
        )
        self._profile: Profile | None = None
        self._subject = ""
        self._batch_size = 1
        items = [(name, device_title(name)) for name in device_names()]
        self.box = make.combo(
            "profileDeviceBox",
            self.tr("Device to measure"),
            self.tr("Where the steps are run and timed."),
            items,
        )
        self.box.choose(default_cpu_device())
        self.verdict = note("heading", "profileVerdict")
        self.caution = note(name="profileCaution")
        self.table = BarTable(
            "profileTable",
            self.tr("Operators"),
            (self.tr("Operator"), self.tr("Share of a step"), self.tr("Calls"), self.tr("Time")),
            hide_first=(2, 3),
        )
        self.locked = (self.box,)
        self.notes = (self.verdict, self.caution)
        where = make.FlowLayout(make.labeled(self.tr("&Where"), self.box))
        results = self.verdict, self.table, self.caution
        hint = self.tr(
            "A step is made of some ten operators: products of matrices, the loss, the update. "
            "Press Measure: each is timed by itself, on copies of the network, and shown as its "
            "share of a step."
        )
        self.lay_out(self.tr("Where the time goes"), (where,), results, hint)

    def describe(self, settings: RunSettings, data: str) -> str:
        text = self.tr("A step of {network} on {data}: {batch} images, {optimizer}")
        return text.format(
            network=network_words(settings.network),
            data=data,
            batch=settings.batch_size,
            optimizer=OPTIMIZERS[settings.optimizer].label,
        )

    def show_devices(self) -> None:
        known = self._devices.known()
        for info in known:  # further cards are known only after probing
            if self.box.findData(info.name) < 0:
                self.box.addItem(device_title(info.name), info.name)
        show_availability(self.box, known)

    def task(self) -> Task | None:
        settings = self.ready_settings()
        if settings is None:
            return None
        name = str(self.box.currentData())
        self._profile = None

        def measure(dataset: Dataset, check: Check) -> Generator[Any]:
            from core.measure.profile import iter_profile

            self._subject = self.tr("{network} on {data}, {device}").format(
                network=network_words(settings.network),
                data=translated_title(dataset.title),
                device=device_title(name),
            )
            with closing(open_device(name)) as device:
                for profile in iter_profile(settings, dataset, device):
                    yield partial(self._show, profile)

        self._batch_size = settings.batch_size
        return self.task_on_data(measure)

    def export_content(self) -> ExportContent | None:
        from core.bench.reports import profile_rows, profile_tables

        if self._profile is None:
            return None
        bench = Bench("profile", profile_tables(self._subject), lambda options: iter(()))
        return (
            bench,
            profile_rows(self._profile),
            [self._profile.warning] if self._profile.warning else [],
        )

    def _show(self, profile: "Profile") -> None:
        self._profile = profile
        longest, *_ = profile.operators
        timed = sum(operator.seconds for operator in profile.operators)
        text = self.tr(
            "A step takes {step} ms, so {speed} images a second. The largest share: {name}, "
            "{share}."
        )
        text = text.format(
            step=number(1000 * profile.step_seconds, 3),
            speed=count(self._batch_size / profile.step_seconds),
            name=describe_operator(longest.name)[0],
            share=percent(longest.share, 0),
        )
        if profile.skipped:
            blank = self.tr("{share} of the pixels are blank: skipped.")
            text += " " + blank.format(share=percent(profile.skipped, 0))
        set_message(self.verdict, text)
        caution = self.tr(
            "Means over {steps} steps, ± half the distance of their quartiles. The times of the "
            "operators add up to {timed} ms, because each is timed alone; the time of the step is "
            "measured without this timing."
        )
        caution = caution.format(steps=profile.steps, timed=number(1000 * timed, 3))
        set_message(self.caution, f"{profile.warning} {caution}".strip())
        unit = common_unit([operator.seconds for operator in profile.operators])
        rows = []
        for operator in profile.operators:
            title, tip = describe_operator(operator.name)
            time, spread = (
                in_unit(seconds, unit) for seconds in (operator.seconds, operator.spread)
            )
            time = self.tr("{time} ± {spread}").format(time=time, spread=spread)
            texts = (title, percent(operator.share, 1), number(operator.calls, 3), time)
            rows.append(BarRow(texts, operator.share, tip=tip))
        self.table.show_rows(rows)
        self.show_results()


# By the name of the operator.
_DESCRIPTIONS: dict[str, tuple[str, str]] = {
    "gather": (
        "Fetch the batch",
        "Picks the batch's images and their answers out of the data set, in this "
        "epoch's random order.",
    ),
    "augment": (
        "Change the images",
        "Shifts, rotates or distorts each image a little, differently each time.",
    ),
    "dense": (
        "Dense layers, forward",
        "A matrix product: every unit sums up all its inputs, each times a "
        "weight, then applies the activation to the sum.",
    ),
    "dense_input_gradient": (
        "Dense layers, error backward",
        "A product with the transposed weights: passes each unit's error back to its inputs.",
    ),
    "dense_weight_gradient": (
        "Dense layers, weight gradient",
        "A product of inputs and errors, summed over the batch: how each weight should change.",
    ),
    "output_layer": (
        "Output layer and loss",
        "Outputs, loss and the errors of the layer below, computed together.",
    ),
    "dense_update": (
        "Dense layers, gradient and update",
        "A product of inputs and errors, summed over the batch, by which each weight is moved.",
    ),
    "bias_gradient": (
        "Bias gradient",
        "Sums each unit's errors over the batch: how its bias should change.",
    ),
    "convolve": (
        "Convolutions, forward",
        "Slides small filters over the image and multiplies at every "
        "position: by far the most multiplications of a step.",
    ),
    "convolve_input_gradient": (
        "Convolutions, error backward",
        "Slides the rotated filters over the errors, to pass them to the maps below.",
    ),
    "convolve_weight_gradient": (
        "Convolutions, filter gradient",
        "Multiplies every patch of the image by "
        "the error at its output, and sums up: how each filter should change.",
    ),
    "max_pool": (
        "Pooling, forward",
        "Keeps the largest number of each small block, so that the next layer has less to do.",
    ),
    "max_pool_gradient": (
        "Pooling, error backward",
        "Passes each block's error to the position of its largest number.",
    ),
    "average_pool": (
        "Average pooling, forward",
        "Takes the mean of each small block, so that the next layer has less to do.",
    ),
    "average_pool_gradient": (
        "Average pooling, error backward",
        "Divides each block's error among its positions.",
    ),
    "dropout": (
        "Dropout, forward",
        "Sets random units to zero, so that the network does not rely on single ones.",
    ),
    "dropout_gradient": (
        "Dropout, error backward",
        "Passes errors back only where the unit was not set to zero.",
    ),
    "batch_statistics": (
        "Batch normalization, statistics",
        "Computes the mean and the variance of each unit or map over the batch.",
    ),
    "normalize": (
        "Batch normalization, forward",
        "Brings each unit or map to mean 0 and variance 1, then scales and shifts it.",
    ),
    "normalize_parameter_gradient": (
        "Batch normalization, own gradient",
        "Sums errors over the batch: how scale and shift should change.",
    ),
    "normalize_input_gradient": (
        "Batch normalization, error backward",
        "Passes errors back, also through mean and variance, to which every example contributed.",
    ),
    "multiply": ("Product of elements", "Multiplies numbers of two arrays one by one."),
    "subtract": ("Difference of elements", "Subtracts numbers of two arrays one by one."),
    "activate": ("Activation", "Applies the activation function to each sum."),
    "multiply_by_derivative": (
        "Activation, error backward",
        "Multiplies each error by the activation's slope at the sum.",
    ),
    "softmax_cross_entropy": (
        "Loss and its gradient",
        "Turns the outputs into probabilities and computes the error of each.",
    ),
    "squared_error_classes": (
        "Loss and its gradient",
        "Compares each output with 1 for the right class and 0 for the others.",
    ),
    "squared_error": ("Loss and its gradient", "Compares each output with its target."),
    "softmax": ("Softmax", "Turns the outputs into probabilities."),
    "add_l1_gradient": (
        "L1 regularization",
        "Adds an equal pull towards zero to each weight's gradient.",
    ),
    "sgd": (
        "Update of the parameters",
        "Moves every weight and bias a little against its gradient.",
    ),
    "momentum": (
        "Update with momentum",
        "Moves every weight and bias, and keeps a part of the last step.",
    ),
    "adam": (
        "Update by Adam",
        "Moves every weight and bias by a step of its own, from the mean and the "
        "spread of its gradients.",
    ),
    "rmsprop": (
        "Update by RMSProp",
        "Moves every weight and bias against its gradient, divided by the running "
        "size of its gradients.",
    ),
    "average": ("Average of the group", "Averages the gradients of the group's batches."),
    "advance": ("Advance to the next batch", "Moves the position in the epoch to the next batch."),
}


def describe_operator(name: str) -> tuple[str, str]:
    """(title, description) of an operator; an unknown one has its name and an empty description."""
    title, sentence = _DESCRIPTIONS.get(name, (name.replace("_", " "), ""))
    return QCoreApplication.translate("Operator", title), QCoreApplication.translate(
        "Operator", sentence
    )

"""The operators in plain words: a short name, and one sentence on what each does in a step."""

from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

# What Qt's marker of texts gives back has no type.
_WORDS: dict[str, tuple[Any, Any]] = {
    "gather": (
        QT_TRANSLATE_NOOP("Operator", "Fetch the batch"),
        QT_TRANSLATE_NOOP("Operator", "Picks the batch's images and their answers out of the data set, "
                          "in this epoch's random order."),
    ),
    "augment": (
        QT_TRANSLATE_NOOP("Operator", "Change the images"),
        QT_TRANSLATE_NOOP("Operator", "Shifts, turns or bends each image a little, differently each time."),
    ),
    "dense": (
        QT_TRANSLATE_NOOP("Operator", "Dense layers, forward"),
        QT_TRANSLATE_NOOP("Operator", "A matrix product: every unit sums up all its inputs, each times a "
                          "weight, then bends the sum by the activation."),
    ),
    "dense_input_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Dense layers, error backward"),
        QT_TRANSLATE_NOOP("Operator", "A product with the transposed weights: hands each unit's error back "
                          "to the units that fed it."),
    ),
    "dense_weight_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Dense layers, weights' gradient"),
        QT_TRANSLATE_NOOP("Operator", "A product of inputs and errors, summed over the batch: how each weight "
                          "should change."),
    ),
    "bias_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Biases' gradient"),
        QT_TRANSLATE_NOOP("Operator", "Sums each unit's errors over the batch: how its bias should change."),
    ),
    "convolve": (
        QT_TRANSLATE_NOOP("Operator", "Convolutions, forward"),
        QT_TRANSLATE_NOOP("Operator", "Slides small filters over the image and multiplies at every place: "
                          "by far the most numbers of a step."),
    ),
    "convolve_input_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Convolutions, error backward"),
        QT_TRANSLATE_NOOP("Operator", "Slides the turned filters over the errors, to hand them to the maps "
                          "below."),
    ),
    "convolve_weight_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Convolutions, filters' gradient"),
        QT_TRANSLATE_NOOP("Operator", "Multiplies every patch of the image by the error it led to, and sums "
                          "up: how each filter should change."),
    ),
    "max_pool": (
        QT_TRANSLATE_NOOP("Operator", "Pooling, forward"),
        QT_TRANSLATE_NOOP("Operator", "Keeps the largest number of each small block, so that the next layer "
                          "has less to do."),
    ),
    "max_pool_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Pooling, error backward"),
        QT_TRANSLATE_NOOP("Operator", "Gives each block's error to the place that held its largest number."),
    ),
    "dropout": (
        QT_TRANSLATE_NOOP("Operator", "Dropout, forward"),
        QT_TRANSLATE_NOOP("Operator", "Silences units by chance, so that none is relied on too much."),
    ),
    "dropout_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Dropout, error backward"),
        QT_TRANSLATE_NOOP("Operator", "Lets errors through only where the unit was not silenced."),
    ),
    "activate": (
        QT_TRANSLATE_NOOP("Operator", "Activation"),
        QT_TRANSLATE_NOOP("Operator", "Bends each sum by the activation function."),
    ),
    "softmax_cross_entropy": (
        QT_TRANSLATE_NOOP("Operator", "Loss and its gradient"),
        QT_TRANSLATE_NOOP("Operator", "Turns the outputs into probabilities, and finds how wrong each is."),
    ),
    "squared_error_classes": (
        QT_TRANSLATE_NOOP("Operator", "Loss and its gradient"),
        QT_TRANSLATE_NOOP("Operator", "Compares each output with 1 for the right class and 0 for the others."),
    ),
    "squared_error": (
        QT_TRANSLATE_NOOP("Operator", "Loss and its gradient"),
        QT_TRANSLATE_NOOP("Operator", "Compares each output with its target."),
    ),
    "softmax": (
        QT_TRANSLATE_NOOP("Operator", "Softmax"),
        QT_TRANSLATE_NOOP("Operator", "Turns the outputs into probabilities."),
    ),
    "sgd": (
        QT_TRANSLATE_NOOP("Operator", "Update of the parameters"),
        QT_TRANSLATE_NOOP("Operator", "Moves every weight and bias a little against its gradient."),
    ),
    "momentum": (
        QT_TRANSLATE_NOOP("Operator", "Update with momentum"),
        QT_TRANSLATE_NOOP("Operator", "Moves every weight and bias, and keeps some of its last speed."),
    ),
    "adam": (
        QT_TRANSLATE_NOOP("Operator", "Update by Adam"),
        QT_TRANSLATE_NOOP("Operator", "Moves every weight and bias at a pace of its own, from the mean and "
                          "the spread of its gradients."),
    ),
    "average": (
        QT_TRANSLATE_NOOP("Operator", "Average of the group"),
        QT_TRANSLATE_NOOP("Operator", "Averages the gradients of the group's batches."),
    ),
    "advance": (
        QT_TRANSLATE_NOOP("Operator", "Count on"),
        QT_TRANSLATE_NOOP("Operator", "Moves the place in the epoch on to the next batch."),
    ),
}  # fmt: skip


def operator_words(name: str) -> tuple[str, str]:
    """The operator's name in words and its sentence; one without words has its own name and none."""
    title, sentence = _WORDS.get(name, (name.replace("_", " "), ""))
    return QCoreApplication.translate("Operator", title), QCoreApplication.translate("Operator", sentence)

"""A title and a one-sentence description of each operator, for the profile."""

from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

# By the operator's name. QT_TRANSLATE_NOOP has no type.
_DESCRIPTIONS: dict[str, tuple[Any, Any]] = {
    "gather": (
        QT_TRANSLATE_NOOP("Operator", "Fetch the batch"),
        QT_TRANSLATE_NOOP("Operator", "Picks the batch's images and their answers out of the data set, "
                          "in this epoch's random order."),
    ),
    "augment": (
        QT_TRANSLATE_NOOP("Operator", "Change the images"),
        QT_TRANSLATE_NOOP("Operator", "Shifts, rotates or distorts each image a little, differently each time."),
    ),
    "dense": (
        QT_TRANSLATE_NOOP("Operator", "Dense layers, forward"),
        QT_TRANSLATE_NOOP("Operator", "A matrix product: every unit sums up all its inputs, each times a "
                          "weight, then applies the activation to the sum."),
    ),
    "dense_input_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Dense layers, error backward"),
        QT_TRANSLATE_NOOP("Operator", "A product with the transposed weights: passes each unit's error back "
                          "to its inputs."),
    ),
    "dense_weight_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Dense layers, weight gradient"),
        QT_TRANSLATE_NOOP("Operator", "A product of inputs and errors, summed over the batch: how each weight "
                          "should change."),
    ),
    "bias_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Bias gradient"),
        QT_TRANSLATE_NOOP("Operator", "Sums each unit's errors over the batch: how its bias should change."),
    ),
    "convolve": (
        QT_TRANSLATE_NOOP("Operator", "Convolutions, forward"),
        QT_TRANSLATE_NOOP("Operator", "Slides small filters over the image and multiplies at every position: "
                          "by far the most multiplications of a step."),
    ),
    "convolve_input_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Convolutions, error backward"),
        QT_TRANSLATE_NOOP("Operator", "Slides the rotated filters over the errors, to pass them to the maps "
                          "below."),
    ),
    "convolve_weight_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Convolutions, filter gradient"),
        QT_TRANSLATE_NOOP("Operator", "Multiplies every patch of the image by the error at its output, and sums "
                          "up: how each filter should change."),
    ),
    "max_pool": (
        QT_TRANSLATE_NOOP("Operator", "Pooling, forward"),
        QT_TRANSLATE_NOOP("Operator", "Keeps the largest number of each small block, so that the next layer "
                          "has less to do."),
    ),
    "max_pool_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Pooling, error backward"),
        QT_TRANSLATE_NOOP("Operator", "Passes each block's error to the position of its largest number."),
    ),
    "dropout": (
        QT_TRANSLATE_NOOP("Operator", "Dropout, forward"),
        QT_TRANSLATE_NOOP("Operator", "Sets random units to zero, so that the network does not rely on single ones."),
    ),
    "dropout_gradient": (
        QT_TRANSLATE_NOOP("Operator", "Dropout, error backward"),
        QT_TRANSLATE_NOOP("Operator", "Passes errors back only where the unit was not set to zero."),
    ),
    "activate": (
        QT_TRANSLATE_NOOP("Operator", "Activation"),
        QT_TRANSLATE_NOOP("Operator", "Applies the activation function to each sum."),
    ),
    "softmax_cross_entropy": (
        QT_TRANSLATE_NOOP("Operator", "Loss and its gradient"),
        QT_TRANSLATE_NOOP("Operator", "Turns the outputs into probabilities and computes the error of each."),
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
        QT_TRANSLATE_NOOP("Operator", "Moves every weight and bias, and keeps a part of the last step."),
    ),
    "adam": (
        QT_TRANSLATE_NOOP("Operator", "Update by Adam"),
        QT_TRANSLATE_NOOP("Operator", "Moves every weight and bias by a step of its own, from the mean and "
                          "the spread of its gradients."),
    ),
    "average": (
        QT_TRANSLATE_NOOP("Operator", "Average of the group"),
        QT_TRANSLATE_NOOP("Operator", "Averages the gradients of the group's batches."),
    ),
    "advance": (
        QT_TRANSLATE_NOOP("Operator", "Advance to the next batch"),
        QT_TRANSLATE_NOOP("Operator", "Moves the position in the epoch to the next batch."),
    ),
}  # fmt: skip


def describe_operator(name: str) -> tuple[str, str]:
    """(title, description) of an operator; an unknown one has its name and an empty description."""
    title, sentence = _DESCRIPTIONS.get(name, (name.replace("_", " "), ""))
    return QCoreApplication.translate("Operator", title), QCoreApplication.translate("Operator", sentence)

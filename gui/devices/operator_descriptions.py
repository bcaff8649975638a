"""A title and a one-sentence description of each operator, for the profile."""

from PySide6.QtCore import QCoreApplication

# By the name of the operator.
_DESCRIPTIONS: dict[str, tuple[str, str]] = {
    "gather": (
        "Fetch the batch",
        "Picks the batch's images and their answers out of the data set, in this epoch's random order.",
    ),
    "augment": (
        "Change the images",
        "Shifts, rotates or distorts each image a little, differently each time.",
    ),
    "dense": (
        "Dense layers, forward",
        "A matrix product: every unit sums up all its inputs, each times a weight, then applies the "
        "activation to the sum.",
    ),
    "dense_input_gradient": (
        "Dense layers, error backward",
        "A product with the transposed weights: passes each unit's error back to its inputs.",
    ),
    "dense_weight_gradient": (
        "Dense layers, weight gradient",
        "A product of inputs and errors, summed over the batch: how each weight should change.",
    ),
    "bias_gradient": ("Bias gradient", "Sums each unit's errors over the batch: how its bias should change."),
    "convolve": (
        "Convolutions, forward",
        "Slides small filters over the image and multiplies at every position: by far the most "
        "multiplications of a step.",
    ),
    "convolve_input_gradient": (
        "Convolutions, error backward",
        "Slides the rotated filters over the errors, to pass them to the maps below.",
    ),
    "convolve_weight_gradient": (
        "Convolutions, filter gradient",
        "Multiplies every patch of the image by the error at its output, and sums up: how each filter "
        "should change.",
    ),
    "max_pool": (
        "Pooling, forward",
        "Keeps the largest number of each small block, so that the next layer has less to do.",
    ),
    "max_pool_gradient": (
        "Pooling, error backward",
        "Passes each block's error to the position of its largest number.",
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
    "add_l1_gradient": ("L1 regularization", "Adds an equal pull towards zero to each weight's gradient."),
    "sgd": ("Update of the parameters", "Moves every weight and bias a little against its gradient."),
    "momentum": ("Update with momentum", "Moves every weight and bias, and keeps a part of the last step."),
    "adam": (
        "Update by Adam",
        "Moves every weight and bias by a step of its own, from the mean and the spread of its gradients.",
    ),
    "average": ("Average of the group", "Averages the gradients of the group's batches."),
    "advance": ("Advance to the next batch", "Moves the position in the epoch to the next batch."),
}  # fmt: skip


def describe_operator(name: str) -> tuple[str, str]:
    """(title, description) of an operator; an unknown one has its name and an empty description."""
    title, sentence = _DESCRIPTIONS.get(name, (name.replace("_", " "), ""))
    return QCoreApplication.translate("Operator", title), QCoreApplication.translate("Operator", sentence)

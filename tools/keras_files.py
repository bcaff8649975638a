"""Saves networks as Keras and TensorFlow save them, with the answers they give: for the tests of
the import.

    PYTHON tools/keras_files.py FOLDER

PYTHON needs keras, tensorflow and tf2onnx, and nothing of this program. Every network is written by
Keras' own export (`NAME-keras.onnx`) and by tf2onnx (`NAME-tf2onnx.onnx`). FOLDER/answers.npz has
the images, uint8 (n, 28, 28), as `images`, and by the name of each file the probabilities, float32
(n, 10). tests/golden/keras is what it writes.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import keras
import numpy as np
import tensorflow
import tf2onnx
from keras import layers

HIDDEN = 3  # units of dense layers: small files


def dense(*first: keras.Layer, last: str | None = None) -> keras.Sequential:
    return keras.Sequential(
        [
            *first,
            layers.Dense(HIDDEN, activation="relu"),
            layers.Dropout(0.2),
            layers.Dense(HIDDEN, activation="sigmoid"),
            layers.Dense(10, activation=last),
        ]
    )


def image(*hidden: keras.Layer, last: str | None = None) -> keras.Sequential:
    return keras.Sequential(
        [
            layers.Input((28, 28, 1)),
            *hidden,
            layers.Flatten(),
            layers.Dropout(0.5),
            layers.Dense(10, activation=last),
        ]
    )


NETWORKS: dict[str, Callable[[], keras.Sequential]] = {
    "dense": lambda: dense(layers.Input((28, 28)), layers.Flatten()),
    "features": lambda: dense(layers.Input((784,)), last="softmax"),
    "convolutions": lambda: image(
        layers.Conv2D(3, 3, activation="relu"),
        layers.MaxPooling2D(2),
        layers.Conv2D(4, 3, activation="relu"),
        layers.MaxPooling2D(2),
        last="softmax",
    ),
    "same": lambda: image(
        layers.Conv2D(3, 5, padding="same", activation="tanh"),
        layers.AveragePooling2D(2),
        layers.Conv2D(2, 3, strides=2, padding="same", activation="relu"),
    ),
    "normalized": lambda: image(
        layers.Conv2D(3, 5, padding="same", use_bias=False),
        layers.BatchNormalization(),
        layers.Activation("relu"),
        layers.BatchNormalization(),
        layers.MaxPooling2D(2),
        layers.BatchNormalization(),
        layers.Conv2D(2, 3, activation="relu"),
    ),
    "bytes": lambda: image(
        layers.Rescaling(1 / 127.5, offset=-1),
        layers.Conv2D(2, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(3),
        last="softmax",
    ),
    "bytes-dense": lambda: dense(
        layers.Input((28, 28)), layers.Rescaling(1 / 255), layers.Flatten()
    ),
    "reshaped": lambda: keras.Sequential(
        [
            layers.Input((28, 28)),
            layers.Reshape((28, 28, 1)),
            layers.Conv2D(2, 3, activation="relu"),
            layers.MaxPooling2D(3),
            layers.Reshape((128,)),
            layers.Dense(HIDDEN, use_bias=False),
            layers.BatchNormalization(),
            layers.Activation("tanh"),
            layers.Dense(10),
        ]
    ),
}


def probabilities(network: keras.Sequential, images: np.ndarray, name: str) -> np.ndarray:
    """Float32 (n, 10), of pixels from 0 to 1, or of bytes where the network divides them."""
    x = images.astype(np.float32) / (1 if name.startswith("bytes") else 255)
    y = network(x.reshape(-1, *network.input_shape[1:]), training=False).numpy()
    if network.layers[-1].activation is keras.activations.softmax:
        return y
    return np.exp(y) / np.exp(y).sum(1, keepdims=True)


def write(folder: Path, images: np.ndarray) -> None:
    answers = {"images": images}
    random = np.random.default_rng(2)
    for name, make in NETWORKS.items():
        network = make()
        for weight in network.weights:
            if len(weight.shape) == 1:  # biases and statistics, which are all 0 or 1 at first
                weight.assign(random.uniform(0.3, 1.2, weight.shape))
        shape = (None, *network.input_shape[1:])
        answer = probabilities(network, images, name)
        for way in ("keras", "tf2onnx"):
            file = folder / f"{name}-{way}.onnx"
            if way == "keras":
                network.export(str(file), format="onnx", verbose=False)
            else:
                inputs = [tensorflow.TensorSpec(shape, tensorflow.float32, name="x")]
                function = tensorflow.function(network, input_signature=inputs)
                tf2onnx.convert.from_function(
                    function, input_signature=inputs, output_path=str(file)
                )
            answers[file.name] = answer
    np.savez_compressed(folder / "answers.npz", **answers)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    keras.utils.set_random_seed(1)
    write(options.folder, np.random.default_rng(1).integers(0, 256, (10, 28, 28), np.uint8))

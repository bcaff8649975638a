"""Saves networks as PyTorch and scikit-learn save them, with the answers they give: for the tests
of the import.

    PYTHON tools/pytorch_files.py FOLDER [--images IMAGES.npy]

PYTHON needs torch, onnx, onnxscript, safetensors, scikit-learn and skl2onnx, and nothing of this
program. Every architecture is saved as PyTorch's exporter does by default, those of EVERY_WAY in
every way. FOLDER/answers.npz has the images, uint8 (n, 28, 28), as `images`, and by the name of
each file the probabilities, float32 (n, 10). tests/golden/pytorch is what it writes without
`--images`, which takes 10 random ones.
"""

import argparse
import os
import warnings
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

IMAGE = torch.zeros(1, 1, 28, 28)
HIDDEN = 2  # units of dense layers: small files
EVERY_WAY = ("view",)


class View(nn.Module):
    """A network as in many lessons: functions between the layers, flattened by `view`."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 3, 5, padding=2)
        self.conv2 = nn.Conv2d(3, 4, 5)
        self.fc = nn.Linear(100, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = nn.functional.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = torch.relu(nn.functional.max_pool2d(self.conv2(x), 2))
        return self.fc(x.view(x.size(0), -1))


class Example(nn.Module):
    """The network of PyTorch's MNIST example with fewer channels: dropout, functional pooling,
    `log_softmax`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 2, 3, 1)
        self.conv2 = nn.Conv2d(2, 2, 3, 1)
        self.dropout1 = nn.Dropout(0.25)
        self.dropout2 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(288, 6)
        self.fc2 = nn.Linear(6, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = nn.functional.relu(self.conv2(nn.functional.relu(self.conv1(x))))
        x = self.dropout1(nn.functional.max_pool2d(x, 2))
        x = self.dropout2(nn.functional.relu(self.fc1(torch.flatten(x, 1))))
        return nn.functional.log_softmax(self.fc2(x), dim=1)


def convolutions(*first: nn.Module, pool: nn.Module | None = None) -> nn.Sequential:
    """`first`, which makes 3 maps, a pooling, and the other layers in the order of LeNet-5."""
    pool = pool or nn.MaxPool2d(2)
    return nn.Sequential(
        *first,
        pool,
        nn.Conv2d(3, 4, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(100, 10),
    )


def dense(
    *last: nn.Module, activation: type[nn.Module] = nn.ReLU, **options: bool
) -> nn.Sequential:
    return nn.Sequential(
        nn.Flatten(),
        nn.Linear(784, HIDDEN, **options),
        activation(),
        nn.Linear(HIDDEN, 10, **options),
        *last,
    )


ARCHITECTURES = {
    "dense": dense,
    "softmax": lambda: dense(nn.Softmax(dim=1)),
    "no-bias": lambda: dense(bias=False),
    "view": View,
    "leaky-relu": lambda: dense(activation=nn.LeakyReLU),
    "dropout": lambda: nn.Sequential(
        nn.Flatten(), nn.Linear(784, HIDDEN), nn.ReLU(), nn.Dropout(), nn.Linear(HIDDEN, 10)
    ),
    "convolutions": lambda: convolutions(nn.Conv2d(1, 3, 5, padding=2), nn.ReLU()),
    "normalized": lambda: convolutions(
        nn.Conv2d(1, 3, 5, padding=2, bias=False), nn.BatchNorm2d(3), nn.ReLU()
    ),
    "example": Example,
    # What this program has no layer for.
    "gelu": lambda: dense(activation=nn.GELU),
    "average-pool": lambda: convolutions(
        nn.Conv2d(1, 3, 5, padding=2), nn.ReLU(), pool=nn.AvgPool2d(2)
    ),
    "global-average-pool": lambda: nn.Sequential(
        nn.Conv2d(1, 10, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()
    ),
    "strides": lambda: convolutions(
        nn.Conv2d(1, 3, 3, stride=2, padding=1), nn.ReLU(), pool=nn.Identity()
    ),
}


def made(name: str) -> nn.Module:
    """The network in evaluation mode, with statistics of batch normalizations that are not those of
    the start.
    """
    torch.manual_seed(8)
    network = ARCHITECTURES[name]()
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            for array in (module.weight, module.bias, module.running_mean, module.running_var):
                nn.init.uniform_(array, 0.5, 1.5)
    return network.eval()


def answers(network: nn.Module, images: np.ndarray) -> np.ndarray:
    """Probabilities, float32 (n, 10); outputs that are none yet go through the softmax, logarithms
    or not.
    """
    with torch.no_grad():
        outputs = network(torch.from_numpy(images).float().div(255).unsqueeze(1))
        known = bool((outputs >= 0).all()) and torch.allclose(
            outputs.sum(1), torch.ones(len(outputs))
        )
        return (outputs if known else torch.softmax(outputs, dim=1)).numpy()


def save_onnx(
    network: nn.Module, path: Path, *, batch: int = 1, names: bool = False, **options: object
) -> None:
    """As `torch.onnx.export` writes by default, but for the options; without where the code lies on
    this machine.
    """
    import onnx

    if names:
        options |= {"input_names": ["pixels"], "output_names": ["scores"]}
    torch.onnx.export(
        network, (IMAGE.expand(batch, -1, -1, -1).clone(),), str(path), verbose=False, **options
    )
    file = onnx.load(path, load_external_data=False)
    for node in file.graph.node:
        kept = [entry for entry in node.metadata_props if "stack_trace" not in entry.key]
        del node.metadata_props[:]
        node.metadata_props.extend(kept)
    path.write_bytes(file.SerializeToString())


WAYS = {
    "default": save_onnx,
    "one-file": lambda network, path: save_onnx(network, path, external_data=False),
    "torchscript": lambda network, path: save_onnx(network, path, dynamo=False),
    "batch-of-64": lambda network, path: save_onnx(network, path, batch=64),
    "any-batch": lambda network, path: save_onnx(
        network, path, batch=2, names=True, dynamic_shapes=({0: torch.export.Dim("batch")},)
    ),
    "torchscript-any-batch": lambda network, path: save_onnx(
        network,
        path,
        dynamo=False,
        names=True,
        dynamic_axes={"pixels": {0: "batch"}, "scores": {0: "batch"}},
    ),
}


def save_classifier(folder: Path, images: np.ndarray) -> dict[str, np.ndarray]:
    """scikit-learn's MLPClassifier by skl2onnx with its defaults, and without ZipMap."""
    from skl2onnx import to_onnx
    from sklearn.neural_network import MLPClassifier

    random = np.random.default_rng(8)
    pixels = random.random((200, 784), np.float32)
    classifier = MLPClassifier((HIDDEN,), max_iter=5, random_state=8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it has not converged
        classifier.fit(pixels, np.arange(200) % 10)
    results = {}
    for name, options in (("zip-map", {}), ("no-zip-map", {id(classifier): {"zipmap": False}})):
        file = to_onnx(classifier, pixels[:1], options=options)
        (folder / f"classifier-{name}.onnx").write_bytes(file.SerializeToString())
        results[f"classifier-{name}.onnx"] = classifier.predict_proba(
            images.reshape(len(images), -1).astype(np.float32) / 255
        ).astype(np.float32)
    return results


def save_states(folder: Path, images: np.ndarray) -> dict[str, np.ndarray]:
    """State dictionaries as safetensors, and what `torch.save` writes."""
    results = {}
    for name in ("dense", "convolutions", "normalized", "example"):
        network = made(name)
        save_file(network.state_dict(), folder / f"{name}.safetensors")
        results[f"{name}.safetensors"] = answers(network, images)
    network = nn.Linear(2, 2)
    torch.save(network.state_dict(), folder / "state.pth")
    torch.save(network.state_dict(), folder / "old-state.pth", _use_new_zipfile_serialization=False)
    torch.save(network, folder / "module.pth")
    return results


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--images", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    if options.images:
        images = np.load(options.images)
    else:
        random = np.random.default_rng(5)
        images = random.integers(0, 256, (10, 28, 28)).astype(np.uint8)
        images[random.random((10, 28, 28)) >= 0.1] = 0
    results = save_classifier(options.folder, images) | save_states(options.folder, images)
    for name in ARCHITECTURES:
        network = made(name)
        for way, save in WAYS.items():
            if way == "default" or name in EVERY_WAY:
                path = options.folder / f"{name}-{way}.onnx"
                save(network, path)
                results[path.name] = answers(network, images)
    np.savez_compressed(options.folder / "answers.npz", images=images, **results)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()

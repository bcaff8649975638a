"""The campaign of damaged files: all readers of the program, with samples that are damaged at
random.
"""

import gzip
import json
import os
import pickle
import shutil
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from core.data.dataset import Dataset
from core.data.sources import load_dataset
from core.drawing.ink import normalize
from core.drawing.picture import read_image
from core.inference.engine import Engine
from core.inference.model_file import Model, load_model
from core.network.notation import parse
from core.runs.folder import RunFolder, RunInfo
from core.runs.plan import RunPlan
from core.training.records import EpochDone
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_device
from tests.faults import hostile, saved_files
from tests.faults.case import Case
from tests.faults.mutate import mutate
from tools.models import pen_data

NETWORKS = (
    "784-128-10",
    "32C5-MP2-64C5-MP2-512N-10N",
    "8C3:s2-D50-16C3:valid:tanh-10N",
    "100:leaky-relu-30N",
)
TABLES = (
    "a;b;c\n" + "".join(f"{k},5;{k * k};{k}\n" for k in range(40)),
    "".join(f"{k},{k}e3,1\n" for k in range(40)),
)
PEN = b"".join(
    b'.SEGMENT DIGIT %d ? "%d"\n.COMMENT %d 3 1\n.PEN_DOWN\n 9 400\n 120 %d\n 250 30\n.PEN_UP\n.DT 100\n'
    % (k, k, k, k)
    for k in range(10)
)
EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 50 50\n%%EndComments\n{} loop\n"


class Readers:
    """Makes cases: a reader in turn, a sample of its files, one of them damaged or replaced by a
    special file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._samples = folder / "samples"
        self._readers: dict[str, Callable[[Path], None]] = {
            "mnist.pkl.gz": _load,
            "table.csv": _load,
            "idx": _load,
            "pictures": _load,
            "picture": _picture,
            "model.safetensors": _model,
            "run": _run,
            "network.txt": _network,
            "settings.json": _settings,
            "preferences": _preferences,
            "pen.unipen": _pen,
            "pen.unipen.gz": _pen,
            **saved_files.READERS,
        }
        self._hostile = hostile.kinds()
        self._write_samples()

    def case(self, random: Random) -> Case:
        """A damaged file and its reader, or something made to do harm."""
        name = random.choice([*self._readers, *self._hostile])
        if name not in self._hostile:
            return self.damaged_file(random, name)
        folder = self._folder / "case"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return Case(name, 0, self._hostile[name](folder, random))

    def damaged_file(self, random: Random, name: str = "") -> Case:
        """A damaged file, the only one of the folder `case`, and its reader; any of them without a
        name.
        """
        name = name or random.choice(list(self._readers))
        samples = sorted(self._samples.glob(f"{name}*" if name == "picture" else name))
        sample = random.choice([s for s in samples if name != "picture" or s.is_file()])
        target = self._folder / "case" / sample.name
        shutil.rmtree(self._folder / "case", ignore_errors=True)
        target.parent.mkdir()
        if sample.is_dir():
            shutil.copytree(sample, target)
        else:
            shutil.copy(sample, target)
        files = (
            sorted(path for path in target.rglob("*") if path.is_file())
            if target.is_dir()
            else [target]
        )
        path = random.choice(files)
        how = "damaged"
        if random.random() < 0.02:
            how = _replace(path, random)
        else:
            path.write_bytes(mutate(self._sample_content(path, target, sample, random), random))
        size = sum(file.stat().st_size for file in files if os.path.isfile(file))
        return Case(
            f"{name}: {path.relative_to(target.parent)} {how}",
            size,
            lambda: self._readers[name](target),
        )

    def _sample_content(self, path: Path, target: Path, sample: Path, random: Random) -> bytes:
        """The sample's content. Those that are one of several texts or pickles are drawn here."""
        if path.name == "network.txt":
            return random.choice(NETWORKS).encode()
        if path.name == "table.csv":
            return random.choice(TABLES).encode()
        if path.name == "mnist.pkl.gz":
            return _pickle(random)
        return (sample / path.relative_to(target) if sample.is_dir() else sample).read_bytes()

    def _write_samples(self) -> None:
        from PIL import Image

        self._samples.mkdir(parents=True)
        for name in ("mnist.pkl.gz", "table.csv", "network.txt"):
            (self._samples / name).write_bytes(b"")
        (self._samples / "pen.unipen").write_bytes(PEN)
        (self._samples / "pen.unipen.gz").write_bytes(gzip.compress(PEN, 1))
        _write_idx(self._samples / "idx")
        ink = np.zeros((60, 60), np.uint8)
        ink[10:50, 25:32] = 255
        for kind in ("PNG", "JPEG", "BMP", "GIF", "TIFF", "WEBP"):
            Image.fromarray(255 - ink).convert("RGB").save(
                self._samples / f"picture.{kind.lower()}", kind
            )
        Image.fromarray((255 - ink).astype(np.uint16) * 257).save(self._samples / "picture.16.png")
        (self._samples / "picture.eps.png").write_bytes(EPS)
        for digit in ("1", "7"):
            (self._samples / "pictures" / digit).mkdir(parents=True)
            for number in range(6):
                shutil.copy(
                    self._samples / "picture.png",
                    self._samples / "pictures" / digit / f"{number}.png",
                )
        _write_run(self._samples / "run")
        shutil.copy(self._samples / "run" / "model.safetensors", self._samples)
        settings = RunSettings(network="784-16-10").as_dict()
        (self._samples / "settings.json").write_text(json.dumps(settings))
        (self._samples / "preferences").mkdir()
        preferences = self._samples / "preferences" / "window.ini"
        preferences.write_text(
            "[General]\ntheme=dark\nlogarithmic_loss=true\nfolder=/tmp\nrecent=/tmp/a, /tmp/b\n"
            f"settings={json.dumps(json.dumps(settings))}\n\n[layout]\nversion=1\nwindow=@ByteArray(abc)\n"
        )
        saved_files.write_samples(self._samples, self._samples / "run")


def _replace(path: Path, random: Random) -> str:
    """Put a FIFO, device, folder or endless link in place of the file."""
    path.unlink()
    kind = random.choice(("fifo", "/dev/zero", "/dev/ptmx", "/proc/self/maps", "folder", "loop"))
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(path.name if kind == "loop" else kind)
    return f"replaced by {kind}"


def _load(path: Path) -> None:
    _check_dataset(load_dataset(path))


def _pen(path: Path) -> None:
    for digit in pen_data.read(path):
        assert all(np.isfinite(stroke).all() for stroke in digit.strokes)


def _check_dataset(dataset: Dataset) -> None:
    for split in (dataset.train, dataset.test):
        assert np.isfinite(split.inputs).all()
        assert np.isfinite(split.targets).all()


def _picture(path: Path) -> None:
    ink = read_image(path)
    assert np.isfinite(ink).all()
    normalize(ink)


def _model(path: Path) -> None:
    model = load_model(path)
    engine = Engine(model)
    try:
        image = np.full(
            (1, *model.network.input_shape),
            255,
            np.uint8 if len(model.network.input_shape) == 3 else np.float32,
        )
        assert np.isfinite(engine.predict(image)).all()
    finally:
        engine.close()
    assert model.test_score is None or model.test_score <= 1
    model.settings()


def _run(path: Path) -> None:
    folder = RunFolder(path)
    info = folder.read_info()
    network = parse(info.network, (2,), 1)
    checkpoint = folder.checkpoint.read(network, info.plan.settings)
    folder.read_history(checkpoint.epoch if checkpoint else 0)
    if folder.model_path.exists():
        load_model(folder.model_path)


def _network(path: Path) -> None:
    if os.path.isfile(path):
        parse(path.read_bytes().decode(errors="replace")[:100_000], (28, 28, 1), 10)


def _settings(path: Path) -> None:
    if os.path.isfile(path):
        try:
            values = json.loads(path.read_bytes())
        except (ValueError, RecursionError):
            return
        if isinstance(values, dict):
            RunSettings.from_dict(values)


def _preferences(path: Path) -> None:
    """Read in full, as the window does at its start."""
    try:
        from gui.preferences import Preferences
    except ImportError:
        return
    with saved_files.home_at(path / "home"):
        (path / "home" / "data").mkdir(parents=True)
        os.rename(path / "window.ini", path / "home" / "data" / "window.ini")
        preferences = Preferences()
        preferences.layout("window")
        preferences.last_settings()
        preferences.recent()
        preferences.folder()
        _ = preferences.theme, preferences.high_contrast


def _pickle(random: Random) -> bytes:
    """A small mnist.pkl.gz of a random protocol, as Python 2 or 3 write it."""
    pairs = tuple((np.full((n, 784), 0.5, np.float32), np.arange(n)) for n in (6, 2, 2))
    content = pickle.dumps(pairs, protocol=random.randrange(1, 6))
    if random.random() < 0.5:
        content = content.replace(b"numpy._core", b"numpy.core")
    return gzip.compress(content, 1)


def _write_idx(folder: Path) -> None:
    folder.mkdir()
    for prefix, count in (("train", 20), ("t10k", 10)):
        pixels = np.random.default_rng(1).integers(0, 256, (count, 28, 28)).astype(np.uint8)
        images = struct.pack(">4I", 2051, count, 28, 28) + pixels.tobytes()
        labels = struct.pack(">2I", 2049, count) + bytes(k % 10 for k in range(count))
        (folder / f"{prefix}-images-idx3-ubyte.gz").write_bytes(gzip.compress(images, 1))
        (folder / f"{prefix}-labels-idx1-ubyte").write_bytes(labels)


def _write_run(folder: Path) -> None:
    """A run of two epochs with all of its files."""
    table = folder.parent / "table.csv"
    table.write_text(TABLES[0])
    dataset = load_dataset(table)
    settings = RunSettings(
        network="2-3-1", epochs=2, batch_size=8, optimizer="adam", loss="squared-error"
    )
    device = open_device("vectorized")
    saved = RunFolder(folder)
    saved.begin(RunInfo(RunPlan(settings, str(table), "vectorized"), "2-3-1"))
    for record in iter_training(settings, dataset, device):
        if isinstance(record, EpochDone):
            saved.add_to_history([record.numbers])
            saved.write_checkpoint(record.checkpoint)
    network = parse(settings.network, (2,), 1)
    assert record.checkpoint
    model = Model(
        network,
        settings.activation,
        settings.loss,
        "regression",
        (),
        record.checkpoint.parameters,
        "table",
        settings.as_dict(),
    )
    replace(model, test_score=0.5).save(saved.model_path)

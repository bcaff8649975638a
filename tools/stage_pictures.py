"""Draws the stage: all kinds of networks, states, looks and sizes, and prints what painting costs.

python -m tools.stage_pictures FOLDER [--models FOLDER] [--only NAME ...]

The networks learn from the built-in digits for an epoch; they are kept in the folder of models.
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QLabel

from core.data.synthetic.pen import write
from core.inference.engine import Engine
from core.inference.model_file import Model, load_model
from core.reading.reader import DrawingReader, Reading
from gui.drawing.canvas import Canvas
from gui.drawing.document import Document, Dot
from gui.stage.stage import Stage
from gui.widgets.theme import theme
from gui.window.application import collect_in_this_thread, configure_process, make_application

NETWORKS = {
    "linear": "784-10",
    "dense": "784-128-10",
    "wide": "784-512-10",
    "small": "8C5-MP2-16C5-MP2-64N-10N",
    "blog": "32C5-MP2-64C5-MP2-512N-10N",
    "deep": "784-64-48-48-32-32-32-24-10",
    "norm": "8C3-BN-MP2-16C3-D25-64N-BN-D50-10N",
    "dead": "784-64-32-10",
    "tanh": "784-32:tanh-10",
}
SIZES = {"1280": (1248, 356), "1920": (1872, 568)}
LOOKS = {
    "light": ("light", False, 100),
    "dark": ("dark", False, 100),
    "contrast": ("dark", True, 100),
    "large": ("light", False, 160),
}
# A 3 in a square of side 300: the points of a stroke.
THREE = [(76, 84), (92, 69), (112, 58), (140, 51), (170, 56), (190, 73), (193, 98), (180, 122), (150, 139), (130, 143),
         (160, 150), (187, 164), (201, 188), (196, 218), (170, 241), (137, 248), (103, 240), (76, 227)]  # fmt: skip
SCRAWL = [(60, 60), (240, 240), (60, 240), (240, 60), (150, 30), (30, 150), (150, 270), (270, 150), (60, 60)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    configure_process()
    make_application(["digitlab"])
    models = options.models or options.folder / "models"
    options.folder.mkdir(parents=True, exist_ok=True)
    # A worker that collects garbage would destroy the widgets of earlier scenes.
    with collect_in_this_thread():
        for name, draw in PICTURES.items():
            if not options.only or name in options.only:
                draw(options.folder, models)


def trained(models: Path, name: str) -> Model:
    """The network of this name, from a file or learned now."""
    path = models / f"{name}.safetensors"
    if not path.exists():
        _train(models, name)
    return load_model(path)


def _train(models: Path, name: str) -> None:
    from core import commands

    models.mkdir(parents=True, exist_ok=True)
    commands.run(
        [
            "train",
            "--data",
            "builtin",
            "--network",
            NETWORKS[name],
            "--optimizer",
            "adam",
            "--epochs",
            "1",
            "--learning-rate",
            "0.002",
            "--save",
            str(models / f"{name}.safetensors"),
        ]
    )


class Scene:
    """A stage with a canvas, and the reader of what is drawn there."""

    def __init__(self, model: Model, size: str, *, canvas: bool = True) -> None:
        self.model = model
        self.document = Document()
        self.stage = Stage(moves=False)
        if canvas:
            tools = QLabel("")
            self.stage.parts.place(Canvas(self.document), tools)
        self.stage.resize(*SIZES[size])
        self.stage.show()
        self._reader = DrawingReader()

    def show(self, points: list[tuple[int, int]] | None = None) -> None:
        """Show the model with this drawing."""
        self.stage.scene.set_model(self.model)
        if points is not None:
            self.draw(points)
        until_shown(self.stage)

    def draw(self, points: list[tuple[int, int]]) -> None:
        scale = self.document.width / 300
        first, *others = [Dot(x * scale, y * scale, 24 * scale) for x, y in _rounded(points)]
        self.document.begin_stroke(first)
        for dot in others:
            self.document.extend_stroke(dot)
        self.document.finish_stroke()
        self.stage.scene.begin_stroke()
        self.stage.scene.show_reading(self.reading())

    def reading(self) -> Reading:
        return self._reader.read(self.model, self.document.ink.pixels(), self.document.strokes())

    def save(self, path: Path) -> None:
        self.stage.grab().save(str(path))
        print(path.name, f"{self.stage.renderer.milliseconds:.1f} ms", flush=True)


def _rounded(points: list[tuple[int, int]]) -> list[tuple[float, float]]:
    """The points with others between them on a smooth curve (Catmull-Rom)."""
    made = []
    padded = [points[0], *points, points[-1]]
    for index in range(1, len(padded) - 2):
        before, start, end, after = (np.array(padded[index + k], float) for k in (-1, 0, 1, 2))
        for t in np.linspace(0, 1, 8, endpoint=False):
            place = start + 0.5 * t * (
                end
                - before
                + t * (2 * before - 5 * start + 4 * end - after + t * (3 * (start - end) + after - before))
            )
            made.append((float(place[0]), float(place[1])))
    return [*made, points[-1]]


def until_shown(stage: Stage) -> None:
    """Handle events until the stage has nothing to compute."""
    loop = QEventLoop()
    clock = QTimer(interval=10)

    def look() -> None:
        if not stage.is_waiting:
            loop.quit()

    clock.timeout.connect(look)
    clock.start()
    loop.exec()
    clock.stop()


def use_look(look: str) -> None:
    choice, contrast, text = LOOKS[look]
    theme().choose(choice, high_contrast=contrast, text_size=text)


def draw_networks(folder: Path, models: Path) -> None:
    """Each network with a drawing and without one, at both sizes."""
    use_look("light")
    for name in NETWORKS:
        model = trained(models, name)
        for size in SIZES:
            scene = Scene(model, size)
            scene.show()
            scene.save(folder / f"{name}-{size}-empty.png")
            scene.draw(THREE)
            until_shown(scene.stage)
            scene.save(folder / f"{name}-{size}.png")
            scene.stage.close()


def draw_looks(folder: Path, models: Path) -> None:
    for look in LOOKS:
        use_look(look)
        for name in ("small", "dense", "linear"):
            for points in (None, THREE):
                scene = Scene(trained(models, name), "1280")
                scene.show(points)
                scene.save(folder / f"{name}-{look}-{'empty' if points is None else 'drawing'}.png")
                scene.stage.close()
    use_look("light")


def draw_states(folder: Path, models: Path) -> None:
    """No digit, a moment of a replay, changed settings, a chosen layer, a regression, without a canvas."""
    use_look("light")
    model = trained(models, "small")
    scene = Scene(model, "1280")
    scene.show(SCRAWL)
    scene.save(folder / "state-no-digit.png")
    scene = Scene(model, "1280")
    scene.show(THREE)
    scene.stage.parts.show_moment("epoch 2 of 4")
    scene.save(folder / "state-moment.png")
    scene.stage.parts.show_moment("")
    scene.stage.choose(2)
    scene.save(folder / "state-chosen.png")
    scene = Scene(model, "1920", canvas=False)
    scene.show(THREE)
    scene.save(folder / "state-without-canvas.png")
    if (models / "regression.safetensors").exists():
        scene = Scene(load_model(models / "regression.safetensors"), "1280", canvas=False)
        scene.show()
        scene.stage.scene.show_point(np.array([0.5, -1.25], np.float32), truth=24.06)
        until_shown(scene.stage)
        scene.save(folder / "state-regression.png")


def measure(folder: Path, models: Path) -> None:
    """Milliseconds of the window's thread for a new picture: with new values, and painting alone."""
    use_look("light")
    for name in NETWORKS:
        model = trained(models, name)
        engine = Engine(model)
        for size in SIZES:
            scene = Scene(model, size)
            scene.show(THREE)
            images = write(12, np.random.default_rng(5)).images()
            whole = []
            paint = []
            compute = []
            for image in images:
                started = time.thread_time()
                probabilities = engine.predict(image[None])[0]
                compute.append(1000 * (time.thread_time() - started))
                scene.stage.scene.begin_stroke()
                scene.stage.scene.show_reading(Reading(image, probabilities, model.classes))
                until_shown(scene.stage)
                prepared = scene.stage.renderer.milliseconds
                started = time.thread_time()
                scene.stage.repaint()
                paint.append(1000 * (time.thread_time() - started))
                whole.append(prepared)
            print(
                f"{name} {size}: new picture {median(whole):.1f} ms, 90 % below {np.percentile(whole, 90):.1f}; "
                f"painting again {median(paint):.1f} ms",
                flush=True,
            )
            scene.stage.close()


PICTURES: dict[str, Callable[[Path, Path], None]] = {
    "networks": draw_networks,
    "looks": draw_looks,
    "states": draw_states,
    "measure": measure,
}

if __name__ == "__main__":
    main()

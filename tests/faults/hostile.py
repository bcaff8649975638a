"""Files that fit their form and mean harm: names in exports, links in run folders, rows in
databases, ONNX graphs.
"""

import csv
import io
import json
import os
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from random import Random

import numpy as np

from core.data.dataset import Dataset, Split
from core.errors import InputError
from core.export import KINDS, ExportSource
from core.files.csv_text import is_number
from core.inference.model_file import Model, load_model
from core.inference.scores import confusion_rows, write_table
from core.network.notation import parse
from core.reading.drawing_page import page_script
from core.runs.comparison import comparison_report, curves_csv, results_csv
from core.runs.folder import Label, RunFolder, RunInfo, write_label
from core.runs.library import RunLibrary, apply_limit
from core.runs.plan import RunPlan
from core.training.run_settings import RunSettings
from main import main
from tests.faults import saved_files

NAMES = (
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    "</title><img src=x onerror=alert(1)>",
    "&lt;script&gt;",
    "javascript:alert(1)",
    "]]><!--",
    "{{7*7}}",
    "${x}",
    "%s%n%(x)s",
    "{path}{0}",
    '"""\nimport os\n"""',
    "'''",
    "\\",
    '"] + [__import__("os").abort()] + ["',
    "\\N{BULLET}",
    "# coding: latin-1",
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "a\r=1",
    "a,b;c\td",
    'a"b',
    "\x1b[2J\x1b]0;x\x07",
    "\u202egnp",
    "\u2028",
    "\x00",
    "\x85",
    "\ufeff",
    "x" * 5000,
    "é" * 300,
    "🙂",
    "../../x",
    "C:\\x",
    "CON",
    "",
    " ",
    "\ud800",
    "٣",
    "NaN",
    "1e999",
)
NUMBERS = (
    "nan",
    "inf",
    -1,
    0,
    2**31,
    2**63,
    1e308,
    -1e308,
    "x",
    "",
    None,
    "[]",
    "{}",
    "null",
    '"x"',
    '[{"epoch": null}]',
    '"../../victim"',
    '"/etc"',
    "9" * 400,
    b"\xff",
    "\ud800",
    "true",
    '"a\\u0000b"',
)


Maker = Callable[[Path, Random], Callable[[], str | None]]


def kinds() -> dict[str, Maker]:
    """By its name each kind of case: makes files in an empty folder, and returns what uses and
    judges them.
    """
    found: dict[str, Maker] = {
        "names in exports": _names,
        "links in a run": _links,
        "links in a library": _library_links,
    }
    if find_spec("onnx"):
        found["ONNX graph"] = _graph
    return found


# -- names in exports ------------------------------------------------------------------------------


class _Page(HTMLParser):
    """Collects what a page would execute or load from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.harmful: list[str] = []

    def handle_data(self, data: str) -> None:
        """A page's own script runs, and the values for it are JSON."""
        if self.lasttag == "script" and data.strip() and data != page_script():
            try:
                json.loads(data)
            except ValueError:
                self.harmful.append(f"script {data[:100]}")

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in ("iframe", "object", "embed", "link", "base", "form"):
            self.harmful.append(tag)
        for name, value in attributes:
            link = name in ("src", "href", "action", "srcset") and not (value or "").startswith(
                ("data:image/", "#")
            )
            if name.startswith("on") or link:
                self.harmful.append(f"{tag} {name}={value}")


def _names(folder: Path, random: Random) -> Callable[[], str | None]:
    def name() -> str:
        return random.choice(NAMES) + random.choice(("", "", random.choice(NAMES)))

    def stored() -> str:
        """Of a model file, which is UTF-8."""
        return name().replace("\ud800", "")

    classes = tuple(stored() for _ in range(10))
    network = parse("784-4-10", (28, 28, 1), 10)
    parameters = np.random.default_rng(1).normal(0, 0.1, network.parameter_count).astype(np.float32)
    values = {**RunSettings(network="784-4-10").as_dict(), name(): name()}
    model = Model(
        network, "relu", "cross-entropy", "classes", classes, parameters, stored(), values
    )
    images = Split(np.zeros((20, 28, 28, 1), np.uint8), (np.arange(20) % 10).astype(np.int32))
    data = Dataset(name(), name(), "classes", classes, images, images)
    labels = [Label(name()[:100], name()) for _ in range(2)]
    plans = [RunPlan(RunSettings(network="784-4-10"), name(), name()) for _ in range(2)]

    def use() -> str | None:
        for kind in KINDS:
            try:
                content = kind().content(ExportSource(model, None, lambda _: data))
            except (InputError, ModuleNotFoundError):
                continue
            if fault := _judge_export(kind.suffix, content):
                return f"{kind.suffix}: {fault}"
        with saved_files.home_at(folder):
            library = RunLibrary()
            for number, (label, plan) in enumerate(zip(labels, plans, strict=True)):
                run = RunFolder(library.path / f"20260101-000000-1-{number}")
                run.begin(RunInfo(plan, "784-4-10"))
                write_label(run.path, label)
            entries = library.entries()
            rows = [entry.folder.read_history() for entry in entries]
        if entries and (fault := _judge_export(".html", comparison_report(entries, rows).encode())):
            return f"comparison: {fault}"
        table = write_table(
            folder / "confusion.csv", confusion_rows(classes, np.eye(10, dtype=int))
        )
        texts = (results_csv(entries), curves_csv(entries, rows), table.read_text("utf-8"))
        return next((fault for text in texts if (fault := _judge_csv(text))), None)

    return use


def _judge_export(suffix: str, content: bytes) -> str | None:
    if suffix == ".html":
        page = _Page()
        page.feed(content.decode())
        return ", ".join(page.harmful) or None
    import onnx

    onnx.checker.check_model(onnx.load_model_from_string(content))
    return None


def _judge_csv(text: str) -> str | None:
    rows = list(csv.reader(io.StringIO(text)))
    for cell in (cell for row in rows for cell in row):
        if cell.startswith(("=", "+", "-", "@", "\t", "\r")) and not is_number(cell):
            return f"a formula: {cell[:80]!r}"
        if any(ord(sign) < 32 for sign in cell):
            return f"a control character: {cell[:80]!r}"
    return (
        f"rows of different lengths: {text[:200]!r}"
        if len({len(row) for row in rows}) > 1
        else None
    )


# -- links -----------------------------------------------------------------------------------------


def _links(folder: Path, random: Random) -> Callable[[], str | None]:
    """A run folder some of whose files are links to files outside, which is trained on, exported
    and labeled.
    """
    run = folder / "run"
    victims = folder / "victims"
    shutil.copytree(folder.parent / "samples" / "run", run)
    victims.mkdir()
    files = sorted(path for path in run.iterdir() if path.is_file())
    names = {path.name for path in random.sample(files, random.randint(1, len(files)))}
    names |= set(
        random.sample(("label.json", "run.lock", "best.safetensors", "other"), random.randint(0, 2))
    )
    for name in names:
        victim = victims / name
        if (run / name).exists():
            os.replace(run / name, victim)
        elif random.random() < 0.7:  # else a link to a file that is not there
            victim.write_text("precious")
        (run / name).symlink_to(victim if random.random() < 0.5 else Path("..") / "victims" / name)
    before = _tree(victims)
    arguments = ["train", "--resume", str(run), "--epochs", str(random.choice((3, 4)))]

    def use() -> str | None:
        _main(arguments)
        try:
            write_label(run, Label("name", "note", True))
            folder = RunFolder(run)
            folder.write_info(folder.read_info())
        except InputError:
            pass
        after = _tree(victims)
        changed = [
            name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
        ]
        return f"behind links were changed: {sorted(changed)}" if changed else None

    return use


def _library_links(folder: Path, random: Random) -> Callable[[], str | None]:
    """A library in which folders are links to others outside, which is listed, pruned, emptied and
    restored.
    """
    victim = folder / "victim"
    shutil.copytree(folder.parent / "samples" / "run", victim)
    (victim / "thesis.txt").write_text("precious")
    with saved_files.home_at(folder / "home"):
        library = RunLibrary()
        name = "20260101-000000-1-1"
        place = library.trash.path if random.random() < 0.5 else library.path
        if random.random() < 0.2:  # the whole library or its trash is a link
            place.parent.mkdir(parents=True, exist_ok=True)
            (folder / "elsewhere").mkdir()
            place.symlink_to(folder / "elsewhere")
        place.mkdir(parents=True, exist_ok=True)
        (place / name).symlink_to(victim)
        shutil.copytree(folder.parent / "samples" / "run", library.path / "20260101-000000-1-2")
    actions: list[Callable[[], object]] = [
        library.entries,
        library.trashed,
        lambda: library.delete([name]),
        lambda: library.restore([name]),
        library.empty_trash,
        lambda: library.empty_trash([name]),
        lambda: apply_limit(library),
        lambda: _main(["runs"]),
        lambda: _main(["runs", "delete", name]),
        lambda: _main(["runs", "show", name]),
    ]
    chosen = random.choices(actions, k=4)
    before = _tree(victim)

    def use() -> str | None:
        with saved_files.home_at(folder / "home"):
            for action in chosen:
                try:
                    action()
                except InputError:
                    continue
        return None if _tree(victim) == before else "a folder behind a link was changed"

    return use


def _tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _main(arguments: list[str]) -> None:
    """The command, whose output is of no interest; any error but a refusal is a fault."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as errors:
        main(arguments)
    assert "Traceback" not in errors.getvalue(), errors.getvalue()


# -- ONNX graphs -----------------------------------------------------------------------------------


def _graph(folder: Path, random: Random) -> Callable[[], str | None]:
    """A file that PyTorch or scikit-learn has written, with another graph: operators, values,
    shapes, places.
    """
    import onnx

    source = random.choice(sorted(saved_files.PYTORCH.glob("*.onnx")))
    for each in saved_files.PYTORCH.glob(f"{source.name}*"):
        shutil.copy(each, folder)
    path = folder / source.name
    file = onnx.load_model_from_string(path.read_bytes())
    for _ in range(random.choice((1, 1, 2, 4))):
        random.choice(
            (_change_node, _change_attribute, _change_tensor, _change_values, _change_order)
        )(file, random)
    path.write_bytes(file.SerializeToString())

    def use() -> str | None:
        saved_files.read_imported(path)
        load_model(folder / "imported.safetensors")
        return None

    return use


OPERATORS = (
    "Relu",
    "Softmax",
    "Conv",
    "Gemm",
    "MatMul",
    "Add",
    "Flatten",
    "Reshape",
    "MaxPool",
    "BatchNormalization",
    "Shape",
    "Gather",
    "Concat",
    "Unsqueeze",
    "Identity",
    "Dropout",
    "Cast",
    "ArgMax",
    "ZipMap",
    "ArrayFeatureExtractor",
    "Loop",
    "If",
    "Scan",
    "LpNormalization",
    "LeakyRelu",
    "Constant",
    "",
)


def _change_node(file, random: Random) -> None:
    node = random.choice(file.graph.node)
    what = random.randrange(4)
    if what == 0:
        node.op_type = random.choice(OPERATORS)
    elif what == 1 and node.input:
        values = [name for each in file.graph.node for name in (*each.input, *each.output)]
        node.input[random.randrange(len(node.input))] = random.choice([*values, "", "nowhere"])
    elif what == 2 and node.output:
        node.output[0] = random.choice((*node.input, "", "other"))
    else:
        node.domain = random.choice(("", "ai.onnx.ml", "elsewhere", "digitlab"))


def _change_attribute(file, random: Random) -> None:
    import onnx

    node = random.choice(file.graph.node)
    names = [attribute.name for attribute in node.attribute]
    name = random.choice(
        [
            *names,
            "epsilon",
            "axis",
            "pads",
            "strides",
            "kernel_shape",
            "start",
            "end",
            "to",
            "group",
        ]
    )
    kept = [attribute for attribute in node.attribute if attribute.name != name]
    value = random.choice(
        (
            0,
            1,
            -1,
            2**31,
            -(2**63),
            1e-5,
            float("nan"),
            float("inf"),
            "text",
            b"SAME_UPPER",
            [1],
            [2, 2],
            [0] * 4,
            [-1] * 4,
            [2**62] * 2,
            [1.5],
            ["a"],
            [1] * 3000,
        )
    )
    del node.attribute[:]
    node.attribute.extend([*kept, onnx.helper.make_attribute(name, value)])


def _change_tensor(file, random: Random) -> None:
    import onnx

    if not file.graph.initializer:
        return
    tensor = random.choice(file.graph.initializer)
    what = random.randrange(5)
    if what == 0 and tensor.dims:
        tensor.dims[random.randrange(len(tensor.dims))] = random.choice((0, 1, -1, 7, 2**31, 2**62))
    elif what == 1:
        tensor.data_type = random.choice((0, 1, 2, 7, 8, 10, 11, 14, 16, 23, 99))
    elif what == 2:
        entry = (
            random.choice(tensor.external_data)
            if tensor.external_data
            else tensor.external_data.add(key="location")
        )
        entry.value = random.choice(
            ("", ".", "..", "../x", "/etc/passwd", "/dev/zero", "-1", "9" * 30, "0", "nan", "a\0b")
        )
    elif what == 3:
        shape = random.choice(((), (0,), (1,), (10,), (1, 1), (10, 784), (4, 1, 5, 5), (2,) * 8))
        kind = random.choice((np.float32, np.float64, np.int64, np.uint8, np.bool_, np.complex64))
        new = onnx.numpy_helper.from_array(
            np.full(shape, random.choice((0, 1, -1, np.nan, 1e30, 784))).astype(kind), tensor.name
        )
        tensor.CopyFrom(new)
    else:
        tensor.name = random.choice(
            [each.name for each in file.graph.initializer] + ["", "nowhere"]
        )


def _change_values(file, random: Random) -> None:
    """Inputs, outputs and the texts of the file."""
    what = random.randrange(4)
    entries = (file.graph.input, file.graph.output)
    value = random.choice(random.choice(entries) or file.graph.input or [None])
    if value is None:
        return
    if what == 0:
        value.name = random.choice(
            ("", "nowhere", *(node.output[0] for node in file.graph.node if node.output))
        )
    elif what == 1 and value.type.tensor_type.shape.dim:
        size = random.choice(value.type.tensor_type.shape.dim)
        size.dim_value = random.choice((0, -1, 1, 3, 784, 2**31, 2**62))
    elif what == 2:
        value.type.tensor_type.elem_type = random.choice((0, 1, 2, 8, 10, 11, 16, 99))
    else:
        texts = ("{}", "[]", "[" * 3000, '["a"]', '["a\\nb","1"]', "null", '["\\ud800"]', *NAMES)
        file.metadata_props.add(
            key=random.choice(("classes", "kind", "x")),
            value=random.choice(texts).replace("\ud800", ""),
        )


def _change_order(file, random: Random) -> None:
    nodes = list(file.graph.node)
    index = random.randrange(len(nodes))
    what = random.randrange(3)
    if what == 0:
        nodes.insert(random.randrange(len(nodes)), nodes[index])
    elif what == 1:
        del nodes[index]
    else:
        random.shuffle(nodes)
    copies = [type(node).FromString(node.SerializeToString()) for node in nodes]
    del file.graph.node[:]
    file.graph.node.extend(copies)

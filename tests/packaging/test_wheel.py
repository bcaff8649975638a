"""The package of the wheel: one import package; none of its modules needs a top-level `core`, `gui`
or `kernels`.
"""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kernels.cuda.shipped import sources_digest
from tests.limits import SECONDS

ROOT = Path(__file__).resolve().parents[2]
IMPORT_ALL = """
import importlib, importlib.util, pathlib, sys
left_out = {"resources", "__main__"}
if importlib.util.find_spec("numba_cuda") is None:
    left_out.add("cuda")
for name in ("core", "gui", "kernels", "main"):
    sys.modules[name] = None
folder = pathlib.Path(sys.argv[1])
for path in sorted((folder / "digitlab").rglob("*.py")):
    parts = path.relative_to(folder).with_suffix("").parts
    if not left_out & {*parts}:
        importlib.import_module(".".join(parts).removesuffix(".__init__"))
print("all imported")
"""


@pytest.fixture(scope="module")
def hook():
    """The build hook, without hatchling, whose class it derives from."""
    path = ROOT / "packaging" / "wheel" / "hook.py"
    text = path.read_text("utf-8").replace(
        "from hatchling.builders.hooks.plugin.interface import BuildHookInterface",
        "BuildHookInterface = object",
    )
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("hook", None))
    exec(compile(text, str(path), "exec"), vars(module))
    return module


@pytest.fixture(scope="module")
def package(hook, tmp_path_factory):
    """The folder that holds the package `digitlab`."""
    folder = tmp_path_factory.mktemp("wheel")
    hook.make_package(ROOT, folder / "digitlab")
    return folder


def in_wheel(package, *arguments, **more):
    environment = {**os.environ, "PYTHONPATH": str(package), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, "-P", *map(str, arguments)],
        env=environment, cwd=package, capture_output=True, text=True, timeout=SECONDS, **more,
    )  # fmt: skip


def test_all_its_modules_are_imported_where_the_names_of_the_repository_are_taken(package):
    done = in_wheel(package, "-W", "ignore", "-c", IMPORT_ALL, package)
    assert done.stdout == "all imported\n", done.stderr[-2000:]


def test_the_operators_are_at_hand_in_a_notebook(package):
    code = (
        "from digitlab import operators as op\n"
        "with op.device('sequential'):\n"
        "    print(op.add(op.dot([[1, 2], [3, 4]], [1, 1]), [1, 0]).tolist())"
    )
    assert in_wheel(package, "-c", code).stdout == "[4.0, 7.0]\n"


def test_kernels_that_were_compiled_in_the_repository_fit_it(package):
    code = "from digitlab.kernels.cuda.shipped import sources_digest; print(sources_digest())"
    assert in_wheel(package, "-c", code).stdout == f"{sources_digest()}\n"


def test_its_messages_name_the_command_that_is_installed(package):
    done = in_wheel(package, "-m", "digitlab", "train", "--network", "784-x")
    assert done.returncode == 2
    assert done.stderr.startswith("digitlab train: ")
    done = in_wheel(package, "-m", "digitlab", "devices")
    assert "main.py" not in done.stdout
    assert "-m pip install" in done.stdout or "no NVIDIA" in done.stdout or "cuda" in done.stdout


def test_it_finds_what_it_ships_by_name_and_its_documents_name_its_own_commands(package):
    done = in_wheel(package, "-m", "digitlab", "workshop", "check", "02-guard", "--no-types")
    assert (done.returncode, done.stderr) == (1, "")
    assert "bounds" in done.stdout
    code = (
        "from digitlab.core.program import FOLDER, as_installed\n"
        "for path in FOLDER.glob('docs/*.md'): print(as_installed(path.read_text('utf-8')))"
    )
    said = in_wheel(package, "-c", code).stdout
    assert not re.findall(r"uv run .*main\.py|`main\.py|uv sync --inexact --extra \w+`", said)
    assert '-m pip install "digitlab[' in said


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("import kernels\n", "from digitlab import kernels\n"),
        ("import core.text as words\n", "import digitlab.core.text as words\n"),
        (
            "def f():\n    from gui.text import a, b\n",
            "def f():\n    from digitlab.gui.text import a, b\n",
        ),
        (
            "from core_of_others import x\nimport numpy, math\n",
            "from core_of_others import x\nimport numpy, math\n",
        ),
        ("from .near import x\n", "from .near import x\n"),
        (
            'TEXT = "from core.errors import InputError"\n',
            'TEXT = "from core.errors import InputError"\n',
        ),
    ],
)
def test_absolute_imports_are_moved_and_nothing_else(hook, text, moved):
    assert hook.with_moved_imports(text, "example.py") == moved


def test_an_import_that_cannot_be_moved_is_named(hook):
    with pytest.raises(ValueError, match=r"example\.py, line 2"):
        hook.with_moved_imports("import math\nimport core.errors\n", "example.py")


@pytest.mark.parametrize(
    ("mark", "command"),
    [
        ("uv-receipt.toml", 'uv tool install "digitlab[onnx]"'),
        ("pipx_metadata.json", 'pipx install --force "digitlab[onnx]"'),
        ("", '-m pip install "digitlab[onnx]"'),
    ],
)
def test_the_command_for_an_extra_fits_the_installation(package, tmp_path, mark, command):
    if mark:
        (tmp_path / mark).write_text("")
    text = (
        "import sys; sys.prefix = sys.argv[1]\n"
        "from digitlab.kernels.installation import install_command\nprint(install_command('onnx'))"
    )
    done = in_wheel(package, "-c", text, tmp_path)
    assert done.stdout.strip().endswith(command), done.stderr

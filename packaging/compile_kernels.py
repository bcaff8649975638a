"""Compiles the kernels of the device `cuda` ahead: writes `kernels/cuda/kernels.zip`.

    python packaging/compile_kernels.py [FILE]

Needs the extra `cuda` and no card. Each kernel is translated to PTX once, by numba-cuda, and that
by NVIDIA's assembler to machine code for several cards. Does nothing where the file was made of the
same sources by the same versions.
"""

import operator
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib.metadata import files, version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kernels.cuda import shipped, toolkit
from kernels.cuda.operators import (
    augmentation,
    batches,
    convolution,
    dense,
    dropout,
    elementwise,
    losses,
    normalization,
    pooling,
    reduce,
    several_steps,
    updates,
)
from kernels.cuda.operators.product import product_kernel
from kernels.cuda.operators.tiles import LARGE, MEDIUM, NARROW, SMALL
from kernels.cuda.toolkit import float32, float64, int32, types

Capability = tuple[int, int]

# That of CUDA 12.0: kernels need nothing newer, and a driver refuses a newer one than its own.
_PTX_VERSION = "8.0"

# Classes of the compiler that is used.
Array, int64, uint8 = types.Array, types.int64, types.uint8


@dataclass(frozen=True)
class Compilable:
    name: str
    kernel: Any
    types: tuple[Any, ...]


def _floats(dimensions: int) -> Any:
    return Array(float32, dimensions, "C")


_VECTOR, _MATRIX, _IMAGES = _floats(1), _floats(2), _floats(4)
_COUNTERS, _SUMS = Array(int32, 1, "C"), Array(float64, 1, "C")


TILES = {"large": LARGE, "medium": MEDIUM, "small": SMALL, "narrow": NARROW}


def _products() -> Iterator[Compilable]:
    """Each form with each tile."""
    forms = {
        "product-nn": (dense.FORWARD, _MATRIX, _MATRIX, _VECTOR),
        "product-nt": (dense.INPUT_GRADIENT, _MATRIX, _MATRIX, _MATRIX),
        "product-tn": (dense.WEIGHT_GRADIENT, _MATRIX, _MATRIX, _MATRIX),
        "product-update": (dense.UPDATE, _MATRIX, _MATRIX, _VECTOR),
        "product-plain": (elementwise.PLAIN, _MATRIX, _MATRIX, _MATRIX),
        "convolution-forward": (convolution.FORWARD[True], _IMAGES, _MATRIX, _VECTOR),
        "convolution-forward-few": (convolution.FORWARD[False], _IMAGES, _MATRIX, _VECTOR),
        "convolution-input-gradient": (
            convolution.INPUT_GRADIENT[False],
            _IMAGES,
            _IMAGES,
            _MATRIX,
        ),
        "convolution-input-gradient-strided": (
            convolution.INPUT_GRADIENT[True],
            _IMAGES,
            _IMAGES,
            _MATRIX,
        ),
        "convolution-weight-gradient": (
            convolution.WEIGHT_GRADIENT[True],
            _IMAGES,
            _MATRIX,
            _MATRIX,
        ),
        "convolution-weight-gradient-few": (
            convolution.WEIGHT_GRADIENT[False],
            _IMAGES,
            _MATRIX,
            _MATRIX,
        ),
    }
    for name, (form, a, b, extra) in forms.items():
        sizes = types.UniTuple(types.uint32, 26 if name.startswith("convolution") else 1)
        numbers = (int64, int64, int64, extra, float32, int64, int64, sizes)
        for tile_name, tile in TILES.items():
            kernel = product_kernel(tile, form)
            arguments = (a, b, _MATRIX, *numbers, _VECTOR, _COUNTERS)
            yield Compilable(f"{name}-{tile_name}", kernel, arguments)


def kernels() -> list[Compilable]:
    """All kernels."""
    update = (_VECTOR, _VECTOR)
    loss_end = (_SUMS, _MATRIX, _SUMS, _COUNTERS)
    drop = (int64, float32, int64, int64, _COUNTERS)
    return [
        *_products(),
        Compilable("tiny", toolkit.double_and_add_one, (_VECTOR,)),
        *[
            Compilable(
                f"column-sums-{name}",
                reduce.column_sums_of(element, name == "update"),
                (_MATRIX, _MATRIX, _VECTOR, _VECTOR, float32, _VECTOR, _VECTOR, _COUNTERS),
            )
            for name, element in (
                ("plain", reduce.itself),
                ("update", reduce.itself),
                ("squares", normalization.squared_difference),
                ("normalized", normalization.times_normalized),
            )
        ],
        Compilable("normalize", normalization._normalize, (*[_VECTOR] * 5, int64, _VECTOR)),
        Compilable(
            "normalize-gradient",
            normalization._input_gradient,
            (*[_VECTOR] * 7, float32, int64, _VECTOR),
        ),
        Compilable("softmax", losses._softmax, (_MATRIX, _MATRIX)),
        Compilable(
            "cross-entropy",
            losses.class_loss(losses.cross_entropy),
            (_MATRIX, _COUNTERS, int64, *loss_end),
        ),
        Compilable(
            "output-layer",
            losses._output_layer,
            (
                _MATRIX,
                _MATRIX,
                _VECTOR,
                _COUNTERS,
                int64,
                int64,
                _SUMS,
                _MATRIX,
                _MATRIX,
                _MATRIX,
                _SUMS,
                _COUNTERS,
            ),
        ),
        Compilable(
            "error-classes",
            losses.class_loss(losses.squared_error),
            (_MATRIX, _COUNTERS, int64, *loss_end),
        ),
        Compilable("error", losses._squared_error, (_MATRIX, _MATRIX, int64, *loss_end)),
        Compilable("l1", updates._add_l1_gradient, (*update, float32, int64)),
        Compilable("sgd", updates._sgd, (*update, _VECTOR, float32, int64)),
        Compilable(
            "momentum",
            updates._momentum,
            (*update, _VECTOR, _VECTOR, float32, int64, float32, int64),
        ),
        Compilable(
            "adam", updates._adam, (*update, _VECTOR, _VECTOR, _VECTOR, _COUNTERS, float32, int64)
        ),
        Compilable("rmsprop", updates._rmsprop, (*update, _VECTOR, _VECTOR, float32, int64)),
        Compilable("average", updates._average, (_MATRIX, _VECTOR)),
        Compilable(
            "gather-bytes",
            batches._gather_scaled,
            (Array(uint8, 1, "C"), _COUNTERS, _COUNTERS, int64, _VECTOR),
        ),
        Compilable(
            "gather-floats", batches._gather_copied, (_VECTOR, _COUNTERS, _COUNTERS, int64, _VECTOR)
        ),
        Compilable(
            "gather-labels",
            batches._gather_copied,
            (_COUNTERS, _COUNTERS, _COUNTERS, int64, _COUNTERS),
        ),
        Compilable("advance", batches._advance, (_COUNTERS, int64)),
        Compilable(
            "advance-with-history",
            batches._advance_with_history,
            (_COUNTERS, int64, _SUMS, Array(float64, 2, "C")),
        ),
        *[
            Compilable(
                operation.__name__, elementwise.pairwise(operation), (_VECTOR, _VECTOR, _VECTOR)
            )
            for operation in (operator.add, operator.sub, operator.mul)
        ],
        Compilable("activate", elementwise._activate, (_VECTOR, int64, _VECTOR)),
        Compilable("derivative", elementwise._multiply_by_derivative, (_VECTOR, int64, _VECTOR)),
        Compilable("max-pool", pooling._max_pool, (_IMAGES, int64, int64, _IMAGES)),
        Compilable(
            "max-pool-gradient",
            pooling._max_pool_gradient,
            (_IMAGES, _IMAGES, _IMAGES, int64, int64, int64, _IMAGES),
        ),
        Compilable("average-pool", pooling._average_pool, (_IMAGES, int64, int64, _IMAGES)),
        Compilable(
            "average-pool-gradient",
            pooling._average_pool_gradient,
            (_IMAGES, _IMAGES, int64, int64, int64, _IMAGES),
        ),
        Compilable("dropout", dropout._dropout, (_VECTOR, *drop, _VECTOR)),
        Compilable(
            "dropout-gradient", dropout._dropout_gradient, (_VECTOR, *drop, _VECTOR, int64, _VECTOR)
        ),
        Compilable(
            "several-steps",
            several_steps._several_steps,
            (
                types.Tuple(
                    (
                        Array(int32, 2, "C"),
                        *(_COUNTERS, _COUNTERS, _VECTOR),
                        *(_MATRIX, _VECTOR, _MATRIX, _VECTOR),
                        _COUNTERS,
                        Array(float64, 2, "C"),
                    )
                ),
                *(_floats(3), _MATRIX, int64, int64, _COUNTERS),
            ),
        ),
        Compilable(
            "augment",
            augmentation._augment,
            (_IMAGES, *[float64] * 6, int64, _COUNTERS, _IMAGES, _VECTOR),
        ),
    ]


def type_name(kind: Any) -> str:
    """A type of Numba as `shipped.described` names it."""
    if isinstance(kind, types.Array):
        return f"{kind.dtype}[{kind.ndim}]"
    if isinstance(kind, types.BaseTuple):
        return f"({','.join(map(type_name, kind))})"
    return str(kind)


def iter_ptx(
    compilable: Compilable, capabilities: Sequence[Capability]
) -> Iterator[tuple[Capability, str]]:
    """(capability, PTX) of a kernel for each of `capabilities`, by numba-cuda. No card is needed,
    and none is used.
    """
    from numba.cuda.compiler import _compile_pyfunc_with_fixup

    options: dict[str, Any] = {"launch_bounds": None, "lineinfo": False}
    # numba-cuda asks for the card when it compiles a device function, whose result is the same for
    # all.
    # Type inference takes longer than code generation, so it is done once.
    card = SimpleNamespace(compute_capability=capabilities[0])
    with patch("numba.cuda.dispatcher.get_current_device", lambda: card):
        library, _ = _compile_pyfunc_with_fixup(
            compilable.kernel.py_func, compilable.types, cc=capabilities[0], device=False,
            abi="numba", **options | compilable.kernel.options,
        )  # fmt: skip
    for capability in capabilities:
        yield capability, library.get_asm_str(cc=capability)


def _prepared(ptx: str, name: str) -> str:
    """The PTX of the kernel alone, under this name, for older drivers."""
    ptx = re.sub(r"^//.*\n", "", ptx, flags=re.MULTILINE)
    ptx = re.sub(r"^\.version .*$", f".version {_PTX_VERSION}", ptx, count=1, flags=re.MULTILINE)
    # All device functions are inlined, and stand in the PTX as well.
    if not re.search(r"\bcall\b", ptx):
        ptx = re.sub(r"^\.(visible|weak) \.func.*?^\}\n", "", ptx, flags=re.MULTILINE | re.DOTALL)
    entry = re.search(r"\.entry\s+([^\s(]+)", ptx)
    assert entry, name
    return ptx.replace(entry[1], name)


def assembler() -> str:
    """The path of ptxas, which comes with the extra `cuda`."""
    found = [file for file in files("nvidia-cuda-nvcc-cu12") or [] if file.stem == "ptxas"]
    if not found:
        sys.exit("ptxas is not installed: uv sync --extra cuda")
    return str(found[0].locate())


def _assembled(ptx: str, capability: Capability) -> bytes:
    with TemporaryDirectory() as folder:
        source, result = Path(folder) / "kernel.ptx", Path(folder) / "kernel.cubin"
        source.write_text(ptx, "utf-8")
        command = [
            assembler(),
            f"-arch=sm_{capability[0]}{capability[1]}",
            "-o",
            str(result),
            str(source),
        ]
        subprocess.run(command, check=True)
        return result.read_bytes()


def _comment() -> bytes:
    """The digest of the kernels' sources, then one of the compiler's versions and of this file."""
    packages = ("numba", "numba-cuda", "llvmlite", "nvidia-cuda-nvcc-cu12")
    parts = [*map(version, packages), Path(__file__).read_text("utf-8")]
    return shipped.sources_digest() + sha256("\0".join(parts).encode()).hexdigest().encode()


def write(path: Path) -> None:
    """Compile all kernels into the file."""
    unfinished = path.with_suffix(".part")
    with (
        zipfile.ZipFile(unfinished, "w", zipfile.ZIP_LZMA) as archive,
        ThreadPoolExecutor() as pool,
    ):
        archive.comment = _comment()
        for compilable in kernels():
            kernel = compilable.kernel
            types_of_arguments = tuple(map(type_name, compilable.types))
            name = shipped.name_of(kernel.py_func, kernel.options, types_of_arguments)
            texts = {
                capability: _prepared(ptx, kernel.py_func.__name__)
                for capability, ptx in iter_ptx(compilable, shipped.PTX)
            }
            for capability, text in texts.items():
                # The driver reads PTX up to a zero.
                archive.writestr(f"{name}/{capability[0]}{capability[1]}.ptx", text + "\0")
            assemble = partial(_assembled, texts[shipped.PTX[-1]])
            codes = pool.map(assemble, shipped.MACHINE_CODES)
            for capability, code in zip(shipped.MACHINE_CODES, codes, strict=True):
                archive.writestr(f"{name}/{capability[0]}{capability[1]}.cubin", code)
    unfinished.replace(path)


def is_current(path: Path) -> bool:
    """Whether the file was made of these sources by these versions."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.comment == _comment()
    except (OSError, zipfile.BadZipFile):
        return False


def main(path: Path) -> None:
    if is_current(path):
        print(f"{path} is up to date")
        return
    began = time.perf_counter()
    write(path)
    seconds = time.perf_counter() - began
    print(f"{path}: {len(kernels())} kernels, {path.stat().st_size / 1e6:.1f} MB, {seconds:.0f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else shipped.FILE)

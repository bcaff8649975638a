"""Every kernel of `cuda` compiles to PTX, which needs no card: types, and properties of the
generated code.

test_successor.py runs this file with the successor of numba-cuda.
"""

import re

import pytest

from kernels.cuda.installed import has_compiler

if not has_compiler():
    pytest.skip("numba-cuda is not installed: uv run --extra cuda pytest", allow_module_level=True)

from kernels.cuda.shipped import PTX, name_of, shipped_kernels
from kernels.cuda.toolkit import USES_SUCCESSOR
from tests.kernels.cuda.kernel_list import CAPABILITIES, iter_ptx, kernels, kernels_of_the_operators
from tests.kernels.cuda.kernel_list import compile_kernels as ahead


@pytest.mark.parametrize("compilable", kernels(), ids=lambda c: c.name)
def test_kernel_compiles_to_ptx(compilable):
    for capability, ptx in iter_ptx(compilable, CAPABILITIES):
        assert f".target sm_{capability[0]}{capability[1]}" in ptx
        assert ".entry" in ptx
        if _is_product(compilable):
            _check_product(ptx)


@pytest.mark.skipif(
    shipped_kernels() is None,
    reason="no kernels were compiled ahead from these sources: make kernels",
)
def test_products_that_were_compiled_ahead():
    products = [compilable for compilable in ahead.kernels() if _is_product(compilable)]
    assert len(products) >= 44
    for compilable in products:
        types = tuple(map(ahead.type_name, compilable.types))
        folder = name_of(compilable.kernel.py_func, compilable.kernel.options, types)
        for major, minor in PTX:
            _check_product(shipped_kernels().read(f"{folder}/{major}{minor}.ptx").decode())


def test_no_kernel_is_left_out():
    listed = {id(compilable.kernel) for compilable in kernels()}
    assert [
        name for name, kernel in kernels_of_the_operators().items() if id(kernel) not in listed
    ] == []


@pytest.mark.skipif(
    USES_SUCCESSOR, reason="numba-cuda-mlir 0.6 cannot load four floats of shared memory at once"
)
def test_large_tiles_read_patches_by_sixteen_bytes():
    large = next(c for c in kernels() if c.name.startswith("product-nn-large"))
    [(_, ptx)] = iter_ptx(large, [(9, 0)])
    assert ptx.count("ld.shared.v4.f32") >= 4


def _is_product(compilable):
    return compilable.name.startswith(("product", "convolution"))


def _check_product(ptx):
    """Everything is inlined and float32, and the sums of a thread stay in registers."""
    assert not re.search(r"\bcall\b", ptx)
    assert ".f64" not in ptx
    assert "fma.rn.f32" in ptx
    assert not re.search(r"(ld|st)\.local", _main_loop(ptx))


def _main_loop(ptx: str) -> str:
    """From the first read of shared memory to the barrier after it."""
    begin = ptx.index("ld.shared")
    return ptx[begin : ptx.index("bar.sync", begin)]

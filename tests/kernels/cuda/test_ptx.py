"""Every kernel of `cuda` compiles to PTX, which needs no card: types, and properties of the generated code."""

import importlib.util
import re
from types import SimpleNamespace

import pytest

if importlib.util.find_spec("numba_cuda") is None:
    pytest.skip("numba-cuda is not installed: uv run --extra cuda pytest", allow_module_level=True)

from numba.cuda.cudadrv.nvrtc import get_supported_ccs

from tests.kernels.cuda.kernel_list import kernels, kernels_of_the_operators

# Pascal, Turing, Ampere, Hopper, Blackwell. CUDA 13 does not compile for the first.
CAPABILITIES = sorted({(6, 1), (7, 5), (8, 6), (9, 0), (12, 0)} & set(get_supported_ccs()))

# numba-cuda asks for the current card when it compiles a device function, whose result is the same for all.
ANY_CARD = SimpleNamespace(compute_capability=CAPABILITIES[0])


@pytest.fixture(autouse=True)
def without_a_card(monkeypatch):
    monkeypatch.setattr("numba.cuda.dispatcher.get_current_device", lambda: ANY_CARD)


@pytest.mark.parametrize("compilable", kernels(), ids=lambda c: c.name)
def test_kernel_compiles_to_ptx(compilable):
    # Type inference takes longer than code generation, so it is done once for all cards.
    from numba.cuda.compiler import _compile_pyfunc_with_fixup

    options = compilable.kernel.targetoptions
    library, _ = _compile_pyfunc_with_fixup(
        compilable.kernel.py_func, compilable.types, cc=CAPABILITIES[0], device=False, abi="numba",
        launch_bounds=options.get("launch_bounds"),
    )  # fmt: skip
    for capability in CAPABILITIES:
        ptx = library.get_asm_str(cc=capability)
        assert f".target sm_{capability[0]}{capability[1]}" in ptx
        assert ".entry" in ptx
        if compilable.name.startswith(("product", "convolution")):
            # Everything is inlined and float32, and the sums of a thread stay in registers.
            assert not re.search(r"\bcall\b", ptx)
            assert ".f64" not in ptx
            assert "fma.rn.f32" in ptx
            assert not re.search(r"(ld|st)\.local", _main_loop(ptx))


def test_no_kernel_is_left_out():
    listed = {id(compilable.kernel) for compilable in kernels()}
    assert [name for name, kernel in kernels_of_the_operators().items() if id(kernel) not in listed] == []


def test_large_tiles_read_patches_by_sixteen_bytes():
    from numba import cuda

    large = next(c for c in kernels() if c.name.startswith("product-nn-large"))
    ptx, _ = cuda.compile_ptx(large.kernel.py_func, large.types, cc=(9, 0))
    assert ptx.count("ld.shared.v4.f32") >= 4


def _main_loop(ptx: str) -> str:
    """From the first read of shared memory to the barrier after it."""
    begin = ptx.index("ld.shared")
    return ptx[begin : ptx.index("bar.sync", begin)]

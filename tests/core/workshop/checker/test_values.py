"""Values where Python, NumPy and a card differ: what PTX computes is what counts."""

import numpy as np
import pytest

from core.workshop.checker import numeric
from tests.core.workshop.checking import check

NAN, INF = float("nan"), float("inf")


def value_of(expression, a, dtype="float32", out="float64"):
    """The expression of `a`, `b` and `c`, computed by a kernel of one thread."""
    seen = {}
    text = (
        "import math\nfrom numba import cuda, float32, float64, int8, int16, int32, int64, uint8, uint32, uint64\n"
        f"@cuda.jit\ndef k(out, x):\n    a = x[0]\n    b = x[1]\n    c = x[2]\n    out[0] = {expression}\n"
    )
    from core.workshop.checker.interpreter import build_kernel, run_kernel
    from core.workshop.checker.machine import Machine

    seen = np.zeros(1, out)
    machine = Machine((1,), (1,), {})
    run_kernel(
        build_kernel(text, "k")[1], machine, {"out": seen, "x": np.array([*a, 0, 0, 0][:3], dtype)}
    )
    assert machine.faults == []
    return seen[0]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("expression", "a", "expected"),
    [
        ("max(a, b)", (NAN, 1), 1),
        ("max(a, b)", (1, NAN), 1),
        ("min(a, b)", (NAN, 1), 1),
        ("min(a, b)", (1, NAN), 1),
        ("max(a, b)", (NAN, NAN), NAN),
        ("max(a, float32(0))", (NAN,), 0),
        ("max(a, 0.0)", (NAN,), 0),
        # With a whole number, and with three numbers, Numba compares: the first stays.
        ("max(a, 0)", (NAN,), NAN),
        ("max(0, a)", (NAN,), 0),
        ("min(0, a)", (NAN,), 0),
        ("max(a, b, c)", (NAN, 1, 2), NAN),
        ("max(b, a, c)", (NAN, 1, 2), 2),
        ("max(a, b)", (-INF, INF), INF),
    ],
)
def test_of_a_number_and_nan_the_card_takes_the_number(expression, a, expected, dtype):
    assert np.array_equal(value_of(expression, a, dtype), expected, equal_nan=True)


CASTS = [
    ("int32(a)", 3e9, 2147483647), ("int32(a)", -3e9, -2147483648), ("int32(a)", INF, 2147483647),
    ("int32(a)", -2.9, -2), ("uint32(a)", -2.5, 0), ("uint32(a)", 5e9, 4294967295), ("int64(a)", 1e19, 2**63 - 1),
    ("int64(a)", -1e19, -(2**63)), ("uint64(a)", -1.0, 0), ("int16(a)", 40000.0, 32767), ("int16(a)", -40000.0, -32768),
    # To 8 bits by 16: the low ones stay.
    ("int8(a)", 300.0, 44), ("int8(a)", 1e6, -1), ("uint8(a)", 300.0, 44), ("uint8(a)", -1.0, 0),
    ("uint8(a)", 1e6, 255), ("int(a)", 1e19, 2**63 - 1), ("round(a)", 2.5, 2), ("round(a)", 1e19, 2**63 - 1),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("expression", "a", "expected"), CASTS)
def test_a_number_that_does_not_fit_becomes_the_nearest_that_does(expression, a, expected, dtype):
    assert int(value_of(expression, (a,), dtype, "int64")) == expected
    kind = expression.partition("(")[0]
    if kind.startswith(("int3", "int1", "int8", "uint8")):
        assert (
            int(value_of("a", (a,), dtype, kind)) == expected
        )  # an array's element is converted alike


@pytest.mark.parametrize(
    ("dtype", "kind", "expected"),
    [
        ("float32", "int32", 0), ("float32", "uint32", 0), ("float32", "int16", 0), ("float64", "int32", -(2**31)),
        ("float64", "uint32", 2**31), ("float32", "int64", -(2**63)), ("float64", "uint64", 2**63),
    ],
)  # fmt: skip
def test_nan_as_a_whole_number(dtype, kind, expected):
    assert int(numeric.cast(np.array([NAN], dtype), np.dtype(kind))[0]) == expected


def test_whole_numbers_are_cut_off_and_scalars_stay_scalars():
    assert numeric.cast(np.int64(300), np.dtype(np.uint8)) == 44
    found = numeric.cast(np.float32(-7.5), np.dtype(np.int32))
    assert (found, type(found)) == (-7, np.int32)
    assert type(numeric.call_math("sqrt", np.float32(4.0))) is np.float32


@pytest.mark.parametrize(
    ("expression", "a", "expected"),
    [
        ("math.gamma(a)", 0.0, INF), ("math.gamma(a)", 200.0, INF), ("math.gamma(a)", -1.0, NAN),
        ("math.lgamma(a)", 0.0, INF), ("math.gamma(a)", 5.0, 24.0),
    ],
)  # fmt: skip
def test_poles_of_gamma(expression, a, expected):
    assert np.array_equal(value_of(expression, (a,), "float64"), expected, equal_nan=True)


def test_fma_rounds_once():
    a = np.float32(1 + 2**-12)
    rest = value_of("cuda.fma(a, a, b)", (a, -np.float32(a * a)), out="float32")
    assert rest == np.float32(2**-24)


@pytest.mark.parametrize(
    ("dtype", "kind"), [("float32", "int8"), ("float64", "uint32"), ("float64", "int64")]
)
def test_ptx_converts_as_the_interpreter_says(dtype, kind):
    """8 bits are made from 16, and all conversions cut towards 0."""
    pytest.importorskip("numba_cuda")
    vars(np).setdefault("row_stack", np.vstack)
    import numba
    from numba import cuda

    def k(out, a):
        out[0] = a[0]

    types = getattr(numba, kind)[:], getattr(numba, dtype)[:]
    ptx, _ = cuda.compile_ptx(k, types, cc=(8, 0))
    wide = {"int8": "s16", "uint32": "u32", "int64": "s64"}[kind]
    assert f"cvt.rzi.{wide}.f{dtype[-2:]}" in ptx
    assert ("max.f32" in maximum_ptx(cuda, numba)) is True


def maximum_ptx(cuda, numba):
    def k(out, a, b):
        out[0] = max(a[0], b[0])

    return cuda.compile_ptx(k, (numba.float32[:],) * 3, cc=(8, 0))[0]


TYPED = [
    ("math.pow(a, a)", "uint8"), ("math.pow(a, a)", "bool"), ("math.pow(a, a)", "int32"), ("math.pow(a, a)", "int64"),
    ("math.fmod(a, a)", "int16"), ("math.copysign(a, a)", "int8"), ("math.hypot(a, a)", "uint8"), ("abs(a)", "bool"),
    ("math.pow(float32(2), a)", "int32"), ("math.pow(float32(2), a)", "int64"), ("max(a, a)", "int8"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "dtype"), TYPED)
def test_functions_have_the_types_of_numba_cuda(expression, dtype):
    pytest.importorskip("numba_cuda")
    vars(np).setdefault("row_stack", np.vstack)
    import math

    import numba
    from numba.cuda.compiler import compile_cuda

    space = {"math": math, "float32": numba.float32}
    exec(f"def f(a):\n    return {expression}", space)
    kind = getattr(numba, dtype.replace("bool", "boolean"))
    expected = str(compile_cuda(space["f"], None, (kind,), cc=(8, 0)).signature.return_type)
    assert type_of(expression, dtype) == expected


def type_of(expression, dtype):
    from core.workshop.checker.interpreter import build_kernel, run_kernel
    from core.workshop.checker.machine import Machine

    text = f"import math\nfrom numba import cuda, float32\n@cuda.jit\ndef k(out, a):\n    out[0] = {expression}\n"
    machine, seen = Machine((1,), (1,), {}), []
    machine.write = lambda memory, indices, value, *rest: seen.append(str(value.dtype))
    run_kernel(
        build_kernel(text, "k")[1], machine, {"out": np.zeros(1), "a": np.dtype(dtype).type(1)}
    )
    assert machine.faults == []
    return seen[0]


@pytest.mark.parametrize(
    "expression", ["max(a > 0, b)", "min(a, b > 0)", "float(a > 0)", "max(a, b, a > 0)"]
)
def test_numba_has_no_such_function_of_a_truth_value(expression):
    text = f"from numba import cuda\n@cuda.jit\ndef k(out, a, b):\n    out[0] = {expression}\n"
    verdict = check(
        text,
        "out: float64[1], a: float32 = 1, b: float32 = 2",
        "1",
        "1",
        types=False,
        isolated=False,
    )
    assert [(fault.kind, fault.line) for fault in verdict.faults] == [("type", 4)]
    assert "of a truth value" in verdict.faults[0].text


def test_types_are_found_in_the_module_of_types():
    text = "from numba import cuda, types\n@cuda.jit\ndef k(out):\n    s = cuda.local.array(2, types.float32)\n"
    text += "    s[0] = types.int32(3.5)\n    out[0] = s[0]\n"
    verdict = check(
        text, "out: float64[1]", "1", "1", expect="out = 3", types=False, isolated=False
    )
    assert verdict.passed, verdict

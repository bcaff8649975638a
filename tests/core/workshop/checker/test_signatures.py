"""What stands in `@cuda.jit(...)` is read, compared with the launch or named, and never evaluated."""

import pytest

from tests.core.workshop.checking import check

FILE = """
from numba import cuda, float32, float64, int32, int64, void
import numba as nb
@cuda.jit{options}
def k(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i, 0] = a[i]
"""


def verdict_of(options, text=FILE, **others):
    args = "out: float32[n, 2] = 0, a: float32[n], n"
    return check(
        text.format(options=options), args, "1", "8", "n=5", types=False, isolated=False, **others
    )


@pytest.mark.parametrize(
    "options",
    [
        "",
        "()",
        '("void(float32[:, :], float32[:], int64)")',
        '("(float32[:, :], float32[:], int64)")',
        '("void(float32[:, ::1], float32[::1], int32)")',
        "(void(float32[:, :], float32[:], int64))",
        "((float32[:, :], float32[:], int64))",
        "(nb.void(nb.f4[:, :], nb.float32[:], nb.i8))",
        '(["void(float64[:, :], float64[:], int64)", "void(float32[:, :], float32[:], int64)"])',
        '("void(f4[:,:], f4[:], float64)")',  # Numba converts a number
    ],
)
def test_a_signature_that_fits_is_taken(options):
    verdict = verdict_of(options, expect="out = np.stack([a, 0 * a], axis=1)")
    assert verdict.passed, verdict
    assert verdict.remarks == ()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            '("void(float64[:, :], float64[:], int64)")',
            "is given out: float32[:, :], a: float32[:], n: int64",
        ),
        ('("void(float32[:], float32[:], int64)")', "No matching definition"),
        ('("void(float32[:, :], float32[:])")', "“void(float32[:, :], float32[:])” only"),
        ('("void(float32[:, :], float32, int64)")', "No matching definition"),
        ('("void(float32[::1, :], float32[:], int64)")', "void(float32[::1, :]"),
        ("(void(float64[:, :], float32[:], int64))", "No matching definition"),
        ('(["void(float64[:, :], float64[:], int64)"])', "No matching definition"),
        ('("float32(float32[:, :], float32[:], int64)")', "A kernel returns nothing"),
        ("(open('written', 'w'))", "has a type that is not covered"),
        ("(print)", "an argument that is no signature"),
        ("(7)", "an argument that is no signature"),
        ('("void(float32[:")', "a signature that is no Python"),
        ('("void(complex64[:, :], float32[:], int64)")', "a type that is not covered"),
        ('("void(float32[3], float32[:], int64)")', "no “:” for each dimension"),
        ("(void, int64)", "2 arguments without a name"),
        ("(argtypes=[float32[:]])", "Numba refuses “argtypes”"),
        ("(boundscheck=True)", "Numba refuses “boundscheck”"),
    ],
)
def test_one_that_does_not_fit_is_a_fault_at_the_decorator(options, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    verdict = verdict_of(options)
    assert not verdict.passed
    assert verdict.faults[0].line == 4
    assert words in verdict.faults[0].text
    assert verdict.faults[0].kind == ("unsupported" if "not covered" in words else "type")
    assert list(tmp_path.iterdir()) == []


def test_a_number_has_the_type_of_the_signature():
    text = FILE.replace("out[i, 0] = a[i]", "out[i, 0] = n / 2 + (n << 1)")
    verdict = verdict_of('("void(float32[:, :], float32[:], float64)")', text)
    assert "bits of a floating-point number" in verdict.faults[0].text


def test_device_functions_convert_to_their_signature():
    text = """
from numba import cuda
@cuda.jit("int32(int32)", device=True)
def whole(x):
    return x * 1.5
@cuda.jit
def k(out):
    out[0] = whole(3.9)
"""
    # float64 is no int32 for Numba's typing of a launch, and none here.
    assert (
        check(text, "out: float64[1]", "1", "1", types=False, isolated=False).faults[0].kind
        == "type"
    )
    verdict = check(text.replace("3.9", "3"), "out: float64[1]", "1", "1", types=False, isolated=False,
                    expect="out = 4")  # fmt: skip
    assert verdict.passed, verdict


@pytest.mark.parametrize(
    "option", ["fastmath=True", "max_registers=32", "lineinfo=open('x')", "debug=True"]
)
def test_other_options_are_named(option):
    verdict = verdict_of(f"({option})")
    assert verdict.passed
    name = option.partition("=")[0]
    assert verdict.remarks[0] == f"The check does not consider “{name}” of @cuda.jit (line 4)."
    assert verdict.remarks[0] in str(verdict)
    assert verdict.as_dict()["remarks"] == verdict.remarks


def test_a_device_that_is_no_constant_is_no_kernel():
    verdict = verdict_of("(device=open('x'))")
    assert [fault.kind for fault in verdict.faults] == ["unsupported"]


def test_statements_that_python_would_run_are_named():
    text = 'import os\n"""text"""\nSIZE = 2 * 8\nos.system("true")\nprint(3)\n' + FILE.format(
        options=""
    )
    remark = "The file has other statements, line 4, 5: the check does not run them."
    assert verdict_of("", text).remarks == (remark,)
    for line in (
        "X = os.getpid()",
        "for i in range(3):\n    pass",
        "class A:\n    x = 1",
        "def f(x=open('y')):\n    pass",
    ):
        assert (
            "other statements, line 1:"
            in verdict_of("", f"{line}\n" + FILE.format(options="")).remarks[0]
        )
    for line in ("X = [1, 2]", "import os", "X = float", "def f(x=3):\n    return x"):
        assert verdict_of("", f"{line}\n" + FILE.format(options="")).remarks == ()


@pytest.mark.parametrize("space", ["shared", "local"])
def test_all_arrays_of_a_kernel_must_fit_together(space):
    sizes = {"shared": 10_000, "local": 100_000}[space]
    text = f"""
from numba import cuda, float32
@cuda.jit(device=True)
def more(t):
    r = cuda.{space}.array({sizes}, float32)
    r[t] = t
    return r[t]
@cuda.jit
def k(out):
    t = cuda.threadIdx.x
    p = cuda.{space}.array({sizes // 10}, float32)
    p[t] = t
    out[t] = p[t] + more(t)
"""
    arguments = ("out: float32[8]", "1", "8")
    assert check(text, *arguments, types=False, isolated=False).passed
    many = text.replace(f"({sizes // 10},", f"({sizes},")
    verdict = check(many, *arguments, types=False, isolated=False)
    assert [(fault.kind, fault.line) for fault in verdict.faults] == [("unsupported", 5)]
    assert f"with the arrays before it {8 * sizes:,}" in verdict.faults[0].text

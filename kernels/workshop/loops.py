"""Compiles a checked kernel to a loop over all blocks and threads, for the processor.

That is possible where no thread waits for another one: without barriers, shared memory and shuffles. The threads run
one after the other, so an atomic operation is an ordinary one.
"""

import ast
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from kernels.workshop.compilation import define
from kernels.workshop.dialect import AXES, DialectError, Program, Typed

_PLACES = {
    f"cuda.{name}.{axis}": f"digitlab_{name}_{axis}"
    for name in ("threadIdx", "blockIdx", "blockDim", "gridDim")
    for axis in AXES
}
_PLAIN: dict[str, Callable[..., ast.expr]] = {
    "cuda.selp": lambda c, a, b: ast.IfExp(c, a, b),
    "cuda.popc": lambda value: value,
    "cuda.fma": lambda a, b, c: ast.BinOp(ast.BinOp(a, ast.Mult(), b), ast.Add(), c),
    "cuda.syncthreads": lambda: ast.Constant(0),
    "cuda.syncwarp": lambda: ast.Constant(0),
    **{f"cuda.syncthreads_{name}": lambda value: value for name in ("and", "count", "or")},
    **{f"cuda.shfl_{name}sync": lambda mask, value, lane: value for name in ("", "up_", "down_", "xor_")},
}
"""Python with the type that a function of CUDA has, not with its value."""
_CHANGES: dict[str, ast.operator] = {
    "add": ast.Add(), "sub": ast.Sub(), "and_": ast.BitAnd(), "or_": ast.BitOr(), "xor": ast.BitXor(),
}  # fmt: skip


def compile_loop(program: Program, kernel: str) -> Callable[..., None]:
    """A function (grid, block, *arguments) that does what a launch of the kernel does.

    Raises DialectError, with the line, where threads wait for each other. An index out of bounds is an IndexError.
    """
    from numba import njit

    threads = without_cuda(program, kernel, is_loop=True)
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": True}
    # `define` compiles device functions by this module's `jit`.
    run_thread = njit(**options)(define(threads, kernel, SimpleNamespace(jit=lambda device: njit(**options))))

    @njit(**options)
    def run(grid: tuple[int, int, int], block: tuple[int, int, int], arguments: Any) -> None:
        for bz in range(grid[2]):
            for by in range(grid[1]):
                for bx in range(grid[0]):
                    for tz in range(block[2]):
                        for ty in range(block[1]):
                            for tx in range(block[0]):
                                run_thread(*arguments, tx, ty, tz, bx, by, bz, *block, *grid)

    def launch(grid: tuple[int, ...], block: tuple[int, ...], *arguments: Any) -> None:
        run((*grid, 1, 1)[:3], (*block, 1, 1)[:3], arguments)

    return launch


def without_cuda(program: Program, kernel: str, *, is_loop: bool) -> Program:
    """The program in plain Python. `is_loop`: the kernel has its place as further parameters, and what waits for other
    threads is a DialectError; otherwise the types are right, and the values are not."""
    functions = deepcopy(program.functions)
    for name, node in functions.items():
        if is_loop and name == kernel:
            node.args.args += [ast.arg(place) for place in _PLACES.values()]
        rewriter = _Rewriter(program, is_loop, name == kernel)
        node.body = [rewriter.visit(statement) for statement in node.body]
        ast.fix_missing_locations(node)
    names = program.names | {"digitlab_empty": "numpy.empty"}
    places = {} if is_loop else dict.fromkeys([*_PLACES.values(), "digitlab_laneid"], Typed("int32", 1))
    return replace(program, functions=functions, names=names, constants=program.constants | places)


class _Rewriter(ast.NodeTransformer):
    """Writes a thread's place as variables, and what waits for no thread as plain Python."""

    def __init__(self, program: Program, is_loop: bool, is_kernel: bool) -> None:
        self._program, self._is_loop, self._is_kernel = program, is_loop, is_kernel

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        name = self._program.canonical(node)
        if name == "cuda.warpsize":
            return ast.copy_location(ast.Constant(32), node)
        if name in _PLACES or (name == "cuda.laneid" and not self._is_loop):
            return self._place(node, name)
        if name.startswith("cuda."):
            raise self._refusal(node, name)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        name = self._program.canonical(node.value.func) if isinstance(node.value, ast.Call) else ""
        if not name.startswith("cuda.atomic."):
            return self.generic_visit(node)
        assert isinstance(node.value, ast.Call)
        array, index, value = (self.visit(each) for each in node.value.args)
        kind = name.removeprefix("cuda.atomic.")
        element = ast.Subscript(array, index, ast.Store())
        if kind in _CHANGES:
            return ast.copy_location(ast.AugAssign(element, _CHANGES[kind], value), node)
        if kind not in ("max", "min"):
            if self._is_loop:
                raise self._refusal(node, name)
            return ast.copy_location(ast.Assign([element], value), node)
        before = ast.Subscript(deepcopy(array), deepcopy(index), ast.Load())
        call = ast.Call(ast.Name(kind, ast.Load()), [before, value], [])
        return ast.copy_location(ast.Assign([element], call), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = self._program.canonical(node.func)
        count = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else 0
        if name in ("cuda.grid", "cuda.gridsize") and count in (1, 2, 3):
            axes = [self._along(node, name, axis) for axis in AXES[:count]]  # type: ignore[index]
            return axes[0] if count == 1 else ast.copy_location(ast.Tuple(axes, ast.Load()), node)
        if name in _PLAIN and not self._is_loop:
            return ast.copy_location(_PLAIN[name](*map(self.visit, node.args)), node)
        if name == "cuda.local.array" or (name == "cuda.shared.array" and not self._is_loop):
            node.func = ast.copy_location(ast.Name("digitlab_empty", ast.Load()), node.func)
        return self.generic_visit(node)

    def _along(self, node: ast.AST, name: str, axis: str) -> ast.expr:
        """cuda.grid or cuda.gridsize along an axis."""
        size = self._place(node, f"cuda.blockDim.{axis}")
        blocks = self._place(node, f"cuda.{'blockIdx' if name == 'cuda.grid' else 'gridDim'}.{axis}")
        found: ast.expr = ast.BinOp(blocks, ast.Mult(), size)
        if name == "cuda.grid":
            found = ast.BinOp(found, ast.Add(), self._place(node, f"cuda.threadIdx.{axis}"))
        return ast.copy_location(found, node)

    def _place(self, node: ast.AST, name: str) -> ast.Name:
        if self._is_loop and not self._is_kernel:
            raise self._refusal(node, name)
        return ast.copy_location(ast.Name(_PLACES.get(name, "digitlab_laneid"), ast.Load()), node)

    def _refusal(self, node: ast.AST, name: str) -> DialectError:
        return DialectError(
            getattr(node, "lineno", 0),
            f"{name} cannot be compiled for the processor: it is interpreted there.",
        )

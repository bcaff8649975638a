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
from kernels.workshop.dialect import AXES, DialectError, Program

_PLACES = {
    f"cuda.{name}.{axis}": f"digitlab_{name}_{axis}"
    for name in ("threadIdx", "blockIdx", "blockDim", "gridDim")
    for axis in AXES
}
_CHANGES: dict[str, ast.operator] = {
    "add": ast.Add(), "sub": ast.Sub(), "and_": ast.BitAnd(), "or_": ast.BitOr(), "xor": ast.BitXor(),
}  # fmt: skip


def compile_loop(program: Program, kernel: str) -> Callable[..., None]:
    """A function (grid, block, *arguments) that does what a launch of the kernel does.

    Raises DialectError, with the line, where threads wait for each other. An index out of bounds is an IndexError.
    """
    from numba import njit

    functions: dict[str, ast.FunctionDef] = {}
    for name, node in program.functions.items():
        if name in program.kernels and name != kernel:
            continue
        own = deepcopy(node)
        if name == kernel:
            own.args.args += [ast.arg(place) for place in _PLACES.values()]
        rewriter = _Rewriter(program, name == kernel)
        own.body = [rewriter.visit(statement) for statement in own.body]
        functions[name] = ast.fix_missing_locations(own)
    names = program.names | {"digitlab_empty": "numpy.empty"}
    threads = replace(program, functions=functions, names=names, kernels=[kernel])
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


class _Rewriter(ast.NodeTransformer):
    """Writes a thread's place as parameters, and what waits for no thread as plain Python."""

    def __init__(self, program: Program, is_kernel: bool) -> None:
        self._program, self._is_kernel = program, is_kernel

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        name = self._program.canonical(node)
        if name == "cuda.warpsize":
            return ast.copy_location(ast.Constant(32), node)
        if name in _PLACES:
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
            raise self._refusal(node, name)
        before = ast.Subscript(deepcopy(array), deepcopy(index), ast.Load())
        call = ast.Call(ast.Name(kind, ast.Load()), [before, value], [])
        return ast.copy_location(ast.Assign([element], call), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = self._program.canonical(node.func)
        count = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else 0
        if name in ("cuda.grid", "cuda.gridsize") and count in (1, 2, 3):
            axes = [self._along(node, name, axis) for axis in AXES[:count]]  # type: ignore[index]
            return axes[0] if count == 1 else ast.copy_location(ast.Tuple(axes, ast.Load()), node)
        if name == "cuda.local.array":
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
        if not self._is_kernel:
            raise self._refusal(node, name)
        return ast.copy_location(ast.Name(_PLACES[name], ast.Load()), node)

    def _refusal(self, node: ast.AST, name: str) -> DialectError:
        return DialectError(
            getattr(node, "lineno", 0),
            f"{name} cannot be compiled for the processor: it is interpreted there.",
        )

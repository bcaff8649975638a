"""An operator of the program in four forms: formula, reference loop, first kernel to read, the
program's kernel.

The sources are read as files, so that those for a card are shown where no card and no numba-cuda
is.
"""

import ast
import re
from functools import cache

from core.program import FOLDER
from core.workshop.checker.dialect import functions_of, nodes_of

LADDER = {
    "dense": ["feed_forward"],
    "dense_input_gradient": ["product_nt", "grad_z"],
    "dense_weight_gradient": ["product_tn"],
    "bias_gradient": ["sum_rows"],
    "sgd": ["descend", "descend_row"],
    "subtract": ["subtract"],
    "squared_error_classes": ["grad_z"],
    "squared_error": ["grad_z"],
}
"""The kernels of core/bench/cuda/ladder_kernels.py that compute an operator as the thesis first
did.
"""
_BEHIND = {
    "self._products": ("kernels/cuda/operators/product.py", "product_kernel"),
    "self._launch_column_sums": ("kernels/cuda/operators/reduce.py", "column_sums_of"),
}
"""Where the kernel is that a method of the program launches."""
_REMARK = re.compile(r"  # (noqa|fmt:|type:).*$")  # for tools that check the source


def operator_forms(name: str) -> dict[str, str]:
    """Texts by "formula", "reference", "ladder" and "kernel"; one that there is not is left out.

    >>> operator_forms("dense_weight_gradient")["formula"].splitlines()[0]
    'out (i, o) = xᵀ (i, n) · grad_z (n, o).'
    """
    forms = {"formula": _formula(name)}
    for form, folder in (("reference", "kernels/sequential"), ("kernel", "kernels/cuda/operators")):
        sources = (_source(file, name) for file in _files(folder))
        forms[form] = next(filter(None, sources), "")
    for launch, (file, behind) in _BEHIND.items():
        if launch in forms["kernel"]:
            forms["kernel"] += "\n\n" + _source(file, behind)
    parts = [_source("core/bench/cuda/ladder_kernels.py", each) for each in LADDER.get(name, ())]
    forms["ladder"] = "\n\n".join(parts)
    return {
        form: forms[form] for form in ("formula", "reference", "ladder", "kernel") if forms[form]
    }


@cache
def _files(folder: str) -> list[str]:
    return [f"{folder}/{path.name}" for path in sorted((FOLDER / folder).glob("*.py"))]


@cache
def _read(file: str) -> tuple[str, ast.Module]:
    source = (FOLDER / file).read_text("utf-8")
    return source, ast.parse(source)


def _formula(name: str) -> str:
    """What the contract of devices says, and the derivation of the reference."""
    texts = []
    for file in ("kernels/device.py", *_files("kernels/sequential")):
        functions = nodes_of(ast.FunctionDef, _read(file)[1])
        texts += [ast.get_docstring(node) or "" for node in functions if node.name == name]
    # Contract and reference may say the same: it is shown once.
    return "\n\n".join(dict.fromkeys(filter(None, texts)))


def _source(file: str, name: str) -> str:
    """The method or function `name` of a file, or the kernel `_name` behind it, with what it uses
    of the file.
    """
    source, tree = _read(file)
    functions = functions_of(tree)
    found = _method(tree, name) or functions.get(f"_{name}", functions.get(name))
    if found is None:
        return ""
    wanted = {found.name: found}
    waiting: list[ast.AST] = [found]
    while waiting:
        for name in {used.id for used in nodes_of(ast.Name, waiting.pop())}:
            if name in functions and name not in wanted:
                wanted[name] = functions[name]
                waiting.append(functions[name])
    lines = source.splitlines()
    parts = []
    for node in sorted(wanted.values(), key=lambda each: each.lineno):
        # A decorator stands before the line of its function.
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1
        parts.append(
            "\n".join(
                _REMARK.sub("", line[node.col_offset :]) for line in lines[first : node.end_lineno]
            )
        )
    return "\n\n".join(parts)


def _method(tree: ast.Module, name: str) -> ast.FunctionDef | None:
    """The first method with this name in a class of the file."""
    for part in nodes_of(ast.ClassDef, tree):
        for node in part.body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return node
    return None

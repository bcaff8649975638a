"""Counts what makes code dense: python -m tools.style_counts [--places KIND] [PATH ...].

Prints, for each kind of dense code, how often it is found, and the ceiling of `style_counts.toml`. A test fails when a
count is above its ceiling; whoever lowers a count lowers the ceiling with `--write`. `--places` prints the file and
line of each place of one kind. Without paths the files of the program are read: main.py, core, gui and kernels.
"""

import argparse
import ast
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CEILINGS = Path(__file__).with_suffix(".toml")
PROGRAM = ("main.py", "core", "gui", "kernels")

MAX_FUNCTION_LINES = 60
MAX_PARAMETERS = 8
MAX_FILE_LINES = 500
MAX_METHODS = 26
MANY_METHODS = 15
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_TRUTH_VALUES = (ast.Compare, ast.BoolOp)


@dataclass(frozen=True, slots=True)
class Place:
    """Where one kind of dense code is."""

    kind: str
    file: str
    line: int


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.style_counts", description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", default=PROGRAM, metavar="PATH")
    parser.add_argument("--places", metavar="KIND", help="print each place of this kind, or of 'all'")
    parser.add_argument("--write", action="store_true", help="make these counts the ceilings")
    options = parser.parse_args()
    if options.places:
        for place in iter_places(options.paths):
            if options.places in (place.kind, "all"):
                print(f"{place.file}:{place.line} {place.kind}")
        return
    found = counts(options.paths)
    if options.write:
        lines = [f"{_key(kind)} = {number}" for kind, number in found.items()]
        CEILINGS.write_text("\n".join(lines) + "\n", "utf-8")
    limits = ceilings()
    for kind, number in found.items():
        print(f"{number:8,}  {limits.get(kind, 0):8,}  {kind}")


def ceilings() -> dict[str, int]:
    """The largest count that is allowed of each kind."""
    return tomllib.loads(CEILINGS.read_text("utf-8")) if CEILINGS.exists() else {}


def counts(paths: tuple[str, ...] | list[str] = PROGRAM) -> dict[str, int]:
    """How often each kind is found in the Python files below `paths`, and how many syntax nodes they have."""
    found = Counter(place.kind for place in iter_places(paths))
    ordered = {kind: found[kind] for kind in KINDS}
    ordered["syntax nodes"] = sum(1 for path in _files(paths) for _ in ast.walk(_parse(path)))
    return ordered


def iter_places(paths: tuple[str, ...] | list[str] = PROGRAM) -> Iterator[Place]:
    """Every place of dense code below `paths`, file by file."""
    for path in _files(paths):
        name = path.relative_to(ROOT).as_posix()
        for line, text in enumerate(path.read_text("utf-8").splitlines(), 1):
            if "# fmt: skip" in text:
                yield Place("fmt: skip", name, line)
        if len(path.read_text("utf-8").splitlines()) > MAX_FILE_LINES:
            yield Place("files over 500 lines", name, MAX_FILE_LINES)
        for node in ast.walk(_parse(path)):
            for kind in _kinds_of(node):
                yield Place(kind, name, getattr(node, "lineno", 1))


def _kinds_of(node: ast.AST) -> Iterator[str]:
    for kind, is_kind in KINDS.items():
        if is_kind(node):
            yield kind


def _is_parallel_assignment(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Tuple)
        and isinstance(node.value, ast.Tuple)
    )


def _is_parallel_assignment_with_calls(node: ast.AST) -> bool:
    return _is_parallel_assignment(node) and any(isinstance(part, ast.Call) for part in ast.walk(node))


def _is_nested_conditional(node: ast.AST) -> bool:
    if not isinstance(node, ast.IfExp):
        return False
    return any(isinstance(part, ast.IfExp) for part in ast.walk(node) if part is not node)


def _is_arithmetic_with_truth(node: ast.AST) -> bool:
    if not isinstance(node, ast.BinOp):
        return False
    # `&` and `|` of comparisons are how NumPy combines masks.
    if isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        return False
    return any(_is_truth_value(side) for side in (node.left, node.right))


def _is_index_with_truth(node: ast.AST) -> bool:
    """A pair or table is indexed with a truth value; masks of arrays are compared with numbers and stay."""
    if not isinstance(node, ast.Subscript):
        return False
    return isinstance(node.slice, ast.BoolOp) or _is_negation(node.slice)


def _is_truth_value(node: ast.AST) -> bool:
    return isinstance(node, _TRUTH_VALUES) or _is_negation(node)


def _is_negation(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _is_mixed_comparison(node: ast.AST) -> bool:
    """`a == b != c`; `a <= b < c` is a range, `a == b == c` one question."""
    if not isinstance(node, ast.Compare) or len(node.ops) < 2:
        return False
    kinds = {type(op) for op in node.ops}
    return len(kinds) > 1 and not kinds <= {ast.Lt, ast.LtE} and not kinds <= {ast.Gt, ast.GtE}


def _is_heavy_comprehension(node: ast.AST) -> bool:
    if not isinstance(node, _COMPREHENSIONS) or len(node.generators) < 2:
        return False
    return any(generator.ifs for generator in node.generators)


def _is_lambda(node: ast.AST) -> bool:
    return isinstance(node, ast.Lambda)


def _is_named_lambda(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)


def _calls(name: str) -> Callable[[ast.AST], bool]:
    def is_call(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name

    return is_call


def _is_any(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "Any"


def _is_walrus(node: ast.AST) -> bool:
    return isinstance(node, ast.NamedExpr)


def _is_long_function(node: ast.AST) -> bool:
    if not isinstance(node, _FUNCTIONS):
        return False
    last_line = node.end_lineno or node.lineno
    return last_line - node.lineno + 1 > MAX_FUNCTION_LINES


def _has_many_parameters(node: ast.AST) -> bool:
    if not isinstance(node, _FUNCTIONS):
        return False
    return len(node.args.posonlyargs + node.args.args + node.args.kwonlyargs) > MAX_PARAMETERS


def _methods(node: ast.AST) -> int:
    if not isinstance(node, ast.ClassDef):
        return 0
    return sum(isinstance(part, _FUNCTIONS) for part in node.body)


def _has_many_methods(node: ast.AST) -> bool:
    return _methods(node) > MANY_METHODS


def _has_too_many_methods(node: ast.AST) -> bool:
    return _methods(node) > MAX_METHODS


def _never(node: ast.AST) -> bool:
    """Found by lines, not by nodes."""
    return False


def _files(paths: tuple[str, ...] | list[str]) -> Iterator[Path]:
    for name in paths:
        path = ROOT / name
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _key(kind: str) -> str:
    return '"' + kind + '"'


KINDS = {
    "parallel assignments": _is_parallel_assignment,
    "parallel assignments with calls": _is_parallel_assignment_with_calls,
    "nested conditional expressions": _is_nested_conditional,
    "arithmetic with truth values": _is_arithmetic_with_truth,
    "indexing with truth values": _is_index_with_truth,
    "mixed comparisons": _is_mixed_comparison,
    "comprehensions with two loops and a condition": _is_heavy_comprehension,
    "lambdas": _is_lambda,
    "lambdas with a name": _is_named_lambda,
    "isinstance": _calls("isinstance"),
    "getattr": _calls("getattr"),
    "Any": _is_any,
    "assignments in expressions": _is_walrus,
    "fmt: skip": _never,
    "functions over 60 lines": _is_long_function,
    "functions with more than eight parameters": _has_many_parameters,
    "files over 500 lines": _never,
    "classes over 15 methods": _has_many_methods,
    "classes over 26 methods": _has_too_many_methods,
}


if __name__ == "__main__":
    main()

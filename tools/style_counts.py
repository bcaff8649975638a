"""Counts the shape of the code: python -m tools.style_counts [--places KIND] [--write].

Prints of each kind its count, the aim of `style_counts.toml`, and what is missing to the aim. A
test fails when a count is worse than the recorded limit; `--write` records limits that are closer,
with a slack of a fiftieth. `--places` prints the places of one kind. The program is main.py, core,
gui and kernels; each import counts, wherever it stands.
"""

import argparse
import ast
import io
import tokenize
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
AIMS = Path(__file__).with_suffix(".toml")
PROGRAM = ("core", "gui", "kernels")
AT_LEAST = "comment lines a thousand code lines"
"""The one kind of which more is better."""

_LAYOUT = {
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.COMMENT,
    tokenize.ENDMARKER,
}
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Module:
    """One file of the program."""

    path: Path
    text: str

    @property
    def file(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def name(self) -> str:
        return self.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(ast.parse(self.text)))

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def imported(self, names: Iterable[str]) -> set[str]:
        """Which of the modules with these `names` it imports."""
        found = set()
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    found.add(inner if inner in names else node.module)
        return found.intersection(names) - {self.name}

    def code_lines(self) -> int:
        """How many lines are neither empty nor a comment nor in a docstring."""
        lines: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            if token.type not in _LAYOUT:
                lines.update(range(token.start[0], token.end[0] + 1))
        for node in self.nodes:
            if isinstance(node, _DOCUMENTED) and ast.get_docstring(node) is not None:
                docstring = node.body[0]
                lines.difference_update(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
        return len(lines)


def _tests_type(node: ast.AST) -> bool:
    if isinstance(node, ast.MatchClass):
        return not ast.unparse(node.cls).startswith("ast.")
    return _calls(node, "isinstance", "of_kind") and "ast." not in ast.unparse(node)


def _calls(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _parameters(node: ast.AST) -> int:
    return len(node.args.args + node.args.kwonlyargs) if isinstance(node, ast.FunctionDef) else 0


def _methods(node: ast.AST) -> int:
    return (
        sum(isinstance(each, ast.FunctionDef) for each in node.body)
        if isinstance(node, ast.ClassDef)
        else 0
    )


def _is_parallel_assignment(node: ast.AST) -> bool:
    if not isinstance(node, ast.Assign):
        return False
    return isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple)


def _is_long(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= 60


BY_NODE: dict[str, Callable[[ast.AST], bool]] = {
    "type tests": _tests_type,
    "constructors with 5 parameters or more": lambda node: (
        _parameters(node) > 5 and getattr(node, "name", "") == "__init__"
    ),
    "functions with more than eight parameters": lambda node: _parameters(node) > 8,
    "functions over 60 lines": _is_long,
    "classes over 15 methods": lambda node: _methods(node) > 15,
    "parallel assignments": _is_parallel_assignment,
    "assignments in expressions": lambda node: isinstance(node, ast.NamedExpr),
    "lambdas": lambda node: isinstance(node, ast.Lambda),
    "getattr": lambda node: _calls(node, "getattr"),
    "Any": lambda node: isinstance(node, ast.Name) and node.id == "Any",
}


def places(modules: list[Module]) -> dict[str, list[str]]:
    """The places of each kind that has places."""
    found = {
        kind: [
            f"{each.file}:{getattr(n, 'lineno', 1)}"
            for each in modules
            for n in each.nodes
            if is_kind(n)
        ]
        for kind, is_kind in BY_NODE.items()
    }
    names = {each.name for each in modules}
    graph = {each.name: each.imported(names) for each in modules}
    users = Counter(name for imported in graph.values() for name in imported)
    circles = _circles(graph)
    found["circles of files"] = [" ".join(circle) for circle in circles]
    found["files in circles"] = [name for circle in circles for name in circle]
    found["files of one user under 80 lines"] = [
        each.file for each in modules if users[each.name] == 1 and len(each.lines) < 80
    ]
    found["files over 700 lines"] = [each.file for each in modules if len(each.lines) > 700]
    found["fmt: skip"] = [
        each.file for each in modules for line in each.lines if "# fmt: skip" in line
    ]
    found["files"] = [each.file for each in modules]
    found["files of tools"] = [path.name for path in (ROOT / "tools").rglob("*.py")]
    return found


def counts() -> dict[str, float]:
    """How much there is of each kind."""
    modules = read_modules()
    nodes = sum(len(each.nodes) for each in modules)
    code = sum(each.code_lines() for each in modules)
    comments = sum(line.lstrip().startswith("#") for each in modules for line in each.lines)
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    tests = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")]
    return {
        "syntax nodes": nodes,
        "syntax nodes a code line": round(nodes / code, 2),
        AT_LEAST: round(1000 * comments / code, 1),
        "words of documents": sum(len(path.read_text("utf-8").split()) for path in documents),
        "patches in tests": sum(text.count("monkeypatch.setattr") for text in tests),
        **{kind: len(found) for kind, found in places(modules).items()},
    }


def missing(kind: str, count: float, limit: float) -> float:
    """How much worse than `limit` the count is; 0 if it is not."""
    worse = limit - count if kind == AT_LEAST else count - limit
    return round(max(worse, 0), 2)


def aims() -> dict[str, dict[str, float]]:
    """Of each kind the `aim`, and the `limit` beyond which the test fails."""
    return tomllib.loads(AIMS.read_text("utf-8"))


def read_modules() -> list[Module]:
    paths = [
        ROOT / "main.py",
        *sorted(path for top in PROGRAM for path in (ROOT / top).rglob("*.py")),
    ]
    return [Module(path, path.read_text("utf-8")) for path in paths]


def _circles(graph: dict[str, set[str]]) -> set[tuple[str, ...]]:
    """The largest sets of files of which each reaches each other one by imports."""
    reached = {name: _reached(graph, name) for name in graph}
    circles = {
        tuple(sorted(n for n in found if name in reached[n])) for name, found in reached.items()
    }
    return {circle for circle in circles if len(circle) > 1}


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def _write(found: dict[str, float], known: dict[str, dict[str, float]]) -> None:
    """Record a fiftieth more than there is, and one, as the limit: no less than the aim, no more
    than it was.
    """
    lines = []
    for kind, count in found.items():
        aim = known[kind]["aim"]
        limit = known[kind]["limit"]
        if kind == AT_LEAST:
            limit = max(limit, round(count * 0.98, 1))
        elif count:
            limit = min(
                limit,
                max(
                    aim,
                    round(count * 1.02, 2) if isinstance(count, float) else count * 51 // 50 + 1,
                ),
            )
        else:
            limit = 0
        lines.append(f'"{kind}" = {{ aim = {aim}, limit = {limit} }}\n')
    AIMS.write_text("".join(lines), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.style_counts", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--places", metavar="KIND", help="print each place of this kind")
    parser.add_argument(
        "--write", action="store_true", help="record limits that are closer than the present ones"
    )
    options = parser.parse_args()
    if options.places:
        print("\n".join(places(read_modules())[options.places]))
        return
    found = counts()
    known = aims()
    if options.write:
        _write(found, known)
    print(f"{'now':>10} {'aim':>10} {'missing':>10}")
    for kind, count in found.items():
        aim = known[kind]["aim"]
        print(f"{count:10,} {aim:10,} {missing(kind, count, aim) or '':>10}  {kind}")


if __name__ == "__main__":
    main()

"""The checker tells right from wrong for plain kernels of the kinds that courses and benchmarks have.

`python -m tests.core.workshop.suite.test_suite` prints a row for each topic, with `--all` each kernel.
"""

import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.workshop import launches, worker
from core.workshop.check import iter_check
from core.workshop.checker.trace import Verdict
from core.workshop.exercise import marked_faults, read_text
from core.workshop.inputs import make_inputs
from core.workshop.launch import Launch, parse_arguments, parse_launch
from core.workshop.reference import reference_of

FOLDER = Path(__file__).parent
TOPICS = sorted(path for path in FOLDER.glob("*.py") if path.stem not in ("__init__", "test_suite"))
Arrays = dict[str, np.ndarray]
RIGHT = ("found", "passed")
CONSEQUENCES = {"wrong-result", "same-value"}
"""What a fault of another kind may lead to."""


@dataclass(frozen=True, slots=True)
class Case:
    """A kernel of a file. `head`: the comment above it; `faults`: the lines that may be named, by kind."""

    topic: str
    source: str
    head: dict[str, str]
    faults: dict[str, set[int]]

    @property
    def name(self) -> str:
        return self.head["kernel"]

    def launch(self) -> Launch:
        head = self.head
        names = [argument.name for argument in parse_arguments(head["args"])]
        reference = head.get("reference") or reference_of(head["expect"], names)
        return parse_launch(
            self.name,
            head["args"],
            head["grid"],
            head["block"],
            head.get("sizes", ""),
            reference,
            shared=head.get("shared", ""),
        )


def iter_cases() -> Iterator[Case]:
    for path in TOPICS:
        source = read_text(path)
        lines = source.splitlines()
        starts = [number for number, line in enumerate(lines) if line.startswith("# kernel = ")]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            stop = next(number for number in range(start, end) if not lines[number].startswith("#"))
            head = tomllib.loads("\n".join(line[2:] for line in lines[start:stop]))
            faults: dict[str, set[int]] = {}
            for kind, number in marked_faults(source):
                if start < number <= end:
                    faults.setdefault(kind, set()).add(number)
            yield Case(path.stem, source, head, faults)


def rows_of_a_matrix(sizes: dict[str, int], rng: np.random.Generator) -> Arrays:
    """Where each of n rows begins in e elements, and their columns; with three rows and more the ends are empty."""
    n = sizes["n"]
    e = sizes["e"]
    empty = int(n > 2)
    owners = rng.integers(empty, n - empty, e)
    pointers = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=n))])
    return {"rows": pointers.astype(np.int32), "columns": rng.integers(0, n, e).astype(np.int32)}


def distances(sizes: dict[str, int], rng: np.random.Generator) -> Arrays:
    old = rng.integers(0, 40, sizes["n"]).astype(np.int32)
    return rows_of_a_matrix(sizes, rng) | {"old": old, "new": old.copy()}


def sorted_arrays(sizes: dict[str, int], rng: np.random.Generator) -> Arrays:
    lengths = {"a": sizes["n"], "b": sizes["m"]}
    return {name: np.sort(rng.integers(0, 20, length)).astype(np.int32) for name, length in lengths.items()}


def permutation(sizes: dict[str, int], rng: np.random.Generator) -> Arrays:
    return {"places": rng.permutation(sizes["n"]).astype(np.int32)}


CASES = {case.name: case for case in iter_cases()}
INPUTS: dict[str, Callable[[dict[str, int], np.random.Generator], Arrays]] = {
    "rows": rows_of_a_matrix,
    "distances": distances,
    "sorted": sorted_arrays,
    "permutation": permutation,
}
"""By the name in a head: the arrays that replace those of the options, from the sizes."""
FENCE = "fences are not covered"
KNOWN = {
    "index_that_becomes_a_float": ("missed", "only the compiler finds it"),
    "life_negative_index": ("falsely alarmed", "a negative index counts as out of bounds, but not for Numba"),
    "weights_in_constant_memory": ("refused", "constant memory is not covered"),
    "weights_of_the_program": ("refused", "arrays of the file are not read"),
    "last_block_with_fence": ("refused", FENCE),
    "counter_behind_a_lock": ("refused", FENCE),
    "classes_of_lanes": ("refused", "match_any_sync is not covered"),
    "julia_with_complex_numbers": ("refused", "complex numbers are not covered"),
    "type_of_the_argument": ("refused", "the type of an array is not covered"),
}
"""Kernels that are not judged rightly: how they are, and why. A better check takes its line out."""


def verdict_of(case: Case, monkeypatch: pytest.MonkeyPatch, types: bool = False) -> Verdict:
    def own_inputs(launch: Launch, sizes: dict[str, int], seed: int, poisoned: set[str]) -> dict[str, Any]:
        values = make_inputs(launch, sizes, seed, poisoned)
        return values | INPUTS[case.head["inputs"]](sizes, np.random.default_rng(seed))

    with monkeypatch.context() as patch:
        if "inputs" in case.head:
            patch.setattr(launches, "make_inputs", own_inputs)
            patch.setattr(worker, "make_inputs", own_inputs)
        *_, verdict = iter_check(case.source, case.launch(), seed=1, types=types, isolated=False)
    assert verdict is not None
    return verdict


def judgement(case: Case, verdict: Verdict) -> str:
    """Of a wrong kernel found or missed, of a right one passed or falsely alarmed, of both refused.

    Found is a fault of each kind that the kernel has, at one of the marked lines, and of no other kind but those that
    may follow.
    """
    kinds = {fault.kind for fault in verdict.faults}
    if kinds & {"unsupported", "type", "syntax"} - case.faults.keys():
        return "refused"
    if not case.faults:
        warnings = {case.head["warns"]} if "warns" in case.head else set()
        return "passed" if kinds == warnings else "falsely alarmed"
    named: dict[str, set[int]] = {}
    for fault in verdict.faults:
        named.setdefault(fault.kind, set()).update((fault.line, fault.other_line))
    is_named = all(lines & named.get(kind, set()) for kind, lines in case.faults.items())
    is_all = kinds <= case.faults.keys() | CONSEQUENCES
    return "found" if is_named and is_all else "missed"


def said(verdict: Verdict) -> str:
    return "\n".join(f"line {fault.line}: {fault.kind}: {fault.text}" for fault in verdict.faults)


def parameter(name: str) -> Any:
    if name not in KNOWN:
        return name
    return pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=": ".join(KNOWN[name])))


@pytest.mark.parametrize("name", [parameter(name) for name in CASES])
def test_a_plain_kernel_is_judged_rightly(name, monkeypatch):
    verdict = verdict_of(CASES[name], monkeypatch)
    found = judgement(CASES[name], verdict)
    assert found in RIGHT, f"{found}:\n{said(verdict)}"


@pytest.mark.slow
def test_numba_compiles_what_is_decided(monkeypatch):
    refused = set()
    for name in CASES.keys() - KNOWN.keys():
        verdict = verdict_of(CASES[name], monkeypatch, types=True)
        if judgement(CASES[name], verdict) not in RIGHT:
            refused.add(name)
    assert not refused


def test_each_kernel_has_a_name_of_its_own():
    assert len(CASES) == sum(1 for _ in iter_cases())
    assert KNOWN.keys() <= CASES.keys()


def main() -> None:
    patch = pytest.MonkeyPatch()
    results: dict[str, Counter[str]] = {path.stem: Counter() for path in TOPICS}
    for name, case in CASES.items():
        verdict = verdict_of(case, patch)
        found = judgement(case, verdict)
        results[case.topic]["wrong" if case.faults else "right"] += 1
        results[case.topic][found] += 1
        if "--all" in sys.argv:
            print(f"{case.topic} {name}: {found}\n{said(verdict)}")
    results["all"] = sum(results.values(), Counter())
    print("| topic | wrong ones found | missed | right ones passed | falsely alarmed | refused |")
    print("|---|---:|---:|---:|---:|---:|")
    for topic, row in results.items():
        found = f"{row['found']} of {row['wrong']}"
        passed = f"{row['passed']} of {row['right']}"
        print(
            f"| {topic} | {found} | {row['missed']} | {passed} | {row['falsely alarmed']} | {row['refused']} |"
        )


if __name__ == "__main__":
    main()

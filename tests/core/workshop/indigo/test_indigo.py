"""The checker finds every race of 590 kernels of the Indigo suite, which others wrote, and alarms at no clean one.

`python -m tests.core.workshop.indigo.test_indigo` prints a row for each pattern, and how long a check takes.
"""

import time
from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from core.workshop.check import iter_check
from core.workshop.checker.trace import Verdict
from core.workshop.launch import Launch, Step, parse_arguments
from tests.core.workshop.indigo import templates

ARGUMENTS = parse_arguments(
    "nindex: int32[n + 1], nlist: int32[e], data1: int32[s], data2: int32[s], numv: int32 = n"
)
STEP = Step("test_kernel", tuple(each.name for each in ARGUMENTS), ("blocks",), ("threads",))
Graph = tuple[np.ndarray, np.ndarray]
"""Where the neighbors of each vertex begin, int32 (vertices + 1,), and the neighbors, int32 (edges,)."""


def csr(vertices: int, edges: set[tuple[int, int]]) -> Graph:
    ordered = sorted(edges)
    degrees = np.bincount([first for first, _ in ordered], minlength=vertices)
    pointers = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32)
    return pointers, np.array([second for _, second in ordered], np.int32)


def random_edges(vertices: int, count: int, seed: int) -> set[tuple[int, int]]:
    rng = np.random.default_rng(seed)
    edges: set[tuple[int, int]] = set()
    while len(edges) < count:
        first, second = (int(each) for each in rng.integers(0, vertices, 2))
        if first != second:
            edges.add((first, second))
    return edges


@cache
def graphs() -> dict[str, tuple[Graph, int]]:
    """Each with the threads of a block: one that shows all races, and one whose last vertex has no neighbors."""
    rising = {(min(edge), max(edge)) for edge in random_edges(5, 5, 1)}
    return {"random": (csr(70, random_edges(70, 210, 3)), 64), "rising": (csr(5, rising), 32)}


def data(graph: Graph) -> dict[str, np.ndarray]:
    """As Indigo's own program makes it: random values below the vertices and the edges, the first is 0."""
    pointers, neighbors = graph
    rng = np.random.default_rng(7)
    vertices = len(pointers) - 1
    edges = len(neighbors)
    arrays = {"nindex": pointers, "nlist": neighbors}
    for name, limit in (("data1", vertices), ("data2", edges)):
        arrays[name] = rng.integers(0, limit, max(vertices, edges)).astype(np.int32)
        arrays[name][0] = 0
    return arrays


def blocks_of(template: str, tags: tuple[str, ...], vertices: int, threads: int) -> int:
    """As many as the vertices need, and one more, whose threads have nothing to do; two where the kernel loops."""
    if "persistent" in tags and threads == 64:
        return 2
    per_vertex = {"thread": 1, "warp": 32, "block": threads}[templates.mode(template)]
    return -(-vertices * per_vertex // threads) + (threads == 64)


def iter_verdicts(template: str) -> Iterator[tuple[str, str, list[Verdict]]]:
    """Name, label and the verdicts on all graphs of each variant of a template."""
    for full, name, tags in templates.variants():
        if name != template:
            continue
        verdicts = []
        for graph, threads in graphs().values():
            vertices = len(graph[0]) - 1
            blocks = blocks_of(name, tags, vertices, threads)
            sizes = {
                "n": vertices,
                "e": len(graph[1]),
                "s": max(vertices, len(graph[1])),
                "blocks": blocks,
            }
            sizes["threads"] = threads
            expected = templates.reference(name, tags)
            launch = Launch(ARGUMENTS, (STEP,), (sizes,), expected, inputs=data(graph))
            *_, verdict = iter_check(
                templates.source(name, tags), launch, seed=1, types=False, isolated=False
            )
            verdicts.append(verdict)
        yield full, templates.label(tags), verdicts


def is_right(label: str, kinds: set[str]) -> bool:
    """Whether what was found fits what was planted."""
    if label == "clean":
        return not kinds
    return bool(kinds & ({"race", "block-race"} if label == "racy" else {"bounds"}))


def kinds_of(verdicts: list[Verdict]) -> set[str]:
    return {fault.kind for verdict in verdicts for fault in verdict.faults}


def test_the_suite_has_its_590_variants():
    labels = Counter(templates.label(tags) for _, _, tags in templates.variants())
    assert labels == {"racy": 346, "bounds": 64, "clean": 180}


@pytest.mark.parametrize("template", templates.TEMPLATES)
def test_each_variant_is_judged_rightly(template):
    for full, label, verdicts in iter_verdicts(template):
        kinds = kinds_of(verdicts)
        assert is_right(label, kinds), (full, label, kinds)
        assert not kinds & {"unsupported", "type", "syntax"}, (full, verdicts)


def main() -> None:
    orders: list[int] = []
    begin = time.process_time()
    print(
        "| pattern | races found | wrong indices found | clean ones passed |\n|---|---:|---:|---:|"
    )
    for template in templates.TEMPLATES:
        all_of: Counter[str] = Counter()
        right: Counter[str] = Counter()
        for _, label, verdicts in iter_verdicts(template):
            all_of[label] += 1
            right[label] += is_right(label, kinds_of(verdicts))
            orders += [verdict.orders for verdict in verdicts]
        cells = [
            f"{right[label]} of {all_of[label]}" if all_of[label] else ""
            for label in ("racy", "bounds", "clean")
        ]
        print(f"| {template} | {' | '.join(cells)} |")
    milliseconds = 1000 * (time.process_time() - begin) / len(orders)
    several = sum(1 for each in orders if each > 1)
    print(
        f"{len(orders):,} checks, {several} of them in several orders: {milliseconds:.2f} ms of processor time each"
    )


if __name__ == "__main__":
    main()

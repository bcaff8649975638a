"""A verdict as an HTML page: faults, the run step by step beside the source, and what the accesses
cost.

resources/page/trace.js steps through the run.
"""

from html import escape
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from core.files.json_text import JsonObject
from core.html.page import page, paragraph, resource, section, table
from core.workshop.checker.dialect import lines_of
from core.workshop.checker.trace import (
    WARP,
    Event,
    Fault,
    Trace,
    Verdict,
    shape_text,
)
from core.workshop.look import Races, Replay

MAX_ACCESSES = 120_000
"""Of the steps in a page, which then has about a megabyte."""
MAX_SENTENCES = 6_000  # of steps and warps
MAX_VALUES = 60_000  # of variables
_HEADINGS = (
    "Line",
    "Access",
    "Array",
    "Memory",
    "Threads",
    "Sectors per request",
    "Bank conflict ways",
    "Atomic turns",
)


def verdict_html(verdict: Verdict, source: str) -> str:
    """The page. All texts of the kernel are escaped."""
    faults = [_fault_line(fault) for fault in verdict.faults]
    marked = {line for fault in verdict.faults for line in (fault.line, fault.other_line)}
    lines = enumerate(lines_of(source), 1)
    code = "".join(_code_line(number, line, is_marked=number in marked) for number, line in lines)
    parts = [paragraph(verdict.summary), f"<ul>{''.join(faults)}</ul>" if faults else ""]
    script = ""
    data = None
    if verdict.trace is not None and verdict.trace.events:
        events = _first_events(verdict.trace)
        is_cut = len(events) < len(verdict.trace.events) or not verdict.trace.complete
        cut = (
            paragraph(f"The launch is long: these are its first {len(events):,} steps.")
            if is_cut
            else ""
        )
        parts.append(resource("trace.html").replace("<!--cut-->", cut).replace("<!--code-->", code))
        script = resource("theme.js") + resource("trace.js")
        data = _page_data(verdict.trace, events)
    else:
        parts.append(section("Kernel", f'<pre id="code">{code}</pre>'))
    rows = [
        (
            each.line,
            each.access,
            each.array,
            each.space,
            each.lanes,
            f"{each.sectors_per_request:g}" if each.space == "global" else "-",
            each.bank_conflict_ways or "-",
            each.atomic_turns or "-",
        )
        for each in verdict.counts
    ]
    if rows:
        heading = f"What the accesses cost{shape_text(verdict.counted)}"
        parts.append(section(heading, table(_HEADINGS, rows)))
    parts += (paragraph(str(sentence)) for sentence in verdict.occupancy)
    shapes = "; ".join(shape_text(sizes).strip(" ()") for sizes in verdict.sizes if sizes)
    said = [
        f"Shapes: {shapes}." if shapes else "",
        *verdict.remarks,
        verdict.types,
        f"Seed {verdict.seed}.",
    ]
    return page(
        f"Check of {verdict.kernel}", parts, " ".join(filter(None, said)), script=script, data=data
    )


def _fault_line(fault: Fault) -> str:
    where = f", line {fault.line}" if fault.line else ""
    return (
        f"<li><strong>{escape(fault.kind)}</strong>{where}: "
        f"{escape(fault.text + shape_text(fault.sizes))}</li>"
    )


def _code_line(number: int, line: str, *, is_marked: bool) -> str:
    mark = " class=fault" if is_marked else ""
    return f"<span{mark}>{number:4d}  {escape(line)}</span>"


def _first_events(trace: Trace) -> tuple[Event, ...]:
    sizes = [(len(event.lanes), len(np.unique(event.lanes // WARP))) for event in trace.events]
    kept = (np.cumsum(sizes, axis=0) <= (MAX_ACCESSES, MAX_SENTENCES)).all(axis=1)
    return trace.events[: int(kept.sum())]


def _page_data(trace: Trace, events: tuple[Event, ...]) -> JsonObject:
    """The launch, and the same in the other order of its threads, where there is one."""
    data = _trace_data(trace, events)
    result = Races(trace).other_result()
    if trace.other_order is not None and result is not None:
        other = _trace_data(trace.other_order, _first_events(trace.other_order))
        data["other"] = other | {"result": str(result)}
    return data


def _trace_data(trace: Trace, events: tuple[Event, ...]) -> JsonObject:
    """Sentences are numbered, because most are said at many steps."""
    replay = Replay(trace)
    sentences = dict[str, int]()
    said: list[dict[str, int]] = []
    for index, event in enumerate(events):
        here: dict[str, int] = {}
        blocks, threads = np.divmod(event.lanes, trace.threads)
        for block, warp in sorted(
            set(zip(blocks.tolist(), (threads // WARP).tolist(), strict=True))
        ):
            text = str(replay.notice(index, block, warp))
            here[f"{block},{warp}"] = sentences.setdefault(text, len(sentences))
        said.append(here)
    return {
        "grid": trace.grid,
        "block": trace.block,
        "sentences": list(sentences),
        "said": said,
        "conflicts": [
            {
                "array": each.array,
                "element": each.element,
                "lanes": each.lanes,
                "events": each.events,
                "pairs": [[pair.element, *pair.lanes] for pair in replay.races.pairs_of(each)],
                "said": [str(replay.races.sentence(index)) for index in each.events],
                "kind": each.kind,
            }
            for each in trace.conflicts
            if each.events[1] < len(events)
        ],
        "functions": replay.functions,
        "variables": _variables(trace, len(events)),
        "arrays": [
            {
                "name": info.name,
                "space": info.space,
                "type": str(info.data.dtype),
                "shape": info.shape,
                "bytes": info.data.itemsize,
                "start": None if info.start is None else _numbers(info.start),
            }
            for info in trace.arrays
        ],
        "events": [
            {
                "kind": event.kind,
                "line": event.line,
                "array": event.array,
                "lanes": _lanes(event.lanes),
                "elements": event.elements.tolist(),
                "values": _numbers(event.values) if event.kind in ("write", "atomic") else [],
            }
            for event in events
        ],
    }


def _variables(trace: Trace, events: int) -> list[JsonObject]:
    """What the threads assign at the first `events` events: rows of event, threads and their
    values, or one value.
    """
    found = []
    left = MAX_VALUES
    for variable in trace.variables:
        rows: list[list[Any]] = []
        starts = np.flatnonzero(np.concatenate([[True], np.diff(variable.at) != 0]))
        for first, end in pairwise([*starts.tolist(), len(variable.at)]):
            lanes = variable.lanes[first:end]
            values = variable.values[first:end]
            is_one = bool((values == values[0]).all())
            left -= 2 if is_one else len(lanes)
            if left < 0 or variable.at[first] >= events:
                break
            numbers = _numbers(values[:1])[0] if is_one else _numbers(values)
            rows.append([int(variable.at[first]), _lanes(lanes), numbers])
        kind = str(variable.values.dtype)
        found.append(
            {"name": variable.name, "function": variable.function, "type": kind, "rows": rows}
        )
    return found


def _lanes(lanes: np.ndarray) -> list[int] | dict[str, int]:
    """Consecutive lanes as first and count."""
    if len(lanes) > 2 and np.array_equal(lanes, lanes[0] + np.arange(len(lanes))):
        return {"first": int(lanes[0]), "count": len(lanes)}
    return lanes.tolist()


def _numbers(values: np.ndarray) -> list[float | int | None]:
    """With five digits; None for NaN and infinity, which JSON does not have."""
    if values.dtype.kind == "b":
        return [bool(value) for value in values]
    if values.dtype.kind != "f":
        return [int(value) for value in values]
    return [float(f"{value:.5g}") if isfinite(value) else None for value in values.tolist()]

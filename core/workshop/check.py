"""Checks a kernel: interprets it in a process of its own, compares with the reference, and states a
verdict.

>>> from core.workshop.launch import parse_launch
>>> text = '''
... from numba import cuda
...
... @cuda.jit
... def add_ten(out, a):
...     i = cuda.grid(1)
...     out[i] = a[i] + 10
... '''
>>> launch = parse_launch("", "out: float32[n], a: float32[n]", "(n + 7) // 8", "8", "n=7")
>>> *_, verdict = iter_check(text, launch, types=False)
>>> verdict.faults[0].kind, verdict.faults[0].line
('bounds', 7)
"""

import secrets
from collections.abc import Generator, Iterator
from dataclasses import replace

import numpy as np

from core.errors import InputError
from core.workshop.checker.lanes import element_name, named
from core.workshop.checker.trace import KINDS, Fault, Sizes, Verdict, index_of, place, shape_text
from core.workshop.inputs import poisoned_of
from core.workshop.launch import Launch
from core.workshop.reference import free_lengths, outputs_of, reference_of
from core.workshop.worker import CPU_SECONDS, Message, iter_answer, iter_answers, pack, unpack

_TOLERANCES = {"float32": (1e-4, 1e-5), "float64": (1e-9, 1e-10)}
"""Relative, and as a part of the largest expected value: a sum of float32 in another order differs
by less.
"""


def with_expected(launch: Launch, expect: str) -> Launch:
    """The launch with the reference `out = a + 10`, which may use arguments and sizes. Raises
    InputError.
    """
    names = [*launch.names, *launch.shapes[0]]
    return replace(launch, reference=reference_of(expect, names))


def iter_check(
    source: str,
    launch: Launch,
    *,
    seed: int | None = None,
    types: bool = True,
    trace: bool | Sizes = False,
    isolated: bool = True,
    card: bool = False,
) -> Iterator[Verdict | None]:
    """Check in processes of their own; yields None about thirty times a second, and the verdict at
    the end.

    Closing the generator ends the processes. `seed`: of the random inputs; None for any. `types`:
    whether the compiler checks the types. `trace`: True for the trace of the shape of the first
    fault, else of that whose accesses are counted; or the sizes of a shape. `isolated`: False
    computes in this process, which is faster and has no limits. `card`: launch a kernel without
    fault on the card, too. Raises InputError for wrong use, never for what is wrong with the
    kernel.
    """
    # Another one each time: a kernel that fits one set of numbers is found by the next.
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    shapes = tuple(sizes for sizes in launch.shapes if not launch.has_no_blocks(sizes))
    not_run = _not_run([sizes for sizes in launch.shapes if sizes not in shapes])
    if not shapes:
        yield Verdict(launch.kernel, (), (Fault("unsupported", 0, not_run),), seed=seed)
        return
    launch = replace(launch, shapes=shapes)
    outputs = (
        outputs_of(launch.reference, launch.names, launch.shapes[0]) if launch.reference else {}
    )
    # It does not hold the reference, so no kernel can find the result.
    request = {
        "kind": "kernel",
        "source": source,
        "launch": replace(launch, reference="", par={}),
        "seed": seed,
        "outputs": outputs,
        "types": types,
        "trace": trace,
        "seconds": CPU_SECONDS,
    }
    requests = [request]
    if launch.reference:
        requests.append({**request, "kind": "reference", "source": "", "launch": launch})
    answers = yield from _answers(requests, isolated)
    verdict = _verdict(launch, answers, seed)
    if not_run:
        verdict = replace(verdict, remarks=(*verdict.remarks, not_run))
    # A kernel with a fault could write anywhere in the memory of the card.
    if card and verdict.passed:
        (on_card,) = yield from _answers([{**request, "kind": "card"}], isolated)
        verdict = _with_card(verdict, launch, on_card, answers[1:])
    yield verdict


def _not_run(shapes: list[Sizes]) -> str:
    """A sentence about the shapes whose grid has no blocks; empty where there are none."""
    if not shapes:
        return ""
    names = "; ".join(shape_text(sizes).strip(" ()") for sizes in shapes if sizes)
    where = f" with {names}" if names else ""
    return f"Nothing was run{where}: the grid has no blocks, and a card refuses such a launch."


def _answers(
    requests: list[Message], isolated: bool
) -> Generator[None, None, list[Message | None]]:
    if not isolated:  # the messages are those of processes all the same
        return [unpack(pack([*iter_answer(unpack(pack(request)))][-1])) for request in requests]
    answers: list[Message | None] = []
    for found in iter_answers(requests):
        if found is None:
            yield None
        else:
            answers = found
    return answers


def _with_card(
    verdict: Verdict, launch: Launch, answer: Message | None, expected: list[Message | None]
) -> Verdict:
    """The verdict with what the card computed."""
    if answer is None or "error" in answer:
        return replace(
            verdict, card=answer["error"] if answer else "The card did not answer in time."
        )
    faults = [*verdict.faults]
    if expected and expected[0]:
        for launched, wanted in zip(answer["launches"], expected[0]["expected"], strict=True):
            faults += _wrong(launch, launched, wanted)
    return replace(
        verdict,
        faults=_first_of_each(faults),
        card=answer["card"],
        seconds=tuple(answer["seconds"]),
    )


def _verdict(launch: Launch, answers: list[Message | None], seed: int) -> Verdict:
    answer = answers[0]
    if answer is None or "error" in answer:
        reason = (
            f"The check was ended after {CPU_SECONDS} seconds: does every loop end? Use smaller "
            "sizes if it does."
        )
        if answer is not None:
            reason = answer["error"]
        return Verdict(launch.kernel, launch.shapes, (Fault("unsupported", 0, reason),), seed=seed)
    verdict: Verdict = answer["verdict"]
    faults = [*verdict.faults]
    if launch.reference:
        expected = answers[1]
        if expected is None or "error" in expected:
            too_long = "The reference was ended: it computes for too long."
            raise InputError("{reason}", reason=expected["error"] if expected else too_long)
        # Fewer launches than shapes where one of them ended the check.
        for launched, wanted in zip(answer["launches"], expected["expected"], strict=False):
            faults += _wrong(launch, launched, wanted)
    # The counts of a wrong kernel say nothing.
    if all(fault.is_warning for fault in faults):
        faults += _over_par(launch, verdict, answer["line"])
    return replace(verdict, faults=_first_of_each(faults))


def _first_of_each(faults: list[Fault]) -> tuple[Fault, ...]:
    """The first fault of each kind at each line, the most severe kind first."""
    found: dict[tuple[str, int], Fault] = {}
    for fault in faults:
        # A fault occurs in many threads and shapes: the first one is enough to find it.
        found.setdefault((fault.kind, fault.line), fault)
    order = ("syntax", "unsupported", "type", "barrier", "bounds", *KINDS)
    return tuple(sorted(found.values(), key=lambda fault: (order.index(fault.kind), fault.line)))


def _wrong(launch: Launch, launched: Message, wanted: dict[str, np.ndarray]) -> list[Fault]:
    """The first wrong element of each output of one shape, in the first order of its atomic
    operations that shows one.

    A launch that was not completed has no outputs.
    """
    for number, outputs in enumerate(launched["outputs"]):
        faults = [*_iter_wrong(launch, launched["sizes"], outputs, wanted)]
        if faults and number:
            said = (
                " So it is in another order of the atomic operations than that of the threads' "
                "numbers."
            )
            return [replace(fault, text=fault.text + said) for fault in faults]
        if faults:
            return faults
    return []


def _iter_wrong(
    launch: Launch, sizes: Sizes, outputs: Message, wanted: dict[str, np.ndarray]
) -> Iterator[Fault]:
    # A float64 may have been computed from float32.
    is_coarse = any(argument.type == "float32" for argument in launch.arguments)
    coarse = "float32" if is_coarse else "float64"
    lengths: dict[str, int] = {}
    poisoned: set[str] = set()
    if launch.reference:
        lengths = free_lengths(launch.reference, sizes, wanted)
        poisoned = poisoned_of(launch, outputs_of(launch.reference, launch.names, sizes))
    for name, output in outputs.items():
        values = output["values"]
        expected = wanted[name]
        if name in lengths:
            yield from _wrong_in_any_order(name, lengths[name], output, expected, coarse, sizes)
            continue
        good = _equal(values, expected, coarse)
        if values.dtype.kind == "f":
            # NaN is right where the kernel has computed it; an array to fill holds NaN before the
            # launch.
            both = np.isnan(values) & np.isnan(expected)
            if name in poisoned and "writers" in output:
                both &= output["writers"][0].reshape(values.shape) >= 0
            good |= both
        if good.all():
            continue
        first = int(np.argmin(good.reshape(-1)))
        element = index_of(first, values.shape)
        found = _element_text(values, first)
        right = _element_text(expected, first)
        text = f"{element_name(name, element)} must be {right}"
        lane = -1
        if "writers" in output:
            lane, line, step = (int(each) for each in output["writers"][:, first])
        if "writers" not in output:
            text += f", but is {found} on the card."
        elif lane < 0:
            text += ", but no thread wrote it. Does every element have a thread?"
        wrong = f" {int((~good).sum()):,} of {good.size:,} elements are wrong."
        fault = Fault(
            "wrong-result",
            output["store"],
            text + wrong,
            array=name,
            element=element,
            expected=right,
            found=found,
            sizes=sizes,
        )
        if lane < 0:
            yield fault
            continue
        grid, block = launch.steps[step].dimensions(sizes)
        threads = int(np.prod(block))
        thread = place(lane % threads, block)
        number = place(lane // threads, grid)
        text += f", but is {found}: {named(thread, number).lower()} wrote it last, at line {line}."
        yield replace(fault, line=line, text=text + wrong, thread=thread, block=number)


def _wrong_in_any_order(
    name: str,
    length: int,
    output: Message,
    expected: np.ndarray,
    coarse: str,
    sizes: Sizes,
) -> Iterator[Fault]:
    """The first number that the first `length` elements lack, where their order is free."""
    # Sorted, two arrays with the same numbers are equal, whatever their order was.
    found = np.sort(output["values"][:length])
    right = np.sort(expected[:length])
    good = _equal(found, right, coarse)
    if good.all():
        return
    first = int(np.argmin(good))
    text = (
        f"The first {length:,} elements of {name}, in any order, must be those of the reference: "
        f"sorted, number {first + 1} must be {_element_text(right, first)}, but is "
        f"{_element_text(found, first)}."
    )
    yield Fault(
        "wrong-result",
        output["store"],
        text,
        array=name,
        expected=_element_text(right, first),
        found=_element_text(found, first),
        sizes=sizes,
    )


def _element_text(array: np.ndarray, index: int) -> str:
    element = array.reshape(-1)[index]
    return f"{element:.7g}" if array.dtype.kind == "f" else str(element)


def _equal(values: np.ndarray, expected: np.ndarray, coarse: str) -> np.ndarray:
    """Where the values are as expected, computed in the type `coarse`; NaN is not compared."""
    if values.dtype.kind != "f":
        return values == expected
    relative, part = _TOLERANCES[coarse]
    with np.errstate(all="ignore"):
        finite = np.abs(expected[np.isfinite(expected)])
        limit = relative * np.abs(expected) + part * max(float(finite.max(initial=0.0)), 1.0)
        # In 64 bits: the difference itself must not be rounded to the kernel's type.
        near = np.abs(values.astype(np.float64) - expected) <= limit
        # Infinity equals infinity, but their difference is NaN.
        return (np.isfinite(expected) & near) | (values == expected)


def _over_par(launch: Launch, verdict: Verdict, line: int) -> Iterator[Fault]:
    """A warning for each count that is worse than the launch's par, at the worst access."""
    counts = verdict.counts
    for name, par in launch.par.items():
        value = getattr(verdict.totals, name)
        # A mean is a quotient, which rounding may put just above the par.
        if value <= par * 1.001:
            continue
        space, _, access = name.partition("_")
        worst = [count for count in counts if count.space == space and count.access + "s" == access]
        if name in ("sectors_per_request", "bank_conflict_ways"):
            worst = sorted(counts, key=lambda count: -getattr(count, name))[:1]
        elif name == "global_bytes":
            worst = [count for count in counts if count.space == "global"]
        at = max(worst, key=lambda count: count.lanes, default=None)
        what = name.replace("_", " ")
        text = f"The result is right, but the kernel has {value:g} {what}; well done is {par:g}."
        yield Fault("par", at.line if at else line, text, array=at.array if at else "")

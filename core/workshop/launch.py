"""How a kernel is launched: arguments, grid, block and sizes, written as texts (docs/workshop.md,
Options).
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TypedDict, Unpack

import numpy as np

from core.errors import InputError
from core.workshop.checker.dialect import TYPES as KERNEL_TYPES
from core.workshop.checker.dialect import parse_python
from core.workshop.checker.trace import MAX_SHARED_BYTES, WARP, Dims, Sizes
from core.workshop.sizes import evaluate, expressions, limited_text, names_in, split

TYPES = tuple(name.rstrip("_") for name in KERNEL_TYPES)
MAX_SHAPES = 64
MAX_BYTES = 256 << 20
_MAX_DIGITS = 9
FORMS = ("sorted", "distinct", "permutation", "rows")
"""Kinds of inputs, written behind the shape of an array (docs/workshop.md, Arguments)."""
MAX_LAUNCHES = 64
_MOST_LARGE = 3
_SMALL = [1, 2, 3, 4, 5, 7, 9]
_ARGUMENT = re.compile(
    r"(?P<name>[A-Za-z_]\w*)\s*(:\s*(?P<type>\w+)\s*(\[(?P<shape>[^\]]*)\])?"
    r"\s*((?P<form>[A-Za-z]\w*)(?P<limit>\s[^=<]*)?)?\s*((?P<kind>[=<])\s*(?P<value>.+))?)?"
)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument. `shape`: expressions, None for a number. `kind`: "=", "<" or "" for random,
    with its `value`.

    `form`: of FORMS, or empty; `limit`: the expression of `rows`.
    """

    name: str
    type: str
    shape: tuple[str, ...] | None = None
    kind: str = ""
    value: str = ""
    form: str = ""
    limit: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One launch of a kernel. `arguments`: names of the arguments, or expressions of sizes, in the
    kernel's order.

    `kernel`: empty for the only one of the file. `shared`: bytes of dynamic shared memory, an
    expression, or empty.
    """

    kernel: str
    arguments: tuple[str, ...]
    grid: tuple[str, ...]
    block: tuple[str, ...]
    shared: str = ""

    @property
    def texts(self) -> list[str]:
        """All expressions of sizes but those among the arguments."""
        return [*self.grid, *self.block, *([self.shared] if self.shared else [])]

    def dimensions(self, sizes: Sizes) -> tuple[Dims, Dims]:
        """Grid and block of a shape. Raises InputError where a card could not launch them."""
        grid = tuple(evaluate(text, sizes) for text in self.grid)
        block = tuple(evaluate(text, sizes) for text in self.block)
        threads = int(np.prod(block))
        if min(block) < 1 or threads > 1024 or (len(block) > 2 and block[2] > 64):
            raise InputError(
                "The block {block} has {count} threads: a card takes from 1 to 1024 (and 64 in z).",
                block=list(block),
                count=threads,
            )
        if max(grid[1:], default=0) >= 1 << 16:
            raise InputError(
                "The grid {grid} has more than 65,535 blocks along y or z, which no card takes.",
                grid=list(grid),
            )
        if min(grid) < 0 or grid[0] >= 1 << 31:
            raise InputError(
                "The grid {grid} is none that a card takes: give from 1 to 2,147,483,647 blocks "
                "along x.",
                grid=list(grid),
            )
        # As Python's integers: a product in 64 bits may turn over, and look small.
        if int(np.prod(grid, dtype=object)) * threads > 1 << 22:
            raise InputError(
                "The grid {grid} is too large to check: use smaller sizes.", grid=list(grid)
            )
        return grid, block

    def shared_bytes(self, sizes: Sizes) -> int:
        """Of dynamic shared memory. Raises InputError where a block cannot have as many."""
        found = evaluate(self.shared, sizes) if self.shared else 0
        if not 0 <= found <= MAX_SHARED_BYTES:
            raise InputError(
                "shared “{text}” gives {found:,} bytes: a block has up to {most:,}.",
                text=self.shared,
                found=found,
                most=MAX_SHARED_BYTES,
            )
        return int(found)


@dataclass(frozen=True, slots=True)
class Launch:
    """What is launched, one step after the other, and the shapes to check it on.

    `reference`: the text of a reference.py, empty where nothing is compared. `par`: limits of
    counts, by the names of `Totals`. `inputs`: arrays that arguments hold before the first step,
    instead of random numbers, by name.
    """

    arguments: tuple[Argument, ...]
    steps: tuple[Step, ...]
    shapes: tuple[Sizes, ...]
    reference: str = ""
    par: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def kernel(self) -> str:
        """The kernel of the first step."""
        return self.steps[0].kernel

    @property
    def names(self) -> list[str]:
        """Of the arguments."""
        return [argument.name for argument in self.arguments]

    def has_no_blocks(self, sizes: Sizes) -> bool:
        """Whether a step has a grid without blocks, which a card refuses."""
        return any(0 in step.dimensions(sizes)[0] for step in self.steps)


class LaunchOptions(TypedDict, total=False):
    """What not every launch needs. `launches`: several steps, in place of kernel, grid and
    block.
    """

    launches: str
    shared: str
    inputs: Mapping[str, object]
    par: Mapping[str, float]


def parse_launch(
    kernel: str,
    args: str,
    grid: str,
    block: str,
    sizes: str = "",
    reference: str = "",
    **options: Unpack[LaunchOptions],
) -> Launch:
    """The launch that the texts describe. Raises InputError that says which text is wrong."""
    arguments = parse_arguments(args)
    known = tuple(argument.name for argument in arguments)
    if options.get("launches"):
        if grid or block or options.get("shared"):
            raise InputError(
                "Give either launches, or grid, block and shared: launches name their own."
            )
        steps = _parse_launches(options["launches"], known)
    else:
        shared = str(options.get("shared", "")).strip()
        steps = (Step(kernel, known, _sides(grid, "grid"), _sides(block, "block"), shared),)
    used = _used_sizes(arguments, steps)
    given = _parse_sizes(sizes, used) if sizes.strip() else default_shapes(sorted(used), steps[0])
    inputs = {name: _numbers(name, values) for name, values in options.get("inputs", {}).items()}
    launch = Launch(arguments, steps, given, reference, dict(options.get("par") or {}), inputs)
    # All shapes before anything is run: the first check may take seconds.
    for shape in given:
        missing = sorted(used - shape.keys())
        if missing:
            raise InputError(
                "There is no value of {names}: give it in sizes, “{example}”.",
                names=missing,
                example=f"{missing[0]}=1,7,8",
            )
        for step in steps:
            step.dimensions(shape)
            step.shared_bytes(shape)
        check_array_bytes(launch, shape)
        for argument in arguments:
            _check_form(argument, shape)
        _check_inputs(launch, shape)
    return launch


def _used_sizes(arguments: tuple[Argument, ...], steps: tuple[Step, ...]) -> set[str]:
    """The names of all sizes."""
    texts: list[str] = []
    known = {argument.name for argument in arguments}
    for step in steps:
        texts += step.texts
        texts += [each for each in step.arguments if each not in known]
    for argument in arguments:
        texts += filter(None, (*(argument.shape or ()), argument.value, argument.limit))
    used = set[str]().union(*map(names_in, texts))
    return used | {argument.name for argument in arguments if not argument.type}


def _sides(text: str, what: str) -> tuple[str, ...]:
    """The expressions of a grid or a block."""
    given = expressions(text, what)
    if not 1 <= len(given) <= 3:
        raise InputError(
            "{name} “{text}”: give one to three numbers, x first.", name=what, text=", ".join(given)
        )
    return given


def _parse_launches(text: str, known: tuple[str, ...]) -> tuple[Step, ...]:
    """`sums[(n + 7) // 8, 8](part, a); total[1, 32](out, part)`, as CUDA Python writes launches."""
    steps = []
    for part in limited_text(text).split(";"):
        if not part.strip():
            continue
        try:
            node = parse_python(part.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise _unreadable_launch(part) from None
        match node:
            case ast.Call(
                func=ast.Subscript(
                    value=ast.Name(id=kernel), slice=ast.Tuple(elts=[grid, block, *further])
                ),
                args=arguments,
                keywords=[],
            ) if len(further) in (0, 2):
                pass
            case _:
                raise _unreadable_launch(part)

        def text_of(part_node: ast.AST, whole: str = part.strip()) -> str:
            return ast.get_source_segment(whole, part_node) or ""

        given = tuple(map(text_of, arguments))
        for each in given:
            if each not in known:
                # Its result is not needed: it raises for what is no expression.
                names_in(each)
        sides = _sides(text_of(grid), "grid"), _sides(text_of(block), "block")
        steps.append(Step(kernel, given, *sides, text_of(further[1]) if further else ""))
    if not 1 <= len(steps) <= MAX_LAUNCHES:
        raise InputError("launches: give from 1 to {most} launches.", most=MAX_LAUNCHES)
    return tuple(steps)


def _unreadable_launch(part: str) -> InputError:
    return InputError(
        "launches “{part}” cannot be read: write “kernel[grid, block](out, a)” or “kernel[grid, "
        "block, 0, shared](out, a)”, and “;” between two of them.",
        part=part.strip(),
    )


def parse_arguments(text: str) -> tuple[Argument, ...]:
    found: list[Argument] = []
    for part in split(limited_text(text)):
        match = _ARGUMENT.fullmatch(part)
        if match is None:
            raise InputError(
                "args “{part}” cannot be read: write “name: float32[n]”, “name: float32 = 0.5” or "
                "the name of a size.",
                part=part,
            )
        kind = match["type"] or ""
        if kind and kind not in TYPES:
            raise InputError(
                "args “{part}”: “{type}” is no type: choose one of {types}.",
                part=part,
                type=kind,
                types=TYPES,
            )
        form = match["form"] or ""
        limit = (match["limit"] or "").strip()
        if form and (form not in FORMS or bool(limit) != (form == "rows")):
            raise InputError(
                "args “{part}”: “{form}” is no kind of input: write sorted, distinct, permutation "
                "or “rows e”.",
                part=part,
                form=f"{form} {limit}".strip(),
            )
        shape = None if match["shape"] is None else expressions(match["shape"], "args")
        if shape is not None and not 1 <= len(shape) <= 4:
            raise InputError("args “{part}”: an array has one to four dimensions.", part=part)
        if form and (shape is None or len(shape) != 1):
            raise InputError(
                "args “{part}”: only an array of one dimension can be {form}.", part=part, form=form
            )
        if any(match["name"] == other.name for other in found):
            raise InputError("args: “{name}” is given twice.", name=match["name"])
        value = (match["value"] or "").strip()
        found.append(Argument(match["name"], kind, shape, match["kind"] or "", value, form, limit))
    if not found:
        raise InputError(
            "args is empty: write the kernel's arguments, “out: float32[n], a: float32[n]”."
        )
    return tuple(found)


def _parse_sizes(text: str, used: set[str]) -> tuple[Sizes, ...]:
    """`n=1,7 m=3,5`: every combination."""
    lists: dict[str, list[int]] = {}
    for part in re.split(
        r"[;\s]+(?=[A-Za-z_])|;", re.sub(r"\s*([=,])\s*", r"\1", limited_text(text).strip())
    ):
        name, _, values = part.partition("=")
        if not re.fullmatch(r"[A-Za-z_]\w*", name) or not re.fullmatch(r"\d+(,\d+)*", values):
            raise InputError(
                "sizes “{part}” cannot be read: write “n=1,7,8” or “n=1,7 m=3,5”.", part=part
            )
        # By the digits: Python refuses to convert thousands of them.
        if any(len(value.lstrip("0")) > _MAX_DIGITS for value in values.split(",")):
            raise InputError(
                "sizes “{part}” is too large: use at most {most} digits.",
                part=part,
                most=_MAX_DIGITS,
            )
        lists[name] = [int(value) for value in values.split(",")]
    unused = sorted(lists.keys() - used)
    if unused:
        raise InputError(
            "sizes: {names} appears neither in args nor in grid or block.", names=unused
        )
    count = prod(map(len, lists.values()))
    if count > MAX_SHAPES:
        raise InputError(
            "sizes: {count:,} combinations are too many: at most {most}.",
            count=count,
            most=MAX_SHAPES,
        )
    return tuple(dict(zip(lists, values, strict=True)) for values in product(*lists.values()))


def default_shapes(names: list[str], step: Step) -> tuple[Sizes, ...]:
    """One element; one below, at and above a block and a warp; several blocks, whole and ragged.

    The block's side is that of the axis whose number of blocks follows from the size. Sizes differ
    from each other. Many sizes are small, as arrays have several of them as sides.
    """
    if not names:
        return ({},)
    values = {name: _default_sizes(name, step) for name in names}
    if len(names) > _MOST_LARGE:
        values = dict.fromkeys(names, _SMALL)
    count = max(map(len, values.values()))
    return tuple(
        {
            # Shifted against each other, so that a kernel which mixes two sizes up is found.
            name: values[name][(index + 2 * number) % len(values[name])]
            for number, name in enumerate(names)
        }
        for index in range(count)
    )


def _default_sizes(name: str, step: Step) -> list[int]:
    axes = [axis for axis, text in enumerate(step.grid) if name in names_in(text)]
    axis = axes[0] if axes and axes[0] < len(step.block) else 0
    try:
        side = evaluate(step.block[axis], {})
    except InputError:
        side = 8
    warp = [WARP - 1, WARP, WARP + 1] if len(step.block) == 1 and side > WARP + 1 else []
    return [1, *warp, max(side - 1, 2), side, side + 1, 3 * side + 5, 4 * side, 5 * side - 1]


def shape_of(argument: Argument, sizes: Sizes) -> Dims:
    shape = tuple(evaluate(text, sizes) for text in argument.shape or ())
    if any(side < 0 for side in shape):
        raise InputError(
            "The array {name} would have a side of {side}: change its shape or the sizes.",
            name=argument.name,
            side=min(shape),
        )
    return shape


def check_array_bytes(launch: Launch, sizes: Sizes) -> None:
    """Raise InputError where the arrays of a shape are too large."""
    total = sum(
        int(np.prod(shape_of(argument, sizes), dtype=object)) * np.dtype(argument.type).itemsize
        for argument in launch.arguments
        if argument.shape is not None
    )
    if total > MAX_BYTES:
        raise InputError(
            "The arrays take {size:,} bytes, more than {most:,}: use smaller sizes.",
            size=total,
            most=MAX_BYTES,
        )


def _check_form(argument: Argument, sizes: Sizes) -> None:
    """Raise InputError where the array cannot hold such numbers in this shape."""
    if not argument.form:
        return
    (count,) = shape_of(argument, sizes)
    kind = np.dtype(argument.type).kind
    most = evaluate(argument.value, sizes, whole=False) if argument.kind == "<" else 1 << 31
    reason = ""
    if argument.form in ("permutation", "rows") and (kind not in "iu" or argument.kind):
        reason = "give it a type of whole numbers, without “<” or “=”"
    elif argument.kind == "=":
        reason = "“=” gives all its numbers"
    elif argument.form == "distinct" and kind != "f" and count > most:
        reason = f"there are no {count:,} different whole numbers below {most:,}"
    elif argument.form == "rows" and (count < 1 or evaluate(argument.limit, sizes) < 0):
        reason = (
            "it has the begin of each row and the end of the last: at least one number, up to 0 or "
            "more"
        )
    elif argument.form == "rows" and count == 1 and evaluate(argument.limit, sizes):
        reason = "an array of one number has no row"
    if reason:
        raise InputError(
            "args: {name} cannot be {form}: {reason}.",
            name=argument.name,
            form=argument.form,
            reason=reason,
        )


def _numbers(name: str, values: object) -> np.ndarray:
    """Given numbers as an array. Raises InputError."""
    try:
        found = np.asarray(values)
    except ValueError:
        raise InputError(
            "inputs: {name} is no array: give all its rows the same length.", name=name
        ) from None
    if found.dtype.kind not in "biuf":
        raise InputError(
            "inputs: {name} has something else than numbers of up to 64 bits.", name=name
        )
    return found


def _check_inputs(launch: Launch, sizes: Sizes) -> None:
    """Raise InputError where given arrays are those of no argument, or do not have its shape."""
    arrays = {each.name: each for each in launch.arguments if each.shape is not None}
    for name, values in launch.inputs.items():
        if name not in arrays:
            raise InputError(
                "inputs: “{name}” is no array of args ({known}).", name=name, known=list(arrays)
            )
        shape = shape_of(arrays[name], sizes)
        if values.shape != shape:
            raise InputError(
                "inputs: {name} has the shape {found}, and in args the shape {shape}: give "
                "numbers for these sizes.",
                name=name,
                found=list(values.shape),
                shape=list(shape),
            )

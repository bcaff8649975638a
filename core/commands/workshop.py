"""Check kernels for graphics cards, written in Numba CUDA, without a card: races, wrong accesses,
results, costs.
"""

import argparse
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from core.commands.console import FAILED, Parser, integer, print_json, print_line
from core.errors import InputError
from core.files.atomic import check_writable, write_atomically
from core.program import shipped_path
from core.text import format_percent
from core.workshop.check import iter_check, with_expected
from core.workshop.checker.dialect import DialectError, read_program
from core.workshop.exercise import read_inputs, read_text
from core.workshop.launch import Launch, parse_launch
from core.workshop.worker import work

if TYPE_CHECKING:
    from core.workshop.use import KernelComparison


def kernels_path(name: str) -> Path:
    """The file, or what the pupil begins with in the exercise of that folder or name."""
    path = shipped_path(name)
    begun = path / "skeleton.py"
    return begun if os.path.exists(begun) else path


def add_options(parser: Parser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="check | use", required=True)
    check = actions.add_parser("check", help="say what is wrong with a kernel, and what it costs")
    use = actions.add_parser(
        "use", help="train a small network with a kernel in place of the program's own"
    )
    for action in (check, use):
        _add_options_of_launch(action)
    _add_options_of_check(check)
    _add_options_of_use(use)
    # How the program starts the process that checks.
    worker = actions.add_parser("worker")
    worker.add_argument("folder", type=Path)


def _add_options_of_launch(action: Parser) -> None:
    """Add the file with the kernel, and how it is launched."""
    texts = {
        "args": 'its arguments: "out: float32[n], a: float32[n], n"',
        "grid": 'blocks, in expressions of sizes: "(n + 7) // 8"',
        "block": 'threads of a block: 8, or "4, 4"',
        "expect": 'what arrays must hold afterwards: "out = a + 10"',
        "shared": 'bytes of dynamic shared memory: "4 * n"',
        "launches": 'several launches, in place of --kernel, --grid and --block: "sums[n, '
        '8](part, a); ..."',
    }
    action.add_argument(
        "file",
        metavar="FILE",
        type=kernels_path,
        help="a Python file with kernels, or an exercise by its folder or name; docs/workshop.md",
    )
    action.add_argument(
        "--kernel", metavar="NAME", default="", help="the kernel, where the file has several"
    )
    for name, what in texts.items():
        action.add_argument(f"--{name}", metavar="TEXT", default="", help=what)
    action.add_argument(
        "--reference",
        metavar="FILE",
        type=Path,
        help="the same as functions in NumPy, as in an exercise",
    )
    action.add_argument(
        "--inputs",
        metavar="FILE",
        type=Path,
        help="arrays to begin with, instead of random ones, as JSON",
    )
    action.add_argument(
        "--sizes",
        metavar="TEXT",
        action="append",
        nargs="+",
        help="values of the sizes: n=1,7,8 m=3,5",
    )
    action.add_argument(
        "--exercise",
        metavar="FOLDER",
        type=shipped_path,
        help="take the arguments from this exercise",
    )


def _add_options_of_check(check: Parser) -> None:
    check.add_argument(
        "--seed", metavar="N", type=integer, help="of the random inputs; a verdict shows its seed"
    )
    check.add_flag("--no-types", "do not compile the kernel to check its types")
    check.add_flag("--card", "launch a kernel without fault on the card too, and time it")
    check.add_argument("--html", metavar="FILE", type=Path, help="write the verdict as a page")
    check.add_flag("--json", "print one JSON object, nothing else")


def _add_options_of_use(use: Parser) -> None:
    use.add_argument(
        "--operator",
        metavar="NAME",
        default="",
        help="of a device, that the kernel stands for (default: the exercise's)",
    )
    use.add_argument(
        "--network",
        metavar="TEXT",
        default="",
        help="a small network of your own, such as 784-30-10",
    )
    use.add_argument("--epochs", metavar="N", type=integer, default=1, help="default: 1")
    use.add_argument(
        "--model", metavar="FILE", type=Path, help="keep the network that the kernel trained"
    )
    use.add_flag("--json", "print a JSON object for each record")


def execute(options: argparse.Namespace) -> int:
    if options.action == "worker":
        return work(options.folder)
    source = read_text(options.file)
    launch, operator = _launch(options, source)
    if options.action == "use":
        return _use(options, source, launch, options.operator or operator)
    types = not options.no_types
    trace = options.html is not None
    *_, verdict = iter_check(
        source, launch, seed=options.seed, types=types, card=options.card, trace=trace
    )
    assert verdict is not None
    if options.html is not None:
        from core.workshop.report import verdict_html

        write_atomically(options.html, verdict_html(verdict, source).encode(errors="replace"))
    if options.json:
        print_json({**verdict.as_dict(), "text": str(verdict)})
    else:
        for line in str(verdict).splitlines():
            print_line(line)
        if verdict.passed and not launch.reference:
            print_line("No result was compared: give --expect, such as “out = a + 10”.")
        if options.html is not None:
            print_line(f"Written: {options.html}")
    return 0 if verdict.passed else FAILED


def _use(options: argparse.Namespace, source: str, launch: Launch, operator: str) -> int:
    from core.data.sources import load_dataset
    from core.workshop.use import KernelComparison, choose_mode, iter_use, plan_for

    plan = plan_for(operator, options.network, options.epochs)
    if options.model is not None:
        check_writable(options.model)
    *_, verdict = iter_check(source, launch)
    assert verdict is not None
    if not verdict.passed:
        raise InputError(
            "The kernel has faults: {fault} Repair it first; “workshop check” shows them.",
            fault=next(fault.text for fault in verdict.faults if not fault.is_warning),
        )
    mode, reason = choose_mode(source, launch.kernel)

    def show(text: str, **values: object) -> None:
        if options.json:
            print_json(values)
        elif text:
            print_line(text, flush=True)

    show(f"Mode: {mode}. {reason}".strip(), mode=mode, reason=reason)
    for record in iter_use(source, launch, operator, mode, plan, load_dataset(plan.data)):
        if isinstance(record, KernelComparison):
            calls, reached = _comparison_texts(record)
            show(calls, **asdict(record), same=record.is_same)
            if not options.json:
                print_line(reached)
        elif record.context is not None:
            context = record.context
            images = len(context.dataset.train)
            text = f"{context.network} learns {images:,} images of {context.dataset.title}."
            show(text, network=str(context.network), images=images)
        elif record.steps is not None:
            steps = record.steps
            show(
                "",
                step=steps.step,
                at=steps.epoch - 1 + steps.position / steps.images,
                loss=steps.loss,
                accuracy=steps.score,
                seconds=steps.seconds,
            )
        elif record.numbers is not None:
            epoch = record.numbers
            show(
                f"Epoch {epoch.epoch}: loss {epoch.train_loss:.4f}, test "
                f"{format_percent(epoch.test_score)}",
                epoch=epoch.epoch,
                loss=epoch.train_loss,
                test_loss=epoch.test_loss,
                test_accuracy=epoch.test_score,
            )
        elif record.reason is not None and options.model is not None:
            context.model(record.checkpoint, record.test_score).save(options.model)
    if options.model is not None and not options.json:
        print_line(f"Written: {options.model}")
    return 0


def _comparison_texts(record: "KernelComparison") -> tuple[str, str]:
    """How often and how long the kernel computed; what the networks with it and without it have
    reached.
    """
    share = record.usage.seconds / max(record.seconds, 1e-9)
    same = "the same but for rounding" if record.is_same else f"up to {record.difference:.2g} apart"
    calls = (
        f"Your kernel was called {record.usage.calls:,} times: {format_percent(share, 0)} of "
        f"{record.seconds:.2f} s. With the program's own operator it takes "
        f"{record.own_seconds:.2f} s."
    )
    reached = (
        f"Accuracy {format_percent(record.accuracy)}; with the program's own "
        f"{format_percent(record.own_accuracy)}. The parameters are {same}."
    )
    return calls, reached


def _launch(options: argparse.Namespace, source: str) -> tuple[Launch, str]:
    """The launch of the options, or of the exercise that the file belongs to, and the operator of
    the exercise.
    """
    found = None if options.args else _of_exercise(options, source)
    if found is not None:
        return found
    needed = [("args", "the kernel's arguments", "out: float32[n], a: float32[n], n")]
    if not options.launches:
        needed.append(("grid", "the number of blocks", "(n + 7) // 8"))
        needed.append(("block", "the number of threads of a block", "8"))
    for name, what, example in needed:
        if not getattr(options, name):
            raise InputError(
                "--{name} is missing: write {what}, “{example}”.",
                name=name,
                what=what,
                example=example,
            )
    sizes = " ".join(" ".join(part) for part in options.sizes or ())
    launch = parse_launch(
        options.kernel,
        options.args,
        options.grid,
        options.block,
        sizes,
        read_text(options.reference) if options.reference is not None else "",
        launches=options.launches,
        shared=options.shared,
        inputs=read_inputs(options.inputs) if options.inputs is not None else {},
    )
    return launch if options.reference is not None else with_expected(launch, options.expect), ""


def _of_exercise(options: argparse.Namespace, source: str) -> tuple[Launch, str] | None:
    """The launch of the exercise in --exercise, or in the file's folder or the one above; None
    where there is none.
    """
    from core.labs.package import is_lab, open_lab

    folder = options.file.resolve().parent
    for path in [options.exercise] if options.exercise else [folder, folder.parent]:
        if not options.exercise and not is_lab(path):
            continue
        kernels = {
            part.exercise.launch.kernel: part.exercise for part in open_lab(path).parts.kernels
        }
        exercise = kernels.get(options.kernel or _kernel_in(source, list(kernels)))
        if exercise is None:
            raise InputError(
                "{path} has no kernel “{name}”: it has {known}.",
                path=path,
                name=options.kernel,
                known=list(kernels) or "none",
            )
        return exercise.launch, exercise.operator
    return None


def _kernel_in(source: str, names: list[str]) -> str:
    """Which of the kernels of an exercise the file has; the first where that is not to be seen.
    Raises InputError where it has several."""
    try:
        there = [name for name in names if name in read_program(source).kernels]
    except DialectError:  # the check says what is wrong with the file
        there = []
    if len(there) > 1:
        raise InputError(
            "The file has several kernels of the exercise: choose one of {names} with --kernel.",
            names=there,
        )
    return next(iter([*there, *names]), "")

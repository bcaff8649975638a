"""All measurements of a graphics card, in one run of less than eight minutes.

Each section has a time limit. A section that exceeds it is cut short with a note; a section that fails leaves a
note with the reason, and the next ones go on.
"""

from collections.abc import Callable, Iterator
from time import perf_counter

from core.bench.cuda import ladder, operators, trainings
from core.bench.cuda.context import FULL, QUICK, Context, OutOfTime
from core.bench.rows import Bench, Note, Options, Row, Table
from core.bench.timing import load_digits
from core.errors import InputError
from kernels.registry import probe

# Upper limits of this program's epoch over PyTorch's, lower limit of the product's rate over PyTorch's, and upper
# limit of the difference in accuracy between two devices, whose roundings differ.
EAGER_SHARE = 0.25
GRAPH_SHARE = 1.0
PRODUCT_SHARE = 0.5
ACCURACY_GAP = 0.003


Number = float | None


def iter_targets(context: Context) -> Iterator[Row]:
    found = context.results.get
    for name, maximum in (
        (trainings.EAGER, EAGER_SHARE),
        (trainings.GRAPH, GRAPH_SHARE),
        (trainings.GRAPH_TF32, None),
    ):
        ours, theirs, ratio = map(found, (f"epoch {trainings.OURS}", f"epoch {name}", f"ours over {name}"))
        yield _target(f"epoch, over {name}", ours, theirs, "seconds", ratio, maximum=maximum)
    ours = found("product")
    theirs = found("product PyTorch")
    rate = ours / theirs if ours and theirs else None
    name = f"product {context.scale.large}"
    yield _target(
        f"{name}, over PyTorch, TF32 off", ours, theirs, "FLOP a second", rate, minimum=PRODUCT_SHARE
    )
    card = found("accuracy cuda")
    cpu = found("accuracy vectorized")
    gap = None if card is None or cpu is None else abs(card - cpu)
    yield _target("test accuracy, card less CPU", card, cpu, "share", gap, maximum=ACCURACY_GAP)


def _target(
    name: str,
    ours: Number,
    theirs: Number,
    unit: str,
    value: Number,
    minimum: Number = None,
    maximum: Number = None,
) -> Row:
    aim = "none"
    if maximum:
        aim = f"at most {maximum:g}"
    elif minimum:
        aim = f"at least {minimum:g}"
    met = "not measured" if value is None else ""
    if value is not None and aim != "none":
        met = "yes" if value <= (maximum or value) and value >= (minimum or value) else "no"
    return Row(
        "targets",
        {
            "target": name,
            "ours": ours,
            "theirs": theirs,
            "unit": unit,
            "value": value,
            "aim": aim,
            "met": met,
        },
    )


TARGETS = Table(
    "targets",
    "Targets for a card of the H100's class",
    (
        ("target", "target"),
        ("ours", "ours"),
        ("theirs", "theirs"),
        ("unit", "unit"),
        ("value", "ratio or difference"),
        ("aim", "aim"),
        ("met", "met"),
    ),
)

Rows = Iterator[Row | Note]


# Title and rows of each section, and its time limit in seconds, including the compilation of its kernels.
SECTIONS: tuple[tuple[str, float, Callable[[Context], Rows]], ...] = (
    ("ceilings", 25, operators.iter_limits),
    ("epoch against PyTorch", 75, trainings.iter_contest),
    ("time to 95 %", 60, trainings.iter_goal),
    ("ladder", 80, ladder.iter_ladder),
    ("timeline", 25, ladder.iter_timeline),
    ("kernel by kernel", 60, operators.iter_kernels),
    ("batch size", 45, trainings.iter_batches),
    ("product and addition", 60, operators.iter_operators),
    ("targets", 1, iter_targets),
)

# No section but the last starts or goes on after so many seconds; an overrun of a section then ends before 480.
MAX_SECONDS = 430.0


def iter_rows(options: Options) -> Rows:
    """Raises InputError where there is no card."""
    info = probe("cuda")
    if not info.available:
        raise InputError("{reason}", reason=info.reason)
    start = perf_counter()
    yield Note(f"{info.title}; {', '.join(f'{key}: {text}' for key, text in info.details.items())}.")
    data, sentence = load_digits()
    yield Note(sentence)
    context = Context(options, QUICK if options.sizes.quick else FULL, data)
    for title, seconds, rows in SECTIONS:
        begun = perf_counter()
        context.deadline = min(begun + seconds * context.scale.time, start + MAX_SECONDS)
        try:
            yield from rows(context)
        except OutOfTime:
            yield Note(f"{title}: cut short after {perf_counter() - begun:.0f} s; the rest is left out.")
        except Exception as error:
            yield context.failed(title, error)
    yield Note(f"The whole bench took {perf_counter() - start:.0f} s.")


BENCH = Bench(
    "cuda",
    (
        operators.LIMITS,
        trainings.EPOCH,
        trainings.GOAL_TABLE,
        ladder.LADDER,
        *ladder.TIMELINES,
        *operators.KERNELS,
        trainings.BATCHES,
        trainings.ACCURACY,
        operators.PRODUCT,
        operators.ADDITION,
        TARGETS,
    ),
    iter_rows,
)

"""What is aimed at on a card of the H100's class, and whether this run reached it."""

from collections.abc import Iterator

from core.bench.cuda.contest import EAGER, GRAPH, GRAPH_TF32
from core.bench.cuda.context import Context
from core.bench.rows import Row, Table

# The share of PyTorch's seconds an epoch may take, the share of its rate a product must reach, and how far the
# accuracies of two devices may be apart, whose roundings differ.
EAGER_SHARE, GRAPH_SHARE, PRODUCT_SHARE, ACCURACY_GAP = 0.25, 1.0, 0.5, 0.003


def iter_targets(context: Context) -> Iterator[Row]:
    found = context.found
    for contestant, most in ((EAGER, EAGER_SHARE), (GRAPH, GRAPH_SHARE), (GRAPH_TF32, None)):
        yield _row(
            f"epoch, over {contestant}", found.get("epoch this program"), found.get(f"epoch {contestant}"),
            "seconds", found.get(f"ours over {contestant}"), most=most,
        )  # fmt: skip
    ours, theirs = found.get("product"), found.get("product PyTorch")
    yield _row(
        f"product {context.scale.large}, over PyTorch, TF32 off", ours, theirs, "FLOP a second",
        ours / theirs if ours and theirs else None, least=PRODUCT_SHARE,
    )  # fmt: skip
    card, cpu = found.get("accuracy cuda"), found.get("accuracy vectorized")
    yield _row(
        "test accuracy, card less CPU", card, cpu, "share",
        abs(card - cpu) if card is not None and cpu is not None else None, most=ACCURACY_GAP,
    )  # fmt: skip


def _row(
    name: str, ours: float | None, theirs: float | None, unit: str, value: float | None,
    most: float | None = None, least: float | None = None,
) -> Row:  # fmt: skip
    aim = f"at most {most:g}" if most is not None else f"at least {least:g}" if least is not None else "none"
    if value is None:
        met = "not measured"
    elif most is None and least is None:
        met = ""
    else:
        met = "yes" if (value <= most if most is not None else value >= (least or 0)) else "no"
    return Row("targets", {
        "target": name, "ours": ours, "theirs": theirs, "unit": unit, "value": value, "aim": aim, "met": met,
    })  # fmt: skip


TARGETS = Table(
    "targets",
    "Targets for a card of the H100's class",
    (
        ("target", "target"), ("ours", "ours"), ("theirs", "theirs"), ("unit", "unit"),
        ("value", "ratio or difference"), ("aim", "aim"), ("met", "met"),
    ),
)  # fmt: skip

"""Targets for a card of the H100's class, and whether this run reached them."""

from collections.abc import Iterator

from core.bench.cuda.contest import EAGER, GRAPH, GRAPH_TF32
from core.bench.cuda.context import Context
from core.bench.rows import Row, Table

# Upper limits of this program's epoch over PyTorch's, lower limit of the product's rate over PyTorch's, and upper
# limit of the difference in accuracy between two devices, whose roundings differ.
EAGER_SHARE, GRAPH_SHARE, PRODUCT_SHARE, ACCURACY_GAP = 0.25, 1.0, 0.5, 0.003


def iter_targets(context: Context) -> Iterator[Row]:
    results = context.results
    for contestant, maximum in ((EAGER, EAGER_SHARE), (GRAPH, GRAPH_SHARE), (GRAPH_TF32, None)):
        yield _row(
            f"epoch, over {contestant}", results.get("epoch this program"), results.get(f"epoch {contestant}"),
            "seconds", results.get(f"ours over {contestant}"), maximum=maximum,
        )  # fmt: skip
    ours, theirs = results.get("product"), results.get("product PyTorch")
    yield _row(
        f"product {context.scale.large}, over PyTorch, TF32 off", ours, theirs, "FLOP a second",
        ours / theirs if ours and theirs else None, minimum=PRODUCT_SHARE,
    )  # fmt: skip
    card, cpu = results.get("accuracy cuda"), results.get("accuracy vectorized")
    yield _row(
        "test accuracy, card less CPU", card, cpu, "share",
        abs(card - cpu) if card is not None and cpu is not None else None, maximum=ACCURACY_GAP,
    )  # fmt: skip


def _row(
    name: str, ours: float | None, theirs: float | None, unit: str, value: float | None,
    maximum: float | None = None, minimum: float | None = None,
) -> Row:  # fmt: skip
    aim = f"at most {maximum:g}" if maximum else f"at least {minimum:g}" if minimum else "none"
    if value is None:
        met = "not measured"
    elif not maximum and not minimum:
        met = ""
    else:
        met = "yes" if value <= (maximum or value) and value >= (minimum or value) else "no"
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

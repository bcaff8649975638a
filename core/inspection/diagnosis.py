"""Names what is wrong with a network that does not learn, and what to try."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from core.inspection.health import Health
from core.network.network import Network

Kind = Literal["not-finite", "alike", "dead", "saturated", "vanishing", "exploding", "shrunk", "slow"]

# The thresholds lie between the values of runs that learn and of runs that are known to fail; see the tests.
DEAD = SATURATED = 0.5  # share of a layer's units
VANISHING = 0.005  # size of the first layer's gradient by its sums, as a share of the last layer's
EXPLODING = 10.0
SHRUNK = 0.05  # size of the weights, as a share of that at the start
UNCHANGED = 0.001  # size of the change of the weights since the start, as a share of the weights
LEARNED = 0.95  # share of right answers above which only dead units are named
UNLEARNED = 0.9  # loss as a share of that of the start

_TEXTS: dict[Kind, str] = {
    "not-finite": "The numbers of the network are no longer finite: lower the learning rate, or choose other initial "
    "weights.",
    "alike": "All units of layer {layer} compute the same, and learn the same: start from random weights that differ, "
    "such as He's or Glorot's.",
    "dead": "{share} % of the units of layer {layer} are never active, and learn nothing more: lower the learning rate "
    "and train again, or choose leaky ReLU.",
    "saturated": "{share} % of the units of layer {layer} are saturated, so that they hardly learn: choose smaller "
    "initial weights (Glorot's), lower the learning rate, or choose ReLU.",
    "vanishing": "The gradient vanishes on its way back: in layer {layer} it is {factor} times smaller than in the "
    "last one, so that layer hardly learns. Choose ReLU or tanh in place of sigmoid, other initial weights, or fewer "
    "layers.",
    "exploding": "The gradient explodes on its way back: in layer {layer} it is {factor} times larger than in the "
    "last one. Choose smaller initial weights (He's), a lower learning rate, or fewer layers.",
    "shrunk": "The weights of layer {layer} have shrunk to {share} % of their size at the start: lower the L2 "
    "regularization.",
    "slow": "The network has hardly changed since the start: its weights differ by {share} %. Raise the learning rate, "
    "or train longer.",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """`layer`: index of the layer; None for the whole network. `text`: English template with `values`."""

    kind: Kind
    layer: int | None
    text: str
    values: dict[str, Any]

    def __str__(self) -> str:
        return self.text.format(**self.values)


def relative_change(network: Network, start: np.ndarray, now: np.ndarray) -> float:
    """The norm of the change of all weights as a share of the norm of the weights at the start."""
    weights = network.weight_count
    before = float(np.linalg.norm(start[:weights]))
    return float(np.linalg.norm(now[:weights] - start[:weights])) / before if before else np.inf


def diagnose(
    now: Health, start: Health | None = None, change: float | None = None, *, diverged: bool = False
) -> list[Finding]:
    """What is wrong, the most important first; empty where nothing is.

    start: before the first step. change: see `relative_change`; None before the end of the first epoch. diverged:
    whether the run ended because its loss was not finite.
    """
    if diverged or not now.finite:
        return [_finding("not-finite", None)]
    alike = [layer_health.layer for layer_health in now.layers if layer_health.alike]
    if alike:
        return [_finding("alike", alike[0])]
    if start is not None:
        shrunk = _shrunk(now, start)
        if shrunk:
            return shrunk
    findings = [
        _finding("dead", layer_health.layer, share=_share(layer_health.dead))
        for layer_health in now.layers
        if (layer_health.dead or 0) >= DEAD
    ]
    if now.score is None or now.score < LEARNED:
        # The outputs of a good network are near their limits, which says nothing.
        findings += [
            _finding("saturated", layer_health.layer, share=_share(layer_health.saturated))
            for layer_health in now.layers[:-1]
            if (layer_health.saturated or 0) >= SATURATED
        ]
        # Behind dead or saturated units there is no gradient: that is the same fault.
        findings = findings or _gradient(now)
    hardly_changed = change is not None and change < UNCHANGED
    if not findings and start is not None and hardly_changed and now.loss > UNLEARNED * start.loss:
        findings.append(_finding("slow", None, share=f"{100 * (change or 0):.2g}"))
    return findings


def _shrunk(now: Health, start: Health) -> list[Finding]:
    pairs = zip(now.layers, start.layers, strict=True)
    shares = [
        (layer_health.layer, layer_health.weight_size / before.weight_size)
        for layer_health, before in pairs
        if before.weight_size
    ]
    return [_finding("shrunk", layer, share=f"{100 * s:.2g}") for layer, s in shares if s < SHRUNK][:1]


def _gradient(now: Health) -> list[Finding]:
    first, last = now.layers[0], now.layers[-1]
    if first is last or not last.delta_size:
        return []
    ratio = first.delta_size / last.delta_size
    if ratio < VANISHING:
        return [_finding("vanishing", first.layer, factor=f"{1 / ratio:,.0f}" if ratio else "∞")]
    if ratio > EXPLODING:
        return [_finding("exploding", first.layer, factor=f"{ratio:,.0f}")]
    return []


def _finding(kind: Kind, layer: int | None, **values: Any) -> Finding:
    if layer is not None:
        values["layer"] = layer + 1
    return Finding(kind, layer, _TEXTS[kind], values)


def _share(value: float | None) -> str:
    return f"{100 * (value or 0):.0f}"

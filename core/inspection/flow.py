"""What flows through a network for one input: the outputs of all layers and the strongest connections."""

from dataclasses import dataclass

import numpy as np

from core.inspection.inspector import Inspector
from core.inspection.units import Connections, strongest_connections
from core.network.parameters import views

CONNECTIONS = 40
"""Connections of each dense layer, over all its units."""
OF_A_UNIT = 12
"""Connections into a chosen unit, and out of it."""


@dataclass(frozen=True, slots=True)
class ForwardFlow:
    """`outputs`: of each layer, (*output shape). `connections`: into each dense layer; None for other kinds.

    `chosen`: the (layer, unit) whose own connections they are.
    """

    outputs: list[np.ndarray]
    connections: list[Connections | None]
    chosen: tuple[int, int] | None


def flow_through(inspector: Inspector, x: np.ndarray, chosen: tuple[int, int] | None = None) -> ForwardFlow:
    """The flow for one input x, (*input shape), uint8 or float.

    chosen: (layer, unit), whose own connections are given in place of the strongest ones of the layers beside it.
    """
    model = inspector.model
    outputs = [output[0] for output in inspector.outputs(x[None])]
    before = [x / np.float32(255) if x.dtype == np.uint8 else x, *outputs]
    connections: list[Connections | None] = []
    for layer, params in enumerate(views(model.network, model.parameters)):
        if params is None or params.weights.ndim != 2:
            connections.append(None)
            continue
        target = source = None
        if chosen and chosen[0] == layer:
            target = chosen[1]
        elif chosen and chosen[0] == layer - 1 and len(model.network.shapes[layer]) == 1:
            source = chosen[1]
        count = CONNECTIONS if target is source is None else OF_A_UNIT
        connections.append(strongest_connections(before[layer], params.weights, count, target, source))
    return ForwardFlow(outputs, connections, chosen)

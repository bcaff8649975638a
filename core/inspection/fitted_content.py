"""The content of the stage in the layers of another network: what its layers have in common with those of the model."""

from dataclasses import replace
from difflib import SequenceMatcher

from core.inspection.stage_content import Column, Links, StageContent, most_shown, thin_layers
from core.network.network import Network


def fitted(content: StageContent | None, network: Network, *, all_units: bool = False) -> StageContent:
    """The content for the layers of `network`, which may be another than the model's.

    Layers that the model does not have are empty and `changed`; only connections between two others that follow each
    other in both networks are kept.
    """
    if content is not None and content.network == network:
        return content
    of_model = () if content is None else matching_layers(content.network, network)
    thin = thin_layers(network)
    columns: list[Column] = []
    links: list[Links | None] = []
    before: int | None = -1  # the layer of the model before the present one
    for index in range(len(network.layers)):
        match = of_model[index] if of_model else None
        if content is None or match is None or len(content.columns) != len(content.network.layers):
            columns.append(_empty_column(network, index, all_units, is_thin=thin[index]))
            links.append(None)
            before = None
            continue
        columns.append(replace(content.columns[match], layer=index))
        links.append(content.links[match] if before is not None and before == match - 1 else None)
        before = match
    same_input = content is not None and content.network.input_shape == network.input_shape
    return StageContent(
        network,
        _names_for(content, network),
        tuple(columns),
        tuple(links),
        content.input if content and same_input else None,
        content.answers if content else None,
        content.surface if content and same_input else None,
    )


def _names_for(content: StageContent | None, network: Network) -> tuple[str, ...]:
    """The names of the answers; those of the model where it has as many."""
    if content is not None and len(content.classes) == network.outputs:
        return content.classes
    return ()


def _empty_column(network: Network, layer: int, all_units: bool, *, is_thin: bool) -> Column:
    count = network.shapes[layer + 1][-1]
    limit = most_shown(network, layer, all_units=all_units)
    shown = () if is_thin else tuple(range(min(count, limit)))
    return Column(layer, count, shown, thin=is_thin, changed=True)


def matching_layers(old: Network, new: Network) -> tuple[int | None, ...]:
    """For each layer of `new` the index of the same layer, with weights of the same shape, in `old`."""
    matches: list[int | None] = [None] * len(new.layers)
    for block in SequenceMatcher(
        None, _descriptions(old), _descriptions(new), autojunk=False
    ).get_matching_blocks():
        for offset in range(block.size):
            matches[block.b + offset] = block.a + offset
    return tuple(matches)


def _descriptions(network: Network) -> list[tuple[object, ...]]:
    return list(zip(network.layers, network.weight_shapes, network.shapes[1:], strict=True))

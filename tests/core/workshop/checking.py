"""A check of a kernel in one call."""

from core.workshop.check import iter_check, with_expected
from core.workshop.launch import parse_launch


def check(
    source,
    args,
    grid="",
    block="",
    sizes="",
    *,
    expect="",
    name="",
    shared="",
    launches="",
    inputs=None,
    **options,
):
    """The verdict; the texts are those of docs/workshop.md, `options` those of `iter_check`."""
    launch = parse_launch(
        name, args, grid, block, sizes, shared=shared, launches=launches, inputs=inputs or {}
    )
    *_, verdict = iter_check(source, with_expected(launch, expect), **options)
    return verdict

"""The activations, one module each. `ACTIVATIONS` maps names to classes, in the order in which
menus show them.

In compiled loops and CUDA kernels an activation is a number: `CODES[name]`, its position.
"""

from collections.abc import Callable, Sequence
from textwrap import indent
from typing import Any

from kernels.activations.activation import Activation
from kernels.discovery import classes_in

ACTIVATIONS: dict[str, type[Activation]] = {
    cls.name: cls for cls in classes_in(__name__, __path__, Activation)
}
NAMES: tuple[str, ...] = tuple(ACTIVATIONS)
CODES: dict[str, int] = {name: code for code, name in enumerate(NAMES)}
LINEAR = CODES["linear"]

Function = Callable[..., Any]


def by_code(signature: str, body: str, functions: Sequence[Function], **names: Any) -> Function:
    """The function `signature`, NAME(ARGUMENTS, code), whose body has `f` for functions[code]; no
    other has its name.

    Compiled code cannot index functions of different types: its text has a branch for each of them.
    `names`: what else the body uses.
    """
    lines = [f"def {signature}:"]
    last = len(functions) - 1
    for code in range(len(functions)):
        condition = f"elif code == {code}:"
        if code == 0:
            condition = "if code == 0:"
        elif code == last:
            condition = "else:"
        lines += [f"    {condition}", indent(body.replace("f(", f"f{code}("), " " * 8)]
    names |= {f"f{code}": function for code, function in enumerate(functions)}
    defined: dict[str, Function] = {}
    # The compiler's cache names its files after module and function.
    exec(compile("\n".join(lines), __file__, "exec"), names | {"__name__": __name__}, defined)
    return defined.popitem()[1]


__all__ = ["ACTIVATIONS", "CODES", "LINEAR", "NAMES", "Activation", "by_code"]

"""The activations y = f(z) and their derivatives for one number, as compiled loops use them.

activate(z, code) is f(z) for the activation with this code (`kernels.activations.CODES`), and
derivative(y, code) is f'(z), computed from y = f(z), or from z where the activation needs it: the
formulas of its class, in float64.
"""

from kernels.activations import ACTIVATIONS, by_code
from kernels.compiled import compiled, compiled_part

activate = compiled(
    by_code(
        "activate(z, code)",
        "return f(z, float)",
        [compiled_part(cls.value) for cls in ACTIVATIONS.values()],
    )
)
derivative = compiled(
    by_code(
        "derivative(y, code)",
        "return f(y, float)",
        [compiled_part(cls.derivative) for cls in ACTIVATIONS.values()],
    )
)

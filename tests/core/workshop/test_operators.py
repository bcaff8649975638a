from core.workshop.operators import operator_forms


def test_an_operator_is_shown_in_four_forms():
    forms = operator_forms("dense")
    assert list(forms) == ["formula", "reference", "ladder", "kernel"]
    assert "out (n, o) = f(x (n, i) · w (i, o) + b (o,))" in forms["formula"]
    assert "out[n, o] += x[n, i] * w[i, o]" in forms["reference"]
    assert "total += x[row, k] * w[k, column]" in forms["ladder"]
    assert "syncthreads" in forms["kernel"]  # the tiled product behind the method
    assert "noqa" not in "".join(forms.values())


def test_every_operator_of_a_step_has_a_formula_and_a_loop():
    for name in (
        "convolve",
        "max_pool",
        "softmax_cross_entropy",
        "adam",
        "gather",
        "dropout",
        "normalize",
    ):
        forms = operator_forms(name)
        assert {"formula", "reference", "kernel"} <= forms.keys(), name
        assert "cuda" not in forms["reference"], name

"""State dictionaries of PyTorch become models; arrays that are of no layer are refused by the
layer's name.
"""

from itertools import pairwise
from runpy import run_path

import numpy as np
import pytest
from safetensors.numpy import save_file

from core.errors import InputError
from core.importing import building, import_model, import_note
from core.inference.model_file import load_model
from core.network.parameters import channels_first, views
from tests.core.export.cases import answers, make_model, some_images

LENET = "6C5-MP2-16C5:valid-MP2-120N-84N-10N"


def state_dict(model, names):
    """The model's arrays as PyTorch arranges them, under these names of layers."""
    layers = [arrays for arrays in channels_first(model.network, model.parameters) if arrays]
    return {
        f"{name}.{part}": np.ascontiguousarray(array)
        for name, arrays in zip(names, layers, strict=True)
        for part, array in zip(
            ("weight", "bias", "running_mean", "running_var"), arrays, strict=False
        )
    }


def test_dense_layers_need_no_notation(tmp_path):
    model = make_model("dense")
    save_file(state_dict(model, ["layers.9", "layers.10"]), tmp_path / "d.safetensors")
    back = import_model(tmp_path / "d.safetensors", activation="sigmoid")
    assert back.network == model.network
    assert back.activation == "sigmoid"
    np.testing.assert_array_equal(answers(back, some_images()), answers(model, some_images()))


def test_convolutions_need_a_notation(tmp_path):
    model = make_model("convolutions")
    path = tmp_path / "d.safetensors"
    save_file(state_dict(model, ["features.0", "features.3", "classifier.1", "classifier.3"]), path)
    back = import_model(path, model.network.text, "relu")
    assert back.network == model.network
    np.testing.assert_array_equal(back.parameters, model.parameters)
    with pytest.raises(InputError, match=r"“features\.0” is a convolution.*name the network"):
        import_model(path)


def test_batch_normalizations_bring_their_statistics(tmp_path):
    model = make_model("normalized")
    arrays = state_dict(model, ["b0", "c1", "b1", "b2", "c3", "b3", "d4", "b4", "d5"])
    save_file(arrays | {"b0.num_batches_tracked": np.array(7)}, tmp_path / "d.safetensors")
    back = import_model(tmp_path / "d.safetensors", model.network.text, "leaky-relu")
    assert (back.network, back.activation) == (model.network, model.activation)
    np.testing.assert_array_equal(back.parameters, model.parameters)


def test_layers_without_biases_before_a_batch_normalization(tmp_path):
    model = make_model("normalized")
    layers = list(views(model.network, model.parameters))
    for layer, after in pairwise(layers):
        if layer is not None and after is not None and after.means is not None:
            layer.biases[:] = 0
    names = ["b0", "c1", "b1", "b2", "c3", "b3", "d4", "b4", "d5"]
    arrays = state_dict(model, names)
    left_out = [name for name in arrays if name.endswith(".bias") and not arrays[name].any()]
    assert {"c1.bias", "d4.bias"} <= set(left_out)
    save_file({n: a for n, a in arrays.items() if n not in left_out}, tmp_path / "d.safetensors")
    back = import_model(tmp_path / "d.safetensors", model.network.text, "leaky-relu")
    np.testing.assert_array_equal(back.parameters, model.parameters)


def test_strides_and_padding_that_no_file_states_have_to_be_accepted(tmp_path, capsys):
    """PyTorch's Conv2d(1, 8, 3, stride=2, padding=1) has as many outputs as 8C3:s2, of other
    pixels.
    """
    from main import main

    arrays = {
        "c.weight": (8, 1, 3, 3),
        "c.bias": (8,),
        "d.weight": (10, 8 * 14 * 14),
        "d.bias": (10,),
    }
    source, target = tmp_path / "d.safetensors", tmp_path / "m.safetensors"
    save_file({name: np.ones(shape, np.float32) for name, shape in arrays.items()}, source)
    command = ["import", str(source), str(target), "--network", "8C3:s2-10N"]
    assert main(command) == 2
    said = capsys.readouterr().err
    assert (
        "8C3:s2 has stride 2 and 0 above / 1 below / 0 left / 1 right of zeros, which no "
        "nn.Conv2d has" in said
    )
    assert "import it with --assume-padding" in said
    assert not target.exists()
    assert main([*command, "--assume-padding"]) == 0
    assert target.exists()
    assert import_note(source, make_model("dense")) is None
    assert import_note("m.onnx", make_model("convolutions")) is None
    assert "6C5 has stride 1 and padding=2" in str(import_note(source, make_model("convolutions")))


def test_dense_layers_with_batch_normalization_need_no_notation(tmp_path):
    rng = np.random.default_rng(0)
    arrays = {"0.weight": (6, 784), "0.bias": (6,), "3.weight": (10, 6), "3.bias": (10,)}
    arrays |= dict.fromkeys(("1.weight", "1.bias", "1.running_mean", "1.running_var"), (6,))
    arrays = {name: rng.random(shape, np.float32) for name, shape in arrays.items()}
    save_file(arrays, tmp_path / "d.safetensors")
    back = import_model(tmp_path / "d.safetensors", activation="tanh")
    assert (back.network.text, back.activation) == ("6N-BN-10N", "tanh")
    x = some_images()
    sums = x.reshape(len(x), -1) / 255 @ arrays["0.weight"].T + arrays["0.bias"]
    normalized = (sums - arrays["1.running_mean"]) / np.sqrt(arrays["1.running_var"] + 1e-5)
    hidden = np.tanh(arrays["1.weight"] * normalized + arrays["1.bias"])
    scores = np.exp(hidden @ arrays["3.weight"].T + arrays["3.bias"])
    np.testing.assert_allclose(answers(back, x), scores / scores.sum(1, keepdims=True), rtol=1e-4)


def test_the_command_writes_a_model(tmp_path, capsys):
    from main import main

    model = make_model("convolutions")
    source, target = tmp_path / "d.safetensors", tmp_path / "m.safetensors"
    save_file(state_dict(model, ["c1", "c2", "f1", "f2"]), source)
    assert (
        main(
            [
                "import",
                str(source),
                str(target),
                "--assume-padding",
                "--network",
                model.network.text,
            ]
        )
        == 0
    )
    np.testing.assert_array_equal(load_model(target).parameters, model.parameters)
    assert main(["import", str(source), str(source)]) == 2
    assert "is the file to import" in capsys.readouterr().err


BAD = {
    "running_mean": ({"bn.weight": (8,), "bn.bias": (8,), "bn.running_mean": (8,)}, "“bn”"),
    "group normalization": ({"gn.weight": (8,), "gn.bias": (8,)}, "“gn”"),
    "no bias": (
        {"bn.weight": (8,), "bn.running_mean": (8,), "bn.running_var": (8,)},
        "“bn” has a weight and no bias",
    ),
    "recurrent": ({"rnn.weight_ih_l0": (4, 4)}, "“rnn”"),
    "three dimensions": ({"conv1d.weight": (4, 4, 3), "conv1d.bias": (4,)}, "“conv1d”"),
    "not a chain": (
        {"a.weight": (5, 784), "a.bias": (5,), "b.weight": (10, 6), "b.bias": (10,)},
        "“b” takes 6",
    ),
    "short bias": ({"a.weight": (10, 784), "a.bias": (9,)}, "a.bias"),
}


@pytest.mark.parametrize("case", BAD)
def test_other_layers_are_refused_by_their_name(tmp_path, case):
    shapes, message = BAD[case]
    save_file(
        {name: np.ones(shape, np.float32) for name, shape in shapes.items()},
        tmp_path / "d.safetensors",
    )
    with pytest.raises(InputError, match=message):
        import_model(tmp_path / "d.safetensors")


def test_arrays_that_the_network_has_not_are_refused(tmp_path):
    path = tmp_path / "d.safetensors"
    save_file(state_dict(make_model("dense"), ["a", "b"]), path)
    with pytest.raises(InputError, match="no weights of shape"):
        import_model(path, LENET)
    extra = state_dict(make_model("dense"), ["a", "b"]) | state_dict(
        make_model("dense"), ["c", "d"]
    )
    save_file(extra, path)
    with pytest.raises(InputError, match="layer “c”"):
        import_model(path, "784-20-10")


def test_a_model_of_this_program_is_opened_not_imported(tmp_path):
    make_model("dense").save(tmp_path / "m.safetensors")
    with pytest.raises(InputError, match="already: open it"):
        import_model(tmp_path / "m.safetensors")


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04" + bytes(100), b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19." * 9]
)
@pytest.mark.parametrize("read", [import_model, load_model])
def test_a_pickle_is_refused_with_what_to_do(tmp_path, content, read):
    """A file that torch.save wrote is a zip archive of pickles, or pickles one after the other in
    its older form.
    """
    path = tmp_path / "m.pth"
    path.write_bytes(content)
    with pytest.raises(
        InputError,
        match=r'safetensors\.torch\.save_file\(net\.state_dict\(\), "net\.safetensors"\)',
    ):
        read(path)


@pytest.mark.parametrize("name", ["²", "fc²", "9" * 5000])
def test_layers_may_have_any_digits_in_their_names(tmp_path, name):
    path = tmp_path / "digits.safetensors"
    save_file(
        {
            f"{name}.weight": np.eye(10, 784, dtype=np.float32),
            f"{name}.bias": np.zeros(10, np.float32),
        },
        path,
    )
    assert import_model(path).network.text == "784-10"


def test_no_file_is_read_that_would_fill_half_of_the_memory(install_memory):
    install_memory(3_000_000_000)
    assert run_path(building.__file__)["MAX_BYTES"] == 500_000_000

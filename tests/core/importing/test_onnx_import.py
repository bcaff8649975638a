"""ONNX files become models with the same answers; what is no layer of this program is refused by
its name.
"""

import json
import os

import numpy as np
import pytest

from core.errors import InputError
from core.importing import import_model
from core.importing.building import MAX_BYTES
from core.inference.engine import Engine
from core.inference.model_file import load_model
from tests.core.export.cases import (
    NETWORKS,
    TOGETHER,
    answers,
    export_to,
    make_model,
    make_value_model,
    some_images,
)

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402 - only where it is installed
from onnx.reference import ReferenceEvaluator  # noqa: E402

RANDOM = np.random.default_rng(8)


def array(name, *shape):
    return numpy_helper.from_array(RANDOM.normal(size=shape).astype(np.float32) * 0.2, name)


def chain(*nodes):
    """Nodes, each on the output of the one before: (operator, constants, attributes)."""
    made, value = [], "input"
    for number, (operator, constants, attributes) in enumerate(nodes):
        output = f"v{number}"
        made.append(
            helper.make_node(
                operator, [value, *constants], [output], name=f"node{number}", **attributes
            )
        )
        value = output
    return made, value


def write(path, nodes, arrays=(), shape=("n", 1, 28, 28), kind=TensorProto.FLOAT, **options):
    made, value = chain(*nodes)
    graph = helper.make_graph(
        made, "test",
        [helper.make_tensor_value_info("input", kind, shape)],
        [helper.make_tensor_value_info(value, TensorProto.FLOAT, ["n", 10])],
        list(arrays),
    )  # fmt: skip
    path.write_bytes(helper.make_model(graph, **options).SerializeToString())
    return path


@pytest.mark.parametrize("name", NETWORKS)
def test_an_exported_model_comes_back(tmp_path, name):
    model, images = make_model(name), some_images()
    back = import_model(export_to(tmp_path, model, ".onnx"))
    np.testing.assert_allclose(answers(back, images), answers(model, images), rtol=0, atol=1e-6)
    assert (back.classes, back.kind, back.loss) == (model.classes, model.kind, model.loss)
    if name in TOGETHER and "D20" not in model.network.text and "linear" not in name:
        assert (back.network, back.activation) == (model.network, model.activation)


@pytest.mark.parametrize("epsilon", [1e-3, 1e-5, 1e-6])
def test_another_epsilon_of_batch_normalization_gives_the_same_answers(tmp_path, epsilon):
    arrays = [array("w", 784, 10), array("scale", 1), array("shift", 1), array("mean", 1)]
    arrays.append(numpy_helper.from_array(np.array([0.05], np.float32), "variance"))
    normalize = ("BatchNormalization", ["scale", "shift", "mean", "variance"], {"epsilon": epsilon})
    nodes = [normalize, ("Flatten", [], {}), ("MatMul", ["w"], {})]
    model = import_model(write(tmp_path / "m.onnx", nodes, arrays))
    w, scale, shift, mean = (numpy_helper.to_array(a) for a in arrays[:4])
    x = some_images()
    z = (scale * (x / 255 - mean) / np.sqrt(0.05 + epsilon) + shift).reshape(len(x), -1) @ w
    expected = np.exp(z - z.max(1, keepdims=True))
    np.testing.assert_allclose(
        answers(model, x), expected / expected.sum(1, keepdims=True), rtol=2e-3, atol=1e-6
    )


def test_a_regression_comes_back(tmp_path):
    model = make_value_model()
    back = import_model(export_to(tmp_path, model, ".onnx"))
    assert back.network == model.network
    assert (back.kind, back.activation) == ("regression", "tanh")
    np.testing.assert_array_equal(back.parameters, model.parameters)


def test_the_command_writes_an_ordinary_model(tmp_path, capsys):
    from main import main

    source, target = (
        export_to(tmp_path, make_model("dense"), ".onnx"),
        tmp_path / "back.safetensors",
    )
    assert main(["import", str(source), str(target)]) == 0
    assert "784-20-10, 15,910 parameters" in capsys.readouterr().out
    np.testing.assert_array_equal(load_model(target).parameters, make_model("dense").parameters)


CONVOLUTION = ("Conv", ["w1", "b1"], {"pads": [2, 2, 2, 2]})
POOL = ("MaxPool", [], {"kernel_shape": [2, 2], "strides": [2, 2]})
FLAT = ("Flatten", [], {})
DENSE = ("Gemm", ["w2", "b2"], {"transB": 1})
ARRAYS = [array("w1", 4, 1, 5, 5), array("b1", 4), array("w2", 10, 4 * 14 * 14), array("b2", 10)]


CHANNELS_LAST = ("Transpose", [], {"perm": [0, 2, 3, 1]})


@pytest.mark.parametrize(
    "average",
    [
        [("GlobalAveragePool", [], {}), FLAT],
        [("ReduceMean", [], {"axes": [2, 3], "keepdims": 0})],
        [CHANNELS_LAST, ("ReduceMean", [], {"axes": [-3, -2], "keepdims": 1}), FLAT],
        [CHANNELS_LAST, ("ReduceMean", ["axes"], {"keepdims": 0})],
    ],
    ids=["pytorch", "before version 18", "channels last", "keras"],
)
def test_the_mean_of_each_map_is_a_dense_layer(tmp_path, average):
    arrays = [*ARRAYS, array("w", 10, 4), numpy_helper.from_array(np.array([1, 2]), "axes")]
    nodes = [CONVOLUTION, ("Relu", [], {}), POOL, *average, ("Gemm", ["w", "b2"], {"transB": 1})]
    version = [helper.make_opsetid("", 18 if "axes" in str(average[-1][1]) else 13)]
    path = write(tmp_path / "m.onnx", nodes, arrays, opset_imports=version)
    images = some_images()
    pixels = images.reshape(-1, 1, 28, 28).astype(np.float32) / 255
    (expected,) = ReferenceEvaluator(str(path)).run(None, {"input": pixels})
    model = import_model(path)
    assert model.network.text.endswith("-MP2-4N:linear-10N")
    sums = Engine(model).outputs(images)[-1]
    np.testing.assert_allclose(sums, expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize(
    ("nodes", "name"),
    [([("LeakyRelu", [], {"alpha": 0.3})], "LeakyRelu 0.3"), ([("Elu", [], {})], "Elu")],
)
def test_another_activation_is_named_with_those_that_are_there(tmp_path, nodes, name):
    path = write(tmp_path / "m.onnx", [CONVOLUTION, *nodes, POOL, FLAT, DENSE], ARRAYS)
    words = rf"“node1” \({name}.*train the network with one of sigmoid.*relu.*, and export it again"
    with pytest.raises(InputError, match=words):
        import_model(path)


def test_an_activation_may_follow_the_pooling(tmp_path):
    """As in F.relu(F.max_pool2d(conv(x), 2)) of PyTorch's examples."""
    relu = ("Relu", [], {})
    after = import_model(write(tmp_path / "a.onnx", [CONVOLUTION, POOL, relu, FLAT, DENSE], ARRAYS))
    before = import_model(
        write(tmp_path / "b.onnx", [CONVOLUTION, relu, POOL, FLAT, DENSE], ARRAYS)
    )
    assert after.network.text == before.network.text == "4C5-MP2-10N"
    np.testing.assert_array_equal(after.parameters, before.parameters)


def test_weights_of_a_product_and_an_addition(tmp_path):
    nodes = [
        ("Reshape", ["shape"], {}),
        ("MatMul", ["w"], {}),
        ("Add", ["b"], {}),
        ("Softmax", [], {"axis": -1}),
    ]
    shape = numpy_helper.from_array(np.array([-1, 784], np.int64), "shape")
    arrays = [shape, array("w", 784, 10), array("b", 10)]
    model = import_model(write(tmp_path / "m.onnx", nodes, arrays))
    images = some_images(3)
    z = images.reshape(3, 784) / np.float32(255) @ numpy_helper.to_array(arrays[1])
    z = np.exp(z + numpy_helper.to_array(arrays[2]))
    np.testing.assert_allclose(answers(model, images), z / z.sum(axis=1, keepdims=True), atol=1e-6)


def test_the_mnist_network_of_the_model_zoo_is_imported(tmp_path):
    """As its document describes it: a batch of one, weights that are reshaped, sums after layers."""
    runtime = pytest.importorskip("onnxruntime")
    sizes = {"flat": [1, 256], "matrix": [256, 10]}
    arrays = [numpy_helper.from_array(np.array(v, np.int64), k) for k, v in sizes.items()]
    arrays += [array("w1", 8, 1, 5, 5), array("b1", 8, 1, 1), array("w2", 16, 8, 5, 5)]
    arrays += [array("b2", 16, 1, 1), array("w3", 16, 4, 4, 10), array("b3", 1, 10)]
    same = {"auto_pad": "SAME_UPPER", "strides": [1, 1], "kernel_shape": [5, 5]}
    three = {"kernel_shape": [3, 3], "strides": [3, 3], "auto_pad": "NOTSET", "pads": [0, 0, 0, 0]}
    nodes, value = chain(
        ("Conv", ["w1"], same), ("Add", ["b1"], {}), ("Relu", [], {}), POOL,
        ("Conv", ["w2"], same), ("Add", ["b2"], {}), ("Relu", [], {}), ("MaxPool", [], three),
        ("Reshape", ["flat"], {}), ("MatMul", ["reshaped"], {}), ("Add", ["b3"], {}),
    )  # fmt: skip
    nodes.insert(0, helper.make_node("Reshape", ["w3", "matrix"], ["reshaped"]))
    graph = helper.make_graph(
        nodes, "zoo",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 1, 28, 28])],
        [helper.make_tensor_value_info(value, TensorProto.FLOAT, [1, 10])],
        arrays,
    )  # fmt: skip
    file = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 8)], ir_version=3)
    (tmp_path / "m.onnx").write_bytes(file.SerializeToString())
    model, x = import_model(tmp_path / "m.onnx"), some_images(1)
    assert model.network.text == "8C5-MP2-16C5-MP3-10N"
    session = runtime.InferenceSession(file.SerializeToString())
    [z] = session.run(None, {"input": x.transpose(0, 3, 1, 2).astype(np.float32) / 255})
    expected = np.exp(z - z.max()) / np.exp(z - z.max()).sum()
    np.testing.assert_allclose(answers(model, x), expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize(
    "nodes",
    [
        [("Transpose", [], {"perm": [2, 1, 0, 3]}), FLAT, DENSE],  # images among each other
        [("Reshape", ["shape"], {}), DENSE],
        [CONVOLUTION, POOL, ("Transpose", [], {"perm": [0, 2, 3, 1]}), CONVOLUTION],
        [CONVOLUTION, POOL, ("Sub", ["wide"], {}), FLAT, DENSE],
    ],
)
def test_an_order_that_no_layer_has_is_refused(tmp_path, nodes):
    shape = numpy_helper.from_array(np.array([-1, 196], np.int64), "shape")
    arrays = [*ARRAYS, shape, array("wide", 3, 4, 14, 14)]
    with pytest.raises(InputError, match="is none that this program has"):
        import_model(write(tmp_path / "m.onnx", nodes, arrays))


def test_constants_do_not_fill_the_memory(tmp_path, monkeypatch):
    path = write(tmp_path / "m.onnx", [FLAT, DENSE], ARRAYS)
    file = onnx.load_model_from_string(path.read_bytes())
    for number in range(40):
        added = helper.make_node("Add", ["w2", "w2"], [f"c{number}"])
        file.graph.node.insert(0, added)
    path.write_bytes(file.SerializeToString())
    monkeypatch.setattr("core.importing.onnx_graph.MAX_BYTES", 10 * 7840 * 4)
    with pytest.raises(InputError, match="constants that are too large"):
        import_model(path)


def write_classifier(path, names, of="probabilities", zip_map=True):
    """A network with labels beside its probabilities, as skl2onnx writes scikit-learn's
    MLPClassifier.
    """
    arrays = [array("w", 784, 10), array("b", 10)]
    made, value = chain(
        ("Cast", [], {"to": 1}),
        ("MatMul", ["w"], {}),
        ("Add", ["b"], {}),
        ("Softmax", [], {"axis": 1}),
    )
    ml, output = {"domain": "ai.onnx.ml"}, helper.make_tensor_value_info
    made += [
        helper.make_node("Identity", [value], ["probabilities"]),
        helper.make_node("ArgMax", [of], ["best"], axis=1),
        helper.make_node("ArrayFeatureExtractor", ["classes", "best"], ["names"], **ml),
        helper.make_node("Cast", ["names"], ["cast"], to=TensorProto.INT64),
        helper.make_node("Reshape", ["cast", "shape"], ["label"]),
        helper.make_node(
            "ZipMap", ["probabilities"], ["by_name"], classlabels_int64s=range(10), **ml
        ),
    ][: 6 if zip_map else 5]
    outputs = [output("label", TensorProto.INT64, ["n"])]
    outputs += [output("by_name" if zip_map else "probabilities", TensorProto.FLOAT, ["n", 10])]
    arrays += [
        numpy_helper.from_array(names, "classes"),
        numpy_helper.from_array(np.array([-1]), "shape"),
    ]
    graph = helper.make_graph(
        made, "t", [output("input", TensorProto.FLOAT, ["n", 784])], outputs, arrays
    )
    path.write_bytes(helper.make_model(graph).SerializeToString())
    return path, *map(numpy_helper.to_array, arrays[:2])


@pytest.mark.parametrize("zip_map", [True, False])
@pytest.mark.parametrize("names", [np.arange(10, 0, -1), np.array(list("abcdefghij"), object)])
def test_a_classifier_of_scikit_learn_brings_its_labels(tmp_path, names, zip_map):
    path, weights, biases = write_classifier(tmp_path / "m.onnx", names, zip_map=zip_map)
    model, images = import_model(path), some_images(3)
    assert model.classes == tuple(map(str, names))
    z = np.exp(images.reshape(3, 784) / np.float32(255) @ weights + biases)
    np.testing.assert_allclose(answers(model, images), z / z.sum(axis=1, keepdims=True), atol=1e-6)


@pytest.mark.parametrize("of", ["v1", "nowhere"])
def test_labels_of_other_values_are_refused(tmp_path, of):
    path, *_ = write_classifier(tmp_path / "m.onnx", np.arange(10), of)
    with pytest.raises(InputError, match="ArgMax before the last layer"):
        import_model(path)


def test_a_shape_that_doubles_is_refused(tmp_path):
    """Sixty such operators would make more numbers than there is memory for."""
    nodes = [helper.make_node("Shape", ["input"], ["s0"])]
    nodes += [helper.make_node("Concat", [f"s{k}"] * 2, [f"s{k + 1}"], axis=0) for k in range(60)]
    nodes.append(helper.make_node("Reshape", ["input", "s60"], ["flat"]))
    graph = helper.make_graph(
        nodes, "t",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, ["n", 1, 28, 28])],
        [helper.make_tensor_value_info("flat", TensorProto.FLOAT, None)],
    )  # fmt: skip
    (tmp_path / "m.onnx").write_bytes(helper.make_model(graph).SerializeToString())
    with pytest.raises(InputError, match="“s3” \\(Concat\\) is none that this program has"):
        import_model(tmp_path / "m.onnx")


def test_inputs_of_bytes_are_refused(tmp_path):
    """Their cast to floats would be of pixels from 0 to 255, which are 0 to 1 here."""
    nodes = [("Cast", [], {"to": 1}), CONVOLUTION, POOL, FLAT, DENSE]
    with pytest.raises(InputError, match="needed are floats"):
        import_model(write(tmp_path / "m.onnx", nodes, ARRAYS, kind=TensorProto.UINT8))


REFUSED = {
    "an unknown operator": [("InstanceNormalization", ["b1", "b1"], {})],
    "two activations": [("Relu", [], {}), ("Tanh", [], {})],
    "another slope": [("LeakyRelu", [], {"alpha": 0.3})],
    "the mean of all values": [("ReduceMean", [], {"keepdims": 0})],
    "the mean of images": [("ReduceMean", [], {"axes": [0, 1]})],
    "overlapping means": [("AveragePool", [], {"kernel_shape": [2, 2]})],
    "an activation after average pooling": [
        ("AveragePool", [], {"kernel_shape": [2, 2], "strides": [2, 2]}),
        ("Relu", [], {}),
    ],
    "statistics of the batch": [("BatchNormalization", ["b1"] * 4, {"training_mode": 1})],
    "an epsilon of text": [("BatchNormalization", ["b1"] * 4, {"epsilon": "abc"})],
    "statistics of texts": [("BatchNormalization", ["b1", "b1", "b1", "texts"], {})],
    "complex biases": [("Add", ["complex"], {})],
    "statistics of other maps": [("BatchNormalization", ["b2"] * 4, {})],
    "overlapping pooling": [("MaxPool", [], {"kernel_shape": [3, 3], "strides": [2, 2]})],
    "half precision": [("Cast", [], {"to": TensorProto.FLOAT16})],
    "another domain": [("Relu", [], {"domain": "elsewhere"})],
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_unknown_layer_is_refused_by_its_name(tmp_path, case):
    bad = REFUSED[case]
    others = {"texts": np.array(list("abcd"), object), "complex": np.ones(4, np.complex64)}
    arrays = [
        *ARRAYS,
        *(numpy_helper.from_array(numbers, name) for name, numbers in others.items()),
    ]
    path = write(tmp_path / "m.onnx", [CONVOLUTION, *bad, POOL, FLAT, DENSE], arrays)
    with pytest.raises(
        InputError, match=rf"the layer “node{len(bad)}” \(.*\) is none that this program has"
    ):
        import_model(path)


@pytest.mark.parametrize(
    "attributes", [{"pads": [1, 1, 1, 1]}, {"group": 2}, {"dilations": [2, 2]}, {"strides": [3, 3]}]
)
def test_other_convolutions_are_refused(tmp_path, attributes):
    convolution = ("Conv", ["w1", "b1"], {"pads": [2, 2, 2, 2], **attributes})
    with pytest.raises(InputError, match=r"“node0” \(Conv with"):
        import_model(write(tmp_path / "m.onnx", [convolution, POOL, FLAT, DENSE], ARRAYS))


@pytest.mark.parametrize("kind", ["Relu", "Constant"])
def test_an_operator_without_an_output_is_refused(tmp_path, kind):
    path = write(tmp_path / "m.onnx", [("Relu", [], {}), FLAT, DENSE], ARRAYS)
    file = onnx.load_model_from_string(path.read_bytes())
    file.graph.node[0].op_type = kind
    del file.graph.node[0].output[:]
    path.write_bytes(file.SerializeToString())
    with pytest.raises(InputError, match="it has no output"):
        import_model(path)


def test_another_function_of_the_same_name_is_refused(tmp_path):
    path = export_to(tmp_path, make_model("squared error"), ".onnx")
    file = onnx.load_model_from_string(path.read_bytes())
    file.functions[0].node[-1].op_type = "Sub"
    path.write_bytes(file.SerializeToString())
    with pytest.raises(InputError, match=r"digitlab\.ClippedLeakyRelu"):
        import_model(path)


def external(tmp_path):
    """A file with its weights in a second one, m.onnx.data, as PyTorch's exporter writes it by
    default.
    """
    arrays = [*ARRAYS, numpy_helper.from_array(np.array([-1, 4 * 14 * 14], np.int64), "shape")]
    path = write(
        tmp_path / "m.onnx", [CONVOLUTION, POOL, ("Reshape", ["shape"], {}), DENSE], arrays
    )
    file = onnx.load_model_from_string(path.read_bytes())
    options = {"all_tensors_to_one_file": True, "location": "m.onnx.data", "size_threshold": 0}
    onnx.save_model(file, path, save_as_external_data=True, **options)
    return path


def change_external(path, name, **texts):
    file = onnx.load_model_from_string(path.read_bytes())
    tensor = next(tensor for tensor in file.graph.initializer if tensor.name == name)
    texts = {entry.key: entry.value for entry in tensor.external_data} | texts
    del tensor.external_data[:]
    for key, text in texts.items():
        tensor.external_data.add(key=key, value=text)
    path.write_bytes(file.SerializeToString())


def test_weights_in_a_second_file_of_the_folder_are_read(tmp_path):
    model = import_model(external(tmp_path))
    expected = import_model(write(tmp_path / "one.onnx", [CONVOLUTION, POOL, FLAT, DENSE], ARRAYS))
    assert model.network == expected.network
    np.testing.assert_array_equal(model.parameters, expected.parameters)


@pytest.mark.parametrize(
    "place", ["../secret", "folder/secret", "..", "", ".", "a\\b", "C:secret", "/dev/zero", "link"]
)
def test_weights_elsewhere_are_not_read(tmp_path, place):
    (tmp_path / "model" / "folder").mkdir(parents=True)
    path = external(tmp_path / "model")
    for secret in (tmp_path / "secret", path.parent / "folder" / "secret"):
        secret.write_bytes((path.parent / "m.onnx.data").read_bytes())
    if place == "link":
        try:
            (path.parent / "link").symlink_to(tmp_path / "secret")
        except OSError:
            pytest.skip("links need a right here")
    change_external(path, "w2", location=place)
    change_external(path, "w1", location=place)
    with pytest.raises(InputError, match="“w1” lies in another file"):
        import_model(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs")
def test_weights_in_a_device_are_not_read(tmp_path):
    path = external(tmp_path)
    (tmp_path / "m.onnx.data").unlink()
    with pytest.raises(InputError, match=r"m\.onnx\.data does not exist"):
        import_model(path)
    os.mkfifo(tmp_path / "m.onnx.data")
    with pytest.raises(InputError, match="not a regular file"):
        import_model(path)


@pytest.mark.parametrize(
    "texts",
    [{"offset": "999999999"}, {"offset": "-4"}, {"offset": "²"}, {"length": "4"}, {"length": "x"}],
)
def test_places_in_the_second_file_are_checked(tmp_path, texts):
    path = external(tmp_path)
    change_external(path, "w2", **texts)
    with pytest.raises(InputError, match="“w2” cannot be read"):
        import_model(path)


def test_the_limit_holds_for_all_arrays_of_the_second_file(tmp_path, monkeypatch):
    path = external(tmp_path)
    size = (tmp_path / "m.onnx.data").stat().st_size
    change_external(path, "w1", offset="0")
    monkeypatch.setattr("core.importing.onnx_file.MAX_BYTES", size)
    import_model(path)
    file = onnx.load_model_from_string(path.read_bytes())
    again = file.graph.initializer.add()
    again.CopyFrom(next(tensor for tensor in file.graph.initializer if tensor.name == "w2"))
    again.name = "again"
    path.write_bytes(file.SerializeToString())
    with pytest.raises(InputError, match="weights are larger than"):
        import_model(path)


def test_an_array_shorter_than_it_says_is_refused(tmp_path):
    tensor = array("w2", 10, 784)
    tensor.dims[0] = 10**12
    path = write(tmp_path / "m.onnx", [FLAT, DENSE], [tensor, array("b2", 10)])
    with pytest.raises(InputError, match="“w2” cannot be read"):
        import_model(path)


@pytest.mark.parametrize("value", [np.float32("nan"), 1e300])
@pytest.mark.filterwarnings("error")
def test_values_that_are_not_finite_are_refused(tmp_path, value):
    weights = numpy_helper.from_array(np.full((10, 784), value), "w2")
    with pytest.raises(InputError, match="not finite"):
        import_model(write(tmp_path / "m.onnx", [FLAT, DENSE], [weights, array("b2", 10)]))


@pytest.mark.parametrize("content", [b"", b"no protobuf at all", b"\x08\x08" * 40, b"\xff" * 100])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "m.onnx"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"m\.onnx"):
        import_model(path)


def test_a_file_above_the_limit_is_not_read(tmp_path):
    path = export_to(tmp_path, make_model("dense"), ".onnx")
    os.truncate(path, MAX_BYTES + 1)
    with pytest.raises(InputError, match="larger than"):
        import_model(path)


@pytest.mark.parametrize("names", [{"0": "zero"}, ["a\nb", *"123456789"], ["\ud800", *"123456789"]])
def test_class_names_that_no_model_file_can_hold_are_ignored(tmp_path, names):
    path = export_to(tmp_path, make_model("dense"), ".onnx")
    file = onnx.load_model_from_string(path.read_bytes())
    next(p for p in file.metadata_props if p.key == "classes").value = json.dumps(names)
    path.write_bytes(file.SerializeToString())
    assert import_model(path).classes == tuple("0123456789")


@pytest.mark.parametrize(
    ("node", "attribute"),
    [
        (0, "strides"),
        (0, "pads"),
        (0, "kernel_shape"),
        (1, "alpha"),
        (2, "kernel_shape"),
        (2, "strides"),
    ],
)
def test_attributes_of_another_kind_are_refused_or_ignored(tmp_path, node, attribute):
    nodes = [CONVOLUTION, ("LeakyRelu", [], {"alpha": 0.01}), POOL, FLAT, DENSE]
    operator, constants, attributes = nodes[node]
    nodes[node] = operator, constants, {**attributes, attribute: "text"}
    path = write(tmp_path / "m.onnx", nodes, ARRAYS)
    if attribute == "kernel_shape" and node == 0:  # it follows from the weights
        import_model(path)
        return
    with pytest.raises(InputError, match=f"node{node}"):
        import_model(path)

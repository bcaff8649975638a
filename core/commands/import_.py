"""Make a model of an ONNX file, or of a PyTorch state dictionary that was saved as safetensors."""

import argparse
import os
from pathlib import Path

from core.commands.console import Parser, print_line
from core.errors import InputError
from core.importing import import_model, import_note, mean_and_deviation
from core.inference.model_file import MODEL_SUFFIX
from kernels.activations import NAMES


def add_options(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="an .onnx file, or a safetensors file")
    parser.add_argument("model", metavar="MODEL", help="the model file to write, *.safetensors")
    parser.add_argument(
        "--network",
        metavar="TEXT",
        default="",
        help="the layers of a state dictionary, for example 6C5-MP2-16C5:valid-MP2-120N-84N-10N "
        "(default: the dense layers of the file)",
    )
    parser.add_argument(
        "--activation",
        choices=NAMES,
        default="relu",
        help="the activation of the hidden layers of a state dictionary (default: relu)",
    )
    parser.add_argument(
        "--pixels",
        metavar="MEAN,DEVIATION",
        type=mean_and_deviation,
        help="how pixels from 0 to 1 were normalized for the network, for example 0.1307,0.3081: "
        "the model begins with a batch normalization that does it (default: not)",
    )
    parser.add_flag(
        "--assume-padding",
        "import convolutions of a state dictionary with the strides and padding that "
        "--network says",
    )


def execute(options: argparse.Namespace) -> int:
    target = Path(options.model)
    source = Path(options.file)
    if target.suffix.lower() != MODEL_SUFFIX:
        raise InputError("{path}: a model file ends in .safetensors.", path=target)
    # By the file, not the name: two paths may lead to one file.
    if os.path.exists(target) and os.path.exists(source) and target.samefile(source):
        raise InputError(
            "{path} is the file to import: choose another name for the model.", path=target
        )
    model = import_model(source, options.network, options.activation, options.pixels)
    note = import_note(source, model)
    if note is not None and not options.assume_padding:
        advice = " Where they are right, import it with --assume-padding."
        raise InputError(f"{note.template}{advice}", setting="", **note.values)
    # Last: a network whose padding is doubtful must not be written unasked.
    model.save(target)
    print_line(f"{target}: {model.network.text}, {model.network.trained_count:,} parameters")
    if note is not None:
        print_line(note)
    return 0

"""Write a model as a file for other programs; the suffix of the file says which kind."""

import argparse
import os
from pathlib import Path

from core.commands.console import MODEL_HELP, Parser, print_line, progress_bar
from core.data.sources import load_dataset
from core.errors import InputError
from core.export import KINDS, ExportSource, find_exporter
from core.files.atomic import check_writable, write_atomically
from core.importing import open_model
from core.runs.library import model_path, run_of


def add_options(parser: Parser) -> None:
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument(
        "file",
        metavar="FILE",
        help="what to write: " + ", ".join(f"{kind.suffix} ({kind.title})" for kind in KINDS),
    )


def execute(options: argparse.Namespace) -> int:
    exporter = find_exporter(options.file)
    target = Path(options.file)
    path = model_path(options.model)
    # By the file, not the name: two paths may lead to one file.
    if os.path.exists(target) and os.path.exists(path) and target.samefile(path):
        raise InputError("{path} is the model itself: choose another file.", path=target)
    model = open_model(path)
    if not os.path.isdir(target.parent):
        raise InputError(
            "{folder} does not exist: create it, or choose another folder.", folder=target.parent
        )
    # Before the data are loaded, which may take long.
    check_writable(target)
    with progress_bar("Data", "") as show:
        source = ExportSource(model, run_of(model, path), lambda name: load_dataset(name, show))
        # All contents are made before the first file is written: an error leaves none half done.
        files = exporter.files(source, target)
    for written, content in files.items():
        write_atomically(written, content)
        print_line(f"{written}: {exporter.title}, {len(content):,} bytes")
    return 0

"""Write, test, print and publish labs: Markdown files with steps to predict, run, compare and answer."""

import argparse
from pathlib import Path

from core.commands.console import FAILED, Parser, print_line
from core.errors import InputError

SKELETON = """\
# What does a larger step do?

```lab
version = 1
minutes = 15
```

A lab is this text. A line that begins with `##` begins a step. Blocks like the one above are read by the program;
docs/writing-labs.md lists all their keys. Test the lab after each change: `lab check FOLDER`.

```teacher
Pupils never see this. Write here how long it takes, what goes wrong, and what to say.
```

## Predict

The network 784-64-10 learns to read digits in three epochs. It reads them with steps of length 0.1.

```setup
data = "builtin"            # or the name of a file or folder beside this one
network = "784-64-10"
epochs = 3
learning_rate = 0.1
controls = ["learning_rate"]  # the settings that the window shows below the text
```

```predict
id = "rate"
ask = "Which learning rate will learn best?"
choices = ["0.001", "0.1", "10"]
right = "0.1"
```

```predict
id = "curve"
ask = "Draw how the test accuracy will grow with the rate of 0.1."
curve = "test_accuracy"
variant = 2                 # the second of the runs below
```

## Run

```run
id = "rates"
variants = [{ learning_rate = 0.001 }, { learning_rate = 0.1 }, { learning_rate = 10.0 }]
show = "curves"
figures = { test_accuracy = [53.6, 90.7, 9.7] }   # what the text promises; `lab check` trains and compares
tolerance = 1.0
```

```reveal
With 0.001 the network has hardly moved: 53.6 %. With 10 it has jumped to where nothing is learned any more: 9.7 % is
the accuracy of guessing.
```

## Change

```question
id = "larger"
ask = "What would you do with a network that reads 9.7 %?"
[[choices]]
text = "Train it for longer."
misconception = "more training always helps"
reply = "Its units output 0 for every image: there is no gradient to follow, however long it trains."
[[choices]]
text = "Train it anew with a smaller rate."
right = true
```

```task
id = "goal"
ask = "Find a rate that reads more than 91 % after three epochs."
test_accuracy_at_least = 91
epochs_at_most = 3
solution = { learning_rate = 0.3 }                # `lab check` trains it; pupils never see it
```
"""


def add_options(parser: Parser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="new | check | print | page | site", required=True)
    new = actions.add_parser("new", help="write the skeleton of a lab into a new folder")
    new.add_argument("folder", metavar="FOLDER", type=Path)
    check = actions.add_parser(
        "check", help="test a lab: blocks, settings, pictures, and every figure by training"
    )
    check.add_argument("lab", metavar="LAB", type=Path, help="a Markdown file, a folder or a zip file")
    check.add_argument("--no-training", action="store_true", help="do not train: figures are not compared")
    printing = actions.add_parser("print", help="write a lab as an HTML page to print")
    printing.add_argument("lab", metavar="LAB", type=Path, help="a Markdown file, a folder or a zip file")
    printing.add_argument("--out", metavar="FILE.html", type=Path, required=True)
    printing.add_argument("--teacher", action="store_true", help="with answers and the notes for teachers")
    web_page = actions.add_parser("page", help="write a lab as an HTML page to read and try in a browser")
    web_page.add_argument("lab", metavar="LAB", type=Path, help="a Markdown file, a folder or a zip file")
    web_page.add_argument("--out", metavar="FILE.html", type=Path, required=True)
    site = actions.add_parser("site", help="write all labs of a folder as pages with links between them")
    site.add_argument("lab", metavar="FOLDER", type=Path, help="a folder with labs")
    site.add_argument("--out", metavar="DIR", type=Path, required=True)
    for parser in (web_page, site):
        parser.add_argument(
            "--no-training", action="store_true",
            help="do not train: no curves, and the network that comes with the program",
        )  # fmt: skip


def execute(options: argparse.Namespace) -> int:
    if options.action == "new":
        return _new(options.folder)
    if options.action == "check":
        return _check(options.lab, not options.no_training)
    if options.action in ("page", "site"):
        from core.labs.web_page import iter_page, iter_site

        write = iter_page if options.action == "page" else iter_site
        for line in write(options.lab, options.out, not options.no_training):
            print_line(line, flush=True)
        return 0
    from core.files.atomic import write_atomically
    from core.labs.package import open_lab
    from core.labs.sheet import sheet_html

    write_atomically(options.out, sheet_html(open_lab(options.lab), options.teacher).encode(errors="replace"))
    print_line(f"Written: {options.out}")
    return 0


def _new(folder: Path) -> int:
    from core.files.atomic import write_new

    path = folder / "lab.md"
    if not write_new(path, SKELETON.encode()):
        raise InputError("{path} exists: choose another folder.", path=path)
    print_line(f"Written: {path}. Change it in any editor; test it with `lab check {folder}`.")
    return 0


def _check(path: Path, train: bool) -> int:
    from core.labs.check import iter_check
    from core.labs.package import open_lab

    lab = open_lab(path)
    faults = 0
    for finding in iter_check(lab, train):
        print_line(("FAULT " if finding.fault else "") + finding.text, flush=True)
        faults += finding.fault
    print_line(f"{lab.title}: {len(lab.steps)} steps, {len(lab.exercises())} parts to do; faults: {faults}")
    return FAILED if faults else 0

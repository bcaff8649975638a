"""The campaign of odd command lines: options of all subcommands with values that nobody would
type.
"""

import io
import os
import shutil
import sys
from contextlib import chdir, suppress
from pathlib import Path
from random import Random

from core.inference.model_file import load_model
from main import main
from tests.faults.case import Case, check_json, check_message
from tests.faults.readers import TABLES

NUMBERS = (
    "",
    "0",
    "-1",
    "1",
    "2.5",
    "1e308",
    "-1e308",
    "1e-320",
    "nan",
    "inf",
    "1_000",
    "٣",
    "9" * 30,
    "9" * 5000,
    "9223372036854775808",
    "0x10",
    " 1 ",
    "1;1",
    "1,5",
)
TEXTS = (
    "",
    "-",
    "--",
    "x",
    "x" * 5000,
    "784--10",
    "2-3-1",
    "3",
    "2-3N:tanh-1",
    "2-1000000-1000000-1",
    "D50-3-1",
    "{path}",
    "%s%n",
    "a\nb",
    "\udcff",
    "🙂",
    "relu",
    "adam",
    "cosine",
    "he",
    "cross-entropy",
    "squared-error",
    "auto",
    "vectorized",
    "sequential",
    "builtin:",
    "mnist+builtin",
    "rastrigin+",
    "rastrigin:2",
    "rastrigin:-1",
    "default",
    "coursework",
)
PATHS = (
    "table.csv",
    "none",
    "fifo",
    "link",
    "folder",
    "folder/x",
    "file/x",
    "model.safetensors",
    "x" * 300,
    "a\0b",
    "\udcff",
    "run",
    "n" * 245,
)
FLAGS = ("--json", "--confusion", "--nesterov", "--no-nesterov", "--no-training", "--teacher")
WITH_PATH = ("--data", "--out", "--save", "--run", "--resume", "--model")
TRAIN = (
    "--network",
    "--activation",
    "--loss",
    "--optimizer",
    "--momentum",
    "--learning-rate",
    "--schedule",
    "--decay",
    "--decay-epochs",
    "--batch-size",
    "--initialization",
    "--l1",
    "--l2",
    "--target-accuracy",
    "--validation",
    "--patience",
    "--group",
    "--workers",
    "--shift",
    "--rotation",
    "--scale",
    "--shear",
    "--elastic",
    "--thickness",
    "--seed",
    "--device",
    "--preset",
)
# Commands that read or write a file, what they are usually given (names with a point are files),
# and their options.
FILES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "import": (("model.safetensors", "imported.safetensors"), ("--network", "--activation")),
    "export": (("model.safetensors", "net.onnx"), ()),
    "runs": (("show", "last"), ("--out", "--json")),
    "study": (("study.toml",), ("--json",)),
    "lab": (("check", "lab.md"), ("--out", "--no-training", "--teacher")),
    "grade": ((".", "--lab", "lab.md"), ("--out", "--repeat", "--json")),
}
STUDY = """
data = "{data}"
device = "vectorized"
[settings]
network = "2-3-1"
epochs = 1
[vary]
learning_rate = {{ from = 0.001, to = 0.1, count = 2 }}
"""
LAB = """# A lab

```lab
version = 1
minutes = 5
```

## Predict

```predict
id = "rate"
ask = "Which rate?"
choices = ["0.1", "10"]
right = "0.1"
```
"""
SMALL_RUN = (
    "--network",
    "2-3-1",
    "--epochs",
    "1",
    "--target-error",
    "1e30",
    "--device",
    "vectorized",
)


class CommandLines:
    """Makes cases: a subcommand with up to four options. All paths are in a folder that is made
    anew for each.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._place = folder / "place"
        self._model = folder / "model.safetensors"
        (folder / "table.csv").write_text(TABLES[0])
        main(["train", "--data", str(folder / "table.csv"), *SMALL_RUN, "--save", str(self._model)])
        # The bundled model is compiled here, so that no case is charged with it.
        main(["evaluate", "--data", "builtin"])

    def case(self, random: Random) -> Case:
        arguments = self._arguments(random)
        return Case(repr(arguments)[:2000], 0, lambda: self._run(arguments))

    def _arguments(self, random: Random) -> list[str]:
        command = random.choices(
            (
                "train",
                "race",
                "profile",
                "classify",
                "evaluate",
                "data",
                "devices",
                "bench",
                "",
                *FILES,
            ),
            (12, 1, 2, 3, 3, 1, 1, 1, 1, *[2] * len(FILES)),
        )[0]
        if command in ("train", "race", "profile"):
            # The target ends it after one epoch, whatever else it is told.
            start = [command, "--data", self._path("table.csv"), *SMALL_RUN]
            options: tuple[str, ...] = (
                *TRAIN,
                *TRAIN,
                "--data",
                "--json",
                "--nesterov",
                "--no-nesterov",
            )
            if command == "train":
                start += ["--save", self._path("saved.safetensors")]
                options += ("--save", "--run", "--resume")
            elif command == "race":
                start += ["--device", "sequential"]
            else:
                start += ["--steps", "2"]
                options += ("--out",)
        elif command in ("classify", "evaluate"):
            if command == "classify":
                start = [command, self._path(random.choice(PATHS))]
            else:  # few rows: a whole test set takes as long as a command that hangs
                start = [
                    command,
                    "--model",
                    self._path("model.safetensors"),
                    "--data",
                    self._path("table.csv"),
                ]
            options = (
                "--model",
                "--data",
                "--json",
                "--device",
                *(("--out", "--confusion") if command == "evaluate" else ()),
            )
        elif command in FILES:
            usual, options = FILES[command]
            start = [command, *(self._path(word) if "." in word else word for word in usual)]
            for index in range(1, len(start)):
                if random.random() < 0.2:
                    start[index] = (
                        self._path(random.choice(PATHS))
                        if random.random() < 0.7
                        else random.choice(TEXTS)
                    )
        elif command == "data":
            start = ["data", random.choice(("list", "", "fetch"))]
            options = ("--json",)
            if start[1] == "fetch":
                start.append(random.choice(TEXTS))
        elif command == "bench":
            start = ["bench", random.choice([t for t in TEXTS if t != "auto"])]
            options = ("--out", "--json")
        else:
            start = [command or random.choice(("-" + random.choice(TEXTS), "--version", "--help"))]
            options = ("--json",)
        for option in random.choices(options, k=random.randrange(4)) if options else ():
            start += [option, *([] if option in FLAGS else [self._value(option, random)])]
        return start

    def _value(self, option: str, random: Random) -> str:
        if option in WITH_PATH and random.random() < 0.8:
            return self._path(random.choice(PATHS))
        if random.random() < 0.3:
            return random.choice(NUMBERS + TEXTS)
        return random.choice(NUMBERS if random.random() < 0.6 else TEXTS)

    def _path(self, name: str) -> str:
        return str(self._place / name)

    def _run(self, arguments: list[str]) -> str | None:
        shutil.rmtree(self._place, ignore_errors=True)
        (self._place / "folder").mkdir(parents=True)
        (self._place / "file").write_text("")
        os.mkfifo(self._place / "fifo")
        (self._place / "link").symlink_to("/dev/zero")
        shutil.copy(self._folder / "table.csv", self._place)
        (self._place / "study.toml").write_text(STUDY.format(data=self._place / "table.csv"))
        (self._place / "lab.md").write_text(LAB)
        shutil.copy(self._model, self._place)
        place = self._place / "folder"  # which relative names are in
        streams = sys.stdout, sys.stderr
        sys.stdout = _stream(self._folder / "out")
        sys.stderr = _stream(self._folder / "err")
        try:
            with chdir(place):
                code: object = main(arguments)
        except SystemExit as end:
            code = end.code or 0
        finally:
            out = _content(sys.stdout)
            err = _content(sys.stderr)
            sys.stdout, sys.stderr = streams
        with chdir(place):
            return self._judge(arguments, code, out, err)

    def _judge(self, arguments: list[str], code: object, out: str, err: str) -> str | None:
        if code not in (0, 1, 2, 130):
            return f"exit code {code}"
        if fault := check_message(err):
            return fault
        if code == 2 and len(err.strip().splitlines()) != 1:
            return f"not one line on stderr: {err}"
        if (
            "--json" in arguments
            and code == 0
            and not arguments[0].startswith("-")
            and "--help" not in arguments
        ):
            for line in out.splitlines():
                if fault := check_json(line):
                    return fault
        with suppress(ValueError):
            saved = Path(arguments[len(arguments) - 1 - arguments[::-1].index("--save") + 1])
            if code == 0 and arguments[0] == "train":
                load_model(saved)  # an InputError would be taken for a refusal of the command
        if (
            not _loads(self._place / "model.safetensors")
            and str(self._place / "model.safetensors") not in arguments
        ):
            return "a model that the command line does not name was lost"
        return None


def _loads(path: Path) -> bool:
    try:
        load_model(path)
    except Exception:
        return False
    return True


def _stream(path: Path) -> io.TextIOWrapper:
    return path.open("w+", encoding="utf-8", errors="backslashreplace")


def _content(stream: io.TextIOWrapper) -> str:
    with suppress(ValueError):
        stream.seek(0)
        text = stream.read(100_000)
        stream.close()
        return text
    return ""

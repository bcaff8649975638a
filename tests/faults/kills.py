"""The campaign of killed programs: a training is killed at random times and resumed; no file may be
torn or lost.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from core.inference.model_file import load_model
from core.network.notation import parse
from core.runs.folder import RunFolder
from core.runs.library import saved_runs, unfinished_run
from tests.faults.readers import TABLES

ROOT = Path(__file__).resolve().parents[2]
SIGNALS = (
    signal.SIGKILL,
    signal.SIGKILL,
    signal.SIGKILL,
    signal.SIGTERM,
    signal.SIGINT,
    signal.SIGHUP,
)


class Kills:
    """One run in the library, which is killed, an earlier one, and one model file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._table = folder / "table.csv"
        self._table.write_text(TABLES[0])
        self._model = folder / "model.safetensors"
        os.environ["DIGITLAB_HOME"] = str(folder / "home")
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which `nohup` has the programs ignore
        self._epoch = 0
        self._start(["--epochs", "1"]).wait()
        load_model(self._model)
        (self._earlier,) = saved_runs()
        self._run = self._earlier.path.with_name("killed")

    def kill_once(self, random: Random) -> str | None:
        """Start or resume the training, end it by a random signal, check all files. Returns what is
        wrong, or None.
        """
        resumed = (self._run / "checkpoint.safetensors").exists()
        new = ["--run", str(self._run), "--epochs", "1000000"]
        process = self._start(["--resume", str(self._run)] if resumed else new, resumed)
        chosen = random.choice(SIGNALS)
        deadline = time.monotonic() + _patience()
        while not self._has_written() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(random.random() * 2.5)  # a run is saved once a second
        process.send_signal(chosen)
        try:
            _, err = process.communicate(timeout=_patience())
        except subprocess.TimeoutExpired:
            process.kill()
            return f"still running a minute and more after {chosen.name}"
        if "Traceback" in err:
            return f"{chosen.name}: {err}"
        return self._check(chosen)

    def _start(self, options: list[str], resumed: bool = False) -> subprocess.Popen[str]:
        self._started = time.time()
        command = [sys.executable, "main.py", "train", "--save", str(self._model), *options]
        if not resumed:
            command += ["--data", str(self._table), "--network", "2-8-1", "--device", "vectorized"]
        return subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )

    def _has_written(self) -> bool:
        try:
            return (self._run / "checkpoint.safetensors").stat().st_mtime > self._started
        except OSError:
            return False

    def _check(self, chosen: signal.Signals) -> str | None:
        try:
            load_model(self._model)
            load_model(self._earlier.model_path)
            folder = RunFolder(self._run)
            if not folder.checkpoint.exists:  # killed before the first one
                return None
            if folder.model_path.exists():
                load_model(folder.model_path)
            if (offered := unfinished_run()) is None or offered[0].path != folder.path:
                return f"after {chosen.name}: the next start offers {offered}"
            info = folder.read_info()
            checkpoint = folder.checkpoint.read(parse(info.network, (2,), 1), info.plan.settings)
            if checkpoint is not None:
                folder.read_history(checkpoint.epoch)
                folder.best.read(parse(info.network, (2,), 1), info.plan.settings)
        except Exception as error:
            return f"after {chosen.name}: {error}"
        epoch = checkpoint.epoch if checkpoint else 0
        if epoch < self._epoch:
            return f"after {chosen.name}: epoch {epoch}, but {self._epoch} was reached before"
        self._epoch = epoch
        temporaries = [name for name in os.listdir(self._run) if name.endswith(".tmp")]
        if len(temporaries) > 20:  # those of the last ten seconds may stay until a later start
            return f"{len(temporaries)} temporary files are left"
        return None


def _patience() -> float:
    """Seconds to wait for a process: a minute, and more where others use the machine."""
    processors = os.cpu_count() or 1
    return 60 * max(1.0, os.getloadavg()[0] / processors)

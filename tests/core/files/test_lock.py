"""Files that two programs change: what one adds is not lost by the other."""

import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

from core.files import lock
from core.files.lock import FileLock, locked
from core.runs.folder import change_label, read_label
from tests.limits import SECONDS

ROOT = Path(__file__).parents[3]
COUNT = 200
COUNTER = """
import sys
from pathlib import Path
from core.files.lock import locked

file = Path(sys.argv[1])
for _ in range(int(sys.argv[2])):
    with locked(file.with_suffix(".lock"), 60):
        file.write_text(str(int(file.read_text()) + 1))
"""


def test_no_change_is_lost_between_processes(tmp_path):
    """Each removes the lock's file when it is done, and the other may have opened it by then."""
    file = tmp_path / "counter.txt"
    file.write_text("0")
    command = [sys.executable, "-c", COUNTER, str(file), str(COUNT)]
    running = [subprocess.Popen(command, cwd=ROOT) for _ in range(3)]
    assert [process.wait(SECONDS) for process in running] == [0, 0, 0]
    assert file.read_text() == str(3 * COUNT)
    assert [path.name for path in tmp_path.iterdir()] == ["counter.txt"]


def test_a_file_that_was_removed_while_it_was_opened_is_no_lock(tmp_path, monkeypatch):
    first, second, third = (FileLock(tmp_path / "x.lock") for _ in range(3))
    assert first.acquire()
    really = lock._lock

    def release_first(file):
        first.release()
        return really(file)

    monkeypatch.setattr(lock, "_lock", release_first)
    got = second.acquire()
    monkeypatch.undo()
    assert not (got and third.acquire())


def test_a_program_that_hangs_does_not_stop_others(tmp_path):
    path = tmp_path / "folder" / "x.lock"
    path.parent.mkdir()
    hanging = FileLock(path)
    assert hanging.acquire()
    begin = time.monotonic()
    with locked(path, 0.1):
        pass
    assert time.monotonic() - begin >= 0.1
    assert path.exists()  # it is still the other's
    hanging.release()
    assert not path.exists()


def test_the_lock_is_free_again_after_an_error(tmp_path):
    try:
        with locked(tmp_path / "new" / "x.lock", 1):
            raise ValueError
    except ValueError:
        pass
    assert os.listdir(tmp_path / "new") == []


def test_two_windows_change_one_label(tmp_path):
    def change(name):
        for number in range(40):
            change_label(tmp_path, **{name: str(number)})

    threads = [Thread(target=change, args=[name]) for name in ("name", "note")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    label = read_label(tmp_path)
    assert (label.name, label.note) == ("39", "39")

"""The short form of the campaign of faults."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.case import seconds_without_processor

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


def faults_of(tmp_path, *options):
    command = [sys.executable, "-m", "tests.faults", "--out", str(tmp_path), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    reports = "\n\n".join(
        path.read_text("utf-8") for path in sorted(tmp_path.iterdir()) if path.is_file()
    )
    assert done.returncode == 0, done.stdout + done.stderr + reports
    return done.stdout


def test_a_thread_that_ends_is_no_pause(tmp_path):
    """What it has waited for a processor stays counted: a pause is the time of the clock without
    it.
    """
    for thread in (7, 8):
        (tmp_path / "7" / "task" / str(thread)).mkdir(parents=True)
        (tmp_path / "7" / "task" / str(thread) / "schedstat").write_text(f"5 {thread}000000000 2\n")
    assert seconds_without_processor(7, tmp_path) == 15
    (tmp_path / "7" / "task" / "8" / "schedstat").unlink()
    assert seconds_without_processor(7, tmp_path) == 15


def test_damaged_files_cause_no_faults(tmp_path):
    assert "no faults" in faults_of(tmp_path, "--seconds", "4", "--only", "readers")


def test_files_of_a_class_cause_no_faults(tmp_path):
    assert "no faults" in faults_of(tmp_path, "--seconds", "4", "--only", "class")


@pytest.mark.slow
def test_the_short_campaign_finds_no_faults(tmp_path):
    assert "no faults" in faults_of(tmp_path, "--seconds", "20", "--seed", "2")

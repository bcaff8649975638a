"""`train` on the command line: its output, its files and its exit codes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.commands.console import Parser
from core.commands.plan import add_options, parse_run_options
from core.inference.model_file import load_model
from core.runs.library import RunLibrary
from core.training.presets import find_preset
from core.training.run_settings import RunSettings
from tests.limits import SECONDS
from tests.systems import require_posix

ROOT = Path(__file__).resolve().parents[3]
QUICK = ("--network", "784-16-10", "--batch-size", 20, "--device", "vectorized")
EPOCH_KEYS = {
    "event", "epoch", "seconds", "train_loss", "test_loss", "test_accuracy", "images_per_second",
    "learning_rate",
}  # fmt: skip
DONE_KEYS = {"event", "run", "reason", "test_accuracy", "seconds", "seconds_to_target"}


def plan(*arguments):
    parser = Parser(prog="train")
    add_options(parser)
    return parse_run_options(parser.parse_args(arguments)).plan


def events(outcome):
    return [json.loads(line) for line in outcome.out.splitlines()]


def test_settings_that_are_not_given_come_from_the_preset():
    assert plan().settings == find_preset("default").settings
    assert (plan().data, plan().device) == ("builtin", "auto")
    lecture = plan("--preset", "lecture", "--epochs", "3")
    assert (lecture.settings, lecture.data) == (
        find_preset("lecture").settings.change(epochs=3),
        "mnist",
    )
    assert plan("--preset", "lecture", "--data", "fashion").data == "fashion"
    assert plan("--epochs", "2").settings == find_preset("default").settings.change(epochs=2)


def test_a_network_without_a_preset_has_the_default_settings():
    plain = plan("--network", "784-512-10")
    assert plain.settings == RunSettings(
        network="784-512-10",
        activation="relu",
        loss="cross-entropy",
        optimizer="sgd",
        learning_rate=0.1,
        schedule="constant",
        batch_size=100,
        initialization="he",
        l2=0,
        epochs=10,
    )
    assert plain.data == "builtin"
    both = plan("--network", "784-20-10", "--preset", "lecture")
    assert both.settings == find_preset("lecture").settings.change(network="784-20-10")


def test_json_has_a_line_for_each_epoch_and_a_last_one(program, digits):
    outcome = program("train", "--data", digits, *QUICK, "--epochs", 3, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    *epochs, done = events(outcome)
    assert [event["epoch"] for event in epochs] == [1, 2, 3]
    assert all(event.keys() == EPOCH_KEYS and event["event"] == "epoch" for event in epochs)
    assert done.keys() == DONE_KEYS
    assert (done["event"], done["reason"], done["seconds_to_target"]) == ("done", "epochs", None)
    assert done["test_accuracy"] == epochs[-1]["test_accuracy"] > 0.5
    assert epochs[-1]["train_loss"] < epochs[0]["train_loss"]


def test_a_reached_target_ends_the_run_and_reports_the_time(program, digits):
    outcome = program(
        "train", "--data", digits, *QUICK, "--epochs", 90, "--target-accuracy", 0.9, "--json"
    )
    *epochs, done = events(outcome)
    assert done["reason"] == "target-accuracy"
    assert 0 < done["seconds_to_target"] <= done["seconds"]
    assert [event["test_accuracy"] >= 0.9 for event in epochs] == [False] * (len(epochs) - 1) + [
        True
    ]


def test_validation_loss_is_reported_where_it_is_computed(program, digits):
    outcome = program(
        "train", "--data", digits, *QUICK, "--epochs", 1, "--validation", 0.2, "--json"
    )
    assert events(outcome)[0]["validation_loss"] > 0


def test_text_has_the_right_answers_of_each_epoch(program, digits):
    outcome = program("train", "--data", digits, *QUICK, "--epochs", 2)
    first, learned, *epochs, last = outcome.out.splitlines()
    assert "784-16-10 (12,730 parameters)" in first
    assert "learns label, 10 classes, from 784 pixels" in learned
    assert [line.split(":")[0] for line in epochs] == ["Epoch 1", "Epoch 2"]
    assert all(" / 100 right (" in line and "images/s" in line for line in epochs)
    assert last.startswith("Done: ")


def test_the_same_seed_repeats_the_run(program, digits, tmp_path):
    for name in "ab":
        program(
            "train", "--data", digits, *QUICK, "--epochs", 1, "--seed", 3, "--save", tmp_path / name
        )
    a, b = (load_model(tmp_path / name) for name in "ab")
    assert (a.parameters == b.parameters).all()


def test_a_saved_model_holds_its_run_and_is_evaluated_with_the_same_score(
    program, digits, tmp_path
):
    file = tmp_path / "new" / "m.safetensors"
    outcome = program(
        "train", "--data", digits, *QUICK, "--epochs", 2, "--seed", 5, "--save", file, "--json"
    )
    done = events(outcome)[-1]
    model = load_model(file)
    assert (model.network.text, model.activation, model.run_settings["seed"]) == (
        "784-16-10",
        "relu",
        5,
    )
    assert model.test_score == done["test_accuracy"]
    outcome = program(
        "evaluate", "--model", file, "--data", digits, "--device", "sequential", "--json"
    )
    measured = json.loads(outcome.out)
    assert {"accuracy", "loss", "calibration_error"} <= measured.keys()
    assert measured["accuracy"] == pytest.approx(done["test_accuracy"], abs=0.011)
    outcome = program("evaluate", "--model", file, "--device", "vectorized")
    assert " / 100 right (" in outcome.out


def test_a_regression_that_diverges_is_kept_as_such(program):
    """Its parameters are still finite where its R² is not."""
    outcome = program(
        "train", "--data", "rastrigin:20", "--network", "2-8-1", "--learning-rate", 0.1
    )
    assert (outcome.code, outcome.err.count("\n")) == (1, 1), outcome.err
    assert "no longer a finite number" in outcome.err
    assert [entry.info.state for entry in RunLibrary().entries()] == ["diverged"]


def test_a_diverging_run_advises_a_lower_rate(program, digits, tmp_path):
    file = tmp_path / "m.safetensors"
    outcome = program(
        "train", "--data", digits, *QUICK, "--learning-rate", 1e30, "--save", file, "--json"
    )
    assert outcome.code == 1
    assert events(outcome)[-1]["reason"] == "diverged"
    assert "lower the learning rate" in outcome.err
    assert outcome.err.count("\n") == 1
    assert not file.exists()


def test_a_disk_that_is_full_at_the_end_loses_neither_results_nor_the_earlier_model(
    program, digits, tmp_path, monkeypatch
):
    import errno

    file = tmp_path / "m.safetensors"
    file.write_bytes(b"earlier")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    outcome = program("train", "--data", digits, *QUICK, "--epochs", 1, "--save", file, "--json")
    assert outcome.code == 2
    assert events(outcome)[-1]["event"] == "done"
    assert "No space left" in outcome.err
    assert outcome.err.count("\n") == 1
    assert file.read_bytes() == b"earlier"


def test_a_run_stopped_by_ctrl_c_is_saved_and_continues_exactly(
    program, digits, tmp_path, monkeypatch
):
    from core.commands import train

    options = ("--data", digits, *QUICK, "--epochs", 4, "--optimizer", "adam", "--json")
    program("train", *options, "--save", tmp_path / "whole")

    show = train.JsonReport.show

    def interrupt_after_step_23(self, record):
        show(self, record)
        if getattr(record, "step", 0) == 23:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(train.JsonReport, "show", interrupt_after_step_23)
        patch.setattr("core.training.trainer.CHUNK_SECONDS", 0)
        outcome = program("train", *options, "--run", tmp_path / "run", "--save", tmp_path / "part")
    done = events(outcome)[-1]
    assert (outcome.code, done["reason"]) == (130, "stopped")
    assert load_model(tmp_path / "part").test_score == done["test_accuracy"]

    outcome = program("train", "--resume", tmp_path / "run", "--json", "--save", tmp_path / "later")
    assert outcome.code == 0
    assert events(outcome)[-2]["epoch"] == 4
    assert (
        load_model(tmp_path / "later").parameters == load_model(tmp_path / "whole").parameters
    ).all()
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == [
        "batches.safetensors",
        "best.safetensors",
        "checkpoint.safetensors",
        "epochs.safetensors",
        "history.csv",
        "model.safetensors",
        "run.json",
    ]
    assert len((tmp_path / "run" / "history.csv").read_text().splitlines()) == 5


@pytest.mark.parametrize(
    "name", [name for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
)
def test_a_signal_that_ends_the_program_keeps_model_and_checkpoint(
    program, digits, tmp_path, monkeypatch, no_ignored_signals, name
):
    from core.commands import train

    show = train.JsonReport.show

    def send_signal_at_step_3(self, record):
        show(self, record)
        if getattr(record, "step", 0) == 3:
            signal.raise_signal(getattr(signal, name))

    monkeypatch.setattr(train.JsonReport, "show", send_signal_at_step_3)
    monkeypatch.setattr("core.training.trainer.CHUNK_SECONDS", 0)
    options = ("--data", digits, *QUICK, "--epochs", 4, "--json")
    outcome = program("train", *options, "--run", tmp_path / "run", "--save", tmp_path / "m")
    assert (outcome.code, events(outcome)[-1]["reason"]) == (130, "stopped")
    assert load_model(tmp_path / "m").test_score == events(outcome)[-1]["test_accuracy"]
    assert program("train", "--resume", tmp_path / "run", "--json").code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_the_output_does_not_lose_the_model(digits, tmp_path):
    done = run_in_shell(f"{train_command(digits, 2)} --save {tmp_path / 'm'} > /dev/full", tmp_path)
    assert done.returncode == 1
    assert (
        done.stderr == "main.py train: the output could not be written (No space left on device).\n"
    )
    assert load_model(tmp_path / "m").test_score > 0


def test_a_pipe_that_is_closed_before_training_does_not_lose_the_model(digits, tmp_path):
    command = f"(sleep 0.2; {train_command(digits, 2000)} --save {tmp_path / 'm'}) | true"
    assert run_in_shell(command, tmp_path).stderr == ""
    assert load_model(tmp_path / "m").test_score >= 0


@pytest.mark.parametrize("arguments", ["--help", "train --help", "data list"])
def test_output_that_cannot_be_written_is_one_line(tmp_path, arguments):
    done = run_in_shell(f"{sys.executable} main.py {arguments} | true", tmp_path)
    assert done.stderr == ""
    if Path("/dev/full").exists():
        done = run_in_shell(f"{sys.executable} main.py {arguments} > /dev/full", tmp_path)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert "No space left" in done.stderr


def train_command(digits, epochs):
    return (
        f"{sys.executable} main.py train --data {digits} --network 784-16-10 --device vectorized "
        f"--epochs {epochs}"
    )


def run_in_shell(command, home):
    require_posix()
    environment = {**os.environ, "DIGITLAB_HOME": str(home)}
    return subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def test_resuming_a_run_that_cannot_continue_is_refused(program, digits, tmp_path):
    run = tmp_path / "run"
    assert program("train", "--data", digits, *QUICK, "--epochs", 1, "--run", run).code == 0
    for arguments, words in (
        (["--resume", run], "has ended (epochs)"),
        (["--run", run, "--data", digits], "holds a run already"),
        (["--resume", tmp_path / "none"], "holds no run"),
        (["--resume", run, "--epochs", 3, "--data", digits], "leave out --data"),
        (["--resume", run, "--epochs", 3, "--network", "784-9-10"], "--network cannot be changed"),
        (["--resume", run, "--from", "best"], "has ended (epochs)"),
    ):
        outcome = program("train", *arguments)
        assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert words in outcome.err


def test_a_closed_pipe_ends_the_program_without_a_message(digits, tmp_path):
    done = run_in_shell(
        f"{train_command(digits, 2000)} --save {tmp_path / 'm'} | head -n 2", tmp_path
    )
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr == ""
    assert load_model(tmp_path / "m").test_score > 0


def test_a_program_without_streams_trains(digits, tmp_path):
    code = (
        "import sys; sys.stdout = sys.stderr = None\nimport main; raise "
        "SystemExit(main.main(sys.argv[1:]))"
    )
    arguments = [str(part) for part in ("train", "--data", digits, *QUICK, "--epochs", 1)]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, timeout=SECONDS
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_device_that_fails_keeps_the_last_checkpoint(program, digits, tmp_path, monkeypatch):
    monkeypatch.setattr("core.training.trainer.Trainer.run_chunk", failing_after_epochs(2))
    model = tmp_path / "kept.safetensors"
    outcome = program("train", "--data", digits, *QUICK, "--epochs", 9, "--save", model, "--json")
    assert outcome.code == 1
    assert "stopped answering" in outcome.err
    assert outcome.err.count("\n") == 1
    *epochs, done = events(outcome)
    assert len(epochs) == 2
    assert (done["reason"], done["test_accuracy"]) == ("fault", epochs[-1]["test_accuracy"])
    assert load_model(model).test_score == done["test_accuracy"]


def failing_after_epochs(epochs):
    """A `Trainer.run_chunk` that raises DeviceError after this number of epochs, like a lost
    graphics card.
    """
    from core.training.trainer import Trainer
    from kernels.errors import DeviceError

    run_chunk = Trainer.run_chunk

    def run(self, control):
        if self.checkpoint().epoch == epochs:
            raise DeviceError("lost", "The graphics card stopped answering.")
        return run_chunk(self, control)

    return run


def test_numbers_that_look_like_a_complete_network_are_noted(program, digits):
    outcome = program(
        "train", "--data", digits, "--network", "784-7-11", "--epochs", 1, "--seed", 1
    )
    assert outcome.code == 0
    assert (
        "Read as hidden layers: 784-784-7-11-10. For a complete network, end it with 10."
        in outcome.err
    )

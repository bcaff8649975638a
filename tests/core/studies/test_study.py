"""Studies: what they train, how they continue, what they refuse."""

import json
from contextlib import closing
from dataclasses import replace

import pytest

from core.errors import InputError
from core.runs.library import RunLibrary
from core.studies import training
from core.studies.spec import parse_study
from core.studies.study import (
    Study,
    best_run,
    delete_study,
    deleted_studies,
    restore_study,
    stored_spec,
    studies_path,
    study_names,
)
from core.studies.training import load_study_data
from kernels.errors import DeviceError
from main import main
from tests.core.studies.conftest import GRID, table_of


def test_grid_trains_all_combinations_into_the_library(train_study):
    study = train_study()
    assert study.is_complete
    assert [(run.values["learning_rate"], run.values["optimizer"]) for run in study.runs] == [
        (0.01, "sgd"), (0.01, "adam"), (0.3, "sgd"), (0.3, "adam"),
    ]  # fmt: skip
    entries = {entry.id: entry for entry in RunLibrary().entries()}
    for run in study.runs:
        info = entries[run.id].info
        assert (info.study, info.state) == ("test", "epochs")
        assert (info.plan.settings.learning_rate, info.plan.settings.optimizer) == tuple(
            run.values.values()
        )
        assert entries[run.id].summary.last.validation_loss == run.epochs[-1].validation_loss
    losses = {run.number: run.loss for run in study.runs}
    assert best_run(study.runs).number == min(losses, key=losses.get)


def test_a_study_that_was_stopped_goes_on_with_the_same_runs(train_study):
    whole = train_study(name="whole")
    train_study(until=lambda run: run.number == 1 and len(run.epochs) == 1)
    train_study(until=lambda run: run.number == 2 and run.state == "running")
    continued = train_study()
    assert continued.is_complete
    assert table_of(continued) == table_of(whole)
    assert len(RunLibrary().entries()) == 2 * len(whole.runs)


def test_a_run_that_diverges_or_cannot_be_trained_is_named(train_study):
    text = GRID.replace("[0.01, 0.3]", "[0.1, 1e30]").replace(
        'optimizer = ["sgd", "adam"]', 'activation = ["linear"]'
    )
    study = train_study(text)
    assert [run.state for run in study.runs] == ["epochs", "diverged"]
    assert study.runs[1].message


def test_another_study_of_the_same_name_is_refused(train_study):
    train_study(until=lambda run: True)
    with pytest.raises(InputError, match="another name"):
        train_study(GRID.replace("0.3", "0.2"))


@pytest.mark.parametrize("position", [0, 100, 500])
def test_a_damaged_file_is_refused(train_study, home, position):
    train_study(until=lambda run: True)
    path = home / "data" / "studies" / "test.study"
    content = bytearray(path.read_bytes())
    content[position : position + 300] = b"\xe5" * 300
    path.write_bytes(content)
    with pytest.raises(InputError, match="give the study another name"):
        train_study()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("[vary]", "[vary"), "no TOML file"),
        (("[0.01, 0.3]", "[]"), "1 to 1000 values"),
        (("[0.01, 0.3]", "[0.01, -1]"), "learning rate -1: must be more than 0"),
        (("[0.01, 0.3]", "{ from = 0.1, to = 0.2 }"), "count must be 2 to 1000"),
        (("[0.01, 0.3]", "{ from = 0.1, to = 0.1, count = 3 }"), "is no range"),
        (("[0.01, 0.3]", "{ from = 0.1, to = inf, count = 3 }"), "limits of at most"),
        (("[0.01, 0.3]", "{ from = 0.1, to = 1" + "0" * 400 + " }"), "limits of at most"),
        (("learning_rate =", "learning_rates ="), "no such setting"),
        (("epochs = 3", "optimizer = 'sgd'"), "leave it out of one"),
        (("epochs = 3", "validation = 0.0"), "more than 0"),
        (('device = "vectorized"', 'device = "vectorized"\nruns = "many"'), "a whole number"),
        (('device = "vectorized"', 'sampler = "random"'), "all combinations"),
        (('device = "vectorized"', 'name = "../x"'), "cannot be a file's name"),
        (('device = "vectorized"', "color = 1"), "unknown in a study"),
    ],
)
def test_errors_of_the_file_are_explained(change, message):
    with pytest.raises(InputError) as error:
        parse_study(GRID.replace(*change), "test")
    assert message in str(error.value)


@pytest.mark.parametrize("network", ["", 'network = "784-9-10"'])
def test_a_preset_for_a_function_is_refused_for_classes(points, network):
    spec = parse_study(
        f'preset = "coursework"\ndata = "points"\n[settings]\n{network}\n[vary]\nseed = [0]', "test"
    )
    with pytest.raises(InputError, match="not for points"):
        load_study_data(spec, load=lambda name, progress: points)


def test_a_preset_for_classes_is_used_for_values_where_the_file_has_a_network():
    text = 'preset = "blog"\ndata = "rastrigin:20"\n[settings]\n{}\n[vary]\nseed = [0]'
    with pytest.raises(InputError, match="or give network"):
        load_study_data(parse_study(text.format(""), "test"))
    datasets, _ = load_study_data(parse_study(text.format('network = "2-9-1"'), "test"))
    assert [*datasets] == ["rastrigin:20"]


def test_a_network_that_was_probably_meant_otherwise_is_named(points):
    spec = parse_study(GRID.replace('"6-9-4"', '"6-9-5"'), "test")
    _, notes = load_study_data(spec, load=lambda name, progress: points)
    assert notes == ["Read as hidden layers: 6-6-9-5-4. For a complete network, end it with 4."]


def test_a_study_is_read_from_the_folders_of_its_runs(train_study):
    """The file has no epochs."""
    study = train_study()
    again = train_study(until=lambda run: True)
    assert table_of(again) == table_of(study)
    assert [run.loss for run in again.runs] == [run.loss for run in study.runs]


def test_a_run_whose_folder_was_removed_keeps_its_loss(train_study):
    study = train_study()
    library = RunLibrary()
    library.delete([study.runs[0].id])
    assert table_of(train_study()) == table_of(study)  # it is read from the trash
    library.empty_trash()
    again = train_study()
    assert (again.runs[0].state, again.runs[0].epochs) == ("epochs", [])
    assert again.runs[0].results()["validation_loss"] == study.runs[0].loss
    assert best_run(again.runs).number == best_run(study.runs).number


def change_file(change):
    """Change the contents of the file of the study."""
    path = studies_path() / "test.study"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("id", "../../victim"), ("id", "/tmp/victim"), ("id", ".hidden"), ("loss", "x"), ("state", "victory"),
        ("values", {"learning_rate": 0.01, "optimizer": ["sgd"]}), ("values", {"learning_rate": 0.01}),
        ("values", {"learning_rate": 0.01, "optimizer": "lbfgs"}), ("values", None),
    ],
)  # fmt: skip
def test_a_file_with_wrong_contents_is_refused(train_study, name, value):
    train_study(until=lambda run: True)
    change_file(lambda content: content["runs"][0].update({name: value}))
    with pytest.raises(InputError, match="give the study another name"):
        train_study()


@pytest.mark.parametrize(
    "text", ["x" * 200_000, ".".join(["a"] * 20_000) + " = 1"], ids=["long", "key"]
)
def test_a_file_with_a_text_that_would_take_memory_is_refused(train_study, text):
    train_study(until=lambda run: True)
    change_file(lambda content: content.update(text=text))
    with pytest.raises(InputError, match="no TOML file"):
        stored_spec("test")
    with pytest.raises(InputError, match="no TOML file"):
        train_study()


def test_a_file_that_cannot_be_written_ends_the_study_in_one_sentence(train_study):
    def put_a_folder_in_its_place(run):
        path = studies_path() / "test.study"
        if path.is_file():
            path.unlink()
            path.mkdir()

    with pytest.raises(InputError, match=r"test\.study"):
        train_study(until=put_a_folder_in_its_place)


@pytest.mark.parametrize("home", ["what?x=1", "100%41", "a{b}#c"])
def test_a_study_is_kept_in_a_home_of_any_name(train_study, tmp_path, monkeypatch, home):
    monkeypatch.setenv("DIGITLAB_HOME", str(tmp_path / home))
    with closing(Study(parse_study(GRID, "kept"))):
        assert (tmp_path / home / "data" / "studies" / "kept.study").exists()
    assert stored_spec("kept").name == "kept"
    assert study_names() == ["kept"]


def test_a_deleted_study_comes_back_with_its_runs(train_study):
    study = train_study()
    delete_study("test", [run.id for run in study.runs])
    assert (study_names(), deleted_studies(), RunLibrary().entries()) == ([], ["test"], [])
    restore_study("test")
    assert (study_names(), deleted_studies()) == (["test"], [])
    assert table_of(train_study()) == table_of(study)


def test_a_deleted_study_comes_back_without_the_list_of_its_runs(train_study):
    study = train_study()
    delete_study("test", [])
    (studies_path() / ".trash" / "test.json").unlink()
    restore_study("test")
    assert study_names() == ["test"]
    assert table_of(train_study()) == table_of(study)


@pytest.mark.parametrize(
    "text",
    [".".join(["a"] * 20_000) + " = 1", "seed = " + "9" * 5000, "x = { a.b . c.d.e.f = 1 }"],
    ids=["key", "number", "inline"],
)
def test_a_text_that_would_take_memory_is_refused_at_once(text):
    with pytest.raises(InputError, match="no TOML file"):
        parse_study(text, "test")


def test_the_list_of_runs_names_the_study_and_what_became_of_a_run(train_study, capsys):
    study = train_study(until=lambda run: run.is_complete, name="hidden units")
    folder = RunLibrary().folder_of(study.runs[0].id)
    folder.write_info(replace(folder.read_info(), state="pruned"))
    assert main(["runs"]) == 0
    assert "hidden units" in (out := capsys.readouterr().out)
    assert "ended early" in out


def test_runs_that_failed_are_tried_again_by_the_same_command(tmp_path, monkeypatch, capsys):
    file = tmp_path / "seeds.toml"
    file.write_text(
        'data = "rastrigin:20"\ndevice = "vectorized"\n[settings]\nnetwork = "2-3-1"\nepochs = 1\n'
        "[vary]\nseed = [0, 1]\n"
    )
    iter_run = training.iter_run

    def fail_with_seed_1(plan, *arguments, **options):
        if plan.settings.seed == 1:
            raise DeviceError("memory", "The card is in use.")
        return iter_run(plan, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(training, "iter_run", fail_with_seed_1)
        for _ in range(2):
            assert main(["study", str(file)]) == 0
            said = capsys.readouterr().out
            assert "Run 2 of 2: seed 1: failed: The card is in use." in said
            assert "1 of 2 runs failed: the same command tries them again." in said
    assert main(["study", str(file)]) == 0
    assert "Run 2 of 2: seed 1: validation loss" in capsys.readouterr().out
    assert main(["study", str(file)]) == 0
    assert "failed" not in (said := capsys.readouterr().out)
    assert "Run 2 of 2" not in said
    assert len(RunLibrary().entries()) == 2


def test_a_run_that_failed_is_still_named_when_the_study_is_opened_again(
    train_study, monkeypatch, points
):
    iter_run = training.iter_run

    def fail_at_once(plan, *arguments, **options):
        if plan.settings.learning_rate == 0.3:
            raise DeviceError("memory", "The card is in use.")
        return iter_run(plan, *arguments, **options)

    monkeypatch.setattr(training, "iter_run", fail_at_once)
    train_study()
    with closing(Study(parse_study(GRID, "test"))) as opened:
        assert {
            (run.state, run.message) for run in opened.runs if run.values["learning_rate"] == 0.3
        } == {("fault", "The card is in use.")}


def test_runs_that_are_trained_by_turns_end_as_one_after_the_other(train_study, points):
    alone = train_study(name="alone")
    together = []

    def watch(run):
        together.append(run.number if run.epochs and run.state == "running" else None)
        return False

    turns = train_study(at_once=4, until=watch, name="turns")
    assert turns.is_complete
    assert [run.loss for run in turns.runs] == [run.loss for run in alone.runs]
    numbers = [number for number in together if number is not None]
    assert numbers != sorted(numbers)  # the first does not end before the second begins

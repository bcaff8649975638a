"""What `lab check` says of a lab, and the page to print."""

import re
from dataclasses import replace

import pytest

from core.labs.check import iter_check
from core.labs.package import open_lab
from core.labs.trial import make_attempt
from core.labs.web_page import sheet_html
from tests.core.labs.sample import SAMPLE, write_sample

FIGURES = "figures = { test_accuracy = [12.3, 45.6] }"


def lab_with(tmp_path, old, new):
    assert old in SAMPLE
    return open_lab(write_sample(tmp_path / "lab", SAMPLE.replace(old, new)))


def faults(lab, train=False):
    return [finding.text for finding in iter_check(lab, train) if finding.fault]


def test_a_good_lab_has_no_faults_and_tells_what_its_runs_reach(lab):
    findings = [*iter_check(lab)]
    assert not any(finding.fault for finding in findings)
    assert [finding.text.split(":")[0] for finding in findings] == [
        "line 48, rates, rate 0.0001", "line 48, rates, rate 0.05",
        "line 48, rates, to keep what it reaches",
    ]  # fmt: skip
    assert all(": R² " in finding.text for finding in findings[:2])  # its data have targets
    assert "figures = { test_accuracy = [" in findings[2].text
    reached = [float(finding.text.split("R² ")[1].split()[0]) for finding in findings[:2]]
    proposed = [float(number) for number in re.findall(r"-?\d+\.\d+", findings[2].text)]
    assert proposed == pytest.approx(reached, abs=0.001)


def test_figures_that_do_not_come_out_are_faults(tmp_path):
    lab = lab_with(
        tmp_path,
        "]\n```\n\n```reveal",
        "]\nfigures = { test_loss = [0.5, 77.0] }\ntolerance = 1000\n```\n\n```reveal",
    )
    assert faults(lab, train=True) == []
    lab = lab_with(
        tmp_path / "b",
        "]\n```\n\n```reveal",
        "]\nfigures = { test_loss = [0.5, 77.0] }\n```\n\n```reveal",
    )
    assert any("test_loss is " in text and "not 77" in text for text in faults(lab, train=True))


def test_a_figure_of_what_the_run_does_not_measure_is_a_fault(tmp_path):
    lab = lab_with(
        tmp_path,
        "]\n```\n\n```reveal",
        "]\nfigures = { validation_loss = [0.5, 0.3] }\n```\n\n```reveal",
    )
    assert [text.partition("; ")[2] for text in faults(lab, train=True)] == [
        "validation_loss is 0, not 0.5", "validation_loss is 0, not 0.3",
    ]  # fmt: skip


@pytest.mark.parametrize(("seconds", "is_told"), [(20.5, True), (19.5, False)])
def test_a_run_of_more_than_20_seconds_is_told(lab, monkeypatch, seconds, is_told):
    """No class waits longer."""

    def slow(*arguments):
        return replace(make_attempt(*arguments), seconds=seconds)

    monkeypatch.setattr("core.labs.blocks.exercise.make_attempt", slow)
    texts = [finding.text for finding in iter_check(lab)]
    assert any("longer than the 20 s that a class waits for." in text for text in texts) == is_told


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("The larger one.", "It reads 45.6 %.", []),
        ("The larger one.", "It reads 45,6 %.", []),
        ("The larger one.", "It reads 99.9 %.", ["line 54: 99.9 % is a figure of no run"]),
        ("The hidden note.", "They reach 45.6 %.", []),
        ('ask = "Why?"', 'ask = "Why 45.6 %?"', []),
        ('ask = "Which rate is better?"', 'ask = "Which reaches 45.6 '
                                          '%?"', ["line 25: 45.6 % is a result of rates"]),
        ("## Run\n", "## Run\n\nIt will be 12.3 %.\n", ["line 48: 12.3 % is a result of rates"]),
        ("```reveal\nThe larger one.\n```", "It was 12.3 %.", []),
        ("Do better.", "Reach 77.7 %.\"\ntest_accuracy_at_least = 77.7 #", []),
        ('network = "2-8-1"', 'network = "4C5-1N"', ["line 8: ", "line 48, rates, ", "line 48, rates, "]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found_without_training(tmp_path, old, new, expected):
    with_figures = SAMPLE.replace(
        "{ learning_rate = 0.05 }]", "{ learning_rate = 0.05 }]\n" + FIGURES
    )
    assert old in with_figures
    lab = open_lab(write_sample(tmp_path / "lab", with_figures.replace(old, new)))
    found = faults(lab)
    assert len(found) == len(expected), found
    for text, beginning in zip(found, expected, strict=True):
        assert text.startswith(beginning), found


@pytest.mark.parametrize(("limit", "expected"), [(100, 0), (20, 1)])
def test_the_solution_of_a_task_is_trained(tmp_path, limit, expected):
    lab = lab_with(
        tmp_path,
        "parameters_at_most = 100",
        f"parameters_at_most = {limit}\nsolution = {{ learning_rate = 0.1 }}",
    )
    assert "rate 0.1" in sheet_html(lab, teacher=True)
    assert "rate 0.1" not in sheet_html(lab)
    assert len([text for text in faults(lab, train=True) if "goal, solution: " in text]) == expected


def test_data_of_a_folder_that_are_damaged_are_a_fault(tmp_path):
    folder = write_sample(tmp_path / "lab")
    (folder / "points.csv").write_text("no, numbers\n")
    assert faults(open_lab(folder))[0].startswith("line 8: ")


def test_a_run_on_a_device_that_is_not_here_is_no_fault(tmp_path, monkeypatch):
    monkeypatch.setattr("core.labs.trial.available_device", lambda name: "sequential")
    lab = lab_with(tmp_path, "variants = [{ learning_rate = 0.0001 }, { learning_rate = 0.05 }]",
                   'devices = ["vectorized", "sequential"]')  # fmt: skip
    texts = [finding.text for finding in iter_check(lab) if not finding.fault]
    assert [text.endswith("not trained, as this machine lacks it.") for text in texts] == [
        True,
        False,
    ]


def test_the_page_for_pupils_holds_no_answers(tmp_path):
    folder = write_sample(tmp_path / "lab")
    (folder / "a.png").write_bytes(b"picture")
    text = SAMPLE.replace(
        "## Run", "![A](a.png) <script>alert(1)</script> [x](javascript:alert(1))\n\n## Run"
    )
    (folder / "lab.md").write_text(text, encoding="utf-8")
    lab = open_lab(folder)
    pupils, teachers = sheet_html(lab), sheet_html(lab, teacher=True)
    for secret in ("The hidden note.", "The larger one.", "it is chance", "☑"):
        assert secret not in pupils
        assert secret in teachers
    for page in (pupils, teachers):
        assert "Which rate is better?" in page
        assert "at most 100 parameters" in page
        assert "data:image/png;base64,cGljdHVyZQ==" in page
        assert page.count("<svg") == 1
        assert "<script" not in page
        assert 'href="javascript' not in page

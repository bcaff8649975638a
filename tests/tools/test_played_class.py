"""A class of twenty is played through a lab by the program's own code, and marked."""

from core.labs.grading import read_folder
from core.labs.package import open_lab
from tests.core.labs.sample import SAMPLE, write_sample
from tools.played_class import iter_class


def test_twenty_pupils_are_played_handed_in_and_marked(tmp_path):
    text = SAMPLE.replace(
        "parameters_at_most = 100\n",
        "parameters_at_most = 100\nsolution = { learning_rate = 0.1 }\n",
    )
    lab = open_lab(write_sample(tmp_path / "lab", text))
    for answers in iter_class(lab, 20):
        answers.save(tmp_path / f"{answers.name}.json")
    grades = read_folder(tmp_path, lab)
    assert len(grades.good) == 20
    assert not any(marked.remark for marked in grades.marked)
    first_tries = sum(bool(answers.tries) for _, answers in grades.good)
    assert 0 < sum(row[3] for row in grades.misconceptions()) < first_tries
    drawn = [points for _, points in grades.predictions(lab.part("curve"))]
    assert len(drawn) >= 15
    assert len(grades.real_curve(lab.part("curve"))) == 3
    assert "Gül" in grades.html()

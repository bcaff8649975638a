"""The commands, as they are typed."""


def test_the_program_names_its_version(program):
    done = program("--version")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("DigitLab ")

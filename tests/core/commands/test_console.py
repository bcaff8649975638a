"""Tables and lines on the console."""

from core.commands.console import print_line, print_row, print_table


def test_columns_are_as_wide_as_their_longest_cell(capsys):
    print_table([("run", "score"), ("first", 0.123456), ("second", None)])
    assert capsys.readouterr().out.splitlines() == ["run     score", "first   0.12346", "second  -"]


def test_numbers_can_be_aligned_to_the_right(capsys):
    print_table([("", "0", "1"), ("zero", 980, 2)], left=1)
    assert capsys.readouterr().out.splitlines() == ["        0  1", "zero  980  2"]


def test_a_row_is_printed_before_the_next_ones_are_known(capsys):
    print_row(("a", 5), (4, 3), left=1)
    assert capsys.readouterr().out == "a       5\n"


def test_no_control_character_reaches_the_terminal(capsys):
    print_table([("name", "note"), ("\x1b[2J", "two\nlines")])
    print_line("\x1b]0;title\x07")
    assert capsys.readouterr().out.splitlines() == ["name  note", "?[2J  two lines", "?]0;title?"]

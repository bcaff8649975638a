"""TOML of strangers: a key of many parts is refused wherever it stands, in time that does not grow
with its square.
"""

import time

import pytest

from core.files.toml_text import MAX_KEY_PARTS, parse_toml

DOTS = ".".join("a" * 4000)


@pytest.mark.parametrize(
    "text",
    [
        f"{DOTS} = 1",
        f"x = 1 # a comment\n{DOTS} = 1",
        f"[{DOTS}]",
        f"[[{DOTS}]]",
        f"x = {{ {DOTS} = 1 }}",
        f'x = """\ntext\n""" \n{DOTS} = 1',
        f'x = """\n\\""" \n"""\n{DOTS} = 1',
        f"x = '''\n\" '''\n{DOTS} = 1",
        f'x = ["""\n""", {{ {DOTS} = 1 }}]',
        f'x = {{ y = """\n""", {DOTS} = 1 }}',
        f"# it's \" a quote\n{DOTS} = 1\n# \" '",
        f'"a # b" = 1\n{DOTS} = 1',
    ],
)
def test_a_key_of_many_parts_is_refused_at_once(text):
    begin = time.process_time()
    with pytest.raises(ValueError, match="a key has too many parts"):
        parse_toml(text)
    assert time.process_time() - begin < 0.2


@pytest.mark.parametrize(
    "text",
    [
        "x = [" + "0.5, " * 100 + "0.5]",
        'x = "1.2.3.4.5.6.7.8"',
        "x = '1.2.3.4.5.6.7.8' # 1.2.3.4.5.6.7.8",
        'x = """\n1.2.3.4.5.6.7.8\n"a.b.c.d.e.f.g"\n"""',
        "a.b.c.d.e = 1",
    ],
)
def test_dots_in_values_are_no_parts_of_keys(text):
    assert parse_toml(text)
    assert MAX_KEY_PARTS == 5

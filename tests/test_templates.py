"""The placeholders of messages: each has a value, so that showing the message cannot fail."""

import ast
from string import Formatter

import pytest

from tests.test_project import ROOT

FILES = sorted(
    path for folder in ("core", "kernels", "gui") for path in (ROOT / folder).rglob("*.py")
)
# `setting` has a value in every InputError.
ALWAYS = {"setting"}


def placeholders(template):
    return {
        name.split(".")[0].split("[")[0] for _, name, _, _ in Formatter().parse(template) if name
    } - ALWAYS


def messages(path):
    """(line, template, names of the values) of each InputError and each formatted translation in
    the file.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assigned = [
        (node.lineno, node.targets[0].id, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or any(keyword.arg is None for keyword in node.keywords):
            continue
        template = None
        given = {keyword.arg for keyword in node.keywords} - ALWAYS
        if isinstance(node.func, ast.Name) and node.func.id == "refusing":
            template = node.args[0]
            given |= {"reason"}
        elif isinstance(node.func, ast.Name) and node.func.id == "InputError" and node.args:
            template = node.args[0]
            if isinstance(template, ast.Name):  # what was assigned to it last
                before = [
                    each for each in assigned if each[0] <= node.lineno and each[1] == template.id
                ]
                template = max(before, key=lambda each: each[0])[2] if before else None
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "format" and not node.args:
            call = node.func.value
            if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("tr") and call.args:
                template = call.args[0]
        if isinstance(template, ast.Constant) and isinstance(template.value, str):
            yield node.lineno, template.value, given


def test_messages_are_found():
    assert sum(len(list(messages(path))) for path in FILES) > 300


@pytest.mark.parametrize("folder", ["core", "kernels", "gui"])
def test_every_placeholder_has_a_value(folder):
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {template!r} has no {placeholders(template) ^ values}"
        for path in FILES
        if path.is_relative_to(ROOT / folder)
        for line, template, values in messages(path)
        if placeholders(template) != values
    ]
    assert not wrong, "\n".join(wrong)

"""The texts for translators: all are found, those with a number have forms, and the compiled file
is up to date.
"""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from tools import texts


@pytest.fixture(scope="module")
def found():
    return texts.all_texts()


def messages(path):
    for context in ElementTree.parse(path).iter("context"):
        for message in context.iter("message"):
            yield context.findtext("name"), message


def test_qt_collects_what_the_program_shows(found, tmp_path, monkeypatch):
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    texts.update("xx")
    collected = {
        texts.Text(context, message.findtext("source"), message.get("numerus") == "yes")
        for context, message in messages(tmp_path / "digitlab_xx.ts")
    }
    assert collected == set(found)


def test_every_text_with_a_number_has_its_english_forms(found):
    written = {
        (context, message.findtext("source")): [form.text for form in message.iter("numerusform")]
        for context, message in messages(texts.FOLDER / "digitlab_en.ts")
    }
    assert set(written) == {(text.context, text.source) for text in found if text.counts}
    assert all(len(forms) == 2 and all(forms) for forms in written.values())


def test_the_compiled_english_is_up_to_date(tmp_path):
    compiled = tmp_path / "digitlab_en.qm"
    program = texts.find_tool("lrelease")
    subprocess.run(
        [program, texts.FOLDER / "digitlab_en.ts", "-qm", compiled], check=True, capture_output=True
    )
    assert compiled.read_bytes() == (texts.FOLDER / "digitlab_en.qm").read_bytes(), (
        f"{sys.executable} -m tools.texts"
    )


def test_a_text_of_another_object_is_refused(tmp_path):
    path = tmp_path / "gui" / "page.py"
    path.parent.mkdir()
    path.write_text(
        'class Page:\n    def tip(self):\n        return self.stage.tr("Add a layer")\n'
    )
    with pytest.raises(ValueError, match=r"page\.py:3"):
        texts.Module(path)

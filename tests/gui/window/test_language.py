"""A file with translations in the language of the system changes the texts of the window."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale

from gui.window import application

SOURCE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS><TS version="2.1" language="de_DE"><context><name>RunReport</name>
<message><source>Continue on the CPU</source><translation>Auf der CPU weiter</translation></message>
</context></TS>
"""


def test_a_translation_in_the_systems_language_is_used(tmp_path, monkeypatch, qapp):
    release = shutil.which("pyside6-lrelease", path=str(Path(sys.executable).parent))
    if release is None:
        pytest.skip("PySide6 has no lrelease here")
    folder = tmp_path / "translations"
    folder.mkdir()
    (folder / "digitlab_de.ts").write_text(SOURCE, "utf-8")
    subprocess.run([release, folder / "digitlab_de.ts"], check=True, capture_output=True)
    monkeypatch.setattr(application, "RESOURCES", tmp_path)
    before = QLocale()
    before_it = set(qapp.findChildren(application.QTranslator))
    QLocale.setDefault(QLocale("de_DE"))
    try:
        application.load_translation(qapp)
        assert (
            QCoreApplication.translate("RunReport", "Continue on the CPU") == "Auf der CPU weiter"
        )
    finally:
        QLocale.setDefault(before)
        for translator in set(qapp.findChildren(application.QTranslator)) - before_it:
            qapp.removeTranslator(translator)

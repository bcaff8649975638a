"""The version resource, which Windows shows in the properties of a program."""

_TEMPLATE = """\
VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}),
  kids=[
    StringFileInfo([StringTable("040904B0", [
      StringStruct("CompanyName", "DigitLab"),
      StringStruct("FileDescription", "DigitLab"),
      StringStruct("FileVersion", "{version}"),
      StringStruct("InternalName", "digitlab"),
      StringStruct("LegalCopyright", "MIT license"),
      StringStruct("OriginalFilename", "digitlab.exe"),
      StringStruct("ProductName", "DigitLab"),
      StringStruct("ProductVersion", "{version}"),
    ])]),
    VarFileInfo([VarStruct("Translation", [0x0409, 0x04B0])]),
  ],
)
"""


def version_resource(version: str) -> str:
    """The text from which PyInstaller makes the resource. `version`: numbers separated by dots,
    such as 1.2.3.
    """
    numbers = tuple(int(part) for part in version.split("."))
    return _TEMPLATE.format(version=version, numbers=(*numbers, 0, 0, 0, 0)[:4])

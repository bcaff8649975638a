"""The program's version, as files and the About box name it; the same as in pyproject.toml."""

VERSION = "0.1.0"

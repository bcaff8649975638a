"""The user's folders: one for what can be made again (cache), one for what must be kept (data)."""

import os
from pathlib import Path

_NAME = "digitlab"


def cache_folder() -> Path:
    """Downloads, arrays read once, drawn digits; losing it costs time only. Not created here.

    The environment variable DIGITLAB_HOME puts both folders below itself.
    """
    return _folder("cache", "user_cache_path", "XDG_CACHE_HOME", ".cache")


def data_folder() -> Path:
    """Runs, kept models, settings. Not created here."""
    return _folder("data", "user_data_path", "XDG_DATA_HOME", ".local/share")


def _folder(kind: str, platform_call: str, variable: str, below_home: str) -> Path:
    home = os.environ.get("DIGITLAB_HOME")
    if home:
        return Path(home).expanduser().absolute() / kind
    try:
        import platformdirs
    except ImportError:
        base = os.environ.get(variable)
        return (Path(base) if base else Path.home() / below_home) / _NAME
    return getattr(platformdirs, platform_call)(_NAME, appauthor=False)

"""What tests need of the system that runs them."""

import os

import pytest


def require_posix() -> None:
    """Skip the calling test where shell scripts, signals, named pipes or symbolic links are missing
    (Windows).
    """
    if os.name == "nt":
        pytest.skip("needs a POSIX system: shell scripts, signals, named pipes or symbolic links")

"""What users do, done as users do it: by `main.py` as a child process, or in the window by mouse
and keyboard.

These tests have the last word on whether a thing works. They use the default configuration, the
processes that the program starts by itself, and files that the program or another program really
wrote. `pytest -m doors` runs them alone.
"""

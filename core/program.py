"""The name under which the user starts this program, for messages that say what to run."""

import sys

# The packaged program is one executable; the user has neither its sources nor uv.
PROGRAM = "digitlab" if getattr(sys, "frozen", False) else "main.py"

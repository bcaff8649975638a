"""How long a test waits at most. It ends what hangs; no test passes or fails by it, also on a busy
machine.
"""

SECONDS = 600
LONG = 1000 * SECONDS  # milliseconds

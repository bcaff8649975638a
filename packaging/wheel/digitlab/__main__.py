"""`python -m digitlab`, and the commands `digitlab` and `digitlab-gui`: the same as `main.py` in
the repository.
"""

from main import main

if __name__ == "__main__":
    raise SystemExit(main())

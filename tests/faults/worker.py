"""A process that runs the cases of one campaign, and reports each on its standard output before and
after.
"""

import faulthandler
import importlib
import json
import os
import sys
from pathlib import Path
from random import Random

from tests.faults.case import judge

CAMPAIGNS = {
    "readers": ("tests.faults.readers", "Readers"),
    "commands": ("tests.faults.command_lines", "CommandLines"),
    "class": ("tests.faults.class_files", "ClassFiles"),
    "window": ("tests.faults.window", "Window"),
}


def main() -> None:
    """Arguments: campaign, seed, number of the first case, number of cases, working folder."""
    name = sys.argv[1]
    seed, first, count = map(int, sys.argv[2:5])
    folder = Path(sys.argv[5])
    reports = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    faulthandler.enable()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)  # what the program prints is not a report
    module, kind = CAMPAIGNS[name]
    folder.mkdir(parents=True, exist_ok=True)
    campaign = getattr(importlib.import_module(module), kind)(folder)
    for number in range(first, first + count):
        case = campaign.case(Random(f"{seed}/{number}"))
        print(json.dumps({"number": number, "name": case.name}), file=reports, flush=True)
        print(json.dumps({"number": number, "fault": judge(case)}), file=reports, flush=True)
    reports.flush()
    os._exit(0)  # threads of the window, if any, are of no interest any more


if __name__ == "__main__":
    main()

"""List the devices of this machine, and why one is not available."""

import argparse

from core.commands.console import Parser, print_json, print_row
from kernels.registry import probe_all


def add_options(parser: Parser) -> None:
    parser.add_flag("--json", "print one JSON object a device")


def execute(options: argparse.Namespace) -> int:
    for device in probe_all():
        if options.json:
            print_json(
                {
                    "name": device.name,
                    "title": device.title,
                    "available": device.available,
                    "reason": device.reason,
                    "details": device.details,
                }
            )
            continue
        facts = ", ".join(f"{key}: {value}" for key, value in device.details.items())
        state = facts or "ready" if device.available else f"not available. {device.reason}"
        print_row((device.name, device.title, state), (10, 20, 0))
    return 0

"""A verdict as an HTML page: the faults beside the lines that they are about, and what the accesses cost."""

from html import escape

from core.html.page import page, paragraph, section, table
from core.workshop.check import Verdict, shape_text


def verdict_html(verdict: Verdict, source: str) -> str:
    """The page. All texts of the kernel are escaped."""
    faults = [
        f"<li><strong>{escape(fault.kind)}</strong>, line {fault.line}: "
        f"{escape(fault.text + shape_text(fault.sizes))}</li>"
        for fault in verdict.faults
    ]
    lines = source.splitlines()
    marked = {line for fault in verdict.faults for line in (fault.line, fault.other_line)}
    code = "\n".join(
        f"<mark>{number:4d}  {escape(line)}</mark>" if number in marked else f"{number:4d}  {escape(line)}"
        for number, line in enumerate(lines, 1)
    )
    rows = [
        (each.line, each.access, each.array, each.space, each.lanes,
         f"{each.sectors_per_request:g}" if each.space == "global" else "-", each.bank_conflict_ways or "-")
        for each in verdict.counts
    ]  # fmt: skip
    shapes = "; ".join(shape_text(sizes).strip(" ()") for sizes in verdict.sizes if sizes)
    parts = [
        paragraph(verdict.summary),
        f"<ul>{''.join(faults)}</ul>" if faults else "",
        section("Kernel", f'<div class="scroll"><pre>{code}</pre></div>'),
    ]
    if rows:
        heading = (
            "Line",
            "Access",
            "Array",
            "Memory",
            "Threads",
            "Sectors per request",
            "Bank conflict ways",
        )
        parts.append(section("What the accesses cost", table(heading, rows)))
    said = [f"Shapes: {shapes}." if shapes else "", verdict.types, f"Seed {verdict.seed}."]
    return page(f"Check of {verdict.kernel}", parts, " ".join(filter(None, said)))

"""A self-contained HTML page: no scripts, no files beside it; readable in light and dark, and on paper."""

import base64
import io
from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

STYLE = """
:root { color-scheme: light dark; --line: #d5dae1; --muted: #5a6472; }
@media (prefers-color-scheme: dark) { :root { --line: #4a515d; --muted: #a8b0bd; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
th { font-weight: 600; color: var(--muted); }
figure { margin: 1rem 0; } figcaption { color: var(--muted); }
svg { width: 100%; height: auto; } svg text { font: 11px system-ui, sans-serif; fill: currentColor; }
.images { display: flex; flex-wrap: wrap; gap: .6rem; } .images figure { margin: 0; max-width: 9rem; }
.images img { height: 56px; max-width: 9rem; image-rendering: pixelated; display: block; }
ul.plain { list-style: none; padding: 0; } aside { border-left: 3px solid var(--line); padding-left: 1rem; }
footer { margin-top: 3rem; color: var(--muted); }
"""


def page(title: str, parts: Iterable[str], footer: str = "") -> str:
    """The document; `parts` are HTML, the other texts are escaped. Halves of surrogate pairs become question marks."""
    body = "\n".join(parts)
    text = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n<footer>{escape(footer)}</footer>\n</body>\n</html>\n"
    )
    return text.encode("utf-8", "replace").decode()


def section(heading: str, *parts: str) -> str:
    """A heading, which is escaped, and HTML below it."""
    return f"<section>\n<h2>{escape(heading)}</h2>\n" + "\n".join(parts) + "\n</section>"


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def table(headings: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table of escaped texts; the first column is aligned to the left."""
    head = "".join(f"<th>{escape(str(cell))}</th>" for cell in headings)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


_LOW, _HIGH = np.array([0, 114, 178]), np.array([192, 74, 0])  # of the palette of `core.colors`


def image_tag(pixels: np.ndarray, caption: str) -> str:
    """A figure of uint8 pixels, (height, width) gray or (height, width, 3), with an escaped caption."""
    from PIL import Image

    content = io.BytesIO()
    Image.fromarray(pixels).save(content, "PNG")
    text = escape(caption)
    source = f"data:image/png;base64,{base64.b64encode(content.getvalue()).decode()}"
    return f'<figure><img src="{source}" alt="{text}"><figcaption>{text}</figcaption></figure>'


def signed_image_tag(values: np.ndarray, caption: str) -> str:
    """As `image_tag` of values from -1 (blue) over 0 (white) to 1 (orange); NaN is gray."""
    strength = np.minimum(np.abs(values), 1)[..., None]
    colors = 255 + np.nan_to_num(strength) * (np.where(values[..., None] < 0, _LOW, _HIGH) - 255)
    colors[np.isnan(values)] = 160
    return image_tag(np.rint(colors).astype(np.uint8), caption)

"""The template of all HTML that the program writes: a file that loads nothing, readable in light,
dark and on paper.

The style, and the scripts of pages to draw on, are in resources/page. The page itself forbids its
browser everything else (Content-Security-Policy): scripts and styles run only where their text has
the hash that is named, pictures only where they are in the file.
"""

import base64
import io
import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape

import numpy as np

from core.colors import NEGATIVE_ON_LIGHT, POSITIVE_ON_LIGHT
from core.program import RESOURCES


def resource(name: str) -> str:
    """The text of a file in resources/page. Line ends are those that browsers hash."""
    return (RESOURCES / "page" / name).read_text("utf-8")


def page(
    title: str, parts: Iterable[str], footer: str = "", *, script: str = "", data: object = None
) -> str:
    """The document; `parts` are HTML, the other texts are escaped. Halves of surrogate pairs become
    question marks.

    `script`: runs at the end of the page; `theme.js` has to be a part of it. `data`: values for the
    script, which finds them as JSON in the element `data`.
    """
    body = "\n".join(parts)
    style = resource("page.css")
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; base-uri 'none'; "
        "form-action 'none'"
    )
    before = after = ""
    if script:
        policy += f"; script-src {_hash(script)}"
        before = '<button id="theme" type="button" hidden>Colors</button>\n'
        # "<" would end the element, or begin a comment.
        values = json.dumps(data).replace("<", "\\u003c")
        after = f'<script type="application/json" id="data">{values}</script>\n' if data else ""
        after += f"<script>{script}</script>\n"
    text = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        f"{before}<h1>{escape(title)}</h1>\n{body}\n</main>\n<footer>{escape(footer)}</footer>\n"
        f"{after}</body>\n</html>\n"
    )
    return text.encode("utf-8", "replace").decode()


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def section(heading: str, *parts: str) -> str:
    """A heading, which is escaped, and HTML below it."""
    return f"<section>\n<h2>{escape(heading)}</h2>\n" + "\n".join(parts) + "\n</section>"


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def table(headings: Sequence[object], rows: Iterable[Sequence[object]], texts: int = 1) -> str:
    """A table of escaped texts; the first `texts` columns are aligned to the left, the others to
    the right.
    """

    def cells(kind: str, values: Sequence[object]) -> str:
        ends = [' class="text"' if 0 < place < texts else "" for place in range(len(values))]
        return "".join(
            f"<{kind}{end}>{escape(str(value))}</{kind}>"
            for value, end in zip(values, ends, strict=True)
        )

    head = cells("th", headings)
    lines = (cells("td", row) for row in rows)
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return (
        "<div "
        f'class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
    )


_LOW, _HIGH = (
    np.array([*bytes.fromhex(color[1:])]) for color in (NEGATIVE_ON_LIGHT, POSITIVE_ON_LIGHT)
)
_SHADES = 20


def image_tag(pixels: np.ndarray, caption: str, *, colors: int = 0) -> str:
    """A figure of uint8 pixels, (height, width) gray or (height, width, 3), with an escaped
    caption.

    `colors`: they have at most so many; the file is then smaller.
    """
    from PIL import Image

    content = io.BytesIO()
    image = Image.fromarray(pixels)
    (image.quantize(colors) if colors else image).save(content, "PNG", optimize=True)
    text = escape(caption)
    source = f"data:image/png;base64,{base64.b64encode(content.getvalue()).decode()}"
    return f'<figure><img src="{source}" alt="{text}"><figcaption>{text}</figcaption></figure>'


def signed_image_tag(values: np.ndarray, caption: str) -> str:
    """As `image_tag` of values from -1 (orange) over 0 (white) to 1 (blue); NaN is gray."""
    strength = np.rint(_SHADES * np.minimum(np.abs(values), 1)[..., None]) / _SHADES
    colors = 255 + np.nan_to_num(strength) * (np.where(values[..., None] < 0, _LOW, _HIGH) - 255)
    colors[np.isnan(values)] = 160
    return image_tag(np.rint(colors).astype(np.uint8), caption, colors=2 * _SHADES + 2)

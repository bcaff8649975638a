"""Images inside of an HTML page, as PNG in data URIs."""

import base64
import io
from html import escape

import numpy as np

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

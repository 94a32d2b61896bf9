"""SVG to pixels, by resvg."""

import io
from pathlib import Path

import numpy as np


def pixels(svg: str) -> np.ndarray:
    """The picture as uint8 (height, width, 3)."""
    try:
        import font_roboto
        import resvg_py
        from PIL import Image
    except ImportError as missing:
        raise ImportError(
            f"pictures need the extra 'render' ({missing.name} is not installed): pip install 'tradewinds[render]'"
        ) from missing
    # The font comes along, so that a picture is the same on every machine.
    fonts = str(Path(font_roboto.__file__).parent / "files")
    png = resvg_py.svg_to_bytes(svg_string=svg, background="white", skip_system_fonts=True, font_dirs=[fonts], font_family="Roboto")
    return np.asarray(Image.open(io.BytesIO(bytes(png))).convert("RGB")).copy()

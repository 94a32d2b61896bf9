"""SVG to pixels, by resvg."""

import io
from functools import cache
from pathlib import Path

import numpy as np

WEIGHTS = ("Regular", "Bold")  # of the font: those that svg.py uses


def pixels(svg: str) -> np.ndarray:
    """Rasterize a picture.

    Most of the time is resvg's own: filling shapes, and writing the PNG that is read back here.

    Args:
        svg: The picture, as `env.svg()` gives it.

    Returns:
        uint8 (height, width, 3).

    Raises:
        ImportError: The extra `render` is not installed.
    """
    try:
        import resvg_py
        from PIL import Image
    except ImportError as missing:
        raise _missing(missing) from missing
    png = resvg_py.svg_to_bytes(svg_string=svg, background="white", skip_system_fonts=True, font_files=_fonts(), font_family="Roboto")
    return np.array(Image.open(io.BytesIO(bytes(png))).convert("RGB"))


@cache
def _fonts() -> list[str]:
    """The files of a font that is installed with the extra, so that a picture is the same on every machine."""
    try:
        import font_roboto
    except ImportError as missing:
        raise _missing(missing) from missing
    folder = Path(font_roboto.__file__).parent / "files"
    return [str(folder / f"Roboto-{weight}.ttf") for weight in WEIGHTS]


def _missing(error: ImportError) -> ImportError:
    return ImportError(f"pictures need the extra 'render' ({error.name} is not installed): pip install 'tradewinds[render]'")

"""A replay as an animated picture."""

import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tradewinds.envs.core.io.atomic import write_file
from tradewinds.envs.core.io.replay import Replay
from tradewinds.envs.core.render.places import mark
from tradewinds.envs.core.render.raster import pixels

from .frames import Moment, Pieces, View, moments

WIDTH = 800  # pixels
COLOURS = 128
PAUSE, LAST = 600, 4000  # milliseconds


def gif(replay: Replay, path: Path, seat: int | None, watched: Callable[[list[Moment]], Iterable[Moment]] = iter) -> None:
    """Write the game as a GIF: a frame for each action that is seen, which is outlined.

    Args:
        replay: The game.
        path: The file.
        seat: Whose view it is; None for a spectator to whom nothing is hidden.
        watched: Gives the moments back one by one, to show progress.

    Raises:
        ImportError: The extra `render` is not installed.
    """
    variant = replay.game.with_options(**replay.options)
    view = View(variant, seat, replay.players or [], Pieces())
    shown = [moment for moment in moments(replay) if view.knows(moment)]
    # One palette for all: what does not change between two frames then costs nothing.
    palette = _small(view, shown[len(shown) // 2]).quantize(COLOURS)
    frames = (_small(view, moment).quantize(palette=palette, dither=0) for moment in watched(shown))
    durations = [PAUSE] * (len(shown) - 1) + [LAST]
    file = io.BytesIO()
    next(frames).save(file, "GIF", save_all=True, append_images=frames, duration=durations, loop=0, optimize=True)
    write_file(path, file.getvalue())


def _small(view: View, moment: Moment) -> Any:
    whole = pixels(mark(view.picture(moment), moment.places))
    from PIL import Image  # of the extra `render`, which `pixels` has asked for

    return Image.fromarray(whole).resize((WIDTH, round(whole.shape[0] * WIDTH / whole.shape[1])), Image.Resampling.LANCZOS)

"""Text in a terminal: colours for goods and players, and lines that break at words."""

import re

from rich.console import Console
from rich.text import Text

from tradewinds.envs.core.spec.game import Game

from .labels import wrapped

SEATS = ("bold green", "bold magenta", "bold blue", "bold yellow", "bold cyan")
BOARD_WIDTH = 80  # columns
DARK, BRIGHT = 0.15, 0.75  # luminance that is hard to read on a dark or on a bright background


class Painter:
    """Prints text with the colours of a game. Pipes and files, and terminals with NO_COLOR set, get none; rich sees to that."""

    def __init__(self, console: Console, game: Game) -> None:
        self.console = console
        self._styles = {word: good_style(colour) for word, colour in game.colours.items()}
        self._goods = re.compile(rf"\b({'|'.join(map(re.escape, self._styles))})\b", re.IGNORECASE) if self._styles else None
        self._warned = 0  # width of the terminal at the last warning

    def say(self, text: str, style: str = "") -> None:
        """Print a message, broken at words in a terminal."""
        if self.console.is_terminal:
            text = "\n".join(part for line in text.split("\n") for part in wrapped(line, self.console.width, label_width(line)))
        self.console.print(self._painted(text, style), soft_wrap=True)

    def board(self, text: str) -> None:
        """Print a board, its long lines broken at words. A terminal that is too narrow gets a note, once for each width."""
        width = self.console.width
        if self.console.is_terminal and width < BOARD_WIDTH and width != self._warned:
            self._warned = width
            self.say(f"Boards need {BOARD_WIDTH} columns, and your terminal has {width}.", "yellow")
        if self.console.is_terminal:
            text = "\n".join(part for line in text.splitlines() for part in wrapped(line, max(width, BOARD_WIDTH), label_width(line)))
        self.console.print(self._painted(text), soft_wrap=True)

    def _painted(self, text: str, style: str = "") -> Text:
        painted = Text(text, style)
        if self._goods is not None:
            for found in self._goods.finditer(text):
                painted.stylize(self._styles[found[0].lower()], found.start(), found.end())
        for found in re.finditer(r"\b(?:P|player_)(\d)\b", text, re.IGNORECASE):
            painted.stylize(SEATS[int(found[1]) % len(SEATS)], found.start(), found.end())
        return painted


def label_width(line: str) -> int:
    """How far what follows a label is indented: `Supply       10 corn` by 13 columns."""
    label = re.match(r" *\S+(?: \S+)? {2,}", line)
    return len(label[0]) if label and len(label[0]) < 30 else 4


def good_style(colour: str) -> str:
    """The style of a word in its colour, "#rrggbb": as background where the colour cannot be read on every terminal."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    if DARK * 2 < luminance < BRIGHT:
        return f"bold {colour}"
    return f"{'white' if luminance < 0.5 else 'black'} on {colour}"

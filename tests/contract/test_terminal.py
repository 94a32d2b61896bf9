"""Boards in a terminal: 80 columns hold them, goods have their colours, and a terminal that is too narrow is told so."""

import io
import re
from typing import Any

import numpy as np
import pytest
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style

import tradewinds.envs as tw
from tests.contract.tools import amount, every_game, every_rule_set
from tradewinds.cli.terminal.paint import BOARD_WIDTH, Painter, good_style
from tradewinds.envs.core.io.history import History

ESCAPE = re.compile(r"\x1b\[[\d;]*m")
EVERY = 40  # positions between two boards


def new_painter(game: tw.Game, width: int) -> tuple[Painter, io.StringIO]:
    """A painter and what it prints, in a terminal of this width."""
    printed = io.StringIO()
    console = Console(
        file=printed, width=width, force_terminal=True, color_system="truecolor", no_color=False, highlight=False, markup=False, emoji=False
    )
    return Painter(console, game), printed


def played(name: str, options: dict[str, Any], steps: int) -> History:
    """A game of random moves."""
    env = tw.make(name, **options)
    env.reset(seed=9)
    history, choose = History(env), np.random.default_rng(4)
    while len(history.moves) < steps and env.legal_actions():
        env.step(int(choose.choice(env.legal_actions())))
        history.follow(env)
    return history


@every_rule_set()
def test_no_line_of_a_board_is_wider_than_80_columns(name: str, options: dict[str, Any]) -> None:
    history = played(name, options, amount(10_000, 2 * EVERY))
    painter, printed = new_painter(tw.game(name), 80)
    for at in {*range(0, len(history.positions), EVERY), len(history.positions) - 1}:
        for viewer in (None, 0, options["players"] - 1):
            painter.board(history.board(at, viewer))
    lines = ESCAPE.sub("", printed.getvalue()).splitlines()
    assert len(lines) > amount(100, 20)
    assert not [line for line in lines if len(line) > 80]
    assert "Boards need" not in printed.getvalue()


@every_game()
def test_the_words_of_goods_have_their_colours_on_the_board(name: str) -> None:
    game = tw.game(name)
    if not game.colours:
        pytest.skip("its goods have no colours")
    history = played(name, {}, amount(60, 20))
    painter, printed = new_painter(game, 80)
    painter.board(history.board(-1, None))
    said = ESCAPE.sub("", printed.getvalue())
    shown = [word for word in game.colours if re.search(rf"\b{word}\b", said)]
    assert shown
    for word in shown:
        assert Style.parse(good_style(game.colours[word])).render(word, color_system=ColorSystem.TRUECOLOR) in printed.getvalue(), word


@every_game()
def test_a_terminal_that_is_too_narrow_is_told_so_once(name: str) -> None:
    board = played(name, {}, 0).board(0, 0)
    painter, printed = new_painter(tw.game(name), 70)
    painter.board(board)
    painter.board(board)
    assert ESCAPE.sub("", printed.getvalue()).count(f"Boards need {BOARD_WIDTH} columns, and your terminal has 70.") == 1

"""Choices in words: each legal action can be told from the others, with its numbers in the right form."""

import re
from typing import Any

import numpy as np

import tradewinds.envs as tw
from tests.contract.tools import amount, every_game, every_rule_set, new_batch, random_play
from tests.support import sample
from tradewinds.envs.core.io.history import History
from tradewinds.envs.core.render.words import logged

WRONG_PLURAL = re.compile(r"(?<![\w$])1 (?!less\b)(\w+s)\b")


@every_rule_set()
def test_legal_actions_in_words_differ_and_have_right_plurals(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, options, amount(sample(2, 8), 1))
    game = batch.variant.game
    for _ in random_play(batch, amount(300, 120)):
        for at in range(batch.size):
            seat = int(batch.seats[at])
            view = batch.variant.masked_view(batch.states[at], seat)
            said = [game.in_words(view, seat, int(action)) for action in np.flatnonzero(batch.masks[at])]
            assert len(set(said)) == len(said), said
            assert not [text for text in said if WRONG_PLURAL.search(text)], said


@every_rule_set()
def test_the_log_of_a_whole_game_has_right_plurals(name: str, options: dict[str, Any]) -> None:
    env = tw.make(name, **options)
    env.reset(seed=7)
    history, choose = History(env), np.random.default_rng(3)
    for _ in range(amount(10_000, 60)):
        if not env.legal_actions():
            break
        env.step(int(choose.choice(env.legal_actions())))
        history.follow(env)
    said = [line.text for line in history.lines(None)]
    assert len(said) > amount(100, 20)
    assert not [text for text in said if WRONG_PLURAL.search(text) or "for 0 " in text]


@every_game()
def test_every_action_has_a_line_for_logs_of_its_own_with_right_plurals(name: str) -> None:
    game = tw.game(name)
    said = [logged(game, action) for action in range(len(game.actions))]
    assert len(set(said)) == len(said)
    assert not [text for text in said if WRONG_PLURAL.search(text) or "for 0 " in text]


@every_game()
def test_the_glossary_speaks_in_sentences_and_colours_are_hexadecimal(name: str) -> None:
    game = tw.game(name)
    for entry, text in game.glossary.items():
        assert not text[0].islower() and text.endswith("."), (entry, text)
        assert not WRONG_PLURAL.search(text), (entry, text)
    for word, colour in game.colours.items():
        assert re.fullmatch("#[0-9a-f]{6}", colour), (word, colour)
        assert word in " ".join(game.actions.names), word

"""The games as text, for language models: prompts, and what an answer means.

>>> import tradewinds.envs as tw
>>> from tradewinds.envs import text
>>> env = tw.make("santiago_de_cuba", players=3)
>>> env.reset(seed=1)
>>> question = text.prompt(env)                    # rules, board and named legal actions of the seat to move
>>> answer = text.read_answer("Action: 4", env)    # answer.action, or None and answer.reason
"""

import difflib
import importlib.resources
import re
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .core.api.aec import TableEnv
from .core.api.decisions import Decisions
from .core.spec.actions import ActionTable
from .core.spec.game import Game, Variant

RULES = ("short", "whole", "none")
CLOSE = 0.75  # how alike an answer and the one action it means must be, 1 for equal
APART = 0.05  # and by how much more than any other
NAMED = 8  # legal actions named in a reason
FORMAT = 'Answer with the number or the name of one legal action, in a last line "Action: ..."'
# Only what is before the line's first word is skipped: "\W*" would read the same empty lines again from each of them.
_MARKED = re.compile(r"^[^\w\n]*(?:final\s+)?(?:action|answer|move)[^\w\n]*[:=]\s*(.+)$", re.IGNORECASE | re.MULTILINE)
_NUMBERED = re.compile(r"^(?:action\s+|number\s+)?#?(-?\d{1,9})(?:\s*[:.)\-]\s*(.*))?$", re.IGNORECASE)


class Answer(NamedTuple):
    """What a model's answer means."""

    action: int | None  # a legal action, or None
    reason: str  # why there is none, to be shown to the model; else ""


def rules(game: Game, how: str = "short") -> str:
    """The rules as text.

    Args:
        game: The game.
        how: "short" for a page that is enough to play, "whole" for all clauses, "none" for nothing. A game without a short text gives all.

    Raises:
        ValueError: `how` is none of these.
    """
    if how not in RULES:
        raise ValueError(f"rules must be {' or '.join(map(repr, RULES))}, got {how!r}")
    if how == "none":
        return ""
    return (_file(game, "RULES_SHORT.md") if how == "short" else "") or _file(game, "RULES.md")


@cache
def _file(game: Game, name: str) -> str:
    path = importlib.resources.files(game.module) / name
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""


def system_prompt(variant: Variant, how: str = "short") -> str:
    """Who the model is, the rules, and how to answer: the same for the whole game.

    Args:
        variant: What is played.
        how: The rules in the prompt: "short", "whole" or "none".
    """
    goal = "the best final score wins"
    parts = [f"You play {variant.game.title} with {variant.players} players; {goal}.", rules(variant.game, how), f"{FORMAT}."]
    return "\n\n".join(part for part in parts if part)


def board(env: TableEnv, agent: str | None = None) -> str:
    """The board as a seat may see it, by default the seat to move.

    Args:
        env: The game.
        agent: The seat that looks; None: the one to move.
    """
    seat = env.possible_agents.index(agent or env.agent_selection)
    return env.game.text(env.view(env.possible_agents[seat]), seat)


def choices(actions: ActionTable, legal: "list[int] | np.ndarray") -> str:
    """Legal actions, one per line: their numbers and names.

    Args:
        actions: The game's actions.
        legal: The ids of the legal ones.
    """
    return "\n".join(f"{int(action)}: {actions.names[int(action)]}" for action in legal)


def prompt(env: TableEnv, agent: str | None = None, how: str = "short") -> str:
    """Everything that a seat needs to decide, and nothing that it may not know.

    Args:
        env: A running game.
        agent: The seat; by default the one to move. Another one is given no actions.
        how: Which rules: "short", "whole" or "none".

    Raises:
        GameOverError: The game has not begun.
    """
    env._check_begun()
    chosen = agent or env.agent_selection
    legal = env.legal_actions() if chosen == env.agent_selection else []
    return "\n\n".join([system_prompt(env.variant, how), _question(env.game, board(env, chosen), chosen, legal)])


def decision_prompts(decisions: Decisions) -> list[str]:
    """Board and legal actions of each decision, as an agent is asked; `system_prompt` has what comes before.

    Args:
        decisions: The decisions, one row per game.
    """
    game, views = decisions.variant.game, decisions.views.view(np.recarray)
    rows = zip(views, decisions.seats.tolist(), decisions.masks, strict=True)
    return [_question(game, game.text(view, seat), f"player_{seat}", np.flatnonzero(mask)) for view, seat, mask in rows]


def _question(game: Game, seen: str, agent: str, legal: "list[int] | np.ndarray") -> str:
    if not len(legal):
        return f"{seen.strip()}\n\nYou are {agent}. It is not your turn."
    return f"{seen.strip()}\n\nYou are {agent}. Your legal actions:\n{choices(game.actions, legal)}\n\n{FORMAT}."


def read_answer(answer: Any, source: "TableEnv | tuple[ActionTable, list[int]]") -> Answer:
    """Find the action that an answer names. The game is not touched.

    What follows "Action:" in the last such line counts, else the last line, else the whole text. It is read as the number of an action, as
    a name, as text with exactly one legal name in it, or as a name with small mistakes if it is close to one legal action only.

    Args:
        answer: What the model said.
        source: The environment, or the action table and the legal actions.

    Returns:
        The action, or None and the reason, which names what is legal.
    """
    actions, legal = (source.game.actions, source.legal_actions()) if isinstance(source, TableEnv) else source
    if not isinstance(answer, str) or not answer.strip():
        return Answer(None, f"the answer is empty. {_legal(actions, legal)}")
    marked = _MARKED.findall(answer)
    lines = [line for line in answer.splitlines() if line.strip()]
    first = Answer(None, "")
    for part in [marked[-1]] if marked else [lines[-1], answer]:
        found = _read(part, actions, legal)
        if found.action is not None:
            return found
        first = first if first.reason else found
    return first


def _read(said: str, actions: ActionTable, legal: list[int]) -> Answer:
    plain = _plain(said)
    by_name = {_plain(actions.names[action]): action for action in legal}
    if plain in by_name:
        return Answer(by_name[plain], "")
    number = _NUMBERED.match(plain)
    if number and int(number[1]) in legal:
        return Answer(int(number[1]), "")
    if number and not number[2]:
        action = int(number[1])
        what = (
            f"action {action} ({actions.names[action]!r}) is not legal now"
            if 0 <= action < len(actions)
            else f"there is no action {action}"
        )
        return Answer(None, f"{what}. {_legal(actions, legal)}")
    if any(plain == _plain(name) for name in actions.names):
        return Answer(None, f"{said.strip()!r} is not legal now. {_legal(actions, legal)}")
    held = [name for name in by_name if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", plain)]
    held = [name for name in held if not any(name != other and name in other for other in held)]
    if len(held) == 1:
        return Answer(by_name[held[0]], "")
    if len(held) > 1:
        return Answer(None, f"the answer names more than one action: {', '.join(map(repr, held[:NAMED]))}. Name one.")
    return _closest(plain, by_name, actions, legal)


def _closest(plain: str, by_name: dict[str, int], actions: ActionTable, legal: list[int]) -> Answer:
    # Names that differ in a number differ in what they do: numbers are never guessed.
    numbers = re.findall(r"\d+", plain)
    near = [name for name in by_name if re.findall(r"\d+", name) == numbers]
    alike = sorted(((difflib.SequenceMatcher(None, plain[:200], name).ratio(), name) for name in near), reverse=True)
    if alike and alike[0][0] >= CLOSE and (len(alike) == 1 or alike[0][0] - alike[1][0] >= APART):
        return Answer(by_name[alike[0][1]], "")
    return Answer(None, f"the answer names no legal action: {plain[:80]!r}. {_legal(actions, legal)}")


def _plain(said: str) -> str:
    """Lower case, single spaces, and no quotes, brackets or full stop around."""
    return " ".join(said.split()).strip(" \t`'\"*[](){}<>.!").casefold()


def _legal(actions: ActionTable, legal: list[int]) -> str:
    named = ", ".join(f"{action} {actions.names[action]!r}" for action in legal[:NAMED])
    more = f" and {len(legal) - NAMED} more" if len(legal) > NAMED else ""
    return f"Legal are {named}{more}."

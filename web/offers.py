"""What can be played: the games with their options, strengths and rules; and what the start page asks for, checked."""

import secrets
from importlib.resources import files
from typing import Any

import tradewinds.envs as tw
from tradewinds.agents.neural.checkpoint import pretrained_net
from tradewinds.agents.scripted.bot import bot_of
from tradewinds.envs.core.api.batch import check_seed
from tradewinds.envs.core.render.svg import SEAT_COLOURS
from tradewinds.envs.core.render.words import guide
from tradewinds.envs.core.spec.game import Game, Variant

from .seats import Seat
from .server import RequestError, Server

HERE, LINK = "here", "link"  # a person at the owner's browser, and one who gets a link
LONGEST_NAME = 40
FOR_AGENTS = ("reward", "encoding")  # options that change nothing for people


def levels(variant: Variant) -> dict[str, str]:
    """Strength in words, and the agent code that stands for it in this variant."""
    bot = bot_of(variant.game)
    easy = "scripted:greedy" if bot is not None and "greedy" in bot.styles else "random"
    hardest = "pretrained" if pretrained_net(variant) is not None else "search:3000"
    return {"easy": easy, "medium": "search:100" if bot is None else "scripted", "hard": "search:300", "hardest": hardest}


def offered(server: Server, variant: Variant) -> dict[str, str]:
    """What may sit at a seat: the name on the page, and the code."""
    return {**levels(variant), "random": "random", **{code: code for code in server.settings.agents}}


def what_can_be_played(server: Server) -> dict[str, Any]:
    """The games with their options, and the agents."""
    found = []
    for name in tw.games():
        game = tw.game(name)
        players = next(option for option in game.options if option.name == "players")
        found.append(
            {
                "name": name,
                "title": game.title,
                "goal": goal_of(game),
                "players": list(players.choices),
                "default": players.default,
                "levels": {count: levels(game.with_options(players=count)) for count in players.choices},
                "options": [
                    {
                        "name": option.name,
                        "default": option.default,
                        "choices": None if isinstance(option.choices, range) else list(option.choices),
                        "min": option.choices[0],
                        "max": option.choices[-1],
                        "text": option.text,
                    }
                    for option in game.options
                    if option.name not in ("players", *FOR_AGENTS)
                ],
            }
        )
    return {"games": found, "agents": ["random", *server.settings.agents], "colours": SEAT_COLOURS}


def seats_of(server: Server, body: dict[str, Any], variant: Variant) -> list[Seat]:
    """Who sits where, as the start page says.

    Raises:
        RequestError: An agent is not offered, or a name is too long.
    """
    given = body.get("seats")
    if not isinstance(given, list) or len(given) != variant.players:
        raise RequestError(422, f"seats must be a list of {variant.players}, one for each player")
    known = offered(server, variant)
    seats = []
    for at, row in enumerate(given):
        who = row.get("who") if isinstance(row, dict) else None
        if who in (HERE, LINK):
            seats.append(Seat(name_of(row.get("name"), f"Player {at}"), None, secrets.token_urlsafe(24), who == HERE))
        elif isinstance(who, str) and who in known:
            code = known[who]
            seats.append(Seat(code if who == code else f"{who.capitalize()} · {code}", code, secrets.token_urlsafe(24)))
        else:
            raise RequestError(
                422,
                f"the agent {str(who)[:60]!r} is not offered here; possible are {HERE}, {LINK}, {', '.join(known)}."
                " Others are named when the server is started, by --agent CODE",
            )
    return seats


def rules_of(game: Game, options: dict[str, Any]) -> dict[str, Any]:
    """The rules, in short and in full, and the guide to the pieces."""
    entries = [entry._asdict() for entry in guide(game, options)]
    return {"short": rules_text(game, "RULES_SHORT.md"), "full": rules_text(game, "RULES.md"), "guide": entries}


def goal_of(game: Game) -> str:
    """The first line of the short rules."""
    line = rules_text(game, "RULES_SHORT.md").partition("\n")[0].removeprefix("Goal: ")
    return line[:1].upper() + line[1:]


def rules_text(game: Game, name: str) -> str:
    """A file of rules beside a game; "" if it has none."""
    try:
        return (files(game.module) / name).read_text(encoding="utf-8")
    except (OSError, ModuleNotFoundError, TypeError):
        return ""


def variant_of(body: dict[str, Any]) -> Variant:
    """The game and its options.

    Raises:
        RequestError: There is no such game or option.
    """
    name, options = body.get("game"), body.get("options", {})
    if not isinstance(name, str) or not isinstance(options, dict):
        raise RequestError(422, "a game is named by `game`, and its options are an object `options`")
    try:
        return tw.game(name[:100]).with_options(**{str(key): value for key, value in options.items()})
    except (ValueError, TypeError) as error:
        raise RequestError(422, str(error)) from None


def seed_of(body: dict[str, Any]) -> int:
    """The seed that is given, or a random one."""
    given = body.get("seed")
    if given is None:
        return new_seed()
    try:
        return check_seed(given)
    except (ValueError, TypeError) as error:
        raise RequestError(422, str(error)) from None


def new_seed() -> int:
    """A random seed. Nobody can try all of them to learn what is hidden, and JavaScript reads each exactly."""
    return secrets.randbits(53)


def name_of(given: Any, default: str) -> str:
    """The name of a person: plain text.

    Raises:
        RequestError: It is too long or has control characters.
    """
    if given is None or given == "":
        return default
    if not isinstance(given, str) or not given.isprintable() or not 1 <= len(given.strip()) <= LONGEST_NAME:
        raise RequestError(422, f"a name is plain text of at most {LONGEST_NAME} characters")
    return given.strip()

"""One page per game, and one with its rules by clause, from the game's own declarations."""

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tradewinds as tw
from tradewinds.agents.scripted import bot_of
from tradewinds.envs import text
from tradewinds.envs.core.spec.options import Option

SEED, MIDDLE = 3, 0.55  # the picture's position: that part of a mean episode, played by bots
CLAUSE = re.compile(r"^- ([A-Z]{2}(?:-[A-Z0-9]+)+[a-z]?)\b", re.MULTILINE)
OPTIONS = """Keyword arguments of `tw.make`, `tw.make_batch`, `tw.make_seat`, `gymnasium.make` and of agents; `--option NAME=VALUE` on the
command line."""
OBSERVATION = """A float32 vector of consecutive parts, egocentric: the seat itself first, then clockwise.
`batch.observation_parts[name]` is the slice of a part. The smallest value is 0; the largest is
what the rules allow, and most values stay near or below 1.

How to read the meanings: *of 50* is the divisor, so 25 points are 0.5. *Who*, *which* and *one of* are one-hot. *By player* is one block
per player, the seat itself first; *own* is what only that seat sees or has. *At least 1, 2, 3* is a thermometer: one column per
threshold."""
ACTIONS = (
    """The action mask has one entry per action. `env.describe(action)` gives the name of an action, `env.parse(name)` finds it again."""
)
REWARDS = """Rewards come once, at the end of the game; all other steps give 0.

| `reward` | a seat gets |
|---|---|
| `"win"` (default) | 1 for a win, split on ties, minus 1/players; rewards of all seats sum to zero |
| `"rank"` | from 1 for the first place to -1 for the last; ties share |
| `"score"` | the margin to the best other score, in points |
"""

Rows = list[tuple[Any, ...]]


def pages(root: Path) -> Iterator[tuple[str, str, "str | bytes", str]]:
    """Name, menu title, text and source of each page: the list of games, then two pages and a picture for each."""
    yield "index.md", "", _overview(), ""
    for name in tw.games():
        game = tw.game(name)
        yield f"{name}.md", game.title, _page(game), ""
        yield f"{name}.svg", "", _picture(game), ""
        source = f"envs/{name}/RULES.md"
        rules = CLAUSE.sub(r'- <span id="\1">**\1**</span>', text.rules(game, "whole"))
        yield f"{name}_rules.md", f"{game.title}: rules", rules, source


def _overview() -> str:
    rows = []
    for name in tw.games():
        game = tw.game(name)
        counts = _players(game)
        sizes = " / ".join(str(game.with_options(players=count).layout.size) for count in counts)
        steps = " / ".join(str(game.mean_steps.get(count, "")) for count in counts)
        rows.append((f"[{game.title}]({name}.md)", f"`{name}`", f"{counts[0]} to {counts[-1]}", len(game.actions), sizes, steps))
    pictures = "\n".join(f"[![{tw.game(name).title}]({name}.svg){{ width=32% }}]({name}.md)" for name in tw.games())
    heading = ("game", "name", "players", "actions", "observation, by players", "mean env steps, random play, by players")
    return f"""# Games

{_table(heading, rows)}

{pictures}

The same interface serves all games: every page here lists the options, the parts of the observation, the kinds of action and the rules.
A game of your own is added as [Contributing](../contributing.md#how-to-add-a-game) shows, and then has everything that these have.
"""


def _page(game: tw.Game) -> str:
    variant = game.with_options()
    name, counts = game.name, _players(game)
    short = text.rules(game, "short").replace("\n- ", "\n\n- ", 1)  # Markdown wants an empty line before a list
    sections = [
        f"# {game.title}",
        f"![A game of {game.title} in progress]({name}.svg)",
        _table(("fact", "value"), _facts(game)),
        "## How to play",
        short,
        f"All rules by clause, with every ruling: [{game.title}: rules]({name}_rules.md).",
        "## Options",
        OPTIONS,
        _table(("option", "default", "choices", "meaning"), [_option(option) for option in game.options]),
        "## Observation",
        OBSERVATION,
        f"Columns are those of {variant.players} players and default options.",
        _table(("part", "columns", f"size, {' / '.join(map(str, counts))} players", "largest value", "meaning"), _parts(game)),
        f"The columns of `phase`: {', '.join(f'`{name}`' for name in _phases(game))}.",
        *_option_parts(game),
        "## Actions",
        f"`Discrete({len(game.actions)})`. {ACTIONS}",
        _table(("kind", "ids", "count", "first", "last"), _kinds(game)),
        "## Rewards",
        REWARDS,
        f"Final scores come with their sources, from `env.breakdown()`: {', '.join(tw.make(name).sources)}.",
        f"A typical winning margin is {game.score_scale:g} points.",
        "## Version history",
        _history(game),
    ]
    return "\n\n".join(sections) + "\n"


def _facts(game: tw.Game) -> Rows:
    variant, counts, name = game.with_options(), _players(game), game.name
    bot = bot_of(game)
    sizes = " / ".join(f"({game.with_options(players=count).layout.size},)" for count in counts)
    rows = [
        ("Import", f"`from tradewinds.envs import {game.env_id}`"),
        ("Make", f'`tw.make("{name}")`, `tw.make_batch("{name}", size=1024)`'),
        ("Gymnasium and PettingZoo id", f"`tradewinds/{name}-v{game.version}`"),
        ("Players", f"{counts[0]} to {counts[-1]}, by default {variant.players}"),
        ("Agents", ", ".join(f"`player_{seat}`" for seat in range(variant.players))),
        ("Actions", f"`Discrete({len(game.actions)})`, masked"),
        (f"Observation with {' / '.join(map(str, counts))} players", f"{sizes}, float32"),
        ("State, default options", f"({variant.state_layout.size},), float32"),
    ]
    if game.mean_steps:
        steps = " / ".join(str(game.mean_steps[count]) for count in counts)
        rows.append((f"Mean episode with {' / '.join(map(str, counts))} players", f"{steps} env steps of random legal play"))
    rows.append(("One game in memory", f"{game.fields.dtype.itemsize} bytes"))
    if bot is not None:
        rows.append(("Scripted bot", ", ".join(f"`scripted:{style}`" if style != bot.default else "`scripted`" for style in bot.styles)))
    return rows


def _option(option: Option) -> tuple[Any, ...]:
    choices = option.choices
    listed = f"{choices[0]} to {choices[-1]}" if isinstance(choices, range) else ", ".join(f"`{choice!r}`" for choice in choices)
    return f"`{option.name}`", f"`{option.default!r}`", listed, option.text


def _parts(game: tw.Game) -> Rows:
    layouts = [game.with_options(players=count).layout for count in _players(game)]
    sizes = [{part.name: part.size for part in layout.parts} for layout in layouts]
    default = game.with_options().layout
    rows: Rows = []
    for part in default.parts:
        columns = default.slices[part.name]
        counted = [by_name.get(part.name, 0) for by_name in sizes]
        size = counted[0] if len(set(counted)) == 1 else " / ".join(map(str, counted))
        rows.append((f"`{part.name}`", f"{columns.start}:{columns.stop}", size, f"{part.high:g}", part.text))
    return rows


def _phases(game: tw.Game) -> list[str]:
    """The phases of the default options, which come first in every game's `Phase`."""
    size = next(part.size for part in game.with_options().layout.parts if part.name == "phase")
    return [phase.name.lower() for phase in importlib.import_module(f"{game.module}.state").Phase][:size]


def _option_parts(game: tw.Game) -> Iterator[str]:
    """For each option that changes the vector: which parts are added, removed, or have another size."""
    default = {part.name: part.size for part in game.with_options().layout.parts}
    for option in game.options:
        for choice in () if isinstance(option.choices, range) else option.choices:
            try:
                variant = game.with_options(**{option.name: choice})
            except ValueError:  # it needs another option beside it
                continue
            changed = [part for part in variant.layout.parts if default.get(part.name) != part.size]
            if changed:
                given = f"{option.name}={choice!r}"
                yield f"With `{given}` the vector has {variant.layout.size} numbers. These parts are new or have another size:"
                yield _table(("part", "size", "meaning"), [(f"`{part.name}`", part.size, part.text) for part in changed])


def _kinds(game: tw.Game) -> Rows:
    first, names = game.actions.first, game.actions.names
    spans = [(kind.name.lower(), int(first[kind]), int(first[kind + 1])) for kind in game.actions.kinds]
    return [(f"`{kind}`", f"{low}:{high}", high - low, names[low], names[high - 1]) for kind, low, high in spans if high > low]


def _history(game: tw.Game) -> str:
    """What the module for PettingZoo users says of the game's versions."""
    try:
        module = importlib.import_module(f"tradewinds.envs.{game.env_id}")
    except ModuleNotFoundError:
        return f"This is version {game.version}."
    return inspect.getdoc(module).partition("Version history:")[2].strip()  # type: ignore[union-attr]


def _picture(game: tw.Game) -> str:
    """A position in the middle of a game between bots, as a spectator sees it."""
    env = tw.make(game.name)
    env.reset(seed=SEED)
    agent = tw.make_agent("scripted" if game.bot else "random", game.name)
    for _ in range(int(game.mean_steps.get(env.variant.players, 100) * MIDDLE)):
        if any(env.terminations.values()):
            break
        env.step(agent.act(env.decision())[0])
    return game.svg(env.record()[0], None)


def _players(game: tw.Game) -> list[int]:
    return list(next(option for option in game.options if option.name == "players").choices)


def _table(heading: tuple[str, ...], rows: Rows) -> str:
    lines = [heading, ("---",) * len(heading), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)

"""A game as data: nothing is lost, and nobody is told what they cannot know."""

import base64
import gzip
import json
import re
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import every_game, places_in
from tradewinds.envs.core.io.history import History, Line
from tradewinds.envs.core.spec.fields import Status
from tradewinds.web.frames import difference, document, moments, split

from .conftest import played


def changed_list(before: list[int], changed: list[Any]) -> list[int]:
    if len(changed) == 3:
        front, back, new = changed
        return [*before[:front], *new, *before[len(before) - back :]]
    after = before[:]
    for at, number in zip(changed[::2], changed[1::2], strict=True):
        after[at] = number
    return after


def pictures(data: dict[str, Any], view: dict[str, Any]) -> list[str]:
    """Every picture of a view, put together again: what replay.js does."""
    pieces: list[list[int]] = []
    for base, *changed in data["pieces"]:
        pieces.append(changed_list(pieces[base] if base >= 0 else [], changed))
    shown: list[int] = []
    named = 0
    found = []
    for count, *changed in view["frames"]:
        shown = [*shown[:count], *[-1] * (count - len(shown))]
        for at, number in zip(changed[::2], changed[1::2], strict=True):
            named += number
            shown[at] = named
        found.append("".join(data["elements"][element] for piece in shown for element in pieces[piece]))
    return found


@pytest.mark.parametrize(
    ("before", "after"), [("", "abc"), ("abc", "abc"), ("abc", "axc"), ("abc", "ac"), ("aa", "aaa"), ("abab", "ab"), ("abc", "xyz")]
)
def test_a_difference_gives_the_new_list_from_the_old_one(before: str, after: str) -> None:
    old, new = [*map(ord, before)], [*map(ord, after)]
    assert changed_list(old, difference(old, new)) == new


@every_game()
def test_a_picture_is_the_sum_of_its_pieces(name: str) -> None:
    env = tw.make(name)
    env.reset(seed=1)
    picture = env.svg()
    pieces = list(split(picture))
    assert "".join(element for _, elements in pieces for element in elements) == picture
    assert len({panel for panel, _ in pieces}) == len(pieces) > 8


@pytest.mark.slow
@every_game()
def test_every_view_shows_what_its_seat_sees_at_every_position(name: str, games: dict[str, tw.Replay], documents: dict[str, Any]) -> None:
    replay, data = games[name], documents[name]
    shown = {view["view"]: pictures(data, view) for view in data["views"]}
    ends = {decision: at for at, decision in enumerate(data["decisions"])}  # the last frame of each decision
    assert len(ends) == len(replay.moves) + 1
    for decision, env in enumerate(replay.positions()):
        if decision % 40 and env.record()[0].status == Status.RUNNING:
            continue
        assert shown["all"][ends[decision]] == replay.game.svg(env.record()[0], None, replay.players)
        for seat, agent in enumerate(env.possible_agents):
            assert shown[agent][ends[decision]] == replay.game.svg(env.view(agent), seat, replay.players)


@pytest.mark.slow
@every_game()
def test_the_last_position_of_a_game_without_names_is_the_picture_of_the_environment(name: str, games: dict[str, tw.Replay]) -> None:
    replay = games[name]
    nameless = tw.Replay(replay.game, replay.options, replay.seed, replay.opening, replay.moves)
    nameless.result = replay.result
    *_, env = nameless.positions()
    data = document(nameless, [env.agent_selection])
    assert pictures(data, data["views"][0])[-1] == env.svg()


@every_game()
def test_the_log_is_what_each_viewer_hears(name: str, games: dict[str, tw.Replay], documents: dict[str, Any]) -> None:
    views = documents[name]["views"]
    history = None
    for env in games[name].positions():
        if history is None:
            history = History(env)
        else:
            history.follow(env)
    assert history is not None
    for view in views:
        log = views[0]["log"] if view["log"] is None else view["log"]
        assert [Line(*line) for lines in log for line in lines] == history.lines(view["seat"])


@every_game()
def test_the_last_move_is_marked_where_it_was_played(name: str, documents: dict[str, Any]) -> None:
    data = documents[name]
    view = data["views"][0]
    marked = [bool(set(marks) & set(places_in(picture))) for marks, picture in zip(view["marks"], pictures(data, view), strict=True)]
    assert len(marked) > 50 and np.mean(marked) > 0.5


def at_an_auction() -> tw.Replay:
    """Somebody's first secret bid has just been made, and the next seat is to bid."""
    for seed in range(100):
        env = tw.make("container", players=4)
        env.reset(seed=seed)
        random = np.random.default_rng(seed)
        for _ in range(400):
            legal = env.legal_actions()
            sails = [action for action in legal if env.describe(action).startswith(("sail: to the island", "buy:", "bid:"))]
            if any(env.describe(action).startswith("bid:") for action in legal):
                first = env.agent_selection
                while env.agent_selection == first:
                    env.step(next(action for action in env.legal_actions() if env.describe(action).startswith("bid:")))
                return tw.Replay.of(env)
            env.step(int(random.choice(sails or legal)))
    raise AssertionError("no auction")


@pytest.mark.slow
def test_a_seat_of_a_running_game_cannot_count_what_others_do_in_secret() -> None:
    replay = at_an_auction()
    bidder, other = replay.moves[-1].seat, (replay.moves[-1].seat + 1) % 4
    shorter = tw.Replay(replay.game, replay.options, replay.seed, replay.opening, replay.moves[:-1])
    while shorter.moves[-1].action.startswith("bid:"):
        shorter = tw.Replay(replay.game, replay.options, replay.seed, replay.opening, shorter.moves[:-1])
    before, after = (document(game, [f"player_{other}"]) for game in (shorter, replay))
    assert before == after, "not even the number of frames tells of a secret bid"
    own_before, own_after = (document(game, [f"player_{bidder}"]) for game in (shorter, replay))
    assert len(own_after["views"][0]["frames"]) > len(own_before["views"][0]["frames"])


def test_a_running_game_tells_a_seat_neither_the_seed_nor_what_is_hidden() -> None:
    replay = played("container", 1_234_567_891, moves=120, players=4)
    page = replay.html(["player_2"])
    found = re.search(r'<script id="data" type="text/plain">(.*?)</script>', page)
    assert found is not None
    data = gzip.decompress(base64.b64decode(found[1])).decode()
    assert str(replay.seed) not in page and str(replay.seed) not in data
    assert json.loads(data)["decisions"] is None
    *_, env = replay.positions()
    assert pictures(json.loads(data), json.loads(data)["views"][0])[-1] == replay.game.svg(env.view("player_2"), 2)


@pytest.mark.parametrize("views", [["all"], ["player_0", "player_1"]])
def test_a_running_game_is_shown_from_one_seat_only(views: list[str]) -> None:
    replay = played("santiago_de_cuba", 1, moves=10)
    with pytest.raises(
        ValueError, match="not over, so it is shown from one seat only; choose one of player_0, player_1, player_2, player_3"
    ):
        replay.html(views)


def test_a_view_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no view 'player_9'; the views are all, player_0, player_1, player_2, player_3"):
        played("santiago_de_cuba", 1, moves=10).html(["player_9"])


@every_game()
def test_moments_follow_every_action_and_end_where_the_game_ends(name: str, games: dict[str, tw.Replay]) -> None:
    found = list(moments(games[name]))
    *_, env = games[name].positions()
    assert found[0].step is None and all(moment.step is not None for moment in found[1:])
    assert found[-1].record.tobytes() == env.record().tobytes()
    assert [moment.decision for moment in found] == sorted(moment.decision for moment in found)

"""Nothing that a seat is sent depends on what it cannot know, and nothing is sent that would count what others do in secret."""

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.container.lively import choose
from tests.contract.tools import amount, every_game
from tradewinds.web.advice import Advice
from tradewinds.web.session import Session
from tradewinds.web.tables import Tables

from .server_tools import Browser, new_server, owner_of, run_async, wait_for

OPTIONS: dict[str, dict[str, Any]] = {"container": {"max_turns": 40}}


def started(owner: Browser, name: str, players: int = 3) -> Session:
    """A game of people at one device, whose moves a test makes."""
    made = owner.start(name, ["here"] * players, **OPTIONS.get(name, {}))
    session = owner.client.app.state.server.sessions[made["id"]]  # type: ignore[attr-defined]
    wait_for(lambda: session.status(0) != "compiling" and session.running.done())
    return session


def action_of(session: Session, random: np.random.Generator) -> int:
    """A random move; Container's are such that there are auctions."""
    assert session.table is not None
    mask = session.table.env.observe(session.table.env.agent_selection)["action_mask"]
    return choose(mask, random) if session.variant.game.secret is not None else int(random.choice(np.flatnonzero(mask)))


def play(session: Session, random: np.random.Generator) -> int:
    """One move of the person who decides, as the page makes it."""
    assert session.table is not None
    seat = session.table.seat
    session.move(seat, session.board(seat)["seq"], action_of(session, random))
    return seat


def is_secret_now(session: Session) -> bool:
    """Whether the next decision is one that only its player learns of."""
    assert session.table is not None and session.variant.game.secret is not None
    return session.variant.game.secret(session.table.history.positions[-1][0], session.table.env.legal_actions()[0])


def to_an_auction(session: Session, random: np.random.Generator) -> None:
    """Play on, without showing it, until secret bids are asked for."""
    assert session.table is not None
    while not session.table.is_over and not is_secret_now(session):
        session.table.play(action_of(session, random))
    session.publish()


@every_game()
def test_every_byte_stays_the_same_when_what_a_seat_cannot_know_is_dealt_again(name: str, tmp_path: Path) -> None:
    server, random, compared = new_server(tmp_path), np.random.default_rng(5), 0
    with owner_of(server) as owner:
        session = started(owner, name)
        table = session.table
        assert table is not None
        for step in range(60):  # fewer, and in Puerto Rico nothing would be hidden yet
            table.play(action_of(session, random))
            if table.is_over:
                break
            if step % 10:
                continue
            session.publish()
            for viewer in range(3):
                path = f"/api/games/{session.id}/board?seat={viewer}"
                real = owner.client.get(path).content
                known = table.history.positions[-1]
                dealt = table.env.redeal(f"player_{viewer}", seed=step, perfect_recall=False).record()
                table.history.positions[-1] = dealt
                session.publish()
                assert owner.client.get(path).content == real
                compared += dealt.tobytes() != known.tobytes()
                table.history.positions[-1] = known
                session.publish()
    server.stop()
    assert compared, "nothing was hidden in any position"


@every_game()
def test_an_analysis_and_a_hint_in_a_running_game_know_what_their_seat_knows(name: str, tmp_path: Path) -> None:
    server, random, compared = new_server(tmp_path, hint="random"), np.random.default_rng(6), 0
    with owner_of(server) as owner:
        session = started(owner, name)
        table = session.table
        assert table is not None
        for step in range(1, amount(31, 11)):
            table.play(action_of(session, random))
            if step % 10:
                continue
            session.publish()
            seat, env = table.seat, table.env
            shown, path = session.board(seat), f"/api/games/{session.id}/analysis"
            for other in {0, 1, 2} - {seat}:
                owner.post(path, {"seat": other, "seq": session.board(other)["seq"]}, 409)
            found = owner.post(path, {"seat": seat, "seq": shown["seq"]})
            assert {choice["id"] for choice in found["choices"]} <= {choice["id"] for choice in shown["choices"]}
            assert sum(found["value"]) == pytest.approx(1, abs=0.01)
            assert all(sum(choice["values"]) == pytest.approx(1, abs=0.01) for choice in found["choices"])
            hint = owner.post(path.replace("analysis", "hint"), {"seat": seat, "seq": shown["seq"]})  # drawn from the seed of the decision
            # The hidden part, the randomness ahead, the seed and the number of decisions so far are others.
            table.env = env.redeal(f"player_{seat}", seed=step)
            compared += table.env.record().tobytes() != env.record().tobytes()
            session.advice = Advice(session)  # nothing is kept
            assert owner.post(path, {"seat": seat, "seq": shown["seq"]}) == found
            assert owner.post(path.replace("analysis", "hint"), {"seat": seat, "seq": shown["seq"]}) == hint
            table.env = env
    server.stop()
    assert compared or session.variant.game.secret is None, "nothing was hidden in any position"


def test_a_position_is_searched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = new_server(tmp_path)
    with owner_of(server) as owner:
        session = started(owner, "santiago_de_cuba")
        assert session.table is not None
        body = {"seat": session.table.seat, "seq": session.board(session.table.seat)["seq"]}
        found = owner.post(f"/api/games/{session.id}/analysis", body)
        monkeypatch.setattr("tradewinds.agents.search.Search.opinion", None)
        assert owner.post(f"/api/games/{session.id}/analysis", body) == found
    server.stop()


def test_a_secret_bid_is_no_event_for_the_others(tmp_path: Path) -> None:
    server, random, secret = new_server(tmp_path), np.random.default_rng(1), 0
    with owner_of(server) as owner:
        session = started(owner, "container")
        table = session.table
        assert table is not None
        for _ in range(40):
            to_an_auction(session, random)
            if table.is_over or secret >= 6:
                break
            before = {seat: owner.client.get(f"/api/games/{session.id}/board?seat={seat}").content for seat in range(3)}
            mover = play(session, random)
            if table.is_over or any(step.announcement for step in table.history.moves[-1]):
                continue
            secret += 1
            for seat in {0, 1, 2} - {mover, table.seat}:  # who is asked next is told so
                assert owner.client.get(f"/api/games/{session.id}/board?seat={seat}").content == before[seat]
    server.stop()
    assert secret >= 3, "there was no auction"


@pytest.mark.slow
def test_a_stream_says_nothing_while_its_seat_sees_nothing_new(tmp_path: Path) -> None:
    server, random = new_server(tmp_path), np.random.default_rng(1)
    heard: dict[int, list[str]] = {seat: [] for seat in range(3)}

    async def listen(session: Session) -> None:
        tables = Tables(server)
        server.loop = asyncio.get_running_loop()

        async def follow(seat: int) -> None:
            async for line in tables.stream(session, [seat]):
                heard[seat].append(line)

        tasks = [asyncio.ensure_future(follow(seat)) for seat in range(3)]
        table = session.table
        assert table is not None
        for _ in range(10):
            to_an_auction(session, random)
            if table.is_over:
                break
            await asyncio.sleep(0.05)
            before = {seat: len(heard[seat]) for seat in heard}
            mover = play(session, random)
            await asyncio.sleep(0.05)
            if not table.is_over and not any(step.announcement for step in table.history.moves[-1]):
                for seat in {0, 1, 2} - {mover, table.seat}:
                    assert len(heard[seat]) == before[seat]
        for task in tasks:
            task.cancel()

    with owner_of(server) as owner:
        session = started(owner, "container")
    run_async(listen(session))
    server.stop()
    assert all(len(lines) > 3 for lines in heard.values())

"""A slow bot steps less often: the hour of a ladder game is shared with the opponent and with the game."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bot.main import GAME_STEP, LOOK_EVERY, SLOW_STEP, Ironsight


def played(bot: Ironsight, looks: int, milliseconds: float) -> int:
    """Steps that take so long until the bot has looked at its budget so often; the step it then chose."""
    for _ in range(looks * LOOK_EVERY):
        bot.state.game_loop += bot.client.game_step
        bot.step_ms.append(milliseconds)
        bot._keep_budget()
    return bot.client.game_step


def begun(step: int = GAME_STEP, *, realtime: bool = False, steady: bool = False) -> Ironsight:
    bot = Ironsight(step, steady=steady)
    bot.client, bot.state, bot.realtime = SimpleNamespace(game_step=step), SimpleNamespace(game_loop=0), realtime
    return bot


@pytest.mark.parametrize(("milliseconds", "step"), [(39.0, GAME_STEP), (41.0, SLOW_STEP)])
def test_ten_milliseconds_a_loop_are_the_budget(milliseconds: float, step: int) -> None:
    assert played(begun(), 1, milliseconds) == step


def test_what_quiet_minutes_left_over_is_there_for_a_great_fight() -> None:
    bot = begun()
    played(bot, 20, 5.0)
    assert played(bot, 5, 100.0) == GAME_STEP
    assert played(bot, 20, 100.0) == SLOW_STEP
    assert played(bot, 40, 5.0) == GAME_STEP, "and it steps as often as before once the time is saved again"


def test_who_steps_seldom_already_never_steps_more_often_for_being_slow() -> None:
    assert played(begun(2 * SLOW_STEP), 1, 1000.0) == 2 * SLOW_STEP


def test_in_real_time_the_client_keeps_the_step() -> None:
    assert played(begun(realtime=True), 1, 1000.0) == GAME_STEP


def test_games_that_are_compared_do_not_depend_on_the_machine() -> None:
    assert played(begun(steady=True), 5, 1000.0) == GAME_STEP

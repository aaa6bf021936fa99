"""One battle twice: through the protocol with burnysc2, and directly through `Battles`. What units see, may do, do and
suffer must be the same to the bit, step by step: then a policy that was trained on the one plays the other."""

from __future__ import annotations

import asyncio
import copy
import threading
import time
from typing import Any

import numpy as np
import pytest
from s2clientprotocol import sc2api_pb2 as sc
from sc2.bot_ai import BotAI
from sc2.data import Race
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.main import play_from_websocket
from sc2.player import Bot
from sc2.position import Point2

from bot.guard import Guard
from bot.knowledge.tracker import Tracker
from bot.micro import commands, skills
from bot.micro.scene import Ground
from bot.micro.step import Micro
from bot.micro.tables import Tables, tables
from bot.micro.task import MODES, Mode, Tasks
from bot.orders import Cast
from bot.sending import SAME_POINT, send
from sim.battle import Battles
from sim.engine import state
from sim.melee.game import Game
from sim.melee.records import Result
from tests.sim.server.client import PARTICIPANT, TERRAN, Client, running_server
from tests.sim.server.conftest import map_file
from train.field import ATTACK_ID, PLAIN
from train.reader import Reader, kinds_of

STEP = 8
DECISIONS = 30
OURS = {
    U.MARINE: 8,
    U.MARAUDER: 3,
    U.MEDIVAC: 2,
    U.SIEGETANK: 2,
    U.VIKINGFIGHTER: 1,
    U.GHOST: 1,
    U.REAPER: 1,
    U.WIDOWMINE: 4,
}
THEIRS = {U.ZERGLING: 12, U.ROACH: 6, U.HYDRALISK: 3, U.BANELING: 3, U.MUTALISK: 2, U.DARKTEMPLAR: 2}


class Twofold:
    """The direct half: battles that begin as a copy of a running game, with the eyes and hands of training."""

    def __init__(self, game: Game, tags: list[int]) -> None:
        frozen = copy.deepcopy(game)
        self.battles = Battles(frozen, 1, seed=0, reserve=64)
        for name in ("rng", "salt"):
            self.battles.worlds[name][0, 0] = game.world[name][0]
        own = sorted((tag - (1 << 32)) >> 18 for tag in tags)
        others = [slot for slot in range(self.battles.slots) if slot not in own]
        ground = Ground(game.terrain.walkable == 1, game.terrain.buildable == 1)
        self.reader = Reader(kinds_of(game.facts), ground, own, others)
        self.reader.start(self.battles.units, np.array([0]))

    def scene(self) -> Any:
        """What training sees."""
        b = self.battles
        loop = b.worlds["loop"][:, 0]
        return self.reader.read(b.units, b.orders, b.players, b.types, b.visibility, loop, STEP, table=b.tables)

    def play(self, given: commands.Commands) -> None:
        """Orders as training gives them, a loop later: between two clients commands travel so long."""
        loop = int(self.battles.worlds["loop"][0, 0])
        slots = self.reader.slots[given.agent]
        targets = np.where(given.target >= 0, self.reader.slots[np.maximum(given.target, 0)], -1)
        sent = [k for k in range(len(slots)) if targets[k] >= 0 or not self.obeyed(slots[k], given, k)]
        self.battles.step(1)
        self.obey(given, sent, slots, targets, loop)
        self.battles.step(STEP - 1)

    def obeyed(self, slot: int, given: commands.Commands, k: int) -> bool:
        """Whether a unit already goes where order k sends it: then the bot does not send it again."""
        order, verb = self.battles.orders[0, slot, 0], PLAIN.get(int(given.ability[k]), state.ATTACK_MOVE)
        if not given.has_point[k] or order["verb"] != verb or order["target"] >= 0:
            return False
        return abs(order["x"] - given.x[k]) < SAME_POINT and abs(order["y"] - given.y[k]) < SAME_POINT

    def obey(
        self, given: commands.Commands, sent: list[int], slots: np.ndarray, targets: np.ndarray, loop: int
    ) -> None:
        """Each agent's order by itself."""
        for k in sent:
            ability, slot, target = int(given.ability[k]), int(slots[k]), int(targets[k])
            if ability == ATTACK_ID or ability in PLAIN:
                attack = state.ATTACK if target >= 0 else state.ATTACK_MOVE
                verb = attack if ability == ATTACK_ID else PLAIN[ability]
                self.battles.issue(*(np.array([value]) for value in (0, slot, verb, target, given.x[k], given.y[k])))
            else:
                point = (float(given.x[k]), float(given.y[k])) if given.has_point[k] else (None, None)
                done = self.battles.cast(0, slot, ability, target, *point)
                units = self.battles.units[0]
                late = not units[slot]["alive"]
                late |= target >= 0 and (not units[target]["alive"] or units[target]["flags"] & state.INSIDE)
                late |= done == Result.NOT_ENOUGH_LIFE  # it was hit in the loop that the order took
                assert done == 1 or late, f"a legal decision is obeyed: {skills.VERBS[given.verb[k]]} gave {done}"
                self.reader.note(*(np.array([number]) for number in (0, given.agent[k], ability, loop)))


class Watcher(BotAI):
    """The protocol's half: sets the battle up, decides at random among what is legal, compares at every step."""

    def __init__(self, server: Any) -> None:
        super().__init__()
        self.server, self.twofold, self.done, self.used, self.hidden = server, None, 0, set(), False
        self.burrowed = False
        self.rng = np.random.default_rng(5)
        self.fault: BaseException | None = None

    async def on_step(self, iteration: int) -> None:
        try:
            if iteration == 0:
                await self.set_up()
            elif iteration >= 2 and self.fault is None:
                await self.compare()
        except BaseException as error:
            self.fault = error
        if self.fault is not None or self.done >= DECISIONS:
            await self.client.leave()

    async def set_up(self) -> None:
        self.client.game_step = STEP
        self.micro, self.tracker = Micro(Guard(), "scripted"), Tracker(self)
        middle = self.game_info.map_center
        await self.client.debug_kill_unit({unit.tag for unit in self.workers})
        await self.client.debug_upgrade()
        await self.client.debug_create_unit([[k, n, Point2((middle.x - 6, middle.y)), 1] for k, n in OURS.items()])
        await self.client.debug_create_unit([[k, n, Point2((middle.x + 6, middle.y)), 2] for k, n in THEIRS.items()])

    async def compare(self) -> None:
        knowledge = self.tracker.update(self)
        seen = self.micro.see(knowledge).scene
        if self.twofold is None:
            self.twofold = Twofold(self.server.match.game, seen.tag[0, : seen.agents].tolist())
        direct = self.twofold.scene()
        rows = np.array([np.flatnonzero(direct.tag[0] == tag)[0] for tag in seen.tag[0].tolist()])
        assert sorted(seen.tag[0].tolist()) == sorted(direct.tag[0][direct.present[0]].tolist())
        agents = rows[: seen.agents]
        whole = missions(direct)
        mine = Tasks(*(array[:, agents] for array in whole))
        one, other = tables(seen, mine), tables(direct, whole)
        same(one, other, rows, agents)
        self.hidden |= bool((seen.cloak == 1).any())
        self.burrowed |= bool(seen.burrowed[0, : seen.agents].any())
        self.alike()
        verb, target = self.decide(other)
        theirs = commands.commands(direct, whole, verb, target)
        place = np.full(direct.tag.shape[1] + 1, -1)
        place[rows] = np.arange(len(rows))
        ours = commands.commands(seen, mine, verb[:, agents], place[target[:, agents]])
        orders = commands.orders(seen, ours)
        for order in orders:
            if isinstance(order, Cast):
                self.micro._casts.note(order.tag, order.cast, self.state.game_loop)
        await send([orders], self)
        self.used |= {skills.VERBS[v] for v in ours.verb.tolist()}
        self.twofold.play(theirs)
        self.done += 1

    def alike(self) -> None:
        """Place, life and energy of every unit of both halves: what the decisions so far led to."""
        game, battles = self.server.match.game, self.twofold.battles
        count = battles.slots
        for name in ("alive", "type", "x", "y", "hp", "shield", "energy", "flags", "buff"):
            np.testing.assert_array_equal(game.units[name][:count], battles.units[name][0], name)

    def decide(self, shown: Tables) -> tuple[np.ndarray, np.ndarray]:
        """Legal decisions, rare skills before common moves; half of the units go on with what they do."""
        verb = np.zeros(shown.verbs.shape[:2], np.int64)
        target = np.full(verb.shape, -1, np.int64)
        for a in np.flatnonzero(shown.alive[0]).tolist():
            legal = np.flatnonzero(shown.verbs[0, a])
            rare = legal[legal >= skills.VERB["STIM"]]
            if self.rng.random() < 0.5:
                continue
            verb[0, a] = self.rng.choice(rare if rare.size and self.rng.random() < 0.4 else legal)
            row = skills.TARGET_ROW[verb[0, a]]
            if row >= 0:
                target[0, a] = self.rng.choice(np.flatnonzero(shown.targets[0, a, row]))
        return verb, target


def missions(scene: Any) -> Tasks:
    """A point of its own for each agent: the client sends orders with one point as one command to a group."""
    shape = (1, scene.agents)
    spread = np.arange(scene.agents, dtype=np.float32)[None]
    home = np.stack((60.0 + spread * 0.25, np.full(shape, 70.0)), axis=-1).astype(np.float32)
    point = np.stack((100.0 - spread * 0.25, np.full(shape, 80.0)), axis=-1).astype(np.float32)
    return Tasks(np.full(shape, MODES.index(Mode.FIGHT), np.int8), point, home, home, np.full(shape, 255, np.uint8))


def same(seen: Tables, direct: Tables, rows: np.ndarray, agents: np.ndarray) -> None:
    """Features and masks of the two halves are equal to the bit."""
    assert seen.entities[0].tobytes() == direct.entities[0][rows].tobytes(), differ(
        seen.entities[0], direct.entities[0][rows]
    )
    assert np.ascontiguousarray(seen.pairs[0]).tobytes() == direct.pairs[0][agents][:, rows].tobytes()
    np.testing.assert_array_equal(seen.verbs[0], direct.verbs[0][agents])
    np.testing.assert_array_equal(seen.targets[0], direct.targets[0][agents][:, :, rows])
    np.testing.assert_array_equal(seen.attends[0], direct.attends[0][agents][:, rows])
    dead = np.delete(np.arange(direct.alive.shape[1]), agents)
    assert not direct.alive[0, dead].any()


def differ(one: np.ndarray, other: np.ndarray) -> str:
    """Names of the features that are not equal."""
    from bot.micro.tables import ENTITY_FEATURES

    return ", ".join(ENTITY_FEATURES[k] for k in np.flatnonzero((one != other).any(axis=0)))


def stand_by(second: Client, stop: threading.Event) -> None:
    """The other player gives up its workers, whose mining no battle has, and lets time pass."""
    request = sc.RequestDebug()
    kill = request.debug.add().kill_unit
    units = second.observe().observation.raw_data.units
    kill.tag.extend(unit.tag for unit in units if unit.alliance == 1 and unit.unit_type == U.SCV.value)
    second.ask(debug=request)
    while not stop.is_set() and second.step(STEP).status == 3:
        pass


@pytest.fixture
def watched() -> Watcher:
    with running_server() as server:
        first, second = Client(server.port), Client(server.port)
        made = first.create(map_file(), (PARTICIPANT, TERRAN), (PARTICIPANT, TERRAN), random_seed=3)
        assert not made.create_game.HasField("error")
        stop = threading.Event()

        def other() -> None:
            while server.match is None or 1 not in server.match.seats:  # the bot shall be the first player
                time.sleep(0.01)
            second.join(TERRAN)
            stand_by(second, stop)

        thread = threading.Thread(target=other, daemon=True)
        thread.start()
        bot = Watcher(server)
        first.close()
        url = f"ws://127.0.0.1:{server.port}/sc2api"
        asyncio.run(play_from_websocket(url, Bot(Race.Terran, bot), False, None))
        stop.set()
        thread.join(30)
        second.close()
        yield bot


def test_features_masks_and_results_are_the_same(watched: Watcher) -> None:
    if watched.fault is not None:
        raise watched.fault
    assert watched.done == DECISIONS
    assert watched.hidden, "cloaked enemies were near"
    assert watched.burrowed, "mines of ours were under the ground"
    assert {"STIM", "SIEGE", "ATTACK", "MOVE_0", "MEND"} <= watched.used

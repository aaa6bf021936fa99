"""All battles of one ground: the engine's side of an environment (battles, eyes, orders, results)."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from sc2.ids.effect_id import EffectId

from bot.config import load as load_config
from bot.micro import advice as advice_of_rules
from bot.micro import commands as micro_commands
from bot.micro import masks
from bot.micro.advice import Advice
from bot.micro.commands import Commands
from bot.micro.geometry import geometry
from bot.micro.reader import OWN_TOO, WALKERS_ONLY
from bot.micro.scene import NEEDS, Ground, Scene
from bot.micro.tables import Tables
from bot.micro.task import Tasks
from bot.micro.twin import Twin
from sim.battle import SWIFT, Battles
from sim.battle.starts import mixed
from sim.engine import state
from sim.server.effects import seen_effects
from train import tables
from train.armies import OURS, THEIRS
from train.foes import Foes
from train.measures import Measures
from train.reader import Reader, kinds_of
from train.scenario import LOOPS
from train.unit_rules import any_hidden, mark_owned
from train.variants import MODE, Briefs, Variant

ATTACK_ID, MOVE_ID, HOLD_ID, STOP_ID, HEAL_ID, REPAIR_ID = 23, 16, 18, 4, 386, 316
PLAIN = {HOLD_ID: state.HOLD, MOVE_ID: state.MOVE, STOP_ID: state.IDLE, HEAL_ID: state.HEAL, REPAIR_ID: state.REPAIR}
_KNOWN = load_config("micro")["dodge"]["effects"]
HARMFUL = {EffectId[name].value: radius for name, radius in _KNOWN.items() if name in EffectId.__members__}
HARM_TO_ALL = frozenset(EffectId[name].value for name in OWN_TOO if name in EffectId.__members__)
SIGN = {EffectId[name].value: -1.0 for name in WALKERS_ONLY if name in EffectId.__members__}


class Side(NamedTuple):
    """One player's eyes and missions in all battles of a field."""

    reader: Reader
    tasks: Tasks
    twin: Twin


class Field:
    """`count` battles on the variants' ground. `own[b]` are the variants that battle b may start from."""

    def __init__(
        self,
        variants: list[Variant],
        own: list[np.ndarray],
        *,
        agents: int,
        foes: int,
        slots: int,
        seed: int,
        first: int,
        numbers: np.ndarray,
        mirror_side: bool,
    ) -> None:
        """`agents`, `foes` and `slots` are the same for all fields of an environment, so that tables can be joined;
        `first + numbers[b]` is the number of battle b, which enters its seed; `mirror_side`: the enemies are played by
        a policy or the twin, and need eyes of their own."""
        self.count = len(own)
        self._briefs = Briefs.of(variants)
        self._behaviours = np.array([variant.fight.behaviour for variant in variants])
        self._choices = np.array([len(options) for options in own], np.uint64)
        self._variants = np.zeros((self.count, int(self._choices.max())), np.int64)
        for b, options in enumerate(own):
            self._variants[b, : len(options)] = options
        self.agents, self.seed, self.number = agents, seed, first + numbers
        games = [variant.game for variant in variants]
        used = max(int(game.world[0]["slots"]) for game in games)
        self.battles = Battles(games, self.count, seed=seed, reserve=max(slots - used, 0))
        self.battles.kept = agents
        self.foes = Foes(self.battles)
        self.measures = Measures(self.battles, [(v.family, v.game) for v in variants])
        ground = Ground(variants[0].family.ground.walkable == 1, variants[0].family.ground.buildable == 1)
        kinds = kinds_of(self.battles.facts)
        everyone = range(self.battles.slots)
        self.sides = {OURS: self._side(kinds, ground, everyone[:agents], everyone[agents:], OURS)}
        if mirror_side:
            theirs = range(agents, agents + foes)
            others = [*everyone[:agents], *everyone[theirs.stop :]]
            self.sides[THEIRS] = self._side(kinds, ground, theirs, others, THEIRS)
        self.episode = np.zeros(self.count, np.int64)
        self.age = np.zeros(self.count, np.int32)
        self.variant = np.zeros(self.count, np.int64)
        self.scenario = np.zeros(self.count, np.int64)
        self.fogless = not any(bool(game.world[0]["fog"]) for game in games)

    def _side(self, kinds: object, ground: Ground, own: object, others: object, viewer: int) -> Side:
        shape = (self.count, len(own))
        places = [np.zeros((*shape, 2), np.float32) for _ in range(3)]
        tasks = Tasks(np.zeros(shape, np.int8), *places, np.zeros(shape, np.uint8))
        return Side(Reader(kinds, ground, own, others, viewer), tasks, Twin(self.count))

    # -- beginning --------------------------------------------------------------------------------------------------
    def begin(self, which: np.ndarray) -> None:
        """Start these battles anew: a variant and a seed that follow from the environment's seed, the battle's number
        and how many it has fought."""
        drawn = mixed(self.number[which].astype(np.uint64) ^ mixed(self.seed))
        drawn = mixed(self.episode[which].astype(np.uint64) ^ drawn)
        self.episode[which] += 1
        turn = (drawn % self._choices[which]).astype(np.int64)
        chosen = self._variants[which, turn]
        self.variant[which] = chosen
        self.battles.reset(which, (mixed(drawn) >> np.uint64(2)).astype(np.int64), chosen.astype(np.int32))
        self.age[which] = 0
        brief = self._briefs
        self.scenario[which] = brief.scenario[chosen]
        self.foes.start(which, brief.behaviour[chosen], brief.aims[chosen], brief.point[chosen], brief.home[chosen])
        self.measures.start(which, chosen)
        for owner, side in self.sides.items():
            tasks, ours = side.tasks, owner == OURS
            tasks.mode[which] = brief.mode[chosen, None] if ours else MODE["fight"]
            tasks.point[which] = (brief.own_point if ours else brief.point)[chosen, None]
            tasks.home[which] = (brief.own_home if ours else brief.home)[chosen, None]
            tasks.allows[which] = brief.allows[chosen, None] if ours else 0xFF
            side.reader.start(self.battles.units, which)
            side.twin.reset(which.tolist())

    # -- seeing -----------------------------------------------------------------------------------------------------
    def scene(self, owner: int = OURS, everything: bool = False) -> Scene:
        """What a player sees now; `everything`: as if nothing were hidden."""
        b, side = self.battles, self.sides[owner]
        return side.reader.read(
            b.units,
            b.orders,
            b.players,
            b.types,
            b.visibility,
            b.worlds["loop"][:, 0],
            LOOPS,
            owned=self._owned(owner),
            effects=self._effects(owner),
            table=b.tables,
            everything=everything,
        )

    def tasks(self, scene: Scene, owner: int = OURS) -> Tasks:
        """The missions, with the present middle of each side's ground fighters."""
        tasks = self.sides[owner].tasks
        a = scene.agents
        walks = scene.present[:, :a] & ~scene.flying[:, :a]
        walks |= scene.present[:, :a] & ~walks.any(axis=1, keepdims=True)
        count = np.maximum(walks.sum(axis=1, keepdims=True), 1).astype(np.float32)
        tasks.middle[..., 0] = np.where(walks, scene.x[:, :a], 0).sum(axis=1, keepdims=True) / count
        tasks.middle[..., 1] = np.where(walks, scene.y[:, :a], 0).sum(axis=1, keepdims=True) / count
        return tasks

    def _owned(self, owner: int) -> np.ndarray:
        """bool[B, NEEDS]: what is no upgrade: a finished Armory, a nuke ready."""
        found = np.zeros((len(NEEDS), self.count), bool)
        for need, name, timer in (("ARMORY", "Armory", 0), ("NUKE", "GhostAcademy", 1)):
            mark_owned(self.battles.units, owner, self.battles.facts.ids[name], timer, found[NEEDS.index(need)])
        return found.T

    def _effects(self, owner: int) -> np.ndarray:
        """f4[B, E, 3]: places and radii of what hurts, as far as the player sees it; signs as in `Scene.effects`."""
        found: dict[int, list[tuple[float, float, float]]] = {}
        for b, game in self.battles.awake():
            if not game.memory.effects:
                continue
            circles = {
                (effect.x, effect.y, SIGN.get(effect.id, 1.0) * max(HARMFUL[effect.id], effect.radius))
                for effect in seen_effects(game, owner)
                if effect.id in HARMFUL and (effect.id in HARM_TO_ALL or effect.owner != owner)
            }
            if circles:
                found[b] = sorted(circles)
        rows = np.zeros((self.count, max(map(len, found.values()), default=0), 3), np.float32)
        for b, circles in found.items():
            rows[b, : len(circles)] = circles
        return rows

    # -- acting -----------------------------------------------------------------------------------------------------
    def decide(
        self,
        scene: Scene,
        tasks: Tasks,
        verb: np.ndarray,
        target: np.ndarray,
        owner: int = OURS,
        advice: Advice | None = None,
    ) -> None:
        """Give the orders of legal decisions: verb and target row i8[B, agents]; `advice` for those who follow it."""
        self.obey(advice_of_rules.commands(scene, tasks, verb, target, advice), owner)

    def obey(self, given: Commands, owner: int = OURS) -> None:
        """Give these orders: plain ones and what acts on its user at once, other abilities one by one."""
        reader = self.sides[owner].reader
        slots = reader.slots[given.agent]
        targets = np.where(given.target >= 0, reader.slots[np.maximum(given.target, 0)], -1)
        verbs = np.full(len(slots), -1, np.int64)
        for ability, verb in PLAIN.items():
            verbs[given.ability == ability] = verb
        attacks = given.ability == ATTACK_ID
        verbs[attacks] = np.where(targets[attacks] >= 0, state.ATTACK, state.ATTACK_MOVE)
        plain = verbs >= 0
        if plain.any():
            self.battles.issue(
                given.battle[plain], slots[plain], verbs[plain], targets[plain], given.x[plain], given.y[plain]
            )
        loops = self.battles.worlds["loop"][:, 0]
        swift = np.isin(given.ability, SWIFT)
        if swift.any():
            b, s, abilities = given.battle[swift], slots[swift], given.ability[swift]
            done = self.battles.use(b, s, abilities)
            self.measures.used(b, s, abilities, done)
            reader.note(b[done], given.agent[swift][done], abilities[done], loops[b[done]])
        for index in np.flatnonzero(~plain & ~swift).tolist():
            b, agent, ability = int(given.battle[index]), int(given.agent[index]), int(given.ability[index])
            point = (float(given.x[index]), float(given.y[index])) if given.has_point[index] else (None, None)
            done = self.battles.cast(b, int(slots[index]), ability, int(targets[index]), *point)
            self.measures.cast(b, int(slots[index]), ability, int(targets[index]), done == 1)
            if done == 1:
                reader.note(*(np.array([number]) for number in (b, agent, ability, loops[b])))

    def secrets(self) -> bool:
        """True if some unit of the enemy is hidden now."""
        return any_hidden(self.battles.units, THEIRS)

    def play_others(self) -> None:
        """The scripted twin plays the enemies of the battles that say so."""
        which = np.flatnonzero(self._driven_by("scripted"))
        if len(which):
            self.play_twin(THEIRS, which.tolist())

    def play_twin(self, owner: int, which: list[int]) -> None:
        """The scripted twin plays a side in these battles, as it plays in a game."""
        scene = self.scene(owner)
        tasks = self.tasks(scene, owner)
        verbs, targets, _ = masks.legal(scene, tasks, geometry(scene))
        given = self.sides[owner].twin.orders(scene, tasks, verbs, targets, which)
        self.obey(micro_commands.of_orders(scene, dict(zip(which, given, strict=True))), owner)

    def learned(self) -> np.ndarray:
        """bool[B]: battles whose enemies are played from outside."""
        return self._driven_by("learned")

    def _driven_by(self, who: str) -> np.ndarray:
        return (self._behaviours == who)[self.variant]

    def advance(self) -> None:
        """The other side's behaviours, then one step of the engine."""
        self.foes.act()
        self.battles.step(LOOPS)
        self.age += 1

    def tables(
        self, scene: Scene, tasks: Tasks, owner: int = OURS, advised: bool = False, room: tables.Room | None = None
    ) -> tuple[Tables, Advice | None]:
        """The network's input, and the advice it was given if it is one that is advised."""
        make = functools.partial(tables.tables, room=room)
        if advised:
            return advice_of_rules.shown(self.sides[owner].twin, scene, tasks, make=make)
        return make(scene, tasks), None

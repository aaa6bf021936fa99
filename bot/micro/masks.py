"""Which verbs and targets are legal: by unit type, energy, cooldown, research, buffs, mission, range and ground."""

from __future__ import annotations

import numpy as np
from sc2.data import Attribute
from sc2.ids.unit_typeid import UnitTypeId

from bot.micro import skills
from bot.micro.geometry import Geometry, Reaches
from bot.micro.scene import ALLIED_CLOAK, BOOSTED, CLOAKED, HASTE, MORPHING, Scene
from bot.micro.skills import SKILLS, STEPS, STRIDE, TARGET_ROW, TARGETED, VERB, VERBS
from bot.micro.task import NO_TASK, Tasks

CHASE = 8.0  # an enemy so far beyond the weapon's range may still be attacked
SLACK = 1.0  # a skill's target so far out of range is walked to
LOOK = 12.0  # wounded this close may be tended
NEAR = 10.0  # enemies this close are worth a turret
PICK_UP = 6.0  # units this close may be taken aboard
THERE = 2.0  # at the point: nearer, units only push each other about
MEND_BELOW = 0.95  # share of life below which tending is of use

ENERGY, LIFE = skills.column("energy", np.float32), skills.column("life", np.float32)
RANGE = skills.column("range", np.float32)
NEEDED, SPARE = (skills.column(name, np.int32) for name in ("needs", "spare"))
NEEDED[-1] = -1
MISSION = skills.column("mission", np.uint8)
GROUND, GROUND_ONLY, UNITS_ONLY, DRAINS = (
    skills.column(name, bool) for name in ("ground", "ground_only", "units_only", "drains")
)
WAYS = np.concatenate((STEPS * np.float32(STRIDE) / 2, STEPS * np.float32(STRIDE)))
"""f4 [16, 2]: half way of each MOVE, then the ends."""
INVISIBLE_TOO = np.array([skill.aim == "point" for skill in SKILLS] + [False])
"""Skills thrown at a place: they also hit what is cloaked."""
ATTRIBUTES = tuple(Attribute)
ONLY = np.array([sum(1 << ATTRIBUTES.index(a) for a in skill.only) for skill in SKILLS] + [0], np.int32)


def legal(
    scene: Scene, tasks: Tasks, geo: Geometry | Reaches, steps: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(verbs bool [B, A, V], targets bool [B, A, T, N], open bool [B, A, 8]: where a MOVE is free).

    A dead agent, one without a task and one that changes its shape have only NOTHING. `steps`: the last answer, where
    the caller knows it already.
    """
    kinds, a = scene.kinds, scene.agents
    kind = scene.kind[:, :a]
    free = geo.alive & (tasks.mode != NO_TASK) & (scene.order != MORPHING)
    mobile = free & (kinds.speed[kind] > 0)
    steps = open_steps(scene, kinds.flying[kind]) if steps is None else steps
    verbs = np.zeros((*kind.shape, len(VERBS)), bool)
    verbs[..., skills.NOTHING] = True
    verbs[..., skills.STOP] = free
    verbs[..., skills.MOVE : skills.MOVE + len(STEPS)] = steps & mobile[..., None]
    verbs[..., skills.ADVANCE] = mobile & (_apart(scene, tasks.point) > THERE)
    verbs[..., skills.HOME] = mobile & (_apart(scene, tasks.home) > THERE)
    book = skills.book(kinds)[kind]
    held = np.flatnonzero((book >= 0).reshape(-1, len(VERBS)).any(axis=0))  # the skill verbs that somebody here has
    verbs[..., held] = free[..., None] & _able(scene, tasks, held, book[..., held])
    held = frozenset(held.tolist())
    _special(scene, tasks, geo, verbs, book, held)
    targets = _targets(scene, geo, free, mobile, verbs, book, held)
    verbs[..., skills.ATTACK] = targets[..., TARGET_ROW[skills.ATTACK], :].any(axis=-1)
    return verbs, targets, steps


def open_steps(scene: Scene, flying: np.ndarray) -> np.ndarray:
    """bool [B, A, 8]: whether the cells half way and at the end of each MOVE are free for the agent."""
    a = scene.agents
    x, y = scene.x[:, :a, None] + WAYS[:, 0], scene.y[:, :a, None] + WAYS[:, 1]
    free = scene.ground.is_open(x, y, flying[..., None])
    return free[..., : len(STEPS)] & free[..., len(STEPS) :]


def _apart(scene: Scene, points: np.ndarray) -> np.ndarray:
    """f4 [B, A]: distance of each agent from its own point."""
    a = scene.agents
    dx, dy = scene.x[:, :a] - points[..., 0], scene.y[:, :a] - points[..., 1]
    return np.sqrt(dx * dx + dy * dy)


def _able(scene: Scene, tasks: Tasks, verbs: np.ndarray, skill: np.ndarray) -> np.ndarray:
    """bool [B, A, k]: whether energy, life, cooldown, research and mission allow these verbs to those who have the
    skill i8 [B, A, k], -1 without."""
    a = scene.agents
    needed, mission = NEEDED[skill], MISSION[skill]
    has = scene.researched[np.arange(len(scene))[:, None, None], needed]
    able = (skill >= 0) & ((needed < 0) | has)
    able &= scene.energy[:, :a, None] >= ENERGY[skill]
    able &= scene.ready_at[..., verbs] <= scene.loop[:, None, None]
    able &= (tasks.allows[..., None] & mission) == mission
    return able & (scene.hp[:, :a, None] > LIFE[skill])


def _special(
    scene: Scene,
    tasks: Tasks,
    geo: Geometry | Reaches,
    verbs: np.ndarray,
    book: np.ndarray,
    held: frozenset[int],
) -> None:
    """What only some verbs ask, folded into the mask; who can do none of `held` need not be asked."""
    a = scene.agents
    buffs, cloak = scene.buffs[:, :a], scene.cloak[:, :a]
    stim, boost, siege, unload, turret = (VERB[name] for name in ("STIM", "BOOST", "SIEGE", "UNLOAD", "TURRET"))
    if stim in held:
        verbs[..., stim] &= (buffs & HASTE) == 0
    if boost in held:
        verbs[..., boost] &= (buffs & BOOSTED) == 0
    if VERB["CLOAK"] in held:
        verbs[..., VERB["CLOAK"]] &= cloak != ALLIED_CLOAK
        verbs[..., VERB["UNCLOAK"]] &= cloak == ALLIED_CLOAK
    if VERB["JUMP_HOME"] in held:
        verbs[..., VERB["JUMP_HOME"]] &= _apart(scene, tasks.home) > NEAR
    if siege in held or unload in held:
        stands = scene.ground.is_open(scene.x[:, :a], scene.y[:, :a], np.zeros((), bool))
        lands = GROUND[book[..., siege]]
        verbs[..., siege] &= stands | ~lands
        if lands.any():  # a sieged tank is a wall: nobody comes down on one
            walls = scene.present & scene.kinds.of_type(UnitTypeId.SIEGETANKSIEGED)[scene.kind]
            verbs[..., siege] &= ~(lands & (walls[:, None] & (geo.gap <= 0)).any(axis=-1))
        verbs[..., unload] &= stands & (scene.cargo[:, :a] > 0)
    if turret in held and verbs[..., turret].any():
        foes = scene.present[:, None, a:] & (geo.gap[:, :, a:] <= NEAR)
        verbs[..., turret] &= foes.any(axis=-1)


def _targets(
    scene: Scene,
    geo: Geometry | Reaches,
    free: np.ndarray,
    mobile: np.ndarray,
    verbs: np.ndarray,
    book: np.ndarray,
    held: frozenset[int],
) -> np.ndarray:
    """bool [B, A, T, N]: legal targets of each verb that needs one; takes from `verbs` what has none."""
    a = scene.agents
    b, n = scene.present.shape
    result = np.zeros((b, a, len(TARGETED), n), bool)
    foes = scene.present & (np.arange(n) >= a)
    shootable = foes & scene.targetable
    beyond = np.where(mobile, np.float32(CHASE), np.float32(0.0))[..., None]
    reach = geo.reach[..., a:]
    hit = (reach >= 0) & (geo.gap[..., a:] <= reach + beyond)
    hit &= shootable[:, None, a:]
    np.logical_and(hit, free[..., None], out=result[:, :, TARGET_ROW[skills.ATTACK], a:])
    for name in TARGETED[1:]:
        verb = VERB[name]
        if verb not in held or not verbs[..., verb].any():
            continue
        who = battle, agent = np.nonzero(verbs[..., verb])  # mostly few
        skill, gap = book[*who, verb], geo.gap[who]
        if name == "MEND":
            fits = _patients(scene, battle, skill) & (gap <= LOOK)
            fits[np.arange(len(agent)), agent] = False
        elif name == "LOAD":
            fits = _passengers(scene, battle, agent) & (gap <= PICK_UP)
            fits[np.arange(len(agent)), agent] = False
        else:
            fits = np.where(INVISIBLE_TOO[skill][:, None], foes[battle], shootable[battle])
            fits &= gap <= RANGE[skill][:, None] + SLACK
            fits &= _suits(scene, battle, skill)
        result[battle, agent, TARGET_ROW[verb]] = fits
        verbs[battle, agent, verb] = fits.any(axis=-1)
    return result


def _suits(scene: Scene, battle: np.ndarray, skill: np.ndarray) -> np.ndarray:
    """bool [k, N]: entities of the sort that each skill is for; i8 [k]: in which battles the skills are used."""
    kinds = scene.kinds
    bits = kinds.notes.get("attributes")
    if bits is None:
        bits = sum(kinds.attribute[a].astype(np.int32) << k for k, a in enumerate(ATTRIBUTES) if a in kinds.attribute)
        kinds.notes["attributes"] = bits
    kind, only = scene.kind[battle], ONLY[skill][:, None]
    fits = (only == 0) | ((bits[kind] & only) != 0)
    fits &= ~(UNITS_ONLY[skill][:, None] & kinds.structure[kind])
    fits &= ~(GROUND_ONLY[skill][:, None] & scene.flying[battle])
    full = (scene.shield > 0) | (scene.energy > 0) | (scene.cloak == CLOAKED)
    fits &= ~DRAINS[skill][:, None] | full[battle]
    return fits & ((scene.buffs[battle] & SPARE[skill][:, None]) == 0)


def _patients(scene: Scene, battle: np.ndarray, skill: np.ndarray) -> np.ndarray:
    """bool [k, N]: own units that each unit's tending helps; arguments as of `_suits`."""
    hurt = scene.present & (scene.hp < np.float32(MEND_BELOW) * scene.hp_max)
    hurt[:, scene.agents :] = False
    body, machine = hurt & scene.kinds.healable[scene.kind], hurt & scene.kinds.mechanical[scene.kind]
    biological = (ONLY[skill] & (1 << ATTRIBUTES.index(Attribute.Biological))) != 0
    return np.where(biological[:, None], body[battle], machine[battle])


def _passengers(scene: Scene, battle: np.ndarray, agent: np.ndarray) -> np.ndarray:
    """bool [k, N]: own ground units that fit into what room each of these agents has left; none under the ground, as a
    mine on its way up is, too."""
    a = scene.agents
    size = scene.kinds.cargo_size[scene.kind]
    own = scene.present & (np.arange(scene.present.shape[1]) < a) & ~scene.flying & ~scene.burrowed & (size > 0)
    room = scene.cargo_max[battle, agent] - scene.cargo[battle, agent]
    return own[battle] & (size[battle] <= room[:, None])

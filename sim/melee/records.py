"""The values that go in and out of a melee game: set-up, commands, answers, events."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Race(IntEnum):
    """API race ids."""

    TERRAN = 1
    ZERG = 2
    PROTOSS = 3


class Result(IntEnum):
    """ActionResult ids of the API that the rules produce (protocol, section 6)."""

    SUCCESS = 1
    NOT_SUPPORTED = 2
    ERROR = 3
    CANT_QUEUE = 4
    COOLDOWN = 6
    QUEUE_FULL = 7
    NOT_ENOUGH_MINERALS = 9
    NOT_ENOUGH_VESPENE = 10
    NOT_ENOUGH_FOOD = 13
    NOT_ENOUGH_LIFE = 15
    NOT_ENOUGH_ENERGY = 17
    CANT_TARGET_THAT_UNIT = 36
    TECH_REQUIREMENTS_NOT_MET = 40
    CANT_FIND_PLACEMENT = 41
    CANT_BUILD_ON_THAT = 42
    CANT_BUILD_TOO_CLOSE_TO_DROP_OFF = 43
    CANT_BUILD_LOCATION_INVALID = 44
    CANT_SEE_BUILD_LOCATION = 45
    CANT_BUILD_TOO_CLOSE_TO_CREEP_SOURCE = 46
    CANT_BUILD_TOO_CLOSE_TO_RESOURCES = 47
    CANT_LAND_LOCATION_INVALID = 53
    CANT_LAND_TOO_CLOSE_TO_CREEP_SOURCE = 55
    CANT_LAND_TOO_CLOSE_TO_RESOURCES = 56
    NOT_ENOUGH_ROOM = 67
    NOT_WHILE_OCCUPIED = 76
    MUST_TARGET_UNIT = 81
    MUST_TARGET_VISIBLE_UNIT = 83
    MUST_TARGET_VISIBLE_LOCATION = 84
    CANT_CONTROL_UNIT = 87
    REQUIRES_HEAL_TARGET = 90
    CANT_TARGET_AIR_UNITS = 112
    CANT_TARGET_GROUND_UNITS = 114
    MUST_TARGET_STRUCTURES = 115
    CANT_FIND_ENOUGH_TARGETS = 198
    ORDER_QUEUE_FULL = 203
    ALREADY_TARGETED = 206
    COULDNT_REACH_TARGET = 208
    TARGET_IS_OUT_OF_RANGE = 209
    TARGET_IS_TOO_CLOSE = 210


class Outcome(IntEnum):
    """Results of a game as the API numbers them; 0 = not over yet."""

    NONE = 0
    VICTORY = 1
    DEFEAT = 2
    TIE = 3


class Alert(IntEnum):
    """API alert ids."""

    NUCLEAR_LAUNCH_DETECTED = 1
    NYDUS_WORM_DETECTED = 2
    ALERT_ERROR = 3
    ADD_ON_COMPLETE = 4
    BUILDING_COMPLETE = 5
    BUILDING_UNDER_ATTACK = 6
    LARVA_HATCHED = 7
    MERGE_COMPLETE = 8
    MINERALS_EXHAUSTED = 9
    MORPH_COMPLETE = 10
    MOTHERSHIP_COMPLETE = 11
    MULE_EXPIRED = 12
    NUKE_COMPLETE = 13
    RESEARCH_COMPLETE = 14
    TRAIN_ERROR = 15
    TRAIN_UNIT_COMPLETE = 16
    TRAIN_WORKER_COMPLETE = 17
    TRANSFORMATION_COMPLETE = 18
    UNIT_UNDER_ATTACK = 19
    UPGRADE_COMPLETE = 20
    VESPENE_EXHAUSTED = 21
    WARP_IN_COMPLETE = 22


COMPLETIONS = frozenset(alert for alert in Alert if alert.name.endswith("_COMPLETE")) - {Alert.NUKE_COMPLETE}


@dataclass(frozen=True, slots=True)
class GroundEffect:
    """Something on the ground that observations list: API effect id, owner, place, radius, loop of its end.

    What one `source` (a tag) does in several places at once is listed as one effect; -1: it stands for itself.
    """

    id: int
    owner: int
    x: float
    y: float
    radius: float
    until: int
    source: int = -1


@dataclass(frozen=True, slots=True)
class PlayerSetup:
    """One player of a game. `start` fixes the index of its start location (None: drawn from the seed)."""

    race: int
    name: str = ""
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """One order to one or several units, as a client or the computer gives it.

    `ability` may be a general API id (3674 Attack), 1 (Smart) or an exact id. `target_tag` 0 means no unit target;
    `x, y` count only with `has_point`. `autocast` switches the ability's autocast instead of casting it.
    """

    player: int
    ability: int
    tags: tuple[int, ...]
    target_tag: int = 0
    x: float = 0.0
    y: float = 0.0
    has_point: bool = False
    queued: bool = False
    autocast: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """What a command aims at, tags resolved: `slot` -1 = no unit; else x, y are its place (`has_point` False)."""

    slot: int = -1
    x: float = 0.0
    y: float = 0.0
    has_point: bool = False
    queued: bool = False

    @property
    def given(self) -> bool:
        """A unit or a point was named."""
        return self.slot >= 0 or self.has_point


@dataclass(frozen=True, slots=True)
class ActionError:
    """An order that failed after it had been accepted (protocol: action_errors)."""

    tag: int
    ability: int
    result: int


@dataclass(slots=True)
class PlayerEvents:
    """What one player is told once: deaths it saw, alerts, late errors."""

    dead: list[int] = field(default_factory=list)  # tags
    alerts: list[int] = field(default_factory=list)  # API alert ids, one entry per thing
    attacks: list[tuple[int, float, float]] = field(default_factory=list)  # alert id, x, y: told if off screen
    errors: list[ActionError] = field(default_factory=list)

    def add(self, news: PlayerEvents) -> None:
        """Takes in what has happened since."""
        self.dead += news.dead
        self.alerts += news.alerts
        self.attacks += news.attacks
        self.errors += news.errors

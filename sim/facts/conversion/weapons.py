"""weapons.csv: one row per unit type and real weapon, effect trees turned into columns."""

from __future__ import annotations

import math
import re
from typing import Any

from sim.facts.conversion.common import NORMAL, columns, loops, number

COLUMNS = columns("""
    unit name targets melee suicide disabled damage bonus bonus_attribute shield_bonus structure_damage attacks
    apart range min_range slop late_slop scan_range period damage_point backswing random_min random_max beam arc
    turret turret_rate moving_fire glides free_fire steady by_angle spares_tall missile_speed missile_start
    missile_acceleration missile_throw missile_throw_speed splash splash_targets splash_friends splash_neutral
    splash_level splash_small splash_arc ring_radius ring_fraction ignore_armor slow_buff bounces bounce_fraction
    bounce_range beams beam_range patch
""")
TARGETS = {"Ground": 1, "Air": 2, "Any": 3}
AT_TARGET, AT_SELF, LINE, ACROSS = 1, 2, 3, 4

# Hidden rows that are the unit's true weapon although the API does not list it; all other hidden rows are auxiliary.
TRUE_HIDDEN = {
    ("Baneling", "VolatileBurst"),
    ("Carrier", "InterceptorLaunch"),
    ("Sentry", "DisruptionBeam"),
    ("VoidRay", "VoidRaySwarm"),
}


def late_slop(row: dict[str, str]) -> float:
    """Cells beyond the range that a later hit of one attack still reaches: the range's own slop, where no more is
    known."""
    known = LATE_REACH | (NEWER_LATE_REACH if row["patch"].startswith("5.0.14") else {})
    if row["weapon"] not in known:
        return number(row["range_slop"])
    return round(known[row["weapon"]] - number(row["range"]), 3)


def flight(speed: float, start: float, pull: float) -> dict[str, float]:
    """Columns of a missile that speeds up; the arguments are per normal second."""
    return {
        "missile_speed": speed / NORMAL,
        "missile_start": start / NORMAL,
        "missile_acceleration": pull / NORMAL**2,
    }


# Splash that does not cross cliffs (public catalog: search flag SameCliff).
ON_ITS_LEVEL = {"CrucioShockCannon", "KaiserBlades", "TwinIbiksCannon", "VolatileBurst"}

# How far from the shooter a later hit of one attack still finds its target, cells from edge to edge: validators
# ZealotAttackDamageMaxRange, 2.1, and ReaperAttackDamageMaxRange, 7, of the public catalogs of 5.0.13 and 5.0.15;
# RangeCheckLE15 of the second missiles of Vikings, Banshees, turrets and Thors in catalogs of all years.
NEWER_LATE_REACH = {"PsiBlades": 2.1, "P38ScytheGuassPistol": 7.0}
LATE_REACH = dict.fromkeys(("LanzerTorpedoes", "BacklashRockets", "LongboltMissile", "JavelinMissileLaunchers"), 15.0)

# What the effect trees say in a way that no column-by-column rule catches.
SPECIAL: dict[str, dict[str, Any]] = {
    "InterceptorLaunch": {"attacks": 0},  # no hits of its own: it sends interceptors
    "InfernalFlameThrower": {"splash": LINE, "splash_targets": 1, "rings": [(0.15, 1.0)]},
    "HellionTank": {"splash": AT_SELF, "splash_targets": 1, "splash_arc": math.radians(22.5), "rings": [(2.0, 1.0)]},
    "KaiserBlades": {"splash": AT_SELF, "splash_targets": 1, "splash_arc": math.radians(90), "rings": [(2.0, 0.33)]},
    "PsionicShockwave": {"rings": [(0.25, 1.0), (0.5, 0.5), (1.0, 0.25)], "splash_targets": 3},
    "LurkerMP": {"splash": LINE, "splash_targets": 1, "rings": [(0.5, 1.0)]},
    "ThermalLances": {"splash": ACROSS, "splash_targets": 1, "rings": [(0.15, 1.0)]},
    "GlaiveWurm": {"bounces": 2, "bounce_fraction": 1 / 3, "bounce_range": 3.0},
    # Movers that the trees do not name (public catalog): a Broodling is thrown for 1.5 to 4.5 cells at 5, faster by 3 a
    # normal second, and goes on from there; a Spine Crawler's tentacle.
    "BroodlingStrike": {**flight(40, 6.6, 20), "missile_throw": 3.0, "missile_throw_speed": 5.8 / NORMAL},
    "ImpalerTentacle": flight(200, 12, 140),
}


def missile(tree: str) -> dict[str, float]:
    """Columns of the flight of the missile in an effect tree, per loop; empty where the shot hits at once.

    Stages become two: what it does on the way to the first stage with the highest speed, and that one. A stage ends
    where its `Outro` (the middle of a span) lies behind the shooter, or below 0 before the target.
    """
    match = re.search(r"mover\[([^\]]*)\]", tree)
    if not match:
        return {}
    stages = [stage_of(text) for text in match.group(1).split("; ")]
    top = max(number(stage.get("MaxSpeed", "")) for stage in stages)
    if not top:
        return {}
    main = next(k for k, stage in enumerate(stages) if number(stage.get("MaxSpeed", "")) == top)
    before = [stage for stage in stages[:main] if "Outro" in stage]
    slow = next((number(stage["MaxSpeed"]) for stage in before if "MaxSpeed" in stage), 0.0)
    start, pull = number(stages[main].get("Speed", ""), slow), number(stages[main].get("Acceleration", ""))
    if top - start <= 0.25 * pull:  # at top speed within a quarter of a second: at once
        pull = 0.0
    columns = {"missile_speed": top / NORMAL, "missile_acceleration": pull / NORMAL**2}
    if pull:
        columns["missile_start"] = start / NORMAL
    if slow:
        columns |= {"missile_throw": end_of(before[-1]["Outro"]), "missile_throw_speed": slow / NORMAL}
    return columns


def stage_of(text: str) -> dict[str, str]:
    """A stage's fields; a span of two numbers keeps its comma."""
    return dict(re.findall(r"(\w+)=(-?[\w.]+(?:,-?[\d.]+)*)", text))


def end_of(outro: str) -> float:
    """Where a stage ends: the middle of the span."""
    ends = [float(end) for end in outro.split(",")[:2]]
    return sum(ends) / len(ends)


def splash(tree: str) -> dict[str, Any]:
    """Splash columns of the first splashing damage of an effect tree."""
    match = re.search(r"splash=([^)]*?)(?: filt=([^;)]*);([^) ]*))?(?: excl=[\w,]+)?(?: at=(\w+))?\)", tree)
    if not match:
        return {}
    rings = [(float(r), float(f)) for r, f in re.findall(r"r([\d.]+):([\d.]+)", match.group(1))]
    wanted, spared = match.group(2) or "", match.group(3) or ""
    ground, air = "Ground" in wanted, "Air" in wanted
    return {
        "splash": AT_SELF if match.group(4) == "CasterUnit" else AT_TARGET,
        "splash_targets": (1 if ground or not air else 0) | (2 if air or not ground else 0),
        "splash_friends": "Player" not in spared.split(","),
        "rings": rings,
    }


def apart(tree: str, attacks: int) -> float:
    """Loops between the hits of one attack, on average; 0 where all land at once."""
    match = re.match(r"Persist\(n=(\d+) periods=\[0, ([\d., ]+)\] each->(?:Dmg|Missile)", tree)
    if not match or attacks < 2 or int(match.group(1)) != attacks:
        return 0.0
    return sum(float(period) for period in match.group(2).split(", ")) * NORMAL / (attacks - 1)


def beams(tree: str) -> dict[str, Any]:
    """Columns of a shot that strikes several at once: a tree that begins with a search for a few more."""
    match = re.match(r"Set\[Search\(r([\d.]+) max(\d+)->", tree)
    return {"beam_range": float(match.group(1)), "beams": int(match.group(2))} if match else {}


def convert(row: dict[str, str], close: set[tuple[str, str]]) -> dict[str, Any]:
    """One weapon; `close` names (unit, target) pairs that have a hidden weapon for targets too near for this one."""
    tree = row["effect_tree"]
    bonus = row["bonus"].split("|")[0]
    attribute, _, extra = bonus.partition(":")
    shields = re.search(r"shieldBonus=([\d.]+)", tree)
    options = row["options"].split("|")
    moving = row["allowed_movement"] == "Moving"
    beam = "n=0 periods" in tree  # goes on for as long as its target is held, without chance in its period
    extras = {**missile(tree), **splash(tree), **beams(tree), **SPECIAL.get(row["weapon"], {})}
    extras["splash_level"] = row["weapon"] in ON_ITS_LEVEL
    extras["splash_neutral"] = "splash" in extras and ",Neutral," not in tree
    extras["splash_small"] = "TargetRadiusSmall?" in tree
    rings = extras.pop("rings", [])
    return {
        "unit": int(row["unit_id"]),
        "name": row["weapon"],
        "targets": TARGETS[row["target"]],
        "melee": "Melee=1" in options,
        "disabled": "Disabled=1" in options,
        "damage": number(row["damage"]),
        "bonus": number(extra),
        "bonus_attribute": attribute,
        "shield_bonus": number(shields.group(1)) if shields else 0.0,
        "attacks": int(row["attacks"]),
        "apart": apart(tree, int(row["attacks"])),
        "range": number(row["range"]),
        "min_range": 0.0 if (row["unit"], row["target"]) in close else number(row["min_range"]),
        "slop": number(row["range_slop"]),
        "late_slop": late_slop(row),
        "scan_range": number(row["min_scan_range"]),
        "period": loops(row["period_n"]),
        "damage_point": loops(row["damage_point_n"]),
        "backswing": loops(row["backswing_n"]),
        "random_min": 0.0 if beam else loops(row["random_delay_min_n"]),
        "random_max": 0.0 if beam else loops(row["random_delay_max_n"]),
        "beam": beam,
        "arc": math.radians(max(number(row["arc"]) / 2, number(row["arc_slop"]))),
        "turret": bool(row["turret"]),
        "turret_rate": math.radians(number(row["yaw_rate"])) / NORMAL,
        "moving_fire": moving,
        "glides": row["allowed_movement"] == "Slowing",
        "free_fire": moving and "OnlyFireAtAttackOrderTarget=0" in options,
        # What has these options sorts for itself, by the same but for this (public catalog: AcquireTargetSorts).
        "steady": {"IgnoreThreat=1", "IgnoreAttackPriority=1"} <= set(options),
        "by_angle": row["acquire_prioritization"] == "ByAngle",
        "spares_tall": row["target"] == "Air" and "Ground" in row["target_filters"].partition(";")[2].split(","),
        "ignore_armor": "armorRed=0" in tree,
        "ring_radius": "|".join(f"{r:g}" for r, _ in rings),
        "ring_fraction": "|".join(f"{f:g}" for _, f in rings),
        "patch": row["patch"],
        **extras,
    }


def baneling(weapon: dict[str, Any], tree: str) -> dict[str, Any]:
    """The Baneling's burst: its table row shows no damage, the tree does."""
    unit = re.search(r"Dmg\((\d+) \+Light:(\d+) kind=Splash", tree)
    building = re.search(r"Dmg\((\d+) armorRed=0 kind=Splash", tree)
    if not unit or not building:
        raise ValueError("the Baneling's effect tree has changed")
    return {
        **weapon,
        "suicide": True,
        "moving_fire": True,
        "damage": float(unit.group(1)),
        "bonus": float(unit.group(2)),
        "bonus_attribute": "Light",
        "structure_damage": float(building.group(1)),
        "ignore_armor": False,
    }


def battlecruiser(weapon: dict[str, Any], tree: str) -> list[dict[str, Any]]:
    """The Battlecruiser's switch becomes its two batteries, one for each plane."""
    ground, air = (float(text) for text in re.findall(r"Dmg\((\d+)", tree)[:2])
    return [
        {**weapon, "name": "ATSLaserBattery", "targets": 1, "damage": ground},
        {**weapon, "name": "ATALaserBattery", "targets": 2, "damage": air},
    ]


def api_order(weapons: list[dict[str, Any]], data: Any) -> list[dict[str, Any]]:
    """A unit's weapons in the order of `data.weapons` (a recorded UnitTypeData), the others behind them."""
    shown = [(weapon.type, round(weapon.range, 2)) for weapon in data.weapons]

    def place(weapon: dict[str, Any]) -> int:
        key = (weapon["targets"], round(weapon["range"], 2))
        return shown.index(key) if key in shown else len(shown)

    return sorted(weapons, key=place)


def convert_all(weapons: list[dict[str, str]], recorded: Any) -> list[dict[str, Any]]:
    """All real weapons, by unit id and in the API's order within a unit."""
    hidden = {(w["unit"], w["weapon"]) for w in weapons if "Hidden=1" in w["options"].split("|")}
    close = {
        (w["unit"], w["target"])
        for w in weapons
        if (w["unit"], w["weapon"]) in hidden and number(w["damage"]) > 0 and number(w["range"]) <= 3
    }
    by_unit: dict[int, list[dict[str, Any]]] = {}
    for row in weapons:
        mine = by_unit.setdefault(int(row["unit_id"]), [])
        key = (row["unit"], row["weapon"])
        if row["weapon"] == "BattlecruiserWeaponSwitch":
            mine += battlecruiser(convert(row, close), row["effect_tree"])
        elif key == ("Baneling", "VolatileBurst"):
            mine.append(baneling(convert(row, close), row["effect_tree"]))
        elif key not in hidden or key in TRUE_HIDDEN:
            mine.append(convert(row, close))
    return [w for unit, mine in sorted(by_unit.items()) for w in api_order(mine, recorded.units[unit])]

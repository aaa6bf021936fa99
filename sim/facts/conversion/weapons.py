"""weapons.csv: one row per unit type and real weapon, effect trees turned into columns."""

from __future__ import annotations

import math
import re
from typing import Any

from sim.facts.conversion.common import NORMAL, columns, loops, number

COLUMNS = columns("""
    unit name targets melee suicide disabled damage bonus bonus_attribute shield_bonus structure_damage attacks range
    min_range slop
    scan_range period damage_point backswing random_min random_max arc turret turret_rate moving_fire missile_speed
    missile_acceleration splash splash_targets splash_friends splash_arc ring_radius ring_fraction ignore_armor
    slow_buff bounces bounce_fraction bounce_range beams beam_range patch
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
}


def missile(tree: str) -> tuple[float, float]:
    """Speed at launch and acceleration of the missile in an effect tree, per loop; (0, 0) = hits at once.

    Several flight stages are taken as one: the last that accelerates, started at the speed reached before it.
    """
    match = re.search(r"mover\[([^\]]*)\]", tree)
    if not match:
        return 0.0, 0.0
    speed = top = pull = 0.0
    for stage in match.group(1).split("; "):
        values = dict(item.split("=", 1) for item in stage.split(",") if "=" in item)
        if "MaxSpeed" not in values and "Acceleration" not in values:
            continue
        top = number(values.get("MaxSpeed", ""), top)
        speed = number(values.get("Speed", ""), speed)
        acceleration = number(values.get("Acceleration", ""))
        # Reaching top speed within a quarter of a second looks like flying at top speed.
        if acceleration == 0 or top - speed <= 0.25 * acceleration or speed == 0:
            speed, pull = top, 0.0
        else:
            pull = acceleration
    return speed / NORMAL, pull / NORMAL**2


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
    beam = "n=0 periods" in tree  # goes on for as long as its target is held, without chance in its period
    speed, acceleration = missile(tree)
    extras = {**splash(tree), **beams(tree), **SPECIAL.get(row["weapon"], {})}
    rings = extras.pop("rings", [])
    return {
        "unit": int(row["unit_id"]),
        "name": row["weapon"],
        "targets": TARGETS[row["target"]],
        "melee": "Melee=1" in row["options"].split("|"),
        "disabled": "Disabled=1" in row["options"].split("|"),
        "damage": number(row["damage"]),
        "bonus": number(extra),
        "bonus_attribute": attribute,
        "shield_bonus": number(shields.group(1)) if shields else 0.0,
        "attacks": int(row["attacks"]),
        "range": number(row["range"]),
        "min_range": 0.0 if (row["unit"], row["target"]) in close else number(row["min_range"]),
        "slop": number(row["range_slop"]),
        "scan_range": number(row["min_scan_range"]),
        "period": loops(row["period_n"]),
        "damage_point": loops(row["damage_point_n"]),
        "backswing": loops(row["backswing_n"]),
        "random_min": 0.0 if beam else loops(row["random_delay_min_n"]),
        "random_max": 0.0 if beam else loops(row["random_delay_max_n"]),
        "arc": math.radians(max(number(row["arc"]) / 2, number(row["arc_slop"]))),
        "turret": bool(row["turret"]),
        "turret_rate": math.radians(number(row["yaw_rate"])) / NORMAL,
        "moving_fire": row["allowed_movement"] == "Moving",
        "missile_speed": speed,
        "missile_acceleration": acceleration,
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

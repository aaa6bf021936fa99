"""units.csv: one row per unit type, in loops, cells and radians."""

from __future__ import annotations

import math
import re
from typing import Any

from s2clientprotocol import data_pb2

from sim.facts.conversion.common import FASTER, INSTANT, NORMAL, columns, found, loops, number

COLUMNS = columns("""
    id name race attributes structure flying worker minerals gas supply food build_loops hp hp_start hp_regen
    hp_delay armor shield shield_regen shield_delay energy_start energy_max energy_regen speed creep_speed
    acceleration deceleration turn_rate turn_rate_still radius separation inner_radius height sight detect
    cargo_size heal_rate heal_range heal_energy cargo_space target_priority subgroup repair_loops api_radius footprint
    width depth score cloaked burrowed threatens prized invulnerable untargetable unselectable army alias tech_alias
    contents yield harvest_loops return_loops ideal_harvesters is_gas requirement producer patch
""")
RACES = {"Terr": 1, "Zerg": 2, "Prot": 3, "Neut": 0}
STRUCTURE = data_pb2.Structure
WORKERS = ("SCV", "Drone", "Probe")

# Creep factors are not in the source tables; the common one is 1.3 for Zerg units on the ground, not for buried ones,
# nor for Changelings unless they look like Zerglings (Liquipedia).
CREEP = {"Queen": 8 / 3, "SpineCrawlerUprooted": 2.5, "SporeCrawlerUprooted": 2.5, "LocustMP": 1.4}
NO_CREEP = ("Drone", "Broodling", "Larva")
NO_CREEP += ("Changeling", "ChangelingZealot", "ChangelingMarine", "ChangelingMarineShield")

# Combat drugs, not in the source tables (patch notes): ten normal seconds after the last hit.
HP_DELAY = {"Reaper": 160.0}

# Medivac: 9 life per normal second at 0.33 energy a point, range 4 (its heal ability's effect).
HEAL = {"Medivac": {"heal_rate": 9 / NORMAL, "heal_range": 4.0, "heal_energy": 0.33}}

# Whose damage round their targets the game's own AI fears (the catalog's AISplash, a flag that the source tables lack).
SPLASHING = ("Colossus", "HighTemplar", "Hellion", "HellionTank", "Infestor", "LurkerMP", "LurkerMPBurrowed")
SPLASHING += ("OracleStasisTrap", "SiegeTankSieged", "Ultralisk", "WidowMine", "WidowMineBurrowed")
# It has both flags, but enemies who make for it lose bane_vs_bane far less often than real ones do
# (docs/fidelity/fights.md).
NOT_PRIZED = ("Baneling",)

# Footprints whose size is not in the name: width and depth in cells.
SHAPES = {
    "FootprintMineralsRounded": (2, 1),
    "FootprintGeyserRounded": (3, 3),
    "FootprintGeyserRoundedBuilt": (3, 3),
    "FootprintAutoTurret": (2, 2),
    "CreepTumor": (1, 1),
    "CreepTumorBurrowed": (1, 1),
    "CreepTumorQueen": (1, 1),
    "Footprint6x5DropOffCreepSourceContour": (5, 5),
    "Footprint4x4DestructibleRockDiagonal": (6, 6),
    "Footprint10x10DestructibleRockDiagonalULBR": (10, 10),
    "Footprint10x10DestructibleRockDiagonalBLUR": (10, 10),
    "CollapsibleTower": (5, 5),
    "OracleStasisTrap": (1, 1),
    "FootprintSieged": (0, 0),
    "Unbuildable1x1": (0, 0),
}
# What the API reports as radius where the source table does not say.
API_RADIUS = {(2, 2): 1.125, (3, 3): 1.8125, (5, 5): 2.75, (6, 6): 3.1875, (4, 4): 2.25, (10, 10): 5.875, (2, 1): 1.125}
API_RADIUS |= {(4, 12): 6.125, (12, 4): 6.125, (2, 4): 2.0625, (4, 2): 2.0625, (2, 6): 3.0625, (6, 2): 3.0625}
SHRINE = "XelNagaHealingShrine"  # a pad, it blocks nothing; it detects as far as it sees (catalog)
TOWER = re.compile(r"Collapsible\w+Tower(Diagonal|Ramp\w+)?")
FALLEN = re.compile(r"(Collapsible\w+Tower)?Debris(Ramp\w+)?")
TOWER_RADIUS = 2.9375  # as observations report it; of fallen ones, too: one footprint
# Life of what only the recorded data names: by its armour; catalog (Heart of the Swarm, Legacy of the Void) for others.
TOWER_LIFE, BY_ARMOR, LIFE = 500.0, {3.0: 2000.0, 1.0: 400.0}, {"DestructibleRock6x6Weak": 100.0}
FIELD_LIFE = 10_000  # of mineral fields in real observations of 4.10; the catalog says 500, those of 5.0.14 too


def api_radius(name: str, width: int, depth: int, radius: float) -> float:
    """Radius that observations report, where none was recorded: it follows from the footprint, but for geysers."""
    if TOWER.fullmatch(name) or FALLEN.fullmatch(name):
        return TOWER_RADIUS
    return 1.5 if name.endswith("Geyser") else API_RADIUS.get((width, depth), radius)


def shape(name: str) -> tuple[int, int]:
    """Width and depth in cells of a catalog footprint, (0, 0) for one that blocks nothing."""
    if name in SHAPES:
        return SHAPES[name]
    match = re.search(r"(\d+)x(\d+)", name)
    return (int(match.group(1)), int(match.group(2))) if match else (0, 0)


def smooth(text: str) -> float:
    """Acceleration per loop; 0 = at once."""
    value = number(text)
    return 0.0 if value >= INSTANT else value / NORMAL**2


def creep(row: dict[str, str]) -> float:
    """Factor on the speed on creep; 1 where it changes nothing."""
    walks = row["race"] == "Zerg" and row["is_structure"] != "1" and row["mover"] == "Ground"
    return CREEP.get(row["name"], 1.3 if walks and row["name"] not in NO_CREEP else 1.0)


def resource(row: dict[str, str], buffs: dict[str, dict[str, str]]) -> dict[str, Any]:
    """Contents and harvest numbers of a mineral field, geyser or gas structure."""
    for behavior in row["behaviors"].split("|"):
        buff = buffs.get(behavior)
        if not buff or buff["class"] != "Resource" or "HarvestAmount" not in buff["params"]:
            continue
        params = buff["params"]
        is_gas = "Gas" in behavior
        amount = found(r"HarvestAmount=(\d+)", params)
        if row["name"].endswith("Rich"):  # the amount lies on the rich geyser below the structure
            amount = 8.0
        return {
            "contents": int(found(r"Contents=(\d+)", params)),
            "yield": int(amount),
            "harvest_loops": loops(str(found(r"HarvestTime=([\d.]+)", params))),
            "return_loops": loops(str(found(r"ReturnDelay=([\d.]+)", params))),
            "ideal_harvesters": int(found(r"IdealHarvesterCount=(\d+)", params)),
            "is_gas": is_gas,
        }
    return {}


def convert(row: dict[str, str], buffs: dict[str, dict[str, str]], cargo: dict[str, int]) -> dict[str, Any]:
    """One row of our table from one row of the catalog's."""
    width, depth = shape(row["footprint"])
    radius = number(row["radius"])
    separation = number(row["separation_radius"], radius)
    flags = row["flags"].split("|")
    flying = row["mover"] == "Fly" or row["plane"] == "Air"
    degrees = math.pi / 180 / NORMAL
    old_field = "MineralField" in row["name"] and row["patch"].startswith("4.10")
    return {
        "id": int(row["id"]),
        "name": row["name"],
        "race": RACES[row["race"]],
        "attributes": row["attributes"],
        "structure": int(row["is_structure"]),
        "flying": flying,
        "worker": row["name"] in WORKERS,
        "minerals": int(row["minerals"]),
        "gas": int(row["gas"]),
        "supply": number(row["supply"]),
        "food": number(row["food_provided"]),
        "build_loops": number(row["build_loops"]),
        "hp": FIELD_LIFE if old_field else number(row["hp"]),
        "hp_start": FIELD_LIFE if old_field else number(row["hp_start"]),
        "hp_regen": number(row["hp_regen"]) / NORMAL,
        "hp_delay": HP_DELAY.get(row["name"], 0.0),
        "armor": number(row["armor"]),
        "shield": number(row["shield"]),
        "shield_regen": number(row["shield_regen"]) / NORMAL,
        "shield_delay": round(number(row["shield_regen_delay_s"]) * FASTER, 1),
        "energy_start": number(row["energy_start"]),
        "energy_max": number(row["energy_max"]),
        "energy_regen": number(str(number(row["energy_regen_per_s"]) * NORMAL / FASTER)) / NORMAL,
        "speed": number(row["speed_xml"]) / NORMAL,
        "creep_speed": creep(row),
        "acceleration": smooth(row["acceleration"]),
        "deceleration": smooth(row["deceleration"]),
        "turn_rate": number(row["turning_rate"]) * degrees,
        "turn_rate_still": number(row["stationary_turning_rate"]) * degrees,
        "radius": radius,
        "separation": separation,
        "inner_radius": number(row["inner_radius"], separation),
        "height": number(row["height"]),
        "sight": number(row["sight"]),
        "detect": number(row["detect_radius"]),
        "cargo_size": int(number(row["cargo_size"])),
        "cargo_space": cargo.get(row["name"], 0),
        "target_priority": int(number(row["attack_target_priority"])),
        "subgroup": int(number(row["subgroup_priority"])),
        "repair_loops": round(number(row["repair_time_s"]) * FASTER, 1),
        "api_radius": number(row["api_radius"], api_radius(row["name"], width, depth, radius)),
        "footprint": width if width == depth and width in (1, 2, 3, 5) else 0,
        "width": width,
        "depth": depth,
        "score": int(number(row["score_kill"])),
        "cloaked": "Cloaked" in flags,
        "burrowed": "Buried" in flags,
        "prized": ("AIHighPrioTarget" in flags or row["name"] in SPLASHING) and row["name"] not in NOT_PRIZED,
        "invulnerable": "Invulnerable" in flags,
        "threatens": "AlwaysThreatens" in flags,
        "untargetable": "Untargetable" in flags,
        "unselectable": "Unselectable" in flags,
        "army": "ArmySelect" in flags and "Unselectable" not in flags,
        "requirement": row["tech_requirement"],
        "patch": row["patch"],
        **HEAL.get(row["name"], {}),
        **resource(row, buffs),
    }


def rock_shape(name: str) -> tuple[int, int]:
    """Width and depth of a destructible by its name."""
    name = name.replace("Ex1", "")
    if "Diagonal" in name and "Huge" in name:
        return 10, 10
    if name.endswith("VerticalHuge"):
        return 4, 12
    if name.endswith("HorizontalHuge"):
        return 12, 4
    if TOWER.fullmatch(name) or FALLEN.fullmatch(name):
        return 5, 5
    width, depth = shape(name)
    return (depth, width) if name.endswith("Horizontal") else (width, depth)


def neutral(data: Any, table: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    """A structure of the map that only the recorded `data` names: rocks, towers, shrines, signs.

    The rest of its numbers are those of the common rock; what armour does not call breakable is invulnerable.
    """
    shrine = data.name == SHRINE  # the only one without the attribute
    if data.race or not (shrine or STRUCTURE in data.attributes) or not data.available:
        return None
    width, depth = rock_shape(data.name)
    hp = LIFE.get(data.name, TOWER_LIFE if TOWER.fullmatch(data.name) else BY_ARMOR.get(data.armor, 10000.0))
    own = {
        "id": data.unit_id,
        "name": data.name,
        "attributes": "|".join(data_pb2.Attribute.Name(bit) for bit in data.attributes) or "Structure",
        "armor": data.armor,
        "sight": data.sight_range,
        "hp": hp,
        "hp_start": hp,
        "invulnerable": hp > 2000,
        "width": width,
        "depth": depth,
        "footprint": width if width == depth and width in (1, 2, 3, 5) else 0,
        "api_radius": 1.4375 if data.name.endswith("2x2NonConjoined") else api_radius(data.name, width, depth, 1.0),
        **({"radius": 2.5, "api_radius": 2.5, "detect": data.sight_range} if shrine else {}),
    }
    return {**table["DestructibleRock6x6"], **own}


def convert_all(
    units: list[dict[str, str]],
    buffs: list[dict[str, str]],
    cargo: dict[str, int],
    recorded: Any,
) -> list[dict[str, Any]]:
    """All unit rows; `recorded` is the patch's ResponseData, which gives aliases, abilities and the ids of rocks."""
    by_buff = {row["name"]: row for row in buffs}
    table = {row["name"]: convert(row, by_buff, cargo) for row in units if row["id"]}
    for data in recorded.units:
        if data.name and data.name not in table:
            extra = neutral(data, table)
            if extra:
                table[data.name] = extra
    for data in recorded.units:
        row = table.get(data.name)
        if row and row["id"] == data.unit_id:
            row["alias"] = data.unit_alias
            row["tech_alias"] = "|".join(str(i) for i in dict.fromkeys(data.tech_alias))
            row["producer"] = data.ability_id
    return sorted(table.values(), key=lambda row: row["id"])

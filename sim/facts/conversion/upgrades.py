"""upgrades.csv and upgrade_effects.csv: what each research changes in a player's own tables."""

from __future__ import annotations

import re
from typing import Any

from sim.facts.conversion.common import NORMAL, columns, number

COLUMNS = columns("id name race minerals gas loops ability requirement patch")
EFFECT_COLUMNS = columns("upgrade scope target field op value patch")
RACES = {"Terr": 1, "Zerg": 2, "Prot": 3, "": 0}

# Damage effects of the catalog and the weapon whose damage they are; effects that are no weapon's are left out.
DAMAGE = {
    "ATALaserBatteryU": "ATALaserBattery",
    "ATSLaserBatteryU": "ATSLaserBattery",
    "BroodlingEscortDamage": "BroodlingStrike",
    "CrucioShockCannonDirected": "CrucioShockCannon",
    "CycloneAttackWeaponDamage": "TyphoonMissilePod",
    "GlaiveWurmU1": "GlaiveWurm",
    "InterceptorBeamDamage": "InterceptorBeam",
    "IonCannonsU": "IonCannons",
    "LiberatorAGDamage": "LiberatorAGWeapon",
    "LiberatorMissileDamage": "LiberatorMissileLaunchers",
    "MothershipCoreRepulsorCannonDamage": "RepulsorCannon",
    "TempestDamageGround": "TempestGround",
    "ThermalLancesMU": "ThermalLances",
    "TwinGatlingCannons": "TwinGatlingCannon",
    "VolatileBurstU": "VolatileBurst",
}
STRUCTURE_DAMAGE = {"VolatileBurstU2": "VolatileBurst"}
UNIT_FIELDS = {
    "LifeArmor": ("armor", 1.0),
    "LifeArmorLevel": ("armor_level", 1.0),
    "LifeMax": ("hp", 1.0),
    "LifeStart": ("hp_start", 1.0),
    "LifeRegenRate": ("hp_regen", NORMAL),
    "ShieldArmor": ("shield_armor", 1.0),
    "ShieldArmorLevel": ("shield_level", 1.0),
    "ShieldsMax": ("shield", 1.0),
    "EnergyStart": ("energy_start", 1.0),
    "EnergyRegenRate": ("energy_regen", 1.0),
    "Speed": ("speed", NORMAL),
    "Acceleration": ("acceleration", NORMAL**2),
    "SpeedMultiplierCreep": ("creep_speed", 1.0),
}
# Effects that the catalog expresses by a condition instead of a change.
CONDITIONS = {"PunisherGrenades": [("weapon", "PunisherGrenades", "slow_buff", "set", 33.0)]}
LINE = re.compile(r"(\w+),([^,]*),(.*) (\w+) (\S+)$")


class Converter:
    """Resolves the names in one patch's effect lines."""

    def __init__(
        self, units: list[dict[str, Any]], weapons: list[dict[str, Any]], abilities: list[dict[str, Any]]
    ) -> None:
        self.unit = {row["name"]: row["id"] for row in units}
        self.weapon: dict[str, list[int]] = {}
        for row in weapons:
            self.weapon.setdefault(row["name"], []).append(row["unit"])
        self.ability = {row["name"]: row["id"] for row in abilities if row.get("index") == 0}
        self.cargo: dict[str, list[int]] = {}
        for row in abilities:
            if row["kind"] == "load":
                self.cargo[row["name"]] = [int(i) for i in row["casters"].split("|")]

    def effects(self, row: dict[str, str]) -> list[tuple[str, object, str, str, float]]:
        """(scope, target, field, op, value) of one upgrade, without doubles."""
        out: list[tuple[str, object, str, str, float]] = list(CONDITIONS.get(row["name"], []))
        armed: dict[int, None] = {}
        rate: dict[str, float] = {}
        for text in row["effects"].split(" ; "):
            match = LINE.match(text)
            if not match:
                continue
            category, name, field, op, raw = match.groups()
            if not re.fullmatch(r"-?[\d.]+", raw):
                continue
            value = -number(raw) if op == "Subtract" else number(raw)
            op = {"Add": "add", "Subtract": "add", "Set": "set", "Multiply": "mul"}[op]
            if value == 0 and op == "add":
                continue
            if category == "Unit" and name in self.unit and field in UNIT_FIELDS:
                column, scale = UNIT_FIELDS[field]
                out.append(("type", self.unit[name], column, op, value / (1 if op == "mul" else scale)))
            elif category == "Weapon" and field == "Level":
                armed.update(dict.fromkeys(self.weapon.get(name, [])))
            elif category == "Weapon" and field == "RateMultiplier":
                rate[name] = rate.get(name, 1.0) + value
            elif category == "Weapon" and field in ("Range", "MinScanRange") and name in self.weapon:
                out.append(("weapon", name, "range" if field == "Range" else "scan_range", op, value))
            elif category == "Effect":
                out += self.damage(name, field, op, value)
            elif category == "Abil":
                out += self.change_ability(name, field, op, value)
        out += [("weapon", name, "period", "mul", 1 / total) for name, total in rate.items() if name in self.weapon]
        out += [("type", unit, "attack_level", "add", 1.0) for unit in armed]
        return out

    def damage(self, effect: str, field: str, op: str, value: float) -> list[tuple[str, object, str, str, float]]:
        if effect in STRUCTURE_DAMAGE and field == "Amount":
            return [("weapon", STRUCTURE_DAMAGE[effect], "structure_damage", op, value)]
        weapon = DAMAGE.get(effect, "")
        for candidate in (effect, effect.removesuffix("U"), effect.removesuffix("Damage")):
            weapon = weapon or (candidate if candidate in self.weapon else "")
        if not weapon:
            return []
        if field == "Amount":
            return [("weapon", weapon, "damage", op, value)]
        attribute = re.fullmatch(r"AttributeBonus\[(\w+)\]", field)
        if attribute:
            return [("weapon", weapon, f"bonus:{attribute.group(1)}", op, value)]
        return []

    def change_ability(self, link: str, field: str, op: str, value: float) -> list[tuple[str, object, str, str, float]]:
        if field == "TotalCargoSpace":
            return [("type", unit, "cargo_space", op, value) for unit in self.cargo.get(link, [])]
        ability = self.ability.get(link)
        if ability is None:
            return []
        if field == "Range[0]":
            return [("ability", ability, "range", op, value)]
        if field == "Cost[0].Cooldown.TimeUse":
            return [("ability", ability, "cooldown", op, value * NORMAL)]
        if field.startswith("InfoArray[") and "RandomDelayMax" in field:
            return [("ability", ability, "random_loops", op, value * NORMAL)]
        if "SectionArray[Stats]" in field:
            return [("ability", ability, "loops", op, value * NORMAL)]
        if "SectionArray[Abils]" in field:
            return [("ability", ability, "type_delay", op, value * NORMAL)]
        return []


def convert_all(
    upgrades: list[dict[str, str]],
    units: list[dict[str, Any]],
    weapons: list[dict[str, Any]],
    abilities: list[dict[str, Any]],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rows of upgrades.csv and of upgrade_effects.csv."""
    converter = Converter(units, weapons, abilities)
    table, effects = [], []
    for row in sorted(upgrades, key=lambda row: int(row["id"])):
        table.append(
            {
                "id": int(row["id"]),
                "name": row["name"],
                "race": RACES[row["race"]],
                "minerals": int(row["minerals"]),
                "gas": int(row["gas"]),
                "loops": float(row["research_loops"]),
                "ability": int(row["api_ability_id"] or 0),
                "requirement": row["requirement"],
                "patch": row["patch"],
            }
        )
        for scope, target, field, op, value in converter.effects(row):
            effects.append(
                {
                    "upgrade": int(row["id"]),
                    "scope": scope,
                    "target": target,
                    "field": field,
                    "op": op,
                    "value": value,
                    "patch": row["patch"],
                }
            )
    return table, effects

"""Rebuilds the tables of `sim/facts` from the source tables: `python -m sim.facts.convert ../shared`.

The source is a folder with `facts/<patch>/*.csv` (the catalog of the game as text) and `recordings/data-<patch>.bin.xz`
(a real `ResponseData`). The engine itself never needs it: it reads only what this program wrote.
"""

from __future__ import annotations

import lzma
import re
import sys
from pathlib import Path

from s2clientprotocol import sc2api_pb2

from sim.facts.conversion import abilities, buffs, common, protocol, units, upgrades, weapons

HERE = Path(__file__).resolve().parent
PATCHES = ("5.0.14", "4.10.0")


def cargo_space(rows: list[dict[str, str]], catalog: list[dict[str, str]]) -> dict[str, int]:
    """Room inside each transport by unit name; a plain Overlord gets its room only by its morph."""
    space: dict[str, int] = {}
    for row in rows:
        size = re.search(r"TotalCargoSpace=(\d+)", row["detail"])
        for unit in catalog:
            if size and row["abil"] in unit["abilities"].split("|") and unit["name"] != "Overlord":
                space[unit["name"]] = int(size.group(1))
    return space


def convert(source: Path, patch: str, target: Path) -> dict[str, int]:
    """Write all tables of one patch into `target`; returns rows written by table name."""
    folder = source / "facts" / patch
    catalog, raw_weapons, raw_abilities, raw_upgrades, raw_buffs = (
        common.rows(folder / f"{name}.csv") for name in ("units", "weapons", "abilities", "upgrades", "buffs")
    )
    packed = (source / "recordings" / f"data-{patch}.bin.xz").read_bytes()
    recorded = sc2api_pb2.ResponseData.FromString(lzma.decompress(packed))

    unit_rows = units.convert_all(catalog, raw_buffs, cargo_space(raw_abilities, catalog), recorded)
    weapon_rows = weapons.convert_all(raw_weapons, recorded)
    ability_rows = abilities.convert_all(raw_abilities, catalog, unit_rows, raw_upgrades, recorded)
    upgrade_rows, effect_rows = upgrades.convert_all(raw_upgrades, unit_rows, weapon_rows, ability_rows)
    tables: dict[str, tuple[list[str], list[dict[str, object]]]] = {
        "units": (units.COLUMNS, unit_rows),
        "weapons": (weapons.COLUMNS, weapon_rows),
        "abilities": (abilities.COLUMNS, ability_rows),
        "upgrades": (upgrades.COLUMNS, upgrade_rows),
        "upgrade_effects": (upgrades.EFFECT_COLUMNS, effect_rows),
        "buffs": (buffs.COLUMNS, buffs.convert_all(raw_buffs)),
    }
    for name in protocol.TABLES:
        tables[f"protocol_{name}"] = protocol.convert_all(recorded, name)
    target.mkdir(parents=True, exist_ok=True)
    return {name: common.write(target / f"{name}.csv", columns, rows) for name, (columns, rows) in tables.items()}


def main(arguments: list[str]) -> int:
    """Convert both patches; one line with the numbers of rows for each."""
    if len(arguments) != 1 or not (Path(arguments[0]) / "facts").is_dir():
        print("usage: python -m sim.facts.convert FOLDER   (a folder with facts/ and recordings/)", file=sys.stderr)
        return 2
    for patch in PATCHES:
        counts = convert(Path(arguments[0]), patch, HERE / patch)
        print(patch, ", ".join(f"{name} {count}" for name, count in counts.items()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

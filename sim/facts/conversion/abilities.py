"""abilities.csv: one row per command that a unit of the three races can be given."""

from __future__ import annotations

import re
from typing import Any

from sim.facts.conversion.common import columns, first, found, loops, number

COLUMNS = columns("""
    id name index friendly_name general kind target casters product cocoon count loops type_delay random_loops
    requirement
    energy hp_cost minerals gas supply cooldown cooldown_link range autocast autocast_on autocast_range instant
    best_unit halts allow_minimap shown prepare finish target_filters patch
""")
TARGETS = {1: "None", 2: "Point", 3: "Unit", 4: "PointOrUnit", 5: "PointOrNone"}

# Commands of a class by their position in the link: what the command does.
BY_POSITION = {
    "Attack": ("attack",),
    "Move": ("move", "patrol", "hold", "attack"),
    "Stop": ("stop",),
    "Harvest": ("gather", "return", "cancel"),
    "Queue": ("cancel_last", "cancel_slot"),
    "Buildable": ("cancel", "halt"),
    "Transport": ("load", "unload", "unload", "unload_unit", "load_all"),
    "EffectTarget": ("effect", "cancel"),
    "EffectInstant": ("effect", "cancel"),
    "Behavior": ("behavior_on", "behavior_off"),
    "Rally": ("rally", "rally_workers"),
    "Merge": ("merge", "merge"),
    "Augment": ("effect",),
    "RedirectInstant": ("redirect",),
    "RedirectTarget": ("redirect",),
}
BY_LINK = {
    "Repair": "repair",
    "MULERepair": "repair",
    "RavenRepairDroneHeal": "repair",
    "MedivacHeal": "heal",
    "RallyCommand": "rally_workers",
    "RallyNexus": "rally_workers",
}
ENERGY = {1694: 25.0, 2505: 50.0}  # a Queen's tumor, a stasis ward: common knowledge, the catalog's rows have no price
FILTERED = ("effect", "repair", "heal", "load")  # kinds whose target filters are about the target
PRODUCERS = {"Train": "train", "WarpTrain": "warp", "Research": "research", "Build": "build", "ArmMagazine": "arm"}
ADDON_LINKS = ("BarracksAddOns", "FactoryAddOns", "StarportAddOns")
LIFT_PRODUCT = {
    "CommandCenterLiftOff": "CommandCenterFlying",
    "OrbitalLiftOff": "OrbitalCommandFlying",
    "BarracksLiftOff": "BarracksFlying",
    "FactoryLiftOff": "FactoryFlying",
    "StarportLiftOff": "StarportFlying",
}
COCOONS = {"BanelingCocoon", "BroodLordCocoon", "RavagerCocoon", "LurkerMPEgg", "OverlordCocoon"}
COCOONS.add("TransportOverlordCocoon")
MADE_OF = {"ZergBuild": "Drone", "MorphZerglingToBaneling": "Zergling"}
NEVER = {("OverlordTransport", "Overlord")}  # in the catalog, but its research is cut: only the morphed one carries
ITEM = re.compile(
    r"(?:Train|Research|Build|Ammo)\d+\[(\d+)\]=([\w+@]+) t=([\d.]+|None)(?: cd=([\d.]+|None))?(?: req=(\w+))?"
)


class Names:
    """Looks up what ability rows name: unit rows by name, upgrade ids by name, casters by link."""

    def __init__(self, catalog: list[dict[str, str]], units: list[dict[str, Any]], upgrades: list[dict[str, str]]):
        self.unit = {row["name"]: row for row in units}
        self.upgrade = {row["name"]: row for row in upgrades}
        self.casters: dict[str, list[int]] = {}
        for row in catalog:
            for link in row["abilities"].split("|"):
                if link and (link, row["name"]) not in NEVER:
                    self.casters.setdefault(link, []).append(int(row["id"]))


def price(product: dict[str, Any], made_of: dict[str, Any] | None, count: int = 1) -> dict[str, Any]:
    """Price of making `count` products, less what they are made of."""
    base = made_of or {"minerals": 0, "gas": 0, "supply": 0.0}
    return {
        "minerals": product["minerals"] * count - base["minerals"],
        "gas": product["gas"] * count - base["gas"],
        "supply": product["supply"] * count - base["supply"],
    }


def stage(detail: str, name: str) -> float:
    """Loops until a morph's stage is over: its delay and duration; -1 where the stage is not listed."""
    match = re.search(rf"(?<!\w){name}\(([^)]*)\)", detail)
    if not match:
        return -1.0
    text = match.group(1)
    return loops(str(found(r"Delay=([\d.]+)", text))) + loops(str(found(r"Duration=([\d.]+)", text)))


def has_flag(detail: str, name: str) -> bool:
    """True where a morph has the flag (a `!` before it says that it has not)."""
    return bool(re.search(rf"(?<![!\w]){name}\b", detail))


def morph(row: dict[str, str], names: Names) -> dict[str, Any]:
    """Columns of a morph: the product, when the type changes and when all is done."""
    sections = row["detail"].split(" || ")
    last = sections[-1]
    name = last.split(" ")[0]
    if name == "##unit##":
        name = LIFT_PRODUCT.get(row["abil"], "")
    product = names.unit.get(name)
    change = re.search(r"(?<!\w)Abils\(([^)]*)\)", last)
    delay = loops(str(found(r"Delay=([\d.]+)", change.group(1)))) if change else 0.0
    parts = ("Abils", "Actor", "Collide", "Facing", "Mover", "Stats")
    stats = stage(last, "Stats")
    total = stats if stats >= 0 else max(stage(last, part) for part in parts if part != "Actor")
    columns: dict[str, Any] = {
        "kind": kind_of_morph(row),
        "type_delay": delay,
        "random_loops": loops(str(found(r"RandomDelayMax=([\d.]+)", sections[0]))),
        "halts": has_flag(row["detail"], "WaitUntilStopped"),
        "loops": max(total, delay, 0.0),
    }
    if product:
        columns["product"] = product["id"]
        casters = [c for c in names.casters.get(row["abil"], []) if c != product["id"]]
        own = [names.unit[n] for n in names.unit if names.unit[n]["id"] in casters and n not in COCOONS]
        if own and columns["kind"] == "morph":
            columns.update(price(product, own[0]))
            if any(columns[key] < 0 for key in ("minerals", "gas")):
                columns.update(minerals=0, gas=0)
        minerals, gas = found(r"Minerals:(\d+)", row["cost"]), found(r"Vespene:(\d+)", row["cost"])
        if minerals or gas:
            columns.update(minerals=int(minerals), gas=int(gas))
    if len(sections) > 1:
        columns["cocoon"] = names.unit[sections[0].split(" ")[0]]["id"]
    return columns


def kind_of_morph(row: dict[str, str]) -> str:
    """The `Ability.kind` of a morph by the name of its catalog entry."""
    link = row["abil"]
    if link in LIFT_PRODUCT:
        return "lift"
    if link.endswith("Land"):
        return "land"
    if link.endswith("Root"):
        return "root"
    if re.fullmatch(r"Burrow\w+Down|MorphToSwarmHostBurrowedMP|WidowMineBurrow|DefilerMPBurrow", link):
        return "burrow"
    if re.fullmatch(r"Burrow\w+Up|MorphToSwarmHostMP|WidowMineUnburrow|DefilerMPUnburrow", link):
        return "unburrow"
    return "morph"


def items(row: dict[str, str], names: Names) -> dict[int, dict[str, Any]]:
    """Products of a train, research or build link by ability id."""
    made: dict[int, dict[str, Any]] = {}
    kind = "addon" if row["abil"] in ADDON_LINKS else PRODUCERS[row["class"]]
    for text in row["detail"].split(" || "):
        match = ITEM.match(text)
        if not match:
            continue
        ability, product, seconds, cooldown, requirement = match.groups()
        count = product.count("+") + 1
        product = product.split("+")[0]
        columns: dict[str, Any] = {
            "kind": kind,
            "loops": loops(seconds),
            "requirement": requirement or "",
            "cooldown": loops(cooldown or "") if row["class"] != "ArmMagazine" else 0.0,
        }
        if kind == "research":
            upgrade = names.upgrade.get(product)
            if not upgrade:
                continue
            columns.update(product=int(upgrade["id"]), minerals=int(upgrade["minerals"]), gas=int(upgrade["gas"]))
        else:
            unit = names.unit.get(product)
            if not unit:
                continue
            made_of = names.unit.get(MADE_OF.get(row["abil"], ""))
            if row["abil"] == "MorphZerglingToBaneling":  # a train link in older patches, yet it acts as a morph
                columns.update(kind="morph", cocoon=names.unit["BanelingCocoon"]["id"], type_delay=columns["loops"])
                columns["instant"], columns["best_unit"] = False, True
            columns.update(product=unit["id"], count=count, **price(unit, made_of, count))
        made[int(ability)] = columns
    return made


def convert_link(row: dict[str, str], names: Names, recorded: Any) -> list[dict[str, Any]]:
    """All commands of one link that mean something."""
    group = row["class"]
    out = []
    made = items(row, names) if group in PRODUCERS else {}
    for text in row["api_ids"].split("|"):
        if not text:
            continue
        ability = int(text.split(":")[0])
        data = recorded.abilities[ability]
        index = data.link_index
        special: dict[str, Any]
        if group in PRODUCERS:
            if ability in made and data.hotkey:  # without a hotkey it is on no command card: cut from the game
                special = made[ability]
            elif data.remaps_to_ability_id == 3659:
                special = {"kind": "cancel"}
            elif data.remaps_to_ability_id == 3660:
                special = {"kind": "halt"}
            else:
                continue
        elif group in ("Morph", "MorphPlacement"):
            if index == 0:
                special = morph(row, names)
                if not data.hotkey:
                    special["kind"] = "auto_morph"  # the game itself orders it
            elif index == 1:
                special = {"kind": "cancel"}
            else:
                continue
        elif group in BY_POSITION and index < len(BY_POSITION[group]):
            special = {"kind": BY_POSITION[group][index]}
            if index == 0:
                special["kind"] = BY_LINK.get(row["abil"], special["kind"])
        else:
            continue
        main = special["kind"] not in ("cancel", "cancel_last", "cancel_slot", "halt")
        columns = common(row, data, names, main) | special
        if columns["kind"] not in FILTERED:  # those of unloading are about the passengers
            columns.pop("target_filters", None)
        out.append(columns)
    return out


def common(row: dict[str, str], data: Any, names: Names, main: bool) -> dict[str, Any]:
    """Columns every command has; costs and requirements only where `main`, not on the cancel of a link."""
    cost, flags = row["cost"], row["flags"].split("|")
    reach, filters = (
        parts[data.link_index] if data.link_index < len(parts) else parts[0]
        for parts in (row["range"].split("|"), row["target_filters"].split("|"))
    )
    columns: dict[str, Any] = {
        "id": data.ability_id,
        "name": data.link_name,
        "index": data.link_index,
        "friendly_name": data.friendly_name,
        "general": data.remaps_to_ability_id,
        "target": TARGETS[data.target],
        "casters": "|".join(str(i) for i in names.casters.get(row["abil"], [])),
        "allow_minimap": data.allow_minimap,
        "shown": bool(data.hotkey),
        "instant": "Transient" in flags or row["class"] in ("Behavior", "Rally", "Queue", "Train", "Research"),
        "patch": row["patch"],
    }
    if main:
        columns.update(
            requirement=row["requirements"],
            best_unit=has_flag(row["detail"], "BestUnit"),
            energy=ENERGY.get(data.ability_id) or found(r"Energy:([\d.]+)", cost),
            hp_cost=found(r"Life:([\d.]+)", cost),
            cooldown=loops(str(found(r"^([\d.]+)", row["cooldown_n"]))),
            cooldown_link="".join(re.findall(r"link=(\S+)", row["cooldown_n"])),
            range=number(reach),
            autocast=data.allow_autocast,
            # Real Carriers fill up by themselves.
            autocast_on="AutoCastOn" in flags or (data.allow_autocast and row["class"] == "ArmMagazine"),
            autocast_range=number(first(row["autocast_range"])),
            prepare=loops(row["prep_time_n"]) + loops(row["cast_intro_n"]),
            finish=loops(row["cast_outro_n"]) + loops(row["finish_time_n"]),
            target_filters=filters,
        )
    return columns


def convert_all(
    abilities: list[dict[str, str]],
    catalog: list[dict[str, str]],
    units: list[dict[str, Any]],
    upgrades: list[dict[str, str]],
    recorded: Any,
) -> list[dict[str, Any]]:
    """All commands by id, `smart` first: it belongs to no link of the catalog."""
    names = Names(catalog, units, upgrades)
    smart = recorded.abilities[1]
    out = [
        {
            "id": 1,
            "friendly_name": smart.friendly_name,
            "kind": "smart",
            "target": TARGETS[smart.target],
            "allow_minimap": True,
            "shown": True,
            "patch": abilities[0]["patch"],
        }
    ]
    for row in abilities:
        out += convert_link(row, names, recorded)
    return sorted(out, key=lambda row: row["id"])

"""A client that plays by the screen: joins with feature layers, reads planes, clicks."""

from __future__ import annotations

from typing import Any

import numpy as np
from s2clientprotocol import debug_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.facts import load
from tests.sim.server.client import COMPUTER, PARTICIPANT, TERRAN, ZERG, Client

IDS = load("5.0.14").ids
SCREEN, MINIMAP, WIDTH = 84, 64, 24


def options(**more: Any) -> sc.InterfaceOptions:
    """Raw data, and a square screen and minimap."""
    made = sc.InterfaceOptions(raw=True, score=True, show_cloaked=True, **more)
    layer = made.feature_layer
    layer.width = WIDTH
    layer.resolution.x = layer.resolution.y = SCREEN
    layer.minimap_resolution.x = layer.minimap_resolution.y = MINIMAP
    return made


def start(client: Client, race: int = TERRAN, setup: sc.InterfaceOptions | None = None, seed: int = 7) -> Client:
    """A game on a small flat map against the weakest Zerg, a few loops old."""
    made = client.create("Flat64", (PARTICIPANT,), (COMPUTER, ZERG, 1), random_seed=seed)
    assert not made.create_game.HasField("error")
    joined = client.ask(join_game=sc.RequestJoinGame(race=race, options=setup or options()))
    client.player = joined.join_game.player_id
    assert client.player == 1, joined.join_game
    client.step(4)
    return client


def plane(image: Any) -> np.ndarray:
    """An ImageData as an array [height, width], the first row at the top."""
    kind = {1: np.uint8, 8: np.uint8, 24: np.uint8, 32: np.dtype("<i4")}[image.bits_per_pixel]
    data = np.frombuffer(image.data, kind)
    if image.bits_per_pixel == 1:
        data = np.unpackbits(data)[: image.size.x * image.size.y]
    shape = (image.size.y, image.size.x, 3) if image.bits_per_pixel == 24 else (image.size.y, image.size.x)
    return data.reshape(shape)


def screen(client: Client) -> dict[str, np.ndarray]:
    """The planes of the screen now."""
    return {f.name: plane(image) for f, image in client.observe().observation.feature_layer_data.renders.ListFields()}


def minimap(client: Client) -> dict[str, np.ndarray]:
    """The planes of the minimap now."""
    found = client.observe().observation.feature_layer_data.minimap_renders
    return {f.name: plane(image) for f, image in found.ListFields()}


def pixel(client: Client, x: float, y: float) -> tuple[int, int]:
    """Column and row of a place on the screen, as clients of the real game compute them."""
    camera = client.observe().observation.raw_data.player.camera
    size = WIDTH / SCREEN
    return int((x - camera.x + WIDTH / 2) / size), int((camera.y + WIDTH / 2 - y) / size)


def own(client: Client, *names: str) -> list[Any]:
    """Own units of these types in the raw data."""
    types = {IDS[name] for name in names}
    raw = client.observe().observation.raw_data
    return [unit for unit in raw.units if unit.owner == client.player and unit.unit_type in types]


def do(client: Client, part: str, kind: str, **fields: Any) -> int:
    """One action; `fields` are set on its message, a tuple fills a point. -> ActionResult."""
    request = sc.RequestAction()
    wanted = getattr(getattr(request.actions.add(), f"action_{part}"), kind)
    wanted.SetInParent()
    for name, value in fields.items():
        if isinstance(value, tuple):
            getattr(wanted, name).x, getattr(wanted, name).y = value
        else:
            setattr(wanted, name, value)
    return client.ask(action=request).action.result[0]


def create(client: Client, name: str, x: float, y: float, owner: int = 1, quantity: int = 1) -> None:
    """Units out of nothing, there after four loops."""
    unit = debug_pb2.DebugCreateUnit(unit_type=IDS[name], owner=owner, quantity=quantity)
    unit.pos.x, unit.pos.y = x, y
    client.ask(debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(create_unit=unit)]))
    client.step(4)


def select(client: Client, unit: Any, how: int = 1) -> int:
    """A click on a unit that the screen shows."""
    return do(
        client,
        "feature_layer",
        "unit_selection_point",
        selection_screen_coord=pixel(client, unit.pos.x, unit.pos.y),
        type=how,
    )

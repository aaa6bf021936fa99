"""First messages of a game have the fields that real ones have: recorded games against the built-in Zerg."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

import pytest
from s2clientprotocol import sc2api_pb2 as sc

from tests.sim.server.client import COMPUTER, PARTICIPANT, ZERG, Client, running_server

# of all fields only options differ, as other ones are asked for
WANTED = sc.InterfaceOptions(
    raw=True, score=True, show_cloaked=True, show_placeholders=True, show_burrowed_shadows=True
)
WANTED.raw_affects_selection = WANTED.raw_crop_to_playable_area = False


def differing(ours: Any, real: Any, path: str = "") -> set[str]:
    """The fields that only one of two messages has, those of messages in them, too; lists aside."""
    found = set()
    for field in real.DESCRIPTOR.fields:
        if field.is_repeated:
            continue
        name = f"{path}.{field.name}"
        if ours.HasField(field.name) != real.HasField(field.name):
            found.add(name)
        elif field.message_type is not None and real.HasField(field.name):
            found |= differing(getattr(ours, field.name), getattr(real, field.name), name)
    return found


@pytest.mark.parametrize("name", ["AcropolisLE", "PersephoneAIE"])
def test_the_first_messages_have_the_fields_of_recorded_ones(name: str, shared: Path) -> None:
    folder = shared / "recordings" / name
    info = sc.ResponseGameInfo.FromString(lzma.decompress((folder / "game_info.bin.xz").read_bytes()))
    seen = sc.ResponseObservation.FromString(lzma.decompress((folder / "observation.bin.xz").read_bytes())).observation
    with running_server(recordings=shared / "recordings") as server:
        game = Client(server.port)
        game.create(name, (PARTICIPANT,), (COMPUTER, ZERG, 2))
        game.ask(join_game=sc.RequestJoinGame(race=info.player_info[0].race_requested, options=WANTED))
        ours = game.ask(game_info=sc.RequestGameInfo()).game_info
        observed = game.observe().observation
    wrong = differing(ours, info, "info") | differing(observed, seen, "observation")
    for mine, real in zip(ours.player_info, info.player_info, strict=True):
        wrong |= differing(mine, real, f"player {real.player_id}")
    assert wrong == set()

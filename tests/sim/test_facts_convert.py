"""Where the tables of facts come from, and copies of types."""

from __future__ import annotations

import pytest

from sim.facts import FactsError, balance, load, patches
from sim.facts.convert import convert, main


def test_tables_are_reproducible(shared, root, tmp_path) -> None:
    for patch in patches():
        counts = convert(shared, patch, tmp_path / patch)
        for name in counts:
            written = (tmp_path / patch / f"{name}.csv").read_bytes()
            assert written == (root / "sim" / "facts" / patch / f"{name}.csv").read_bytes(), (patch, name)


def test_converter_refuses_a_folder_without_facts(tmp_path, capsys) -> None:
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_balance_may_bring_copies_of_types():
    """`5.0.14+Marine` is the patch with one more type behind all others; the patch itself stays as it was."""
    plain, more = load("5.0.14"), load(balance("5.0.14", ("Hydralisk", "Marine")))
    hydralisk, marine = more.ids["Hydralisk_RL"], more.ids["Marine_RL"]
    assert (hydralisk, marine) == (len(more.types) - 2, len(more.types) - 1)
    assert marine >= len(plain.types)
    for name in ("hp", "speed", "radius", "sight"):
        assert more.types[marine][name] == plain.types[plain.ids["Marine"]][name]
    assert more.types[marine]["weapons"].tolist() == plain.types[plain.ids["Marine"]]["weapons"].tolist()
    assert more.types[hydralisk]["hp"] == 80
    assert marine in more.abilities[23].casters
    assert marine not in plain.abilities[23].casters
    assert load(balance("5.0.14", ("Hydralisk", "Marine"))) is more
    with pytest.raises(FactsError, match="unknown unit type 'Nobody'"):
        load("5.0.14+Nobody")

"""Which cells a structure, resource or rock blocks: the one place that knows footprints.

Structures block a full square. Resources and rocks have shapes of their own, kept here as small pictures: a row of
text a row of cells, the highest row first, '#' = blocked, centred on the unit. They were read off real pathing grids
(clients 5.0.3 to 5.0.14): every one of these pictures is blocked in every recording that shows the type blocked.
"""

from __future__ import annotations

from functools import cache

MINERALS = ("##",)
GEYSER = ("###", "###", "###")
BLOCK_2 = ("##", "##")
BLOCK_4 = (".##.", "####", "####", ".##.")
BLOCK_6 = (".####.", "######", "######", "######", "######", ".####.")


def _square(side: int) -> tuple[str, ...]:
    return ("#" * side,) * side


SHAPES: dict[int, tuple[str, ...]] = {}


def _add(shape: tuple[str, ...], *type_ids: int) -> None:
    for type_id in type_ids:
        SHAPES[type_id] = shape


# Mineral fields: plain, lab, purifier, battle station, rich, small ones. Ids from 1943 up differ between clients.
MINERAL_TYPES = frozenset({146, 147, 341, 483, 665, 666, 796, 797, 884, 885, 886, 887, 1961, 1996, 1997, 1998})
GEYSER_TYPES = frozenset({342, 343, 344, 608, 880, 881})
_add(MINERALS, *MINERAL_TYPES)
_add(GEYSER, *GEYSER_TYPES)
# Rocks: 4x4 (rock, debris, ice, city debris), 6x6 (the same, and the expedition gate), 2x2 debris.
_add(BLOCK_4, 364, 370, 628, 638, 648)
_add(BLOCK_6, 365, 371, 629, 639, 649, 836)
_add(BLOCK_2, 475, 149)
# Structures by the side of their square.
_add(_square(1), 25)
_add(_square(2), 5, 6, 19, 23, 31, 37, 38, 39, 40, 41, 42, 47, 60, 66, 69, 87, 98, 99, 92, 102, 824, 1910)
_add(_square(3), 20, 21, 22, 24, 26, 27, 28, 29, 30, 61, 62, 63, 64, 65, 67, 68, 70, 71, 72, 88, 89, 90, 91)
_add(_square(3), 93, 94, 95, 96, 97, 133, 142, 504, 1943, 1960, 1994, 1995, 1955, 1956)
_add(_square(5), 18, 59, 86, 100, 101, 130, 132)

# Block placement only; units walk over them.
UNBUILDABLE_TYPES = frozenset({472, 473, 474})


@cache
def offsets(type_id: int) -> tuple[tuple[int, int], ...]:
    """Blocked cells as (dx, dy) from the cell that holds the unit's centre; () for what blocks nothing."""
    shape = SHAPES.get(type_id, ())
    rows, columns = len(shape), len(shape[0]) if shape else 0
    return tuple(
        (column - columns // 2, rows - 1 - row - rows // 2)
        for row in range(rows)
        for column in range(columns)
        if shape[row][column] == "#"
    )


def footprint_cells(type_id: int, x: float, y: float) -> list[tuple[int, int]]:
    """Cells (x, y) that a unit of this type blocks when its centre is (x, y); [] for what blocks nothing."""
    left, bottom = int(x), int(y)
    return [(left + dx, bottom + dy) for dx, dy in offsets(type_id)]


def placement_cells(type_id: int, x: float, y: float) -> list[tuple[int, int]]:
    """Cells nothing may be built on because of this unit: its footprint, or the plates units walk over."""
    if type_id in UNBUILDABLE_TYPES:
        return [(int(x) + dx, int(y) + dy) for dx in (-1, 0) for dy in (-1, 0)]
    return footprint_cells(type_id, x, y)

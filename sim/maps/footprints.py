"""Which cells a structure, resource or rock blocks: the one place that knows footprints.

Two questions have two answers: where units cannot walk (`footprint_cells`), and where nothing can be built
(`placement_cells`). They differ for town halls, whose corners units cut, and for things that units walk over.

The shapes of resources, town halls and rocks are those that real pathing grids of loop 0 show (clients 5.0.3 to
5.0.14); what no recording shows has the catalog's footprint, or the size in the type's name.
"""

from __future__ import annotations

Offsets = tuple[tuple[int, int], ...]


def _picture(*rows: str) -> Offsets:
    """Cells of a picture, highest row first, '#' = blocked, as (dx, dy) from the cell that holds the centre."""
    return tuple(
        (column - len(row) // 2, len(rows) - 1 - line - len(rows) // 2)
        for line, row in enumerate(rows)
        for column, mark in enumerate(row)
        if mark == "#"
    )


def _block(width: int, height: int) -> Offsets:
    return _picture(*("#" * width,) * height)


def _cut(width: int, height: int, corner: int = 1) -> Offsets:
    """A block whose first and last row lack `corner` cells at each end."""
    ends = "." * corner + "#" * (width - 2 * corner) + "." * corner
    return _picture(ends, *("#" * width,) * (height - 2), ends)


# The diagonal ramp rocks: 10x10 cells, of which a band seven cells wide is blocked, without its outermost cells
# (catalog). BLUR runs from the bottom left to the upper right, ULBR from the upper left to the bottom right.
_TEN = [(dx, dy) for dy in range(-5, 5) for dx in range(-5, 5)]
BAND_BLUR: Offsets = tuple((dx, dy) for dx, dy in _TEN if abs(dx - dy) <= 3 and abs(dx + dy + 1) < 9)
BAND_ULBR: Offsets = tuple((-1 - dx, dy) for dx, dy in BAND_BLUR)

# Ids from 1943 up differ between clients (4.10.0: 1955 to 1963, 1966, 1967); none of them collide with a
# structure. Collapsible towers and what lies there when they have fallen have one footprint (catalog).
TOWER_TYPES = (588, 589, 590, 591, 609, 610, 663, 664, 882, 1966, 1967, 2003, 2004)
DEBRIS_TYPES = (485, 486, 487, 490, 517, 518, 747, 1962, 1963, 1999, 2000)
MINERAL_TYPES = frozenset({146, 147, 341, 483, 665, 666, 796, 797, 884, 885, 886, 887, 1961, 1996, 1997, 1998})
GEYSER_TYPES = frozenset({342, 343, 344, 608, 880, 881})
TOWN_HALL_TYPES = frozenset({18, 59, 86, 100, 101, 130, 132})
RESOURCE_GAP = 3  # cells between a town hall and any resource
UNBUILDABLE_TYPES = frozenset({472, 473, 474})  # plates units walk over

_SHAPES: tuple[tuple[Offsets, tuple[int, ...]], ...] = (
    (_block(2, 1), tuple(MINERAL_TYPES)),
    (_block(3, 3), tuple(GEYSER_TYPES)),
    (_cut(5, 5), tuple(TOWN_HALL_TYPES)),
    # Structures by the side of their square. 2x2: depots, add-ons, turrets, crawlers, spires, pylons, the watchtower.
    (_block(1, 1), (25, 362, 1957, 1958, 1959)),  # 4.10.0: zones
    (_block(2, 2), (5, 6, 19, 23, 31, 37, 38, 39, 40, 41, 42, 60, 66, 69, 92, 98, 99, 102, 149, 491, 492, 894, 1910)),
    (_block(3, 3), (20, 21, 22, 24, 26, 27, 28, 29, 30, 61, 62, 63, 64, 65, 67, 68, 70, 71, 72, 88, 89, 90, 91)),
    (_block(3, 3), (93, 94, 95, 96, 97, 133, 142, 504, 837, 1943, 1955, 1956, 1960, 1994, 1995)),
    # Rocks: each of the families rock, city debris, rock ex1 and ice has the same sizes.
    (_block(2, 2), (312, 363, 475, 592)),
    (_block(2, 4), (366, 624, 634, 644)),
    (_block(4, 2), (367, 625, 635, 645)),
    (_block(2, 6), (368, 626, 636, 646)),
    (_block(6, 2), (369, 627, 637, 647)),
    (_cut(4, 4), (364, 370, 628, 638, 648)),
    (_cut(6, 6), (365, 371, 613, 629, 639, 649, 836)),
    (BAND_BLUR, (373, 377, 630, 641, 651)),
    (BAND_ULBR, (372, 376, 631, 640, 650)),
    (_cut(4, 12), (374, 642, 652)),
    (_cut(12, 4), (375, 643, 653)),
    (_cut(5, 5), TOWER_TYPES + DEBRIS_TYPES),
)
WALKING: dict[int, Offsets] = {type_id: offsets for offsets, type_ids in _SHAPES for type_id in type_ids}
# What blocks building otherwise than walking: whole town halls and towers, lowered depots, plates, creep tumors.
BUILDING: dict[int, Offsets] = {
    **WALKING,
    **dict.fromkeys((*TOWN_HALL_TYPES, *TOWER_TYPES, *DEBRIS_TYPES), _block(5, 5)),
    **dict.fromkeys(UNBUILDABLE_TYPES, _block(2, 2)),
    47: _block(2, 2),
    **dict.fromkeys((87, 137, 138, 602, 603, 605), _block(1, 1)),
}


ROCK_TYPES = frozenset({312, 362, 363, 475, 592, 613, 836, 837, *TOWER_TYPES, *DEBRIS_TYPES})
ROCK_TYPES |= {*range(364, 378), *range(624, 632), *range(634, 654)}


def footprint_cells(type_id: int, x: float, y: float) -> list[tuple[int, int]]:
    """Cells (x, y) where no unit can walk because a unit of this type has its centre at (x, y); [] for none."""
    left, bottom = int(x), int(y)
    return [(left + dx, bottom + dy) for dx, dy in WALKING.get(type_id, ())]


def placement_cells(type_id: int, x: float, y: float) -> list[tuple[int, int]]:
    """Cells (x, y) where nothing can be built because a unit of this type has its centre at (x, y); [] for none."""
    left, bottom = int(x), int(y)
    return [(left + dx, bottom + dy) for dx, dy in BUILDING.get(type_id, ())]


def town_hall_zone(type_id: int, x: float, y: float) -> list[tuple[int, int]]:
    """Cells (x, y) that no town hall may cover because of a resource with its centre at (x, y); [] for other types.

    Three cells on all sides without the corners (catalog), as 406 town halls that real games placed on 4 recorded maps
    show: many have a corner three cells both ways from a field, and 8 one three and two cells from a geyser.
    """
    if type_id not in MINERAL_TYPES and type_id not in GEYSER_TYPES:
        return []
    corner = 6 if type_id in MINERAL_TYPES else 5  # steps off both sides together that are already far enough
    cells = footprint_cells(type_id, x, y)
    left, right = min(x for x, _ in cells), max(x for x, _ in cells)
    bottom, top = min(y for _, y in cells), max(y for _, y in cells)
    zone = []
    for row in range(bottom - RESOURCE_GAP, top + RESOURCE_GAP + 1):
        for column in range(left - RESOURCE_GAP, right + RESOURCE_GAP + 1):
            off_x, off_y = max(left - column, column - right, 0), max(bottom - row, row - top, 0)
            if off_x + off_y < corner:
                zone.append((column, row))
    return zone

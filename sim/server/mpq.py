"""The archive format of saved games: client libraries look into a replay for the build that has to play it.

Written as simply as the format allows: version 1, every file one compressed unit, only the two tables encrypted (as
the format wants it).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping
from itertools import chain

MAGIC = b"MPQ\x1a"
FRONT_MAGIC = b"MPQ\x1b"
FRONT = struct.Struct("<4s3I")  # magic, room for what stands before the archive, where that begins, used of the room
ROOM, BEGIN = 512, 1024  # as real replays have them: none is shorter, and programs take a shorter file for a failure
HEADER = struct.Struct("<4s2I2H4I")  # magic, header, archive, version, sector shift, tables: places and lengths
ENTRY = struct.Struct("<4I")
PLACE, NAME_A, NAME_B, KEY = range(4)  # uses of the hash
EXISTS, SINGLE, COMPRESSED = 0x80000000, 0x01000000, 0x00000200
ZLIB = b"\x02"
NOBODY = 0xFFFFFFFF
WORD = 0xFFFFFFFF
LISTING = "(listfile)"


def _noise() -> tuple[int, ...]:
    """The format's table of pseudo-random words: five for each byte."""
    words, seed = [0] * 0x500, 0x00100001
    for byte in range(0x100):
        for use in range(5):
            seed = (seed * 125 + 3) % 0x2AAAAB
            high = seed & 0xFFFF
            seed = (seed * 125 + 3) % 0x2AAAAB
            words[use * 0x100 + byte] = high << 16 | seed & 0xFFFF
    return tuple(words)


NOISE = _noise()


def _hash(name: str, use: int) -> int:
    one, two = 0x7FED7FED, 0xEEEEEEEE
    for byte in name.upper().encode():
        one = NOISE[use * 0x100 + byte] ^ (one + two) & WORD
        two = byte + one + two + (two << 5) + 3 & WORD
    return one


def _crypt(words: Iterable[int], name: str, *, decrypt: bool) -> list[int]:
    """The words of a table encrypted by its name, or back."""
    key, two, found = _hash(name, KEY), 0xEEEEEEEE, []
    for word in words:
        two = two + NOISE[0x400 + (key & 0xFF)] & WORD
        other = word ^ (key + two) & WORD
        key = ((~key << 0x15) + 0x11111111 | key >> 0x0B) & WORD
        two = (other if decrypt else word) + two + (two << 5) + 3 & WORD
        found.append(other)
    return found


def _table(rows: Iterable[tuple[int, ...]], name: str) -> bytes:
    words = _crypt(chain.from_iterable(rows), name, decrypt=False)
    return struct.pack(f"<{len(words)}I", *words)


def _rows(data: bytes, name: str) -> list[list[int]]:
    words = _crypt(struct.unpack(f"<{len(data) // 4}I", data), name, decrypt=True)
    return [words[at : at + 4] for at in range(0, len(words), 4)]


def write(files: Mapping[str, bytes], front: bytes = b"") -> bytes:
    """An archive of these files, with the list of their names that readers look for, behind `front` (at most ROOM)."""
    every = {**files, LISTING: "\r\n".join(files).encode()}
    slots = 1 << (2 * len(every) - 1).bit_length()
    names: list[tuple[int, int, int, int]] = [(NOBODY, NOBODY, NOBODY, NOBODY)] * slots
    blocks, body = [], b""
    for number, (name, content) in enumerate(every.items()):
        packed = ZLIB + zlib.compress(content)
        kind = COMPRESSED
        if len(packed) >= len(content):
            packed, kind = content, 0
        slot = _hash(name, PLACE) % slots
        while names[slot][3] != NOBODY:
            slot = (slot + 1) % slots
        names[slot] = (_hash(name, NAME_A), _hash(name, NAME_B), 0, number)
        blocks.append((HEADER.size + len(body), len(packed), len(content), EXISTS | SINGLE | kind))
        body += packed
    name_table, block_table = _table(names, "(hash table)"), _table(blocks, "(block table)")
    first = HEADER.size + len(body)
    second = first + len(name_table)
    size = second + len(block_table)
    header = HEADER.pack(MAGIC, HEADER.size, size, 0, 3, first, second, slots, len(blocks))
    before = FRONT.pack(FRONT_MAGIC, ROOM, BEGIN, len(front)) + front
    return before.ljust(BEGIN, b"\0") + header + body + name_table + block_table


def read(data: bytes, name: str) -> bytes | None:
    """A file of an archive of the kind `write` makes; None where there is none, or the archive is another's."""
    if data.startswith(FRONT_MAGIC):
        data = data[BEGIN:]
    if not data.startswith(MAGIC) or len(data) < HEADER.size:
        return None
    *_, first, second, slots, count = HEADER.unpack_from(data)
    ends = first + slots * ENTRY.size, second + count * ENTRY.size
    if max(ends) > len(data):
        return None
    wanted, blocks = [_hash(name, NAME_A), _hash(name, NAME_B)], _rows(data[second : ends[1]], "(block table)")
    for *hashes, _, number in _rows(data[first : ends[0]], "(hash table)"):
        if hashes != wanted or number >= count:
            continue
        place, packed, _, flags = blocks[number]
        content = data[place : place + packed]
        if not flags & SINGLE or len(content) != packed:
            return None
        if not flags & COMPRESSED:
            return content
        try:
            return zlib.decompress(content[1:]) if content[:1] == ZLIB else None
        except zlib.error:
            return None
    return None

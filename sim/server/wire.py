"""Protobuf's wire format, as far as the server writes it by hand: varints, length-prefixed fields, response tails."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from s2clientprotocol import sc2api_pb2 as sc

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5  # wire types
UNREADABLE, EMPTY = "Could not parse the request", "The request is empty"  # errors of what is no request


def varint(value: int) -> bytes:
    """An unsigned integer as protobuf writes it."""
    if value <= 0x7F:  # nearly all are
        return bytes((value,))
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number: int, payload: bytes) -> bytes:
    """A length-prefixed field: a sub-message, text or bytes."""
    return b"".join(parts(number, [payload]))


def parts(number: int, payload: Sequence[bytes]) -> list[bytes]:
    """The same of what the parts of a payload make together, as parts: what is large is joined, and so copied, once."""
    return [varint(number << 3 | LENGTH) + varint(sum(map(len, payload))), *payload]


def number(field_number: int, value: int) -> bytes:
    """A varint field."""
    return varint(field_number << 3 | VARINT) + varint(value)


def tail(status: int, request_id: int | None, errors: Iterable[str] = ()) -> bytes:
    """What every Response ends with: the echoed id, errors, the status."""
    end = b"" if request_id is None else number(97, request_id)
    end += b"".join(field(98, text.encode()) for text in errors)
    return end + number(99, status)


def response(name: str, payload: bytes, status: int, request_id: int | None) -> bytes:
    """A whole Response with an already serialised message in its field called `name`."""
    number = sc.Response.DESCRIPTOR.fields_by_name[name].number
    return b"".join((*parts(number, [payload]), tail(status, request_id)))

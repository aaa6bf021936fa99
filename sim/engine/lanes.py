"""Several numbers at once: the processor's vectors, for searches that compare all lanes of a record.

`load(spot.x)` holds the sixteen numbers of a field. Arithmetic and comparisons with other lanes or with one number of
the same type act on each lane by itself, with the same results as one after the other; `bits_of` tells in which lanes a
comparison holds. The compiler's own vectors need loops without branches and rebuild such bits lane by lane.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model
from numba.np import arrayobj

_INLINED = {"forceinline": True, "_nrt": False}
_FLOAT = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul"}
_WHOLE = {operator.add: "add", operator.sub: "sub", operator.mul: "mul", operator.and_: "and_", operator.or_: "or_"}
_ORDER = {operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">="} | {
    operator.eq: "==",
    operator.ne: "!=",
}


class Lanes(types.Type):
    """numba's type of `count` numbers of one type; flags are booleans."""

    def __init__(self, dtype: types.Type, count: int) -> None:
        self.dtype, self.count = dtype, count
        super().__init__(name=f"Lanes({dtype}, {count})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        width = ir.IntType(1) if lanes.dtype is types.boolean else manager.lookup(lanes.dtype).get_value_type()
        super().__init__(manager, lanes, ir.VectorType(width, lanes.count))


def _spread(builder: ir.IRBuilder, value: ir.Value, kind: types.Type, lanes: Lanes) -> ir.Value:
    """The value itself if it has lanes, else the number in every lane."""
    if isinstance(kind, Lanes):
        return value
    vector = ir.VectorType(value.type, lanes.count)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), lanes.count), [0] * lanes.count)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), zeros)


def _lanes_of(a: types.Type, b: types.Type) -> Lanes | None:
    """The lanes that an operation on these types works on; None for other types, and for numbers of unlike types."""
    lanes = a if isinstance(a, Lanes) else b if isinstance(b, Lanes) else None
    if lanes is None or any(getattr(kind, "dtype", kind) != lanes.dtype for kind in (a, b)):
        return None
    return lanes


def _emit(operation: Callable[..., Any], builder: ir.IRBuilder, lanes: Lanes, a: ir.Value, b: ir.Value) -> ir.Value:
    real = isinstance(lanes.dtype, types.Float)
    if operation not in _ORDER:
        return getattr(builder, (_FLOAT if real else _WHOLE)[operation])(a, b)
    sign = _ORDER[operation]
    if real:
        return builder.fcmp_unordered(sign, a, b) if sign == "!=" else builder.fcmp_ordered(sign, a, b)
    signed = getattr(lanes.dtype, "signed", False)
    return builder.icmp_signed(sign, a, b) if signed else builder.icmp_unsigned(sign, a, b)


def _define(operation: Callable[..., Any]) -> None:
    """Teach numba one operator for lanes."""

    @intrinsic
    def apply(typing: Any, a: Any, b: Any) -> Any:
        lanes = _lanes_of(a, b)
        result = Lanes(types.boolean, lanes.count) if operation in _ORDER else lanes

        def code(context: Any, builder: ir.IRBuilder, signature: Any, values: Any) -> ir.Value:
            spread = [_spread(builder, value, kind, lanes) for value, kind in zip(values, (a, b), strict=True)]
            return _emit(operation, builder, lanes, *spread)

        return result(a, b), code

    @overload(operation, jit_options=_INLINED)
    def choose(a, b):
        return (lambda a, b: apply(a, b)) if _lanes_of(a, b) else None


for _operation in (*_WHOLE, *_ORDER):
    _define(_operation)


@intrinsic(prefer_literal=True)
def span(typing, array, first, count):
    """`count` (written as a number) numbers of an array from place `first` on."""
    lanes = Lanes(array.dtype, count.literal_value)

    def code(context, builder, signature, values):
        whole = arrayobj.make_array(array)(context, builder, values[0])
        place = builder.gep(whole.data, [values[1]])
        vector = context.get_value_type(lanes)
        size = context.get_abi_sizeof(vector.element)
        return builder.load(builder.bitcast(place, vector.as_pointer()), align=size)

    return lanes(array, types.intp, count), code


@intrinsic
def load(typing, field):
    """All numbers of a record's field that is an array."""
    lanes = Lanes(field.dtype, field.shape[0])

    def code(context, builder, signature, values):
        whole = arrayobj.make_array(field)(context, builder, values[0])
        vector = context.get_value_type(lanes)
        size = context.get_abi_sizeof(vector.element)
        return builder.load(builder.bitcast(whole.data, vector.as_pointer()), align=size)

    return lanes(field), code


@intrinsic
def bits_of(typing, flags):
    """u4: bit k tells whether the comparison holds in lane k."""

    def code(context, builder, signature, values):
        word = builder.bitcast(values[0], ir.IntType(flags.count))
        return builder.zext(word, ir.IntType(32)) if flags.count < 32 else word

    return types.uint32(flags), code


__all__ = ["Lanes", "bits_of", "load", "span"]

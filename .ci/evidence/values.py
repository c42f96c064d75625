"""Values, and the evaluation of terms: what SMT-LIB says they are, and nothing where it leaves them open.

Numbers are `int`s and `Fraction`s, bit-vectors `Bits`, arrays and data tuples.
"""
from fractions import Fraction
from math import floor

from .sexpr import Malformed, Word, is_name


class Open(Exception):
    """The value is left open, by SMT-LIB or by what is known about an iteration."""


class Bits(tuple):
    """A bit-vector: width and value."""

    def __new__(cls, width, value):
        return super().__new__(cls, (width, value % (1 << width)))

    @property
    def signed(self):
        width, value = self
        return value - (1 << width) if value >> (width - 1) else value


def array(default, entries):
    """An array by its default and the elements that differ from it. Where there are few indices, the default is the element of the least."""
    index = next(iter(entries), None)
    if isinstance(index, bool) or isinstance(index, Bits) and index[0] <= 8:
        width = 0 if isinstance(index, bool) else index[0]
        every = [Bits(width, k) for k in range(1 << width)] if width else [False, True]
        elements = {k: entries.get(k, default) for k in every}
        default, entries = elements[every[0]], elements
    kept = {k: v for k, v in entries.items() if v != default}
    return ("array", default, frozenset(kept.items()))


def default(question, sort, around=()):
    """The default of a sort."""
    name = sort[0]
    if name == "Bool":
        return False
    if name in ("Int", "Real"):
        return 0
    if name == "BitVec":
        return Bits(sort[1], 0)
    if name == "Array":
        return array(default(question, sort[2], around), {})
    for constructor, fields in question.sorts.get(name, []):
        sorts = [question.sort(field) for _, field in fields]
        if not any(needs(question, part, {name} | set(around)) for part in sorts):
            parts = (default(question, part, {name} | set(around)) for part in sorts)
            return ("data", constructor, tuple(parts))
    raise Malformed(f"no default is known for {sort}")


def needs(question, sort, names):
    """Whether all values of a sort need one of the data types of these names."""
    if sort[0] == "Array":
        return needs(question, sort[2], names)
    if sort[0] in names:
        return True
    if sort[0] not in question.sorts:
        return False
    inner = names | {sort[0]}
    return all(any(needs(question, question.sort(field), inner) for _, field in fields)
               for _, fields in question.sorts[sort[0]])


def has_sort(question, value, sort):
    """Whether a value is one of the sort; an integer is a real number as well."""
    name = sort[0]
    if name == "Bool":
        return isinstance(value, bool)
    if name in ("Int", "Real"):
        is_number = isinstance(value, (int, Fraction)) and not isinstance(value, bool)
        return is_number and (name == "Real" or value == int(value))
    if name == "BitVec":
        return isinstance(value, Bits) and value[0] == sort[1]
    if name == "Array":
        return isinstance(value, tuple) and value[0] == "array" and all(
            has_sort(question, part, sort[2]) for part in [value[1], *(v for _, v in value[2])]
        ) and all(has_sort(question, index, sort[1]) for index, _ in value[2])
    if not (isinstance(value, tuple) and value[0] == "data"):
        return False
    owner, fields = question.constructors[value[1]]
    return owner == name and len(fields) == len(value[2]) and all(
        has_sort(question, part, question.sort(field)) for part, (_, field) in zip(value[2], fields))


class Evaluator:
    """Evaluates terms under the values of variables, which are looked up by name."""

    def __init__(self, question, lookup):
        self.question, self.lookup, self.known = question, lookup, {}

    def value(self, node, env=None):
        key = (id(node), id(env))
        if key not in self.known:
            self.known[key] = (self.find(node, env), node, env)
        return self.known[key][0]

    def find(self, node, env):
        op, parts = node.op, node.parts
        if op == "closed":
            return self.value(parts[0], node.data)
        if op == "bind":
            raise Malformed("a quantifier is left")
        if op == "value":
            return node.data
        if op == "bound":
            return self.lookup(env[node.data])
        if op == "declared":
            return self.lookup(node.data)
        if op in ("and", "or"):
            return self.junction([self.partly(part, env) for part in parts], op == "or")
        if op == "not":
            return self.negate(self.partly(parts[0], env))
        if op == "iff":
            return self.equal(self.value(parts[0], env), self.value(parts[1], env))
        if op == "ite":
            condition = self.partly(parts[0], env)
            if isinstance(condition, Open):
                raise condition
            return self.value(parts[1] if condition else parts[2], env)
        return self.apply(node.data, lambda: [self.value(part, env) for part in parts], node, env)

    def partly(self, node, env):
        """A truth value, or why there is none."""
        try:
            return self.value(node, env)
        except Open as why:
            return why

    def junction(self, values, zero):
        if any(value is zero for value in values):
            return zero
        for value in values:
            if isinstance(value, Open):
                raise value
        return not zero

    def negate(self, value):
        if isinstance(value, Open):
            raise value
        return not value

    # What differs for numbers that change from iteration to iteration.
    def equal(self, a, b):
        return a == b

    def less(self, a, b, strict):
        return a < b if strict else a <= b

    def times(self, a, b):
        return a * b

    def divide(self, a, m):
        """Quotient and remainder of integers."""
        if m == 0:
            raise Open("a division by zero")
        quotient = a // m if m > 0 else -(a // -m)
        return quotient, a - m * quotient

    def constant(self, value):
        """A value that does not change."""
        return value

    def floor(self, a):
        return floor(a)

    def apply(self, head, arguments, node, env):
        if is_name(head):
            return self.named(head, arguments, node, env)
        if head[0] == "as" and head[1] == "const":
            return array(self.constant(arguments()[0]), {})
        if head[0] == "as":
            return self.named(head[1], arguments, node, env)
        if head[0] == "_" and head[1] in ("is", "tester"):
            return self.constant(arguments()[0])[1] == str(head[2])
        if head[0] == "_" and head[1].startswith("bv") and head[1][2:].isdigit():
            return Bits(int(head[2]), int(head[1][2:]))
        if head[0] == "_":
            return indexed(str(head[1]), [int(k) for k in head[2:]],
                           [self.constant(a) for a in arguments()])
        raise Malformed(f"unknown function {head}")

    def named(self, head, arguments, node, env):
        name, question = str(head), self.question
        if name in question.constructors:
            return ("data", name, tuple(self.constant(a) for a in arguments()))
        if not node.parts:
            return literal(head)
        values = arguments()
        if name in question.selectors:
            constructor, place = question.selectors[name]
            value = self.constant(values[0])
            if value[1] != constructor:
                raise Open("a selector of another constructor")
            return value[2][place]
        if name.startswith("is-") and name[3:] in question.constructors:
            return self.constant(values[0])[1] == name[3:]
        if name in ARITHMETIC:
            return self.arithmetic(name, values)
        if name == "=":
            return self.junction([self.equal_or_open(a, b) for a, b in zip(values, values[1:])], False)
        if name == "distinct":
            pairs = [(a, b) for i, a in enumerate(values) for b in values[:i]]
            return self.junction([self.differ(a, b) for a, b in pairs], False)
        if name == "xor":
            return sum(values) % 2 == 1
        values = [self.constant(value) for value in values]
        if name == "select":
            return dict(values[0][2]).get(values[1], values[0][1])
        if name == "store":
            return array(values[0][1], {**dict(values[0][2]), values[1]: values[2]})
        return bits(name, values)

    def equal_or_open(self, a, b):
        try:
            return self.equal(a, b)
        except Open as why:
            return why

    def differ(self, a, b):
        same = self.equal_or_open(a, b)
        return same if isinstance(same, Open) else not same

    def arithmetic(self, name, values):
        first, rest = values[0], values[1:]
        if name in ("<=", "<", ">=", ">"):
            pairs = zip(values, rest) if name[0] == "<" else zip(rest, values)
            found = []
            for a, b in pairs:
                try:
                    found.append(self.less(a, b, len(name) == 1))
                except Open as why:
                    found.append(why)
            return self.junction(found, False)
        if name == "-" and not rest:
            return self.times(-1, first)
        if name == "to_real":
            return first
        if name == "to_int":
            return self.floor(first)
        if name == "is_int":
            return self.equal(first, self.floor(first))
        if name == "abs":
            return first if self.less(0, first, False) else self.times(-1, first)
        for other in rest:
            if name == "+":
                first = first + other
            elif name == "-":
                first = first + self.times(-1, other)
            elif name == "*":
                first = self.times(first, other)
            elif name == "/":
                other = self.constant(other)
                if other == 0:
                    raise Open("a division by zero")
                first = self.times(Fraction(1, 1) / other, first)
            else:
                first = self.divide(first, self.constant(other))[name == "mod"]
        return first


ARITHMETIC = {"+", "-", "*", "/", "div", "mod", "abs", "<=", "<", ">=", ">", "to_real", "to_int",
              "is_int"}


def literal(word):
    """A numeral, decimal or bit-vector."""
    text = str(word)
    if text.startswith("#x"):
        return Bits(4 * (len(text) - 2), int(text[2:], 16))
    if text.startswith("#b"):
        return Bits(len(text) - 2, int(text[2:], 2))
    if isinstance(word, Word) and text.replace(".", "", 1).isdigit():
        return Fraction(text) if "." in text else int(text)
    raise Malformed(f"unknown symbol {text}")


def indexed(name, indices, values):
    width, value = values[0] if isinstance(values[0], Bits) else (0, values[0])
    if name == "extract":
        high, low = indices
        return Bits(high - low + 1, value >> low)
    if name == "zero_extend":
        return Bits(width + indices[0], value)
    if name == "sign_extend":
        return Bits(width + indices[0], values[0].signed)
    if name == "repeat":
        return bits("concat", values * indices[0])
    if name in ("rotate_left", "rotate_right"):
        turn = indices[0] % width if name == "rotate_left" else -indices[0] % width
        return Bits(width, value << turn | value >> (width - turn))
    if name in ("int2bv", "int_to_bv"):
        return Bits(indices[0], value)
    if name == "divisible":
        return value % indices[0] == 0
    raise Malformed(f"unknown function {name}")


def bits(name, values):
    """The functions of bit-vectors; z3 has a second name for some."""
    name = name.removesuffix("_i")
    if not all(isinstance(value, Bits) for value in values):
        raise Malformed(f"unknown function {name}")
    if name == "concat":
        width, value = 0, 0
        for part in values:
            width, value = width + part[0], value << part[0] | part[1]
        return Bits(width, value)
    width, a = values[0]
    if len(values) == 1:
        if name in ("bv2nat", "ubv_to_int"):
            return a
        if name == "sbv_to_int":
            return values[0].signed
        return Bits(width, {"bvnot": ~a, "bvneg": -a}[name])
    if len(values) > 2:
        result = values[0]
        for other in values[1:]:
            result = bits(name, [result, other])
        return result
    b, (x, y) = values[1][1], (values[0].signed, values[1].signed)
    compare = {"bvult": a < b, "bvule": a <= b, "bvugt": a > b, "bvuge": a >= b, "bvslt": x < y,
               "bvsle": x <= y, "bvsgt": x > y, "bvsge": x >= y}
    if name in compare:
        return compare[name]
    sign = (1 if x >= 0 else -1) * (1 if y >= 0 else -1)
    remainder = x if y == 0 else (1 if x >= 0 else -1) * (abs(x) % abs(y))
    operations = {
        "bvadd": lambda: a + b, "bvsub": lambda: a - b, "bvmul": lambda: a * b,
        "bvand": lambda: a & b, "bvor": lambda: a | b, "bvxor": lambda: a ^ b,
        "bvnand": lambda: ~(a & b), "bvnor": lambda: ~(a | b), "bvxnor": lambda: ~(a ^ b),
        "bvudiv": lambda: a // b if b else -1, "bvurem": lambda: a % b if b else a,
        "bvsdiv": lambda: sign * (abs(x) // abs(y)) if y else (1 if x < 0 else -1),
        "bvsrem": lambda: remainder,
        "bvsmod": lambda: x % y if y else x,
        "bvshl": lambda: a << b if b < width else 0, "bvlshr": lambda: a >> b if b < width else 0,
        "bvashr": lambda: x >> min(b, width),
    }
    if name == "bvcomp":
        return Bits(1, int(a == b))
    if name not in operations:
        raise Malformed(f"unknown function {name}")
    return Bits(width, operations[name]())

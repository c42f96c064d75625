"""Refutations: every step is evaluated; steps within repeats at the corners of their iterations, as docs/formats.md says."""
from fractions import Fraction
from itertools import product

from .sexpr import Malformed, Text, Word, is_name
from .values import Evaluator, Open, array, default, has_sort, literal


class Wrong(Exception):
    """The evidence is wrong."""


class Undecided(Exception):
    """A step cannot be judged for all iterations at once."""


class Step:
    """A listed step; `around` has the repeats around it, from the outside, each with whether it is in the last list."""

    def __init__(self, number, clause, values, premises, derives, around):
        self.number, self.clause, self.values, self.premises = number, clause, values, premises
        self.derives, self.around = derives, around


class Repeat:
    """A listed repeat; its counterparts in other lists of outer repeats share a slot."""

    def __init__(self, count):
        self.count, self.slot = count, None


class Reader:
    """Reads the steps of a refutation about a question."""

    def __init__(self, question, expression):
        self.question, self.steps, self.names = question, [], {}
        self.items = [self.item(item, ()) for item in expression[1:]]

    def item(self, item, around):
        if not isinstance(item, list) or not item:
            raise Malformed("expected a step")
        if item[0] == "step":
            self.steps.append(self.step(item[1:], around))
            return self.steps[-1]
        if item[0] != "repeat" or len(item) != 4:
            raise Malformed("expected a step or a repeat")
        repeat, lists = Repeat(natural(item[1])), []
        for last, (word, part) in enumerate(zip(("first", "last"), item[2:])):
            if part[0] != word or len(part) < 2:
                raise Malformed(f"expected {word}")
            lists.append([self.item(p, (*around, (repeat, last))) for p in part[1:]])
        return (repeat, *lists)

    def step(self, parts, around):
        if natural(parts[0]) != len(self.steps):
            raise Wrong(f"this is step {len(self.steps)}")
        if len(parts) % 2 == 0:
            raise Malformed("a keyword without a value")
        seen, clause, values, premises, derives = set(), None, {}, None, None
        for keyword, value in zip(parts[1::2], parts[2::2]):
            if keyword in seen and keyword not in (":name", ":line"):
                raise Malformed(f"{keyword} occurs twice")
            seen.add(keyword)
            if keyword == ":clause":
                number = natural(value)
                if number >= len(self.question.clauses):
                    raise Wrong(f"there is no clause {number}")
                clause = self.question.clauses[number]
            elif keyword == ":values":
                if clause is None:
                    raise Malformed(":clause comes before :values")
                values = self.assignment(clause, value)
            elif keyword == ":premises":
                premises = [natural(premise) for premise in value]
            elif keyword == ":derives":
                derives = self.fact(value)
            elif keyword == ":line":
                natural(value)
            elif keyword != ":name" or not is_name(value):
                raise Malformed(f"unexpected {keyword}")
        if clause is None or premises is None:
            raise Malformed("a step needs a clause and premises")
        return Step(len(self.steps), clause, values, premises, derives, around)

    def assignment(self, clause, pairs):
        values = {}
        for name, value in pairs:
            name = str(name)
            if name not in clause.assertion.variables:
                raise Wrong(f"there is no variable {name}")
            if name in values:
                raise Wrong(f"{name} has two values")
            values[name] = self.sorted_value(value, clause.assertion.variables[name])
        return values

    def sorted_value(self, value, sort):
        found = self.value(value)
        if self.stated(value) not in (None, sort) or not has_sort(self.question, found, sort):
            raise Wrong("a value of another sort")
        return found

    def stated(self, item):
        """The sort that an array is written with; nothing if it is no array or stands for another one."""
        while isinstance(item, list) and item and item[0] in ("!", "store"):
            item = item[1]
        if isinstance(item, list) and item and isinstance(item[0], list) and item[0][:2] == ["as", "const"]:
            return self.question.sort(item[0][2])
        return None

    def fact(self, item):
        if item == "false" and not isinstance(item, list):
            return ("false",)
        name, arguments = (item, []) if is_name(item) else (item[0], item[1:])
        sorts = self.question.preds.get(str(name))
        if sorts is None or len(sorts) != len(arguments):
            raise Wrong(f"there is no predicate {name} with {len(arguments)} arguments")
        return (str(name), *map(self.sorted_value, arguments, sorts))

    def value(self, item):
        """A literal."""
        question = self.question
        if is_name(item):
            if item.startswith("@"):
                if item not in self.names:
                    raise Wrong(f"{item} is no name")
                return self.names[item]
            if item in ("true", "false"):
                return item == "true"
            if str(item) in question.constructors:
                return ("data", str(item), ())
            return literal(item)
        if isinstance(item, Text) or not item:
            raise Malformed("this is no value")
        head = item[0]
        if head == "!":
            self.names[item[3]] = self.value(item[1])
            return self.names[item[3]]
        if head == "-":
            return -self.value(item[1])
        if head == "/":
            return Fraction(self.value(item[1])) / Fraction(self.value(item[2]))
        if head == "_":
            return Evaluator(question, None).apply(item, list, None, None)
        if head == "store":
            base = self.value(item[1])
            index, element = self.value(item[2]), self.value(item[3])
            return array(base[1], {**dict(base[2]), index: element})
        if isinstance(head, list) and head[:2] == ["as", "const"]:
            return array(self.sorted_value(item[1], self.question.sort(head[2])[2]), {})
        if head == "as":
            return self.value(item[1])
        name = str(head[1] if isinstance(head, list) else head)
        if name in question.constructors:
            return ("data", name, tuple(self.value(part) for part in item[1:]))
        raise Malformed(f"{name} is no constructor")


def natural(word):
    if not isinstance(word, Word) or not word.isdigit():
        raise Malformed("expected a number")
    return int(word)


def check(question, expression):
    """The number of listed steps, if the refutation is right."""
    reader = Reader(question, expression)
    slots = Slots(reader)
    for step in reader.steps:
        if not step.around:
            ground_step(question, slots, step)
    for slot in slots.slots:
        slot.check(slots)
    if not reader.steps:
        raise Wrong("there is no step")
    last = reader.steps[-1]
    if last.around or last.clause.heads:
        raise Wrong("the last step does not derive false")
    return len(reader.steps)


def lookup(question, clause, values):
    return lambda name: (values[name] if name in values else
                         default(question, clause.assertion.variables[name]))


def head(clause, evaluator):
    """What a clause derives under the values."""
    if not clause.heads:
        return ("false",)
    facts = [fact(atom, evaluator) for atom in clause.heads]
    if any(other != facts[0] for other in facts[1:]):
        raise Wrong("the clause has two heads")
    return facts[0]


def fact(atom, evaluator):
    return (atom.data, *(evaluator.value(part) for part in atom.parts))


def constraint(clause, evaluator):
    for literal_, negated in clause.others:
        if evaluator.value(literal_) is not negated:
            raise Wrong("the constraint is false")


def ground_step(question, slots, step):
    evaluator = Evaluator(question, lookup(question, step.clause, step.values))
    try:
        constraint(step.clause, evaluator)
        if len(step.premises) != len(step.clause.body):
            raise Wrong("the number of premises")
        for premise, atom in zip(step.premises, step.clause.body):
            if premise >= step.number:
                raise Wrong("a premise is not earlier")
            if slots.listed_fact(premise) != fact(atom, evaluator):
                raise Wrong("a premise derives something else")
        derived = head(step.clause, evaluator)
    except Open as why:
        raise Wrong(f"step {step.number} depends on {why}") from why
    except Wrong as why:
        raise Wrong(f"step {step.number}: {why}") from why
    if step.derives is not None and step.derives != derived:
        raise Wrong(f"step {step.number} derives something else")


class Affine:
    """An affine function of the numbers of iterations, from the outside to the inside."""
    __slots__ = ("base", "rises")

    def __init__(self, base, rises):
        self.base, self.rises = base, tuple(rises)

    def at(self, point):
        return self.base + sum(rise * k for rise, k in zip(self.rises, point))

    def __add__(self, other):
        other = affine(other, len(self.rises))
        return Affine(self.base + other.base, (a + b for a, b in zip(self.rises, other.rises)))

    __radd__ = __add__

    def __eq__(self, other):
        return isinstance(other, Affine) and (self.base, self.rises) == (other.base, other.rises)

    __hash__ = None


def affine(value, dimensions):
    return value if isinstance(value, Affine) else Affine(value, (0,) * dimensions)


def fit(values, counts, integral):
    """The affine function with these values at the corners. `values` maps corners, tuples of 0 and 1, to values; `counts` has the
    numbers of iterations, as functions of the numbers outside."""
    dimensions = len(counts)
    rises = []
    for axis in range(dimensions):
        found = set()
        for outer in product((0, 1), repeat=axis):
            low = outer + (0,) * (dimensions - axis)
            high = outer + (1,) + (0,) * (dimensions - axis - 1)
            run = place(high, counts)[axis]
            if run:
                found.add(Fraction(values[high] - values[low]) / run)
            elif values[high] != values[low]:
                raise Wrong("one iteration is listed in two ways")
        if len(found) > 1:
            raise Wrong("a number does not grow evenly")
        rises.append(found.pop() if found else Fraction(0))
    function = Affine(Fraction(values[(0,) * dimensions]), rises)
    for corner, value in values.items():
        if function.at(place(corner, counts)) != value:
            raise Wrong("a number does not grow evenly")
    if integral and any(part.denominator != 1 for part in (function.base, *function.rises)):
        raise Wrong("an integer is none in some iteration")
    return function


def place(corner, counts, least=0):
    """The numbers of the iterations at a corner; with `least` the first iteration is that one where the corner says 1 or more."""
    point = []
    for bit, count in zip(corner, counts):
        last = count.at(point) - 1
        point.append({0: Fraction(0), 1: last, 2: Fraction(least)}[bit])
    return tuple(point)


class Along(Evaluator):
    """Evaluation for all iterations at once: numbers are affine functions, truth values hold in all iterations or are open."""

    def __init__(self, question, lookup_, corners, dimensions):
        super().__init__(question, lookup_)
        self.corners, self.dimensions = corners, dimensions

    def signs(self, a, b):
        difference = affine(a, self.dimensions) + self.times(-1, b)
        return [difference.at(point) for point in self.corners]

    def equal(self, a, b):
        if not (isinstance(a, Affine) or isinstance(b, Affine)):
            return a == b
        signs = self.signs(a, b)
        if all(sign == 0 for sign in signs):
            return True
        if all(sign > 0 for sign in signs) or all(sign < 0 for sign in signs):
            return False
        raise Open("an equation that changes")

    def less(self, a, b, strict):
        signs = self.signs(a, b)
        if all(sign < 0 or sign == 0 and not strict for sign in signs):
            return True
        if all(sign > 0 or sign == 0 and strict for sign in signs):
            return False
        raise Open("a comparison that changes")

    def times(self, a, b):
        a, b = (self.constant_or_same(x) for x in (a, b))
        if isinstance(a, Affine) and isinstance(b, Affine):
            raise Open("a product of numbers that change")
        if isinstance(b, Affine):
            a, b = b, a
        return Affine(a.base * b, (rise * b for rise in a.rises)) if isinstance(a, Affine) else a * b

    def constant_or_same(self, value):
        is_constant = isinstance(value, Affine) and not any(value.rises)
        return value.base if is_constant else value

    def constant(self, value):
        value = self.constant_or_same(value)
        if isinstance(value, Affine):
            raise Open("a number that changes, where it must not")
        return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value

    def divide(self, a, m):
        if not isinstance(a, Affine):
            return super().divide(a, m)
        if m == 0:
            raise Open("a division by zero")
        size = abs(m)
        for shift in product((0, 1), repeat=self.dimensions):
            rests = [rise % size - size * (bit if rise % size else 0)
                     for rise, bit in zip(a.rises, shift)]
            rest = Affine(a.base, rests)
            quotients = {rest.at(point) // size for point in self.corners}
            if len(quotients) == 1:
                quotient = quotients.pop()
                whole = [(rise - r) / size for rise, r in zip(a.rises, rests)]
                sign = 1 if m > 0 else -1
                remainder = rest + Affine(-quotient * size, (0,) * self.dimensions)
                return Affine(sign * quotient, (sign * w for w in whole)), remainder
        raise Open("a quotient that changes")

    def floor(self, a):
        if not isinstance(a, Affine):
            return super().floor(a)
        return self.divide(a, 1)[0]


class Slots:
    """The steps within repeats, counterparts together."""

    def __init__(self, reader):
        self.question, self.steps = reader.question, reader.steps
        self.slots, self.slot_of, self.facts = [], {}, {}
        for item in reader.items:
            self.gather([((), item)], ())

    def gather(self, copies, slots):
        """Takes counterparts: a list of corners with the items there."""
        if isinstance(copies[0][1], Step):
            if any(not isinstance(item, Step) or item.clause is not copies[0][1].clause
                   for _, item in copies):
                raise Wrong("the lists of a repeat have different shapes")
            if slots:
                slot = Slot({corner: item for corner, item in copies}, slots)
                self.slots.append(slot)
                self.slot_of.update({item.number: slot for _, item in copies})
            return
        if any(isinstance(item, Step) for _, item in copies):
            raise Wrong("the lists of a repeat have different shapes")
        counts = {corner: item[0].count for corner, item in copies}
        count = fit(counts, slots, True)
        if any(value < 1 for value in counts.values()):
            raise Wrong("a repeat without iterations")
        lengths = {len(part) for _, item in copies for part in item[1:]}
        if len(lengths) > 1:
            raise Wrong("the lists of a repeat have different shapes")
        for at in range(lengths.pop()):
            inner = [((*corner, bit), item[1 + bit][at]) for corner, item in copies for bit in (0, 1)]
            self.gather(inner, (*slots, count))

    def listed_fact(self, number):
        """What a listed step derives; `fit` works with corners, so numbers are looked at there."""
        if number not in self.facts:
            step = self.steps[number]
            evaluator = Evaluator(self.question, lookup(self.question, step.clause, step.values))
            self.facts[number] = head(step.clause, evaluator)
        return self.facts[number]


class Slot:
    """The copies of a step at the corners of its iterations."""

    def __init__(self, copies, counts):
        self.copies, self.counts = copies, counts
        self.clause = next(iter(copies.values())).clause
        self.functions = None

    def evaluator(self, question):
        if self.functions is None:
            names = {name for step in self.copies.values() for name in step.values}
            self.functions = {name: self.function(question, name) for name in names}
        points = [place(corner, self.counts) for corner in self.copies]
        found = lookup(question, self.clause, self.functions)
        return Along(question, found, points, len(self.counts))

    def function(self, question, name):
        values = {corner: lookup(question, self.clause, step.values)(name)
                  for corner, step in self.copies.items()}
        sort = self.clause.assertion.variables[name]
        if sort[0] in ("Int", "Real"):
            return fit(values, self.counts, sort[0] == "Int")
        if any(value != values[(0,) * len(self.counts)] for value in values.values()):
            raise Wrong("a value that is no number changes")
        return next(iter(values.values()))

    def check(self, slots):
        question = slots.question
        evaluator = self.evaluator(question)
        number = min(step.number for step in self.copies.values())
        try:
            for literal_, negated in self.clause.others:
                if evaluator.value(literal_) is not negated:
                    raise Wrong("the constraint is false")
            derived = head(self.clause, evaluator)
            body = [fact(atom, evaluator) for atom in self.clause.body]
        except Open as why:
            raise Undecided(f"step {number}: {why}") from why
        for corner, step in self.copies.items():
            if step.derives is not None and step.derives != at(derived, place(corner, self.counts)):
                raise Wrong(f"step {step.number} derives something else")
            self.check_premises(slots, corner, step, body)

    def check_premises(self, slots, corner, step, body):
        if len(step.premises) != len(body):
            raise Wrong(f"step {step.number}: the number of premises")
        for premise, wanted in zip(step.premises, body):
            if premise >= step.number:
                raise Wrong(f"step {step.number}: a premise is not earlier")
            for choice in product(*((0,) if bit == 0 else (1, 2) for bit in corner)):
                point = place(choice, self.counts, 1)
                if any(bit and k < 1 for bit, k in zip(corner, point)):
                    continue
                if slots_fact(slots, premise, step, point) != at(wanted, point):
                    raise Wrong(f"step {step.number}: a premise derives something else")


def at(fact_, point):
    """A fact in an iteration."""
    return tuple(part.at(point) if isinstance(part, Affine) else part for part in fact_)


def slots_fact(slots, number, step, point):
    """What a premise of a step derives for the iteration `point` of the step."""
    premise = slots.steps[number]
    if not premise.around:
        return slots.listed_fact(number)
    slot = slots.slot_of[number]
    place_, is_same = [], True
    for depth, (repeat, bit) in enumerate(premise.around):
        mine = step.around[depth] if depth < len(step.around) else None
        if is_same and mine is not None and mine[0] is repeat:
            # In the same list it is the same iteration, and in the first one the iteration before.
            before = mine[1] == 1 and bit == 0
            place_.append(point[depth] - 1 if before else point[depth])
            is_same = not before
        else:
            is_same = False
            place_.append(slot.counts[depth].at(place_) - 1 if bit else Fraction(0))
    evaluator = slot.evaluator(slots.question)
    try:
        return at(head(slot.clause, evaluator), place_)
    except Open as why:
        raise Undecided(str(why)) from why

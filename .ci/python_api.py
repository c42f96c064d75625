"""Horn problems as z3's Python interface writes them, answered by Shofar and by z3.

    python python_api.py SHOFAR [-v]

Every problem is built with the interface, as its users do it: a solver for the logic HORN, whose text comes from `sexpr()` and from
`to_smt2()`, or a `Fixedpoint`, whose text comes from `to_string([query])`. The texts go to Shofar as they are. The verdict has to be
the one that is written beside the problem, as z3 says it: `sat` for clauses with a model, and for a query that can be derived. z3
has to agree where it knows a verdict within its time. Without differences the exit status is 0.
"""

import re
import subprocess
import sys

import z3

SECONDS = 10
PROBLEMS = []


def problem(verdict):
    """Lists a function that builds a problem, with the verdict that is right."""

    def listed(build):
        PROBLEMS.append((build.__name__, verdict, build))
        return build

    return listed


def horn(*clauses):
    solver = z3.SolverFor("HORN")
    for clause in clauses:
        solver.add(clause)
    return solver


def relation(name, *sorts):
    return z3.Function(name, *sorts, z3.BoolSort())


I, R, B = z3.IntSort(), z3.RealSort(), z3.BoolSort()
x, y, n, m = z3.Ints("x y n m")
u, v = z3.Reals("u v")
p, q = z3.Bools("p q")


@problem("sat")
def loop_counts_up():
    inv = relation("inv", I, I)
    return horn(
        z3.ForAll([n], z3.Implies(n >= 0, inv(0, n))),
        z3.ForAll([x, n], z3.Implies(z3.And(inv(x, n), x < n), inv(x + 1, n))),
        z3.ForAll([x, n], z3.Implies(z3.And(inv(x, n), x >= n, x != n), z3.BoolVal(False))),
    )


@problem("unsat")
def loop_goes_too_far():
    inv = relation("inv", I, I)
    return horn(
        z3.ForAll([n], z3.Implies(n >= 0, inv(0, n))),
        z3.ForAll([x, n], z3.Implies(z3.And(inv(x, n), x < n), inv(x + 2, n))),
        z3.ForAll([x, n], z3.Not(z3.And(inv(x, n), x >= n, x != n))),
    )


@problem("sat")
def negated_body():
    inv = relation("inv", I)
    return horn(
        inv(0),
        z3.ForAll([x], z3.Or(z3.Not(inv(x)), x >= 10, inv(x + 1))),
        z3.ForAll([x], z3.Implies(inv(x), x <= 10)),
    )


@problem("sat")
def quoted_names():
    inv = relation("the state, after 'step'", I, I)
    a, b = z3.Ints("a#1 b;2")
    return horn(
        inv(0, 0),
        z3.ForAll([a, b], z3.Implies(inv(a, b), inv(a + 1, b + 1))),
        z3.ForAll([a, b], z3.Implies(inv(a, b), a == b)),
    )


@problem("sat")
def conditional_terms():
    inv = relation("inv", I, I)
    return horn(
        z3.ForAll([x], z3.Implies(x == 0, inv(x, 5))),
        z3.ForAll([x, y], z3.Implies(inv(x, y), inv(z3.If(x < y, x + 1, x), z3.If(x < y, y, y + 1)))),
        z3.ForAll([x, y], z3.Implies(z3.And(inv(x, y), x > y), z3.BoolVal(False))),
    )


@problem("unsat")
def exclusive_or():
    state = relation("state", B, B)
    return horn(
        state(z3.BoolVal(True), z3.BoolVal(False)),
        z3.ForAll([p, q], z3.Implies(state(p, q), state(z3.Xor(p, q), p))),
        z3.ForAll([p, q], z3.Implies(state(p, q), z3.Or(p, q))),
        z3.ForAll([p, q], z3.Implies(z3.And(state(p, q), p == q), z3.BoolVal(False))),
    )


@problem("sat")
def distinct_numbers():
    inv = relation("inv", I, I, I)
    a, b, c = z3.Ints("a b c")
    return horn(
        inv(0, 1, 2),
        z3.ForAll([a, b, c], z3.Implies(inv(a, b, c), inv(b, c, a))),
        z3.ForAll([a, b, c], z3.Implies(inv(a, b, c), z3.Distinct(a, b, c))),
    )


@problem("sat")
def shared_terms():
    inv = relation("inv", I, I)
    s = x + y
    t = z3.If(s > 0, s + s, s - 1)
    return horn(
        z3.ForAll([x, y], z3.Implies(z3.And(x >= 1, y >= 1), inv(t, s))),
        z3.ForAll([x, y], z3.Implies(z3.And(inv(x, y), t > 100), inv(x, y))),
        z3.ForAll([x, y], z3.Implies(inv(x, y), x >= y)),
    )


@problem("sat")
def real_division():
    inv = relation("inv", R, R)
    return horn(
        inv(z3.RealVal(1), z3.RealVal("1/3")),
        z3.ForAll([u, v], z3.Implies(inv(u, v), inv(u / 2, v / 2))),
        z3.ForAll([u, v], z3.Implies(inv(u, v), u == 3 * v)),
    )


@problem("unsat")
def reals_and_integers():
    inv = relation("inv", I, R)
    return horn(
        inv(0, z3.RealVal(0)),
        z3.ForAll([x, u], z3.Implies(inv(x, u), inv(x + 1, u + z3.ToReal(x) / 2))),
        z3.ForAll([x, u], z3.Implies(z3.And(inv(x, u), x == 4), u != 3)),
    )


@problem("sat")
def quotients_and_remainders():
    inv = relation("inv", I)
    return horn(
        inv(0),
        z3.ForAll([x], z3.Implies(inv(x), inv(x + 4))),
        z3.ForAll([x], z3.Implies(z3.And(inv(x), x % 2 == 1), z3.BoolVal(False))),
        z3.ForAll([x], z3.Implies(inv(x), x / 2 * 2 == x)),
    )


@problem("sat")
def arrays():
    array = z3.ArraySort(I, I)
    a = z3.Const("a", array)
    inv = relation("inv", array, I)
    return horn(
        inv(z3.K(I, z3.IntVal(0)), 0),
        z3.ForAll([a, x], z3.Implies(inv(a, x), inv(z3.Store(a, x, x), x + 1))),
        z3.ForAll([a, x], z3.Implies(z3.And(inv(a, x), x > 0), a[x - 1] == x - 1)),
    )


@problem("unsat")
def arrays_overwritten():
    array = z3.ArraySort(I, I)
    a = z3.Const("a", array)
    inv = relation("inv", array, I)
    return horn(
        inv(z3.K(I, z3.IntVal(0)), 0),
        z3.ForAll([a, x], z3.Implies(inv(a, x), inv(z3.Store(a, 0, x), x + 1))),
        z3.ForAll([a, x], z3.Implies(inv(a, x), a[0] < 3)),
    )


@problem("sat")
def words_of_bits():
    word = z3.BitVecSort(8)
    a = z3.BitVec("a", 8)
    inv = relation("inv", word)
    return horn(
        inv(z3.BitVecVal(0, 8)),
        z3.ForAll([a], z3.Implies(inv(a), inv(a + 2))),
        z3.ForAll([a], z3.Implies(inv(a), z3.Extract(0, 0, a) == 0)),
    )


@problem("unsat")
def words_wrap_around():
    word = z3.BitVecSort(4)
    a = z3.BitVec("a", 4)
    inv = relation("inv", word)
    return horn(
        inv(z3.BitVecVal(0, 4)),
        z3.ForAll([a], z3.Implies(inv(a), inv(a + 3))),
        z3.ForAll([a], z3.Implies(inv(a), z3.ULT(a, 15))),
    )


@problem("sat")
def signed_words():
    a = z3.BitVec("a", 8)
    inv = relation("inv", z3.BitVecSort(8))
    return horn(
        inv(z3.BitVecVal(-5, 8)),
        z3.ForAll([a], z3.Implies(z3.And(inv(a), a < 0), inv(a + 1))),
        z3.ForAll([a], z3.Implies(inv(a), z3.And(a <= 0, z3.LShR(a, 7) == z3.If(a < 0, z3.BitVecVal(1, 8), 0)))),
    )


@problem("sat")
def records():
    pair = z3.Datatype("Pair")
    pair.declare("pair", ("left", I), ("right", I))
    pair = pair.create()
    c = z3.Const("c", pair)
    inv = relation("inv", pair)
    return horn(
        inv(pair.pair(0, 0)),
        z3.ForAll([c], z3.Implies(inv(c), inv(pair.pair(pair.left(c) + 1, pair.right(c) + 2)))),
        z3.ForAll([c], z3.Implies(inv(c), pair.right(c) == 2 * pair.left(c))),
    )


@problem("unsat")
def enumerations():
    light, (red, green, amber) = z3.EnumSort("Light", ["red", "green", "amber"])
    c = z3.Const("c", light)
    inv = relation("inv", light)
    return horn(
        inv(red),
        z3.ForAll([c], z3.Implies(inv(c), inv(z3.If(c == red, green, z3.If(c == green, amber, red))))),
        z3.ForAll([c], z3.Implies(inv(c), c != amber)),
    )


@problem("unsat")
def lists():
    items = z3.Datatype("Items")
    items.declare("nil")
    items.declare("cons", ("head", I), ("tail", items))
    items = items.create()
    c = z3.Const("c", items)
    length = relation("length", items, I)
    return horn(
        length(items.nil, 0),
        z3.ForAll([c, x, n], z3.Implies(length(c, n), length(items.cons(x, c), n + 1))),
        z3.ForAll([c, n], z3.Implies(z3.And(length(c, n), n == 2), z3.Not(items.is_cons(c)))),
    )


@problem("sat")
def two_relations():
    even, odd = relation("even", I), relation("odd", I)
    return horn(
        even(0),
        z3.ForAll([x], z3.Implies(even(x), odd(x + 1))),
        z3.ForAll([x], z3.Implies(odd(x), even(x + 1))),
        z3.ForAll([x], z3.Not(z3.And(even(x), odd(x)))),
    )


@problem("sat")
def nonlinear_clauses():
    f = relation("mc91", I, I)
    return horn(
        z3.ForAll([x], z3.Implies(x > 100, f(x, x - 10))),
        z3.ForAll([x, y, n], z3.Implies(z3.And(x <= 100, f(x + 11, y), f(y, n)), f(x, n))),
        z3.ForAll([x, n], z3.Implies(z3.And(f(x, n), x <= 100), n == 91)),
    )


@problem("sat")
def inner_existentials():
    inv = relation("inv", I)
    return horn(
        inv(0),
        z3.ForAll([x], z3.Implies(z3.Exists([y], z3.And(inv(y), x == y + 2)), inv(x))),
        z3.ForAll([x], z3.Implies(inv(x), x >= 0)),
    )


@problem("unsat")
def facts_without_variables():
    a, b = relation("a"), relation("b")
    return horn(a(), z3.Implies(a(), b()), z3.Not(b()))


def rules(*relations, variables=()):
    fixedpoint = z3.Fixedpoint()
    fixedpoint.set("engine", "spacer")
    fixedpoint.register_relation(*relations)
    if variables:
        fixedpoint.declare_var(*variables)
    return fixedpoint


@problem("sat")
def reachable_state():
    inv = relation("inv", I)
    fp = rules(inv, variables=[x])
    fp.rule(inv(0))
    fp.rule(inv(x + 1), [inv(x), x < 5])
    return fp, z3.And(inv(x), x == 5)


@problem("unsat")
def unreachable_state():
    inv = relation("inv", I)
    fp = rules(inv, variables=[x])
    fp.rule(inv(0))
    fp.rule(inv(x + 1), [inv(x), x < 5])
    return fp, z3.And(inv(x), x > 5)


@problem("unsat")
def named_rules():
    inv, goal = relation("inv", I, I), relation("goal")
    fp = rules(inv, goal, variables=[x, y])
    fp.add_rule(inv(x, y), [x == y], "the beginning")
    fp.add_rule(inv(x + 1, y + 1), [inv(x, y)], "step")
    fp.add_rule(goal(), [inv(x, y), x != y], "wrong")
    return fp, goal()


@problem("sat")
def query_of_a_relation():
    edge, path = relation("edge", I, I), relation("path", I, I)
    fp = rules(edge, path, variables=[x, y, n])
    for a, b in [(1, 2), (2, 3), (3, 4)]:
        fp.fact(edge(z3.IntVal(a), z3.IntVal(b)))
    fp.rule(path(x, y), edge(x, y))
    fp.rule(path(x, y), [path(x, n), edge(n, y)])
    return fp, path(z3.IntVal(1), z3.IntVal(4))


@problem("unsat")
def query_of_arrays():
    array = z3.ArraySort(I, I)
    a = z3.Const("a", array)
    inv = relation("inv", array, I)
    fp = rules(inv, variables=[a, x])
    fp.rule(inv(z3.K(I, z3.IntVal(1)), 0))
    fp.rule(inv(z3.Store(a, x, 2), x + 1), inv(a, x))
    return fp, z3.And(inv(a, x), a[0] > 2)


@problem("sat")
def query_of_bits():
    a = z3.BitVec("a", 6)
    inv = relation("inv", z3.BitVecSort(6))
    fp = rules(inv, variables=[a])
    fp.rule(inv(z3.BitVecVal(1, 6)))
    fp.rule(inv(a << 1), inv(a))
    return fp, z3.And(inv(a), a == 0)


@problem("unsat")
def query_of_records():
    account = z3.Datatype("Account")
    account.declare("account", ("owner", I), ("balance", R))
    account = account.create()
    c = z3.Const("c", account)
    inv = relation("inv", account)
    fp = rules(inv, variables=[c, u])
    fp.rule(inv(account.account(7, z3.RealVal(0))))
    fp.rule(inv(account.account(account.owner(c), account.balance(c) + u)), [inv(c), u >= 0])
    return fp, z3.And(inv(c), z3.Or(account.balance(c) < 0, account.owner(c) != 7))


@problem("unsat")
def query_with_choice():
    inv, goal = relation("inv", I, B), relation("goal")
    fp = rules(inv, goal, variables=[x, p])
    fp.rule(inv(0, z3.BoolVal(False)))
    fp.rule(inv(z3.If(p, x - 1, x + 1), z3.Not(p)), inv(x, p))
    fp.rule(goal(), [inv(x, p), z3.Or(x < 0, x > 1)])
    return fp, goal()


@problem("sat")
def rule_with_quantifier():
    inv = relation("inv", I)
    fp = rules(inv)
    fp.add_rule(z3.ForAll([x], z3.Implies(x == 3, inv(x))))
    fp.add_rule(z3.ForAll([x], z3.Implies(inv(x), inv(x * 2 - 1))))
    return fp, z3.Exists([x], z3.And(inv(x), x > 16))


def texts_and_verdict(built):
    """What the interface writes, by the function that writes it, and what z3 says."""
    if isinstance(built, z3.Solver):
        texts = {"sexpr": built.sexpr(), "to_smt2": "(set-logic HORN)\n" + built.to_smt2()}
        built.set("timeout", SECONDS * 1000)
        return texts, str(built.check())
    fixedpoint, query = built
    texts = {"to_string": fixedpoint.to_string([query])}
    fixedpoint.set("timeout", SECONDS * 1000)
    return texts, str(fixedpoint.query(query))


def answer(shofar, text):
    command = [shofar, "--timeout", str(SECONDS), "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=4 * SECONDS)
    word = re.match(r"(sat|unsat|unknown)$", done.stdout.strip())
    return word.group(1) if word else f"no verdict: {done.stdout.strip()} {done.stderr.strip()}"


def main():
    shofar, verbose = sys.argv[1], "-v" in sys.argv[2:]
    faults = 0
    for name, verdict, build in PROBLEMS:
        texts, theirs = texts_and_verdict(build())
        for form, text in texts.items():
            ours = answer(shofar, text)
            is_fault = ours != verdict or theirs not in (verdict, "unknown")
            faults += is_fault
            if is_fault or verbose:
                print(f"{name}, {form}: {ours}, z3 {theirs}, expected {verdict}")
            if is_fault:
                print(text)
    print(f"{len(PROBLEMS)} problems of z3's Python interface, {faults} differences")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

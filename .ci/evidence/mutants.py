"""Damaged evidence: one change at a random place of a text that was right."""
import copy
import random

from .sexpr import Quoted, Word, is_name, show

RELATIONS = {"<=": "<", "<": "<=", ">=": ">", ">": ">=", "=": "<=", "and": "or", "or": "and",
             "+": "-", "bvule": "bvult", "bvult": "bvule", "bvsle": "bvslt", "bvslt": "bvsle"}


def places(item, path=()):
    """All places in an expression, with what stands there."""
    todo = [(path, item)]
    while todo:
        where, part = todo.pop()
        yield where, part
        if isinstance(part, list):
            todo.extend(((*where, k), inner) for k, inner in enumerate(part))


def put(item, path, new):
    for k in path[:-1]:
        item = item[k]
    item[path[-1]] = new


def is_number(part):
    return isinstance(part, Word) and part.replace(".", "", 1).isdigit()


def other_number(rng, word):
    number, _, decimals = word.partition(".")
    changed = int(number) + rng.choice([-1, 1, 1, 2, 10])
    return Word(str(abs(changed)) + (f".{decimals}" if decimals else ""))


def attribute(step, keyword):
    for at in range(2, len(step) - 1):
        if step[at] == keyword:
            return at + 1
    return None


def refutation_mutant(rng, expression):
    """A damaged refutation, and what was done."""
    whole = copy.deepcopy(expression)
    steps = [(path, part) for path, part in places(whole)
             if isinstance(part, list) and part and part[0] == "step"]
    path, step = rng.choice(steps)
    kind = rng.choice(["value", "value", "premise", "premise", "clause", "derives", "drop", "swap",
                       "rename", "count", "more premises", "fewer premises", "number"])
    at = {key: attribute(step, f":{key}") for key in ("clause", "values", "premises", "derives")}
    if kind in ("value", "rename") and at["values"] and step[at["values"]]:
        pair = rng.choice(step[at["values"]])
        if kind == "rename":
            pair[0] = Quoted(str(pair[0]) + "'")
        else:
            numbers = [where for where, part in places(pair) if is_number(part)]
            numbers = [where for where in numbers if where and where != (0,)]
            truths = [w for w, part in places(pair) if part in ("true", "false") and is_name(part)]
            if numbers:
                where = rng.choice(numbers)
                old = pair
                for k in where:
                    old = old[k]
                put(pair, where, other_number(rng, old))
            elif truths:
                old = pair[1] == "true"
                put(pair, truths[0], Word("false" if old else "true"))
            else:
                return None
    elif kind == "premise" and step[at["premises"]]:
        k = rng.randrange(len(step[at["premises"]]))
        step[at["premises"]][k] = Word(str(rng.randrange(len(steps) + 1)))
    elif kind == "swap" and len(step[at["premises"]]) > 1:
        step[at["premises"]].reverse()
    elif kind == "more premises":
        step[at["premises"]].append(Word("0"))
    elif kind == "fewer premises" and step[at["premises"]]:
        step[at["premises"]].pop()
    elif kind == "clause":
        step[at["clause"]] = other_number(rng, step[at["clause"]])
    elif kind == "number":
        step[1] = other_number(rng, step[1])
    elif kind == "derives" and at["derives"]:
        claim = step[at["derives"]]
        if isinstance(claim, list) and is_number(claim[-1]):
            claim[-1] = other_number(rng, claim[-1])
        else:
            step[at["derives"]] = Word("false" if claim != "false" else "nothing")
    elif kind == "drop":
        parent = whole
        for k in path[:-1]:
            parent = parent[k]
        del parent[path[-1]]
    elif kind == "count":
        repeats = [part for _, part in places(whole)
                   if isinstance(part, list) and part and part[0] == "repeat"]
        if not repeats:
            return None
        repeat = rng.choice(repeats)
        repeat[1] = other_number(rng, repeat[1])
    else:
        return None
    return kind, show(whole)


def model_mutant(rng, pieces):
    """A damaged model, and what was done."""
    whole = copy.deepcopy(pieces)
    bodies = []
    for path, part in places(whole):
        if isinstance(part, list) and len(part) == 5 and part[0] == "define-fun":
            bodies.append((path, part))
    if not bodies:
        return None
    path, definition = rng.choice(bodies)
    inside = [(where, part) for where, part in places(definition[4])]
    kind = rng.choice(["number", "number", "relation", "relation", "conjunct", "truth", "rename",
                       "drop", "parameters", "negation"])
    if kind == "number":
        found = [(where, part) for where, part in inside if is_number(part)]
        if not found:
            return None
        where, part = rng.choice(found)
        put(definition, (4, *where), other_number(rng, part))
    elif kind == "relation":
        found = [(w, p) for w, p in inside if w and w[-1] == 0 and str(p) in RELATIONS]
        if not found:
            return None
        where, part = rng.choice(found)
        put(definition, (4, *where), Word(RELATIONS[str(part)]))
    elif kind == "conjunct":
        found = [(w, p) for w, p in inside
                 if isinstance(p, list) and len(p) > 2 and p[0] in ("and", "or")]
        if not found:
            return None
        _, part = rng.choice(found)
        del part[rng.randrange(1, len(part))]
    elif kind == "truth":
        definition[4] = Word(rng.choice(["true", "false"]))
    elif kind == "negation":
        definition[4] = [Word("not"), definition[4]]
    elif kind == "rename":
        definition[1] = Quoted(str(definition[1]) + "'")
    elif kind == "parameters" and len(definition[2]) > 1:
        definition[2][0][0], definition[2][1][0] = definition[2][1][0], definition[2][0][0]
    elif kind == "drop":
        parent = whole
        for k in path[:-1]:
            parent = parent[k]
        del parent[path[-1]]
    else:
        return None
    return kind, "\n".join(show(piece) for piece in whole)


def mutants(text_parts, is_refutation, count, seed):
    """So many different damaged forms of one piece of evidence, at most."""
    rng, seen = random.Random(seed), set()
    for _ in range(4 * count):
        if len(seen) >= count:
            return
        made = (refutation_mutant(rng, text_parts[0]) if is_refutation
                else model_mutant(rng, text_parts))
        if made and made[1] not in seen:
            seen.add(made[1])
            yield made

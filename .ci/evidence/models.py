"""Models: with definitions in the place of predicates, the negation of every assertion must be unsatisfiable. z3 decides that."""
from .refutation import Undecided, Wrong
from .sexpr import Malformed, Word, is_name, show


def definitions(pieces):
    """The define-funs of a model, which is a list or stands there one by one."""
    found = []
    for piece in pieces:
        if piece and is_name(piece[0]) and str(piece[0]).startswith("define-"):
            found.append(piece)
        else:
            found.extend(piece[1:] if piece and piece[0] == "model" else piece)
    for definition in found:
        if not isinstance(definition, list) or definition[0] != "define-fun" or len(definition) != 5:
            raise Malformed("expected a definition")
    return found


FORMULAS = {"and", "or", "not", "=>", "xor", "=", "distinct", "<=", "<", ">=", ">", "forall", "exists"}


def check_comparisons(definition):
    """Refuses orders of truth values, which z3 reads as orders of 0 and 1."""
    truths = {"true", "false"} | {str(name) for name, sort in definition[2] if sort == "Bool"}
    todo = [definition[4]]
    while todo:
        term = todo.pop()
        if not isinstance(term, list) or not term:
            continue
        todo.extend(term)
        if term[0] in ("<=", "<", ">=", ">"):
            for operand in term[1:]:
                head = operand[0] if isinstance(operand, list) and operand else operand
                if is_name(head) and str(head) in (FORMULAS if head is not operand else truths):
                    raise Malformed("truth values have no order")


def check(question, pieces, seconds=5):
    """The number of predicates, if the model is right."""
    import z3
    found = definitions(pieces)
    names = [str(definition[1]) for definition in found]
    if len(set(names)) < len(names):
        raise Malformed("something is defined twice")
    by_name = dict(zip(names, found))
    for pred, sorts in question.preds.items():
        if pred not in by_name:
            raise Wrong(f"{pred} is not defined")
        _, _, params, result, _ = by_name[pred]
        if result != "Bool" or [question.sort(sort) for _, sort in params] != sorts:
            raise Wrong(f"{pred} is defined with another signature")
        if len({str(name) for name, _ in params}) < len(params):
            raise Malformed("a parameter occurs twice")
    for definition in found:
        check_comparisons(definition)
    header = []
    for command in question.commands:
        if command[0] == "declare-fun" and str(command[1]) in question.preds:
            continue
        if command[0] != "define-fun":
            header.append(command)
    header.extend(ordered(found, by_name))
    header.extend(command for command in question.commands if command[0] == "define-fun")
    variables = [] if not question.is_query and not uses_rules(question) else question.variables
    header.extend(("declare-const", Word(name), sort_text(sort))
                  for name, sort in dict(variables).items() if not is_declared(question, name))
    text = readable(z3, header)
    for number, assertion in enumerate(question.assertions):
        solver = z3.Solver()
        solver.set("timeout", int(1000 * seconds))
        try:
            solver.from_string(f"{text}\n(assert (not {show(assertion.source)}))")
        except z3.Z3Exception as why:
            raise Malformed(f"z3 does not read it: {why}") from why
        answer = solver.check()
        if answer == z3.sat:
            raise Wrong(f"assertion {number} is false under the definitions")
        if answer != z3.unsat:
            raise Undecided(f"z3 does not decide assertion {number}")
    return len(question.preds)


def readable(z3, header):
    """The text of commands; data types that are used before they are declared come first, or are declared together."""
    sorts = [command for command in header if command[0] in ("declare-sort", "define-sort")]
    types = [command for command in header if command[0] == "declare-datatypes"]
    others = [command for command in header if command not in sorts and command not in types]
    together = ("declare-datatypes", sum((command[1] for command in types), []),
                sum((command[2] for command in types), []))
    text = ""
    for order in (header, [*sorts, *by_use(types), *others], [*sorts, together, *others]):
        text = "\n".join(show_command(command) for command in order)
        try:
            z3.Solver().from_string(text)
            break
        except z3.Z3Exception:
            continue
    return text


def by_use(types):
    """Declarations of data types, each after those whose names it uses, as far as that can be."""
    names = [{str(item[0]) for item in command[1] if isinstance(item, list)} for command in types]
    done, result = set(), []

    def visit(at):
        if at not in done:
            done.add(at)
            used = words(types[at][2])
            for other, own in enumerate(names):
                if own & used:
                    visit(other)
            result.append(types[at])

    for at in range(len(types)):
        visit(at)
    return result


def uses_rules(question):
    return bool(question.variables)


def is_declared(question, name):
    return any(command[0] == "declare-fun" and str(command[1]) == name
               for command in question.commands)


def show_command(command):
    return "(" + " ".join(show(part) for part in command) + ")"


def sort_text(sort):
    if sort[0] == "BitVec":
        return [Word("_"), Word("BitVec"), Word(str(sort[1]))]
    if len(sort) == 1:
        return Word(sort[0])
    return [Word(sort[0]), *map(sort_text, sort[1:])]


def ordered(found, by_name):
    """Definitions after those that they use."""
    done, result = set(), []

    def visit(definition, path):
        name = str(definition[1])
        if name in done:
            return
        if name in path:
            raise Malformed("definitions use each other")
        params = {str(param) for param, _ in definition[2]}
        for other in words(definition[4]):
            if other in by_name and other not in params:
                visit(by_name[other], path | {name})
        done.add(name)
        result.append(definition)

    for definition in found:
        visit(definition, frozenset())
    return result


def words(item):
    todo, found = [item], set()
    while todo:
        part = todo.pop()
        if isinstance(part, list):
            todo.extend(part)
        else:
            found.add(str(part))
    return found

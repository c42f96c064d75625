"""Problems: the commands of a script, formulas with their definitions put in place, and the clauses of assertions.

The numbered steps are those of "The clauses of a problem" in docs/formats.md.
"""
import itertools

from .sexpr import Malformed, Quoted, Word, is_name, parse


class Node:
    """A formula or term: an operator with parts. `data` belongs to leaves and quantifiers."""
    __slots__ = ("op", "parts", "data", "has_pred", "has_binder")

    def __init__(self, op, parts=(), data=None):
        self.op, self.parts, self.data = op, tuple(parts), data
        self.has_pred = op == "pred" or any(p.has_pred for p in self.parts)
        self.has_binder = op == "bind" or any(p.has_binder for p in self.parts)


class Binder:
    """A variable that a quantifier binds."""
    __slots__ = ("name", "sort")

    def __init__(self, name, sort):
        self.name, self.sort = name, sort


class Clause:
    """A clause with what is needed to judge a step: body and head are applications, the constraint is a list of formulas."""

    def __init__(self, literals, assertion):
        self.body = [node for node, negated in literals if node.op == "pred" and negated]
        self.heads = [node for node, negated in literals if node.op == "pred" and not negated]
        self.others = [(node, negated) for node, negated in literals if node.op != "pred"]
        self.assertion = assertion


class Assertion:
    """An assertion: its formula, its variables by name with their sorts, its source, and whether it is the query."""

    def __init__(self, node, source, is_query):
        self.node, self.source, self.is_query = node, source, is_query
        self.variables = {}


class Script:
    """What is declared and asserted at a question."""

    def __init__(self):
        self.preds, self.variables, self.definitions, self.sorts = {}, {}, {}, {}
        self.sort_definitions, self.constructors, self.selectors = {}, {}, {}
        self.assertions, self.scopes, self.questions, self.commands = [], [], [], []

    def run(self, text):
        for command in parse(text):
            if not isinstance(command, list) or not command:
                raise Malformed("a command is a list")
            name = command[0]
            if name == "exit":
                break
            getattr(self, "do_" + str(name).replace("-", "_"), lambda *_: None)(*command[1:])
        if not self.questions and self.assertions:
            self.questions.append(Question(self, False))
        return self.questions

    def do_declare_fun(self, name, sorts, result):
        self.commands.append(("declare-fun", name, sorts, result))
        if result == "Bool":
            self.preds[str(name)] = [self.sort(s) for s in sorts]
        elif not sorts:
            self.variables[str(name)] = self.sort(result)

    def do_declare_rel(self, name, sorts):
        self.do_declare_fun(name, sorts, Word("Bool"))

    def do_declare_const(self, name, sort):
        self.do_declare_fun(name, [], sort)

    def do_declare_var(self, name, sort):
        self.variables[str(name)] = self.sort(sort)

    def do_define_fun(self, name, params, result, body):
        self.definitions[str(name)] = ([(str(p), s) for p, s in params], body)
        self.commands.append(("define-fun", name, params, result, body))

    def do_define_const(self, name, sort, body):
        self.do_define_fun(name, [], sort, body)

    def do_define_sort(self, name, params, body):
        self.sort_definitions[str(name)] = ([str(p) for p in params], body)
        self.commands.append(("define-sort", name, params, body))

    def do_declare_sort(self, name, arity=Word("0")):
        self.commands.append(("declare-sort", name, arity))

    def do_declare_datatype(self, name, constructors):
        self.do_declare_datatypes([[name, Word("0")]], [constructors])

    def do_declare_datatypes(self, names, bodies):
        self.commands.append(("declare-datatypes", names, bodies))
        if names == [] or is_name(names[0]):
            # The form of SMT-LIB 2.5: parameters, and for each type its name and its constructors.
            if names:
                raise Malformed("data types with parameters are not supported here")
            names, bodies = [[body[0], Word("0")] for body in bodies], [body[1:] for body in bodies]
        for (name, _), constructors in zip(names, bodies):
            if constructors and constructors[0] == "par":
                raise Malformed("data types with parameters are not supported here")
            listed = []
            for constructor in constructors:
                parts = constructor if isinstance(constructor, list) else [constructor]
                fields = [(str(field), sort) for field, sort in parts[1:]]
                listed.append((str(parts[0]), fields))
                self.constructors[str(parts[0])] = (str(name), fields)
                for place, (field, _) in enumerate(fields):
                    self.selectors[field] = (str(parts[0]), place)
            self.sorts[str(name)] = listed

    def do_assert(self, formula):
        self.state(formula, False)

    def do_rule(self, formula, name=None):
        self.state(formula, False)

    def do_query(self, formula, *options):
        if is_name(formula) and str(formula) in self.preds and self.preds[str(formula)]:
            raise Malformed("a query of a bare predicate is not supported here")
        self.state([Word("not"), formula], True)
        self.questions.append(Question(self, True))
        self.assertions = self.assertions[:-1]

    def do_check_sat(self):
        self.questions.append(Question(self, False))

    def do_push(self, count=Word("1")):
        for _ in range(int(count)):
            self.scopes.append((list(self.assertions), *map(dict, self.tables())))

    def do_pop(self, count=Word("1")):
        for _ in range(int(count)):
            self.assertions, self.preds, self.definitions, self.sorts, self.constructors, \
                self.selectors, self.sort_definitions = self.scopes.pop()

    def tables(self):
        return (self.preds, self.definitions, self.sorts, self.constructors, self.selectors,
                self.sort_definitions)

    def do_reset_assertions(self):
        self.assertions, self.scopes = [], []

    def do_reset(self):
        questions = self.questions
        self.__init__()
        self.questions = questions

    def state(self, formula, is_query):
        node = self.term(formula, {})
        assertion = Assertion(node, formula, is_query)
        opened = Opening(self, assertion, node).run()
        assertion.clauses = [Clause(literals, assertion) for literals in clauses(opened, False)]
        self.assertions = self.assertions + [assertion]

    def sort(self, sort):
        """A sort as a tuple: its name and its parts."""
        if not isinstance(sort, list):
            if str(sort) in self.sort_definitions:
                return self.sort(self.sort_definitions[str(sort)][1])
            return (str(sort),)
        if sort[0] == "_":
            return ("BitVec", int(sort[2]))
        if str(sort[0]) in self.sort_definitions:
            params, body = self.sort_definitions[str(sort[0])]
            return self.sort(replace(body, dict(zip(params, sort[1:]))))
        return (str(sort[0]), *(self.sort(part) for part in sort[1:]))

    # Step 1, reading.
    def term(self, item, env):
        if is_name(item):
            return self.word(item, env)
        if not isinstance(item, list) or not item:
            raise Malformed("this is no term")
        head = item[0]
        if isinstance(head, list):
            return Node("app", [self.term(part, env) for part in item[1:]], head)
        if head == "!" and not isinstance(head, Quoted):
            for keyword, value in zip(item[2::2], item[3::2]):
                if keyword == ":named":
                    self.definitions[str(value)] = ([], item[1])
            return self.term(item[1], env)
        if head == "let":
            inner = dict(env)
            inner.update({str(name): self.term(value, env) for name, value in item[1]})
            return self.term(item[2], inner)
        if head in ("forall", "exists"):
            binders = [Binder(str(name), self.sort(sort)) for name, sort in item[1]]
            inner = dict(env)
            inner.update({binder.name: Node("bound", (), binder) for binder in binders})
            return Node("bind", [self.term(item[2], inner)], (str(head), binders))
        if head == "match":
            return self.match(item, env)
        if head == "as" and len(item) == 3:
            return self.word(item[1], env)
        if head == "_" and not isinstance(head, Quoted):
            return Node("app", (), item)
        name = str(head)
        if name in env or name in self.preds or name in self.definitions:
            return self.call(name, item[1:], env)
        return connective(name, [self.term(part, env) for part in item[1:]])

    def word(self, item, env):
        name = str(item)
        if name in env:
            return env[name]
        if name in self.preds or name in self.definitions:
            return self.call(name, [], env)
        if name in self.variables:
            return Node("declared", (), name)
        if name == "true" or name == "false":
            return Node("value", (), name == "true")
        return Node("app", (), item)

    def call(self, name, arguments, env):
        arguments = [self.term(argument, env) for argument in arguments]
        if name in env:
            raise Malformed(f"{name} is no function")
        if name in self.preds:
            if len(arguments) != len(self.preds[name]):
                raise Malformed(f"{name} has other arguments")
            return Node("pred", arguments, name)
        params, body = self.definitions[name]
        return self.term(body, {param: value for (param, _), value in zip(params, arguments)})

    def match(self, item, env):
        scrutinee, cases = self.term(item[1], env), []
        for pattern, body in item[2]:
            parts = pattern if isinstance(pattern, list) else [pattern]
            inner = dict(env)
            if str(parts[0]) in self.constructors:
                fields = self.constructors[str(parts[0])][1]
                for variable, (field, _) in zip(parts[1:], fields):
                    inner[str(variable)] = Node("app", [scrutinee], Word(field))
                test = Node("app", [scrutinee], [Word("_"), Word("is"), parts[0]])
            else:
                inner[str(parts[0])], test = scrutinee, None
            cases.append((test, self.term(body, inner)))
        result = cases[-1][1]
        for test, body in reversed(cases[:-1]):
            result = Node("ite", [test, body, result])
        return result


def replace(item, by):
    if isinstance(item, list):
        return [replace(part, by) for part in item]
    return by.get(str(item), item)


def connective(name, parts):
    """An application, with connectives in the forms of step 1 where predicates or quantifiers occur below."""
    if name in ("and", "or"):
        if not parts:
            return Node("value", (), name == "and")
        return parts[0] if len(parts) == 1 else Node(name, parts)
    if name == "not":
        return Node("not", parts)
    if name == "=>":
        return Node("or", [Node("not", [part]) for part in parts[:-1]] + [parts[-1]])
    if name == "ite":
        return Node("ite", parts)
    if not any(part.has_pred or part.has_binder for part in parts):
        return Node("app", parts, Word(name))
    if name == "=":
        return connective("and", [Node("iff", pair) for pair in zip(parts, parts[1:])])
    if name == "xor":
        result = parts[0]
        for part in parts[1:]:
            result = Node("not", [Node("iff", [result, part])])
        return result
    if name == "distinct":
        pairs = [(later, parts[k]) for i, later in enumerate(parts) for k in range(i)]
        return connective("and", [Node("not", [Node("iff", pair)]) for pair in pairs])
    raise Malformed(f"a predicate or quantifier occurs inside {name}")


class Opening:
    """Step 2: quantifiers are left out, and variables get names."""

    def __init__(self, script, assertion, node):
        self.assertion, self.node = assertion, node
        self.declared = set(script.preds) | set(script.variables)
        self.written, todo, seen = set(), [node], set()
        while todo:
            part = todo.pop()
            if id(part) not in seen and part.has_binder:
                seen.add(id(part))
                todo.extend(part.parts)
                if part.op == "bind":
                    self.written.update(binder.name for binder in part.data[1])
        assertion.variables.update(script.variables)
        self.given = set()

    def run(self):
        return self.open(self.node, True, {})

    def open(self, node, positive, env):
        if not node.has_binder:
            return close(node, env)
        if node.op == "bind":
            quantifier, binders = node.data
            if (quantifier == "forall") != positive:
                raise Malformed("this quantifier is not universal")
            inner = dict(env)
            for binder in binders:
                name = self.name(binder.name)
                self.given.add(name)
                self.assertion.variables[name] = binder.sort
                inner[binder] = name
            return self.open(node.parts[0], positive, inner)
        if node.op == "not":
            return Node("not", [self.open(node.parts[0], not positive, env)])
        if node.op in ("and", "or"):
            return Node(node.op, [self.open(part, positive, env) for part in node.parts])
        if node.op == "ite" and not node.parts[0].has_binder:
            return Node("ite", [self.open(part, positive, env) for part in node.parts])
        raise Malformed("this quantifier is not universal")

    def name(self, written):
        if written not in self.declared and written not in self.given:
            return written
        for number in itertools.count(1):
            name = f"{written}!{number}"
            if name not in self.declared and name not in self.given and name not in self.written:
                return name


def close(node, env):
    """A formula without quantifiers, with the names of its variables."""
    if not node.has_pred:
        return Node("closed", [node], env)
    if node.op == "pred":
        return Node("pred", [Node("closed", [part], env) for part in node.parts], node.data)
    return Node(node.op, [close(part, env) for part in node.parts], node.data)


def clauses(node, negated):
    """Step 3: the clauses of a formula, as lists of literals, each with whether it is negated."""
    if not node.has_pred or node.op == "pred":
        return [[(node, negated)]]
    parts = node.parts
    if node.op == "not":
        return clauses(parts[0], not negated)
    if node.op in ("and", "or"):
        if (node.op == "and") != negated:
            speaking = [part for part in parts if part.has_pred]
            others = [part for part in parts if not part.has_pred]
            result = [clause for part in speaking for clause in clauses(part, negated)]
            if others:
                result.append([(connective(node.op, others), negated)])
            return result
        choices = itertools.product(*(clauses(part, negated) for part in parts))
        return [[literal for clause in choice for literal in clause] for choice in choices]
    if node.op == "iff":
        a, b = parts
        if not negated:
            return both(a, True, b, False) + both(b, True, a, False)
        return both(a, False, b, False) + both(a, True, b, True)
    if node.op == "ite":
        condition, a, b = parts
        return both(condition, True, a, negated) + both(condition, False, b, negated)
    raise Malformed(f"a predicate occurs inside {node.op}")


def both(a, a_negated, b, b_negated):
    """The clauses of a disjunction of two formulas."""
    pairs = itertools.product(clauses(a, a_negated), clauses(b, b_negated))
    return [first + second for first, second in pairs]


class Question:
    """A question with the clauses that it is about."""

    def __init__(self, script, is_query):
        self.is_query, self.script = is_query, script
        self.assertions, self.preds = list(script.assertions), dict(script.preds)
        self.variables, self.commands = dict(script.variables), list(script.commands)
        self.sorts, self.constructors = dict(script.sorts), dict(script.constructors)
        self.selectors = dict(script.selectors)
        self.clauses = [clause for a in self.assertions for clause in a.clauses]

    def sort(self, sort):
        return self.script.sort(sort)

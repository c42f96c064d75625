"""S-expressions: words are `Word`s, quoted symbols `Quoted`, strings `Text`, lists are lists."""
import re

TOKEN = re.compile(r';[^\n]*|\s+|(\()|(\))|\|([^|]*)\||"((?:[^"]|"")*)"|([^\s()|";]+)')


class Malformed(Exception):
    """The text is not what it should be."""


class Word(str):
    """A symbol, a number or a keyword, as it is written."""


class Quoted(str):
    """A symbol between bars, without them."""


class Text(str):
    """A string."""


def parse(text):
    """All expressions of a text."""
    top, stack, at = [], [], 0
    here = top
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Malformed(f"no token at offset {at}")
        at = match.end()
        opening, closing, quoted, string, word = match.groups()
        if opening:
            stack.append(here)
            here.append([])
            here = here[-1]
        elif closing:
            if not stack:
                raise Malformed("a parenthesis closes nothing")
            here = stack.pop()
        elif word is not None:
            here.append(Word(word))
        elif quoted is not None:
            here.append(Quoted(quoted))
        elif string is not None:
            here.append(Text(string))
    if stack:
        raise Malformed("a parenthesis is not closed")
    return top


def show(expression):
    """The text of an expression."""
    out, todo = [], [expression]
    while todo:
        item = todo.pop()
        if isinstance(item, list):
            out.append("(")
            todo.append(None)
            todo.extend(reversed(item))
        elif item is None:
            out.append(")")
        elif isinstance(item, Quoted):
            out.append(f"|{item}|")
        elif isinstance(item, Text):
            out.append('"' + item + '"')
        else:
            out.append(str(item))
    return " ".join(out)


def is_name(item):
    """Whether it can be a symbol."""
    return isinstance(item, (Word, Quoted))

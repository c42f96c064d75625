"""Checks evidence, as docs/formats.md says how to, without Shofar; and checks Shofar by it.

    python .ci/check_evidence.py PROBLEM WITNESS
prints valid, invalid, unknown or refused for each question; the exit status is 0, 1, 4 or 2.

    python .ci/check_evidence.py --run PROGRAM FILE... [--limit SECONDS] [--mutants N] [--seed S]
lets the program decide each problem, checks what it prints, with steps listed and folded, here and by `PROGRAM check`, and damages it N
times: damage that this checker refuses, the program must refuse, and the other way round. A file may be a folder, or `@LIST`, a list of
files.

The package `evidence` was written from the page alone. Where the two checkers disagree, one of them or the page is wrong.
"""
import argparse
import collections
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading

from evidence import models, mutants, refutation
from evidence.problem import Script
from evidence.refutation import Undecided, Wrong
from evidence.sexpr import Malformed, Quoted, Text, is_name, parse, show

STATUS = {"valid": 0, "invalid": 1, "refused": 2, "unknown": 4}
LONG = 100_000
LONGEST = 20_000_000
DEFINITIONS = ("define-", "declare-", "forall")


def is_remark(piece):
    """Whether an expression is no evidence: errors, information, names, values."""
    if not piece:
        return False
    head = piece[0]
    if isinstance(head, list):
        return not (head and is_name(head[0]) and str(head[0]).startswith(DEFINITIONS))
    if isinstance(head, Quoted):
        return all(is_name(part) for part in piece)
    known = ("model", "refutation", "refutation-summary", "define-fun")
    return head in ("error", "core") or head.startswith(":") or (
        head not in known and all(is_name(part) for part in piece))


def answers(text):
    """The answers in a text: words with their pieces of evidence."""
    found = []
    for item in parse(text):
        if isinstance(item, list):
            if is_remark(item):
                continue
            if not found:
                found.append([None, []])
            pieces = found[-1][1]
            if item and item[0] == "define-fun" and pieces and pieces[-1][0][:1] == ["define-fun"]:
                pieces[-1].append(item)
            elif not item and pieces:
                continue
            elif [item] not in pieces:
                pieces.append([item])
        elif item in ("sat", "unsat", "unknown") and not isinstance(item, (Quoted, Text)):
            found.append([str(item), []])
    return found


def judge(question, word, pieces):
    """What is found out about an answer: a verdict and why."""
    if word == "unknown":
        return "unknown", "the answer is unknown"
    if not pieces:
        return "unknown", "there is no evidence"
    reasons = []
    for piece in pieces:
        is_summary = piece[0][:1] == ["refutation-summary"]
        is_refutation = piece[0][:1] == ["refutation"] or is_summary
        shown = "sat" if is_refutation == question.is_query else "unsat"
        if word is not None and word != shown:
            return "invalid", "the evidence is for the opposite"
        try:
            if is_summary:
                return "unknown", "a summary cannot be checked"
            if is_refutation:
                reasons.append(f"a refutation of {refutation.check(question, piece[0])} steps")
            else:
                reasons.append(f"a model of {models.check(question, piece)} predicates")
        except Wrong as why:
            return "invalid", str(why)
        except Undecided as why:
            return "unknown", str(why)
    return "valid", ", ".join(reasons)


def check(questions, witness):
    """A verdict for each question."""
    try:
        found = answers(witness)
        if len(found) > len(questions):
            return [("refused", "more answers than questions")]
        found += [["unknown", []]] * (len(questions) - len(found))
        return [judge(question, *answer) for question, answer in zip(questions, found)]
    except (Malformed, ValueError, TypeError, IndexError, KeyError, AttributeError) as why:
        return [("refused", f"{type(why).__name__}: {why}")]


def read(path):
    with open(path, encoding="utf-8") as file:
        return Script().run(file.read())


def run(command, limit, text=None):
    """What a program prints, and its exit status."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 2, int(limit) + 3))
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False,
                              timeout=6 * limit + 30, preexec_fn=limits)
        return done.stdout, done.returncode
    except subprocess.TimeoutExpired:
        return "", -1


class Trial:
    """A run over problems, with what was counted and what was wrong."""

    def __init__(self, options):
        self.options, self.counts, self.faults = options, collections.Counter(), []
        self.file = tempfile.NamedTemporaryFile("w+", suffix=".txt")

    def fault(self, path, what):
        self.faults.append(f"{path}: {what}")
        print(f"FAULT {self.faults[-1]}", flush=True)

    def shofar(self, path, witness):
        """What the program's own checker says."""
        self.file.seek(0)
        self.file.truncate()
        self.file.write(witness)
        self.file.flush()
        _, status = run([self.options.run, "check", "--timeout", "20", path, self.file.name], 30)
        return {0: "valid", 1: "invalid", 2: "refused", 4: "unknown"}.get(status, f"status {status}")

    def problem(self, path):
        self.counts["files"] += 1
        if self.options.verbose:
            print(f"{self.counts['files']} {path}", flush=True)
        for style in ("full", "short"):
            limit = self.options.limit
            command = [self.options.run, "--timeout", str(limit), f"--witness={style}", path]
            printed, _ = run(command, limit)
            if style == "short" and "(repeat" not in printed:
                continue
            if not printed.startswith(("sat", "unsat")):
                self.counts["not decided"] += 1
                return
            if len(printed) > LONGEST:
                self.counts["too long to be read here"] += 1
                continue
            try:
                questions = read(path)
            except Malformed as why:
                self.counts["problem not read here"] += 1
                print(f"skipped {path}: {why}", flush=True)
                return
            verdicts = check(questions, printed)
            own = self.shofar(path, printed)
            kind = "refutation" if "(refutation\n" in printed else "model"
            kind = "folded" if "(repeat" in printed else kind
            if "(refutation-summary" in printed:
                kind = "summary"
            for verdict, why in verdicts:
                self.counts[f"{kind} {verdict}"] += 1
                if verdict in ("invalid", "refused"):
                    self.fault(path, f"our evidence is {verdict} by the page: {why}")
                elif verdict == "unknown":
                    print(f"undecided {path}: {why}", flush=True)
            if own != "valid" and kind != "summary" and len(questions) == 1:
                self.fault(path, f"our evidence is {own} by our own checker")
            if len(questions) == 1 and verdicts[0][0] == "valid" == own:
                self.damage(path, questions[0], printed)

    def damage(self, path, question, printed):
        """Damages evidence that is right, unless it is so long that each copy would take seconds."""
        if len(printed) > LONG:
            self.counts["too long to be damaged"] += 1
            return
        word, pieces = answers(printed)[0]
        is_refutation = pieces[0][0][:1] == ["refutation"]
        seed = f"{self.options.seed} {path}"
        for kind, text in mutants.mutants(pieces[0], is_refutation, self.options.mutants, seed):
            text = f"{word}\n{text}\n"
            (here, why), = check([question], text)
            own = self.shofar(path, text)
            self.counts["mutants"] += 1
            same = here == own or {here, own} <= {"invalid", "refused"}
            if here == "unknown" or own == "unknown":
                self.counts["mutants undecided by one"] += 1
                if {here, own} == {"valid", "unknown"} and own == "unknown":
                    self.counts["mutants valid here, undecided there"] += 1
                continue
            self.counts["mutants still right" if here == "valid" else "mutants refused"] += 1
            if not same:
                with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as out:
                    out.write(text)
                self.fault(path, f"damage ({kind}): {here} ({why}) here, {own} there, see {out.name}")


def paths(names):
    for name in names:
        if name.startswith("@"):
            yield from pathlib.Path(name[1:]).read_text(encoding="utf-8").split()
        elif pathlib.Path(name).is_dir():
            yield from sorted(str(path) for path in pathlib.Path(name).rglob("*.smt2"))
        else:
            yield name


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", metavar="PROGRAM")
    parser.add_argument("--limit", type=float, default=3)
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--verbose", action="store_true", help="name each file before it is decided")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    if options.run:
        trial = Trial(options)
        for path in paths(options.files):
            trial.problem(path)
        for name, count in sorted(trial.counts.items()):
            print(f"{count:7} {name}")
        print(f"{len(trial.faults):7} faults")
        return 1 if trial.faults else 0
    problem, witness = options.files
    try:
        questions = read(problem)
    except Malformed as why:
        print(f"refused: {why}")
        return 2
    with open(witness, encoding="utf-8") as file:
        verdicts = check(questions, file.read())
    for verdict, why in verdicts:
        print(f"{verdict}: {why}")
    return max(STATUS[verdict] for verdict, _ in verdicts)


if __name__ == "__main__":
    sys.setrecursionlimit(1_000_000)
    threading.stack_size(512 << 20)
    result = []
    thread = threading.Thread(target=lambda: result.append(main()))
    thread.start()
    thread.join()
    sys.exit(result[0] if result else 3)

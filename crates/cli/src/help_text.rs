//! The texts at the end of pages of help; [`layout`](crate::layout) says how they are written.

use crate::spelling;

/// At the end of `shofar -h`.
pub(crate) const POINTERS: &str = "\
Examples:
  shofar --witness problem.smt2          the answer with its model or refutation
  shofar check problem.smt2 witness.txt  validate a model or a refutation

`shofar --help` has all general options and the exit status, `shofar engines NAME` those of an engine,
`shofar COMMAND -h` those of a command.";

const EXAMPLES: &str = "\
Examples:
  shofar problem.smt2                     sat (safe), unsat (a bug) or unknown; the witness is checked first
  shofar --witness problem.smt2           the answer, then a model or a refutation
  shofar --engine spacer problem.smt2     one engine
  shofar --timeout 60 --threads 2 -v p.smt2.gz
  shofar check problem.smt2 witness.txt   validate a model or a refutation
  shofar info problem.smt2                what the clauses look like
  shofar graph --svg problem.smt2 > g.svg draw them
  shofar program.ari                      YES if all runs end, NO if one does not, or MAYBE, with the reason
  shofar translate p.nts -o p.smt2        write the clauses of a problem in SMT-LIB
  shofar smt script.smt2                  the SMT solver by itself
  shofar bench --timeout 5 -j 2 suites    solve all problems in a folder and count
  shofar submit suites --hub nats://head  have them solved by a cluster

Commands are executed as they come, also from a pipe: (check-sat), (get-model), (get-proof), (push), (pop).
(set-option :timeout MILLISECONDS) limits the questions that follow. Limits of the system (ulimit -t and -v)
end with unknown as well.

One engine (--engine, --seed) does the same in every run, and prints the same witness. The default
strategy shares out time by the clock: the same engine wins in every run unless two are equally fast or
a limit is near.

`shofar engines` lists the engines, and `shofar engines NAME` the options of one, which stand anywhere on the command line.

Exit status:
  0    every question was answered (also by unknown)
  2    a part of the input was refused, or the output could not be written (a closed pipe is no failure)
  3    a witness failed its check (a bug of ours; the answer is then unknown)
  130  Ctrl-C, after unknown; 143 for SIGTERM, 129 for SIGHUP

The other commands have their own, see `shofar COMMAND --help`.";

/// At the end of `shofar solve --help`.
pub(crate) const SOLVE: &str = "\
`shofar solve FILE` is `shofar FILE`, and takes the same options; `shofar --help` has examples and the exit status.

Where no file is given and there is one called `solve`, as in `shofar solve --timeout 5`, that one is solved. Otherwise the first
word is the command: `shofar ./solve` always means the file.";

/// At the end of `shofar smt --help`.
pub(crate) const SMT: &str = "\
The script is SMT-LIB 2.6 without quantifiers: Bool, Int and Real, linear arithmetic, declared sorts and
functions, push and pop, models, values, unsatisfiable cores, assumptions, interpolants.

Examples:
  A model:
    (declare-const x Int) (declare-const y Int)
    (assert (and (< x y) (< y (+ x 2))))
    (check-sat) (get-model)

  An interpolant of A and B, over the symbols they share:
    (set-option :produce-interpolants true)
    (declare-const x Real) (declare-const y Real) (declare-const z Real)
    (assert (! (and (< x y) (> x 0)) :named A))
    (assert (! (and (< y z) (< z 0)) :named B))
    (check-sat) (get-interpolants A B)

  Interpolants at the vertices of a graph, whose edges have formulas, and at marked positions of a formula:
    (get-dag-interpolants ((en a (= x 0)) (a ex (< x 0))))
    (get-disjunctive-interpolants (and (< x 0) (or (! (> x 1) :named p) (> x 2))))

  The assertions that contradict each other:
    (set-option :produce-unsat-cores true)
    (declare-const p Bool)
    (assert (! p :named a)) (assert (! (not p) :named b))
    (check-sat) (get-unsat-core)

Exit status: 0, or 2 after an error in the script or if the output could not be written (a closed pipe
is no failure), 124 and 125 if the limits on time and memory had to be enforced without an orderly end,
130 after Ctrl-C (143 for SIGTERM, 129 for SIGHUP) while nothing is computed, or the second time.";

/// At the end of `shofar solc-shim --help`.
pub(crate) const SHIM: &str = "\
The compiler calls the programs that it finds on its path:
  shofar solc-shim ~/shims
  PATH=~/shims:$PATH solc --model-checker-engine chc --model-checker-solvers eld Contract.sol

Under the name of eld, models are shown as contract invariants (--model-checker-invariants); under the
name of z3, bugs also come with the transactions that lead to them. Files that are not ours are not
overwritten.

Exit status: 0, or 2 if the scripts could not be written.";

/// At the end of `shofar --help`.
pub(crate) fn long() -> String {
    // Without the cluster there are no such commands.
    let is_there = |line: &&str| cfg!(feature = "cluster") || !line.contains("shofar submit");
    let examples: Vec<&str> = EXAMPLES.lines().filter(is_there).collect();
    format!("{}\n\n{}", examples.join("\n"), spelling::help())
}

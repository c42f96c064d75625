//! `cargo xtask c`: random programs in C through gcc, the interpreter and the solver; verdicts and
//! values must agree.
//!
//! A program ([`shofar_testkit::c_program`]) is compiled by gcc, instrumented for undefined
//! behaviour, and run with each of its inputs. `--interpreter` compares each run with one of the
//! interpreter that confirms answers: how it ends, in which line, and the last values of all global
//! variables. Without it, an assertion about what was computed is put at the end of `main`, and the
//! program is given to the solver: the verdict must be right, and an execution that it prints must
//! be the one that gcc's program has for its inputs, with its violation, its line and all values.
//!
//! Programs go round through both arithmetics and both data models. What overflows is left out
//! where signed numbers are mathematical integers. A program on which something is wrong is made
//! smaller and written to `target/c-cases/`.

mod compiler;
mod judge;
mod trace;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use shofar_base::Rng;
use shofar_testkit::c_program::{CProgram, Piece};

use self::compiler::{Compiler, Known, Model};
use self::judge::{Arithmetic, Outcome, Reading};
use crate::process::{self, Build};

/// What the solver says of an overflow.
const OVERFLOW: &str = "a signed number overflows";

/// Options of the task.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Number of programs.
    #[arg(long, default_value_t = 400)]
    cases: u64,
    /// Seed of the generator.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first program.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Compare the interpreter alone, which is much faster.
    #[arg(long)]
    interpreter: bool,
    /// The solver; without it, it is built.
    #[arg(long)]
    shofar: Option<PathBuf>,
    /// Seconds for each program.
    #[arg(long, default_value_t = 2)]
    limit: u64,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// How many of the faulty programs are made smaller.
    #[arg(long, default_value_t = 3)]
    shrink: usize,
    /// Print the programs with what comes out.
    #[arg(long)]
    show: bool,
}

/// Programs that are compiled together.
const BATCH: u64 = 20;
/// What gcc says if it fails by itself.
const GCC_FAILS: &str = "internal compiler error";
/// How long one program may be made smaller.
const SHRINKING: Duration = Duration::from_mins(1);

/// Everything that a comparison needs.
struct Comparison<'o> {
    options: &'o Options,
    compiler: Compiler,
    solver: Option<PathBuf>,
    folder: PathBuf,
    models: Vec<Model>,
}

/// Runs the task; false if anything is wrong.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let folder = process::scratch("c-cases")?;
    let Some(compiler) = Compiler::find(folder.clone()) else {
        println!("c: there is no gcc to compare with, so nothing is compared");
        return Ok(true);
    };
    let models: Vec<Model> =
        [Model::Lp64, Model::Ilp32].into_iter().filter(|model| compiler.has(*model)).collect();
    if models.is_empty() {
        return Err("gcc makes no programs here".to_owned());
    }
    if !models.contains(&Model::Ilp32) {
        println!(
            "c: gcc makes no programs of 32 bits here (gcc-multilib), so LP64 only is compared"
        );
    }
    let solver = if options.interpreter {
        None
    } else {
        Some(process::shofar(options.shofar.as_deref(), Build::Checks)?)
    };
    let comparison = Comparison { options, compiler, solver, folder, models };
    comparison.run()
}

impl Comparison<'_> {
    fn run(&self) -> Result<bool, String> {
        let started = Instant::now();
        let next = AtomicU64::new(0);
        let gathered = Mutex::new((BTreeMap::new(), Vec::new()));
        std::thread::scope(|scope| {
            let work = |who: usize| {
                loop {
                    let start = next.fetch_add(BATCH, Ordering::Relaxed);
                    if start >= self.options.cases {
                        return Ok::<(), String>(());
                    }
                    let numbers: Vec<u64> = (start..self.options.cases.min(start + BATCH))
                        .map(|number| self.options.first + number)
                        .collect();
                    let outcomes = self.batch(&numbers, &format!("batch{who}"))?;
                    let mut gathered =
                        gathered.lock().expect("no thread panics while it holds the lock");
                    let (counts, wrong): &mut (BTreeMap<String, u64>, Vec<(u64, String)>) =
                        &mut gathered;
                    for (number, outcome) in outcomes {
                        let word = match outcome {
                            Outcome::Agrees(word) => word.to_owned(),
                            Outcome::Skipped(why) => format!("skipped ({why})"),
                            Outcome::Wrong(what) => {
                                println!("case {number}: {what}");
                                wrong.push((number, what));
                                "WRONG".to_owned()
                            }
                        };
                        *counts.entry(word).or_insert(0) += 1;
                    }
                }
            };
            let threads: Vec<_> =
                (0..self.options.jobs.max(1)).map(|who| scope.spawn(move || work(who))).collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().expect("a thread does not panic"))
        })?;
        let (counts, mut wrong) =
            gathered.into_inner().expect("no thread panics while it holds the lock");
        wrong.sort();
        wrong.dedup_by_key(|(number, _)| *number);
        for (number, what) in wrong.iter().take(self.options.shrink) {
            self.report(*number, what)?;
        }
        let told: Vec<String> = counts.iter().map(|(word, n)| format!("{word} {n}")).collect();
        println!("{}", told.join(", "));
        let (cases, seed) = (self.options.cases, self.options.seed);
        println!("{cases} programs in {:.1} s, seed {seed}", started.elapsed().as_secs_f64());
        println!("c: {} of them with a fault", wrong.len());
        Ok(wrong.is_empty())
    }
    /// How a program is read.
    fn reading(&self, number: u64) -> Reading {
        let arithmetic =
            if number.is_multiple_of(2) { Arithmetic::Mathematical } else { Arithmetic::Checked };
        let models = u64::try_from(self.models.len()).unwrap_or(1);
        let at = usize::try_from(number / BATCH % models).unwrap_or(0);
        Reading { arithmetic, model: self.models[at] }
    }
    fn draw(&self, number: u64) -> CProgram {
        let is_bitwise = self.reading(number).arithmetic == Arithmetic::Checked;
        CProgram::new(self.options.seed, number, is_bitwise)
    }
    /// What comes out for programs that are compiled together, which are read with one data model.
    fn batch(&self, numbers: &[u64], name: &str) -> Result<Vec<(u64, Outcome)>, String> {
        let mut outcomes = Vec::new();
        let mut programs = Vec::new();
        for &number in numbers {
            let (program, reading) = (self.draw(number), self.reading(number));
            match judge::is_read(&program.text(""), reading) {
                Ok(()) => programs.push((number, program)),
                Err(why) if why.contains("the order in which") => {
                    outcomes.push((number, Outcome::Skipped("refused for its order")));
                }
                Err(why)
                    if why.contains("shift by a constant") || why.contains("bit operation") =>
                {
                    outcomes.push((number, Outcome::Skipped("refused")));
                }
                Err(why) => outcomes.push((number, Outcome::Wrong(format!("refused: {why}")))),
            }
        }
        for model in &self.models {
            let fitting: Vec<&(u64, CProgram)> = programs
                .iter()
                .filter(|(number, _)| self.reading(*number).model == *model)
                .collect();
            let texts: Vec<String> = fitting.iter().map(|(_, program)| program.text("")).collect();
            let bodies: Vec<(&CProgram, &str)> =
                fitting.iter().zip(&texts).map(|((_, p), text)| (p, text.as_str())).collect();
            let known = self.execute(name, &bodies, *model)?;
            for ((number, program), known) in fitting.into_iter().zip(known) {
                let Some(known) = known else {
                    outcomes.push((*number, Outcome::Skipped("gcc fails")));
                    continue;
                };
                let found = self.outcomes(*number, program, &known, name)?;
                if self.options.show {
                    println!("// case {number}: {found:?}\n{}", program.text(""));
                }
                outcomes.extend(found.into_iter().map(|outcome| (*number, outcome)));
            }
        }
        Ok(outcomes)
    }
    /// What gcc's programs do; if gcc itself fails on them together, one by one, and nothing for
    /// those that it fails on.
    fn execute(
        &self,
        name: &str,
        bodies: &[(&CProgram, &str)],
        model: Model,
    ) -> Result<Vec<Option<Known>>, String> {
        match self.compiler.execute(name, bodies, model) {
            Ok(known) => Ok(known.into_iter().map(Some).collect()),
            Err(why) if !why.contains(GCC_FAILS) => Err(why),
            Err(_) if bodies.len() == 1 => Ok(vec![None]),
            Err(_) => {
                let mut all = Vec::with_capacity(bodies.len());
                for body in bodies {
                    all.extend(self.execute(name, &[*body], model)?);
                }
                Ok(all)
            }
        }
    }
    /// What comes out for one program.
    fn outcomes(
        &self,
        number: u64,
        program: &CProgram,
        known: &Known,
        name: &str,
    ) -> Result<Vec<Outcome>, String> {
        let reading = self.reading(number);
        let Some(solver) = &self.solver else {
            let text = program.text("");
            let each = known.runs.iter();
            return Ok(each
                .map(|(inputs, executed)| judge::interpret(&text, reading, inputs, executed))
                .collect());
        };
        let mut rng = Rng::new(self.options.seed ^ number.wrapping_mul(0x9e37_79b9));
        let last = judge::last_line(known, &mut rng);
        let (line, wrong) = last.map_or((String::new(), None), |(line, v)| (line, Some(v)));
        let text = program.text(&line);
        let file = self.folder.join(format!("{name}.i.c"));
        let (program, reading) = ((program, text.as_str()), (reading, self.options.limit));
        judge::solve(solver, &file, program, reading, (known, wrong)).map(|outcome| vec![outcome])
    }
    /// What is wrong with a program, tried alone.
    fn fault(&self, number: u64, program: &CProgram) -> Option<String> {
        let text = program.text("");
        judge::is_read(&text, self.reading(number)).ok()?;
        let model = self.reading(number).model;
        let known = self.compiler.execute("small", &[(program, &text)], model).ok()?;
        let outcomes = self.outcomes(number, program, known.first()?, "small").ok()?;
        outcomes.into_iter().find_map(|outcome| match outcome {
            Outcome::Wrong(what) => Some(what),
            Outcome::Agrees(_) | Outcome::Skipped(_) => None,
        })
    }
    /// Makes a faulty program smaller, and writes it to a file.
    fn report(&self, number: u64, what: &str) -> Result<(), String> {
        let mut program = self.draw(number);
        let deadline = Instant::now() + SHRINKING;
        let mut what = what.to_owned();
        let mut goes_on = true;
        while goes_on && Instant::now() < deadline {
            goes_on = false;
            let count: usize = program.pieces.iter().map(size).sum();
            for at in 0..count {
                for is_hoisted in [false, true] {
                    let mut smaller = program.clone();
                    let mut left = at;
                    smaller.pieces = without(&program.pieces, &mut left, is_hoisted);
                    if smaller.pieces == program.pieces || Instant::now() >= deadline {
                        continue;
                    }
                    // `main` and what is observed have to stay.
                    if let Some(again) = self.fault(number, &smaller) {
                        (program, what, goes_on) = (smaller, again, true);
                    }
                }
            }
        }
        let path = self.folder.join(format!("case-{number}.c"));
        let reading = self.reading(number);
        let seed = self.options.seed;
        let text = self.small_text(number, &program);
        let content = format!("// case {number}, seed {seed}, {reading:?}: {what}\n{text}");
        process::write(&path, content.as_bytes())?;
        println!("case {number}, see {}\n{content}", shown(&path));
        Ok(())
    }
    /// The text that the solver gets.
    fn small_text(&self, number: u64, program: &CProgram) -> String {
        let text = program.text("");
        if self.options.interpreter {
            return text;
        }
        let model = self.reading(number).model;
        let known = self.compiler.execute("small", &[(program, &text)], model);
        let mut rng = Rng::new(self.options.seed ^ number.wrapping_mul(0x9e37_79b9));
        let known = known.ok().and_then(|known| known.into_iter().next());
        let last = known.and_then(|known| judge::last_line(&known, &mut rng));
        program.text(&last.map_or(String::new(), |(line, _)| line))
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// How many pieces there are.
fn size(piece: &Piece) -> usize {
    1 + piece.inner.iter().map(size).sum::<usize>()
}

/// The pieces without the one with this number, or with what is inside of it in its place.
fn without(pieces: &[Piece], left: &mut usize, is_hoisted: bool) -> Vec<Piece> {
    let mut kept = Vec::new();
    for piece in pieces {
        if *left == 0 {
            *left = usize::MAX;
            if is_hoisted {
                kept.extend(piece.inner.iter().cloned());
            }
            continue;
        }
        *left = left.saturating_sub(usize::from(*left != usize::MAX));
        let inner = without(&piece.inner, left, is_hoisted);
        kept.push(Piece { inner, ..piece.clone() });
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_left_out_one_by_one() {
        let line =
            |open: &str| Piece { open: open.to_owned(), inner: Vec::new(), close: String::new() };
        let inner = vec![line("a"), line("b")];
        let block = Piece { open: "{".to_owned(), inner, close: "}".to_owned() };
        let pieces = [block, line("c")];
        let shown = |at: usize, is_hoisted| {
            let mut left = at;
            let rest = without(&pieces, &mut left, is_hoisted);
            rest.iter()
                .map(|p| format!("{}{}", p.open, p.inner.len()))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(shown(0, false), "c0");
        assert_eq!(shown(0, true), "a0 b0 c0");
        assert_eq!(shown(1, false), "{1 c0");
        assert_eq!(shown(3, false), "{2");
    }
}

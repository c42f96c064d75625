//! Programs through gcc: many of them in one executable, each run by itself.
//!
//! The code is instrumented by gcc's sanitizer for undefined behaviour, but linked with a runtime
//! of our own (`runtime.c`), which gives the inputs and tells how a run ends, in which line, and
//! with which values of the global variables.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use shofar_testkit::c_program::CProgram;

use crate::process::{self, Input};

/// What stands in front of the programs.
const RUNTIME: &str = include_str!("runtime.c");
/// What is looked for.
const CHECKS: &str =
    "-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift,bounds-strict";
/// Compiling or running a batch takes longer only if something is wrong.
const LIMIT: Duration = Duration::from_mins(2);

/// How large types are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Model {
    Lp64,
    Ilp32,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Finished,
    /// Something that must not happen, in the words of the solver, and its line.
    Fault(&'static str, u32),
    /// At an assumption.
    Excluded,
    /// Something that C does not define and we do.
    Undefined,
    /// It takes too long.
    Lost,
}

/// A variable and its numbers.
pub(super) type Finals = Vec<(String, Vec<i128>)>;

/// A run, as gcc sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Executed {
    pub(super) ended: Ended,
    pub(super) finals: Finals,
}

/// What is known of a program.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// The first values of the global variables.
    pub(super) beginning: Finals,
    /// A run for each input, or one.
    pub(super) runs: Vec<(Vec<i64>, Executed)>,
}

/// The compiler, and where its files go.
pub(super) struct Compiler {
    program: PathBuf,
    folder: PathBuf,
}

impl Compiler {
    /// Nothing if there is no gcc; `Err` if it does not work.
    pub(super) fn find(folder: PathBuf) -> Option<Self> {
        let compiler = Self { program: PathBuf::from("gcc"), folder };
        let version = process::run(&compiler.program, &["--version"], &Input::Nothing, LIMIT);
        version.is_ok().then_some(compiler)
    }
    /// Whether it makes programs of this data model.
    pub(super) fn has(&self, model: Model) -> bool {
        self.build("try", &format!("{RUNTIME}\nint main(void) {{ return play(0); }}\n"), model)
            .is_ok()
    }
    /// Runs each program with each of its inputs; nothing for a batch that cannot be compiled.
    pub(super) fn execute(
        &self,
        name: &str,
        programs: &[(&CProgram, &str)],
        model: Model,
    ) -> Result<Vec<Known>, String> {
        let mut text = RUNTIME.to_owned();
        for (at, (program, body)) in programs.iter().enumerate() {
            wrap(&mut text, at, program, body);
        }
        text.push_str("static const struct program programs[] = {");
        for at in 0..programs.len() {
            let _ = write!(text, "{{p{at}_main, p{at}_dump}},");
        }
        text.push_str("};\nint main(void) { return play(programs); }\n");
        let executable = self.build(name, &text, model)?;
        let mut jobs = Vec::new();
        for (at, (program, _)) in programs.iter().enumerate() {
            jobs.push((at, None));
            if program.inputs.is_empty() {
                jobs.push((at, Some(Vec::new())));
            }
            jobs.extend(program.inputs.iter().map(|&input| (at, Some(vec![input]))));
        }
        let mut script = String::new();
        for (at, inputs) in &jobs {
            let numbers: Vec<String> = inputs.iter().flatten().map(i64::to_string).collect();
            let count = inputs.as_ref().map_or("-1".to_owned(), |inputs| inputs.len().to_string());
            let _ = writeln!(script, "{at} {count} {}", numbers.join(" "));
        }
        let ran = process::run(&executable, &[], &Input::Bytes(script.as_bytes()), LIMIT)?;
        let mut told = ran.stdout.split("job ").skip(1);
        let mut known: Vec<Known> = Vec::new();
        for (_, inputs) in jobs {
            let executed = told.next().map(parse).ok_or("gcc's programs end too early")?;
            match (inputs, known.last_mut()) {
                (Some(inputs), Some(last)) => last.runs.push((inputs, executed)),
                (Some(_), None) => {}
                (None, _) => known.push(Known { beginning: executed.finals, runs: Vec::new() }),
            }
        }
        Ok(known)
    }
    fn build(&self, name: &str, text: &str, model: Model) -> Result<PathBuf, String> {
        let source = self.folder.join(format!("{name}.c"));
        let executable = self.folder.join(name);
        process::write(&source, text.as_bytes())?;
        let width = match model {
            Model::Lp64 => "-m64",
            Model::Ilp32 => "-m32",
        };
        let files = [path(&source), "-o", path(&executable)];
        let mut arguments = vec![width, "-std=gnu11", "-w", "-O0", CHECKS];
        arguments.extend(files);
        let built = process::run(&self.program, &arguments, &Input::Nothing, LIMIT)?;
        match built.end {
            process::End::Code(0) => Ok(executable),
            process::End::Code(_) | process::End::Signal | process::End::Timeout => {
                let lines: Vec<&str> = built.stderr.lines().take(8).collect();
                Err(format!("gcc: {}", lines.join("\n")))
            }
        }
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap_or("?")
}

/// A program whose names begin with its number, and a function that prints its global variables.
fn wrap(text: &mut String, at: usize, program: &CProgram, body: &str) {
    for name in &program.names {
        let _ = writeln!(text, "#define {name} p{at}_{name}");
    }
    // The first line declares what the runtime defines.
    let body = body.split_once('\n').map_or("", |(_, body)| body);
    let _ = writeln!(text, "#line 2\n{}", looked_at(body));
    let _ = writeln!(text, "static void p{at}_dump(void) {{");
    for global in &program.globals {
        let count: usize = global.lengths.iter().product();
        // Through a pointer, since rows are not looked at here.
        let first: String = global.lengths.iter().map(|_| "[0]").collect();
        let (format, number) =
            if global.is_unsigned { ("%llu", "unsigned long long") } else { ("%lld", "long long") };
        let name = &global.name;
        let _ = writeln!(text, "printf(\"{name}\");");
        let _ = writeln!(
            text,
            "for (int i = 0; i < {count}; i++) printf(\" {format}\", ({number})(&{name}{first})[i]);"
        );
        let _ = writeln!(text, "printf(\"\\n\");");
    }
    text.push_str("}\n");
    for name in &program.names {
        let _ = writeln!(text, "#undef {name}");
    }
}

/// The program with volatile arrays: gcc leaves out an element whose value does not matter, and
/// with it the look at its index.
fn looked_at(body: &str) -> String {
    let lines = body.lines().map(|line| {
        if declares_array(line) { format!("volatile {line}") } else { line.to_owned() }
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// Whether a line begins with types, a name, and a length.
fn declares_array(line: &str) -> bool {
    const TYPES: [&str; 7] = ["_Bool", "char", "short", "int", "long", "signed", "unsigned"];
    let Some(end) = line.find(['[', '(', '=', ';']).filter(|&end| line[end..].starts_with('['))
    else {
        return false;
    };
    let mut words: Vec<&str> = line[..end].split_whitespace().collect();
    words.pop().is_some() && !words.is_empty() && words.iter().all(|word| TYPES.contains(word))
}

/// What a run has told.
fn parse(told: &str) -> Executed {
    let (mut ended, mut finals) = (Ended::Lost, Vec::new());
    for line in told.lines().skip(1) {
        let mut words = line.split(' ');
        let first = words.next().unwrap_or_default();
        if first == "end" {
            let what = words.next().unwrap_or_default();
            let line = words.next().and_then(|line| line.parse().ok()).unwrap_or(0);
            ended = match what {
                "finished" | "beginning" => Ended::Finished,
                "excluded" => Ended::Excluded,
                "assertion" => Ended::Fault("an assertion is violated", line),
                "error" => Ended::Fault("an error is reached", line),
                "bounds" => Ended::Fault("an index is out of bounds", line),
                "division" => Ended::Fault("a number is divided by zero", line),
                "shift" => Ended::Fault("a number is shifted by too many places", line),
                "overflow" => Ended::Fault(super::OVERFLOW, line),
                "negative" => Ended::Undefined,
                _ => Ended::Lost,
            };
        } else {
            finals.push((first.to_owned(), words.filter_map(|word| word.parse().ok()).collect()));
        }
    }
    Executed { ended, finals }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_arrays_are_found() {
        for line in ["unsigned char a1[2][4] = {{-2}};", "_Bool v[4] = {128};"] {
            assert!(declares_array(line), "{line}");
        }
        for line in ["a0[x & 3] = 1;", "int f0(long p0[]) {", "return a0[1];", "int x = a0[1];"] {
            assert!(!declares_array(line), "{line}");
        }
    }

    #[test]
    fn what_runs_tell_is_read() {
        let executed = parse("3\nend overflow 12\nseen 7\na0 1 -2 3\n");
        assert_eq!(executed.ended, Ended::Fault("a signed number overflows", 12));
        assert_eq!(
            executed.finals,
            [("seen".to_owned(), vec![7]), ("a0".to_owned(), vec![1, -2, 3])]
        );
        assert_eq!(parse("0\nend lost 0\n").ended, Ended::Lost);
    }
}

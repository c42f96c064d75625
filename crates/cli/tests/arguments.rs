//! The command line that helps, and the inputs it takes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod feed;
mod folder;

use std::io::Write as _;
use std::process::{Command, Output};

use feed::feed;
use flate2::Compression;
use flate2::write::GzEncoder;
use folder::Folder;

const PROBLEM: &str = "(set-logic HORN)(declare-fun p () Bool)(assert p)(check-sat)\n";

/// The problem, compressed by `xz`.
const XZ: &str = "fd377a585a000004e6d6b4460200210116000000742fe5a301003c287365742d6c6f67696320484f524e29286465636c\
    6172652d66756e207020282920426f6f6c292861737365727420702928636865636b2d736174290a00000000343b5555\
    4edb4e3b0001553d2b5022bf1fb6f37d010000000004595a";
/// The problem, compressed by `zstd`, with a check sum.
const ZSTD: &str = "28b52ffd0458e90100287365742d6c6f67696320484f524e29286465636c6172652d66756e207020282920426f6f6c29\
    2861737365727420702928636865636b2d736174290af0121991";

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        hexadecimal.chars().map(|c| u8::try_from(c.to_digit(16).unwrap()).unwrap()).collect();
    digits.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect()
}

/// Runs the program with `input` on its standard input.
fn shofar(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
    feed(command.args(arguments), [input])
}

fn answers(arguments: &[&str], input: &[u8], expected: &str) {
    let output = shofar(arguments, input);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(found.starts_with(expected), "{arguments:?}: {found}{errors}");
    assert!(output.status.success(), "{arguments:?}: {errors}");
}

fn refuses(arguments: &[&str], input: &[u8], expected: &str) {
    let output = shofar(arguments, input);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains(expected), "{arguments:?}: {errors}");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
}

#[test]
fn other_spellings() {
    let problem = PROBLEM.as_bytes();
    answers(&["-T:20", "-smt2", "-in"], problem, "sat\n");
    answers(&["--print-witness", "--validate", "-l", "QF_LIA"], problem, "sat\n(");
    answers(&["-ssol", "-cex", "-horn", "-portfolio"], problem, "sat\n(");
    answers(&["-model"], problem, "sat\n(");
    refuses(&["-t:5"], problem, "write `--timeout SECONDS`");
    refuses(&["fp.engine=spacer"], problem, "`--engine spacer`");
    answers(&["smt", "-T:5", "-in"], b"(check-sat)", "sat");
}

#[test]
fn mistakes_are_answered() {
    refuses(&["a.smt2", "b.smt2"], b"", "`shofar bench` takes many");
    refuses(&["--witness", "short", "a.smt2"], b"", "--witness=short");
    refuses(&["chekc", "a", "b"], b"", "did you mean `shofar check`?");
    refuses(&["--engine", "spacr"], b"", "did you mean spacer? (there are spacer, bmc, kind");
    refuses(&["--engine", "spacer,"], b"", "a name of engine is missing");
    refuses(
        &["--passes", "slice,simplfy"],
        b"",
        "column 7: there is no pass `simplfy`; did you mean simplify?",
    );
    refuses(&["--passes", "invariants(efect=drop)"], b"", "did you mean effect?");
}

#[test]
fn options_of_engines_that_do_not_run() {
    let problem = PROBLEM.as_bytes();
    refuses(
        &["--engine", "bmc", "--spacer-off", "subsume"],
        problem,
        "--spacer-off is an option of spacer, which does not run",
    );
    refuses(
        &["--engine", "spacer", "--tpa-qe"],
        problem,
        "--tpa-qe is an option of tpa or split-tpa",
    );
    answers(&["--spacer-off", "subsume", "--tpa-qe", "--lawi-force", "2"], problem, "sat\n");
    answers(&["--engine", "bmc,tpa", "--tpa-qe"], problem, "sat\n");
    refuses(&["--engine", "pdkind", "--instances", "1000"], problem, "a number from 1 to 64");
}

#[test]
fn the_command_to_solve() {
    answers(&["solve", "-"], PROBLEM.as_bytes(), "sat\n");
    answers(&["solve", "-ssol", "-T:20"], PROBLEM.as_bytes(), "sat\n(");
    refuses(&["solve", "--engine", "bmc", "--tpa-qe"], b"", "which does not run");
    refuses(&["solve", "a.smt2", "b.smt2"], b"", "`shofar bench` takes many");
    refuses(&["slove", "a.smt2"], b"", "did you mean `shofar solve`?");
    // A file of this name is solved where no other one is given.
    let folder = Folder::new("solve");
    folder.write("solve", PROBLEM);
    folder.write(
        "other",
        "(set-logic HORN)(declare-fun p () Bool)(assert p)(assert (not p))(check-sat)",
    );
    let shofar = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
        feed(command.args(words).current_dir(folder.path()), [&b"(wrong"[..]])
    };
    for (words, expected) in [
        (&["solve"][..], "sat\n"),
        (&["solve", "--timeout", "20"], "sat\n"),
        (&["solve", "solve"], "sat\n"),
        (&["./solve"], "sat\n"),
        (&["solve", "other"], "unsat\n"),
    ] {
        let output = shofar(words);
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{words:?}");
    }
}

#[test]
fn engines_come_from_the_table() {
    answers(
        &["engines"],
        b"",
        "spacer     property-directed reachability with global guidance: any clauses [VCSG20]\n",
    );
    answers(&["engines", "lawi"], b"", "lawi: lazy abstraction with interpolants");
    refuses(&["engines", "lawy"], b"", "did you mean lawi?");
    answers(&["passes"], b"", "normalize ");
    answers(&["passes", "invariants"], b"", "invariants: find invariants");
    refuses(&["passes", "slize"], b"", "did you mean slice?");
    refuses(&["--engine", "pdkind", "--pdkind-dept", "2"], b"", "'--pdkind-depth'");
}

#[test]
fn compressed_inputs() {
    for (name, archive) in [("xz", bytes(XZ)), ("zstd", bytes(ZSTD))] {
        answers(&[], &archive, "sat\n");
        // Two archives behind each other are one text.
        let both: Vec<u8> = [&archive[..], &archive[..]].concat();
        refuses(&[], &both, "the logic is already set");
        let expected = format!("it is compressed by {name}, and damaged");
        for length in [10, archive.len() / 2, archive.len() - 1] {
            refuses(&[], &archive[..length], &expected);
        }
        let mut changed = archive.clone();
        changed[archive.len() / 2] ^= 0x55;
        refuses(&[], &changed, &expected);
    }
    refuses(&[], b"BZh91AY&SY", "unpack it with `bunzip2`");
}

/// Megabytes of spaces behind `text`, compressed by gzip.
fn gzip_bomb(text: &str, megabytes: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).unwrap();
    let piece = vec![b' '; 1 << 20];
    (0..megabytes).for_each(|_| encoder.write_all(&piece).unwrap());
    encoder.finish().unwrap()
}

/// Megabytes of spaces as `zstd` would compress them: blocks of 128 kilobytes that repeat one byte.
fn zstd_bomb(megabytes: u32) -> Vec<u8> {
    let mut archive = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x50];
    for block in (0..8 * megabytes).rev() {
        let header = u32::from(block == 0) | 1 << 1 | (128 << 10) << 3;
        archive.extend_from_slice(&header.to_le_bytes()[..3]);
        archive.push(b' ');
    }
    archive
}

#[test]
fn archives_that_are_no_texts_are_refused_before_they_fill_the_memory() {
    let dense = "it has more than 16 megabytes when unpacked, far more than such a file has";
    for archive in [gzip_bomb(PROBLEM, 30), zstd_bomb(600)] {
        for arguments in [&[][..], &["smt"], &["info", "-"], &["translate", "-"]] {
            refuses(arguments, &archive, dense);
        }
    }
    // A witness as well.
    let name = format!("{}/bomb.smt2", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&name, PROBLEM).unwrap();
    refuses(&["check", &name, "-"], &gzip_bomb("sat", 20), dense);
    refuses(&["check", "-", &name], &gzip_bomb(PROBLEM, 20), dense);
    // What is small may be as dense as it likes.
    answers(&[], &gzip_bomb(PROBLEM, 8), "sat\n");
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let marked = format!("\u{feff}{PROBLEM}");
    answers(&[], marked.as_bytes(), "sat\n");
    answers(&["smt"], "\u{feff}(check-sat)".as_bytes(), "sat\n");
    refuses(&[], "\u{feff}(check-zat)".as_bytes(), "<stdin>:1:2: ");
}

#[test]
fn a_negative_number_is_written_with_a_space() {
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p -42))(check-sat)";
    refuses(&[], text.as_bytes(), "a negative number is written `(- 42)`");
}

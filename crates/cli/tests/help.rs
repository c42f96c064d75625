//! Help in terminals of several widths, and the words that complete a command line.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

/// Widths of terminals; no line is longer than 100 columns in any of them.
const WIDTHS: [usize; 5] = [40, 60, 80, 100, 200];
const WIDEST: usize = 100;

fn shofar(words: &[&str], width: usize) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
    let output = command.args(words).env("COLUMNS", width.to_string()).output().unwrap();
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The names of all engines.
fn engines() -> Vec<String> {
    let list = shofar(&["engines"], WIDEST);
    let lines = list.lines().take_while(|line| !line.is_empty());
    let lines = lines.filter(|line| !line.starts_with(' '));
    lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

/// All pages of help, and those that are laid out in the same way.
fn pages() -> Vec<Vec<String>> {
    let mut pages = vec![
        vec!["-h".to_owned()],
        vec!["--help".to_owned()],
        vec!["engines".into()],
        vec!["passes".into()],
    ];
    let list = shofar(&["-h"], 100);
    let commands = list.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    for line in commands.lines() {
        let name = line.split_whitespace().next().unwrap();
        if name != "help" {
            pages.extend(["-h", "--help"].map(|flag| vec![name.to_owned(), flag.to_owned()]));
        }
    }
    pages.extend(engines().into_iter().map(|name| vec!["engines".to_owned(), name]));
    assert!(pages.len() > 40, "{pages:?}");
    pages
}

#[test]
fn the_short_help_is_short() {
    for width in [80, 100, 200] {
        let lines = shofar(&["-h"], width).lines().count();
        assert!(lines <= 45, "{lines} lines at {width} columns");
        let lines = shofar(&["--help"], width).lines().count();
        assert!(lines <= 190, "{lines} lines at {width} columns");
    }
}

#[test]
fn lines_are_wrapped_where_the_terminal_ends() {
    for page in pages() {
        let words: Vec<&str> = page.iter().map(String::as_str).collect();
        for width in WIDTHS {
            let text = shofar(&words, width);
            let width = width.min(WIDEST);
            for line in text.lines() {
                let length = line.chars().count();
                // The parser writes the usage, and a word cannot be broken.
                let is_exempt = line.starts_with("Usage: ")
                    || line.starts_with("       shofar")
                    || line.split_whitespace().count() == 1;
                assert!(length <= width || is_exempt, "{words:?} at {width}: {line}");
            }
            check_paragraphs(&text, width, &words);
        }
    }
}

/// No line of a paragraph ends before it is full.
fn check_paragraphs(text: &str, width: usize, words: &[&str]) {
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.windows(2) {
        let is_inside = |line: &str| !line.is_empty() && !line.starts_with(' ');
        let next = pair[1].split_whitespace().next().unwrap_or_default();
        let is_list = ["engines", "passes"].map(Some).contains(&words.first().copied())
            && words.get(1) != Some(&"-h");
        if is_inside(pair[0]) && is_inside(pair[1]) && !pair[0].ends_with(':') && !is_list {
            let length = pair[0].chars().count() + 1 + next.chars().count();
            assert!(length > width, "{words:?} at {width}: {:?} ends too soon", pair[0]);
        }
    }
}

#[test]
fn options_of_engines_are_told_where_they_belong() {
    let (short, long, manual) =
        (shofar(&["-h"], 100), shofar(&["--help"], 100), shofar(&["manual"], 100));
    let manual = manual.replace("\\-", "-");
    let mut told: Vec<String> = Vec::new();
    for name in engines() {
        let page = shofar(&["engines", &name], 100);
        let options = page.lines().filter_map(|line| line.strip_prefix("  --"));
        told.extend(options.map(|option| option.split_whitespace().next().unwrap().to_owned()));
    }
    told.sort();
    told.dedup();
    assert!(told.len() >= 32, "{told:?}");
    for option in told {
        let option = format!("--{option}");
        let has = |text: &str| text.lines().any(|line| line.trim_start().starts_with(&option));
        assert!(!has(&short) && !has(&long), "{option} is about one engine");
        assert!(manual.contains(&option), "the manual has no {option}");
    }
    assert!(long.contains("Coming from z3, Golem or Eldarica:"));
}

#[test]
fn the_version_names_the_commit() {
    let version = shofar(&["--version"], 80);
    let number = env!("CARGO_PKG_VERSION");
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let ours = git(&["ls-files", "--error-unmatch", "Cargo.toml"]);
    let commit =
        ours.and_then(|_| git(&["log", "-1", "--abbrev=8", "--date=short", "--format=%h %cd"]));
    match commit {
        Some(commit) => assert_eq!(version, format!("shofar {number} ({commit})\n")),
        None => assert_eq!(version, format!("shofar {number}\n")),
    }
}

/// What bash offers when the last of these words is completed, as it takes them apart.
fn completed(words: &[&str]) -> Vec<String> {
    let script = shofar(&["completions", "bash"], 80);
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let last = words.len() - 1;
    let (current, before) = (&quoted[last], &quoted[last - 1]);
    let call = format!(
        "{script}\nCOMP_WORDS=({})\nCOMP_CWORD={last}\n_shofar_complete shofar {current} {before}\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" ")
    );
    let output = Command::new("bash").args(["-c", &call]).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn bash_completes_values() {
    if Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    for (words, expected) in [
        (&["shofar", "--engine", "sp"][..], &["spacer", "split-tpa"][..]),
        (&["shofar", "-e", "imc,k"], &["imc,kind"]),
        (&["shofar", "-e", "imc,kind,pd"], &["imc,kind,pdkind"]),
        (&["shofar", "--engine", "=", "sp"], &["spacer", "split-tpa"]),
        (&["shofar", "--engine", "=", "bmc,tp"], &["bmc,tpa"]),
        (&["shofar", "--engine=bmc,tp"], &["--engine=bmc,tpa"]),
        (&["shofar", "--spacer-off", "subsume,con"], &["subsume,conjecture", "subsume,concretize"]),
        (&["shofar", "--share", "in"], &["induct"]),
        (&["shofar", "--pa-refine", ""], &["ti", "di"]),
        (&["shofar", "--passes", "normal"], &["normalize"]),
        (&["shofar", "--passes", "slice,inv"], &["slice,invariants"]),
        (&["shofar", "--c-arith", "wr"], &["wrap-check"]),
        (&["shofar", "translate", "--format", "pro"], &["prolog"]),
        (&["shofar", "solve", "--engine", "lawi,da"], &["lawi,dar"]),
        (&["shofar", "engines", "spa"], &["spacer"]),
        (&["shofar", "tran"], &["translate"]),
        (&["shofar", "--pdkind-de"], &["--pdkind-depth"]),
    ] {
        assert_eq!(completed(words), expected, "{words:?}");
    }
    let styles = completed(&["shofar", "--witness", "="]);
    assert!(["full", "short", "source"].iter().all(|style| styles.iter().any(|s| s == style)));
}

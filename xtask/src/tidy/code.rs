//! What code below the command line must not do: look at the clock, read files or the environment,
//! keep global state, or use a hash table that gives away its order.
//!
//! Each thing has a word by which it is recognised, and the places that may have it, with their
//! reasons. Comments and tests may name anything.

use super::{Findings, Source};

/// Something that only some places may do.
struct Rule {
    words: &'static [&'static str],
    why: &'static str,
    /// Beginnings of paths, each with its reason.
    places: &'static [(&'static str, &'static str)],
}

/// Programs, and what only tests use.
const PROGRAMS: &[&str] =
    &["crates/cli/", "crates/bench/", "crates/cluster/", "crates/testkit/", "xtask/"];

const RULES: &[Rule] = &[
    Rule {
        words: &["Instant::now", "SystemTime"],
        why: "only budgets look at the clock",
        places: &[
            ("crates/base/src/budget.rs", "the limit on time itself"),
            ("crates/base/src/clock.rs", "the clock itself"),
            ("crates/driver/src/", "the portfolio shares out time slices and reports times"),
            ("crates/shofar/src/", "a timeout begins when the solver is called"),
        ],
    },
    Rule {
        words: &["std::fs", "std::env", "fs::read", "env::var"],
        why: "only programs read files and the environment",
        places: &[],
    },
    Rule {
        words: &["static mut", "thread_local!", "OnceLock", "LazyLock"],
        why: "there is no global state",
        places: &[("crates/base/src/clock.rs", "WebAssembly has no clock but the one handed in")],
    },
    Rule {
        words: &["hashbrown::HashMap", "hashbrown::HashSet", "hash_map::HashMap"],
        why: "hash tables that can be iterated over; use `Map` and `Set` of `shofar_base`",
        places: &[("crates/base/src/map.rs", "the types without iteration are made of them")],
    },
];

/// Checks the code of every library.
pub(super) fn check(sources: &[Source], findings: &mut Findings) {
    for source in sources.iter().filter(|source| is_library(source)) {
        for (number, line) in code(&source.text) {
            for rule in RULES {
                let is_allowed =
                    rule.places.iter().any(|(place, _)| source.path.starts_with(place));
                if let Some(word) = rule.words.iter().find(|word| line.contains(*word))
                    && !is_allowed
                {
                    findings.error(format!("{}:{number}: `{word}`: {}", source.path, rule.why));
                }
            }
        }
    }
}

fn is_library(source: &Source) -> bool {
    let is_test = |part: &str| matches!(part, "tests" | "examples" | "benches" | "tests.rs");
    source.is_rust()
        && !PROGRAMS.iter().any(|program| source.path.starts_with(program))
        && !source.path.split('/').any(is_test)
}

/// The lines of code, with their numbers: no comments, and nothing behind the beginning of the
/// tests.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines())
        .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
        .map(|(number, line)| (number, line.split("//").next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::super::errors_of;
    use super::*;

    fn errors(path: &str, text: &str) -> usize {
        errors_of(check, path, text).len()
    }

    #[test]
    fn only_some_places_look_at_the_clock() {
        let text = "//! Now.\nlet start = Instant::now(); // Instant::now\n";
        assert_eq!(errors("crates/engine/src/spacer/search.rs", text), 1);
        assert_eq!(errors("crates/base/src/budget.rs", text), 0);
        assert_eq!(errors("crates/engine/tests/loops.rs", text), 0);
        assert_eq!(errors("crates/cli/src/main.rs", text), 0);
        let tests = "//! Now.\n#[cfg(test)]\nmod tests { fn f() { Instant::now(); } }\n";
        assert_eq!(errors("crates/engine/src/link.rs", tests), 0);
    }

    #[test]
    fn no_files_no_globals_no_open_tables() {
        for text in ["std::fs::read(p)", "static mut X: u8", "hashbrown::HashMap<u8, u8>"] {
            assert_eq!(errors("crates/term/src/store.rs", text), 1, "{text}");
            assert_eq!(errors("crates/term/src/store.rs", &format!("// {text}")), 0, "{text}");
        }
    }
}

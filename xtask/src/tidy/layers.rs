//! The layer rule: a crate depends on strictly lower layers only, so peers cannot know each other.

use super::{Findings, Source};

/// Crates by layer, lowest first.
const LAYERS: &[&[&str]] = &[
    &["base", "num"],
    &["sat", "term", "domain"],
    &["theory", "proof", "smtlib"],
    &["smt", "chc"],
    &["mbp", "rf", "accelerate", "draw", "frontend"],
    &["engine", "transform", "check"],
    &["driver"],
    &["shofar"],
    &["bench", "termination"],
    &["cluster"],
    &["cli"],
];
/// Crates for development: only tests and other such crates may use them.
const DEVELOPMENT: &[&str] = &["testkit", "xtask"];

/// Crates of lower layers that must not be used all the same: what checks a solver shares no code
/// with it.
const EXCLUDED: &[(&str, &[&str])] = &[("proof", &["sat"])];

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

/// Checks the manifest of every crate.
pub(super) fn check(sources: &[Source], findings: &mut Findings) {
    for source in sources {
        let parts: Vec<&str> = source.path.split('/').collect();
        if let ["crates", name, "Cargo.toml"] = parts[..] {
            check_manifest(name, source, findings);
        }
    }
}

fn check_manifest(name: &str, source: &Source, findings: &mut Findings) {
    if layer(name).is_none() && !DEVELOPMENT.contains(&name) {
        findings.error(format!("{}: crate `{name}` has no layer", source.path));
        return;
    }
    let mut section = "";
    for line in source.text.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']);
        } else if let Some(used) = used_crate(section, line) {
            let for_tests = section == "dev-dependencies";
            let allowed = match (layer(name), layer(used)) {
                (Some(own), Some(other)) => other < own && !is_excluded(name, used),
                (Some(_), None) => for_tests && DEVELOPMENT.contains(&used),
                (None, _) => true,
            };
            if !allowed {
                findings
                    .error(format!("{}: `{name}` may not use `{used}` ({section})", source.path));
            }
        }
    }
}

fn is_excluded(name: &str, used: &str) -> bool {
    EXCLUDED.iter().any(|(own, others)| *own == name && others.contains(&used))
}

/// The crate of ours that a line of a dependency section names.
fn used_crate<'a>(section: &str, line: &'a str) -> Option<&'a str> {
    if !section.ends_with("dependencies") {
        return None;
    }
    let name = line.split(['.', ' ', '=']).next()?;
    if name == "shofar" { Some(name) } else { name.strip_prefix("shofar-") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(name: &str, manifest: &str) -> usize {
        let source =
            Source { path: format!("crates/{name}/Cargo.toml"), text: manifest.to_owned() };
        let mut findings = Findings::default();
        check(&[source], &mut findings);
        findings.errors.len()
    }

    #[test]
    fn only_lower_layers() {
        assert_eq!(errors("term", "[dependencies]\nshofar-num.workspace = true"), 0);
        assert_eq!(errors("term", "[dependencies]\nshofar-sat.workspace = true"), 1);
        assert_eq!(errors("sat", "[dependencies]\nshofar-theory = { path = \"../theory\" }"), 1);
        assert_eq!(errors("sat", "[dev-dependencies]\nshofar-testkit.workspace = true"), 0);
        assert_eq!(errors("sat", "[dependencies]\nshofar-testkit.workspace = true"), 1);
        assert_eq!(errors("driver", "[dependencies]\nshofar.workspace = true"), 1);
        assert_eq!(errors("cli", "[dependencies]\nshofar.workspace = true"), 0);
        assert_eq!(errors("surprise", ""), 1);
        assert_eq!(errors("proof", "[dependencies]\nshofar-term.workspace = true"), 0);
        for solver in ["sat", "theory", "smt"] {
            let manifest = format!("[dependencies]\nshofar-{solver}.workspace = true");
            assert_eq!(errors("proof", &manifest), 1, "{solver}");
        }
    }
}

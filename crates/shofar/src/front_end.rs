//! The languages that problems are written in.
//!
//! A front end is a row: its name, the extensions of its files, how its texts are recognised, what
//! they ask, and its reader. Everything above the table treats languages alike; the positions in
//! the clauses lead back to the text, whatever the language. How a row is added is told in
//! `docs/adding-a-front-end.md`.

use std::path::Path;

use shofar_chc::read::{FrontEnd, SMT_LIB};
use shofar_chc::serial::SERIALISED;
use shofar_frontend::{ARI, C, NTS, PROLOG, UPPAAL, VMT};

/// Every front end; the first one reads what no other one recognises, and says what is wrong with
/// it.
pub const FRONT_ENDS: &[FrontEnd] = &[SMT_LIB, SERIALISED, PROLOG, NTS, VMT, UPPAAL, C, ARI];

/// The front end for a text: by the extension of its file, if it has one that is known, else by its
/// content. Extensions of compressed files, such as `.gz`, are looked through.
pub fn front_end_for(file: Option<&Path>, text: &[u8]) -> &'static FrontEnd {
    let by_name = file.and_then(|file| {
        let name = file.file_name()?.to_str()?.to_ascii_lowercase();
        let extensions = name.rsplit('.').take(2);
        let known = |extension: &str| {
            FRONT_ENDS.iter().find(|front_end| front_end.extensions.contains(&extension))
        };
        extensions.into_iter().find_map(known)
    });
    by_name
        .or_else(|| FRONT_ENDS[1..].iter().find(|front_end| (front_end.recognises)(text)))
        .unwrap_or(&FRONT_ENDS[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(file: &str, text: &[u8]) -> &'static str {
        front_end_for(Some(Path::new(file)), text).name
    }

    #[test]
    fn the_extension_decides_and_else_the_content() {
        assert_eq!(name("a/problem.smt2", b""), SMT_LIB.name);
        assert_eq!(name("problem.SMT2.gz", b""), SMT_LIB.name);
        assert_eq!(name("problem.txt", b" ; a comment\n(check-sat)"), SMT_LIB.name);
        assert_eq!(name("problem.shofar", b"(check-sat)"), SERIALISED.name);
        assert_eq!(name("loop.nts.horn", b"(check-sat)"), PROLOG.name);
        assert_eq!(name("loop.txt", b"p(0). false :- p(1)."), PROLOG.name);
        assert_eq!(name("loop.txt", b"/* a loop */ nts loop; main { }"), NTS.name);
        assert_eq!(name("loop.vmt.gz", b"(declare-fun x () Int)"), VMT.name);
        assert_eq!(name("lamp.xml.gz", b""), UPPAAL.name);
        assert_eq!(name("lamp.txt", b"<?xml version='1.0'?><nta></nta>"), UPPAAL.name);
        assert_eq!(name("lamp.txt", b"clock x; process P() { state s; }"), UPPAAL.name);
        assert_eq!(name("loop.i.xz", b"int main() { }"), C.name);
        assert_eq!(name("loop.txt", b"/* a loop */\n#include <a.h>\nint main (void) { }"), C.name);
        assert_eq!(name("loop.txt", b"; int main()\n(check-sat)"), SMT_LIB.name);
        assert_eq!(name("loop.txt", b"main(0). false :- main(1)."), PROLOG.name);
        assert_eq!(name("loop.txt", b"int domain(int x);"), SMT_LIB.name);
        assert_eq!(name("loop.ari", b"(format LCTRS)"), ARI.name);
        assert_eq!(name("loop.txt", b"; a loop\n( format LCTRS :smtlib 2.6)"), ARI.name);
        assert_eq!(name("loop.smt2", b"(format LCTRS)"), SMT_LIB.name);
        assert_eq!(name("loop.txt", b"(formats LCTRS)"), SMT_LIB.name);
        assert_eq!(name("loop.txt", b"(assert (process x (f 1)))"), SMT_LIB.name);
        assert_eq!(front_end_for(None, b"what is this?").name, SMT_LIB.name);
    }

    #[test]
    fn no_two_rows_have_a_name_or_an_extension_in_common() {
        for (at, row) in FRONT_ENDS.iter().enumerate() {
            assert!(!row.extensions.is_empty() && !row.about.is_empty());
            for other in &FRONT_ENDS[..at] {
                assert_ne!(row.name, other.name);
                assert!(!row.extensions.iter().any(|e| other.extensions.contains(e)));
            }
        }
    }
}

//! What the beginning of a text from a pipe tells about its language.

use shofar::{FRONT_ENDS, FrontEnd, Texts};

/// Whether a text begins as scripts do not: they have a parenthesis behind blanks and comments, and
/// then not the word that texts of another language begin with. Nothing if more has to be seen.
pub(super) fn begins_otherwise(mut begin: &[u8]) -> Option<bool> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    if BYTE_ORDER_MARK.starts_with(begin) {
        return None;
    }
    begin = begin.strip_prefix(BYTE_ORDER_MARK).unwrap_or(begin);
    loop {
        begin = begin.trim_ascii_start();
        match begin {
            [] => return None,
            [b';', rest @ ..] => begin = &rest[rest.iter().position(|&byte| byte == b'\n')?..],
            [b'(', rest @ ..] => {
                let rest = rest.trim_ascii_start();
                let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric());
                let word = &rest[..end.unwrap_or(rest.len())];
                let mut others = FRONT_ENDS.iter().filter_map(first_word);
                return match end {
                    None if others.clone().any(|other| other.starts_with(word)) => None,
                    Some(_) | None => Some(others.any(|other| other == word)),
                };
            }
            _ => return Some(true),
        }
    }
}

/// The word behind the parenthesis of texts that are no scripts.
fn first_word(row: &FrontEnd) -> Option<&'static [u8]> {
    match row.texts {
        Texts::WholeAfter(word) => Some(word.as_bytes()),
        Texts::Script | Texts::Whole => None,
    }
}

#[cfg(test)]
mod tests {
    use super::begins_otherwise;

    #[test]
    fn the_beginning_tells_scripts_from_other_texts() {
        for (begin, expected) in [
            ("", None),
            (" ; (a comment", None),
            ("; a comment\n (", None),
            ("(form", None),
            ("(format", None),
            ("(format ", Some(true)),
            ("( format)", Some(true)),
            ("(formats", Some(false)),
            ("(set", Some(false)),
            ("()", Some(false)),
            ("% a", Some(true)),
            (";\n;\nint main", Some(true)),
            ("\u{feff}", None),
            ("\u{feff}(check-sat)", Some(false)),
        ] {
            assert_eq!(begins_otherwise(begin.as_bytes()), expected, "{begin}");
        }
    }
}

//! Text in XML.

/// Text that XML does not mistake for markup; control characters, which it forbids, become `�`, but
/// for line breaks and tabs.
pub fn xml_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            c if c.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_mistaken_for_markup() {
        assert_eq!(xml_text("a<b & \"c\">\u{1}\u{ffff}\n"), "a&lt;b &amp; &quot;c&quot;&gt;��\n");
    }
}

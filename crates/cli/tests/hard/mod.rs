//! A problem that nobody decides soon.

/// Twelve pieces of text.
pub(crate) fn twelve(piece: impl Fn(usize) -> String) -> String {
    (0..12).map(piece).collect::<Vec<_>>().concat()
}

/// A system that nobody decides soon: x = y² with a question about a number that is no square, a
/// million steps away. No linear invariant helps. The other variables make each step a little work.
/// The question itself is left to the caller.
pub(crate) fn hard() -> String {
    let binders = twelve(|i| format!("(x{i} Int)"));
    let args = twelve(|i| format!(" x{i}"));
    let step = twelve(|i| match i {
        0 => " (+ x0 x1 x1 1)".to_owned(),
        1 => " (+ x1 1)".to_owned(),
        i => format!(" (ite (< x{i} x1) (+ x{} {i}) x{i})", i - 1),
    });
    let sorts = "Int ".repeat(12);
    let zero = " 0".repeat(12);
    format!(
        "(set-logic HORN)(declare-fun p ({sorts}) Bool)(assert (p{zero}))\n\
         (assert (forall ({binders}) (=> (p{args}) (p{step}))))\n\
         (assert (forall ({binders}) (=> (and (p{args}) (= x0 1000000000039) (> x11 x10)) false)))"
    )
}

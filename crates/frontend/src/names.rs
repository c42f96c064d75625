//! Names of parameters that a model can be printed with.

/// Functions of SMT-LIB that occur in models, so that no parameter may have their names.
const FUNCTIONS: [&str; 17] = [
    "and", "or", "not", "xor", "ite", "distinct", "mod", "div", "abs", "to_real", "to_int",
    "is_int", "select", "store", "concat", "extract", "repeat",
];

/// Gives parameters that are called like functions other names; [`plain`] is the way back.
pub(crate) fn rename_functions(names: &mut [String]) {
    for name in names.iter_mut().filter(|name| FUNCTIONS.contains(&name.as_str())) {
        // No name of a program has a full stop at its end, so this one is nobody else's.
        name.push('.');
    }
}

/// What the user calls a parameter.
pub(crate) fn plain(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

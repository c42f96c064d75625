//! `shofar solc-shim DIR`: the scripts that are called in the place of `eld`, `z3` and `golem`.
//!
//! Scripts rather than links: what they do can be read in them, and a name that is found on the
//! path says nothing about who put it there. A file that is not one of ours is not overwritten.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::ExitCode;

use crate::arguments::ShimArguments;
use crate::output::Channel;
use crate::text::fail;

/// The names that the compiler looks for, in the order in which it prefers them, and one that only
/// verifiers look for.
const NAMES: [&str; 3] = ["eld", "z3", "golem"];
/// The second line of a script of ours, by which it is known.
const MARK: &str = "# Made by `shofar solc-shim`: Shofar answers in the place of this solver.";

/// `shofar solc-shim DIR`.
pub(crate) fn install(arguments: &ShimArguments) -> ExitCode {
    let (output, errors) = Channel::standard();
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return fail(&format!("cannot tell where this program is: {error}"), &errors),
    };
    match write_scripts(&arguments.folder, &program) {
        Ok(told) => {
            output.write(&told);
            output.close(ExitCode::SUCCESS)
        }
        Err(message) => fail(&message, &errors),
    }
}

/// Writes the scripts; gives what there is to say about them.
fn write_scripts(folder: &Path, program: &Path) -> Result<String, String> {
    let failed =
        |path: &Path, error: &io::Error| format!("cannot write {}: {error}", path.display());
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let paths = NAMES.map(|name| folder.join(name));
    if let Some(path) = paths.iter().find(|path| is_foreign(path)) {
        return Err(format!("{} is there already, and is not ours", path.display()));
    }
    for (name, path) in NAMES.iter().zip(&paths) {
        let text = format!("#!/bin/sh\n{MARK}\nexec {} as {name} \"$@\"\n", shell_word(program));
        let written = fs::write(path, text)
            .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o755)));
        written.map_err(|error| failed(path, &error))?;
    }
    let paths = paths.map(|path| path.display().to_string()).join("\n");
    let folder = fs::canonicalize(folder).map_err(|error| failed(folder, &error))?;
    let path = shell_word(&folder);
    Ok(format!("{paths}\nPut the folder first on the path of the compiler: PATH={path}:$PATH\n"))
}

/// Whether there is something that we have not written.
fn is_foreign(path: &Path) -> bool {
    // A link that leads nowhere is there, too.
    path.symlink_metadata().is_ok()
        && !fs::read_to_string(path).is_ok_and(|text| text.lines().nth(1) == Some(MARK))
}

/// A path as a shell reads it.
fn shell_word(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_shell() {
        assert_eq!(shell_word(Path::new("/a b/it's")), r"'/a b/it'\''s'");
    }
}

//! How much memory this process and the processes that it has started have, where the system tells.

use std::fs;

/// Resident bytes of this process and its children; 0 if the system does not tell.
pub(crate) fn resident() -> u64 {
    let children = children();
    let own = std::iter::once("self".to_owned());
    let kilobytes = own.chain(children).filter_map(|process| kilobytes(&process)).sum::<u64>();
    kilobytes.saturating_mul(1024)
}

/// The children of all threads of this process; each thread has a list of those that it has
/// started.
fn children() -> Vec<String> {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The resident kilobytes of a process.
fn kilobytes(process: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn children_are_counted() {
        if !std::path::Path::new("/proc/self/status").exists() {
            return;
        }
        assert!(resident() > 100_000, "this process has some memory: {}", resident());
        let mut command = Command::new("sleep");
        let mut child = command.arg("10").stdin(Stdio::null()).spawn().unwrap();
        let is_listed = children().contains(&child.id().to_string());
        let has_lists = fs::metadata("/proc/self/task").is_ok_and(|_| {
            let own = format!("/proc/self/task/{}/children", std::process::id());
            fs::metadata(own).is_ok()
        });
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(is_listed || !has_lists);
    }
}

//! Runs a solver as a process, with input, a time limit and everything it says.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself, with this code.
    Code(i32),
    /// By a signal.
    Signal,
    /// It was stopped at the time limit.
    Timeout,
}

impl End {
    /// Whether the solver itself went wrong: a panic (101), a signal or the time limit.
    pub(crate) fn is_crash(self) -> bool {
        matches!(self, End::Code(101) | End::Signal)
    }
}

/// What a process did.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    pub(crate) end: End,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) time: Duration,
}

/// What a process reads.
pub(crate) enum Input<'a> {
    Nothing,
    Bytes(&'a [u8]),
}

/// Runs `program` to its end or to the limit.
pub(crate) fn run(
    program: &Path,
    arguments: &[&str],
    input: &Input<'_>,
    limit: Duration,
) -> Result<Ran, String> {
    let started = Instant::now();
    let stdin = match input {
        Input::Nothing => Stdio::null(),
        Input::Bytes(_) => Stdio::piped(),
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    let (done, finished) = mpsc::channel();
    let mut out = child.stdout.take().expect("stdout is piped");
    let mut err = child.stderr.take().expect("stderr is piped");
    let outputs = thread::scope(|scope| {
        if let (Input::Bytes(bytes), Some(mut pipe)) = (input, child.stdin.take()) {
            // A process that ends early closes its input; that is not our failure.
            scope.spawn(move || drop(pipe.write_all(bytes)));
        }
        let reader = scope.spawn(move || {
            let text = read_all(&mut out);
            done.send(()).unwrap_or_default();
            text
        });
        let errors = scope.spawn(move || read_all(&mut err));
        let in_time = finished.recv_timeout(limit).is_ok() && ends_by(&mut child, started + limit);
        if !in_time {
            drop(child.kill());
        }
        let status = child.wait();
        let time = started.elapsed();
        let stdout = reader.join().expect("reading does not panic");
        let stderr = errors.join().expect("reading does not panic");
        (in_time, status, time, stdout, stderr)
    });
    let (in_time, status, time, stdout, stderr) = outputs;
    let status = status.map_err(|error| error.to_string())?;
    let end = if in_time { end_of(status) } else { End::Timeout };
    Ok(Ran { end, stdout, stderr, time })
}

/// Waits for a process that has closed its output; it normally ends at once.
fn ends_by(child: &mut Child, deadline: Instant) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(_)) => return true,
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_micros(200)),
            Ok(None) | Err(_) => return false,
        }
    }
}

fn end_of(status: ExitStatus) -> End {
    status.code().map_or(End::Signal, End::Code)
}

fn read_all(pipe: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    drop(pipe.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask is a folder of the workspace").to_path_buf()
}

/// Where tasks put their files.
pub(crate) fn scratch(task: &str) -> Result<PathBuf, String> {
    let folder = target_folder().join(task);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Writes a file.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), String> {
    let written = File::create(path).and_then(|mut file| file.write_all(text));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// The z3 to compare with: as given, else `SHOFAR_Z3`, else `.venv/bin/z3`, else the one on the
/// path.
pub(crate) fn z3(given: Option<&Path>) -> PathBuf {
    if let Some(path) = given {
        return path.to_path_buf();
    }
    if let Some(path) = std::env::var_os("SHOFAR_Z3") {
        return PathBuf::from(path);
    }
    let local = root().join(".venv/bin/z3");
    if local.exists() { local } else { PathBuf::from("z3") }
}

/// How the solver is built.
#[derive(Clone, Copy)]
pub(crate) enum Build {
    /// Soon.
    Checks,
    /// As users have it, for measurements.
    Release,
}

/// The solver under test: as given, else a build that is brought up to date first.
pub(crate) fn shofar(given: Option<&Path>, build: Build) -> Result<PathBuf, String> {
    if let Some(path) = given {
        return Ok(path.to_path_buf());
    }
    let profile = match build {
        Build::Checks => "checks",
        Build::Release => "release",
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .current_dir(root())
        .args(["build", "--quiet", "--profile", profile, "--package", "shofar-cli"])
        .status()
        .map_err(|error| error.to_string())?;
    if !built.success() {
        return Err(format!("shofar cannot be built with the profile {profile}"));
    }
    Ok(target_folder().join(profile).join("shofar"))
}

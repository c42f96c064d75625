//! A NATS server for tests, on this machine only, a link to it that can be cut, and processes of
//! ours.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::folder::Folder;

/// How long a server may take to start.
const START: Duration = Duration::from_secs(20);

/// The program, if it is installed; otherwise the test says that it was skipped.
pub(crate) fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        std::env::split_paths(&path).chain(["/usr/sbin", "/usr/local/bin"].map(Into::into));
    let found = folders.map(|folder| folder.join("nats-server")).find(|path| path.is_file());
    if found.is_none() {
        say("skipped: nats-server is not installed, so nothing was tried with a real hub");
    }
    found
}

/// A line for who reads the log of the tests.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// A free port of this machine.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A server with its files in a folder.
pub(crate) struct Server {
    program: PathBuf,
    folder: PathBuf,
    pub(crate) port: u16,
    /// Lines of its configuration.
    configuration: String,
    /// Words about its streams.
    limits: String,
    child: Option<Child>,
}

impl Server {
    pub(crate) fn start(program: PathBuf, folder: &Path, configuration: &str) -> Self {
        let (folder, configuration) = (folder.to_owned(), configuration.to_owned());
        let mut server = Self {
            program,
            folder,
            port: free_port(),
            configuration,
            limits: String::new(),
            child: None,
        };
        server.restart();
        server
    }
    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
    /// Starts it again, with the files that it left.
    pub(crate) fn restart(&mut self) {
        self.kill();
        let file = self.folder.join("hub.conf");
        let store = self.folder.join("hub");
        let text = format!(
            "host: 127.0.0.1\nport: {}\njetstream {{ store_dir: \"{}\"\n{} }}\n{}\n",
            self.port,
            store.display(),
            self.limits,
            self.configuration
        );
        std::fs::write(&file, text).unwrap();
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.folder.join("hub.log"))
            .unwrap();
        let mut command = Command::new(&self.program);
        command.arg("-c").arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.child = Some(command.spawn().unwrap());
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begin.elapsed() < START, "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    /// Starts it again with other limits.
    pub(crate) fn limit(&mut self, limits: &str) {
        limits.clone_into(&mut self.limits);
        self.restart();
    }
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A way to the server that can be cut: connections stay, and nothing passes.
pub(crate) struct Link {
    pub(crate) port: u16,
    is_cut: Arc<AtomicBool>,
}

impl Link {
    pub(crate) fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap().port();
        let is_cut = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_cut);
        // The threads end with the tests.
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                let (Ok(near2), Ok(far2)) = (near.try_clone(), far.try_clone()) else { continue };
                let (one, other) = (Arc::clone(&flag), Arc::clone(&flag));
                std::thread::spawn(move || pass(near, far, &one));
                std::thread::spawn(move || pass(far2, near2, &other));
            }
        });
        Self { port: own, is_cut }
    }
    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
    pub(crate) fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
    }
    pub(crate) fn mend(&self) {
        self.is_cut.store(false, Ordering::SeqCst);
    }
}

/// Passes bytes on, unless the link is cut.
fn pass(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let mut bytes = [0; 1 << 14];
    while let Ok(count) = from.read(&mut bytes) {
        while is_cut.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(10));
        }
        if count == 0 || to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}

pub(crate) fn shofar(folder: &Folder, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
    command.args(words).current_dir(folder.path()).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"SHOFAR_HUB") {
            command.env_remove(name);
        }
    }
    command
}
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
pub(crate) fn succeed(output: &Output) -> String {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{:?}\n{out}\n{err}", output.status);
    out
}

/// A process that is ended with the test.
pub(crate) struct Process(pub(crate) Child);

impl Process {
    pub(crate) fn worker(folder: &Folder, name: &str, url: &str) -> Self {
        Self::worker_with(folder, name, &["--hub", url, "--lease", "2"], &[])
    }
    pub(crate) fn worker_with(
        folder: &Folder,
        name: &str,
        words: &[&str],
        set: &[(&str, &str)],
    ) -> Self {
        let log = folder.path().join(format!("{name}.log"));
        let log = std::fs::File::options().create(true).append(true).open(log).unwrap();
        let mut command = shofar(folder, &["worker", "--jobs", "1", "--name", name]);
        command.args(words).envs(set.iter().copied()).stdout(Stdio::null()).stderr(log);
        Self(command.spawn().unwrap())
    }
    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.0.id().try_into().unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended cannot be killed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

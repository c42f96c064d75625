//! Lemmas between a worker and the process of its solver.
//!
//! The worker listens on a socket in its folder, which nobody else may enter; the solver is told
//! where, and connects. Both write lemmas as they come, each with its length in four bytes in
//! front. The solver never waits for the socket: what does not fit into its queues is dropped, and
//! if the connection ends, it goes on alone. The hub, and the secrets for it, stay with the worker.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use shofar::Relay;

use crate::company::{Company, LONGEST_LEMMA};

/// How often it is looked whether the solver has connected, and whether it has ended.
const LOOK: Duration = Duration::from_millis(10);
/// How long a solver that does not read may hold up its worker.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many lemmas wait in each direction.
const QUEUE: usize = 1_000;
/// What the threads of a solver for this need is little.
const STACK: usize = 64 << 10;

/// Carries lemmas between the solver that connects to `listener` and the others, until it is
/// `over`.
pub(crate) fn carry(listener: &UnixListener, company: &Company<'_>, over: &AtomicBool) {
    let Some(stream) = accept(listener, over) else { return };
    let (Ok(()), Ok(mut reader)) = (stream.set_write_timeout(Some(PATIENCE)), stream.try_clone())
    else {
        return;
    };
    let mut writer = &stream;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while let Ok(lemma) = read(&mut reader) {
                company.say(lemma);
            }
        });
        while !over.load(Ordering::SeqCst) {
            if let Some(lemma) = company.hear(LOOK)
                && write(&mut writer, &lemma).is_err()
            {
                break;
            }
        }
        // The other thread notices; if the socket is closed already, it has.
        let _ = stream.shutdown(Shutdown::Both);
    });
}

/// The solver, if it connects before it is over.
fn accept(listener: &UnixListener, over: &AtomicBool) -> Option<UnixStream> {
    listener.set_nonblocking(true).ok()?;
    while !over.load(Ordering::SeqCst) {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).ok()?;
                return Some(stream);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(LOOK),
            Err(_) => return None,
        }
    }
    None
}

/// A relay for a solver whose worker listens at `path`.
pub fn relay_to(path: &Path) -> io::Result<Arc<dyn Relay>> {
    let (sender, receiver) = sync_channel::<Vec<u8>>(QUEUE);
    let incoming = Arc::new(Mutex::new(VecDeque::new()));
    let mut stream = UnixStream::connect(path)?;
    let (mut reader, queue) = (stream.try_clone()?, Arc::clone(&incoming));
    let thread = |name: &str| std::thread::Builder::new().name(name.to_owned()).stack_size(STACK);
    // Both end with the connection, or with the process.
    thread("lemmas out").spawn(move || {
        while let Ok(lemma) = receiver.recv() {
            if write(&mut stream, &lemma).is_err() {
                break;
            }
        }
    })?;
    thread("lemmas in").spawn(move || {
        while let Ok(lemma) = read(&mut reader) {
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            if queue.len() == QUEUE {
                queue.pop_front();
            }
            queue.push_back(lemma);
        }
    })?;
    Ok(Arc::new(Connection { outgoing: sender, incoming }))
}

/// The solver's end.
struct Connection {
    outgoing: SyncSender<Vec<u8>>,
    incoming: Arc<Mutex<VecDeque<Vec<u8>>>>,
}

impl Relay for Connection {
    fn send(&self, message: Vec<u8>) {
        // What does not fit is dropped.
        let _ = self.outgoing.try_send(message);
    }
    fn poll(&self) -> Vec<Vec<u8>> {
        self.incoming.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect()
    }
}

fn write(stream: &mut impl Write, lemma: &[u8]) -> io::Result<()> {
    let length = u32::try_from(lemma.len()).map_err(io::Error::other)?;
    let mut bytes = length.to_le_bytes().to_vec();
    bytes.extend_from_slice(lemma);
    stream.write_all(&bytes)
}

/// The next lemma; an error at the end, or if it is too long.
fn read(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_le_bytes(length)).map_err(io::Error::other)?;
    if length > LONGEST_LEMMA {
        return Err(io::Error::other("a lemma is too long"));
    }
    let mut lemma = vec![0; length];
    stream.read_exact(&mut lemma)?;
    Ok(lemma)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::digest::Digest;
    use crate::memory::Memory;

    /// What a relay has within a while.
    fn next(relay: &dyn Relay) -> Vec<Vec<u8>> {
        let begin = Instant::now();
        loop {
            let messages = relay.poll();
            if !messages.is_empty() || begin.elapsed() > Duration::from_secs(10) {
                return messages;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn lemmas_go_from_solver_to_solver() {
        let (hub, job, over) = (Memory::new(), Digest::of(b"job"), &AtomicBool::new(false));
        let folder = std::env::temp_dir().join(format!("shofar-socket-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let paths = [0, 1].map(|number| folder.join(format!("{number}.socket")));
        let listeners = paths.each_ref().map(|path| UnixListener::bind(path).unwrap());
        let seats = [0, 1].map(|seat| Company::join(&hub, &job, seat).unwrap());
        std::thread::scope(|scope| {
            for (listener, seat) in listeners.iter().zip(&seats) {
                scope.spawn(move || carry(listener, seat, over));
            }
            let relays = paths.each_ref().map(|path| relay_to(path).unwrap());
            relays[0].send(b"there is none".to_vec());
            assert_eq!(next(&*relays[1])[0], b"there is none");
            relays[1].send(Vec::new());
            assert_eq!(next(&*relays[0]), [Vec::<u8>::new()]);
            // Whoever breaks the rules is not listened to any more, and nothing else happens.
            relays[0].send(vec![1; LONGEST_LEMMA + 1]);
            relays[0].send(b"more".to_vec());
            over.store(true, Ordering::SeqCst);
        });
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn who_never_connects_is_not_waited_for() {
        let (hub, over) = (Memory::new(), AtomicBool::new(true));
        let path = std::env::temp_dir().join(format!("shofar-nobody-{}", std::process::id()));
        let listener = UnixListener::bind(&path).unwrap();
        let seat = Company::join(&hub, &Digest::of(b"job"), 0).unwrap();
        carry(&listener, &seat, &over);
        drop(listener);
        std::fs::remove_file(&path).unwrap();
        assert!(relay_to(&path).is_err());
    }
}

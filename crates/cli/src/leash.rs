//! A leash: the process ends with who started it, even if that one is killed.
//!
//! Who starts the process holds the other end of its standard input and writes nothing. When that
//! end is closed, by whatever, nobody waits for the answer any more.

use std::io::Read as _;

/// What reads needs little room.
const STACK: usize = 64 << 10;
/// Exit status when nobody waits any more: that of a process whose terminal was closed.
pub(crate) const ABANDONED: u8 = 129;

/// Ends the process when standard input ends.
pub(crate) fn start() {
    let thread = std::thread::Builder::new().name("leash".to_owned()).stack_size(STACK);
    // Without a thread the limit on time ends the process.
    let _ = thread.spawn(|| {
        let mut ignored = [0; 64];
        while std::io::stdin().read(&mut ignored).is_ok_and(|count| count > 0) {}
        std::process::exit(ABANDONED.into())
    });
}

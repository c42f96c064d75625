//! Room for the main thread where the system gives it little (`ulimit -s`).
//!
//! Data of the user's size is never handled by recursion, but understanding a command line alone
//! needs more than 64 kB. Other threads have stacks of our choice; so where the main thread has
//! less than is usual, another one does its work.

use std::process::ExitCode;

use rustix::process::{Resource, getrlimit};

/// What systems usually give.
const USUAL: u64 = 8 << 20;
/// The sizes to try: where memory is limited as well, there may be no room for the first.
const STACKS: [usize; 2] = [8 << 20, 2 << 20];

/// Calls `work`, in a thread with a larger stack if this one has a small one.
pub(crate) fn run(work: impl Fn() -> ExitCode + Sync) -> ExitCode {
    if getrlimit(Resource::Stack).current.is_none_or(|size| size >= USUAL) {
        return work();
    }
    std::thread::scope(|scope| {
        for size in STACKS {
            let thread = std::thread::Builder::new().name("main".to_owned()).stack_size(size);
            if let Ok(thread) = thread.spawn_scoped(scope, &work) {
                return thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
        }
        // It may do.
        work()
    })
}

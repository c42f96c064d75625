//! Limits and answers, tried with shell scripts.

use super::*;

fn limits(seconds: f64) -> Limits {
    Limits { seconds, measure: Measure::Wall, grace: 0.0, memory: None }
}

fn shell(script: &str, limits: Limits) -> Ended {
    let words = ["sh", "-c", script].map(str::to_owned);
    run(&words, limits, &AtomicBool::new(false)).unwrap().expect("nobody interrupts")
}

fn check(script: &str, expected: Answer) {
    let ended = shell(script, limits(20.0));
    assert_eq!(ended.answer, expected, "for {script}: {ended:?}");
}

#[test]
fn the_last_answer_counts() {
    check("echo sat", Answer::Sat);
    check("printf unsat", Answer::Unsat);
    check("echo unknown; echo ' sat\r'; echo '(model)'", Answer::Sat);
    check("echo sat; echo unsat", Answer::Unsat);
    check("echo unsat; echo 'not sat'", Answer::Unsat);
    check("echo unsat; exit 1", Answer::Unsat);
    check("echo unknown", Answer::Unknown);
    check("echo unknown; kill -SEGV $$", Answer::Failed);
    check("echo hello", Answer::Failed);
    check("echo sat >&2", Answer::Failed);
    check("echo YES; echo 'ranking functions: NO'", Answer::Yes);
    check("echo MAYBE; echo NO", Answer::No);
    check("echo MAYBE", Answer::Unknown);
    check("echo yes", Answer::Failed);
}

#[test]
fn endings_are_recorded() {
    let ended = shell("echo; echo oh dear >&2; echo more >&2; exit 7", limits(20.0));
    assert_eq!((ended.exit, ended.message.as_deref()), (Some(7), Some("oh dear")));
    let panic = "echo hm >&2; echo \"thread 'kind' panicked at x.rs\" >&2; echo more >&2; echo sat";
    let ended = shell(panic, limits(20.0));
    assert_eq!(ended.answer, Answer::Sat);
    assert_eq!(ended.message.as_deref(), Some("thread 'kind' panicked at x.rs"));
    let ended = shell("kill -KILL $$", limits(20.0));
    assert_eq!((ended.answer, ended.exit), (Answer::Failed, None));
}

#[test]
fn much_output_does_not_block() {
    check("echo unsat; head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2", Answer::Unsat);
}

#[test]
fn late_solvers_are_ended_with_their_children() {
    let start = Instant::now();
    let ended = shell("echo sat; sleep 30 & sleep 30; echo sat", limits(0.3));
    assert_eq!(ended.answer, Answer::Timeout);
    assert!(start.elapsed() < Duration::from_secs(10), "the output is not waited for");
    assert!(ended.wall >= 0.3);
}

#[test]
fn a_late_verdict_does_not_count() {
    let patient = Limits { grace: 10.0, ..limits(0.2) };
    assert_eq!(shell("sleep 0.4; echo sat", patient).answer, Answer::Timeout);
    assert_eq!(shell("sleep 0.4; echo unknown", patient).answer, Answer::Timeout);
    assert_eq!(shell("sleep 0.4", patient).answer, Answer::Timeout);
}

#[test]
fn work_on_the_processor_is_counted() {
    let ended = shell("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo sat", limits(60.0));
    assert!(ended.cpu > 0.05 && ended.cpu < ended.wall * 2.0 + 0.1, "{ended:?}");
    let nested = "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; echo sat";
    let ended = shell(nested, limits(60.0));
    assert!(ended.cpu > 0.05, "{ended:?}");
}

#[test]
fn processor_time_can_be_limited() {
    let limits = Limits { measure: Measure::Cpu, ..limits(0.3) };
    let busy = shell("while :; do :; done", limits);
    assert_eq!(busy.answer, Answer::Timeout);
    assert!(busy.cpu >= 0.3 && busy.wall < 10.0, "{busy:?}");
    let idle = shell("sleep 30", limits);
    assert_eq!(idle.answer, Answer::Timeout);
    assert!(idle.cpu < 0.3, "{idle:?}");
    assert_eq!(shell("sleep 0.5; echo sat", limits).answer, Answer::Sat);
}

#[test]
fn memory_can_be_limited() {
    let limits = Limits { memory: Some(1), ..limits(20.0) };
    assert_eq!(shell("sleep 30; echo sat", limits).answer, Answer::Memory);
}

#[test]
fn an_interrupted_run_has_no_result() {
    let words = ["sleep", "30"].map(str::to_owned);
    let start = Instant::now();
    assert_eq!(run(&words, limits(60.0), &AtomicBool::new(true)).unwrap(), None);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn who_stands_by_is_measured_from_the_question_on() {
    let words = ["sh", "-c", "read answer; echo $answer"].map(str::to_owned);
    let mut started = Started::new(&words).unwrap();
    std::thread::sleep(Duration::from_millis(400));
    started.ask(limits(20.0), b"sat\n").unwrap();
    let (ended, printed) =
        started.run(limits(20.0), 100, &AtomicBool::new(false)).unwrap().unwrap();
    assert_eq!((ended.answer, printed.output), (Answer::Sat, b"sat\n".to_vec()));
    assert!(ended.wall < 0.4, "{ended:?}");
}

#[test]
fn who_has_ended_cannot_be_asked() {
    let mut started = Started::new(&["true".to_owned()]).unwrap();
    let begin = Instant::now();
    while started.ask(limits(1.0), b"hello\n").is_ok() {
        assert!(begin.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn nobody_stands_by_for_ever() {
    let started = Started::new(&["sleep", "100"].map(str::to_owned)).unwrap();
    let id = started.child.as_ref().unwrap().id();
    assert!(cpu_seconds(id).is_some());
    drop(started);
    assert!(cpu_seconds(id).is_none());
}

#[test]
fn what_cannot_be_started_is_an_error() {
    let words = ["/nowhere/solver".to_owned()];
    assert!(run(&words, limits(1.0), &AtomicBool::new(false)).is_err());
}

#[test]
fn the_line_of_the_system_is_read() {
    let line = "17 (a ) b) Z 1 2 3 4 5 6 7 8 9 10 110 20 3 4 20 0 1";
    assert_eq!(parse_ticks(line), Some(137));
    assert_eq!(parse_ticks("17 (a"), None);
    assert_eq!(parse_ticks("17 (a) S 1 2 3 4 5 6 7 8 9 10 110 20"), None);
}

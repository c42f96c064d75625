//! A small web page about the cluster, for who asks: read-only, without script, one request after the other.
//!
//! A request is what stands in its first line. Others than `GET` of the two pages are refused, and a client that is slow or says
//! too much is left alone. The page says what others run, so it is served to this machine unless somebody gives another address.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::overview::Overview;
use crate::patience::Patience;

/// How much of a request is read.
const LONGEST: usize = 4 << 10;
/// How long a client may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often to look for clients.
const LOOK: Duration = Duration::from_millis(20);

/// Serves the page until patience is over.
pub(crate) fn serve(
    listener: &TcpListener,
    overview: &Mutex<Overview>,
    patience: Patience<'_>,
) -> Result<(), String> {
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    while !patience.is_over() {
        match listener.accept() {
            Ok((stream, _)) => {
                // A client that goes away misses its page.
                let _ = answer(stream, overview);
            }
            Err(_) => patience.wait(LOOK),
        }
    }
    Ok(())
}

fn answer(mut stream: TcpStream, overview: &Mutex<Overview>) -> std::io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut request = vec![0; LONGEST];
    let mut length = 0;
    while length < LONGEST && !request[..length].windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut request[length..])? {
            0 => break,
            count => length += count,
        }
    }
    let request = String::from_utf8_lossy(&request[..length]).into_owned();
    let seen = overview.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let (status, kind, body) = respond(request.lines().next().unwrap_or_default(), &seen);
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n\r\n{body}",
        body.len()
    )
}

/// The status, the kind of text, and the text.
fn respond(line: &str, overview: &Overview) -> (&'static str, &'static str, String) {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["GET", "/", _] => ("200 OK", "text/html", overview.page()),
        ["GET", "/status.json", _] => {
            let json = serde_json::to_string(overview).unwrap_or_default();
            ("200 OK", "application/json", json)
        }
        ["GET", _, _] => ("404 Not Found", "text/plain", "there is no such page\n".to_owned()),
        _ => ("405 Method Not Allowed", "text/plain", "this page is only read\n".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn two_pages_are_there_and_nothing_else() {
        let overview = Mutex::new(Overview { waiting: 3, ..Overview::default() });
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), AtomicBool::new(false));
        let ask = |request: &[u8]| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request).unwrap();
            let mut answer = String::new();
            // The other side may close before it has read everything.
            let _ = stream.read_to_string(&mut answer);
            answer
        };
        std::thread::scope(|scope| {
            scope.spawn(|| serve(&listener, &overview, Patience::until(&stop)));
            assert!(ask(b"GET / HTTP/1.1\r\n\r\n").contains("3 waiting"));
            assert!(ask(b"GET /status.json HTTP/1.1\r\n\r\n").contains("\"waiting\":3"));
            assert!(ask(b"GET /etc/passwd HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
            assert!(ask(b"POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
            assert!(ask(b"\xff\xfe\r\n\r\n").starts_with("HTTP/1.1 405"));
            ask(&[b'x'; 2 * LONGEST]);
            assert!(ask(b"GET / HTTP/1.1\r\n\r\n").contains("3 waiting"), "it goes on");
            stop.store(true, Ordering::SeqCst);
        });
    }
}

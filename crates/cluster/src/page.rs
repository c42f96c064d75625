//! A small web page about the cluster, read-only and without script; figures for Prometheus, and a
//! word for health checks.
//!
//! | path | what |
//! |---|---|
//! | `/` | the page |
//! | `/status.json` | the same for a program |
//! | `/metrics` | the same for Prometheus |
//! | `/health` | `ok` if the hub answers, else the status 503 |
//!
//! A request is what stands in its first line and in its `Host`. Others than `GET` of these paths
//! are refused, and a client that is slow or says too much is left alone. The page says what others
//! run, so it is served to this machine unless a host is given. A browser on this machine may be
//! led here by a name of a stranger (DNS rebinding), and would let the stranger's scripts read what
//! comes back. So the `Host` has to be a name of this machine, the configured one, or the address
//! that was connected to.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::arguments::WebAddress;
use crate::metrics;
use crate::overview::Overview;
use crate::patience::Patience;

/// How many clients are served at the same time.
pub(crate) const SERVERS: usize = 4;
/// How much of a request is read.
const LONGEST: usize = 8 << 10;
/// How long a client may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often to look for clients.
const LOOK: Duration = Duration::from_millis(20);
/// The hub is well if it has answered so lately.
const RECENT: Duration = Duration::from_secs(15);

/// What was seen last.
#[derive(Debug)]
pub(crate) struct Board {
    version: String,
    state: Mutex<State>,
}

#[derive(Clone, Debug, Default)]
struct State {
    overview: Overview,
    /// When the hub answered last.
    answered: Option<Instant>,
    /// Why it has not answered since.
    trouble: Option<String>,
}

impl Board {
    /// Nothing was seen yet; `version` is that of this program.
    pub(crate) fn new(version: &str) -> Self {
        Self { version: version.to_owned(), state: Mutex::default() }
    }
    /// Notes what was seen, or why nothing was.
    pub(crate) fn put(&self, looked: Result<Overview, String>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match looked {
            Ok(overview) => {
                *state = State { overview, answered: Some(Instant::now()), trouble: None };
            }
            Err(why) => state.trouble = Some(why),
        }
    }
    fn state(&self) -> State {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl State {
    /// Why the hub is not well; nothing if it is.
    fn complaint(&self) -> Option<String> {
        match (&self.trouble, self.answered) {
            (Some(why), _) => Some(format!("the hub does not answer: {why}")),
            (None, None) => Some("the hub has not answered yet".to_owned()),
            (None, Some(when)) if when.elapsed() > RECENT => {
                Some(format!("the hub has not answered for {} s", when.elapsed().as_secs()))
            }
            (None, Some(_)) => None,
        }
    }
}

/// A page at an address.
pub(crate) struct Page {
    listener: TcpListener,
    address: SocketAddr,
    /// The host that the user gave, in lower case.
    host: Option<String>,
}

/// What is sent back.
struct Response {
    status: &'static str,
    kind: &'static str,
    body: String,
}

impl Response {
    fn ok(kind: &'static str, body: String) -> Self {
        Self { status: "200 OK", kind, body }
    }
    fn refusal(status: &'static str, why: &str) -> Self {
        Self { status, kind: "text/plain", body: format!("{why}\n") }
    }
}

impl Page {
    /// Takes the address.
    pub(crate) fn bind(web: &WebAddress) -> Result<Self, String> {
        let host = web.host.as_deref().map(|host| host.trim_matches(['[', ']']));
        let listener = TcpListener::bind((host.unwrap_or("127.0.0.1"), web.port));
        let (shown, port) = (web.host.as_deref().unwrap_or("127.0.0.1"), web.port);
        let explain = |error: std::io::Error| format!("{shown}:{port}: {error}");
        let listener = listener.map_err(explain)?;
        listener.set_nonblocking(true).map_err(explain)?;
        let address = listener.local_addr().map_err(explain)?;
        Ok(Self { listener, address, host: host.map(str::to_ascii_lowercase) })
    }
    /// Where it is.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
    /// Serves the page until patience is over; several threads may do so.
    pub(crate) fn serve(&self, board: &Board, patience: Patience<'_>) {
        while !patience.is_over() {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    // A client that goes away misses its page.
                    let _ = self.answer(stream, board);
                }
                Err(_) => patience.wait(LOOK),
            }
        }
    }
    fn answer(&self, mut stream: TcpStream, board: &Board) -> std::io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let begin = Instant::now();
        let mut request = vec![0; LONGEST];
        let mut length = 0;
        while length < LONGEST && !request[..length].windows(4).any(|end| end == b"\r\n\r\n") {
            match stream.read(&mut request[length..])? {
                0 => break,
                // A client that sends a byte now and then is too slow as well.
                _ if begin.elapsed() > PATIENCE => return Ok(()),
                count => length += count,
            }
        }
        let request = String::from_utf8_lossy(&request[..length]).into_owned();
        let near = stream.local_addr()?.ip();
        let Response { status, kind, body } = match self.objection(&request, near) {
            Some(refusal) => refusal,
            None => respond(request.lines().next().unwrap_or_default(), board),
        };
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n\
Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'\r\n\
\r\n{body}",
            body.len()
        )
    }
    /// The refusal of a request that came by a foreign name; `near` is the address that was
    /// connected to.
    fn objection(&self, request: &str, near: IpAddr) -> Option<Response> {
        let headers = request.lines().skip(1).take_while(|line| !line.is_empty());
        let fields = headers.filter_map(|line| line.split_once(':'));
        let hosts = fields.filter(|(name, _)| name.eq_ignore_ascii_case("host"));
        let hosts: Vec<&str> = hosts.map(|(_, host)| host.trim()).collect();
        let [host] = hosts[..] else {
            return Some(Response::refusal("400 Bad Request", "one Host is needed"));
        };
        (!self.is_known(host, near)).then(|| {
            let why = "this page is not served under that name; --web HOST:PORT names another one";
            Response::refusal("421 Misdirected Request", why)
        })
    }
    /// Whether a `Host` is a name of this machine, or the configured one. The port does not matter:
    /// it may have been forwarded.
    fn is_known(&self, host: &str, near: IpAddr) -> bool {
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next(),
            None => host.split(':').next(),
        };
        let name = name.unwrap_or_default().to_ascii_lowercase();
        let address = name.parse::<IpAddr>().map(|address| address.to_canonical());
        name == "localhost"
            || address.is_ok_and(|own| own.is_loopback() || own == near.to_canonical())
            || self.host.as_ref().is_some_and(|configured| *configured == name)
    }
}

/// What is answered to the first line of a request.
fn respond(line: &str, board: &Board) -> Response {
    let words: Vec<&str> = line.split(' ').collect();
    let state = board.state();
    match words[..] {
        ["GET", "/", _] => Response::ok("text/html", state.overview.page()),
        ["GET", "/status.json", _] => {
            let json = serde_json::to_string(&state.overview).unwrap_or_default();
            Response::ok("application/json", json)
        }
        ["GET", "/metrics", _] => {
            let is_up = state.complaint().is_none();
            let text = metrics::exposition(&state.overview, is_up, &board.version);
            Response::ok(metrics::KIND, text)
        }
        ["GET", "/health", _] => match state.complaint() {
            None => Response::ok("text/plain", "ok\n".to_owned()),
            Some(why) => Response::refusal("503 Service Unavailable", &why),
        },
        ["GET", _, _] => Response::refusal("404 Not Found", "there is no such page"),
        _ => Response::refusal("405 Method Not Allowed", "this page is only read"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn web(host: Option<&str>) -> Page {
        Page::bind(&WebAddress { host: host.map(str::to_owned), port: 0 }).unwrap()
    }
    fn ask(address: SocketAddr, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request).unwrap();
        let mut answer = String::new();
        // The other side may close before it has read everything.
        let _ = stream.read_to_string(&mut answer);
        answer
    }

    #[test]
    fn four_pages_are_there_and_nothing_else() {
        let (page, board, stop) = (web(None), Board::new("1"), AtomicBool::new(false));
        let get = |path: &str| {
            let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
            ask(page.address(), request.as_bytes())
        };
        std::thread::scope(|scope| {
            scope.spawn(|| page.serve(&board, Patience::until(&stop)));
            assert!(get("/health").starts_with("HTTP/1.1 503"));
            board.put(Ok(Overview { waiting: 3, queue: [0, 3, 0], ..Overview::default() }));
            assert!(get("/").contains("3 waiting"));
            assert!(get("/status.json").contains("\"waiting\":3"));
            let metrics = get("/metrics");
            assert!(metrics.contains("text/plain; version=0.0.4; charset=utf-8"), "{metrics}");
            assert!(metrics.contains("shofar_queue_waiting{priority=\"normal\"} 3\n"), "{metrics}");
            assert!(get("/health").ends_with("\r\n\r\nok\n"));
            board.put(Err("it is away".to_owned()));
            assert!(get("/health").contains("the hub does not answer: it is away"));
            assert!(get("/metrics").contains("shofar_hub_up 0\n"));
            assert!(get("/").contains("3 waiting"), "what was seen last");
            assert!(get("/etc/passwd").starts_with("HTTP/1.1 404"));
            let post = b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n";
            assert!(ask(page.address(), post).starts_with("HTTP/1.1 405"));
            assert!(ask(page.address(), b"\xff\xfe\r\n\r\n").starts_with("HTTP/1.1 400"));
            ask(page.address(), &[b'x'; 2 * LONGEST]);
            assert!(get("/").contains("3 waiting"), "it goes on");
            stop.store(true, Ordering::SeqCst);
        });
    }

    #[test]
    fn a_foreign_host_is_refused() {
        let (page, board, stop) = (web(None), Board::new("1"), AtomicBool::new(false));
        let status = |headers: &str| {
            let request = format!("GET / HTTP/1.1\r\n{headers}\r\n\r\n");
            let answer = ask(page.address(), request.as_bytes());
            answer.split(' ').nth(1).unwrap_or_default().to_owned()
        };
        std::thread::scope(|scope| {
            scope.spawn(|| page.serve(&board, Patience::until(&stop)));
            for own in ["localhost", "LOCALHOST:9000", "127.0.0.1:1", "127.9.9.9", "[::1]:80"] {
                assert_eq!(status(&format!("hOsT:  {own} ")), "200", "{own}");
            }
            for foreign in [
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "evil.example@localhost",
                "192.0.2.7",
                "0.0.0.0",
                "[::]",
                "",
            ] {
                assert_eq!(status(&format!("Host: {foreign}")), "421", "{foreign}");
            }
            assert_eq!(status("Accept: */*"), "400");
            assert_eq!(status("Host: localhost\r\nHost: evil.example"), "400");
            stop.store(true, Ordering::SeqCst);
        });
    }

    #[test]
    fn the_configured_host_and_the_address_that_was_reached_are_known() {
        let page = Page { host: Some("head".to_owned()), ..web(None) };
        let near: IpAddr = "192.0.2.7".parse().unwrap();
        for own in ["head", "Head:8080", "192.0.2.7:8080", "[::ffff:192.0.2.7]:8080", "localhost"] {
            assert!(page.is_known(own, near), "{own}");
        }
        for foreign in ["tail", "192.0.2.8", "head.example"] {
            assert!(!page.is_known(foreign, near), "{foreign}");
        }
    }
}

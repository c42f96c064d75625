//! How to reach the hub, and how to get in.
//!
//! Addresses and names come by option or by environment; secrets by file or by environment only,
//! since the words of a command line are seen by every user of the machine. A password is sent over
//! TLS, or to this machine, or not at all; NKeys and credentials sign a challenge and are never
//! sent. Invariant: no secret is shown by `Debug` or in an error.

use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use async_nats::ConnectOptions;
use clap::Args;

/// What [`HubArguments`] are called in the environment.
const HUB: &str = "SHOFAR_HUB";
/// What the streams of a project begin with unless somebody says otherwise.
const PROJECT: &str = "shofar";

/// Where the hub is.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Hub")]
pub struct HubArguments {
    /// The NATS server, such as nats://host:4222 or tls://host [env: SHOFAR_HUB].
    #[arg(long, value_name = "URL")]
    pub hub: Option<String>,
    /// Jobs and workers of another name do not meet [env: SHOFAR_HUB_PROJECT; default: shofar].
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// The user; the password is in SHOFAR_HUB_PASSWORD or in a file [env: SHOFAR_HUB_USER].
    #[arg(long, value_name = "NAME")]
    pub hub_user: Option<String>,
    /// The file with the user's password [env: SHOFAR_HUB_PASSWORD_FILE].
    #[arg(long, value_name = "FILE")]
    pub hub_password_file: Option<PathBuf>,
    /// The file with the seed of an NKey [env: SHOFAR_HUB_NKEY].
    #[arg(long, value_name = "FILE")]
    pub hub_nkey: Option<PathBuf>,
    /// The file with credentials: a token and the seed of its NKey [env: SHOFAR_HUB_CREDENTIALS].
    #[arg(long, value_name = "FILE")]
    pub hub_credentials: Option<PathBuf>,
    /// The certificates of who may vouch for the server; asks for TLS [env: SHOFAR_HUB_CA].
    #[arg(long, value_name = "FILE")]
    pub hub_ca: Option<PathBuf>,
    /// Our certificate; asks for TLS [env: SHOFAR_HUB_CERT].
    #[arg(long, value_name = "FILE")]
    pub hub_cert: Option<PathBuf>,
    /// The key of our certificate [env: SHOFAR_HUB_KEY].
    #[arg(long, value_name = "FILE")]
    pub hub_key: Option<PathBuf>,
}

/// Who we are.
#[derive(Clone)]
enum Login {
    Nobody,
    Password { user: String, password: String },
    Nkey(String),
    Credentials(String),
}

/// How to reach the hub.
#[derive(Clone)]
pub(crate) struct Access {
    url: String,
    project: String,
    login: Login,
    ca: Option<PathBuf>,
    certificate: Option<(PathBuf, PathBuf)>,
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Access {
    /// Follows options and environment; nothing if there is no hub.
    pub(crate) fn new(arguments: &HubArguments) -> Result<Option<Self>, String> {
        Self::with_environment(arguments, &|name| std::env::var(name).ok())
    }
    /// Likewise, where a hub is needed.
    pub(crate) fn needed(arguments: &HubArguments) -> Result<Self, String> {
        let missing = || format!("--hub URL or {HUB} says where the hub is; neither is there");
        Self::new(arguments)?.ok_or_else(missing)
    }
    fn with_environment(
        arguments: &HubArguments,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, String> {
        let set = |name: &str| variable(name).filter(|text| !text.is_empty());
        let text = |given: &Option<String>, name: &str| given.clone().or_else(|| set(name));
        let file = |given: &Option<PathBuf>, name: &str| {
            given.clone().or_else(|| set(name).map(PathBuf::from))
        };
        let Some(url) = text(&arguments.hub, HUB) else { return Ok(None) };
        let project =
            text(&arguments.project, "SHOFAR_HUB_PROJECT").unwrap_or_else(|| PROJECT.to_owned());
        let ca = file(&arguments.hub_ca, "SHOFAR_HUB_CA");
        let certificate = file(&arguments.hub_cert, "SHOFAR_HUB_CERT");
        let key = file(&arguments.hub_key, "SHOFAR_HUB_KEY");
        let certificate = match (certificate, key) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                return Err("a certificate needs its key, and the other way round".to_owned());
            }
        };
        let user = text(&arguments.hub_user, "SHOFAR_HUB_USER");
        let password = match file(&arguments.hub_password_file, "SHOFAR_HUB_PASSWORD_FILE") {
            Some(path) => Some(secret(&path)?),
            None => set("SHOFAR_HUB_PASSWORD"),
        };
        let nkey = file(&arguments.hub_nkey, "SHOFAR_HUB_NKEY");
        let credentials = file(&arguments.hub_credentials, "SHOFAR_HUB_CREDENTIALS");
        let login = match (user, password, nkey, credentials) {
            (None, None, None, None) => Login::Nobody,
            (Some(user), Some(password), None, None) => Login::Password { user, password },
            (None, None, Some(path), None) => Login::Nkey(secret(&path)?),
            (None, None, None, Some(path)) => Login::Credentials(secret(&path)?),
            (Some(_), None, None, None) | (None, Some(_), None, None) => {
                return Err("a user (--hub-user or SHOFAR_HUB_USER) needs a password \
                    (SHOFAR_HUB_PASSWORD or --hub-password-file), and the other way round"
                    .to_owned());
            }
            (_, _, _, _) => {
                return Err("there are several ways to log in; give one".to_owned());
            }
        };
        let access = Self { url, project, login, ca, certificate };
        access.check()?;
        Ok(Some(access))
    }
    fn check(&self) -> Result<(), String> {
        let usable = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if self.project.is_empty() || self.project.len() > 64 || !self.project.chars().all(usable) {
            return Err("a project is named by letters, digits, - and _".to_owned());
        }
        let scheme = self.url.split_once("://").map_or("nats", |(scheme, _)| scheme);
        if !matches!(scheme, "nats" | "tls") {
            return Err("the hub is nats://HOST:PORT or tls://HOST:PORT".to_owned());
        }
        if self.url.contains('@') {
            return Err("an address with a password in it is seen by every user of this machine; \
                give it by SHOFAR_HUB_PASSWORD or --hub-password-file"
                .to_owned());
        }
        if matches!(self.login, Login::Password { .. }) && !self.has_tls() && !self.is_near() {
            return Err("a password goes to another machine over TLS only; \
                use tls:// or --hub-ca"
                .to_owned());
        }
        Ok(())
    }
    /// Where the server is.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
    /// What the streams are called.
    pub(crate) fn project(&self) -> &str {
        &self.project
    }
    fn has_tls(&self) -> bool {
        self.url.starts_with("tls://") || self.ca.is_some() || self.certificate.is_some()
    }
    /// Whether the server is on this machine.
    fn is_near(&self) -> bool {
        let rest = self.url.split_once("://").map_or(self.url.as_str(), |(_, rest)| rest);
        let rest = rest.split('/').next().unwrap_or_default();
        let host = match rest.strip_prefix('[') {
            Some(bracketed) => bracketed.split(']').next().unwrap_or_default(),
            None => rest.split(':').next().unwrap_or_default(),
        };
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
    /// Options for the client.
    pub(crate) fn options(&self) -> Result<ConnectOptions, String> {
        let mut options = ConnectOptions::new();
        options = match &self.login {
            Login::Nobody => options,
            Login::Password { user, password } => {
                options.user_and_password(user.clone(), password.clone())
            }
            Login::Nkey(seed) => options.nkey(seed.clone()),
            Login::Credentials(text) => {
                let wrong = |_| "the file of credentials has another form".to_owned();
                options.credentials(text).map_err(wrong)?
            }
        };
        if let Some(path) = &self.ca {
            options = options.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options.require_tls(self.has_tls()))
    }
}

/// What is in a file, without the line break at its end.
fn secret(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(text.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(url: &str, variables: &[(&str, &str)]) -> Result<Option<Access>, String> {
        let arguments = HubArguments { hub: Some(url.to_owned()), ..HubArguments::default() };
        Access::with_environment(&arguments, &|name| {
            variables.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn secrets_are_not_sent_or_shown_to_everybody() {
        let login = [("SHOFAR_HUB_USER", "u"), ("SHOFAR_HUB_PASSWORD", "quiet")];
        for near in ["nats://127.0.0.1:4222", "localhost", "nats://[::1]:4222", "tls://far.org"] {
            let access = access(near, &login).unwrap().unwrap();
            assert!(!format!("{access:?}").contains("quiet"));
        }
        assert!(access("nats://far.org", &login).unwrap_err().contains("TLS"));
        assert!(access("nats://u:quiet@far.org", &[]).unwrap_err().contains("address"));
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        assert!(access("nats://h", &[("SHOFAR_HUB_USER", "u")]).is_err());
        assert!(access("nats://h", &[("SHOFAR_HUB_CERT", "c")]).is_err());
        assert!(access("nats://h", &[("SHOFAR_HUB_PROJECT", "a.b")]).is_err());
        assert!(access("ftp://h", &[]).is_err());
        let nowhere = Access::with_environment(&HubArguments::default(), &|_| None);
        assert!(nowhere.unwrap().is_none());
    }
}

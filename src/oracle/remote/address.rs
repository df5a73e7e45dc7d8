//! The address of a cluster: `reapi://HOST:PORT[/INSTANCE]`, or `grpcs://` for the same with TLS in any case.

use crate::error::UserError;
use std::fmt;
use std::net::IpAddr;

/// The address; see the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The name or the number of the host, as in a URL.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The name of the instance; many clusters have one with an empty name.
    pub instance: String,
    /// Whether the connection is encrypted.
    pub tls: bool,
}

/// How an address is written.
const FORM: &str = "an address looks like reapi://build.example:8980/INSTANCE";

impl Address {
    /// Reads an address. `plaintext` leaves the encryption out; otherwise only connections to this machine go without.
    ///
    /// # Errors
    /// If the text is no address, or it contradicts `plaintext`.
    pub fn read(text: &str, plaintext: bool) -> Result<Self, UserError> {
        let invalid = |why: &str| {
            UserError::usage(format!("'{text}' is not the address of a cluster")).fact(why).help(FORM)
        };
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(invalid("it does not begin with reapi://"));
        };
        let is_secure = match scheme {
            "reapi" => false,
            "grpcs" => true,
            _ => return Err(invalid(&format!("'{scheme}' is neither reapi nor grpcs"))),
        };
        if is_secure && plaintext {
            return Err(invalid("--executor-plaintext contradicts grpcs"));
        }
        let (authority, instance) = rest.split_once('/').unwrap_or((rest, ""));
        let Some((host, port)) = authority.rsplit_once(':') else {
            return Err(invalid("it has no port"));
        };
        let port = port.parse().map_err(|_| invalid(&format!("'{port}' is not a port")))?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
        if host.is_empty() || !host.chars().all(is_plain) || host.contains(':') != host.starts_with('[') {
            return Err(invalid(&format!("'{host}' is not a host")));
        }
        let tls = is_secure || !(plaintext || is_this_machine(host));
        let instance = instance.trim_end_matches('/').to_owned();
        Ok(Self { host: host.to_owned(), port, instance, tls })
    }

    /// The address as a URL without the instance.
    pub(super) fn url(&self) -> String {
        format!("{}://{}:{}", if self.tls { "https" } else { "http" }, self.host, self.port)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// Whether what is sent there does not leave this machine.
fn is_this_machine(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_connections_to_this_machine_go_without_encryption_by_default() -> Result<(), UserError> {
        let tls = |text: &str, plaintext| Address::read(text, plaintext).map(|address| address.tls);
        for host in ["localhost", "127.0.0.1", "127.8.9.1", "[::1]"] {
            assert!(!tls(&format!("reapi://{host}:8980"), false)?, "{host}");
            assert!(tls(&format!("grpcs://{host}:8980"), false)?, "{host}");
        }
        for host in ["build.example", "10.0.0.1", "0.0.0.0", "[2001:db8::1]", "localhost.example"] {
            assert!(tls(&format!("reapi://{host}:8980"), false)?, "{host}");
            assert!(!tls(&format!("reapi://{host}:8980"), true)?, "{host}");
        }
        Ok(())
    }

    #[test]
    fn an_instance_may_contain_slashes() -> Result<(), UserError> {
        let address = Address::read("reapi://h:1/a/b/", false)?;
        assert_eq!((&*address.host, address.port, &*address.instance), ("h", 1, "a/b"));
        assert_eq!(Address::read("reapi://h:1", false)?.instance, "");
        Ok(())
    }

    #[test]
    fn what_is_no_address_is_refused_with_the_reason() {
        for (text, why) in [
            ("h:1", "reapi://"),
            ("http://h:1", "'http'"),
            ("reapi://h", "port"),
            ("reapi://h:99999", "'99999'"),
            ("reapi://:1", "host"),
            ("reapi://user@h:1", "host"),
            ("reapi://::1:80", "host"),
        ] {
            let error = Address::read(text, false).expect_err(text);
            assert!(error.facts[0].contains(why), "{error}");
        }
        assert!(Address::read("grpcs://h:1", true).is_err());
    }
}

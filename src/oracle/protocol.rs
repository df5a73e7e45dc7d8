//! The protocol between Lopper and a server, which docs/servers.md describes: one JSON object a line.

use super::Verdict;
use super::question::{Message, Protocol, Request};
use serde_json::{Value, json};

/// The protocol, to be passed to [`super::serve_if_helper`].
pub const JSON: Protocol = Protocol { request, message };

/// The line that asks for a verdict.
fn request(request: &Request) -> Option<Vec<u8>> {
    let paths: Option<Vec<&str>> = request.paths.iter().map(|path| path.to_str()).collect();
    let paths = paths?;
    let line = json!({
        "serial": request.serial,
        "path": paths.first()?,
        "paths": paths,
        "folder": request.folder.to_str()?,
        "tmp": request.tmp.to_str()?,
    });
    Some(format!("{line}\n").into_bytes())
}

/// What a line of a server says. In O(length).
fn message(line: &[u8]) -> Message {
    let Ok(Value::Object(line)) = serde_json::from_slice(line) else { return Message::Noise };
    match (line.get("protocol"), line.get("serial"), line.get("verdict")) {
        (Some(version), None, None) => version.as_u64().map_or(Message::Noise, Message::Ready),
        (_, None, None) => Message::Noise,
        (_, serial, verdict) => Message::Answer {
            serial: serial.and_then(Value::as_u64),
            verdict: verdict.and_then(Value::as_str).and_then(named),
            signature: line.get("signature").and_then(Value::as_str).map(str::to_owned),
        },
    }
}

/// The verdicts that a server may give.
fn named(verdict: &str) -> Option<Verdict> {
    match verdict {
        "interesting" => Some(Verdict::Interesting),
        "boring" => Some(Verdict::Boring),
        "invalid" => Some(Verdict::Invalid),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    #[test]
    fn a_request_is_one_line_whatever_the_name_of_the_file_is() {
        let paths = [PathBuf::from("/w/a\n\"b\".c"), PathBuf::from("/w/d")];
        let (folder, tmp) = (Path::new("/w"), Path::new("/t"));
        let line = request(&Request { serial: 7, paths: &paths, folder, tmp }).unwrap();
        assert!(line.ends_with(b"\n") && line.iter().filter(|&&c| c == b'\n').count() == 1);
        let request: serde_json::Value = serde_json::from_slice(&line).unwrap();
        let paths = ["/w/a\n\"b\".c", "/w/d"];
        let expected = serde_json::json!({
            "serial": 7, "path": paths[0], "paths": paths, "folder": "/w", "tmp": "/t"
        });
        assert_eq!(request, expected);
    }

    #[test]
    fn lines_that_are_no_messages_are_noise() {
        for noise in ["", "hello", "[1]", "7", "{", "{}", "{\"level\": \"info\"}", "{\"protocol\": \"1\"}"] {
            assert!(matches!(message(noise.as_bytes()), Message::Noise), "{noise}");
        }
        assert!(matches!(message(b" {\"protocol\": 1, \"name\": \"x\"}"), Message::Ready(1)));
    }

    #[test]
    fn an_answer_has_a_serial_number_and_one_of_three_verdicts() {
        let answer = message(b"{\"serial\": 3, \"verdict\": \"boring\", \"signature\": \"other\"}");
        let Message::Answer { serial: Some(3), verdict: Some(Verdict::Boring), signature: Some(other) } =
            answer
        else {
            panic!("{answer:?}")
        };
        assert_eq!(other, "other");
        for line in [
            "{\"serial\": 3}",
            "{\"serial\": 3, \"verdict\": \"timed-out\"}",
            "{\"serial\": 3, \"verdict\": 1}",
        ] {
            let answer = message(line.as_bytes());
            assert!(matches!(answer, Message::Answer { serial: Some(3), verdict: None, .. }), "{answer:?}");
        }
        let answer = message(b"{\"verdict\": \"boring\"}");
        assert!(matches!(answer, Message::Answer { serial: None, .. }), "{answer:?}");
    }
}

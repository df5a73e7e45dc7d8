//! Asks on the terminal what `lopper init` needs to know.

use super::scripts::Situation;
use crate::error::UserError;
use crate::report;
use std::ffi::OsString;
use std::path::PathBuf;

/// The situations, as questions.
const SITUATIONS: &[&str] = &[
    "a tool crashes, or reports an assertion, a panic, an exception, an internal error",
    "a compiler makes wrong code",
    "one tool accepts the file, and another one refuses it",
    "a test in pytest fails",
    "a test in unittest fails",
    "a tool hangs",
];

/// The user's situation.
///
/// # Errors
/// If the answers end, or make no sense.
pub(super) fn situation() -> Result<Situation, UserError> {
    let list: String = (1..).zip(SITUATIONS).map(|(n, text)| format!("\n  {n}  {text}")).collect();
    let number = ask(&format!("What is wrong?{list}\nNumber"))?;
    let number: usize = number.parse().unwrap_or(0);
    if number == 4 {
        let node = ask("The test that fails, as FILE::TEST")?;
        return Ok(Situation::Pytest { node, python: python()? });
    }
    if !(1..=SITUATIONS.len()).contains(&number) {
        return Err(UserError::usage(format!("there is no situation {number}"))
            .help(format!("answer with a number from 1 to {}", SITUATIONS.len())));
    }
    let file = PathBuf::from(ask("The file")?);
    Ok(match number {
        1 => Situation::Crash { file, command: command("The command that fails, with {} for the file")? },
        2 => Situation::WrongCode {
            file,
            suspect: ask("The suspected compiler with its options, such as gcc -O2")?,
            reference: ask("A compiler that makes right code, such as gcc -O0")?,
            second: Some(ask("A second one, if you have one")?).filter(|second| !second.is_empty()),
        },
        3 => Situation::Refused {
            file,
            accepts: ask("The command that accepts the file, with {} for the file")?,
            command: command("The command that refuses it")?,
        },
        5 => {
            Situation::Unittest { file, test: ask("The test that fails, as CLASS.TEST")?, python: python()? }
        }
        _ => Situation::Hang { file, command: command("The command that hangs, with {} for the file")? },
    })
}

fn python() -> Result<String, UserError> {
    let python = ask("The interpreter, if it is not python3")?;
    Ok(if python.is_empty() { "python3".to_owned() } else { python })
}

/// A command, divided into words as a shell does.
fn command(question: &str) -> Result<Vec<OsString>, UserError> {
    let line = ask(question)?;
    let words = shell_words::split(&line)
        .map_err(|e| UserError::usage(format!("the command '{line}' cannot be read")).fact(e.to_string()))?;
    Ok(words.into_iter().map(OsString::from).collect())
}

/// The answer to a question.
fn ask(question: &str) -> Result<String, UserError> {
    report::prompt(question);
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    match read {
        Ok(1..) => Ok(line.trim().to_owned()),
        Ok(0) => Err(UserError::usage("the answers ended")),
        Err(e) => Err(UserError::usage("the answer cannot be read").fact(e.to_string())),
    }
}

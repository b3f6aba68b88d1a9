//! What a command answers: exit codes, standard output, and the error that means no.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};
use std::process::ExitCode;

/// The exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Good.
    Yes,
    /// The answer is no: illegal, mismatch.
    No,
    /// The input is bad.
    Bad,
}

impl Answer {
    /// What an error means: no when it is a [`Refused`], else that the input is bad.
    pub(crate) fn of_error(error: &anyhow::Error) -> Self {
        if error.is::<Refused>() { Self::No } else { Self::Bad }
    }
}

impl From<Answer> for ExitCode {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Yes => ExitCode::SUCCESS,
            Answer::No => ExitCode::from(1),
            Answer::Bad => ExitCode::from(2),
        }
    }
}

/// The answer no, with the reason.
#[derive(Debug)]
pub(crate) struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// Standard output, as lines or as one JSON value.
pub(crate) struct Out {
    /// Whether one JSON value is wanted.
    pub(crate) json: bool,
    stdout: BufWriter<Stdout>,
}

impl Out {
    /// The process's own.
    pub(crate) fn stdout(json: bool) -> Self {
        Self { json, stdout: BufWriter::new(io::stdout()) }
    }

    /// Clears the screen, if it is one.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        if io::stdout().is_terminal() { self.text("\x1b[2J\x1b[3J\x1b[H") } else { Ok(()) }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: impl fmt::Display) -> io::Result<()> {
        writeln!(self.stdout, "{text}")
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: impl fmt::Display) -> io::Result<()> {
        write!(self.stdout, "{text}")
    }

    /// Writes the JSON value.
    pub(crate) fn value(&mut self, value: &serde_json::Value) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut self.stdout, value)?;
        writeln!(self.stdout)
    }

    /// Lets the reader see it.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

/// Writes a line to standard error, for people; that nobody can read it there is no reason to stop.
pub(crate) fn tell(text: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Whether whoever read our output has closed it.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

//! A program as a partner in a conversation by lines, which may hang, end, or talk without end.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Program, Trouble};

/// A running program.
pub(crate) struct Process {
    child: Child,
    /// What is to be written: by a thread, since a program that does not read would block us.
    questions: Option<SyncSender<String>>,
    answers: Receiver<String>,
    log: Option<File>,
    started: Instant,
}

/// No line is longer; what follows is cut off.
const MOST_BYTES: u64 = 1 << 20;
/// So many lines wait to be read or written at most: a program that talks on has to wait.
const WAITING: usize = 1000;
/// How long a program has to end when it is told to.
const FAREWELL: Duration = Duration::from_millis(500);

impl Process {
    pub(crate) fn start(program: &Program) -> Result<Self, Trouble> {
        let cannot = |error: std::io::Error| Trouble::Wrong(format!("cannot run `{}`: {error}", program.command));
        // A name with blanks may be a file; else they separate arguments.
        let whole = Path::new(&program.command).is_file();
        let mut words =
            if whole { vec![program.command.as_str()] } else { program.command.split_whitespace().collect() };
        let mut command = Command::new(words.remove(0));
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let log = match &program.log {
            Some(path) => Some(
                File::options()
                    .create(true)
                    .append(true)
                    .open(path)
                    .map_err(|error| Trouble::Wrong(format!("cannot write `{}`: {error}", path.display())))?,
            ),
            None => None,
        };
        let mut child = command.spawn().map_err(cannot)?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Trouble::Ended);
        };
        let (questions, to_write) = mpsc::sync_channel::<String>(WAITING);
        thread::spawn(move || {
            for line in to_write {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (heard, answers) = mpsc::sync_channel(WAITING);
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            while let Some(line) = read_line(&mut reader) {
                if heard.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, questions: Some(questions), answers, log, started: Instant::now() })
    }

    /// Says a line.
    pub(crate) fn tell(&mut self, line: &str) -> Result<(), Trouble> {
        self.note('>', line);
        let Some(questions) = &self.questions else { return Err(Trouble::Ended) };
        questions.try_send(format!("{line}\n")).map_err(|error| match error {
            TrySendError::Full(_) => Trouble::Late,
            TrySendError::Disconnected(_) => Trouble::Ended,
        })
    }

    /// The next line, when there is one by then.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<String, Trouble> {
        let left = deadline.saturating_duration_since(Instant::now());
        // One that talks without end is late as well.
        if left.is_zero() {
            return Err(Trouble::Late);
        }
        match self.answers.recv_timeout(left) {
            Ok(line) => {
                self.note('<', &line);
                Ok(line)
            }
            Err(RecvTimeoutError::Timeout) => Err(Trouble::Late),
            Err(RecvTimeoutError::Disconnected) => Err(Trouble::Ended),
        }
    }

    fn note(&mut self, sign: char, line: &str) {
        let time = self.started.elapsed().as_millis();
        if let Some(log) = &mut self.log {
            // A log that cannot be written is no reason to stop a match.
            let _ = writeln!(log, "{time:>8} {sign} {line}");
        }
    }
}

/// A line without its end, cut where it is absurdly long. Nothing at the end of the stream.
fn read_line(reader: &mut impl std::io::BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    if reader.by_ref().take(MOST_BYTES).read_until(b'\n', &mut bytes).ok()? == 0 {
        return None;
    }
    while bytes.len() as u64 >= MOST_BYTES && bytes.last() != Some(&b'\n') {
        let mut rest = Vec::new();
        let more = reader.by_ref().take(MOST_BYTES).read_until(b'\n', &mut rest).ok()?;
        if more == 0 || rest.last() == Some(&b'\n') {
            break;
        }
    }
    Some(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.tell("quit");
        self.questions = None;
        let patience = Instant::now() + FAREWELL;
        while matches!(self.child.try_wait(), Ok(None)) {
            if Instant::now() >= patience {
                let _ = self.child.kill();
                let _ = self.child.wait();
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_lines_are_cut() {
        let mut text = vec![b'x'; 3 * MOST_BYTES as usize];
        text.extend(b"\nnext\n");
        let mut reader = BufReader::new(text.as_slice());
        assert_eq!(read_line(&mut reader).map(|line| line.len() as u64), Some(MOST_BYTES));
        assert_eq!(read_line(&mut reader).as_deref(), Some("next"));
        assert_eq!(read_line(&mut reader), None);
    }
}

//! Runs the binary and looks at what it says.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// What the binary answered.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    command: String,
}

/// Runs `dagaz` with these arguments.
pub(crate) fn dagaz(args: &[&str]) -> Answer {
    dagaz_with(args, "")
}

/// The same, with a text on its standard input.
pub(crate) fn dagaz_with(args: &[&str], input: &str) -> Answer {
    let mut child = start(args);
    // A binary that does not read its input may be gone already.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the binary ends");
    Answer {
        code: output.status.code().expect("it is not killed"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        command: args.join(" "),
    }
}

/// Starts `dagaz` with these arguments and does not wait for it.
pub(crate) fn start(args: &[&str]) -> Child {
    let mut command = command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary starts")
}

/// `dagaz` with these arguments.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dagaz"));
    // Not the user's own; one for all runs of these tests, because compiling takes time.
    command.args(args).env("DAGAZ_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

impl Answer {
    /// Expects this exit code.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "dagaz {}\n{}\n{}", self.command, self.stdout, self.stderr);
        self
    }

    /// Expects this on standard output.
    #[track_caller]
    pub(crate) fn out(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "dagaz {}\n{}\nlacks `{text}`", self.command, self.stdout);
        self
    }

    /// Expects this on standard error.
    #[track_caller]
    pub(crate) fn err(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "dagaz {}\n{}\nlacks `{text}`", self.command, self.stderr);
        self
    }

    /// The last line of standard output.
    #[track_caller]
    pub(crate) fn last_line(&self) -> &str {
        self.stdout.lines().last().expect("some output")
    }

    /// Standard output as the JSON value that it must be.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", self.stdout))
    }
}

/// A file in a folder of its own, which is gone when this is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// An empty folder for the test of this name.
    pub(crate) fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("dagaz-cli-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    /// The path of a file there.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Writes a file there and gives its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(std::path::Path::new(&path).parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// The names of all files there.
    pub(crate) fn names(&self) -> Vec<String> {
        self.names_in("")
    }

    /// The names of all files in a folder there.
    pub(crate) fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.join(folder)).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

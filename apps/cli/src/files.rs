//! Files: read with the name in the error, written whole or not at all.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io, process};

use anyhow::{Context as _, bail};

use crate::signals;

/// The bytes of a file, which has no more than `most`: a device may have no end.
pub(crate) fn read(path: &Path, most: usize) -> anyhow::Result<Vec<u8>> {
    let cannot = || format!("cannot read `{}`", path.display());
    let bytes = start(path, most + 1).with_context(cannot)?;
    if bytes.len() > most {
        bail!("{}: it has more than {} MiB", cannot(), most >> 20);
    }
    Ok(bytes)
}

/// The first bytes of a file, at most so many.
pub(crate) fn start(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a file, which has no more than `most` bytes.
pub(crate) fn read_text(path: &Path, most: usize) -> anyhow::Result<String> {
    let bytes = read(path, most)?;
    String::from_utf8(bytes).with_context(|| format!("`{}` is no UTF-8 text", path.display()))
}

/// A file that appears under its name when it is complete: until then it lies beside under another name. What is no
/// regular file, such as a device or a pipe, is written to and stays what it is; a link is followed.
pub(crate) struct NewFile<'a> {
    path: &'a Path,
    /// Where it goes when it is complete, and where it lies until then.
    place: Option<(PathBuf, Temporary)>,
    file: Option<io::BufWriter<fs::File>>,
}

impl<'a> NewFile<'a> {
    /// Starts a file; what is under its name stays for now.
    pub(crate) fn create(path: &'a Path) -> anyhow::Result<Self> {
        let cannot = || format!("cannot write `{}`", path.display());
        if fs::metadata(path).is_ok_and(|known| !known.is_file()) {
            let file = fs::OpenOptions::new().write(true).open(path).with_context(cannot)?;
            return Ok(Self { path, place: None, file: Some(io::BufWriter::new(file)) });
        }
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut beside = target.as_os_str().to_owned();
        beside.push(format!(".{}.tmp", process::id()));
        let (beside, file) = Temporary::create(beside.into()).with_context(cannot)?;
        Ok(Self { path, place: Some((target, beside)), file: Some(io::BufWriter::new(file)) })
    }

    /// Completes the file.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let context = || format!("cannot write `{}`", self.path.display());
        if let Some(file) = self.file.take() {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error).with_context(context)?;
            if self.place.is_some() {
                file.sync_all().with_context(context)?;
            }
        }
        match &self.place {
            Some((target, beside)) => fs::rename(&beside.0, target).with_context(context),
            None => Ok(()),
        }
    }
}

impl io::Write for NewFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => Err(io::Error::other("the file is complete")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), io::Write::flush)
    }
}

/// A file that is gone when this is dropped, and also when a signal ends the program.
struct Temporary(PathBuf);

/// Those that lie around now.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Temporary {
    fn create(path: PathBuf) -> io::Result<(Self, fs::File)> {
        signals::handle();
        let mut known = temporaries();
        let file = fs::File::create(&path)?;
        known.push(path.clone());
        Ok((Self(path), file))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut known = temporaries();
        // Once it has its own name, it has this one no more.
        let _ = fs::remove_file(&self.0);
        known.retain(|path| *path != self.0);
    }
}

/// Removes all unfinished files and ends the program.
pub(crate) fn give_up(code: i32) -> ! {
    // Locked to the end: nothing new is begun.
    let known = temporaries();
    known.iter().for_each(|path| _ = fs::remove_file(path));
    process::exit(code)
}

/// Writes a whole file at once.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = NewFile::create(path)?;
    io::Write::write_all(&mut file, bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
    file.finish()
}

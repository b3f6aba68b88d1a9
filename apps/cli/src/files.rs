//! Files: read with the name in the error, written whole or not at all.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Context as _;

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes = read(path)?;
    String::from_utf8(bytes).with_context(|| format!("`{}` is no UTF-8 text", path.display()))
}

/// A file that appears under its name when it is complete: until then it lies beside under another name. What is no
/// regular file, such as a device or a pipe, is written to and stays what it is; a link is followed.
pub(crate) struct NewFile<'a> {
    path: &'a Path,
    /// Where it goes when it is complete, and where it lies until then.
    place: Option<(PathBuf, OsString)>,
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
        beside.push(format!(".{}.tmp", std::process::id()));
        let file = fs::File::create(&beside).with_context(cannot)?;
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
            Some((target, beside)) => fs::rename(beside, target).with_context(context),
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

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        // After `finish` it has no such name any more.
        if let Some((_, beside)) = &self.place {
            let _ = fs::remove_file(beside);
        }
    }
}

/// Writes a whole file at once.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = NewFile::create(path)?;
    io::Write::write_all(&mut file, bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
    file.finish()
}

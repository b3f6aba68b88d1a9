//! The folder in which compiled rules are kept between runs.
//!
//! Machine code is read from there and run, so nobody else may write there: folder and files are made for their owner alone,
//! and a file that is not his, or that others may change, is not read. That nothing is damaged, the compiler of modules sees.
//! Whatever goes wrong here costs time only: rules are compiled again.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, process};

use etcetera::BaseStrategy as _;

/// The variable that says where the folder is, or that there is none.
const VARIABLE: &str = "DAGAZ_CACHE";

/// How many bytes all files together may have; the oldest go first.
const MOST_BYTES: u64 = 256 << 20;

/// How many bytes of them one file may have.
const LARGEST: u64 = MOST_BYTES / 4;

/// A folder of machine code.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    most_bytes: u64,
}

impl Cache {
    /// The user's own: where `DAGAZ_CACHE` points, or else under the user's caches; nothing where the variable is `off`.
    pub(crate) fn of_the_user() -> Option<Self> {
        let folder = match env::var_os(VARIABLE) {
            Some(off) if off.is_empty() || off.eq_ignore_ascii_case("off") => return None,
            Some(folder) => folder.into(),
            None => etcetera::choose_base_strategy().ok()?.cache_dir().join("dagaz").join("code"),
        };
        Some(Self { folder, most_bytes: MOST_BYTES })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn try_load(&self, name: &str) -> io::Result<Vec<u8>> {
        let file = File::open(self.path(name))?;
        // Asked of the open file, not of its name, behind which somebody could put another.
        let metadata = file.metadata()?;
        if !metadata.is_file() || !is_ours_alone(&metadata) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let mut bytes = Vec::new();
        (&file).take(LARGEST).read_to_end(&mut bytes)?;
        // The oldest are those that nobody used for long.
        let _ = file.set_modified(SystemTime::now());
        Ok(bytes)
    }

    fn try_save(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() as u64 > LARGEST {
            return Ok(());
        }
        let mut folder = DirBuilder::new();
        folder.recursive(true);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
            folder.mode(0o700);
            options.mode(0o600);
        }
        folder.create(&self.folder)?;
        // Under another name until it is whole: whoever reads meanwhile finds the old file, or none.
        let beside = self.path(&format!("{name}.{}.tmp", process::id()));
        let written = options.open(&beside).and_then(|mut file| file.write_all(bytes));
        let renamed = written.and_then(|()| fs::rename(&beside, self.path(name)));
        if renamed.is_err() {
            let _ = fs::remove_file(&beside);
        }
        renamed.and_then(|()| trim(&self.folder, self.most_bytes))
    }
}

impl dagaz_engine_wasm::Cache for Cache {
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        self.try_load(name).ok()
    }

    fn save(&self, name: &str, bytes: &[u8]) {
        let _ = self.try_save(name, bytes);
    }
}

/// Removes the oldest files of a folder until the others have no more bytes than this: also those that a run left unfinished.
fn trim(folder: &Path, most: u64) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        // Another run may remove files at the same time.
        let Ok(entry) = entry else { continue };
        if let Ok(metadata) = entry.metadata()
            && metadata.is_file()
        {
            files.push((metadata.modified()?, metadata.len(), entry.path()));
        }
    }
    files.sort();
    let mut sum: u64 = files.iter().map(|(_, length, _)| length).sum();
    for (_, length, path) in files {
        if sum <= most {
            break;
        }
        let _ = fs::remove_file(path);
        sum -= length;
    }
    Ok(())
}

/// Whether a file belongs to whoever runs us, and nobody else may change it.
#[cfg(unix)]
fn is_ours_alone(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.uid() == nix::unistd::Uid::effective().as_raw() && metadata.mode() & 0o022 == 0
}

/// Elsewhere the folders of a user are closed to others.
#[cfg(not(unix))]
fn is_ours_alone(_: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use dagaz_engine_wasm::Cache as _;

    use super::*;

    /// A cache in a folder of its own, which is gone when this is dropped.
    struct Scratch(Cache);

    impl Scratch {
        fn new(test: &str, most_bytes: u64) -> Self {
            let folder = env::temp_dir().join(format!("dagaz-cache-{}-{test}", process::id()));
            let _ = fs::remove_dir_all(&folder);
            Self(Cache { folder, most_bytes })
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0.folder).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0.folder);
        }
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let scratch = Scratch::new("saved", MOST_BYTES);
        assert_eq!(scratch.0.load("one"), None);
        scratch.0.save("one", b"first");
        scratch.0.save("two", b"second");
        scratch.0.save("one", b"third");
        assert_eq!(scratch.0.load("one").as_deref(), Some(&b"third"[..]));
        assert_eq!(scratch.0.load("two").as_deref(), Some(&b"second"[..]));
        assert_eq!(scratch.names(), ["one", "two"]);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_no_reason_to_stop() {
        let scratch = Scratch::new("file", MOST_BYTES);
        fs::write(&scratch.0.folder, "a file where the folder should be").unwrap();
        scratch.0.save("one", b"first");
        assert_eq!(scratch.0.load("one"), None);
        fs::remove_file(&scratch.0.folder).unwrap();
    }

    #[test]
    fn the_oldest_files_make_room() {
        let scratch = Scratch::new("room", 10);
        for name in ["a", "b", "c"] {
            scratch.0.save(name, b"four");
            let file = File::open(scratch.0.path(name)).unwrap();
            // Clocks of file systems are coarse: the order is made plain.
            let age = std::time::Duration::from_secs(u64::from(b'z' - name.as_bytes()[0]));
            file.set_modified(SystemTime::now() - age).unwrap();
        }
        assert_eq!(scratch.names(), ["b", "c"]);
        scratch.0.load("b").unwrap();
        scratch.0.save("d", b"four");
        assert_eq!(scratch.names(), ["b", "d"], "what was used is young again");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_write_and_what_he_can_is_not_read() {
        use std::os::unix::fs::PermissionsExt as _;
        let scratch = Scratch::new("ours", MOST_BYTES);
        scratch.0.save("one", b"first");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&scratch.0.folder), 0o700);
        assert_eq!(mode(&scratch.0.path("one")), 0o600);
        for open in [0o620, 0o602, 0o666] {
            fs::set_permissions(scratch.0.path("one"), fs::Permissions::from_mode(open)).unwrap();
            assert_eq!(scratch.0.load("one"), None, "{open:o}");
        }
        fs::set_permissions(scratch.0.path("one"), fs::Permissions::from_mode(0o600)).unwrap();
        assert!(scratch.0.load("one").is_some());
    }
}

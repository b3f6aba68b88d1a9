//! Expected outputs: written anew by one command, and none of them without a test that reads it.
//!
//! Goldens are snapshots, the examples of the manual, the commands of the front page and the list of games. A stale one fails its own test;
//! what this adds is the snapshot that no test reads any more.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{catalogue, examples, process, report, workspace};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Write nothing and run nothing: say which snapshots are missing from this list, which a test run wrote because
    /// the variable INSTA_SNAPSHOT_REFERENCES_FILE named it
    #[arg(long, value_name = "LIST")]
    unread: Option<PathBuf>,
    /// Write only the outputs of the commands that pages show, and the list of games
    #[arg(long)]
    pages: bool,
}

/// Writes all goldens anew, or looks for those that nobody reads.
pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(list) = &options.unread {
        return report::settle("goldens", &unread(list)?);
    }
    if options.pages {
        return pages();
    }
    let list = workspace::root().join("target/goldens-read.txt");
    // Tests append to the list. Its folder is missing where cargo builds elsewhere.
    std::fs::create_dir_all(list.parent().expect("the list lies in a folder"))?;
    std::fs::write(&list, "")?;
    let mut tests = process::cargo(&["test", "--workspace", "--no-fail-fast"]);
    tests.env("INSTA_SNAPSHOT_REFERENCES_FILE", &list).env("INSTA_UPDATE", "always").env("INSTA_FORCE_PASS", "1");
    // The manual's examples are written by its own test.
    tests.env("DAGAZ_BLESS", "1");
    process::run(&mut tests)?;
    pages()?;
    let unread = unread(&list)?;
    for snapshot in &unread {
        println!("no test reads {snapshot}: removed");
        std::fs::remove_file(workspace::root().join(snapshot))?;
    }
    println!("written; now read `git diff`");
    Ok(())
}

fn pages() -> Result<()> {
    catalogue::write()?;
    examples::write()
}

/// The snapshots that are not in this list.
fn unread(list: &Path) -> Result<Vec<String>> {
    let snapshots = workspace::files(&["snap"])?;
    if snapshots.is_empty() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    let canonical = |path: &str| Path::new(path).canonicalize().ok();
    let read: BTreeSet<PathBuf> = text.lines().filter_map(canonical).collect();
    let path = |name: &str| workspace::root().join(name).canonicalize().ok();
    let unread = snapshots.into_iter().filter(|file| path(&file.path).is_none_or(|path| !read.contains(&path)));
    Ok(unread.map(|file| file.path).collect())
}

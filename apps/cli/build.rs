//! Embeds the bundled games: every file of rules, cases or weights under `games/` becomes bytes of the binary, so that what is
//! installed needs no files. A build script and not a macro, because cargo must be told to look again when a game is added.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Endings of files that rules, cases for them, views of them, or what was trained for them are read from.
const ENDINGS: [&str; 4] = ["zrf", "cases", "view", "weights"];

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    // Watched even when it does not exist yet.
    println!("cargo:rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root.canonicalize()?, &mut files)?;
    }
    files.sort();
    let root = if root.is_dir() { root.canonicalize()? } else { root };
    let mut code = String::from("&[\n");
    for file in &files {
        let path = file.strip_prefix(&root).map_err(io::Error::other)?;
        let path = path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        writeln!(code, "    ({path:?}, include_bytes!({:?})),", file.display().to_string())
            .map_err(io::Error::other)?;
    }
    code.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo gives build scripts an OUT_DIR"))?;
    fs::write(Path::new(&out).join("bundled.rs"), code)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
        {
            println!("cargo:rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    Ok(())
}

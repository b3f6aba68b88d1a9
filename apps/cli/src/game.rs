//! Finding a game by its name or path, and compiling it.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use dagaz_base::{Origin, Sources};
use dagaz_engine::{Executor, Fault, Interpreter};
use dagaz_ir::Rules;
use dagaz_lang_zrf::{Compiled, MAX_FILE_BYTES, MenuItem, RulesFile, Settings, Texts};
use dagaz_notation::universal::ReadError;
use dagaz_play::PlayError;
use dagaz_search::{Agent, AgentSpec, NoChoice, Weights};

use crate::answer::tell;
use crate::args::{ChoiceArgs, ExecutorName, GameArgs};
use crate::bundled::{self, Bundled};
use crate::cache::Cache;
use crate::{files, module, weights};

/// Where the rules of a game are.
pub(crate) enum Source {
    /// In the binary.
    Bundled(Bundled),
    /// On the disk.
    File {
        /// The file.
        path: PathBuf,
        /// What is in it.
        bytes: Vec<u8>,
    },
}

/// A game that was compiled and can be run.
pub(crate) struct Game {
    /// How it was asked for: a bundled name, or a path.
    pub(crate) name: String,
    /// What runs it.
    pub(crate) executor: Arc<dyn Executor>,
    /// What can say why.
    pub(crate) interpreter: Arc<Interpreter>,
    /// What people may read about it.
    pub(crate) texts: Texts,
    /// What the file offers.
    pub(crate) menu: Vec<MenuItem>,
    /// The variant that was asked for.
    pub(crate) variant: Option<String>,
    /// The texts of the rules.
    pub(crate) sources: Sources,
    /// What was trained for it.
    weights: Option<Arc<Weights>>,
}

impl Source {
    /// Finds the rules that a person means. A bundled name comes first; a path is what looks like one.
    pub(crate) fn find(game: &str) -> anyhow::Result<Self> {
        if let Some(bundled) = bundled::find(game) {
            return Ok(Self::Bundled(bundled));
        }
        let path = Path::new(game);
        if path.is_file() || path.extension().is_some() || game.contains(['/', '\\']) {
            let bytes = files::read(path, MAX_FILE_BYTES)?;
            return Ok(Self::File { bytes, path: path.to_owned() });
        }
        bail!("there is no bundled game `{game}`{}; a rules file is given by its path", suggestion(game))
    }

    /// What to call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Bundled(bundled) => bundled.name.to_owned(),
            Self::File { path, .. } => path.display().to_string(),
        }
    }

    /// The rules language.
    pub(crate) fn language(&self) -> anyhow::Result<&'static str> {
        let path = match self {
            Self::Bundled(bundled) => Path::new(bundled.path),
            Self::File { path, .. } => path,
        };
        match path.extension().and_then(|ending| ending.to_str()) {
            Some(ending) if ending.eq_ignore_ascii_case("zrf") => Ok("zrf"),
            _ => bail!("`{}` is in no known rules language; its name should end in `.zrf`", self.name()),
        }
    }

    /// Reads the rules, of which any game can then be compiled.
    pub(crate) fn read(&self) -> anyhow::Result<RulesFile> {
        self.language()?;
        Ok(match self {
            Self::Bundled(game) => {
                let mut loader = |path: &str| bundled::include(*game, path);
                RulesFile::read(game.path, game.bytes, &mut loader)
            }
            Self::File { path, bytes } => {
                let folder = path.parent().unwrap_or(Path::new(""));
                let mut loader = |include: &str| load(folder, include);
                RulesFile::read(&path.display().to_string(), bytes, &mut loader)
            }
        })
    }

    /// Compiles one of the games that the rules describe: the one with this title, or the first choice.
    pub(crate) fn compile(&self, variant: Option<&str>) -> anyhow::Result<Compiled> {
        Ok(self.read()?.compile(&settings(variant)))
    }
}

/// How to compile a variant.
pub(crate) fn settings(variant: Option<&str>) -> Settings {
    Settings { variant: variant.map(str::to_owned), ..Settings::default() }
}

impl Game {
    /// Finds and compiles a game, whose diagnostics go to standard error when it cannot be played.
    pub(crate) fn load(args: &GameArgs, executor: ExecutorName) -> anyhow::Result<Self> {
        Self::load_from(&Source::find(&args.game)?, &args.choice, executor)
    }

    /// The same, from rules that were found.
    pub(crate) fn load_from(source: &Source, choice: &ChoiceArgs, executor: ExecutorName) -> anyhow::Result<Self> {
        let file = source.read()?;
        let variant = match &choice.variant {
            None => None,
            Some(wanted) => Some(choose(file.menu(), wanted, &source.name())?),
        };
        let compiled = file.compile(&settings(variant.as_deref()));
        let Some(game) = compiled.game else {
            tell(compiled.diagnostics.render(&compiled.sources).trim_end());
            bail!("the rules of `{}` cannot be used", source.name());
        };
        let (name, menu, sources, texts) = (source.name(), compiled.menu, compiled.sources, game.texts);
        let interpreter = Arc::new(Interpreter::new(Arc::new(game.rules)));
        let executor: Arc<dyn Executor> = match module::wanted(interpreter.rules(), executor, Cache::of_the_user()) {
            Some(module) => module,
            None => interpreter.clone(),
        };
        let weights = weights::beside(source, interpreter.rules());
        Ok(Self { name, executor, interpreter, texts, menu, variant, sources, weights })
    }

    /// The same result; where the rules failed, with the place of what ran then.
    pub(crate) fn located<T>(&self, result: anyhow::Result<T>) -> anyhow::Result<T> {
        result.map_err(|error| match error.chain().find_map(fault).and_then(Fault::origin) {
            Some(origin) => error.context(self.place(origin)),
            None => error,
        })
    }

    /// A place in the rules, with the use of the macro that the author wrote.
    fn place(&self, origin: Origin) -> String {
        let place = self.sources.location(origin.span);
        match self.sources.backtrace(origin).last() {
            Some(outermost) => {
                let call = self.sources.location(outermost.call.span);
                format!("{place}, in the macro `{}`, used at {call}", outermost.name)
            }
            None => place,
        }
    }

    /// An agent of this description, which knows what was trained for the game.
    pub(crate) fn agent(&self, spec: AgentSpec) -> anyhow::Result<Box<dyn Agent>> {
        let agent = spec.build(self.rules())?;
        if let Some(weights) = &self.weights {
            agent.learn(weights);
        }
        Ok(agent)
    }

    /// The rules.
    pub(crate) fn rules(&self) -> &Rules {
        self.executor.rules()
    }
}

/// The fault that an error is about.
fn fault<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Fault> {
    if let Some(PlayError::Fault(fault)) = error.downcast_ref() {
        return Some(fault);
    }
    if let Some(ReadError::Fault(fault)) = error.downcast_ref() {
        return Some(fault);
    }
    if let Some(NoChoice::Fault(fault)) = error.downcast_ref() {
        return Some(fault);
    }
    error.downcast_ref()
}

/// The title of the variant that a person means.
fn choose(menu: &[MenuItem], wanted: &str, name: &str) -> anyhow::Result<String> {
    if let Some(item) = menu.iter().find(|item| item.title.eq_ignore_ascii_case(wanted)) {
        return Ok(item.title.clone());
    }
    if let Some(item) = wanted.parse::<usize>().ok().and_then(|number| menu.get(number.checked_sub(1)?)) {
        return Ok(item.title.clone());
    }
    let lower = wanted.to_lowercase();
    let holding: Vec<&MenuItem> = menu.iter().filter(|item| item.title.to_lowercase().contains(&lower)).collect();
    match holding.as_slice() {
        [one] => Ok(one.title.clone()),
        [] => bail!("`{name}` has no variant `{wanted}`; it has {}", titles(menu.iter())),
        many => bail!("`{wanted}` may mean several variants of `{name}`: {}", titles(many.iter().copied())),
    }
}

fn titles<'a>(items: impl Iterator<Item = &'a MenuItem>) -> String {
    items.map(|item| format!("`{}`", item.title)).collect::<Vec<_>>().join(", ")
}

/// An included file: only below or beside the rules, whatever the case of its letters.
fn load(folder: &Path, include: &str) -> Option<Vec<u8>> {
    let mut path = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() };
    for part in include.split('/') {
        match part {
            "" if path == folder => return None,
            "" | "." => {}
            ".." => path.push(".."),
            name if path.join(name).exists() => path.push(name),
            name => {
                let mut entries = std::fs::read_dir(&path).ok()?.flatten().map(|entry| entry.file_name());
                path.push(entries.find(|entry| entry.to_str().is_some_and(|e| e.eq_ignore_ascii_case(name)))?);
            }
        }
    }
    // One byte too many, where there are more: the language then says that it is too large.
    files::start(&path, MAX_FILE_BYTES + 1).ok()
}

/// Bundled names that look like what was written: a slip of it, or else a part or an extension.
fn suggestion(game: &str) -> String {
    let wanted = game.to_lowercase();
    let like = |close: &dyn Fn(&str) -> bool| -> Vec<String> {
        bundled::all().filter(|game| close(game.name)).map(|game| format!("`{}`", game.name)).collect()
    };
    let nearest = bundled::all().map(|game| distance(game.name, &wanted)).min().filter(|&nearest| nearest <= 2);
    let mut names = like(&|name| Some(distance(name, &wanted)) == nearest);
    if names.is_empty() {
        names = like(&|name| name.contains(&wanted) || wanted.contains(name));
    }
    if names.is_empty() { " (see `dagaz list`)".to_owned() } else { format!("; did you mean {}?", names.join(" or ")) }
}

/// Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances_count_edits() {
        assert_eq!(distance("chess", "ches"), 1);
        assert_eq!(distance("chess", "cehss"), 2);
        assert_eq!(distance("", "abc"), 3);
    }
}

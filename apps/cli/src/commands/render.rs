//! `dagaz render`: a board as a picture, or as the scene that pictures are drawn from.

use std::path::Path;

use anyhow::{Context as _, bail};
use dagaz_base::Random;
use dagaz_board::Site;
use dagaz_engine::Seen;
use dagaz_ir::Player;
use dagaz_play::Play;
use dagaz_view::{Moment, Picture, Scene, Theme, changed, lettering, scene, svg};

use crate::answer::{Answer, Out};
use crate::args::{ChoiceArgs, ExecutorName, GameArgs, Render, ThemeName};
use crate::bundled;
use crate::game::{Game, Source};
use crate::pixels::Sheet;
use crate::{files, line, pixels, views};

pub(crate) fn run(args: &Render, out: &mut Out) -> anyhow::Result<Answer> {
    match (&args.game, args.all) {
        (Some(game), false) => one(game, args, out),
        (None, true) => all(args),
        (Some(_), true) => bail!("`--all` draws all bundled games, and none by name"),
        (None, false) => bail!("name a game, or draw all by `--all`"),
    }
}

fn picture(args: &Render) -> Picture {
    let theme = match args.theme {
        ThemeName::Light => Theme::Light,
        ThemeName::Dark => Theme::Dark,
    };
    Picture { theme, size: args.size }
}

fn one(name: &str, args: &Render, out: &mut Out) -> anyhow::Result<Answer> {
    let source = Source::find(name)?;
    let game = Game::load_from(&source, &args.choice, args.executor)?;
    let scene =
        game.located(line::play_from(&game, &args.from).and_then(|play| scene_of(&source, &game, &play, args)))?;
    match &args.output {
        None if out.json => out.value(&serde_json::to_value(&scene)?)?,
        None => out.text(svg(&scene, &picture(args)))?,
        Some(path) => write(path, &scene, &picture(args))?,
    }
    Ok(Answer::Yes)
}

fn write(path: &Path, scene: &Scene, picture: &Picture) -> anyhow::Result<()> {
    let text = svg(scene, picture);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some(ending) if ending.eq_ignore_ascii_case("svg") => files::write(path, text.as_bytes()),
        Some(ending) if ending.eq_ignore_ascii_case("png") => files::write(path, &pixels::png(&text)?),
        Some(ending) if ending.eq_ignore_ascii_case("json") => {
            files::write(path, serde_json::to_string(scene)?.as_bytes())
        }
        _ => bail!("`{}` should end in `.svg`, `.png` or `.json`", path.display()),
    }
}

fn scene_of(source: &Source, game: &Game, play: &Play, args: &Render) -> anyhow::Result<Scene> {
    let rules = play.rules();
    let viewer = match &args.viewer {
        None => None,
        Some(name) => Some(player(game, name)?),
    };
    let selected = match &args.select {
        None => None,
        Some(name) => Some(rules.topology.site(name).with_context(|| format!("the board has no site `{name}`"))?),
    };
    let seen = seen_by(play, play.state().clone(), viewer)?;
    let (changed, last) = last_step(play, &seen, viewer)?;
    // What may be done is only for whoever is to move to see.
    let targets = match selected.filter(|_| viewer.is_none_or(|viewer| viewer == play.to_move())) {
        None => Vec::new(),
        Some(from) => {
            let steps = play.legal_steps().map_err(Clone::clone)?;
            let mut targets: Vec<Site> =
                steps.iter().filter(|step| step.from == Some(from)).filter_map(|step| step.to).collect();
            targets.sort_unstable();
            targets.dedup();
            targets
        }
    };
    let moment = Moment {
        executor: &*game.executor,
        seen: &seen,
        title: &game.texts.title,
        changed,
        last,
        selected,
        targets,
        turned: args.flip,
    };
    Ok(scene(&moment, &views::of(source)?))
}

fn player(game: &Game, name: &str) -> anyhow::Result<Player> {
    let rules = game.rules();
    let found = rules.players.position(|player| player.name.eq_ignore_ascii_case(name));
    found.with_context(|| {
        let names: Vec<&str> = rules.players.values().map(|player| player.name.as_str()).collect();
        format!("`{}` has no player `{name}`; it has {}", game.name, names.join(", "))
    })
}

fn seen_by(play: &Play, state: dagaz_engine::State, viewer: Option<Player>) -> anyhow::Result<Seen> {
    Ok(match viewer {
        None => Seen::whole(state),
        Some(viewer) => play.executor().seen_by(&state, viewer)?,
    })
}

/// What the viewer sees of the last step: the sites that it changed, and its way when both ends are among them.
#[expect(clippy::type_complexity, reason = "two parts of one answer, used once")]
fn last_step(play: &Play, seen: &Seen, viewer: Option<Player>) -> anyhow::Result<(Vec<Site>, Option<(Site, Site)>)> {
    let node = play.node(play.cursor());
    let (Some(parent), Some(made)) = (node.parent, &node.made) else { return Ok((Vec::new(), None)) };
    let before = seen_by(play, play.node(parent).state.clone(), viewer)?;
    let changed = changed(&**play.executor(), &before, seen);
    let way = made.step.from.zip(made.step.to).filter(|(from, to)| changed.contains(from) && changed.contains(to));
    Ok((changed, way))
}

/// Each bundled game on one sheet, as it starts.
fn all(args: &Render) -> anyhow::Result<Answer> {
    let Some(path) = &args.output else { bail!("`--all` needs a file, such as `-o games.png`") };
    let games: Vec<_> = bundled::all().collect();
    let mut sheet = Sheet::new(games.len(), args.size)?;
    for game in games {
        let source = Source::Bundled(game);
        let of = GameArgs { game: game.name.to_owned(), choice: ChoiceArgs::default() };
        let loaded = Game::load(&of, ExecutorName::Interp)?;
        let draw = |play: &Play| {
            let scene = scene_of(&source, &loaded, play, args);
            scene.with_context(|| format!("`{}` cannot be drawn", game.name))
        };
        let mut play = Play::new(loaded.executor.clone());
        let mut scene = draw(&play)?;
        if scene.items.is_empty() {
            play_at_random(&mut play, scene.sites.len())?;
            scene = draw(&play)?;
            scene.marks.clear();
        }
        sheet.add(&svg(&scene, &picture(args)), &lettering(game.name, &picture(args)))?;
    }
    files::write(path, &sheet.png()?)?;
    Ok(Answer::Yes)
}

/// Empty boards say little: some moves, for larger boards more.
fn play_at_random(play: &mut Play, sites: usize) -> anyhow::Result<()> {
    let mut random = Random::new(1);
    for _ in 0..(sites / 4).clamp(4, 40) {
        let steps = play.legal_steps().map_err(Clone::clone)?;
        let Some(step) = random.choose(steps).cloned() else { break };
        play.play(&step)?;
    }
    Ok(())
}

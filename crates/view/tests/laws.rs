//! What holds of every scene: of the bundled games with all their variants, and of files that other people wrote.

#![expect(clippy::disallowed_methods, reason = "a test may read games and the corpus")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dagaz_base::{Diagnostics, Id, Random, Sources};
use dagaz_engine::{Executor, Interpreter, Limits, NoHistory, Seen, State};
use dagaz_ir::{Role, Rules};
use dagaz_lang_zrf::{RulesFile, Settings};
use dagaz_view::{Mark, Moment, Outline, Picture, Scene, Theme, View, lint, scene, svg, unknown_names};

/// Rules files below a folder, in order.
fn rule_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zrf")) => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> RulesFile {
    let bytes = std::fs::read(path).expect("a file");
    let folder = path.parent().expect("a file lies in a folder").to_owned();
    RulesFile::read(&path.display().to_string(), &bytes, &mut |include: &str| std::fs::read(folder.join(include)).ok())
}

/// The games of a file: by title, as far as they compile.
fn games(file: &RulesFile) -> Vec<(String, Arc<Rules>)> {
    let titles: Vec<String> = file.menu().iter().map(|item| item.title.clone()).collect();
    let compiled = titles.into_iter().filter_map(|title| {
        let settings = Settings { variant: Some(title.clone()), ..Settings::default() };
        Some((title, Arc::new(file.compile(&settings).game?.rules)))
    });
    compiled.collect()
}

/// The view beside some rules, and what is wrong with it.
fn view(path: &Path, games: &[(String, Arc<Rules>)]) -> (View, String) {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let text = std::fs::read_to_string(path.with_extension("view")).unwrap_or_default();
    let file = sources.add("view", text.clone());
    let view = View::read(file, &text, &mut diagnostics);
    let rules: Vec<&Rules> = games.iter().map(|(_, rules)| &**rules).collect();
    unknown_names(&view, &rules).into_iter().for_each(|found| diagnostics.push(found));
    for rules in rules {
        lint(&view, rules, file).into_iter().for_each(|found| diagnostics.push(found));
    }
    let found = diagnostics.render(&sources);
    (view, found)
}

fn drawn(executor: &dyn Executor, seen: &Seen, view: &View, turned: bool) -> Scene {
    let moment = Moment {
        executor,
        seen,
        title: "A <game> & more",
        changed: vec![],
        last: None,
        selected: None,
        targets: vec![],
        turned,
    };
    scene(&moment, view)
}

/// The start and a few states of a random game.
fn states(executor: &dyn Executor, plies: usize) -> Vec<State> {
    let (mut random, mut state) = (Random::new(7), executor.initial());
    let mut states = vec![state.clone()];
    for ply in 0..plies {
        let Ok(steps) = executor.steps(&state, &NoHistory) else { break };
        let Some(step) = random.choose(&steps) else { break };
        if executor.apply(&mut state, step).is_err() {
            break;
        }
        if ply % 5 == 4 {
            states.push(state.clone());
        }
    }
    states
}

fn area(corners: &[dagaz_view::Point]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.x * b.y - a.y * b.x).sum::<f64>() / 2.0
}

/// What holds of any scene of any rules.
fn keeps_laws(scene: &Scene, rules: &Rules, what: &str) {
    assert_eq!(scene.sites.len(), rules.topology.site_count(), "{what}");
    let [left, top, width, height] = scene.bounds;
    assert!(
        width > 0.0 && height > 0.0 && [left, top, width, height].iter().all(|number| number.is_finite()),
        "{what}"
    );
    let inside = |x: f64, y: f64| x >= left && y >= top && x <= left + width && y <= top + height;
    for site in &scene.sites {
        assert!(site.at.iter().all(|number| number.is_finite()), "{what}: {}", site.name);
        assert!(scene.frames[site.frame].sites.iter().any(|&index| scene.sites[index].name == site.name), "{what}");
        match &site.outline {
            Outline::Polygon(corners) => {
                assert!(corners.len() >= 3 && area(corners) > 1e-3, "{what}: {} has no outline", site.name);
            }
            Outline::Circle(radius) => assert!(*radius > 0.01, "{what}: {} has no outline", site.name),
        }
    }
    for item in scene.items.iter().chain(scene.trays.iter().flat_map(|tray| &tray.items)) {
        assert!(item.look < scene.looks.len() && item.size > 0.0, "{what}");
        assert!(inside(item.at[0], item.at[1]), "{what}: an item lies outside of the picture");
    }
    for look in &scene.looks {
        assert!(!look.layers.is_empty(), "{what}: {} is not drawn", look.spoken);
    }
    let picture = svg(scene, &Picture { theme: Theme::Dark, size: 400 });
    let read = roxmltree::Document::parse(&picture);
    assert!(read.is_ok(), "{what}: {read:?}");
    assert_eq!(picture, svg(scene, &Picture { theme: Theme::Dark, size: 400 }), "{what}");
}

/// Every piece that is seen is drawn, none that is hidden is.
fn shows_what_is_seen(scene: &Scene, executor: &dyn Executor, seen: &Seen, what: &str) {
    let (layout, rules) = (executor.layout(), executor.rules());
    let known = layout.known;
    let mut kinds_seen: Vec<&str> = Vec::new();
    for site in rules.topology.sites() {
        let own: Vec<_> = scene.items.iter().filter(|item| item.site == Some(site.index())).collect();
        let look = |index: usize| &scene.looks[own[index].look];
        let owner = seen.state.get(layout.at(known.owner, site));
        let pieces = |field| rules.fields[field].scope == dagaz_ir::Scope::Piece;
        assert!(pieces(known.owner), "{what}");
        if seen.hides(layout.at(known.owner, site)) {
            assert!(own.is_empty(), "{what}: something is drawn where nothing is seen");
            let fog = scene.marks.contains(&Mark::Unseen(site.index()));
            assert!(fog, "{what}: it is not shown that a site is not seen");
        } else if owner != 0 && seen.hides(layout.at(known.kind, site)) {
            assert!(own.len() == 1 && own[0].hidden && look(0).kind.is_none(), "{what}: a hidden kind is drawn");
        } else if owner != 0 {
            let below = layout.stack(site).take_while(|&cell| seen.state.get(cell) != 0).count();
            assert!(
                own.len() == below + 1 || own.len() >= 12,
                "{what}: {} of {} pieces are drawn",
                own.len(),
                below + 1
            );
            let kind = dagaz_ir::Kind::from_index(seen.state.get(layout.at(known.kind, site)) as usize - 1);
            assert_eq!(look(own.len() - 1).kind.as_ref(), Some(&rules.kinds[kind].name), "{what}");
        }
        kinds_seen.extend(own.iter().filter_map(|item| scene.looks[item.look].kind.as_deref()));
    }
    // No table gives away what the board does not show: each look belongs to something that is seen.
    let in_trays =
        scene.trays.iter().flat_map(|tray| &tray.items).filter_map(|item| scene.looks[item.look].kind.as_deref());
    kinds_seen.extend(in_trays);
    for look in scene.looks.iter().filter_map(|look| look.kind.as_deref()) {
        assert!(kinds_seen.contains(&look), "{what}: `{look}` is told, and not seen");
    }
}

#[test]
fn bundled_games_and_their_views() {
    let games_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let files = rule_files(&games_folder);
    assert!(files.len() >= 70, "{} games", files.len());
    let wanted = std::env::var("DAGAZ_GAME").ok();
    for path in files {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if wanted.as_ref().is_some_and(|wanted| *wanted != name) {
            continue;
        }
        let file = read(&path);
        let games = games(&file);
        let (view, found) = view(&path, &games);
        assert!(found.is_empty(), "{name}:\n{found}");
        for (title, rules) in games {
            let executor = Interpreter::new(rules.clone());
            for state in states(&executor, 10) {
                let whole = Seen::whole(state.clone());
                let scene = drawn(&executor, &whole, &view, false);
                keeps_laws(&scene, &rules, &title);
                shows_what_is_seen(&scene, &executor, &whole, &title);
                keeps_laws(&drawn(&executor, &whole, &view, true), &rules, &title);
                if rules.concealments.is_empty() {
                    continue;
                }
                for (player, _) in rules.players.iter().filter(|(_, info)| info.role == Role::Person) {
                    let seen = executor.seen_by(&state, player).expect("rules that run");
                    let scene = drawn(&executor, &seen, &view, false);
                    keeps_laws(&scene, &rules, &title);
                    shows_what_is_seen(&scene, &executor, &seen, &title);
                }
            }
        }
    }
}

/// Nothing that is wrong with files of others makes a picture fail. They need not look well.
#[test]
fn files_of_others() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("DAGAZ_CORPUS").map_or_else(beside, PathBuf::from).join("zrf");
    if !corpus.is_dir() {
        eprintln!("skipped 1 test: there is no corpus at {}", corpus.display());
        return;
    }
    let mut drawn_games = 0;
    for path in rule_files(&corpus) {
        let what = path.display().to_string();
        let Some(game) = read(&path).compile(&Settings::default()).game else { continue };
        let limits = Limits { work: 1_000_000, ..Limits::default() };
        let executor = Interpreter::with_limits(Arc::new(game.rules), limits);
        let seen = Seen::whole(executor.initial());
        let scene = drawn(&executor, &seen, &View::default(), false);
        keeps_laws(&scene, executor.rules(), &what);
        shows_what_is_seen(&scene, &executor, &seen, &what);
        drawn_games += 1;
    }
    eprintln!("{drawn_games} games drawn");
    assert!(drawn_games > 0, "the corpus holds no game");
}

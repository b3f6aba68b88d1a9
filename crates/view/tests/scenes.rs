//! Scenes of small boards, one of each kind of lattice, as text: what belongs to each site, and what is drawn.

use std::fmt::Write as _;
use std::sync::Arc;

use dagaz_base::{Diagnostics, Sources};
use dagaz_engine::{Executor as _, Interpreter, Seen};
use dagaz_lang_zrf::{Settings, compile};
use dagaz_view::{Decor, Moment, Outline, Picture, Scene, View, lint, scene, svg, unknown_names};

fn executor(rules: &str) -> Interpreter {
    let compiled = compile("game.zrf", rules.as_bytes(), &mut |_| None, &Settings::default());
    let findings = compiled.diagnostics.render(&compiled.sources);
    Interpreter::new(Arc::new(compiled.game.unwrap_or_else(|| panic!("{findings}")).rules))
}

fn scene_of(rules: &str, view: &str) -> Scene {
    let executor = executor(rules);
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("game.view", view);
    let view = View::read(file, view, &mut diagnostics);
    assert_eq!(diagnostics.render(&sources), "");
    let seen = Seen::whole(executor.initial());
    let moment = Moment {
        executor: &executor,
        seen: &seen,
        title: "Test",
        changed: vec![],
        last: None,
        selected: None,
        targets: vec![],
        turned: false,
    };
    scene(&moment, &view)
}

/// A scene in short lines.
fn told(scene: &Scene) -> String {
    let mut text = String::new();
    for site in &scene.sites {
        let outline = match &site.outline {
            Outline::Polygon(corners) => {
                corners.iter().map(|corner| format!("{:.2},{:.2}", corner.x, corner.y)).collect::<Vec<_>>().join(" ")
            }
            Outline::Circle(radius) => format!("circle {radius}"),
        };
        let [x, y, z] = site.at;
        let paint = site.paint.as_deref().unwrap_or("none");
        let _ = writeln!(text, "{} {x:.2},{y:.2},{z:.2} {paint} frame {}: {outline}", site.spoken, site.frame);
    }
    for item in &scene.items {
        let look = &scene.looks[item.look];
        let _ = writeln!(text, "item {} at {:?} size {} {}", look.spoken, item.at, item.size, look.letter);
    }
    for decor in &scene.decor {
        let line = match decor {
            Decor::Fill { path, paint } => format!("fill {paint} {path}"),
            Decor::Line { path, paint, width } => format!("line {paint} {width} {path}"),
            Decor::Text { at, text, .. } => format!("text {text} at {:.2},{:.2}", at.x, at.y),
        };
        let _ = writeln!(text, "{line}");
    }
    text + &scene.spoken
}

/// A game with this board and this start.
fn rules(board: &str, start: &str) -> String {
    format!(
        "(game (title \"Test\") (players White Black) (turn-order White Black) (board {board})
           (piece (name Man) (moves ((n) (verify empty?) add))) (board-setup {start}))"
    )
}

const WAYS: &str = "(directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))";

#[test]
fn squares() {
    let board = format!("(grid (start-rectangle 0 0 40 40) (dimensions (\"a/b\" (40 0)) (\"2/1\" (0 40))) {WAYS})");
    insta::assert_snapshot!(told(&scene_of(&rules(&board, "(White (Man a1))"), "(fill checkered)")));
}

#[test]
fn every_other_square() {
    let board = "(positions (a 0 0 40 40) (b 80 0 120 40) (c 40 40 80 80) (d 0 80 40 120) (e 80 80 120 120))
        (links n (c a) (d c) (e c) (a b))";
    insta::assert_snapshot!(told(&scene_of(&rules(board, "(White (Man c))"), "")));
}

#[test]
fn hexagons() {
    let board = "(grid (start-rectangle 0 0 30 30) (dimensions (\"a/b\" (15 -26)) (\"1/2\" (30 0))) (directions (n 1 0) (e 0 1)))";
    insta::assert_snapshot!(told(&scene_of(&rules(board, "(Black (Man b2))"), "")));
}

#[test]
fn points_on_lines() {
    let board = format!(
        "(grid (start-rectangle 0 0 20 20) (dimensions (\"a/b/c\" (40 0)) (\"3/2/1\" (0 40))) {WAYS})
         (links ne (a1 b2) (b2 c3)) (links nw (c1 b2) (b2 a3))"
    );
    insta::assert_snapshot!(told(&scene_of(&rules(&board, "(White (Man b2))"), "")));
}

#[test]
fn floors_over_each_other_lie_side_by_side() {
    let board = format!(
        "(grid (start-rectangle 0 0 40 40) (dimensions (\"a/b\" (40 0)) (\"2/1\" (0 40)) (\"x/y\" (0 0))) {WAYS})"
    );
    insta::assert_snapshot!(told(&scene_of(&rules(&board, "(White (Man a1y))"), "")));
}

#[test]
fn balls_between_balls_are_a_pyramid() {
    let board =
        "(grid (start-rectangle 0 0 40 40) (dimensions (\"a/b\" (40 0)) (\"2/1\" (0 40))) (directions (n 0 -1)))
        (positions (top 20 20 60 60))";
    insta::assert_snapshot!(told(&scene_of(&rules(board, "(White (Man a1 b1 a2 b2 top))"), "")));
}

#[test]
fn pits_with_seeds() {
    let rules = "(game (title \"Test\") (players South North) (turn-order South North)
        (board (grid (start-rectangle 0 0 60 60) (dimensions (\"a/b\" (70 0)) (\"2/1\" (0 70))) (directions (onward 1))))
        (variable seeds 3 positions (at 0 a1))
        (moves ((choose pit everywhere (verify (> (seeds pit) 0)) (from pit) (set seeds pit 0) add))))";
    insta::assert_snapshot!(told(&scene_of(rules, "")));
}

/// Without rectangles the names of directions say where sites lie.
#[test]
fn directions_alone() {
    let board =
        "(dummy a b c d) (links n (c a) (d b)) (links s (a c) (b d)) (links e (a b) (c d)) (links w (b a) (d c))";
    insta::assert_snapshot!(told(&scene_of(&rules(board, "(White (Man a))"), "")));
}

/// And without these the links alone.
#[test]
fn links_alone() {
    let board = "(dummy a b c d e) (links n (a b) (b c) (c d) (d e) (e a))";
    let scene = scene_of(&rules(board, "(White (Man a))"), "");
    assert_eq!(scene, scene_of(&rules(board, "(White (Man a))"), ""), "a seed decides");
    for (index, one) in scene.sites.iter().enumerate() {
        for other in &scene.sites[index + 1..] {
            let apart = (one.at[0] - other.at[0]).abs() + (one.at[1] - other.at[1]).abs();
            assert!(apart > 0.3, "{} and {} lie in one place", one.name, other.name);
        }
    }
}

#[test]
fn a_picture() {
    let board = format!("(grid (start-rectangle 0 0 40 40) (dimensions (\"a\" (40 0)) (\"2/1\" (0 40))) {WAYS})");
    insta::assert_snapshot!(svg(
        &scene_of(&rules(&board, "(White (Man a1)) (Black (Man a2))"), ""),
        &Picture::default()
    ));
}

#[test]
fn json() {
    let board = format!("(grid (start-rectangle 0 0 40 40) (dimensions (\"a\" (40 0)) (\"2/1\" (0 40))) {WAYS})");
    let scene = scene_of(&rules(&board, "(White (Man a1))"), "(labels none)");
    insta::assert_snapshot!(serde_json::to_string_pretty(&scene).expect("a scene is JSON"));
}

#[test]
fn what_is_wrong_with_a_view_is_told() {
    let board = format!(
        "(grid (start-rectangle 0 0 40 40) (dimensions (\"a/b\" (40 0)) (\"2/1\" (0 40))) {WAYS}) (dummy off-1)"
    );
    let executor = executor(&rules(&board, "(White (Man a1)) (Black (Man a2))"));
    let text = "(bord cells)
(board circles)
(look Man (disk 0.9))
(look Mann disc)
(colour White \"#d9c08a\")
(colour Black \"#dcc48f\")
(place b2 0 0 40 40)
(fill teal a1)
(dots a9
";
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("game.view", text);
    let view = View::read(file, text, &mut diagnostics);
    unknown_names(&view, &[executor.rules()]).into_iter().for_each(|found| diagnostics.push(found));
    lint(&view, executor.rules(), file).into_iter().for_each(|found| diagnostics.push(found));
    insta::assert_snapshot!(diagnostics.render(&sources));
}

//! What lies beside the board: hands, dice and numbers.

use dagaz_base::Id;
use dagaz_ir::{Player, Role, Scope};

use crate::build::{Drawing, spatial};
use crate::geometry::{Point, rounded};
use crate::path::Path;
use crate::scene::{Item, Layer, Look, Tray, TrayKind, TrayText};
use crate::stands::{hand, variable, variable_name, variables};
use crate::view::Dice;

/// How broad a tray is, in its own cells.
const COLUMNS: usize = 4;

/// All trays, from above: the hands of all but the first player, what everybody shares, the hand of the first.
pub(crate) fn trays(drawing: &mut Drawing<'_>) -> Vec<Tray> {
    let Some(board) = drawing.ground.bounds() else { return Vec::new() };
    // Beside a large board cells of its size would look lost.
    let unit = (board.size().y / 10.0).clamp(0.8, 2.0);
    let left = board.most.x + 0.5 + unit * 0.3;
    let mut persons: Vec<Player> =
        drawing.rules.players.iter().filter(|(_, info)| info.role == Role::Person).map(|(player, _)| player).collect();
    if !drawing.moment.turned {
        persons.reverse();
    }
    let own = persons.pop();
    let mut trays: Vec<Tray> = Vec::new();
    let mut top = board.least.y;
    let mut put = |tray: Option<Tray>, top: &mut f64| {
        if let Some(tray) = tray {
            *top += tray.bounds[3] + unit * 0.3;
            trays.push(tray);
        }
    };
    for player in persons {
        let tray = hand_tray(drawing, player, Point::new(left, top), unit);
        put(tray, &mut top);
    }
    let tray = dice_tray(drawing, Point::new(left, top), unit);
    put(tray, &mut top);
    for tray in score_trays(drawing, Point::new(left, top), unit) {
        put(Some(tray), &mut top);
    }
    if let Some(player) = own {
        let tray = hand_tray(drawing, player, Point::new(left, top), unit);
        // The first player sits below.
        let tray = tray.map(|tray| lowered(tray, board.most.y));
        put(tray, &mut top);
    }
    trays
}

/// The tray with its bottom no higher than this.
fn lowered(mut tray: Tray, bottom: f64) -> Tray {
    let by = (bottom - tray.bounds[1] - tray.bounds[3]).max(0.0);
    tray.bounds[1] = rounded(tray.bounds[1] + by);
    tray.texts.iter_mut().for_each(|text| text.at.y += by);
    tray.items.iter_mut().for_each(|item| item.at[1] = rounded(item.at[1] + by));
    tray
}

fn hand_tray(drawing: &mut Drawing<'_>, player: Player, at: Point, unit: f64) -> Option<Tray> {
    if drawing.view.hands == Some(false) {
        return None;
    }
    let executor = drawing.moment.executor;
    // What can never run out need not be counted.
    let sites = drawing.rules.topology.site_count() as i32;
    let runs_out =
        |count: &Option<i32>| drawing.view.hands == Some(true) || count.is_none_or(|count| count * 3 < sites);
    let held = hand(executor, drawing.moment.seen, player);
    let unknown = held.iter().any(|(_, count)| count.is_none());
    let mut entries: Vec<(usize, Option<i32>, bool)> = Vec::new();
    for (kind, count) in held.into_iter().filter(|(_, count)| count.is_some() && runs_out(count)) {
        entries.push((drawing.looks.number(Some(kind), player), count, false));
    }
    if unknown {
        entries.push((drawing.looks.number(None, player), None, true));
    }
    if entries.is_empty() {
        return None;
    }
    let name = drawing.rules.players[player].name.clone();
    let mut tray = empty(TrayKind::Hand, Some(name.clone()), at, unit, 1 + entries.len().div_ceil(COLUMNS));
    tray.texts.push(TrayText { at: at + Point::new(0.1, 0.45) * unit, text: name.clone(), size: rounded(0.42 * unit) });
    let mut spoken = Vec::new();
    for (index, (look, count, hidden)) in entries.into_iter().enumerate() {
        let cell = Point::new((index % COLUMNS) as f64 + 0.5, (index / COLUMNS) as f64 + 1.4);
        let middle = at + cell * unit;
        let mut item = loose(look, middle, unit * 0.84);
        item.hidden = hidden;
        tray.items.push(item);
        let number = count.map_or_else(|| "some".to_owned(), |count| count.to_string());
        spoken.push(format!("{number} {}", drawing.looks.get(look).spoken));
        if let Some(count) = count.filter(|&count| count != 1) {
            let corner = middle + Point::new(0.2, 0.36) * unit;
            tray.texts.push(TrayText { at: corner, text: count.to_string(), size: rounded(0.34 * unit) });
        }
    }
    tray.spoken = format!("{name} in hand: {}", spoken.join(", "));
    Some(tray)
}

fn dice_tray(drawing: &mut Drawing<'_>, at: Point, unit: f64) -> Option<Tray> {
    let (name, form) = drawing.view.dice.as_ref()?;
    let (field, layout) = (variable(drawing.rules, name)?, drawing.moment.executor.layout());
    let cells = (0..layout.count(field).min(16)).filter_map(|index| layout.cell(field, index));
    let values: Vec<i32> = cells
        .filter(|&cell| !drawing.moment.seen.hides(cell))
        .map(|cell| drawing.moment.seen.state.get(cell))
        .collect();
    let thrown: Vec<i32> = values.into_iter().filter(|&value| *form == Dice::Corners || value != 0).collect();
    if thrown.is_empty() {
        return None;
    }
    let form = *form;
    let mut tray = empty(TrayKind::Dice, None, at, unit, thrown.len().div_ceil(COLUMNS));
    for (index, &value) in thrown.iter().enumerate() {
        let look = drawing.looks.other(die(value, form));
        let cell = Point::new((index % COLUMNS) as f64 + 0.5, (index / COLUMNS) as f64 + 0.5);
        tray.items.push(loose(look, at + cell * unit, unit * 0.9));
    }
    let said: Vec<String> = thrown.iter().map(ToString::to_string).collect();
    tray.spoken = format!("dice: {}", said.join(", "));
    Some(tray)
}

fn score_trays(drawing: &Drawing<'_>, at: Point, unit: f64) -> Vec<Tray> {
    if drawing.view.scores == Some(false) {
        return Vec::new();
    }
    let (rules, layout, seen) = (drawing.rules, drawing.moment.executor.layout(), drawing.moment.seen);
    let persons: Vec<Player> =
        rules.players.iter().filter(|(_, info)| info.role == Role::Person).map(|(player, _)| player).collect();
    let mut top = at.y;
    let mut trays = Vec::new();
    for field in variables(rules, |scope| scope == Scope::Player) {
        let number = |player: Player| {
            let cell = layout.cell(field, player.index())?;
            Some(if seen.hides(cell) { "?".to_owned() } else { seen.state.get(cell).to_string() })
        };
        let numbers: Vec<(Player, String)> =
            persons.iter().filter_map(|&player| Some((player, number(player)?))).collect();
        if numbers.iter().all(|(_, number)| number == "0") {
            continue;
        }
        let words = variable_name(rules, field).replace(['-', '_'], " ");
        let mut tray = empty(TrayKind::Score, None, Point::new(at.x, top), unit, 1);
        let height = (numbers.len() + 1) as f64 * 0.5 * unit + 0.2 * unit;
        tray.bounds[3] = rounded(height);
        let mut said = Vec::new();
        tray.texts.push(TrayText {
            at: Point::new(at.x + 0.1 * unit, top + 0.35 * unit),
            text: words.clone(),
            size: rounded(0.36 * unit),
        });
        for (line, (player, number)) in numbers.iter().enumerate() {
            let name = &rules.players[*player].name;
            said.push(format!("{name} {number}"));
            let place = Point::new(at.x + 0.3 * unit, top + (line as f64 * 0.5 + 0.85) * unit);
            tray.texts.push(TrayText { at: place, text: format!("{name} {number}"), size: rounded(0.36 * unit) });
        }
        tray.spoken = format!("{words}: {}", said.join(", "));
        top += height + unit * 0.3;
        trays.push(tray);
    }
    trays
}

fn empty(kind: TrayKind, owner: Option<String>, at: Point, unit: f64, rows: usize) -> Tray {
    let bounds = [at.x, at.y, unit * COLUMNS as f64, unit * rows as f64].map(rounded);
    Tray { kind, owner, bounds, texts: Vec::new(), items: Vec::new(), spoken: String::new() }
}

fn loose(look: usize, at: Point, size: f64) -> Item {
    Item {
        site: None,
        look,
        at: spatial(at, 0.0),
        size: rounded(size),
        quarters: 0,
        attributes: std::collections::BTreeMap::new(),
        hidden: false,
    }
}

/// A die that shows a number.
fn die(value: i32, form: Dice) -> Look {
    let layer = |path: &Path, fill: &str, width: f64| Layer {
        path: path.to_string(),
        fill: Some(fill.to_owned()),
        stroke: (width > 0.0).then(|| "die-edge".to_owned()),
        width,
    };
    let middle = Point::default();
    let layers = match form {
        Dice::Cubes => {
            let mut layers = vec![layer(&Path::rounded(middle, Point::new(0.42, 0.42), 0.1), "die", 0.03)];
            let eye = |&(x, y): &(f64, f64)| Path::circle(Point::new(x, y) * 0.23, 0.078);
            let eyes = eyes(value).iter().map(eye).fold(Path::default(), Path::and);
            layers.push(layer(&eyes, "die-edge", 0.0));
            layers
        }
        Dice::Corners => {
            let corners = [(0.0, -0.42), (0.45, 0.36), (-0.45, 0.36)].map(|(x, y)| Point::new(x, y));
            let mut layers = vec![layer(&Path::polygon(corners), "die", 0.03)];
            if value != 0 {
                layers.push(layer(&Path::circle(Point::new(0.0, 0.08), 0.13), "die-edge", 0.0));
            }
            layers
        }
    };
    Look { owner: None, kind: None, layers, letter: value.to_string(), spoken: format!("die showing {value}") }
}

/// Where the eyes of a die are, in rows and columns of three.
fn eyes(value: i32) -> &'static [(f64, f64)] {
    match value {
        1 => &[(0.0, 0.0)],
        2 => &[(-1.0, -1.0), (1.0, 1.0)],
        3 => &[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)],
        4 => &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)],
        5 => &[(-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
        6 => &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
        _ => &[],
    }
}

//! `dagaz info`.

use dagaz_engine_wasm::{Plan, Wasm};
use dagaz_ir::{Role, Rules};
use serde_json::{Value, json};

use crate::answer::{Answer, Out};
use crate::args::{ExecutorName, Info};
use crate::game::Game;

pub(crate) fn run(args: &Info, out: &mut Out) -> anyhow::Result<Answer> {
    let game = Game::load(&args.game, ExecutorName::Interp)?;
    if args.plan {
        let module = Wasm::new(game.executor.rules().clone())?;
        return plan(&game, module.plan()?, out);
    }
    if args.ir {
        out.text(dagaz_ir::text::print_without_origins(game.rules()))?;
    } else if out.json {
        out.value(&value(&game))?;
    } else {
        describe(&game, out)?;
    }
    Ok(Answer::Yes)
}

/// How the rules are compiled: a line for the game, then one for each rule; rules of one name and shape are one line.
fn plan(game: &Game, plan: &Plan, out: &mut Out) -> anyhow::Result<Answer> {
    let rules = game.rules();
    let named = |id| {
        let rule = &rules.rules[id];
        let kind = rule.kind.map_or("", |kind| &rules.kinds[kind].name);
        (kind, rule.name.as_str())
    };
    if out.json {
        let shape = |&(id, shape): &(_, dagaz_engine_wasm::Shape)| {
            let (kind, rule) = named(id);
            json!({ "kind": kind, "rule": rule, "arguments": rules.rules[id].arguments, "shape": shape.to_string() })
        };
        out.value(&json!({
            "playouts": plan.playouts.to_string(),
            "counts_last_moves": plan.counts_last_moves,
            "remembers_states": plan.remembers,
            "rules": plan.rules.iter().map(shape).collect::<Vec<_>>(),
        }))?;
        return Ok(Answer::Yes);
    }
    out.line(format_args!("playouts     {}", plan.playouts))?;
    out.line(format_args!(
        "perft        {}",
        if plan.counts_last_moves { "last moves are counted at once" } else { "move by move" }
    ))?;
    out.line(format_args!("past states  {}", if plan.remembers { "remembered" } else { "not needed" }))?;
    out.line("")?;
    let mut rest = &plan.rules[..];
    while let Some(&(first, shape)) = rest.first() {
        let alike = rest.iter().take_while(|&&(id, other)| named(id) == named(first) && other == shape).count();
        rest = &rest[alike..];
        let (kind, rule) = named(first);
        let times = if alike > 1 { format!(" ({alike} rules)") } else { String::new() };
        let name = if kind.is_empty() { rule.to_owned() } else { format!("{kind} {rule}") };
        out.line(format_args!("{name}{times}: {shape}"))?;
    }
    Ok(Answer::Yes)
}

fn describe(game: &Game, out: &mut Out) -> anyhow::Result<()> {
    let rules = game.rules();
    out.line(&game.texts.title)?;
    out.line("")?;
    let list = |names: Vec<String>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    out.line(format_args!("sites       {}", rules.topology.site_count()))?;
    out.line(format_args!("directions  {}", list(directions(rules))))?;
    let players = rules.players.values().map(|player| match role(player.role) {
        "" => player.name.clone(),
        role => format!("{} ({role})", player.name),
    });
    out.line(format_args!("players     {}", list(players.collect())))?;
    out.line(format_args!("kinds       {}", list(rules.kinds.values().map(|kind| kind.name.clone()).collect())))?;
    out.line(format_args!("zones       {}", list(rules.zones.values().map(|zone| zone.name.clone()).collect())))?;
    out.line(format_args!("move types  {}", list(rules.move_types.values().cloned().collect())))?;
    out.line(format_args!("move rules  {}", list(move_rules(rules))))?;
    out.line(format_args!("ends        {}", list(rules.ends.iter().map(|end| end.name.clone()).collect())))?;
    if !rules.concealments.is_empty() {
        out.line(format_args!("hidden      {}", list(hidden(rules))))?;
    }
    if game.menu.len() > 1 {
        out.line("\nvariants")?;
        for (index, item) in game.menu.iter().enumerate() {
            let mark = if item.default { " (default)" } else { "" };
            out.line(format_args!("  {:2}  {}{mark}", index + 1, item.title))?;
        }
    }
    let texts = [&game.texts.description, &game.texts.history, &game.texts.strategy];
    for (title, text) in ["description", "history", "strategy"].iter().zip(texts) {
        if let Some(text) = text {
            out.line(format_args!("\n{title}\n{}", indented(text)))?;
        }
    }
    Ok(())
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {}", line.trim_end()).trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Person => "",
        Role::Random => "chance",
        Role::Neutral => "neutral",
    }
}

fn directions(rules: &Rules) -> Vec<String> {
    rules.topology.directions().map(|direction| rules.topology.direction_name(direction).to_owned()).collect()
}

/// The names of the move rules, each once.
fn move_rules(rules: &Rules) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for rule in rules.rules.values() {
        if !names.contains(&rule.name) {
            names.push(rule.name.clone());
        }
    }
    names
}

/// What players do not see, as the rules say it.
fn hidden(rules: &Rules) -> Vec<String> {
    rules.concealments.iter().map(|concealment| concealment.name.clone()).collect()
}

fn value(game: &Game) -> Value {
    let rules = game.rules();
    let topology = &rules.topology;
    let site = |site| topology.site_name(site);
    let sites: Vec<Value> = topology
        .sites()
        .map(|id| {
            let area = topology.area(id).map(|area| json!([area.left, area.top, area.right, area.bottom]));
            json!({ "name": site(id), "area": area })
        })
        .collect();
    let directions: Vec<Value> = topology
        .directions()
        .map(|id| {
            let links: serde_json::Map<String, Value> = topology
                .sites()
                .filter_map(|from| Some((site(from).to_owned(), site(topology.step(id, from)?).into())))
                .collect();
            json!({ "name": topology.direction_name(id), "links": links })
        })
        .collect();
    let players: Vec<Value> = rules
        .players
        .values()
        .map(|player| {
            let role = match player.role {
                Role::Person => "person",
                Role::Random => "chance",
                Role::Neutral => "neutral",
            };
            json!({ "name": player.name, "role": role })
        })
        .collect();
    let menu: Vec<Value> =
        game.menu.iter().map(|item| json!({ "title": item.title, "default": item.default })).collect();
    json!({
        "title": game.texts.title,
        "variant": game.variant,
        "sites": sites,
        "directions": directions,
        "players": players,
        "kinds": rules.kinds.values().map(|kind| kind.name.as_str()).collect::<Vec<_>>(),
        "zones": rules.zones.values().map(|zone| zone.name.as_str()).collect::<Vec<_>>(),
        "move_types": rules.move_types.values().collect::<Vec<_>>(),
        "move_rules": move_rules(rules),
        "ends": rules.ends.iter().map(|end| end.name.as_str()).collect::<Vec<_>>(),
        "hidden": hidden(rules),
        "variants": menu,
        "description": game.texts.description,
        "history": game.texts.history,
        "strategy": game.texts.strategy,
    })
}

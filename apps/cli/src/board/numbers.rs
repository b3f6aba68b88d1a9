//! The numbers that an author's rules keep besides the pieces: of sites on the board, of players below it.

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Cell, Executor, Seen};
use dagaz_ir::{Field, Player, Role, Rules, Scope};

use super::{Look, UNSEEN, look, wrapped};

/// The variables of the rules that hold a number for each site, as far as they say something of sites that are seen to be
/// empty.
pub(super) struct Numbers {
    /// The first of them, which the picture shows.
    shown: Option<Field>,
    others: Vec<Field>,
}

impl Numbers {
    pub(super) fn of(executor: &dyn Executor, seen: &Seen) -> Self {
        let layout = executor.layout();
        let says_something =
            |field: &Field| empty(executor, seen).any(|site| seen.state.get(layout.at(*field, site)) != 0);
        let mut fields = variables(executor.rules(), Scope::Site).filter(says_something);
        Self { shown: fields.next(), others: fields.collect() }
    }

    /// The number of a site without a piece, unless it is 0.
    pub(super) fn at(&self, executor: &dyn Executor, seen: &Seen, site: Site) -> Option<String> {
        let number = number(seen, executor.layout().at(self.shown?, site));
        (number != "0").then_some(number)
    }

    /// Which numbers the picture shows, and the numbers that it does not show.
    pub(super) fn told(&self, executor: &dyn Executor, seen: &Seen) -> String {
        let rules = executor.rules();
        let shown = self.shown.map(|field| format!("numbers: {}\n", variable_name(rules, field)));
        let list = |&field: &Field| {
            let numbers = empty(executor, seen).map(|site| (site, number(seen, executor.layout().at(field, site))));
            let items: Vec<String> = numbers
                .filter(|(_, number)| number != "0")
                .map(|(site, number)| format!("{} {number}", rules.topology.site_name(site)))
                .collect();
            wrapped(&format!("{}: ", variable_name(rules, field)), &items)
        };
        shown.into_iter().chain(self.others.iter().map(list)).collect()
    }
}

/// The variables that hold a number for each player, where one is not 0 or not seen.
pub(super) fn of_players(executor: &dyn Executor, seen: &Seen) -> String {
    let (rules, layout) = (executor.rules(), executor.layout());
    let persons = || rules.players.iter().filter(|(_, info)| info.role == Role::Person);
    let list = |field: Field| {
        let number =
            |player: Player| layout.cell(field, player.index()).map_or("0".to_owned(), |cell| number(seen, cell));
        if persons().all(|(player, _)| number(player) == "0") {
            return String::new();
        }
        let items: Vec<String> = persons().map(|(player, info)| format!("{} {}", info.name, number(player))).collect();
        wrapped(&format!("{}: ", variable_name(rules, field)), &items)
    };
    variables(rules, Scope::Player).map(list).collect()
}

/// The sites that are seen to be empty.
fn empty<'a>(executor: &'a dyn Executor, seen: &'a Seen) -> impl Iterator<Item = Site> + 'a {
    executor.rules().topology.sites().filter(|&site| matches!(look(executor, seen, site), Look::Nothing))
}

fn number(seen: &Seen, cell: Cell) -> String {
    if seen.hides(cell) { UNSEEN.to_owned() } else { seen.state.get(cell).to_string() }
}

/// The variables of the rules with this scope that last longer than a move and are more than a memory.
fn variables(rules: &Rules, scope: Scope) -> impl Iterator<Item = Field> + '_ {
    rules.fields.iter().filter_map(move |(field, info)| {
        let lasting = !info.transient && !info.memory && info.name.starts_with(VARIABLE);
        (info.scope == scope && lasting).then_some(field)
    })
}

/// How a rule language calls the fields that the author's variables become.
const VARIABLE: &str = "variable ";

fn variable_name(rules: &Rules, field: Field) -> &str {
    rules.fields[field].name.strip_prefix(VARIABLE).unwrap_or_default()
}

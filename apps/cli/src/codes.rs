//! Short codes for pieces, found from the names of kinds and players: `K` and `k`, or `rK` and `bK`.

use std::collections::BTreeSet;

use dagaz_base::{Id, IdMap};
use dagaz_engine::Piece;
use dagaz_ir::{Kind, Player, PlayerInfo, Role, Rules};

/// How the pieces of one game are written on a text board.
pub(crate) struct Codes {
    kinds: IdMap<Kind, String>,
    players: IdMap<Player, Mark>,
    /// The first letter of each player's name, in lower case; his number where there is none.
    initials: IdMap<Player, String>,
}

/// How it is shown whose a piece is.
enum Mark {
    Upper,
    Lower,
    Prefix(String),
}

impl Codes {
    /// The codes of a game's pieces: always the same for the same rules.
    pub(crate) fn of(rules: &Rules) -> Self {
        let initials = initials(rules);
        Self { kinds: kind_codes(rules), players: player_marks(rules, &initials), initials }
    }

    /// The code of a piece.
    pub(crate) fn piece(&self, piece: Piece) -> String {
        let code = &self.kinds[piece.kind];
        match &self.players[piece.owner] {
            Mark::Upper => code.clone(),
            Mark::Lower => code.to_lowercase(),
            Mark::Prefix(prefix) => format!("{prefix}{code}"),
        }
    }

    /// The code of a piece of which is seen whose it is, and not which.
    pub(crate) fn unknown(&self, owner: Player) -> String {
        match &self.players[owner] {
            Mark::Upper => format!("{}?", self.initials[owner].to_uppercase()),
            Mark::Lower => format!("{}?", self.initials[owner]),
            Mark::Prefix(prefix) => format!("{prefix}?"),
        }
    }

    /// The kind's part of the code.
    pub(crate) fn kind(&self, kind: Kind) -> &str {
        &self.kinds[kind]
    }

    /// What shows that a piece is this player's, in words.
    pub(crate) fn player(&self, player: Player) -> String {
        match &self.players[player] {
            Mark::Upper => "upper case".to_owned(),
            Mark::Lower => "lower case".to_owned(),
            Mark::Prefix(prefix) => format!("{prefix}…"),
        }
    }
}

/// One letter where that is possible: the first of the name, or a later one that is free. Shorter names choose first,
/// so that a king is K and a knight N. Names that end in a number keep it; where it need not be shown whose the piece
/// is, the number is enough.
fn kind_codes(rules: &Rules) -> IdMap<Kind, String> {
    let mut order: Vec<Kind> = rules.kinds.ids().collect();
    order.sort_by_key(|&kind| (rules.kinds[kind].name.chars().count(), kind));
    let mut codes: IdMap<Kind, String> = IdMap::filled(rules.kinds.len(), String::new());
    let mut taken = BTreeSet::new();
    // First everybody's own first letter, so that nobody's second letter takes it away.
    let alone = persons(rules).len() <= 1;
    for &kind in &order {
        let name = &rules.kinds[kind].name;
        let number = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let letter = letters(name).first().cloned().unwrap_or_else(|| "X".to_owned());
        let code = if alone { number.to_owned() } else { format!("{letter}{number}") };
        if taken.insert(code.clone()) {
            codes[kind] = code;
        }
    }
    for &kind in &order {
        if codes[kind].is_empty()
            && let Some(first) = letters(&rules.kinds[kind].name).first()
            && taken.insert(first.clone())
        {
            codes[kind].clone_from(first);
        }
    }
    for &kind in &order {
        if codes[kind].is_empty() {
            let free = candidates(&rules.kinds[kind].name, kind).find(|code| !taken.contains(code));
            let code = free.expect("numbers never run out");
            taken.insert(code.clone());
            codes[kind] = code;
        }
    }
    codes
}

/// The letters of a name that have two cases, in upper case.
fn letters(name: &str) -> Vec<String> {
    let two_cases = |letter: &char| letter.is_alphabetic() && letter.to_lowercase().ne(letter.to_uppercase());
    name.chars().filter(two_cases).map(|letter| letter.to_uppercase().collect()).collect()
}

fn candidates(name: &str, kind: Kind) -> impl Iterator<Item = String> {
    let letters = letters(name);
    let first = letters.first().cloned().unwrap_or_else(|| "X".to_owned());
    let pairs: Vec<String> = letters.iter().skip(1).map(|second| format!("{first}{second}")).collect();
    let numbers = (kind.index() + 1..).map(move |number| format!("{first}{number}"));
    letters.into_iter().chain(pairs).chain(numbers)
}

fn persons(rules: &Rules) -> Vec<Player> {
    rules.players.iter().filter(|(_, info)| info.role == Role::Person).map(|(player, _)| player).collect()
}

fn initials(rules: &Rules) -> IdMap<Player, String> {
    let initial = |(id, player): (Player, &PlayerInfo)| {
        letters(&player.name).first().map_or((id.index() + 1).to_string(), |letter| letter.to_lowercase())
    };
    rules.players.iter().map(initial).collect()
}

fn player_marks(rules: &Rules, initials: &IdMap<Player, String>) -> IdMap<Player, Mark> {
    let persons = persons(rules);
    let unique = initials.values().collect::<BTreeSet<_>>().len() == initials.len();
    let mark = |player: Player| match persons.iter().position(|&person| person == player) {
        Some(0) if persons.len() <= 2 => Mark::Upper,
        Some(1) if persons.len() <= 2 => Mark::Lower,
        _ if unique => Mark::Prefix(initials[player].clone()),
        _ => Mark::Prefix((player.index() + 1).to_string()),
    };
    rules.players.ids().map(mark).collect()
}

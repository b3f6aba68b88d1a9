//! Finds the legal step that does what a saved game says.

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Effect, Executor, Fault, Layout, State, Step, StepRule};
use dagaz_ir::{Field, Kind, Player, Role, Rules};

use crate::names::Names;
use crate::record::Reason;
use crate::universal;
use crate::zsg::items::{Item, Moved, items, numbered_attributes};

/// A step and the state that it leads to.
type Fit<'s> = (&'s Step, State);

/// Finds the legal step that the words of a saved game mean: the one that leads to the same owners and kinds on all
/// sites.
///
/// Where several do, those are preferred, in this order, that start and end where the words say; whose attributes
/// come out the same; that leave the move unfinished when the words say so; and that go on with the move type of the
/// words. What is then left must lead to one and the same state.
pub fn resolve<'s>(executor: &dyn Executor, state: &State, steps: &'s [Step], text: &str) -> Result<&'s Step, Reason> {
    let rules = executor.rules();
    let names = Names::of(rules);
    let moved = items(text, &names).map_err(|error| Reason::Unreadable { what: error.to_string() })?;
    let attributes = numbered_attributes(rules).len();
    let unknown = |item: &Item| matches!(item, Item::Attribute { number, .. } if *number >= attributes);
    if let Some(Item::Attribute { number, .. }) = moved.items.iter().find(|item| unknown(item)) {
        let what = format!("there is no attribute {number}: the game has {attributes}, numbered from 0");
        return Err(Reason::Unreadable { what });
    }
    if moved.items.is_empty() {
        let passes = |step: &&Step| matches!(step.rule, StepRule::Pass | StepRule::Stop);
        return steps.iter().find(passes).ok_or_else(|| illegal(executor, state, steps, &moved));
    }
    let expected = Expected::of(rules, executor.layout(), state, &moved);
    let all = || steps.iter().filter(|step| matches!(step.rule, StepRule::Rule(_)));
    let fits = |steps: Vec<&'s Step>| -> Result<Vec<Fit<'s>>, Fault> {
        let mut fitting = Vec::new();
        for step in steps {
            let mut after = state.clone();
            executor.apply(&mut after, step)?;
            if expected.has_pieces_of(executor.layout(), &after) {
                fitting.push((step, after));
            }
        }
        Ok(fitting)
    };
    // Most often a step that goes as the words say is it, and no other need be tried.
    let mut fitting = fits(all().filter(|step| goes_as(step, &moved)).collect())?;
    if fitting.is_empty() {
        fitting = fits(all().filter(|step| !goes_as(step, &moved)).collect())?;
    }
    let mut prefer = |wanted: &dyn Fn(&Fit) -> bool| {
        if fitting.iter().any(wanted) {
            fitting.retain(wanted);
        }
    };
    prefer(&|(_, after)| expected.has_attributes_of(executor.layout(), after));
    prefer(&|(step, _)| step.chain.is_some() == moved.partial.is_some());
    let next = |step: &Step| step.chain?.move_type.map(|move_type| move_type.index() + 1);
    prefer(&|(step, _)| next(step) == moved.partial);
    match fitting.as_slice() {
        [] => Err(match all().find(|step| goes_as(step, &moved)) {
            Some(step) => unlike(executor, state, steps, step, &expected),
            None => illegal(executor, state, steps, &moved),
        }),
        [(step, after), rest @ ..] if rest.iter().all(|(_, other)| other == after) => Ok(step),
        many => {
            let text = |(step, _): &Fit| universal::write(executor, state, steps, step);
            Err(Reason::Ambiguous { candidates: many.iter().map(text).collect::<Result<_, _>>()? })
        }
    }
}

/// Whether the step starts and ends as the first words say.
fn goes_as(step: &Step, moved: &Moved) -> bool {
    match moved.items[0] {
        Item::Displace { from, to, .. } => step.from == Some(from) && step.to == Some(to),
        Item::Put { site, .. } => matches!(step.effects.first(), Some(Effect::Drop { site: at, .. }) if *at == site),
        _ => !matches!(step.effects.first(), Some(Effect::Move { .. } | Effect::Drop { .. })),
    }
}

fn illegal(executor: &dyn Executor, state: &State, steps: &[Step], moved: &Moved) -> Reason {
    let near = |step: &&Step| match moved.items.first() {
        Some(&Item::Displace { from, .. }) => step.from == Some(from),
        Some(&Item::Put { site, .. }) => step.from.is_none() && step.to == Some(site),
        _ => true,
    };
    let texts = steps.iter().filter(near).map(|step| universal::write(executor, state, steps, step));
    match texts.collect() {
        Ok(candidates) => Reason::Illegal { candidates },
        Err(fault) => Reason::Fault(fault),
    }
}

/// Says how the step differs from what the words say.
fn unlike(executor: &dyn Executor, state: &State, steps: &[Step], step: &Step, expected: &Expected) -> Reason {
    let mut after = state.clone();
    let mut differences = || {
        executor.apply(&mut after, step)?;
        let text = universal::write(executor, state, steps, step)?;
        Ok((text, expected.differences(executor.rules(), executor.layout(), &after)))
    };
    match differences() {
        Ok((step, differences)) => Reason::Unlike { step, differences },
        Err(fault) => Reason::Fault(fault),
    }
}

/// The number of the person after the player of this number, in the order in which they are listed.
fn next_person(rules: &Rules, player: i32) -> i32 {
    let players = rules.players.iter().chain(rules.players.iter()).skip(player.max(0) as usize);
    let persons = players.filter(|(_, info)| info.role == Role::Person).map(|(next, _)| next.index() as i32 + 1);
    persons.take(1).last().unwrap_or(player)
}

/// The pieces as they stand after what the words say.
struct Expected {
    /// The values of each piece field, by site.
    fields: Vec<(Field, Vec<i32>)>,
}

impl Expected {
    fn of(rules: &Rules, layout: &Layout, state: &State, moved: &Moved) -> Self {
        let sites = || rules.topology.sites();
        let values = |field| sites().map(|site| state.get(layout.at(field, site))).collect();
        let mut expected = Self { fields: layout.piece_fields().iter().map(|&field| (field, values(field))).collect() };
        expected.displace(moved);
        let numbered = numbered_attributes(rules);
        let mut last = None;
        for item in &moved.items {
            let named = |sites: &[Site]| if sites.is_empty() { last.into_iter().collect() } else { sites.to_vec() };
            match item {
                &Item::Displace { to, .. } => last = Some(to),
                &Item::Put { owner, kind, site } => {
                    expected.put(rules, layout, (owner, kind, site));
                    last = Some(site);
                }
                &Item::Capture { site } => expected.clear(site),
                Item::Retype { kind, sites } => {
                    named(sites).into_iter().for_each(|site| expected.retype(rules, layout, site, *kind));
                }
                Item::Reown { owner, sites } => {
                    let number = owner.index() as i32 + 1;
                    named(sites)
                        .into_iter()
                        .for_each(|site| expected.set_piece(layout, site, layout.known.owner, number));
                }
                Item::Flip { sites } => sites.iter().for_each(|&site| {
                    let next = next_person(rules, expected.get(layout.known.owner, site));
                    expected.set_piece(layout, site, layout.known.owner, next);
                }),
                &Item::Attribute { site, number, value } => {
                    let kind = expected.kind(layout, site).map(|kind| &rules.kinds[kind].attributes);
                    let carries = |field| kind.is_some_and(|list| list.iter().any(|&(other, _)| other == field));
                    if let Some(&field) = numbered.get(number).filter(|&&field| carries(field)) {
                        expected.set_piece(layout, site, field, value);
                    }
                }
            }
        }
        expected
    }

    /// All pieces that go are lifted, and then put down in order.
    fn displace(&mut self, moved: &Moved) {
        for (_, values) in &mut self.fields {
            let old = values.clone();
            let going = moved.items.iter().filter_map(|item| match item {
                &Item::Displace { from, to, .. } => Some((from.index(), to.index())),
                _ => None,
            });
            going.clone().for_each(|(from, _)| values[from] = 0);
            going.for_each(|(from, to)| values[to] = old[from]);
        }
    }

    fn get(&self, field: Field, site: Site) -> i32 {
        self.fields.iter().find(|(other, _)| *other == field).map_or(0, |(_, values)| values[site.index()])
    }

    fn set(&mut self, field: Field, site: Site, value: i32) {
        for (other, values) in &mut self.fields {
            if *other == field {
                values[site.index()] = value;
            }
        }
    }

    /// Sets a field of the piece there, if any.
    fn set_piece(&mut self, layout: &Layout, site: Site, field: Field, value: i32) {
        if self.get(layout.known.owner, site) != 0 {
            self.set(field, site, value);
        }
    }

    fn kind(&self, layout: &Layout, site: Site) -> Option<Kind> {
        let number = self.get(layout.known.kind, site);
        (number > 0).then(|| Kind::from_index(number as usize - 1))
    }

    fn clear(&mut self, site: Site) {
        self.fields.iter_mut().for_each(|(_, values)| values[site.index()] = 0);
    }

    fn put(&mut self, rules: &Rules, layout: &Layout, (owner, kind, site): (Player, Kind, Site)) {
        self.clear(site);
        self.set(layout.known.owner, site, owner.index() as i32 + 1);
        self.set(layout.known.kind, site, kind.index() as i32 + 1);
        rules.kinds[kind].attributes.iter().for_each(|&(field, value)| self.set(field, site, value));
    }

    /// Attributes that both kinds have stay; the others are the new kind's own, or nothing.
    fn retype(&mut self, rules: &Rules, layout: &Layout, site: Site, kind: Kind) {
        let Some(old) = self.kind(layout, site) else { return };
        self.set(layout.known.kind, site, kind.index() as i32 + 1);
        let has = |kind: Kind, field| rules.kinds[kind].attributes.iter().find(|(other, _)| *other == field);
        for &field in layout.piece_fields() {
            match (has(old, field), has(kind, field)) {
                (None, Some(&(_, value))) => self.set(field, site, value),
                (Some(_), None) => self.set(field, site, 0),
                _ => {}
            }
        }
    }

    fn has_pieces_of(&self, layout: &Layout, state: &State) -> bool {
        self.equals(layout, state, |field| field == layout.known.owner || field == layout.known.kind)
    }

    fn has_attributes_of(&self, layout: &Layout, state: &State) -> bool {
        self.equals(layout, state, |_| true)
    }

    /// What stands in the state on each site where it should be something else.
    fn differences(&self, rules: &Rules, layout: &Layout, state: &State) -> Vec<String> {
        let says = |owner: i32, kind: i32| match (usize::try_from(owner - 1), usize::try_from(kind - 1)) {
            (Ok(owner), Ok(kind)) => {
                let (owner, kind) = (&rules.players[Player::from_index(owner)], &rules.kinds[Kind::from_index(kind)]);
                format!("{} {}", owner.name, kind.name)
            }
            _ => "nothing".to_owned(),
        };
        let difference = |site| {
            let wanted = says(self.get(layout.known.owner, site), self.get(layout.known.kind, site));
            let value = |field| state.get(layout.at(field, site));
            let found = says(value(layout.known.owner), value(layout.known.kind));
            (found != wanted).then(|| format!("{found} on {}, not {wanted}", rules.topology.site_name(site)))
        };
        rules.topology.sites().filter_map(difference).collect()
    }

    fn equals(&self, layout: &Layout, state: &State, wanted: impl Fn(Field) -> bool) -> bool {
        self.fields.iter().filter(|(field, _)| wanted(*field)).all(|(field, values)| {
            let same = |(index, &value): (usize, &i32)| state.get(layout.at(*field, Site::from_index(index))) == value;
            values.iter().enumerate().all(same)
        })
    }
}

//! Writes games as Zillions saves them.

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Effect, Executor, State, Step, StepRule};
use dagaz_ir::{Field, Kind, KindInfo, Player, Role, Rules};
use dagaz_play::Play;

use crate::record::SetUp;
use crate::zsg::items::numbered_attributes;

/// What stands above the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading<'a> {
    /// The file of the rules.
    pub rules_file: &'a str,
    /// The variant's title.
    pub variant: &'a str,
}

/// Why a game cannot be saved in this format. The format has no other branches and no comments: they are left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The format has no such edit.
    #[error("a saved game of Zillions cannot say how the starting state was changed: {set_up:?}")]
    SetUp {
        /// The change.
        set_up: SetUp,
    },
    /// A step does nothing that the format has words for.
    #[error("a saved game of Zillions has no words for step {number}")]
    Silent {
        /// Which step, from 1.
        number: usize,
    },
}

/// The line of play up to the cursor as a saved game, with CRLF after each line; see [`encode`](super::encode).
pub fn write(play: &Play, heading: Heading) -> Result<String, WriteError> {
    let rules = play.rules();
    let controller = |role| match role {
        Role::Person => Some('H'),
        Role::Random => Some('C'),
        Role::Neutral => None,
    };
    let controllers: String = rules.players.values().filter_map(|player| controller(player.role)).collect();
    let mut lines = vec![
        format!("{} 0.02 {controllers}", super::HEAD),
        format!("RulesFile={}", heading.rules_file),
        format!("VariantName={}", heading.variant),
    ];
    for &edit in play.edits() {
        lines.push(match SetUp::of(edit, rules) {
            SetUp::Remove(site) => format!("(x {site})"),
            SetUp::Place(owner, kind, site) => format!("({owner} {kind} {site})"),
            set_up => return Err(WriteError::SetUp { set_up }),
        });
    }
    let line = play.line_to(play.cursor());
    for (number, pair) in line.windows(2).enumerate() {
        let (before, made) = (&play.node(pair[0]).state, &play.node(pair[1]).made);
        let made = made.as_ref().expect("a child was made by a step");
        let text = text(&**play.executor(), before, &made.step).ok_or(WriteError::Silent { number: number + 1 })?;
        lines.push(format!("{}. {text}", made.round));
    }
    lines.push(String::new());
    Ok(lines.join("\r\n"))
}

/// The words of one step, if there are any.
fn text(executor: &dyn Executor, state: &State, step: &Step) -> Option<String> {
    let rule = match step.rule {
        StepRule::Pass | StepRule::Stop => return Some("Pass".to_owned()),
        StepRule::Rule(rule) => &executor.rules().rules[rule],
    };
    let mut after = state.clone();
    executor.apply(&mut after, step).ok()?;
    let mut words = Words { executor, before: state, after: &after, text: Vec::new(), last: None };
    if let Some(chain) = step.chain {
        let number = chain.move_type.or(rule.move_type).map_or(1, |move_type| move_type.index() + 1);
        words.text.push(format!("partial {number}"));
    }
    let lead = words.text.len();
    // Zillions names all pieces that go before anything else.
    let goes = |effect: &&Effect| matches!(effect, Effect::Move { .. } | Effect::Copy { .. });
    step.effects.iter().filter(goes).for_each(|effect| words.push(effect));
    for effect in &step.effects {
        if let &Effect::Copy { from, .. } = effect {
            words.text.extend(words.stays(from));
            words.last = None;
        }
    }
    step.effects.iter().filter(|effect| !goes(effect)).for_each(|effect| words.push(effect));
    (words.text.len() > lead).then(|| words.text.join(" "))
}

/// The words of a step so far.
struct Words<'a> {
    executor: &'a dyn Executor,
    before: &'a State,
    after: &'a State,
    text: Vec<String>,
    /// Where the piece stands that the last words were about, when it went there: what it becomes needs no site.
    last: Option<Site>,
}

impl Words<'_> {
    fn push(&mut self, effect: &Effect) {
        let rules: &Rules = self.executor.rules();
        let site = |site| rules.topology.site_name(site);
        let put = |owner, kind, at| format!("{} {} {}", rules.players[owner].name, rules.kinds[kind].name, site(at));
        let becomes = |name: &str, at| {
            if self.last == Some(at) { format!("= {name}") } else { format!("= {name} on {}", site(at)) }
        };
        let (text, last) = match *effect {
            Effect::Move { from, to } | Effect::Copy { from, to } => (self.goes(from, to), Some(to)),
            Effect::Capture { site: at } => (Some(format!("x {}", site(at))), None),
            Effect::Create { site: at, owner, kind } | Effect::Drop { site: at, owner, kind } => {
                (Some(put(owner, kind, at)), None)
            }
            Effect::Retype { site: at, kind } => (Some(becomes(&rules.kinds[kind].name, at)), None),
            Effect::Reown { site: at, owner } => (Some(becomes(&rules.players[owner].name, at)), None),
            Effect::Flip { site: at } => (Some(format!("flip {}", site(at))), None),
            Effect::SetAt { field, site: at, value } => (self.attribute(field, at, value), None),
            // Zillions has neither such fields nor stacks nor jumps.
            Effect::Set { .. }
            | Effect::Push { .. }
            | Effect::Pop { .. }
            | Effect::Tuck { .. }
            | Effect::Jump { .. } => (None, self.last),
        };
        self.last = if text.is_some() { last } else { self.last };
        self.text.extend(text);
    }

    fn kind(&self, state: &State, site: Site) -> Option<&KindInfo> {
        let layout = self.executor.layout();
        let number = state.get(layout.at(layout.known.kind, site));
        (number > 0).then(|| &self.executor.rules().kinds[Kind::from_index(number as usize - 1)])
    }

    fn goes(&self, from: Site, to: Site) -> Option<String> {
        let site = |site| self.executor.rules().topology.site_name(site);
        let sign = if self.kind(self.before, to).is_some() { "x" } else { "-" };
        let kind = self.kind(self.before, from)?;
        Some(format!("{} {} {sign} {}", kind.name, site(from), site(to)))
    }

    /// A piece that stays where it goes from is made anew there.
    fn stays(&self, from: Site) -> Option<String> {
        let layout = self.executor.layout();
        let owner = Player::from_index(usize::try_from(self.before.get(layout.at(layout.known.owner, from)) - 1).ok()?);
        let rules = self.executor.rules();
        let kind = self.kind(self.before, from)?;
        Some(format!("{} {} {}", rules.players[owner].name, kind.name, rules.topology.site_name(from)))
    }

    fn attribute(&self, field: Field, at: Site, value: i32) -> Option<String> {
        self.kind(self.after, at)?;
        let number = numbered_attributes(self.executor.rules()).iter().position(|&other| other == field)?;
        Some(format!("@ {} {number} {value}", self.executor.rules().topology.site_name(at)))
    }
}

//! `dagaz play`: a game in the terminal, by typed commands; a pipe will do as well as a person.

mod screen;

use std::io::BufRead as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use dagaz_base::IdMap;
use dagaz_engine::{Seen, Situation, Step};
use dagaz_ir::Player;
use dagaz_notation::universal;
use dagaz_play::Play;

use super::explain::Found;
use crate::answer::{Answer, Out, tell};
use crate::args::PlayArgs;
use crate::game::Game;
use crate::seats::{self, Engine, Moment, Seat};
use crate::{line, records, words};

pub(crate) fn run(args: &PlayArgs, out: &mut Out) -> anyhow::Result<Answer> {
    if out.json {
        bail!("`dagaz play` is for people and has no JSON; see `dagaz moves` and `dagaz selfplay`");
    }
    let game = Game::load(&args.game, args.executor)?;
    let seats = seats::of_texts(&game, &args.agents)?;
    if !args.terminal {
        tell("note: the board in the browser comes later; this is the one in the terminal");
    }
    let play = line::play_from(&game, &args.from)?;
    let views = IdMap::filled(seats.len(), None);
    let mut session = Session { game, play, seats, seed: args.seed, shown: false, looker: None, views };
    let told = session.talk(out);
    session.game.located(told)
}

const HELP: &str = "\
a move        in universal notation, or as much of it as is needed: e2 - e4, e2e4, e7e8 Queen;
              a chain step by step, + to end it, or at once: a1c3e5
moves [SITE]  the legal moves, all or those that start or end at a site
explain MOVE  why a move is legal, or is not
undo, redo    one of your turns back or forward
hint          what an engine would play
board         the board again
save FILE     keeps the game: .zsg or .json
load FILE     opens a game
quit          ends";

/// A game without an end is stopped where only engines play.
const MOST_MOVES: usize = 2000;

struct Session {
    game: Game,
    play: Play,
    seats: IdMap<Player, Seat>,
    seed: u64,
    /// Whether the board on the screen is the one of the game.
    shown: bool,
    /// The person before the screen, where players do not see everything.
    looker: Option<Player>,
    /// What each player saw last.
    views: IdMap<Player, Option<Seen>>,
}

impl Session {
    fn talk(&mut self, out: &mut Out) -> anyhow::Result<Answer> {
        self.greet(out)?;
        let mut input = std::io::stdin().lock();
        while self.advance(out)? {
            out.text("> ")?;
            out.flush()?;
            let mut text = String::new();
            if input.read_line(&mut text).context("cannot read the input")? == 0 {
                out.line("")?;
                break;
            }
            if !self.obey(text.trim(), out)? {
                break;
            }
        }
        Ok(Answer::Yes)
    }

    fn greet(&self, out: &mut Out) -> anyhow::Result<()> {
        out.line(format_args!("{}; `help` lists the commands", self.game.texts.title))?;
        for (player, seat) in self.seats.iter() {
            let name = &self.play.rules().players[player].name;
            match seat {
                Seat::Person => out.line(format_args!("{name}: you"))?,
                Seat::Engine(engine) => out.line(format_args!("{name}: {}", engine.spec))?,
                Seat::Chance | Seat::Nobody => {}
            }
        }
        Ok(())
    }

    /// Lets engines and chance move until a person must say something. False when nobody has anything to say.
    fn advance(&mut self, out: &mut Out) -> anyhow::Result<bool> {
        loop {
            if let Some(outcome) = self.play.outcome().map_err(Clone::clone)? {
                if !self.shown {
                    let text = words::outcome(self.play.rules(), outcome);
                    self.show_all(out)?;
                    out.line(format_args!("The game is over: {text}."))?;
                }
                return Ok(self.has_person());
            }
            let steps = match &self.seats[self.play.to_move()] {
                Seat::Person => break,
                Seat::Engine(engine) => {
                    engine.choose(&Moment::of(&self.play, &self.play.past()), self.seed)?.chosen.steps
                }
                Seat::Chance => {
                    let steps = self.play.legal_steps().map_err(Clone::clone)?;
                    seats::roll(&Moment::of(&self.play, &self.play.past()), steps, self.seed).into_iter().collect()
                }
                Seat::Nobody => bail!("nobody plays {}", self.mover()),
            };
            if !self.has_person() && self.play.node(self.play.cursor()).moves >= MOST_MOVES {
                self.show_all(out)?;
                out.line(format_args!("Stopped after {MOST_MOVES} moves."))?;
                return Ok(false);
            }
            for step in &steps {
                if self.is_told(step)? {
                    out.line(format_args!("{} plays {}", self.mover(), self.text(step)?))?;
                }
                self.make(step)?;
            }
            out.flush()?;
        }
        if self.must_hand_over() {
            out.line(format_args!("\nHand over to {0}. {0}, press Enter to see your board.", self.mover()))?;
            return Ok(true);
        }
        if !self.shown {
            self.show_mover(out)?;
            match (self.play.in_chain(), self.play.executor().chain(self.play.state())) {
                (true, Some(site)) => out.line(format_args!(
                    "{} goes on from {}.",
                    self.mover(),
                    self.play.rules().topology.site_name(site)
                ))?,
                _ => out.line(format_args!("{} to move.", self.mover()))?,
            }
        }
        Ok(true)
    }

    /// Does what a person typed. False when that was to end.
    fn obey(&mut self, text: &str, out: &mut Out) -> anyhow::Result<bool> {
        if self.must_hand_over() {
            let ends = matches!(text, "quit" | "exit" | "q");
            return if ends { Ok(false) } else { self.hand_over(out).map(|()| true) };
        }
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match (word.to_lowercase().as_str(), rest) {
            ("", _) => {}
            ("quit" | "exit" | "q", "") => return Ok(false),
            ("help" | "?", "") => out.line(HELP)?,
            ("board", "") => self.shown = false,
            ("moves", site) => self.list(site, out)?,
            ("explain" | "hint", _) if self.conceals() => {
                out.line(format_args!("`{word}` would tell what you do not see"))?;
            }
            ("explain", "") => out.line("`explain` needs a move")?,
            ("explain", text) => match Found::of(&self.game, &self.play, text) {
                Ok(found) => found.print(&self.game, out)?,
                Err(error) => out.line(format_args!("{error:#}"))?,
            },
            ("undo", "") => self.back(out)?,
            ("redo", "") => self.forward(out)?,
            ("hint", "") => self.hint(out)?,
            ("save" | "load", "") => out.line(format_args!("`{word}` needs the name of a file: .zsg or .json"))?,
            ("save", file) => match records::write(Path::new(file), &self.play, &self.game) {
                Ok(()) => out.line(format_args!("saved to {file}"))?,
                Err(error) => out.line(format_args!("not saved: {error:#}"))?,
            },
            ("load", file) => match self.load(Path::new(file), out) {
                Ok(()) => out.line(format_args!("loaded from {file}"))?,
                Err(error) => out.line(format_args!("not loaded: {error:#}"))?,
            },
            _ => self.play_text(text, out)?,
        }
        Ok(true)
    }

    fn play_text(&mut self, text: &str, out: &mut Out) -> anyhow::Result<()> {
        let steps = match self.play.situation().map_err(Clone::clone)? {
            Situation::Open(steps) => steps,
            Situation::Over(_) => {
                return Ok(out.line("The game is over; `undo` takes moves back, `quit` ends.")?);
            }
        };
        match universal::read_move(&**self.play.executor(), self.play.state(), steps, text) {
            Ok(steps) => {
                let player = self.play.to_move();
                steps.iter().try_for_each(|step| self.make(step))?;
                self.look_back(player, out)
            }
            Err(error) => Ok(out.line(error)?),
        }
    }

    fn list(&self, site: &str, out: &mut Out) -> anyhow::Result<()> {
        let topology = &self.play.rules().topology;
        let wanted = match site {
            "" => None,
            name => match topology.site(name) {
                Some(site) => Some(site),
                None => return Ok(out.line(format_args!("there is no site `{name}`"))?),
            },
        };
        let steps = self.play.legal_steps().map_err(Clone::clone)?;
        let texts = universal::write_all(&**self.play.executor(), self.play.state(), steps)?;
        let fits = |step: &Step| wanted.is_none() || step.from == wanted || step.to == wanted;
        let listed: Vec<&String> =
            steps.iter().zip(&texts).filter(|(step, _)| fits(step)).map(|(_, text)| text).collect();
        if listed.is_empty() {
            out.line("no legal moves")?;
        }
        for text in listed {
            out.line(text)?;
        }
        Ok(())
    }

    /// Takes moves back to the last turn of a person; in the middle of a move, one step.
    fn back(&mut self, out: &mut Out) -> anyhow::Result<()> {
        let here = self.play.cursor();
        if self.play.in_chain() {
            self.play.undo();
        } else {
            while self.play.undo_move() && !self.persons_turn() {}
        }
        if !self.persons_turn() {
            // Before the first turn of a person there is nothing that he could do otherwise.
            self.play.jump(here);
        }
        if self.play.cursor() == here {
            return Ok(out.line("there is nothing to take back")?);
        }
        self.shown = false;
        Ok(())
    }

    /// Goes forward to the next turn of a person, along the line that was taken back.
    fn forward(&mut self, out: &mut Out) -> anyhow::Result<()> {
        let here = self.play.cursor();
        while self.play.redo_move() && !self.persons_turn() {}
        if self.play.cursor() == here {
            return Ok(out.line("there is nothing to play again")?);
        }
        self.shown = false;
        Ok(())
    }

    fn hint(&self, out: &mut Out) -> anyhow::Result<()> {
        if self.play.outcome().map_err(Clone::clone)?.is_some() {
            return Ok(out.line("The game is over.")?);
        }
        let usual;
        let engine = match self.engines().next() {
            Some(engine) => engine,
            None => {
                usual = Engine::usual(&self.game)?;
                &usual
            }
        };
        let choice = engine.choose(&Moment::of(&self.play, &self.play.past()), self.seed)?;
        let text = match choice.chosen.steps.first() {
            Some(step) => self.text(step)?,
            None => return Ok(()),
        };
        let score = choice.score.map_or_else(String::new, |score| format!(" ({score})"));
        Ok(out.line(format_args!("{} would play {text}{score}", engine.spec))?)
    }

    fn load(&mut self, path: &Path, out: &mut Out) -> anyhow::Result<()> {
        let written = records::read_one(path)?;
        if let Some(note) = written.other_game(&self.game) {
            out.line(note)?;
        }
        self.play = written.replay(self.play.executor().clone())?;
        self.shown = false;
        Ok(())
    }

    fn make(&mut self, step: &Step) -> anyhow::Result<()> {
        self.play.play(step)?;
        self.shown = false;
        Ok(())
    }

    fn text(&self, step: &Step) -> anyhow::Result<String> {
        let steps = self.play.legal_steps().map_err(Clone::clone)?;
        Ok(universal::write(&**self.play.executor(), self.play.state(), steps, step)?)
    }

    fn mover(&self) -> &str {
        &self.play.rules().players[self.play.to_move()].name
    }

    fn persons_turn(&self) -> bool {
        matches!(self.seats[self.play.to_move()], Seat::Person)
    }

    fn has_person(&self) -> bool {
        self.seats.values().any(|seat| matches!(seat, Seat::Person))
    }

    fn engines(&self) -> impl Iterator<Item = &Engine> {
        self.seats.values().filter_map(|seat| match seat {
            Seat::Engine(engine) => Some(engine),
            _ => None,
        })
    }
}

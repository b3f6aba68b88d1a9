//! Blocks of `moves` and `drops`: one rule each.
//!
//! The registers of Zillions' machine (current, from, to, mark, flags, position flags) become locals; what a block
//! queues becomes effects. Section numbers refer to `docs/zrf.md`.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::{Diagnostic, Id, IdMap, Origin};
use dagaz_board::Direction;
use dagaz_ir::{
    Block, Emit, Expr, Kind, Local, LocalInfo, MoveType, Next, Op, Program, Rule, Stmt, StmtKind, Trigger, Type, View,
};

use crate::lower::Lowering;
use crate::lower::names::suggest;
use crate::lower::usage;
use crate::syntax::{Form, Node};

/// Which registers a block uses: the others get no local.
#[derive(Clone, Copy, Default)]
struct Uses {
    from: bool,
    to: bool,
    mark: bool,
    cascade: bool,
    /// No register: whether it makes moves.
    add: bool,
}

impl Uses {
    fn of(form: &Form) -> Self {
        let mut uses = Self::default();
        uses.scan(form);
        uses
    }

    fn scan(&mut self, form: &Form) {
        match &form.node {
            Node::Symbol(word) => match &**word {
                "from" => self.from = true,
                "to" => self.to = true,
                "mark" | "back" | "marked?" | "not-marked?" => self.mark = true,
                "cascade" => self.cascade = true,
                "add" | "add-partial" | "add-copy" | "add-copy-partial" => self.add = true,
                _ => {}
            },
            Node::List(items) => items.iter().for_each(|item| self.scan(item)),
            Node::Text(_) => {}
        }
    }
}

/// One block being lowered.
pub(crate) struct BlockLowering<'l, 'a> {
    pub(crate) lowering: &'l mut Lowering<'a>,
    pub(crate) locals: IdMap<Local, LocalInfo>,
    by_name: BTreeMap<String, Local>,
    /// The variables that the author named, with their types.
    pub(crate) variables: BTreeMap<String, (Local, Type)>,
    /// The chosen variables that are parameters of the steps made here.
    pub(crate) parameters: Vec<(String, Local)>,
    /// The chosen variables that a step starts from or ends at, which needs no saying.
    pub(crate) endpoints: BTreeSet<String>,
    /// What it may ask about the past.
    pub(crate) asks: Asks,
    /// Whether pieces were displaced besides the one that moves.
    pub(crate) displaces: bool,
    /// Whether the condition of a `verify` is being read.
    pub(crate) verifies: bool,
    /// Whether it surrounds steps, and makes none.
    pub(crate) surrounds: bool,
    /// The parameters that steps were made with, if any was made.
    made_with: Option<Vec<(String, Local)>>,
    /// The site that the block is run for.
    here: Local,
    /// The current position.
    pub(crate) at: Local,
    from: Option<Local>,
    to: Option<Local>,
    mark: Option<Local>,
    /// In blocks with `cascade`: the first displacement, which names the move.
    first: Option<(Local, Local)>,
    /// In drops with `cascade`: whether it is still the dropped piece that is set down.
    dropping: Option<Local>,
    /// Flags that are asked for, and where.
    tested: Vec<(Local, Origin)>,
    /// Flags that are set somewhere.
    set: BTreeSet<Local>,
    /// Where the block stands.
    origin: Origin,
    kind: Option<Kind>,
    trigger: Trigger,
    move_type: Option<MoveType>,
}

/// What may be asked about the past of the state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    /// Nothing: a rule's body knows the state alone.
    Nothing,
    /// What the step has captured.
    Step,
    /// What there was before the move, and what can follow it.
    AfterMove,
    /// What there was, and what moves there are.
    End,
}

/// What a block belongs to.
#[derive(Clone, Copy)]
pub(crate) struct BlockOf {
    pub(crate) kind: Option<Kind>,
    pub(crate) trigger: Trigger,
    pub(crate) move_type: Option<MoveType>,
    pub(crate) view: View,
}

impl Lowering<'_> {
    /// Warns of flags that are asked for in a block that never sets them. A macro may ask for what only some of its uses
    /// have set, so that there it is a slip only where no block sets the flag.
    pub(crate) fn check_flags(&mut self) {
        for (flag, origin) in std::mem::take(&mut self.unset_flags) {
            if origin.expansion.is_some() && self.set_flags.contains(&flag) {
                continue;
            }
            let (sort, name) = flag.split_once(' ').expect("the local of a flag is named after its sort");
            self.diagnostics.push(
                Diagnostic::warning(
                    "zrf-unset-flag",
                    origin,
                    format!("no step of this block sets the {sort} `{name}`"),
                )
                .label("it is false here")
                .help("all flags are false where a block begins; what another block sets is forgotten"),
            );
        }
    }

    /// Lowers one block.
    pub(crate) fn block(&mut self, form: &Form, of: BlockOf) -> Rule {
        let uses = Uses::of(form);
        let mut locals = IdMap::new();
        let mut local = |name: &str, ty| locals.push(LocalInfo { name: name.to_owned(), ty });
        let here = local("here", Type::Site);
        let at = local("at", Type::Site);
        let from = (uses.from || uses.cascade).then(|| local("from", Type::Site));
        let to = uses.to.then(|| local("to", Type::Site));
        let mark = uses.mark.then(|| local("mark", Type::Site));
        let first = uses.cascade.then(|| (local("first-from", Type::Site), local("first-to", Type::Site)));
        let dropping = (uses.cascade && of.trigger == Trigger::Drop).then(|| local("dropping", Type::Bool));
        let mut block = BlockLowering {
            lowering: self,
            locals,
            by_name: BTreeMap::new(),
            variables: BTreeMap::new(),
            parameters: Vec::new(),
            endpoints: endpoints(form),
            asks: Asks::Nothing,
            displaces: false,
            verifies: false,
            surrounds: false,
            made_with: None,
            here,
            at,
            from,
            to,
            mark,
            first,
            dropping,
            tested: Vec::new(),
            set: BTreeSet::new(),
            origin: form.origin,
            kind: of.kind,
            trigger: of.trigger,
            move_type: of.move_type,
        };
        let mut body = Vec::new();
        for register in [Some(at), from, mark].into_iter().flatten() {
            block.put(&mut body, None, StmtKind::Let(register, Expr::local(here)));
        }
        if let Some(dropping) = dropping {
            block.put(&mut body, None, StmtKind::Let(dropping, Expr::leaf(Op::Bool(true))));
        }
        if let (Trigger::Drop, Some(zone)) = (of.trigger, block.lowering.board.droppable) {
            let shown = Expr::new(Op::InZone(zone), [Expr::local(here)]);
            block.put(&mut body, None, StmtKind::Verify(shown));
        }
        let (then, steps): (Vec<&Form>, Vec<&Form>) =
            form.list().unwrap_or_default().iter().partition(|step| step.head() == Some("then"));
        for step in steps {
            block.step(step, &mut body);
        }
        block.note_flags();
        if let Some(then) = then.iter().find(|then| then.list().is_none_or(|list| list.len() < 2)) {
            block.refuse(then, "the steps are missing");
        } else if let [_, second, ..] = then[..] {
            block.refuse(second, "a block has one `then`, and there it is already");
        } else if let ([then], None) = (&then[..], &block.made_with) {
            block.refuse(then, "no move of this block is made: `add` is missing");
        }
        let made_with = block.made_with.take().unwrap_or_default();
        let locals = block.locals;
        let then = then.first().map(|then| self.then(then, &made_with, &locals));
        // After an error, such as a macro that is misspelt, this would only be said twice.
        if !uses.add && !self.diagnostics.has_errors() {
            self.diagnostics.push(
                Diagnostic::warning("zrf-no-move", form.origin, "this block never makes a move")
                    .label("there is no `add` in it")
                    .help("end it with `add`, or remove it"),
            );
        }
        let (name, arguments) = match &form.made_by {
            Some(made) => (made.name.to_string(), made.arguments.iter().map(ToString::to_string).collect()),
            None => (of.kind.map_or_else(|| "move".into(), |kind| self.kinds[kind].name.clone()), Vec::new()),
        };
        Rule {
            name,
            arguments,
            kind: of.kind,
            trigger: of.trigger,
            move_type: of.move_type,
            view: of.view,
            locals,
            body,
            then,
            origin: Some(form.origin),
        }
    }

    /// The last part of a rule, which knows the step's sites and what was chosen with it.
    fn then(&mut self, form: &Form, parameters: &[(String, Local)], types: &IdMap<Local, LocalInfo>) -> Program {
        let parameters: Vec<_> = parameters.iter().map(|(name, local)| (name.as_str(), types[*local].ty)).collect();
        let mut block = BlockLowering::surrounding(self, form, &parameters);
        let mut body = Vec::new();
        block.begin(&mut body);
        block.steps(form.rest(), &mut body);
        Program { locals: block.into_locals(), bounds: Vec::new(), body, origin: Some(form.origin) }
    }
}

impl<'l, 'a> BlockLowering<'l, 'a> {
    /// For what surrounds a step: it starts at the site where the step ended. An executor gives values to the sites of the step
    /// and then to its parameters, which are the first locals therefore.
    pub(crate) fn surrounding(lowering: &'l mut Lowering<'a>, form: &Form, parameters: &[(&str, Type)]) -> Self {
        let mut locals = IdMap::new();
        let mut local = |name: &str, ty| locals.push(LocalInfo { name: name.to_owned(), ty });
        let (from, to) = (local("from", Type::Site), local("to", Type::Site));
        let variables = parameters.iter().map(|&(name, ty)| (name.to_owned(), (local(name, ty), ty))).collect();
        let at = local("at", Type::Site);
        let mark = Uses::of(form).mark.then(|| local("mark", Type::Site));
        let asking = Self::asking(lowering, locals, Asks::Step, form.origin);
        Self { from: Some(from), to: Some(to), at, here: to, mark, variables, surrounds: true, ..asking }
    }

    /// For a condition that is asked of the state as a whole. There is no current position.
    pub(crate) fn asking(
        lowering: &'l mut Lowering<'a>,
        mut locals: IdMap<Local, LocalInfo>,
        asks: Asks,
        origin: Origin,
    ) -> Self {
        let nowhere = locals.push(LocalInfo { name: "nowhere".into(), ty: Type::Site });
        Self {
            lowering,
            locals,
            by_name: BTreeMap::new(),
            variables: BTreeMap::new(),
            parameters: Vec::new(),
            endpoints: BTreeSet::new(),
            asks,
            displaces: false,
            verifies: false,
            surrounds: false,
            made_with: None,
            here: nowhere,
            at: nowhere,
            from: None,
            to: None,
            mark: None,
            first: None,
            dropping: None,
            tested: Vec::new(),
            set: BTreeSet::new(),
            origin,
            kind: None,
            trigger: Trigger::Turn,
            move_type: None,
        }
    }

    /// What surrounds a step starts where the step ended.
    pub(crate) fn begin(&mut self, out: &mut Block) {
        for register in [Some(self.at), self.mark].into_iter().flatten() {
            self.put(out, None, StmtKind::Let(register, Expr::local(self.here)));
        }
    }

    /// For a condition that is asked at a site: the local that stands for it.
    pub(crate) fn start_at(&mut self, site: Local) {
        (self.here, self.at) = (site, site);
    }

    /// A variable of this name and type.
    pub(crate) fn declare(&mut self, name: &str, ty: Type) -> Local {
        let local = self.locals.push(LocalInfo { name: name.to_owned(), ty });
        self.variables.insert(name.to_owned(), (local, ty));
        local
    }

    pub(crate) fn into_locals(self) -> IdMap<Local, LocalInfo> {
        self.locals
    }
}

/// The words of all `(from word)` and `(to word)`.
fn endpoints(form: &Form) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if let Some(items) = form.list() {
        if let ([_, word], Some("from" | "to")) = (items, form.head()) {
            found.extend(word.symbol().map(str::to_owned));
        }
        items.iter().for_each(|item| found.append(&mut endpoints(item)));
    }
    found
}

impl BlockLowering<'_, '_> {
    pub(crate) fn put(&mut self, out: &mut Block, origin: Option<Origin>, kind: StmtKind) {
        if self.lowering.afford(1, origin.unwrap_or(self.origin)) {
            out.push(Stmt { kind, origin });
        }
    }

    pub(crate) fn effect(&mut self, out: &mut Block, origin: Origin, op: Op, args: impl Into<Box<[Expr]>>) {
        self.put(out, Some(origin), StmtKind::Effect(Expr::new(op, args)));
    }

    fn local(&mut self, name: String, ty: Type) -> Local {
        *self.by_name.entry(name.clone()).or_insert_with(|| self.locals.push(LocalInfo { name, ty }))
    }

    /// The local of a flag.
    pub(crate) fn flag(&mut self, name: &str) -> Local {
        self.local(format!("flag {name}"), Type::Bool)
    }

    /// The local of a position flag: the set of positions where it is true.
    pub(crate) fn position_flag(&mut self, name: &str) -> Local {
        self.local(format!("position-flag {name}"), Type::Set)
    }

    /// Notes that a flag is asked for.
    pub(crate) fn tested(&mut self, flag: Local, form: &Form) {
        self.tested.push((flag, form.origin));
    }

    /// Hands on which flags the block sets, and which it asks for and does not set.
    fn note_flags(&mut self) {
        let name = |flag: Local| self.locals[flag].name.clone();
        let unset = self.tested.iter().filter(|(flag, _)| !self.set.contains(flag));
        self.lowering.unset_flags.extend(unset.map(|&(flag, origin)| (name(flag), origin)));
        self.lowering.set_flags.extend(self.set.iter().map(|&flag| name(flag)));
    }

    /// The current position.
    pub(crate) fn current(&self) -> Expr {
        Expr::local(self.at)
    }

    /// The marked position.
    pub(crate) fn marked(&self) -> Expr {
        Expr::local(self.mark.unwrap_or(self.here))
    }

    pub(crate) fn origin_site(&self) -> Expr {
        Expr::local(self.from.unwrap_or(self.here))
    }

    /// Where the moving piece ends: `to` if set, else the current position.
    pub(crate) fn destination(&self) -> Expr {
        match self.to {
            Some(to) => Expr::new(Op::OrElse, [Expr::local(to), self.current()]),
            None => self.current(),
        }
    }

    pub(crate) fn steps(&mut self, steps: &[Form], out: &mut Block) {
        for step in steps {
            self.step(step, out);
        }
    }

    fn step(&mut self, form: &Form, out: &mut Block) {
        match &form.node {
            Node::Symbol(word) => self.word(word, &[], form, out),
            Node::Text(_) => self.refuse(form, "a string is no step"),
            Node::List(items) => match items.split_first() {
                None => {}
                Some((head, rest)) => match head.symbol() {
                    Some(word) => self.word(word, rest, form, out),
                    // Brackets too many around a run of steps mean nothing else.
                    None => self.steps(items, out),
                },
            },
        }
    }

    fn word(&mut self, word: &str, rest: &[Form], form: &Form, out: &mut Block) {
        let origin = form.origin;
        match word {
            "verify" => {
                self.verifies = true;
                let condition = self.conditions(rest, form);
                self.verifies = false;
                self.put(out, Some(origin), StmtKind::Verify(condition));
            }
            "if" => self.branch(rest, form, out),
            "while" => {
                let Some((condition, steps)) = rest.split_first() else {
                    return self.refuse(form, "`while` needs a condition");
                };
                let condition = self.condition(condition);
                let mut body = Vec::new();
                self.steps(steps, &mut body);
                self.put(out, Some(origin), StmtKind::While(condition, body));
            }
            "from" | "to" | "mark" => {
                let site = self.place_or_current(rest, form);
                let register = match word {
                    "from" => self.from,
                    "to" => self.to,
                    _ => self.mark,
                };
                let register = register.expect("a register that the block names has a local");
                self.put(out, Some(origin), StmtKind::Let(register, site));
            }
            "back" => {
                let marked = self.marked();
                self.put(out, Some(origin), StmtKind::Let(self.at, marked));
            }
            "go" => {
                let site = match rest {
                    [place] => self.place(place),
                    _ => return self.refuse(form, "`go` needs one of `from`, `to`, `mark`, `last-from`, `last-to`"),
                };
                self.go(site, origin, out);
            }
            "opposite" => {
                let site = self.place(form);
                self.go(site, origin, out);
            }
            "cascade" => self.cascade(origin, out),
            "capture" | "flip" | "change-owner" => {
                let site = self.place_or_current(rest, form);
                match word {
                    "capture" => self.effect(out, origin, Op::Capture, [site]),
                    "flip" => self.effect(out, origin, Op::Flip, [site]),
                    _ => self.effect(out, origin, Op::Reown, [site, Expr::leaf(Op::Me)]),
                }
            }
            "change-type" => {
                let Some(kind) = rest.first().and_then(|form| self.kind_named(form)) else {
                    return self.refuse(form, "`change-type` needs the name of a piece");
                };
                let site = self.place_or_current(&rest[1..], form);
                self.effect(out, origin, Op::Retype, [site, Expr::leaf(Op::Kind(kind))]);
            }
            "create" => self.create(rest, form, out),
            "set-attribute" => {
                let [attribute, value, place @ ..] = rest else {
                    return self.refuse(form, "it is written `(set-attribute name condition)`");
                };
                let Some(&field) = attribute.symbol().and_then(|name| self.lowering.names.attributes.get(name)) else {
                    return self.refuse(attribute, "no piece has an attribute of this name");
                };
                let value = match self.lowering.is_numeric(field) {
                    true => self.number(value),
                    false => Expr::new(Op::Truth, [self.condition(value)]),
                };
                let site = self.place_or_current(place, form);
                self.effect(out, origin, Op::SetAt(field), [site, value]);
            }
            "set-flag" => {
                let [Form { node: Node::Symbol(flag), .. }, value @ ..] = rest else {
                    return self.refuse(form, "it is written `(set-flag name condition)`");
                };
                let flag = self.flag(flag);
                self.set.insert(flag);
                let value = self.conditions(value, form);
                self.put(out, Some(origin), StmtKind::Let(flag, value));
            }
            "set-position-flag" => {
                let [Form { node: Node::Symbol(flag), .. }, value, place @ ..] = rest else {
                    return self.refuse(form, "it is written `(set-position-flag name condition)`");
                };
                let flag = self.position_flag(flag);
                self.set.insert(flag);
                let value = self.condition(value);
                let site = self.place_or_current(place, form);
                let again = self.again(&site, form);
                let changed = |op, site| StmtKind::Let(flag, Expr::new(op, [Expr::local(flag), site]));
                let (with, without) = (changed(Op::With, site), changed(Op::Without, again));
                let one = |kind| vec![Stmt { kind, origin: Some(origin) }];
                self.put(out, Some(origin), StmtKind::If(value, one(with), one(without)));
            }
            "add" | "add-partial" | "add-copy" | "add-copy-partial" => self.add(word, rest, form, out),
            _ if self.extended(word, rest, form, out) => {}
            _ => self.navigate(word, rest, form, out),
        }
    }

    fn branch(&mut self, rest: &[Form], form: &Form, out: &mut Block) {
        let Some((condition, steps)) = rest.split_first() else {
            return self.refuse(form, "`if` needs a condition");
        };
        let condition = self.condition(condition);
        let middle = steps.iter().position(|step| step.symbol() == Some("else")).unwrap_or(steps.len());
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        self.steps(&steps[..middle], &mut then);
        self.steps(steps.get(middle + 1..).unwrap_or_default(), &mut otherwise);
        self.put(out, Some(form.origin), StmtKind::If(condition, then, otherwise));
    }

    /// A direction or a position as a step.
    fn navigate(&mut self, word: &str, rest: &[Form], form: &Form, out: &mut Block) {
        if let Some(&direction) = self.lowering.names.directions.get(word) {
            let site = Expr::new(Op::Step(direction), [self.current()]);
            self.go(site, form.origin, out);
        } else if let Some(&site) = self.lowering.names.sites.get(word) {
            self.put(out, Some(form.origin), StmtKind::Let(self.at, Expr::leaf(Op::Site(site))));
        } else if let Some(&zone) = self.lowering.names.zones.get(word).filter(|_| self.trigger == Trigger::Drop) {
            // A drop names the places where it may be made.
            let inside = Expr::new(Op::InZone(zone), [self.current()]);
            self.put(out, Some(form.origin), StmtKind::Verify(inside));
        } else {
            if let Some(usage) = usage::of_step(word) {
                return self.refuse(form, &format!("it is written {usage}"));
            }
            const WORDS: [&str; 38] = [
                "verify",
                "if",
                "while",
                "from",
                "to",
                "mark",
                "back",
                "go",
                "opposite",
                "cascade",
                "capture",
                "flip",
                "change-owner",
                "change-type",
                "create",
                "set-attribute",
                "set-flag",
                "set-position-flag",
                "add",
                "add-partial",
                "add-copy",
                "add-copy-partial",
                "let",
                "set",
                "choose",
                "for",
                "for-each",
                "try",
                "then",
                "jump",
                "displace",
                "put",
                "push",
                "pop",
                "tuck",
                "own",
                "retype",
                "take",
            ];
            let names = &self.lowering.names;
            let known = WORDS.into_iter().chain(names.directions.keys().map(String::as_str));
            let help = suggest(word, known).unwrap_or_else(|| {
                "a step is a direction, a position, or a word such as `verify`, `capture` and `add`".into()
            });
            self.lowering.diagnostics.push(
                Diagnostic::error("zrf-unknown-step", form.origin, format!("`{word}` is no step of a move"))
                    .label("neither a direction nor a position of this board, nor a command")
                    .help(help),
            );
            return;
        }
        // A direction with steps behind it in one pair of brackets is a run of steps.
        self.steps(rest, out);
    }

    /// Makes a site the current one; off the board the block ends.
    fn go(&mut self, site: Expr, origin: Origin, out: &mut Block) {
        self.put(out, Some(origin), StmtKind::Let(self.at, site));
        self.put(out, Some(origin), StmtKind::Verify(Expr::new(Op::OnBoard, [self.current()])));
    }

    /// The place that the last argument names, or the current position.
    pub(crate) fn place_or_current(&mut self, rest: &[Form], form: &Form) -> Expr {
        match rest {
            [] => self.current(),
            [place] => self.place(place),
            _ => {
                self.refuse(form, "it has too many words");
                self.current()
            }
        }
    }

    /// A place as an argument: seen from the current position, and maybe off the board.
    pub(crate) fn place(&mut self, form: &Form) -> Expr {
        if let Some(place) = self.extended_place(form) {
            return place;
        }
        if form.head() == Some("opposite") {
            if let Some([_, direction]) = form.list()
                && let Some(direction) = self.direction(direction)
            {
                return Expr::new(Op::StepBack(direction), [self.current()]);
            }
        } else if let Some(word) = form.symbol().or_else(|| match form.list() {
            Some([only]) => only.symbol(),
            _ => None,
        }) {
            if let Some(&direction) = self.lowering.names.directions.get(word) {
                return Expr::new(Op::Step(direction), [self.current()]);
            }
            if let Some(&site) = self.lowering.names.sites.get(word) {
                return Expr::leaf(Op::Site(site));
            }
            match word {
                "from" => return self.origin_site(),
                "to" => return self.destination(),
                "mark" => return self.marked(),
                "last-from" => return self.lowering.last_from(),
                "last-to" => return self.lowering.last_to(),
                _ => {}
            }
        }
        self.refuse(form, "neither a direction nor a position of this board");
        Expr::leaf(Op::Nowhere)
    }

    pub(crate) fn direction(&self, form: &Form) -> Option<Direction> {
        self.lowering.names.directions.get(form.symbol()?).copied()
    }

    pub(crate) fn kind_named(&self, form: &Form) -> Option<Kind> {
        self.lowering.names.kinds.get(form.symbol()?).copied()
    }

    fn cascade(&mut self, origin: Origin, out: &mut Block) {
        let (source, goal) = (self.origin_site(), self.destination());
        self.set_down(Op::Move, &source, &goal, origin, out);
        if let Some((first_from, first_to)) = self.first {
            let keep =
                |first, value: &Expr| StmtKind::Let(first, Expr::new(Op::OrElse, [Expr::local(first), value.clone()]));
            if self.trigger != Trigger::Drop {
                self.put(out, Some(origin), keep(first_from, &source));
            }
            self.put(out, Some(origin), keep(first_to, &goal));
        }
        if let Some(from) = self.from {
            self.put(out, Some(origin), StmtKind::Let(from, self.current()));
        }
        if let Some(to) = self.to {
            self.put(out, Some(origin), StmtKind::Let(to, Expr::leaf(Op::Nowhere)));
        }
        if let Some(dropping) = self.dropping {
            self.put(out, Some(origin), StmtKind::Let(dropping, Expr::leaf(Op::Bool(false))));
        }
    }

    /// The displacement of the piece in motion: from the board, or out of the hand.
    fn set_down(&mut self, op: Op, source: &Expr, goal: &Expr, origin: Origin, out: &mut Block) {
        let one = |op, args: Vec<Expr>| Stmt { kind: StmtKind::Effect(Expr::new(op, args)), origin: Some(origin) };
        let shift = one(op, vec![source.clone(), goal.clone()]);
        let dropped = |kind| vec![goal.clone(), Expr::leaf(Op::Me), Expr::leaf(Op::Kind(kind))];
        let drop = one(Op::Drop, self.kind.map_or_else(Vec::new, dropped));
        match (self.trigger, self.dropping) {
            (Trigger::Piece | Trigger::AnyPiece, _) => out.push(shift),
            // Nothing moves unless the rule says what and where.
            (Trigger::Turn, _) => out.extend((self.from.is_some() && self.to.is_some()).then_some(shift)),
            (Trigger::Drop, None) => out.push(drop),
            (Trigger::Drop, Some(dropping)) => {
                self.put(out, Some(origin), StmtKind::If(Expr::local(dropping), vec![drop], vec![shift]));
            }
        }
    }

    fn add(&mut self, word: &str, rest: &[Form], form: &Form, out: &mut Block) {
        if self.surrounds {
            return self.refuse(form, "moves are made in the blocks of `moves` and `drops` only");
        }
        let origin = form.origin;
        let partial = word.ends_with("-partial");
        let (mut kinds, mut next_type) = (Vec::new(), None);
        for argument in rest {
            if let Some(kind) = self.kind_named(argument) {
                kinds.push(kind);
            } else if let (true, None, Some(name)) = (partial, next_type, argument.symbol()) {
                next_type = Some(self.lowering.move_type(name));
            } else if next_type.is_some() {
                self.refuse(argument, "a move goes on with one move type, and it is already named");
            } else {
                self.refuse(argument, "no piece has this name");
            }
        }
        let (source, goal) = (self.origin_site(), self.destination());
        let (mut from, mut to) = (source.clone(), goal.clone());
        if let Some((first_from, first_to)) = self.first {
            from = Expr::new(Op::OrElse, [Expr::local(first_from), from]);
            to = Expr::new(Op::OrElse, [Expr::local(first_to), to]);
        }
        if self.trigger == Trigger::Drop || self.from.is_none() && self.trigger == Trigger::Turn {
            from = Expr::leaf(Op::Nowhere);
        }
        if self.to.is_none() && self.trigger == Trigger::Turn {
            to = Expr::leaf(Op::Nowhere);
        }
        let parameters: Vec<Expr> = self.parameters.iter().map(|(_, local)| Expr::local(*local)).collect();
        if self.made_with.get_or_insert_with(|| self.parameters.clone()) != &self.parameters {
            self.made_with = Some(Vec::new());
        }
        let next = match partial {
            false => Next::Done,
            // Without a type of its own the chain goes on with moves of this block's type.
            true => Next::Again(self.goes_on(&from, &to), next_type.or(self.move_type)),
        };
        let op = if word.starts_with("add-copy") { Op::Copy } else { Op::Move };
        let choices: Vec<Option<Kind>> =
            if kinds.is_empty() { vec![None] } else { kinds.into_iter().map(Some).collect() };
        let several = choices.len() > 1;
        for kind in choices {
            let mut body = Vec::new();
            self.set_down(op, &source, &goal, origin, &mut body);
            if let Some(kind) = kind {
                self.effect(&mut body, origin, Op::Retype, [goal.clone(), Expr::leaf(Op::Kind(kind))]);
            }
            let choice = kind.filter(|_| several).map(|kind| Expr::leaf(Op::Kind(kind)));
            let (from, to) = (from.clone(), to.clone());
            let emit = Emit { from, to, choice, parameters: parameters.clone(), next: next.clone() };
            self.put(&mut body, Some(origin), StmtKind::Emit(Box::new(emit)));
            self.put(out, Some(origin), StmtKind::Attempt(body));
        }
        self.put(out, Some(origin), StmtKind::Forget);
        if self.lowering.options.discard_cascades && (self.first.is_some() || self.displaces) {
            self.put(out, Some(origin), StmtKind::Discard);
        }
        if let Some(to) = self.to {
            self.put(out, Some(origin), StmtKind::Let(to, Expr::leaf(Op::Nowhere)));
        }
    }

    /// The site of the piece that goes on. Where no piece does, any site will do: blocks that belong to no piece go on whatever
    /// it is.
    fn goes_on(&self, from: &Expr, to: &Expr) -> Expr {
        if self.trigger != Trigger::Turn {
            return to.clone();
        }
        let any = Expr::leaf(Op::Site(Id::from_index(0)));
        Expr::new(Op::OrElse, [to.clone(), Expr::new(Op::OrElse, [from.clone(), any])])
    }

    /// `(create [player] [piece] [place])`: arguments are told apart by what they name, in this order where one names
    /// several things.
    fn create(&mut self, rest: &[Form], form: &Form, out: &mut Block) {
        let (mut owner, mut kind, mut place) = (None, None, None);
        for (index, argument) in rest.iter().enumerate() {
            let player = argument.symbol().and_then(|name| self.lowering.names.players.get(name)).copied();
            let named = self.kind_named(argument);
            // One word for a player and a piece is the piece, unless the piece is still to come.
            let piece_follows = rest.get(index + 1).is_some_and(|next| self.kind_named(next).is_some());
            if owner.is_none() && kind.is_none() && player.is_some() && (named.is_none() || piece_follows) {
                owner = player;
            } else if kind.is_none() && named.is_some() {
                kind = named;
            } else if place.is_none() {
                place = Some(self.place(argument));
            } else {
                self.refuse(argument, "`create` takes a player, a piece and a place");
            }
        }
        let site = place.unwrap_or_else(|| self.current());
        let owner = Expr::leaf(owner.map_or(Op::Me, Op::Player));
        let Some(kind) = kind.or(self.kind) else { return self.refuse(form, "`create` needs a piece here") };
        let kind = Expr::leaf(Op::Kind(kind));
        self.effect(out, form.origin, Op::Create, [site, owner, kind]);
    }

    /// The expression once more, as long as there is room for that.
    pub(crate) fn again(&mut self, expr: &Expr, form: &Form) -> Expr {
        let instead = match expr.op.result() {
            Type::Site => Op::Nowhere,
            Type::Set => Op::NoSites,
            Type::Bool => Op::Bool(false),
            Type::Int | Type::Effect => Op::Int(0),
        };
        match matches!(expr.op, Op::Local(_)) || self.lowering.afford(size(expr), form.origin) {
            true => expr.clone(),
            false => Expr::leaf(instead),
        }
    }

    /// Notes an error at a form of the block.
    pub(crate) fn refuse(&mut self, form: &Form, why: &str) {
        self.lowering.diagnostics.push(
            Diagnostic::error("zrf-malformed-step", form.origin, format!("`{}` cannot stand here", short(form)))
                .label(why),
        );
    }
}

/// How many operations there are in the expression.
pub(crate) fn size(expr: &Expr) -> usize {
    1 + expr.args.iter().map(size).sum::<usize>()
}

/// The form as text, cut where it gets long.
pub(crate) fn short(form: &Form) -> String {
    let text = form.to_string();
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

/// A player's index in expressions that are asked for him.
pub(crate) fn number_of(kind: Kind) -> i32 {
    kind.index() as i32 + 1
}
